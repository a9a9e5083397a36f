"""Objects compiled for one instruction set share no function with other objects.

Functions that more than one object may define (templates, inline ones) are taken by the linker from
any of them: one compiled for AVX-512 would stop a machine without it. So each such symbol of these
objects must name the set it is for (core/lanes/lanes.hpp), as LANE_SET=OBJECT arguments say.
"""

import subprocess
import sys

TAGS = {"sse2": "4Sse2", "avx2": "4Avx2", "avx512": "6Avx512"}
# Data, the same in all objects.
HARMLESS = ("DW.ref.",)


def shared_symbols(path):
    """Names of functions and data in `path` that other objects may define too."""
    listing = subprocess.run(["nm", "--defined-only", path], check=True, capture_output=True,
                             text=True).stdout
    for line in listing.splitlines():
        fields = line.split()
        kind, name = fields[-2], fields[-1]
        if kind in "WwVvu":
            yield name


def leaks(lane_set, names):
    others = [tag for key, tag in TAGS.items() if key != lane_set]
    for name in names:
        if name.startswith(HARMLESS):
            continue
        if TAGS[lane_set] not in name or any(tag in name for tag in others):
            yield name


def main(arguments):
    found = False
    for argument in arguments:
        lane_set, path = argument.split("=", 1)
        names = list(shared_symbols(path))
        if not names:
            print(f"{path}: has no symbols that could be shared; is it the right file?")
            found = True
        for name in leaks(lane_set, names):
            print(f"{path}: {name} does not name {lane_set}")
            found = True
    if list(leaks("avx2", ["_ZSt3maxIdERKT_S2_S2_"])) == []:
        print("std::max<double> would not be found")
        found = True
    return 1 if found or not arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
