#!/usr/bin/env python3
"""The 35 singularly perturbed problems of Cash and Mazzia by daewave and by SciPy's solve_bvp.

usage: boundary_set.py PROGRAM FOLDER [--numbers 1,2,7] [--paths LIST] [--summary] [--seconds S]

PROGRAM: daewave_bench_boundary_set. FOLDER: for raw results, results.jsonl and references.jsonl, and
the references themselves, which are kept from run to run; outside of the tree. Each case, a number
and an e of cash_mazzia.py, is solved at tolerances from 1e-2 to 1e-10, from the straight line
between the conditions; linear numbers by the linear path too. "continued" is bvp::follow from e =
1/2 where the straight line does not lead to a solution. daewave and SciPy take turns, case by case
and tolerance by tolerance.

Errors are the largest at points as dense as the mesh of a very exact solution, relative to 1 + the
largest value of each component, against the exact solution or that of a tolerance of 1e-11, which
was found by continuation in e and of which another one, with other stages, was compared; where
those two differ by more than a tenth of the tolerance nothing is judged. Times are CPU times inside of both solvers, those of daewave and of SciPy the least of as many runs as take
0.02 s, or of one. At equal true error, those of the loosest tolerances that reach it are compared.
Intervals needed: see boundary_set.cpp.
"""

import argparse
import json
import math
import statistics
import subprocess
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.integrate import solve_bvp

from cash_mazzia import PROBLEMS, cases, value

LADDER = [f"1e-{i}" for i in range(2, 11)]
ASKED = ["1e-4", "1e-6", "1e-8"]
TIME_LIMIT = 20  # Seconds, of one solve.
REFERENCE_LIMIT = 300  # Of one that others are compared with.
MOST_NODES = 20000


def run(arguments, limit=TIME_LIMIT):
    """What the program says, or why it says nothing."""
    try:
        done = subprocess.run([str(one) for one in arguments], capture_output=True, text=True,
                              check=False, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"usable": False, "termination": "no end", "message": f"{limit} s"}
    if not done.stdout:
        return {"usable": False, "termination": "exception", "message": done.stderr.strip()}
    return json.loads(done.stdout)


class Daewave:
    """One of the paths of daewave, from the guess of the problem."""

    def __init__(self, program, path, seconds):
        self.program, self.name, self.seconds = program, f"daewave, {path}", seconds
        self.options = {"nonlinear": [], "linear": ["--linear"], "continued": ["--continued"]}[path]

    def solve(self, number, e, tolerance, reference):
        return run([self.program, "solve", number, repr(value(e)), tolerance, reference,
                    "--seconds", self.seconds, *self.options])


class SciPy:
    name = "SciPy"

    def __init__(self, seconds):
        self.seconds = seconds

    def solve(self, number, e, tolerance, reference):
        problem = PROBLEMS[number](value(e))
        mesh = np.linspace(*problem.interval, 11)
        least, spent, solution = math.inf, 0.0, None
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            while spent < self.seconds or solution is None:
                before = time.process_time()
                try:
                    solution = solve_bvp(problem.f, problem.conditions, mesh, problem.guess(mesh),
                                         fun_jac=problem.jacobian, tol=float(tolerance),
                                         max_nodes=MOST_NODES)
                except (ValueError, np.linalg.LinAlgError) as error:
                    return {"usable": False, "termination": "exception", "message": str(error),
                            "seconds": time.process_time() - before}
                took = time.process_time() - before
                least, spent = min(least, took), spent + took
                if solution.status != 0:
                    break
        said = {"usable": solution.status == 0, "termination": solution.message, "seconds": least,
                "intervals": solution.x.size - 1}
        if Path(reference).exists():
            table = np.loadtxt(reference).T
            exact = table[1:]
            size = 1 + np.abs(exact).max(axis=1)
            far = np.abs(solution.sol(table[0]) - exact).max(axis=1) / size
            said["error"] = float(far.max()) if np.isfinite(far).all() else math.inf
            said["error_y"] = float(far[0])
        return said


def references(program, folder, chosen):
    """By number and e, made where they are not there yet."""
    file = folder / "references.jsonl"
    known = {}
    if file.exists():
        for line in file.read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            known[one["number"], one["label"]] = one
    with open(file, "a", encoding="utf-8") as out:
        for number, e in chosen:
            if (number, e) in known:
                continue
            one = {"number": number, **run([program, "reference", number, repr(value(e)),
                                            reference_file(folder, number, e)],
                                           REFERENCE_LIMIT), "label": e}
            known[number, e] = one
            out.write(json.dumps(one) + "\n")
            out.flush()
    return known


def reference_file(folder, number, e):
    return folder / f"{number}_{e.replace('/', '_')}.txt"


def measure(solvers, folder, chosen, known):
    rows = []
    with open(folder / "results.jsonl", "w", encoding="utf-8") as out:
        for number, e in chosen:
            if not known[number, e]["usable"]:
                print(f"{number}, e = {e}: no reference: {known[number, e].get('message')}")
            done = set()
            for turn, tolerance in enumerate(LADDER):
                order = solvers if turn % 2 == 0 else solvers[::-1]
                for solver in order:
                    linear = known[number, e].get("exact", False) and number <= 18
                    if solver.name == "daewave, linear" and not linear:
                        continue
                    if solver.name in done and tolerance not in ASKED:
                        continue
                    row = solver.solve(number, e, tolerance, reference_file(folder, number, e))
                    row.update(solver=solver.name, number=number, label=e, tol=tolerance)
                    # Of 33 a layer is free by exp(-1 / sqrt(e)): two references differ there.
                    if known[number, e].get("difference", 0) > 0.1 * float(tolerance):
                        row.pop("error", None)
                    if not row["usable"] or row.get("error", math.inf) <= 1e-8:
                        done.add(solver.name)
                    rows.append(row)
                    out.write(json.dumps(row) + "\n")
                    out.flush()
    return rows


def summary_of_outcomes(rows, names):
    print(f"\n{'':20} {'tolerance':>9} {'cases':>6} {'solved':>7} {'error <= tol':>13} "
          f"{'<= 10 tol':>10} {'worse':>6} {'median error / tol':>19}")
    for name in names:
        for tolerance in ASKED:
            asked = [row for row in rows if row["solver"] == name and row["tol"] == tolerance]
            solved = [row for row in asked if row["usable"]]
            ratios = [row["error"] / float(tolerance) for row in solved if "error" in row]
            if not ratios:
                continue
            met, near = sum(r <= 1 for r in ratios), sum(1 < r <= 10 for r in ratios)
            print(f"{name:20} {tolerance:>9} {len(asked):6} {len(solved):7} {met:13} {near:10} "
                  f"{len(ratios) - met - near:6} {statistics.median(ratios):19.2g}")


def needed(known, row):
    by_stages = known[row["number"], row["label"]].get("needed", {})
    return by_stages.get(f"{float(row['tol']):.0e}", {}).get(str(row.get("stages")), 0)


def summary_of_intervals(rows, known, names):
    print(f"\n{'intervals / needed':20} {'tolerance':>9} {'cases':>6} {'quartile':>9} {'median':>7} "
          f"{'quartile':>9} {'<= 2':>6} {'worst':>8}")
    for name in names:
        for tolerance in ASKED:
            found = sorted(row["intervals"] / needed(known, row) for row in rows
                           if row["solver"] == name and row["tol"] == tolerance and row["usable"]
                           and needed(known, row) > 0)
            if len(found) < 2:
                continue
            quartiles = statistics.quantiles(found, n=4)
            print(f"{name:20} {tolerance:>9} {len(found):6} {quartiles[0]:9.1f} "
                  f"{quartiles[1]:7.1f} {quartiles[2]:9.1f} {sum(r <= 2 for r in found):6} "
                  f"{found[-1]:8.0f}")


def cheapest(rows, goal):
    """Seconds of the loosest tolerance that reaches an error, by solver and case."""
    found = {}
    for row in rows:  # Tolerances go down.
        key = row["solver"], row["number"], row["label"]
        if row["usable"] and row.get("error", math.inf) <= goal and key not in found:
            found[key] = row["seconds"]
    return found


def summary_of_times(rows, names):
    print(f"\n{'SciPy / ':20} {'at error':>9} {'cases':>6} {'least':>7} {'quartile':>9} {'median':>7} "
          f"{'quartile':>9} {'>= 30':>6} {'SciPy alone':>12} {'alone':>6}")
    for name in names:
        for goal in (1e-4, 1e-6, 1e-8):
            found = cheapest(rows, goal)
            keys = {(row["number"], row["label"]) for row in rows if row["solver"] == name}
            ours = {key for key in keys if (name, *key) in found}
            theirs = {key for key in keys if ("SciPy", *key) in found}
            ratios = sorted(found["SciPy", *key] / found[name, *key] for key in ours & theirs)
            if len(ratios) < 2:
                continue
            quartiles = statistics.quantiles(ratios, n=4)
            print(f"{name:20} {goal:9.0e} {len(ratios):6} {ratios[0]:7.1f} {quartiles[0]:9.1f} "
                  f"{quartiles[1]:7.1f} {quartiles[2]:9.1f} {sum(r >= 30 for r in ratios):6} "
                  f"{len(theirs - ours):12} {len(ours - theirs):6}")


def list_what_is_wrong(rows, names):
    for name in names:
        if name == "SciPy":
            continue
        print(f"\n{name}: not solved, or claimed with an error above the tolerance")
        for row in rows:
            if row["solver"] != name or row["tol"] not in ASKED:
                continue
            place = f"  {row['number']:2} e = {row['label']:6} at {row['tol']}: "
            if not row["usable"]:
                print(f"{place}{row['termination']}: {row['message'][:110]}")
            elif row.get("error", 0) > float(row["tol"]):
                print(f"{place}error {row['error']:.1e} at t = {row['error_at']:.6g}, estimate "
                      f"{row['estimate']:.1e}, {row['intervals']} intervals")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--numbers", default="", help="of the collection, with commas between")
    parser.add_argument("--paths", default="nonlinear,linear,SciPy",
                        help="of them and continued, with commas between")
    parser.add_argument("--summary", action="store_true", help="of the raw results that are there")
    parser.add_argument("--seconds", type=float, default=0.02, help="a solve is repeated for")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    numbers = [int(one) for one in arguments.numbers.split(",") if one] or range(1, 36)
    chosen = [case for case in cases() if case[0] in numbers]
    known = references(arguments.program, arguments.folder, chosen)
    solvers = [SciPy(arguments.seconds) if path == "SciPy" else
               Daewave(arguments.program, path, arguments.seconds)
               for path in arguments.paths.split(",")]
    if arguments.summary:
        lines = (arguments.folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [row for row in map(json.loads, lines) if (row["number"], row["label"]) in chosen]
    else:
        rows = measure(solvers, arguments.folder, chosen, known)
    names = [solver.name for solver in solvers]
    summary_of_outcomes(rows, names)
    summary_of_intervals(rows, known, names)
    if SciPy.name in names:
        summary_of_times(rows, [name for name in names if name != SciPy.name])
    list_what_is_wrong(rows, names)


if __name__ == "__main__":
    main()
