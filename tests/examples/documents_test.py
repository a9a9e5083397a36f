#!/usr/bin/env python3
"""Checks what the documents say against the tree: the programs of the README and their outputs are
those of examples, and every file and folder that a document names is there.

usage: documents_test.py ROOT          check the tree at ROOT
       documents_test.py --self-test   plant faults and check that they are found
"""

import itertools
import re
import sys
from pathlib import Path

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:\s]+)\)")
QUOTED = re.compile(r"`([^`\s]+/[^`\s]*)`")
IN_README = ("01_first_solve", "08_pendulum")
NOT_THERE_YET = ("build", "out")
PATTERN = re.compile(r"[<>*(){}:$]|^/|\.\.\.")


def program_faults(readme, name, example):
    """Whether the code and the output of an example are in the README as they are there."""
    blocks = BLOCK.findall(readme)
    programs = [text.strip() for language, text in blocks if language == "cpp"]
    outputs = [text.strip() for language, text in blocks if language == ""]
    lines = example.splitlines()
    comment = list(itertools.takewhile(lambda line: line.startswith("//"), lines))
    code = "\n".join(lines[len(comment):]).strip()
    block = itertools.dropwhile(lambda line: not line.startswith("// Output"), comment)
    promised = "\n".join(line[5:] for line in list(block)[1:] if line.startswith("//   "))
    faults = []
    if code not in programs:
        faults.append(f"README.md: the program of examples/{name}.cpp is not there as it is")
    if not promised or promised not in outputs:
        faults.append(f"README.md: the output of examples/{name}.cpp is not there as it is")
    return faults


def path_faults(name, text, exists):
    """Links, relative to the document, and quoted paths, relative to the root."""
    folder = Path(name).parent
    prose = BLOCK.sub("", text)
    faults = [f"{name}: link to {link}, which is not there" for link in LINK.findall(prose)
              if not exists(folder / link)]
    for quoted in QUOTED.findall(prose):
        known = exists(Path(quoted.split("/")[0])) and not quoted.startswith(NOT_THERE_YET)
        if known and not PATTERN.search(quoted) and not exists(Path(quoted)):
            faults.append(f"{name}: {quoted} is not there")
    return faults


EXAMPLE = ("// A title.\n//\n//   x = 1\n//\n// Output, numbers within 1:\n//   t = 0: 1\n"
           "int main() {}\n")
README = "# Name\n```cpp\nint main() {}\n```\nprints\n```\nt = 0: 1\n```\n"
PROGRAM_FAULTS = [README.replace("{}", "{ }"), README.replace("0: 1", "0: 2"), "# Name\n"]
TREE = {"core", "core/time/mesh.hpp", "docs", "docs/tour.md", "docs/../core"}
SOUND_PATHS = ("[tour](tour.md), [core](../core), `core/time/mesh.hpp`, `core/<name>.cpp`, `a/b`, "
               "[x](http://y)")
PATH_FAULTS = ["[tour](house.md)", "`core/mash.hpp`", "see `docs/house.md`"]


def self_test():
    def exists(path):
        return path.as_posix() in TREE
    wrong = ["a sound README is blamed"] if program_faults(README, "a", EXAMPLE) else []
    wrong += [f"blamed: {fault}" for fault in path_faults("docs/a.md", SOUND_PATHS, exists)]
    wrong += [f"not found: {text!r}" for text in PROGRAM_FAULTS
              if not program_faults(text, "a", EXAMPLE)]
    return wrong + [f"not found: {text!r}" for text in PATH_FAULTS
                    if len(path_faults("docs/a.md", text, exists)) != 1]


def main(arguments):
    if arguments == ["--self-test"]:
        faults, said = self_test(), f"{len(PROGRAM_FAULTS) + len(PATH_FAULTS)} planted faults found"
    elif len(arguments) == 1:
        root = Path(arguments[0])
        documents = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
        readme = documents[0].read_text(encoding="utf-8")
        faults = []
        for name in IN_README:
            example = (root / f"examples/{name}.cpp").read_text(encoding="utf-8")
            faults += program_faults(readme, name, example)
        for document in documents:
            faults += path_faults(document.relative_to(root).as_posix(),
                                  document.read_text(encoding="utf-8"),
                                  lambda path: (root / path).exists())
        said = f"{len(documents)} documents agree with the tree"
    else:
        print(__doc__, file=sys.stderr)
        return 2
    print("\n".join(faults) if faults else said)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
