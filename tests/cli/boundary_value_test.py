#!/usr/bin/env python3
"""Boundary value problems, linear and nonlinear.

usage: boundary_value_test.py PROGRAM
"""

import base64
import csv
import json
import math
import re
import struct
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from program import BAD_INPUT, NOT_SOLVED, SOLVED, ProgramTest, run


class BoundaryValues(ProgramTest):
    def test_the_page_draws_the_error_of_each_component_and_the_length_of_each_interval(self):
        page = self.path("lin.html")
        self.check(run("solve", "lin", "--tolerance", "1e-6", "--report", page), SOLVED)
        text = Path(page).read_text()
        arrays = json.loads(re.search(r'"arrays":(\[.*?\])', text)[1])

        def values(name):
            packed = base64.b64decode(arrays[int(re.search(f'"{name}","values":(\\d+)', text)[1])])
            return struct.unpack(f"<{len(packed) // 8}d", packed)

        errors = [error for error in values("largest of the components") if error == error]
        self.assertLess(max(errors), 1e-6)
        self.assertGreater(max(errors), 1e-14)
        lengths = values("length")
        report = json.loads(run("solve", "lin", "--tolerance", "1e-6", "--json", "-").stdout)
        self.assertEqual(len(lengths), report["intervals"])
        self.assertTrue(all(length > 0 for length in lengths))

    def test_every_listed_problem_is_solved_to_its_tolerance(self):
        for problem in json.loads(run("list", "--json").stdout)["problems"]:
            if problem["kind"] != "linear boundary value":
                continue
            report = run("solve", problem["name"], "--tolerance", "1e-7", "--json", "-")
            self.check(report, SOLVED)
            report = json.loads(report.stdout)
            self.assertEqual(report["termination"], "converged")
            self.assertLessEqual(report["error"]["x"], 1e-7)

    def test_check_tells_index_conditions_and_singular_points(self):
        result = run("check", "al1-example1")
        self.check(result, SOLVED)
        for words in ("index 2", "singular at t = 0.5", "1 coupling both ends"):
            self.assertIn(words, result.stdout)

    def test_files_hold_the_solution(self):
        result = run("solve", "al1-example1", "--tolerance", "1e-8", "--points", "101", "--csv",
                     self.path("s.csv"), "--npy", self.path("s.npy"), "--json", self.path("s.json"), "--svg",
                     self.path("s.svg"))
        self.check(result, SOLVED)
        with open(self.path("s.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            self.assertAlmostEqual(float(row["x1"]), math.exp(-float(row["t"])), delta=1e-8)
            self.assertAlmostEqual(float(row["x2"]), math.sin(float(row["t"])), delta=1e-8)
        # y is unbounded at t = 1/2: there is no number to write.
        middle = [row for row in rows if float(row["t"]) == 0.5]
        self.assertEqual([row["y1"] for row in middle], [""])
        self.assertTrue(Path(self.path("s.npy")).read_bytes().startswith(b"\x93NUMPY"))
        self.assertTrue(json.loads(Path(self.path("s.json")).read_text())["usable"])
        ElementTree.parse(self.path("s.svg"))

    def test_components_have_tolerances_of_their_own(self):
        reports = []
        for absolute in ("1e-6", "1e-6,inf", "1e-9,inf"):
            result = run("solve", "cash-mazzia-1", "--set", "e=1e-3", "--relative", "0",
                         "--absolute", absolute, "--json", "-")
            self.check(result, SOLVED)
            reports.append(json.loads(result.stdout))
        both, first, stricter = (report["intervals"] for report in reports)
        self.assertLess(first, both)
        self.assertLess(first, stricter)
        self.assertEqual(reports[1]["error"]["tolerance"], 1e-6)
        self.assertIn(("tolerances", "relative 0, absolute (1e-06, inf)", True),
                      [(one["name"], one["value"], one["by_user"])
                       for one in reports[1]["choices"]])

    def test_a_residual_has_a_tolerance_of_its_own(self):
        intervals = []
        for words in ((), ("--residual-tolerance", "1e-9")):
            result = run("solve", "elastica", "--tolerance", "1e-4", *words, "--json", "-")
            self.check(result, SOLVED)
            intervals.append(json.loads(result.stdout)["intervals"])
        self.assertLess(intervals[0], intervals[1])

    def test_an_infinite_interval_is_cut_and_told(self):
        result = run("solve", "wedge-flow", "--tolerance", "1e-8", "--csv", self.path("w.csv"),
                     "--json", self.path("w.json"), "--svg", self.path("w.svg"))
        self.check(result, SOLVED)
        self.assertRegex(result.stdout, r"intervals of \[0, \d+\], \S+ of it by truncation")
        report = json.loads(Path(self.path("w.json")).read_text())
        self.assertLessEqual(report["error"]["x"], 1e-8)
        choices = {one["name"]: one for one in report["choices"]}
        self.assertRegex(choices["truncation"]["value"], r"^\[0, \d+\]$")
        self.assertIn("of [0, inf]", choices["truncation"]["reason"])
        with open(self.path("w.csv"), newline="") as file:
            first = next(csv.DictReader(file))
        self.assertAlmostEqual(float(first["x3"]), 0.332057336215, delta=1e-8)
        ElementTree.parse(self.path("w.svg"))
        # Continued, and from another first length.
        branch = run("solve", "wedge-flow", "--continue", "m=0:1", "--tolerance", "1e-7",
                     "--truncation", "7")
        self.check(branch, SOLVED)
        self.assertIn("m = 1 reached", branch.stdout)
        # Errors against exact solutions are told of the part that was solved on.
        exact = run("solve", "lane-emden", "--set", "n=1", "--tolerance", "1e-9")
        self.check(exact, SOLVED)
        self.assertIn("error against the exact solution", exact.stdout)

    def test_a_solution_on_a_bound_is_told(self):
        result = run("solve", "catalyst-slab", "--tolerance", "1e-6", "--json", self.path("c.json"))
        self.check(result, SOLVED)
        self.assertIn("warning: x1 >= 0: the solution is on this bound", result.stdout)
        self.assertEqual(len(json.loads(Path(self.path("c.json")).read_text())["warnings"]), 1)

    def test_points_are_equidistant(self):
        self.check(run("solve", "lin", "--intervals", "100", "--points", "11", "--csv",
                       self.path("p.csv")), SOLVED)
        with open(self.path("p.csv"), newline="") as file:
            times = [float(row["t"]) for row in csv.DictReader(file)]
        self.assertEqual(times, [10.0 * i for i in range(11)])

    def test_fixed_nodes_are_nodes(self):
        fixed = [0.1234, 0.7]
        for problem, options in (("al1-example1", ()), ("al1-example1", ("--intervals", "7")),
                                 ("swirling-flow", ()), ("swirling-flow", ("--intervals", "1")),
                                 ("swirling-flow", ("--continue", "e=1:0.1"))):
            with self.subTest(problem=problem, options=options):
                result = run("solve", problem, *options, "--fixed-nodes", "0.1234,0.7", "--explain",
                             "--csv", self.path("nodes.csv"))
                self.check(result, SOLVED)
                self.assertIn("0.1234, 0.7  (given)", result.stdout)
                with open(self.path("nodes.csv"), newline="") as file:
                    times = [float(row["t"]) for row in csv.DictReader(file)]
                self.assertEqual([t for t in times if t in fixed], fixed)
        for problem, nodes, words in (("al1-example1", "0.7,0.1", "must be finite and increase"),
                                      ("swirling-flow", "2", "must be inside the interval, (0, 1)"),
                                      ("pendulum", "0.1", "is for boundary value solves")):
            refused = run("solve", problem, "--fixed-nodes", nodes)
            self.check(refused, BAD_INPUT)
            self.assertIn(words, refused.stderr)

    def test_shooting_back_repairs_the_layer(self):
        result = run("solve", "al1-example1", "--scheme", "midpoint", "--intervals", "100",
                     "--epsilon", "0.01", "--iterates", "3", "--shooting-back", "--csv",
                     self.path("r.csv"), "--json", self.path("r.json"))
        self.check(result, SOLVED)
        self.assertIn("warning: initial layer", result.stdout)
        with open(self.path("r.csv"), newline="") as file:
            first = next(csv.DictReader(file))
        self.assertAlmostEqual(float(first["By2"]), -1.0, delta=5e-3)
        self.assertEqual(set(json.loads(Path(self.path("r.json")).read_text())),
                         {"forward", "backward", "redone", "version", "problem_parameters"})

    def test_shooting_back_is_refused_where_the_way_back_is_unstable(self):
        result = run("solve", "lin", "--shooting-back", "--intervals", "1000")
        self.check(result, NOT_SOLVED)
        self.assertIn("refused", result.stdout)

    def test_a_tolerance_that_is_not_met_is_told_and_the_valid_part_is_written(self):
        result = run("solve", "lin", "--t-end", "1000", "--tolerance", "1e-14", "--csv",
                     self.path("t.csv"), "-q")
        self.check(result, NOT_SOLVED)
        self.assertIn("tolerance_not_met", result.stderr)
        self.assertTrue(Path(self.path("t.csv")).exists())

    def test_partitions_give_the_same_file_whatever_the_threads(self):
        files = []
        for threads in ("1", "2", "5"):
            path = self.path(f"threads{threads}.csv")
            result = run("solve", "lin", "--intervals", "400", "--partitions", "3", "--threads",
                         threads, "--explain", "--json", self.path("lin.json"), "--csv", path)
            self.check(result, SOLVED)
            self.assertIn("parallel_block, as partitions were given", result.stdout)
            with open(self.path("lin.json")) as file:
                self.assertEqual(json.load(file)["linear_solve"]["used"], "parallel_block")
            with open(path) as file:
                files.append(file.read())
        self.assertEqual(files[0], files[1])
        self.assertEqual(files[0], files[2])

    def test_threads_give_the_same_file_for_nonlinear_problems(self):
        files = []
        for threads in ("1", "2", "5"):
            path = self.path(f"pendulum{threads}.csv")
            self.check(run("solve", "pendulum-bvp", "--intervals", "400", "--threads", threads,
                           "--csv", path), SOLVED)
            with open(path) as file:
                files.append(file.read())
        self.assertEqual(files[0], files[1])
        self.assertEqual(files[0], files[2])

    def test_tolerances_close_to_rounding_are_met_where_layers_are_thin_and_constraints_singular(self):
        for tolerance in ("1e-11", "1e-12"):
            self.check(run("solve", "swirling-flow", "--set", "e=1e-4", "--tolerance", tolerance), SOLVED)
        self.check(run("solve", "two-link-arm-bvp", "--tolerance", "1e-12"), SOLVED)
        self.check(run("solve", "slider-crank-bvp", "--tolerance", "1e-10"), SOLVED)

    def test_nonlinear_boundary_value_problems_are_solved_by_name(self):
        result = run("solve", "swirling-flow", "--tolerance", "1e-8", "--set", "e=0.01", "--json",
                     self.path("report.json"), "--csv", self.path("flow.csv"), "--svg",
                     self.path("flow.svg"), "--points", "101", "--explain")
        self.check(result, SOLVED)
        self.assertIn("scheme", result.stdout)
        report = json.loads(Path(self.path("report.json")).read_text())
        self.assertLessEqual(report["error"]["x"], 1e-8)
        with open(self.path("flow.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 101)
        self.assertAlmostEqual(float(rows[0]["x3"]), 2.98275932689, places=6)
        ElementTree.parse(self.path("flow.svg"))
        motion = run("solve", "pendulum-bvp", "--variant", "invariant", "--tolerance", "1e-6")
        self.check(motion, SOLVED)
        self.assertIn("error against the exact solution", motion.stdout)
        self.check(run("check", "measles"), SOLVED)
        listed = json.loads(run("list", "--json").stdout)
        kinds = {problem["name"]: problem["kind"] for problem in listed["problems"]}
        self.assertEqual(kinds["index-one"], "nonlinear boundary value, index 1")
        for arguments, words in ((["--method", "srm"], "boundary value problem"),
                                 (["--shooting-back"], "--shooting-back: is of constraints"),
                                 (["--epsilon", "1e-3"], "--epsilon: is of constraints"),
                                 (["--set", "e=-1"], "e = -1")):
            refused = run("solve", "swirling-flow", *arguments)
            self.check(refused, BAD_INPUT)
            self.assertIn(words, refused.stderr)
        unmet = run("solve", "corner-layer", "--set", "e=1e-12", "--tolerance", "1e-10",
                    "--time-limit", "20")
        self.check(unmet, NOT_SOLVED)

    def test_a_solution_is_followed_over_a_parameter(self):
        result = run("solve", "swirling-flow", "--continue", "e=1:1e-4", "--tolerance", "1e-7",
                     "--branch", self.path("branch.csv"), "--csv", self.path("flow.csv"), "--svg",
                     self.path("flow.svg"), "--json", self.path("flow.json"))
        self.check(result, SOLVED)
        self.assertIn("e = 0.0001 reached in", result.stdout)
        with open(self.path("branch.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(float(rows[0]["e"]), 1)
        self.assertEqual(float(rows[-1]["e"]), 1e-4)
        self.assertEqual([row["fold"] for row in rows], ["0"] * len(rows))
        report = json.loads(Path(self.path("flow.json")).read_text())
        self.assertLessEqual(report["error"]["x"], 1e-7)
        self.assertEqual([(one["name"], one["value"]) for one in report["parameters"]],
                         [("e", 1e-4)])
        self.assertIn("Branch", Path(self.path("flow.svg")).read_text())
        ElementTree.parse(self.path("flow.svg"))
        # By arclength, where nothing turns, it comes to the same end.
        around = run("solve", "swirling-flow", "--continue", "e=0.1:0.05", "--arclength",
                     "--tolerance", "1e-5", "-v")
        self.check(around, SOLVED)
        self.assertIn("e = 0.05 reached in", around.stdout)
        self.assertIn("with e = 0.05", around.stdout)

    def test_where_newton_fails_the_advice_is_to_follow_a_parameter(self):
        result = run("solve", "two-link-arm-bvp", "--set", "to=4", "--max-intervals", "500")
        self.check(result, NOT_SOLVED)
        self.assertIn("daewave solve two-link-arm-bvp --continue to=-2.9:4", result.stdout)
        longer = run("solve", "pendulum-bvp", "--continue", "t-end=0.4:0.5")
        self.check(longer, SOLVED)
        self.assertIn("t-end = 0.5 reached", longer.stdout)

    def test_refinement_ends_at_the_intervals_that_are_allowed(self):
        for problem, tolerance in (("pendulum-bvp", "1e-12"), ("lin", "1e-12")):
            result = run("solve", problem, "--tolerance", tolerance, "--max-intervals", "7")
            self.check(result, NOT_SOLVED)
            self.assertIn("the limit of 7 intervals", result.stdout)

    def test_continuations_that_cannot_be_are_refused(self):
        for problem, arguments, words in (
                ("swirling-flow", ["--continue", "e=1"], "must be NAME=FROM:TO"),
                ("swirling-flow", ["--continue", "e=1:x"], "must be NAME=FROM:TO"),
                ("swirling-flow", ["--continue", "f=1:2"], "f"),
                ("swirling-flow", ["--continue", "e=1:1"], "begins where it ends"),
                ("swirling-flow", ["--continue", "e=1:0.5", "--tolerance", "1e-15"], "--tolerance 1e-15: "),
                ("swirling-flow", ["--continue", "e=1:0.1", "--set", "e=2"], "both given"),
                ("swirling-flow", ["--arclength"], "is of --continue"),
                ("swirling-flow", ["--branch", "b.csv"], "is of --continue"),
                ("measles", ["--continue", "e=1:2"], "has no parameters"),
                ("pendulum-bvp", ["--continue", "t-end=0.4:0.5", "--arclength"],
                 "the interval depends on t-end"),
                ("lin", ["--continue", "t-end=1:2"], "no nonlinear boundary value problem"),
                ("pendulum", ["--continue", "t-end=1:2"], "no nonlinear boundary value problem"),
                ("swirling-flo", ["--continue", "e=1:2"], "swirling-flow")):
            refused = run("solve", problem, *arguments, folder=self.folder.name)
            self.check(refused, BAD_INPUT)
            self.assertIn(words, refused.stderr)


if __name__ == "__main__":
    unittest.main()
