#!/usr/bin/env python3
"""Runs an example and compares what it prints with the comment it opens with.

usage: compare_output.py PROGRAM SOURCE    the comment is in SOURCE
       compare_output.py --self-test       plant faults and check that they are found

The comment's block is

    // Output, numbers within 1e-6 or 1e-12:
    //   text with numbers

Text must agree word by word; where lines break does not matter. Numbers must agree to the first
figure relative to the larger one, or to the second, if it is there, in absolute terms; those
written without a point must agree exactly. The program must end with exit code 0.
"""

import re
import subprocess
import sys
from pathlib import Path

HEAD = re.compile(r"^// Output, numbers within (\S+?)(?: or (\S+?))?:$")
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w])")


class Fault(Exception):
    pass


def expected_of(source):
    """The lines of the block, the relative and the absolute tolerance."""
    lines = source.splitlines()
    heads = [i for i, line in enumerate(lines) if HEAD.match(line)]
    if len(heads) != 1:
        raise Fault(f"{len(heads)} lines like '// Output, numbers within 1e-6:', must be 1")
    relative, absolute = HEAD.match(lines[heads[0]]).groups()
    block = []
    for line in lines[heads[0] + 1:]:
        if not line.startswith("//   "):
            break
        block.append(line[5:])
    if not block:
        raise Fault("the block of expected output is empty")
    return block, float(relative), float(absolute or 0)


def is_whole(text):
    return text.lstrip("+-").isdigit()


def word_fault(expected, printed, relative, absolute):
    """Why two words differ, or nothing."""
    if NUMBER.sub("#", expected) != NUMBER.sub("#", printed):
        return f"'{printed}' instead of '{expected}'"
    for mine, theirs in zip(NUMBER.findall(expected), NUMBER.findall(printed), strict=True):
        a, b = float(mine), float(theirs)
        tolerated = max(relative * max(abs(a), abs(b)), absolute)
        if is_whole(mine) and is_whole(theirs):
            tolerated = 0
        if not abs(a - b) <= tolerated:
            return f"{theirs} instead of {mine}"
    return ""


def faults_of(source, printed):
    try:
        lines, relative, absolute = expected_of(source)
    except Fault as fault:
        return [str(fault)]
    faults = []
    words = printed.split()
    expected = [(number, word) for number, line in enumerate(lines, 1) for word in line.split()]
    if len(words) != len(expected):
        faults.append(f"{len(words)} words instead of {len(expected)}")
    for (number, mine), theirs in zip(expected, words):
        fault = word_fault(mine, theirs, relative, absolute)
        if fault:
            faults.append(f"line {number} of the block: {fault}")
            break
    return [*faults, "printed:", printed] if faults else []


SOUND = """// A title.
//
// Output, numbers within 1e-3 or 1e-9:
//   x = 1.0000, error 2.0e-12
//   16 intervals
#include <cstdio>
"""
SAME = ["x = 1.0000, error 2.0e-12\n16 intervals\n",
        "x = 1.0000,\n  error 2.0e-12\n16 intervals\n",
        "x = 1.0009,  error 7e-11\n16 intervals\n",
        "x = 1, error -1e-12\n16 intervals\n"]
DIFFERENT = ["x = 1.0020, error 2.0e-12\n16 intervals\n",
             "x = 1.0000, error 2.0e-8\n16 intervals\n",
             "x = -1.0000, error 2.0e-12\n16 intervals\n",
             "x = nan, error 2.0e-12\n16 intervals\n",
             "x = 1.0000, error 2.0e-12\n32 intervals\n",
             "y = 1.0000, error 2.0e-12\n16 intervals\n",
             "x = 1.0000, error 2.0e-12\n",
             "",
             "x = 1.0000, error 2.0e-12\n16 intervals\nmore\n",
             "x = 1.0000, error\n16 intervals\n"]
BROKEN = ["// A title.\n//   x = 1.0000, error 2.0e-12\n//   16 intervals\n",
          "// Output, numbers within 1e-3:\n#include <cstdio>\n"]


def self_test():
    wrong = [f"taken for different: {text!r}" for text in SAME if faults_of(SOUND, text)]
    wrong += [f"taken for the same: {text!r}" for text in DIFFERENT if not faults_of(SOUND, text)]
    wrong += [f"taken for sound: {text!r}" for text in BROKEN if not faults_of(text, SAME[0])]
    return wrong


def main(arguments):
    if arguments == ["--self-test"]:
        faults = self_test()
        said = f"{len(DIFFERENT) + len(BROKEN)} planted faults found"
    elif len(arguments) == 2:
        result = subprocess.run([arguments[0]], capture_output=True, text=True)
        faults = faults_of(Path(arguments[1]).read_text(encoding="utf-8"), result.stdout)
        if result.returncode != 0:
            faults.append(f"exit code {result.returncode}: {result.stderr.strip()}")
        said = "as in the comment"
    else:
        print(__doc__, file=sys.stderr)
        return 2
    print("\n".join(faults) if faults else said)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
