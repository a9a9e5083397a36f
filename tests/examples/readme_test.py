#!/usr/bin/env python3
"""Checks that the first program of the README, and its output, are those of the first example.

usage: readme_test.py ROOT          compare README.md with examples/01_first_solve.cpp
       readme_test.py --self-test   plant faults and check that they are found
"""

import re
import sys
from pathlib import Path

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def faults_of(readme, example):
    blocks = BLOCK.findall(readme)
    programs = [text for language, text in blocks if language == "cpp"]
    outputs = [text for language, text in blocks if language == ""]
    comment = [line for line in example.splitlines() if line.startswith("//")]
    code = "\n".join(example.splitlines()[len(comment):]).strip()
    promised = "\n".join(line[5:] for line in comment if line.startswith("//   t = "))
    faults = []
    if code not in [text.strip() for text in programs]:
        faults.append("the program in README.md is not that of the first example")
    if not promised or promised not in [text.strip() for text in outputs]:
        faults.append("the output in README.md is not that of the first example")
    return faults


EXAMPLE = "// A title.\n//   t = 0: 1\nint main() {}\n"
README = "# Name\n```cpp\nint main() {}\n```\nprints\n```\nt = 0: 1\n```\n"
PLANTED = [README.replace("{}", "{ }"), README.replace("0: 1", "0: 2"), "# Name\n"]


def self_test():
    wrong = ["a sound README is blamed"] if faults_of(README, EXAMPLE) else []
    return wrong + [f"not found: {text!r}" for text in PLANTED if not faults_of(text, EXAMPLE)]


def main(arguments):
    if arguments == ["--self-test"]:
        faults, said = self_test(), f"{len(PLANTED)} planted faults found"
    elif len(arguments) == 1:
        root = Path(arguments[0])
        faults = faults_of((root / "README.md").read_text(encoding="utf-8"),
                           (root / "examples/01_first_solve.cpp").read_text(encoding="utf-8"))
        said = "program and output are those of the first example"
    else:
        print(__doc__, file=sys.stderr)
        return 2
    print("\n".join(faults) if faults else said)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
