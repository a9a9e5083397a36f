#!/usr/bin/env python3
"""Solves boundary value problems with daewave and with scipy.integrate.solve_bvp, in turns, and
prints CPU time and achieved error of both.

usage: boundary_values.py DAEWAVE [--repetitions R]      DAEWAVE: the program

Both start from the same guess on the same uniform mesh; tolerances go down by tens, and the times
compared are those of the loosest ones that reach the error. Time is that inside of the solver: what
daewave reports, and the CPU time of the call. The right-hand sides of SciPy are vectorized over the
mesh, as its documentation asks for; they are Python, those of daewave C++. Errors are the largest over
401 points, relative to 1 + the largest value of each component, against daewave at tolerance 1e-12
or, where there is one, the exact solution.
"""

import argparse
import csv
import json
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.integrate import solve_bvp
from scipy.special import erf

POINTS = 401


class Problem:
    """name and e as daewave takes them; f(t, x), conditions, guess, exact or None."""

    def __init__(self, name, e, interval, f, conditions, guess, exact=None):
        self.name, self.e, self.interval = name, e, interval
        self.f, self.conditions, self.guess, self.exact = f, conditions, guess, exact

    def times(self):
        return np.linspace(*self.interval, POINTS)

    def title(self):
        return self.name if self.e is None else f"{self.name}, e = {self.e:g}"


def swirling_flow(e):
    return Problem(
        "swirling-flow", e, (0, 1),
        lambda t, x: np.vstack((x[1], x[2], x[3], -(x[0] * x[3] + x[4] * x[5]) / e, x[5],
                                -(x[0] * x[5] - x[1] * x[4]) / e)),
        lambda a, b: np.array([a[0], a[1], b[0], b[1], a[4] + 1, b[4] - 1]),
        lambda t: np.vstack((0 * t, 0 * t, 0 * t, 0 * t, 2 * t - 1, 2 + 0 * t)))


def corner_layer(e):
    def exact(t):
        root, bell = math.sqrt(2 * e), math.sqrt(2 * e / math.pi)
        scale = 1 / (erf(1 / root) + bell * math.exp(-1 / (2 * e)))
        corner = erf(t / root)
        return np.vstack((np.cos(np.pi * t) + t
                          + scale * (t * corner + bell * np.exp(-t * t / (2 * e))),
                          -np.pi * np.sin(np.pi * t) + 1 + scale * corner))
    return Problem(
        "corner-layer", e, (-1, 1),
        lambda t, x: np.vstack((x[1], (-(1 + e * np.pi**2) * np.cos(np.pi * t)
                                       - np.pi * t * np.sin(np.pi * t) - t * x[1] + x[0]) / e)),
        lambda a, b: np.array([a[0] + 1, b[0] - 1]),
        lambda t: np.vstack((t, 1 + 0 * t)), exact)


def loaded_beam(e):
    def f(_, s):
        tension = 1 / np.cos(s[1]) + e * s[3] * np.tan(s[1])
        return np.vstack((np.sin(s[1]), s[2], -s[3] / e,
                          ((s[0] - 1) * np.cos(s[1]) - s[2] * tension) / e))
    return Problem("loaded-beam", e, (0, 1), f,
                   lambda a, b: np.array([a[0], a[2], b[0], b[2]]),
                   lambda t: np.zeros((4, t.size)))


def elastica():
    return Problem(
        "elastica", None, (0, 0.5),
        lambda t, s: np.vstack((np.cos(s[2]), np.sin(s[2]), s[3], s[4] * np.cos(s[2]), 0 * t)),
        lambda a, b: np.array([a[0], a[1], a[3], b[1], b[2] + np.pi / 2]),
        lambda t: np.vstack((t, 0.2 * t, 1 - 4 * t, -4 + 0 * t, -20 + 0 * t)))


def measles():
    def f(t, y):
        infected = 1575 * (1 + np.cos(2 * np.pi * t)) * y[0] * y[2]
        return np.vstack((0.02 - infected, infected - y[1] / 0.0279, y[1] / 0.0279 - y[2] / 0.01))
    return Problem("measles", None, (0, 1), f, lambda a, b: a - b,
                   lambda t: np.vstack((0.1 + 0 * t, 1e-3 + 0 * t, 1e-3 + 0 * t)))


class Daewave:
    def __init__(self, program):
        self.program = program

    def solve(self, problem, tolerance):
        """Seconds, intervals and values at the times of the problem; None where it fails."""
        with tempfile.TemporaryDirectory() as folder:
            report, rows = Path(folder, "report.json"), Path(folder, "rows.csv")
            arguments = [self.program, "solve", problem.name, "--tolerance", repr(tolerance),
                         "--points", str(POINTS), "--json", report, "--csv", rows, "--quiet"]
            if problem.e is not None:
                arguments += ["--set", f"e={problem.e!r}"]
            finished = subprocess.run(arguments, capture_output=True, text=True, check=False)
            if finished.returncode != 0:
                return None
            with open(rows, newline="", encoding="utf-8") as file:
                table = list(csv.DictReader(file))
            said = json.loads(report.read_text(encoding="utf-8"))
        names = [name for name in table[0] if name.startswith("x")]
        values = np.array([[float(row[name]) for row in table] for name in names])
        return said["seconds"]["total"], said["intervals"], values


def scipy_solve(problem, tolerance):
    mesh = np.linspace(*problem.interval, 11)
    before = time.process_time()
    solution = solve_bvp(problem.f, problem.conditions, mesh, problem.guess(mesh), tol=tolerance,
                         max_nodes=100000)
    took = time.process_time() - before
    if solution.status != 0:
        return None
    return took, solution.x.size - 1, solution.sol(problem.times())


def error(values, exact):
    size = 1 + np.abs(exact).max(axis=1)
    return float((np.abs(values - exact) / size[:, None]).max())


def first_that_reaches(solve, problem, exact, goal):
    """The loosest tolerance that reaches the goal, and its error and intervals."""
    for tolerance in (10.0**-i for i in range(2, 12)):
        result = solve(problem, tolerance)
        if result is not None and error(result[2], exact) <= goal:
            return tolerance, error(result[2], exact), result[1]
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--repetitions", type=int, default=5)
    arguments = parser.parse_args()
    daewave = Daewave(arguments.program)
    problems = [swirling_flow(1e-2), swirling_flow(1e-4), corner_layer(1e-2), corner_layer(1e-4),
                loaded_beam(0.1), loaded_beam(0.01), elastica(), measles()]
    print(f"{'problem':24} {'error':>6} {'daewave ms':>11} {'intervals':>9} "
          f"{'SciPy ms':>9} {'intervals':>9} {'ratio':>7}")
    for problem in problems:
        if problem.exact is not None:
            exact = problem.exact(problem.times())
        else:
            reference = daewave.solve(problem, 1e-12) or daewave.solve(problem, 1e-11)
            if reference is None:
                sys.exit(f"{problem.title()}: no reference")
            exact = reference[2]
        for goal in (1e-4, 1e-6, 1e-8):
            solvers = (daewave.solve, scipy_solve)
            found = [first_that_reaches(solve, problem, exact, goal) for solve in solvers]
            best = [math.inf, math.inf]
            for _ in range(arguments.repetitions):
                for i, solve in enumerate(solvers):
                    if found[i] is not None:
                        best[i] = min(best[i], solve(problem, found[i][0])[0])
            cells = [f"{1e3 * best[i]:{width}.2f} {found[i][2]:9}" if found[i] else
                     f"{'fails':>{width}} {'':9}" for i, width in ((0, 11), (1, 9))]
            ratio = f"{best[1] / best[0]:7.0f}" if all(found) else ""
            print(f"{problem.title():24} {goal:6.0e} {cells[0]} {cells[1]} {ratio}", flush=True)


if __name__ == "__main__":
    main()
