#!/usr/bin/env python3
"""Sources that compile every header as if it were alone, in fewer compilations than headers.

usage: header_chains.py ROOT FOLDER HEADER...

A header that includes, directly or through others, all that the headers before it include cannot
lean on them: what they bring, it has itself. Such headers follow each other in one source, which is
FOLDER/chain_N.cpp; each is included twice. Prints the sources, separated by semicolons.
"""

import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def reached_from(headers, root):
    """What each header includes of the project, directly or not, itself among it."""
    direct, reached = {}, {}

    def includes(header):
        if header not in direct:
            path = root / header
            text = path.read_text() if path.is_file() else ""
            direct[header] = INCLUDE.findall(text)
        return direct[header]

    for header in headers:
        seen, open_ends = {header}, [header]
        while open_ends:
            for other in includes(open_ends.pop()):
                if other not in seen:
                    seen.add(other)
                    open_ends.append(other)
        reached[header] = frozenset(seen)
    return reached


def chains(reached):
    """Few sequences in which each header reaches all that the one before it reaches, and more."""
    found = []
    for header in sorted(reached, key=lambda name: (len(reached[name]), name)):
        fitting = [chain for chain in found if reached[chain[-1]] < reached[header]]
        if fitting:
            max(fitting, key=lambda chain: len(reached[chain[-1]])).append(header)
        else:
            found.append([header])
    return found


def main():
    root, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    sources = []
    for number, chain in enumerate(chains(reached_from(sys.argv[3:], root))):
        text = "".join(f'#include "{header}"\n' * 2 for header in chain)
        source = folder / f"chain_{number}.cpp"
        if not source.is_file() or source.read_text() != text:
            source.write_text(text)
        sources.append(str(source))
    print(";".join(sources), end="")


if __name__ == "__main__":
    main()
