#!/usr/bin/env python3
"""Solves and sweeps over ranks: what they cost with 1, 2 and 4, and what a model (rank_costs.py) that
is calibrated with 1 and 2 says of 4, which are checked, and of 64, 1024 and 16384.

usage: bench/ranks.py PROGRAM DAEWAVE-MPI [--repetitions N] [--keep FILE]
       bench/ranks.py --from FILE

Prints the tables of docs/scale.md. Needs 7 GB of memory. --keep FILE keeps what was measured, of which
--from FILE makes the tables again. CPU times are the least of the repetitions (3), which take turns.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rank_costs import Network, Run, SweepCosts, costs_of

RANKS = 1, 2, 4
CALIBRATED = 2  # Ranks at most of runs that the constants are found from.
# Intervals and partitions.
CASES = (100_000, 64), (400_000, 64), (800_000, 64), (200_000, 4096), (200_000, 32768)
PREDICTED = 64, 1024, 16384
# Assumed, of clusters as they are: Ethernet of 25 Gb/s through the kernel, InfiniBand of 100 Gb/s.
NETWORKS = Network("Ethernet", 20e-6, 3e9), Network("InfiniBand", 2e-6, 12e9)
SWEEP = ("sweep", "chain", "--links", "64", "--vary", "t-end=8:16:200", "--rtol", "1e-9")
TINY = 2000, 20_000  # Members of sweeps whose members take next to nothing.
MEMBERS = 0.01, 0.1, 1, 10  # Seconds of a member, of sweeps that are predicted.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
# Of ranks that are refused the first one does not end the others.
ALL_END_BY_THEMSELVES = {**ENVIRONMENT, "OMPI_MCA_orte_abort_on_non_zero_status": "0"}


def solve(intervals, partitions):
    return ("solve", "lin", "--set", "t-end=1000", "--intervals", str(intervals), "--stages", "3",
            "--partitions", str(partitions), "--quiet")


def over(mpi, ranks, *arguments):
    return ("mpirun", "--oversubscribe", "-n", str(ranks), mpi, *arguments)


def usage_of(command, refused=None):
    """CPU seconds of the command and of what it started, and the most bytes that one of them had.

    refused: what it says where it is to fail."""
    with tempfile.TemporaryFile("w+") as told:
        process = subprocess.Popen(command, env=ALL_END_BY_THEMSELVES, stdout=told, stderr=told, text=True)
        _, status, usage = os.wait4(process.pid, 0)
        told.seek(0)
        words = told.read()
    if refused not in words if refused else status != 0:
        sys.exit(f"{' '.join(command)}\n{words}")
    return usage.ru_utime + usage.ru_stime, 1024 * usage.ru_maxrss


def sweeps():
    """{members: arguments}"""
    return {200: SWEEP, **{members: ("sweep", "chain", "--links", "1", "--vary",
                                     f"t-end=0.001:0.002:{members}") for members in TINY}}


def measured_solve(mpi, ranks, intervals, partitions):
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        usage_of(over(mpi, ranks, *solve(intervals, partitions), "--json", str(report)))
        each = json.loads(report.read_text(encoding="utf-8"))["ranks"]
    return {"ranks": ranks, "intervals": intervals, "partitions": partitions,
            "cpu": sum(one["cpu_seconds"] for one in each) / ranks,
            "messages": max(one["messages"] for one in each),
            "sent": sum(one["bytes_sent"] for one in each),
            "peak": max(one["peak_bytes"] for one in each)}


NODES = 2_000_000, 10_000_000  # Of the meshes that nodes are measured on.


def measured_nodes(mpi):
    """CPU and memory where each rank has all nodes and nothing else: a solve of more ranks than partitions is
    refused then."""
    return [usage_of(over(mpi, RANKS[-1], "solve", "lin", "--stages", "3", "--partitions", "1", "--intervals",
                          str(nodes)), refused="more than the 1 partition(s)") for nodes in NODES]


def of_node(measured):
    """Of each node of the whole mesh, on each rank: CPU and bytes. Of each mesh the least CPU, before one is
    taken from the other: the least of differences would be of the noise in the smaller one."""
    (few_cpu, few_bytes), (cpu, most_bytes) = ((min(cpu for cpu, _ in of_mesh), max(most for _, most in of_mesh))
                                               for of_mesh in zip(*measured))
    more = NODES[1] - NODES[0]
    return (cpu - few_cpu) / RANKS[-1] / more, (most_bytes - few_bytes) / more


def measure(program, mpi, repetitions):
    runs, alone, nodes, swept = {}, {}, [], {}
    for repetition in range(repetitions):
        for intervals, partitions in CASES:
            for ranks in RANKS:
                run = measured_solve(mpi, ranks, intervals, partitions)
                best = runs.setdefault((ranks, intervals, partitions), run)
                best["cpu"] = min(best["cpu"], run["cpu"])
                best["peak"] = min(best["peak"], run["peak"])
        for intervals in sorted({intervals for intervals, _ in CASES}):
            words = [word for word in solve(intervals, 0) if word not in ("--partitions", "0")]
            alone.setdefault(intervals, []).append(usage_of((program, *words))[0])
        nodes.append(measured_nodes(mpi))
        for members, words in sweeps().items():
            for ranks in (0, *RANKS):
                command = over(mpi, ranks, *words) if ranks else (program, *words)
                swept.setdefault(f"{members} {ranks}", []).append(usage_of(command)[0])
        print(f"repetition {repetition + 1} of {repetitions}", file=sys.stderr)
    node, bytes_of_node = of_node(nodes)
    return {"runs": list(runs.values()), "node": node, "bytes_of_node": bytes_of_node,
            "alone": {str(intervals): min(all_of) for intervals, all_of in alone.items()},
            "sweeps": {name: min(all_of) for name, all_of in swept.items()}}


def table(columns, rows):
    print("| " + " | ".join(columns) + " |")
    print("|" + "---|" * len(columns))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def number(value):
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def print_measured(found, runs, costs):
    print("Measured, and beside it what the model says (calibrated with 1 and 2 ranks):\n")
    rows = []
    for run in sorted(runs, key=lambda run: (run.intervals, run.partitions, run.ranks)):
        said = costs.cpu(run.ranks, run.intervals, run.partitions)
        rows.append([f"{run.intervals:,}", f"{run.partitions:,}", str(run.ranks), f"{run.cpu:.2f}",
                     f"{said:.2f}", f"{100 * (said / run.cpu - 1):+.0f} %", str(run.messages),
                     number(run.sent / 1e3), f"{run.peak / 1e6:.0f}"])
    table(["intervals", "partitions", "ranks", "CPU of a rank, s", "model, s", "deviation",
           "messages of a rank", "kB told by all", "most memory of a rank, MB"], rows)
    checked = [costs.cpu(run.ranks, run.intervals, run.partitions) / run.cpu - 1
               for run in runs if run.ranks > CALIBRATED]
    print(f"Of more than {CALIBRATED} ranks, which the constants do not know, the model is off by "
          f"{100 * min(checked):+.0f} to {100 * max(checked):+.0f} %.\n")
    print("Measured: `daewave solve` without ranks, one thread, by another elimination\n")
    table(["intervals", "CPU, s"], [[f"{int(intervals):,}", f"{cpu:.2f}"]
                                    for intervals, cpu in found["alone"].items()])


def print_costs(costs):
    print("Constants, found from the measured:\n")
    table(["constant", "value"], [
        ["start", f"{costs.start * 1e3:.0f} ms"], ["interval", f"{costs.interval * 1e6:.2f} us"],
        ["node (measured apart)", f"{costs.node * 1e9:.0f} ns"],
        ["partition", f"{costs.partition * 1e6:.1f} us"], ["messages", str(costs.messages)],
        ["bytes told", f"{costs.bytes_per_partition:.0f} for each partition, "
         f"{costs.bytes_per_rank:.0f} for each rank"],
        ["memory of a rank", f"{costs.peak_start / 1e6:.0f} MB, {costs.peak_per_node:.1f} bytes for each node of the "
         f"whole mesh at first, {costs.peak_per_interval:.0f} bytes for "
         f"each interval of its own, {costs.peak_per_partition:.0f} for each partition of its own"]])


def both(values):
    return " / ".join(map(number, values))


def print_predicted(costs, title, intervals_of):
    print(f"Predicted: {title}; {' / '.join(network.name for network in NETWORKS)}\n")
    rows = []
    for ranks in (*RANKS, *PREDICTED):
        intervals, partitions = intervals_of(ranks), max(64, ranks)
        own = costs.interval * intervals / ranks
        told = [costs.telling(ranks, partitions, network) if ranks > 1 else 0.0
                for network in NETWORKS]
        elapsed = [costs.cpu(ranks, intervals, partitions) + one for one in told]
        rows.append([f"{ranks:,}", f"{intervals:,}", number(own), number(costs.node * intervals),
                     number(costs.interface(ranks, partitions)), both(told), both(elapsed),
                     f"{100 * own / elapsed[-1]:.0f} %", both(one - costs.node * intervals
                                                             for one in elapsed),
                     number(costs.peak(ranks, intervals, partitions) / 1e9)])
    table(["ranks", "intervals", "own intervals, s", "all nodes, s", "interface system, s",
           "telling, s", "in all, s", "of it own", "in all without all nodes, s",
           "memory of a rank, GB"], rows)


def print_limits(costs):
    print(f"All nodes take a rank as long as its own intervals do from {costs.ranks_of_nodes():.0f} "
          "ranks on, however large the mesh.\n")


def print_sweeps(found):
    print("Measured: sweeps, CPU of all ranks together\n")
    cpu = {tuple(map(int, name.split())): value for name, value in found["sweeps"].items()}
    rows = []
    for members, words in sweeps().items():
        for ranks in (0, *RANKS):
            rows.append([f"`{' '.join(words)}`", f"`daewave-mpi`, {ranks}" if ranks else "`daewave`",
                         f"{cpu[members, ranks]:.2f}", f"{1e3 * cpu[members, ranks] / members:.2f}"])
    table(["sweep", "ranks", "CPU, s", "ms for each member"], rows)
    few, many = TINY
    each = {ranks: (cpu[many, ranks] - cpu[few, ranks]) / (many - few) for ranks in (0, *RANKS)}
    handing = max(each[ranks] for ranks in RANKS if ranks > 1) - each[0]
    print(f"Handing a member on takes {1e6 * handing:.0f} us: what a member more of the {many:,} takes over "
          f"ranks, of {RANKS[1]} and {RANKS[-1]} the larger, less what it takes in one process.\n")
    print("Predicted: sweeps, seconds\n")
    rows = []
    for ranks in PREDICTED:
        rows.append([f"{ranks:,}"] + [number(SweepCosts(member, handing).elapsed(ranks, 1_000_000))
                                      for member in MEMBERS])
    table(["ranks", *(f"1e6 members of {member:g} s" for member in MEMBERS)], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0],
                                     epilog=__doc__.split("\n\n", 1)[1],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--keep", metavar="FILE")
    parser.add_argument("--from", dest="kept", metavar="FILE")
    asked = parser.parse_args()
    if (len(asked.programs) != 2) == (asked.kept is None) or asked.repetitions < 1:
        parser.error("give daewave and daewave-mpi, or --from FILE; repetitions are 1 or more")
    if asked.kept:
        found = json.loads(Path(asked.kept).read_text(encoding="utf-8"))
    else:
        found = measure(*(str(Path(one).resolve()) for one in asked.programs), asked.repetitions)
    if asked.keep:
        Path(asked.keep).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    runs = [Run(**run) for run in found["runs"]]
    costs = costs_of([run for run in runs if run.ranks <= CALIBRATED], found["node"],
                     found["bytes_of_node"])
    print_measured(found, runs, costs)
    print_costs(costs)
    print_predicted(costs, "1e8 intervals", lambda ranks: 100_000_000)
    print_predicted(costs, "100,000 intervals for each rank", lambda ranks: 100_000 * ranks)
    print_limits(costs)
    print_sweeps(found)


if __name__ == "__main__":
    main()
