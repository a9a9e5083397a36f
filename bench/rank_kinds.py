#!/usr/bin/env python3
"""Solves of all kinds over 1, 2, 4 and 7 ranks: CPU and memory of a rank, messages, bytes.

usage: bench/rank_kinds.py DAEWAVE-MPI [--repetitions N] [WORD ...]

Prints a table of docs/scale.md, of the cases whose line has all of the words: the largest figure of all ranks, of the
run of the repetitions (1) whose ranks took least CPU together.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from ranks import number, over, table, usage_of

RANKS = 1, 2, 4, 7
CASES = (
    ("index 2", "solve al2-example6.1-bvp --intervals 100000 --stages 2"),
    ("index 3", "solve pendulum-bvp --intervals 40000 --stages 3"),
    ("bounds", "solve catalyst-slab --intervals 100000 --stages 3"),
    ("infinite interval", "solve rotating-disk --tolerance 1e-11 --stages 2"),
    ("branch by its parameter", "solve swirling-flow --continue e=0.1:0.02 --tolerance 1e-9 --stages 2"),
    ("branch by arclength", "solve swirling-flow --continue e=0.1:0.05 --arclength --tolerance 1e-7 --stages 2"),
    ("iterates", "solve pendulum --method srm --loops pipelined --h 1e-5 --iterates 7 --every 1000 --set t-end=5"),
)


def measured(mpi, ranks, line):
    """What the report says of each rank."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.json"
        usage_of(over(mpi, ranks, *line.split(), "--quiet", "--json", str(path)))
        return json.loads(path.read_text(encoding="utf-8"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", metavar="DAEWAVE-MPI")
    parser.add_argument("--repetitions", type=int, default=1)
    parser.add_argument("words", nargs="*", metavar="WORD")
    asked = parser.parse_args()
    mpi = str(Path(asked.program).resolve())
    rows = []
    for kind, line in CASES:
        if not all(word in f"{kind} {line}" for word in asked.words):
            continue
        for ranks in RANKS:
            runs = [measured(mpi, ranks, line) for _ in range(asked.repetitions)]
            best = min(runs, key=lambda run: sum(one["cpu_seconds"] for one in run["ranks"]))
            most = {name: max(one[name] for one in best["ranks"])
                    for name in ("cpu_seconds", "peak_bytes", "messages", "bytes_sent")}
            size = f"{best['intervals']:,}" if best["intervals"] else ""
            rows.append([kind, f"`{line}`", size, str(ranks), f"{most['cpu_seconds']:.2f}",
                         f"{most['peak_bytes'] / 1e6:.0f}", f"{most['messages']:,}",
                         number(most["bytes_sent"] / 1e3)])
            print(" | ".join(rows[-1]), file=sys.stderr)
    table(["kind", "`daewave-mpi`", "intervals", "ranks", "CPU of a rank, s", "most memory of a rank, MB",
           "messages of a rank", "kB that a rank sends"], rows)


if __name__ == "__main__":
    main()
