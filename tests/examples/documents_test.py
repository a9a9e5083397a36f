#!/usr/bin/env python3
"""Checks what the documents say against the tree: the first program of the README and its output
are those of the first example, and every file and folder that a document names is there.

usage: documents_test.py ROOT          check the tree at ROOT
       documents_test.py --self-test   plant faults and check that they are found
"""

import re
import sys
from pathlib import Path

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:\s]+)\)")
QUOTED = re.compile(r"`([^`\s]+/[^`\s]*)`")
NOT_THERE_YET = ("build", "out")
PATTERN = re.compile(r"[<>*(){}:$]|^/|\.\.\.")


def program_faults(readme, example):
    blocks = BLOCK.findall(readme)
    programs = [text.strip() for language, text in blocks if language == "cpp"]
    outputs = [text.strip() for language, text in blocks if language == ""]
    comment = [line for line in example.splitlines() if line.startswith("//")]
    code = "\n".join(example.splitlines()[len(comment):]).strip()
    promised = "\n".join(line[5:] for line in comment if line.startswith("//   t = "))
    faults = []
    if code not in programs:
        faults.append("README.md: the program is not that of the first example")
    if not promised or promised not in outputs:
        faults.append("README.md: the output is not that of the first example")
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


EXAMPLE = "// A title.\n//   t = 0: 1\nint main() {}\n"
README = "# Name\n```cpp\nint main() {}\n```\nprints\n```\nt = 0: 1\n```\n"
PROGRAM_FAULTS = [README.replace("{}", "{ }"), README.replace("0: 1", "0: 2"), "# Name\n"]
TREE = {"core", "core/mesh.hpp", "docs", "docs/tour.md", "docs/../core"}
SOUND_PATHS = ("[tour](tour.md), [core](../core), `core/mesh.hpp`, `core/<name>.cpp`, `a/b`, "
               "[x](http://y)")
PATH_FAULTS = ["[tour](house.md)", "`core/mash.hpp`", "see `docs/house.md`"]


def self_test():
    def exists(path):
        return path.as_posix() in TREE
    wrong = ["a sound README is blamed"] if program_faults(README, EXAMPLE) else []
    wrong += [f"blamed: {fault}" for fault in path_faults("docs/a.md", SOUND_PATHS, exists)]
    wrong += [f"not found: {text!r}" for text in PROGRAM_FAULTS
              if not program_faults(text, EXAMPLE)]
    return wrong + [f"not found: {text!r}" for text in PATH_FAULTS
                    if len(path_faults("docs/a.md", text, exists)) != 1]


def main(arguments):
    if arguments == ["--self-test"]:
        faults, said = self_test(), f"{len(PROGRAM_FAULTS) + len(PATH_FAULTS)} planted faults found"
    elif len(arguments) == 1:
        root = Path(arguments[0])
        documents = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
        faults = program_faults(documents[0].read_text(encoding="utf-8"),
                                (root / "examples/01_first_solve.cpp").read_text(encoding="utf-8"))
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
