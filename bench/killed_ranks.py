#!/usr/bin/env python3
"""Ranks that are killed: whether the others end with an error, and how long that takes; and a sweep that is cut.

usage: bench/killed_ranks.py DAEWAVE-MPI [--tries N] [--members N] [--cuts N] [--seed N] [WORD ...]

In each of N tries (50) one rank of two to four, drawn as its time is, gets signal 9 amid a solve, one kind after the
other. Then a sweep of so many members (1000) over three ranks is cut as often (10), goes on, and its table is held
against that of a sweep that was left alone. Of both only what has all of the words in its line. Prints a table; the
exit code is 1 where ranks went on, ended without an error, or took more than ten seconds, or where the tables differ,
and 2 where no line has the words.
"""

import argparse
import csv
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ranks import ENVIRONMENT, over, table

SECONDS = 10  # In which all ranks have to end.
CASES = (
    ("linear, mesh given", "solve lin --set t-end=1000 --intervals 2000000 --stages 3"),
    ("linear, mesh chosen", "solve lin --set t-end=4000 --tolerance 1e-12 --stages 2"),
    ("Newton, mesh given", "solve elastica --intervals 400000 --stages 3"),
    ("Newton, bounds", "solve catalyst-slab --intervals 800000 --stages 3"),
    ("index 2", "solve al2-example6.1-bvp --intervals 400000 --stages 2"),
    ("index 3", "solve pendulum-bvp --intervals 200000 --stages 3"),
    ("infinite interval", "solve rotating-disk --tolerance 1e-8 --stages 1"),
    ("branch by its parameter", "solve swirling-flow --continue e=0.1:0.01 --tolerance 1e-7 --stages 1"),
    ("branch by arclength", "solve swirling-flow --continue e=0.1:0.01 --arclength --tolerance 1e-7 --stages 1"),
    ("iterates", "solve pendulum --method srm --loops pipelined --h 1e-7 --every 100000"),
)
SWEEP = "sweep chain --links 64 --rtol 1e-9 --quiet --vary t-end=8:16:"


def ranks_of(process, program):
    """Processes of the program that mpirun has started."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if parent == process.pid and program in (entry / "cmdline").read_text():
                found.append(int(entry.name))
        except OSError:
            pass
    return sorted(found)


def begin(program, size, line, told):
    """The run, and its ranks once all are there."""
    process = subprocess.Popen(over(program, size, *line.split()), env=ENVIRONMENT, stdout=told, stderr=told)
    ranks = []
    while len(ranks) < size:
        if process.poll() is not None:
            sys.exit(f"ended before its ranks were there: {line}")
        time.sleep(0.01)
        ranks = ranks_of(process, program)
    return process, ranks


def end(process, ranks):
    """Seconds until all of it has ended, or None."""
    began = time.monotonic()
    try:
        process.wait(6 * SECONDS)
        while any(Path(f"/proc/{rank}").exists() for rank in ranks):
            if time.monotonic() - began > 6 * SECONDS:
                raise subprocess.TimeoutExpired(process.args, 6 * SECONDS)
            time.sleep(0.01)
    except subprocess.TimeoutExpired:
        for one in (*ranks, process.pid):
            try:
                os.kill(one, signal.SIGKILL)
            except OSError:
                pass
        process.wait()
        return None
    return time.monotonic() - began


def killed(program, line, draw):
    """(ranks, seconds until all had ended or None, whether that was an error), None where it was solved before."""
    size = draw.randint(2, 4)
    with tempfile.TemporaryFile("w+") as told:
        process, ranks = begin(program, size, line, told)
        try:
            process.wait(draw.uniform(0, 3))
            told.seek(0)
            if process.returncode != 0:
                sys.exit(f"not solved, without a signal: {line}\n{told.read()}")
            return None
        except subprocess.TimeoutExpired:
            pass
        try:
            os.kill(draw.choice(ranks), signal.SIGKILL)
        except ProcessLookupError:
            process.wait()
            return None
        seconds = end(process, ranks)
        told.seek(0)
        return size, seconds, process.returncode != 0 and "signal 9" in told.read()


def rows_of(path):
    """The table without the time that members took."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    kept = [index for index, name in enumerate(rows[0]) if "seconds" not in name]
    return [[row[index] for index in kept] for row in rows]


def lines_of(path):
    return Path(path).read_text(encoding="utf-8").count("\n") if Path(path).exists() else 0


def cut_sweep(program, members, cuts, draw):
    """(how often it was cut, lines kept at the last cut, whether the tables are the same)"""
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w", encoding="utf-8") as nowhere:
        alone, cut, kept = (str(Path(folder) / name) for name in ("alone.csv", "cut.csv", "kept"))
        line = f"{SWEEP}{members}"
        subprocess.run(over(program, 3, *line.split(), "--csv", alone), env=ENVIRONMENT, stdout=nowhere, check=True)
        line += f" --csv {cut} --checkpoint {kept}"
        for done in range(cuts):
            process, ranks = begin(program, 3, line, nowhere)
            enough = lines_of(kept) + draw.randint(1, max(1, members // (2 * cuts)))
            while lines_of(kept) < enough:
                if process.poll() is not None:
                    return done, lines_of(kept), False
                time.sleep(0.01)
            os.kill(draw.choice(ranks), signal.SIGKILL)
            if end(process, ranks) is None:
                return done, lines_of(kept), False
        lines = lines_of(kept)
        subprocess.run(over(program, 3, *line.split()), env=ENVIRONMENT, stdout=nowhere, check=True)
        return cuts, lines, rows_of(alone) == rows_of(cut)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", metavar="DAEWAVE-MPI")
    parser.add_argument("--tries", type=int, default=50)
    parser.add_argument("--members", type=int, default=1000)
    parser.add_argument("--cuts", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("words", nargs="*", metavar="WORD")
    asked = parser.parse_intermixed_args()
    program = str(Path(asked.program).resolve())

    def is_asked(*line):
        return all(word in " ".join(line) for word in asked.words)

    cases = [case for case in CASES if is_asked(*case)]
    cuts_sweep = asked.members > 0 and is_asked(SWEEP)
    if not cases and not cuts_sweep:
        parser.error(f"no line has {' and '.join(asked.words)}")
    draw = random.Random(asked.seed)
    found = {kind: [] for kind, _ in cases}
    early = {kind: 0 for kind, _ in cases}
    for number in range(asked.tries if cases else 0):
        kind, line = cases[number % len(cases)]
        while (one := killed(program, line, draw)) is None:
            early[kind] += 1
            if early[kind] > 20:
                sys.exit(f"solved before a rank is killed, again and again: {line}")
        found[kind].append(one)
        print(kind, *one, file=sys.stderr)
    right = True
    rows = []
    for kind, line in cases:
        runs = found[kind]
        well = [one for one in runs if one[1] is not None and one[1] <= SECONDS and one[2]]
        right = right and len(well) == len(runs)
        slowest = max((one[1] for one in runs if one[1] is not None), default=0)
        rows.append([kind, f"`{line}`", str(len(runs)), str(len(well)), f"{slowest:.2f}"])
    if rows:
        table(["kind", "`daewave-mpi`", "ranks killed", "ended with an error", "slowest, s"], rows)
    if cuts_sweep:
        cuts, kept, same = cut_sweep(program, asked.members, asked.cuts, draw)
        right = right and same and cuts == asked.cuts
        print(f"\nA sweep of {asked.members} members, cut {cuts} times, {kept} lines of its file at the last cut: "
              f"{'the same table' if same else 'another table'}.")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
