#!/usr/bin/env python3
"""Sources that compile every header as if it were alone, in fewer compilations than headers.

usage: header_chains.py ROOT FOLDER HEADER... [--reached-from ROOM...]

A header that includes, directly or through others, all that the headers before it include cannot
lean on them: what they bring, it has itself. Such headers follow each other in one source, which is
FOLDER/chain_N.cpp; each is included twice. Prints the sources, separated by semicolons.

--reached-from: of the headers those alone that are in one of these folders, or that one of them
includes.
"""

import argparse
import re
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


def of_rooms(reached, rooms, root):
    """Of the headers those that are in some folders, or that headers there include."""
    there = [str(path.relative_to(root)) for room in rooms for path in (root / room).rglob("*.hpp")]
    wanted = frozenset().union(*reached_from(there, root).values())
    return {header: others for header, others in reached.items() if header in wanted}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("root", type=Path)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("headers", nargs="+")
    arguments.add_argument("--reached-from", nargs="+", metavar="ROOM")
    asked = arguments.parse_args()
    folder = asked.folder
    folder.mkdir(parents=True, exist_ok=True)
    reached = reached_from(asked.headers, asked.root)
    if asked.reached_from:
        reached = of_rooms(reached, asked.reached_from, asked.root)
    sources = []
    for number, chain in enumerate(chains(reached)):
        text = "".join(f'#include "{header}"\n' * 2 for header in chain)
        source = folder / f"chain_{number}.cpp"
        if not source.is_file() or source.read_text() != text:
            source.write_text(text)
        sources.append(str(source))
    print(";".join(sources), end="")


if __name__ == "__main__":
    main()
