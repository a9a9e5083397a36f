#!/usr/bin/env python3
"""What the compiler says of structs that are no problems: one error each, with the words expected.

usage: messages_test.py SOURCE COMPILER ARGUMENT...

Words are those of comments `// says: ...`; the error has to be required from the line that follows.
"""

import re
import subprocess
import sys
from pathlib import Path

SAYS = re.compile(r"^\s*// says: (.*)$")


def expected(source):
    """Line of each call, and what is to be said of it."""
    lines = Path(source).read_text().splitlines()
    return {number + 2: match.group(1) for number, line in enumerate(lines)
            if (match := SAYS.match(line))}


def errors(output, source):
    """Of each error the line of SOURCE that asked for it, its text, and how many lines it takes."""
    name = re.escape(Path(source).name)
    found, line, length = [], None, 0
    for text in output.splitlines():
        length += 1
        if match := re.search(name + r":(\d+):\d+:\s+required from here", text):
            line = int(match.group(1))
        if match := re.search(r"(?:" + name + r":(\d+):.*)?error: (.*)$", text):
            found.append((int(match.group(1)) if match.group(1) else line, match.group(2), length))
            length = 0
    return found


def main():
    source, *command = sys.argv[1:]
    ran = subprocess.run([*command, "-fsyntax-only", source], capture_output=True, text=True,
                         env={"LC_ALL": "C", "PATH": "/usr/bin:/bin:/usr/local/bin"}, check=False)
    wanted, faults = expected(source), []
    said = errors(ran.stderr, source)
    for line, text, length in said:
        if line not in wanted:
            faults.append(f"line {line}: not expected: {text}")
        elif wanted[line] not in text:
            faults.append(f"line {line}: expected '{wanted[line]}', got: {text}")
        if length > 40:
            faults.append(f"line {line}: an error of {length} lines: {text}")
    for line in wanted:
        if (count := [said_of for said_of, _, _ in said].count(line)) != 1:
            faults.append(f"line {line}: {count} errors, expected one: {wanted[line]}")
    print("\n".join(faults) or f"{len(wanted)} errors, each as expected")
    return 1 if faults or not wanted else 0


sys.exit(main())
