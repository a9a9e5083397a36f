#!/usr/bin/env python3
"""CPU time of one build of the program over that of another, case by case.

usage: bench/two_programs.py BEFORE AFTER [--repetitions N] [--case TEXT] [--json FILE]

BEFORE and AFTER are two builds of daewave. Each repetition runs every case by both, one after the
other and first one, then the other ahead, so that a busy spell strikes both; what is compared are
the minima of user CPU time. A case that is too short to be seen beside the start of a program is
made longer by its tolerance or interval. Exit code 1 where a run fails; figures are never judged.
"""

import argparse
import json
import resource
import subprocess
import sys


def to(rtol):
    """The absolute tolerance is given, as builds choose what is open by rules of their own."""
    return ["--rtol", rtol, "--atol", "1e-9", "--every", "1000"]


CASES = {
    "pendulum, default": ["pendulum", "--t-end", "20000", *to("1e-9")],
    "two-link arm I, default": ["two-link-arm-1", "--set", "t-end=10000", *to("1e-9")],
    "two-link arm II, default": ["two-link-arm-2", "--set", "t-end=3000", *to("1e-9")],
    "seven bodies, default": ["andrews", "--t-end", "5", *to("1e-8")],
    "chain of 16, default": ["chain", "--set", "links=16", "--t-end", "500", *to("1e-8")],
    "chain of 256, default": ["chain", "--set", "links=256", "--t-end", "20", *to("1e-8")],
    "scissors, default": ["scissors", "--t-end", "2000", "--every", "1000"],
    "truck, dcbdf": ["truck", "--method", "dcbdf", "--h", "1e-5", "--every", "1000"],
    "truck, default": ["truck", "--set", "t-end=100", *to("1e-9")],
    "pendulum, radau": ["pendulum", "--t-end", "3000", "--stepper", "radau", *to("1e-8")],
    "slider-crank, srm": ["slider-crank", "--method", "srm", "--h", "1e-5", "--t-end", "4",
                          "--every", "1000"],
    "pendulum, srm": ["pendulum", "--method", "srm", "--h", "1e-5", "--t-end", "5", "--every",
                      "1000"],
    "pendulum, srm dop853": ["pendulum", "--method", "srm", "--stepper", "dop853", "--h", "1e-4",
                             "--t-end", "5", "--every", "1000"],
    "seven bodies, srm": ["andrews", "--method", "srm", "--h", "1e-7", "--t-end", "0.03",
                          "--every", "1000"],
    "lin, boundary values": ["lin", "--t-end", "1000", "--tolerance", "1e-8"],
    "swirling flow, boundary values": ["swirling-flow", "--set", "e=1e-5", "--tolerance", "1e-12"],
    "slider-crank, boundary values": ["slider-crank-bvp", "--tolerance", "1e-10"],
    "pendulum, boundary values": ["pendulum-bvp", "--tolerance", "1e-12"],
}


def seconds(program, arguments):
    """User CPU time of one run, or None where it failed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    run = subprocess.run([program, "solve", *arguments], stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    if run.returncode != 0:
        print(f"{program} solve {' '.join(arguments)}: exit code {run.returncode}\n{run.stderr}",
              file=sys.stderr)
        return None
    return after - before


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--case", default="", help="cases whose name contains this")
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    programs = {"before": arguments.before, "after": arguments.after}
    cases = {name: case for name, case in CASES.items() if arguments.case in name}
    least = {name: dict.fromkeys(programs, float("inf")) for name in cases}
    failed = set()
    for repetition in range(arguments.repetitions):
        for name, case in cases.items():
            order = list(programs) if repetition % 2 == 0 else list(programs)[::-1]
            for which in order:
                took = seconds(programs[which], case) if name not in failed else None
                if took is None:
                    failed.add(name)
                else:
                    least[name][which] = min(least[name][which], took)
    print(f"{'case':36} {'before, s':>10} {'after, s':>10} {'ratio':>7}")
    for name, one in least.items():
        if name in failed:
            print(f"{name:36} {'failed':>29}")
            continue
        ratio = one["after"] / one["before"]
        print(f"{name:36} {one['before']:10.3f} {one['after']:10.3f} {ratio:7.2f}")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({name: one for name, one in least.items() if name not in failed}, file,
                      indent=2)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
