#!/usr/bin/env python3
"""Makes the documentation as a site: pages of docs/, tutorials whose commands and programs are run,
what the program says of its options and tables, a gallery of the examples, and the headers.

usage: make_site.py ROOT PROGRAM OUT [PYTHONPATH]

Fails where a command or program of a tutorial fails, a link leads nowhere, or Sphinx warns.
"""

import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Links out of docs/ into the tree, which the site has not.
OUTSIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+([^)#]*)(#[^)]*)?\)")
PROGRAM = re.compile(r"^```\{literalinclude\} (\S+)\n:language: (\w+)\n```$", re.MULTILINE)
LINK = re.compile(r'(?:href|src)="([^"#]+)(?:#([^"]*))?"')


def fail(message):
    sys.exit(f"make_site.py: {message}")


def run(*words, **more):
    result = subprocess.run(words, capture_output=True, text=True, **more)
    if result.returncode != 0:
        fail(f"{' '.join(map(str, words))} ended with {result.returncode}:\n"
             f"{result.stdout[-2000:]}{result.stderr[-4000:]}")
    return result.stdout


def run_tutorial(page, program, python_path):
    """All blocks of a page, one after the other in one folder."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, PATH=f"{Path(program).parent}:{os.environ['PATH']}")
        for language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
            if language == "python":
                if python_path:
                    run("/usr/bin/python3", "-c", text, cwd=folder,
                        env=dict(environment, PYTHONPATH=python_path))
                continue
            for line in text.splitlines():
                if line.startswith("$ "):
                    run("bash", "-ec", line[2:], cwd=folder, env=environment)


def literal(text):
    return "```text\n" + text.rstrip() + "\n```\n"


def options(program):
    listed = run(program, "--help").split("Subcommands:")[1].split("\n\n")[0]
    parts = [f"### {name}\n\n" + literal(run(program, name, "--help"))
             for name in re.findall(r"^  (\S+)", listed, re.MULTILINE)]
    return "\n".join(parts)


def subjects(program):
    names = re.search(r"Subjects of daewave help: (.*?)\.", run(program, "--help"), re.DOTALL)
    return "\n".join(f"### {name}\n\n" + literal(run(program, "help", name))
                     for name in re.split(r",\s*", names.group(1).strip()))


def tables(program):
    rows = re.findall(r"^  (\S+)\s{2,}(.*)$", run(program, "list", "table"), re.MULTILINE)
    return "\n".join(f"- `daewave table {name}`: {title}" for name, title in rows)


def gallery(root):
    """Each example with the comment that it opens with, and pictures."""
    text = ["# Gallery\n"]
    for picture in sorted((root / "docs/pictures").glob("*.svg")):
        text.append(f"![{picture.stem}](pictures/{picture.name})\n")
    for example in sorted((root / "examples").glob("[0-9]*.cpp")):
        lines = example.read_text(encoding="utf-8").splitlines()
        opening = [line[3:] for line in lines[:next(i for i, line in enumerate(lines)
                                                    if not line.startswith("//"))]]
        text.append(f"## {example.stem}\n\n" + literal("\n".join(opening)))
    return "\n".join(text)


def gather(root, source, program):
    shutil.copytree(root / "docs/site", source, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    shutil.copy(root / "docs/site/conf.py", source)
    shutil.copytree(root / "docs/pictures", source / "pictures")
    for page in (root / "docs").glob("*.md"):
        shutil.copy(page, source)
    (source / "gallery.md").write_text(gallery(root), encoding="utf-8")
    made = {"@ROOT@": str(root), "@COMMANDS@": options(program), "@SUBJECTS@": subjects(program),
            "@TABLES@": tables(program)}
    for page in source.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        for name, value in made.items():
            text = text.replace(name, value)
        include = re.compile(r"```\{include\} (\S+)\n```")
        text = include.sub(lambda of: Path(of.group(1)).read_text(encoding="utf-8"), text)
        text = PROGRAM.sub(lambda of: f"```{of.group(2)}\n"
                           f"{Path(of.group(1)).read_text(encoding='utf-8')}```", text)
        # A page of the site stays a link, what is of the tree is its name.
        text = OUTSIDE.sub(lambda of: f"[{of.group(1)}]({of.group(2)[5:]})"
                           if of.group(2).startswith("docs/") else
                           of.group(0) if (page.parent / ".." / of.group(2)).exists() else
                           f"{of.group(1)} (`{of.group(2)}`)", text)
        page.write_text(text.replace("](docs/", "]("), encoding="utf-8")


def doxygen(root, out):
    config = out / "Doxyfile"
    config.write_text(f"""PROJECT_NAME = daewave
INPUT = {root}/include {root}/core {root}/ivp {root}/bvp {root}/sparse {root}/large {root}/io {root}/models
FILE_PATTERNS = *.hpp
RECURSIVE = YES
STRIP_FROM_PATH = {root}
OUTPUT_DIRECTORY = {out}
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
INPUT_FILTER = "sed -e s/@throws/Throws/"
QUIET = YES
WARNINGS = NO
""", encoding="utf-8")
    run("doxygen", str(config))


def dead_links(site):
    faults = []
    for page in site.rglob("*.html"):
        for link, _ in LINK.findall(page.read_text(encoding="utf-8")):
            link = html.unescape(link)
            if not re.match(r"[a-z]+:", link) and not (page.parent / link.split("?")[0]).exists():
                faults.append(f"{page.relative_to(site)}: {link} is not there")
    return faults


def main(arguments):
    if len(arguments) not in (3, 4):
        fail(__doc__)
    root, program, out = (Path(arguments[i]).resolve() for i in range(3))
    python_path = str(Path(arguments[3]).resolve()) if len(arguments) == 4 else ""
    for page in sorted((root / "docs/site/tutorials").glob("*.md")):
        run_tutorial(page, program, python_path)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    gather(root, out / "source", program)
    doxygen(root, out)
    environment = dict(os.environ, DAEWAVE_DOXYGEN_XML=str(out / "xml"),
                       DAEWAVE_VERSION=run(program, "--version").split()[-1])
    run("/usr/bin/python3", "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html",
        str(out / "source"), str(out / "html"), env=environment)
    faults = dead_links(out / "html")
    if faults:
        fail("\n".join(faults))
    print(f"{out}/html/index.html")


if __name__ == "__main__":
    main(sys.argv[1:])
