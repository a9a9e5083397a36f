#!/usr/bin/env python3
"""Runs the benchmarks once, repetitions interleaved, and prints medians beside their targets.

usage: table.py BUILD_DIR [--repetitions R] [--min-time S] [--json]

Times are CPU nanoseconds per interval. A missed target is marked, never an error: the machine may
be busy. Compare figures of one run only.
"""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

SIZES = (2, 4, 6, 12, 24)
STAGES = (1, 2, 3)
SOLVERS = ("block_lu", "block_qr", "umfpack", "eigen")
BLOCK_LU_NS = {2: 55, 6: 421, 12: 1626, 24: 8494}
SLACK = 1.5
UMFPACK_RATIO = {2: 15, 12: 10}
FIRST_ITERATE_US = 4
FURTHER_ITERATE_US = 0.4


def measure(program, repetitions, min_time):
    """Counter medians by benchmark name."""
    finished = subprocess.run(
        [program, "--benchmark_format=json", "--benchmark_enable_random_interleaving=true",
         f"--benchmark_repetitions={repetitions}", f"--benchmark_min_time={min_time}"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if finished.returncode != 0:
        sys.exit(f"{program} failed: {finished.stderr.strip()}")
    samples = {}
    for run in json.loads(finished.stdout)["benchmarks"]:
        if run["run_type"] == "iteration":
            samples.setdefault(run["run_name"], []).append(run)
    counters = ("ns_per_interval", "bytes_per_interval")
    return {name: {counter: statistics.median(run[counter] for run in runs)
                   for counter in counters if counter in runs[0]}
            for name, runs in samples.items()}


def measure_memory(program):
    """Growth of peak memory from N = 1e5 to 2e5 intervals, and what the report says; bytes."""
    runs = [json.loads(subprocess.run([program, str(intervals)], stdout=subprocess.PIPE, text=True,
                                      check=True).stdout) for intervals in (100_000, 200_000)]
    grown = runs[1]["peak_bytes"] - runs[0]["peak_bytes"]
    return {"peak_bytes_per_interval": grown / (runs[1]["intervals"] - runs[0]["intervals"]),
            "reported_bytes_per_interval": runs[1]["reported_bytes"]}


def rows_of(medians):
    """One row per size and number of stages; None where nothing was measured."""

    def ns(name, counter="ns_per_interval"):
        return medians.get(name, {}).get(counter)

    rows = []
    for n in SIZES:
        solvers = {}
        for solver in SOLVERS:
            parts = (ns(f"factorize/{solver}/n:{n}"), ns(f"solve/{solver}/n:{n}"))
            solvers[solver] = None if None in parts else sum(parts)
        lu, umfpack = solvers["block_lu"], solvers["umfpack"]
        for k in STAGES:
            rows.append({
                "n": n, "k": k,
                "moving": ns(f"condense/moving/n:{n}/k:{k}"),
                "constant": ns(f"condense/constant/n:{n}/k:{k}"),
                "regularize": ns(f"regularize/n:{n}/k:{k}"),
                "eliminate": ns(f"eliminate/n:{n}/k:{k}"),
                **solvers,
                "ratio": umfpack / lu if umfpack and lu else None,
                "condense_bytes": ns(f"condense/constant/n:{n}/k:{k}", "bytes_per_interval"),
                "block_lu_bytes": ns(f"factorize/block_lu/n:{n}", "bytes_per_interval")})
    return rows


def targets_of(rows, medians, memory):
    """Every figure with a target: name, value, bound, and by which factor it falls short, or 1."""
    targets = []

    def at_most(name, value, bound):
        targets.append({"name": name, "value": value, "target": f"at most {bound:g}",
                        "short_by": max(1.0, value / bound)})

    def at_least(name, value, bound):
        targets.append({"name": name, "value": value, "target": f"at least {bound:g}",
                        "short_by": max(1.0, bound / value)})

    first, fifth = (medians[f"lin/iterates:{s}"]["ns_per_interval"] / 1000 for s in (1, 5))
    at_most("lin, first iterate, us per interval", first, FIRST_ITERATE_US)
    at_most("lin, further iterate, us per interval", (fifth - first) / 4, FURTHER_ITERATE_US)
    by_size = {row["n"]: row for row in rows}
    for n, reference in BLOCK_LU_NS.items():
        at_most(f"block_lu, n = {n}, ns per interval", by_size[n]["block_lu"], SLACK * reference)
    for n, bound in UMFPACK_RATIO.items():
        if by_size[n]["ratio"]:
            at_least(f"umfpack / block_lu, n = {n}", by_size[n]["ratio"], bound)
    for name, value in memory.items():
        targets.append({"name": "lin, " + name.replace("_", " "), "value": value, "target": None,
                        "short_by": 1.0})
    return targets


COLUMNS = (("n", "n"), ("k", "k"), ("moving", "condense moving"),
           ("constant", "condense constant"), ("regularize", "regularize"),
           ("eliminate", "eliminate"), ("block_lu", "block_lu"), ("block_qr", "block_qr"),
           ("umfpack", "umfpack"), ("eigen", "eigen"), ("ratio", "umfpack/ block_lu"),
           ("condense_bytes", "condense bytes"), ("block_lu_bytes", "block_lu bytes"))


def figure(value):
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.0f}" if value >= 100 else f"{value:.1f}"


def print_table(rows, targets):
    heads = [title.split(" ") + [""] for _, title in COLUMNS]
    cells = [[figure(row[key]) for key, _ in COLUMNS] for row in rows]
    lines = [[head[0] for head in heads], [head[1] for head in heads], *cells]
    widths = [max(len(line[j]) for line in lines) for j in range(len(COLUMNS))]
    print("ns per interval; the solvers: analyze + factorize + solve")
    for line in lines:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths)).rstrip())
    print()
    for entry in targets:
        line = f"{entry['name']:<40} {entry['value']:8.3g}" if entry["value"] < 100 else \
            f"{entry['name']:<40} {entry['value']:8.0f}"
        if entry["target"]:
            short = entry["short_by"]
            line += f"   {entry['target']:<14}" + (f" falls short by {short:.2f}x" if short > 1
                                                   else " met")
        print(line)


def main():
    parser = argparse.ArgumentParser(description="Benchmarks beside their targets.")
    parser.add_argument("build", type=Path, help="build directory with DAEWAVE_BUILD_BENCHMARKS=ON")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--min-time", type=float, default=0.05, help="seconds per repetition")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    arguments = parser.parse_args()
    folder = arguments.build / "bench"
    medians = measure(folder / "daewave_bench", arguments.repetitions, arguments.min_time)
    rows = rows_of(medians)
    targets = targets_of(rows, medians, measure_memory(folder / "daewave_bench_memory"))
    if arguments.json:
        print(json.dumps({"rows": rows, "targets": targets, "medians": medians}, indent=1))
    else:
        print_table(rows, targets)


if __name__ == "__main__":
    main()
