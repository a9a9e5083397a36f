#!/usr/bin/env python3
"""Boundary value problems in model files.

usage: model_boundary_test.py PROGRAM
"""

import math
import unittest
from pathlib import Path

from models import MODELS, ModelTest
from program import BAD_INPUT, NOT_SOLVED, SOLVED, run


class ModelBoundaryValues(ModelTest):
    def test_boundary_values_are_those_of_another_way(self):
        # A string of even density, whose eigenvalue is pi^2.
        solved = run("solve", str(MODELS / "eigenvalue.toml"), "--set", "a=0", "--csv", "-", "-q")
        self.check(solved, SOLVED)
        self.assertEqual(solved.stdout.splitlines()[0], "t,u,s,k")
        self.assertAlmostEqual(float(solved.stdout.splitlines()[-1].split(",")[3]),
                               9.869604401089358, delta=1e-8)
        # The pendulum as an ordinary equation of its angle.
        angle = self.write("""[dae]
order = 2
boundary = ["a(0) - 0.8", "a(0.5) + 0.8"]
[dae.differential]
a = "-9.81*sin(a)"
[dae.guess]
a = "0.8 - 3.2*t"
"a'" = -3.2
[solve]
t = [0, 0.5]
tolerance = 1e-10
""")
        rows = [run("solve", path, "--tolerance", "1e-10", "--points", "6", "--csv", "-", "-q")
                for path in (angle, str(MODELS / "steered-pendulum.toml"))]
        for result in rows:
            self.check(result, SOLVED)
        for one, other in zip(rows[0].stdout.splitlines()[1:], rows[1].stdout.splitlines()[1:]):
            a, x, y = float(one.split(",")[1]), *map(float, other.split(",")[1:3])
            self.assertAlmostEqual(x, math.sin(a), delta=1e-8)
            self.assertAlmostEqual(y, -math.cos(a), delta=1e-8)

    def test_equations_are_evaluated_within_bounds_of_the_file(self):
        text = (MODELS.parents[1] / "tests/models/files/bounded.toml").read_text(encoding="utf-8")
        solved = run("solve", self.write(text), "--tolerance", "1e-8", "--csv", "-", "-q")
        self.check(solved, SOLVED)
        for row in solved.stdout.splitlines()[1:]:
            t, y, _ = map(float, row.split(","))
            self.assertAlmostEqual(y, math.exp(t * t), delta=1e-7)
        free = self.write(text.replace('[dae.lower]\ny = "least"\n', ""))
        failed = run("solve", free, "--tolerance", "1e-8")
        self.check(failed, NOT_SOLVED)
        self.assertIn("bounds of x", failed.stdout)

    def test_unknown_parameters_are_found_beside_constraints_on_positions(self):
        # A swing from rest at 0.6 rad takes a quarter of its period to the lowest point.
        sine = math.sin(0.3)
        mean, other = 1.0, math.sqrt(1 - sine**2)
        while abs(mean - other) > 1e-15:
            mean, other = (mean + other) / 2, math.sqrt(mean * other)
        gravity = (math.pi / (2 * mean) / 0.5)**2
        swing = self.write("""[dae]
order = 2
boundary = ["x(0) - sin(0.6)", "x'(0)", "x(0.5)"]
[dae.differential]
x = "-2*x*l"
y = "-g - 2*y*l"
[dae.algebraic]
l = "x^2 + y^2 - 1"
[dae.unknown]
g = 8
[dae.guess]
x = "0.56 - 1.1*t"
y = -0.9
[solve]
t = [0, 0.8]
tolerance = 1e-9
""")
        result = run("solve", swing, "--csv", "-", "-q")
        self.check(result, SOLVED)
        names, *rows = [line.split(",") for line in result.stdout.splitlines()]
        self.assertEqual(names, ["t", "x", "y", "g", "x'", "y'", "g'", "lambda1"])
        for row in rows:
            self.assertAlmostEqual(float(row[3]), gravity, delta=1e-7)
        self.check(run("check", swing), SOLVED)

    def test_a_singular_constraint_has_its_exact_solution(self):
        solved = run("solve", str(MODELS / "al1-example1.toml"))
        self.check(solved, SOLVED)
        error = float(solved.stdout.split("component: ")[1].split()[0])
        self.assertLess(error, 1e-6)
        solved = run("solve", str(MODELS / "ap91.toml"))
        self.check(solved, SOLVED)
        self.assertLess(float(solved.stdout.split("against the reference: ")[1].split()[0]), 1e-6)

    def test_a_boundary_value_problem_is_continued_checked_and_shown(self):
        path = str(MODELS / "layer.toml")
        self.check(run("solve", path, "--continue", "n=8:12"), SOLVED)
        self.check(run("check", path), SOLVED)
        self.check(run("solve", path, "--svg", self.path("layer.svg"), "-q"), SOLVED)
        self.assertIn(">s<", Path(self.path("layer.svg")).read_text(encoding="utf-8"))
        shown = run("show", path)
        self.assertIn("2 conditions", shown.stdout)
        self.assertIn("index         0", shown.stdout)
        # Its interval is that of its conditions.
        ended = run("solve", path, "--t-end", "2")
        self.check(ended, BAD_INPUT)
        failed = run("solve", self.write("""[dae]
boundary = ["log(x(0) - 1)"]
[dae.differential]
x = "-x"
[solve]
t = [0, 1]
"""))
        self.check(failed, NOT_SOLVED)
        self.assertNotIn("t-end", failed.stdout)


if __name__ == "__main__":
    unittest.main()
