#!/usr/bin/env python3
"""Flows, by sequential regularization of large sparse problems.

usage: flow_test.py PROGRAM
"""

import csv
import json
import math
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from program import BAD_INPUT, NOT_SOLVED, SOLVED, ProgramTest, run


class Flows(ProgramTest):
    def report(self, *arguments):
        result = run("solve", *arguments, "--json", self.path("flow.json"))
        self.check(result, SOLVED)
        return json.loads(Path(self.path("flow.json")).read_text()), result.stdout

    def test_the_cavity_at_re_100_is_within_2_percent_of_the_literature(self):
        report, text = self.report("lid-driven-cavity", "--set", "re=100", "--set", "cells=64",
                                   "--iterates", "1", "--svg", self.path("flow.svg"))
        flow = report["flow"]
        self.assertIn("steady at t", text)
        self.assertLess(flow["ghia_1982"]["u"], 0.02)
        self.assertLess(flow["ghia_1982"]["v"], 0.02)
        for name, value in flow["botella_peyret_1998"].items():
            self.assertAlmostEqual(flow["extremes"][name] / value, 1, delta=0.01)
        self.assertEqual(report["linear_solve"]["factorizations"], 2)
        picture = ElementTree.parse(self.path("flow.svg")).getroot()
        words = " ".join(picture.itertext())
        for title in ("stream lines", "vorticity", "Ghia 1982", "divergence by iterate"):
            self.assertIn(title, words)

    def test_vortices_are_of_order_2_and_their_divergence_of_order_epsilon_to_the_iterates(self):
        errors = []
        for cells in (16, 32, 64):
            report, _ = self.report("taylor-green", "--set", f"cells={cells}")
            errors.append(report["flow"]["error"])
        for of in ("velocity", "pressure"):
            order = math.log2(errors[1][of] / errors[2][of])
            self.assertGreater(order, 1.8, of)
        drifts = [self.report("taylor-green", "--epsilon", epsilon, "--iterates", "2")[0]["history"]
                  for epsilon in ("1e-2", "1e-3")]
        for s in (0, 1):
            order = math.log10(drifts[0][s]["drift"] / drifts[1][s]["drift"])
            self.assertAlmostEqual(order, s + 1, delta=0.15)

    def test_regularization_is_as_accurate_as_the_projection_method(self):
        arguments = ("taylor-green", "--set", "cells=32")
        srm = self.report(*arguments, "--iterates", "1")[0]["flow"]
        projected = self.report(*arguments, "--method", "projection")[0]["flow"]
        self.assertLess(srm["error"]["velocity"], projected["error"]["velocity"])
        # Work of a step: that of the entries of factors, as each is gone through twice.
        self.assertLess(srm["factor_entries"], 2 * projected["factor_entries"])

    def test_the_table_has_a_row_for_each_cell(self):
        self.report("taylor-green", "--set", "cells=8", "--csv", self.path("flow.csv"))
        with open(self.path("flow.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 64)
        self.assertEqual(list(rows[0]), ["x", "y", "u", "v", "p", "vorticity", "psi"])
        self.assertAlmostEqual(sum(float(row["p"]) for row in rows), 0, delta=1e-12)

    def test_implicit_convection_takes_long_steps_to_the_same_flow(self):
        arguments = ("lid-driven-cavity", "--set", "cells=16")
        one = self.report(*arguments)[0]["flow"]["extremes"]
        other, _ = self.report(*arguments, "--convection", "implicit", "--h", "1", "--explain")
        self.assertLess(other["integration"]["steps"], 100)
        for name, value in one.items():
            self.assertAlmostEqual(other["flow"]["extremes"][name], value, delta=1e-4)

    def test_errors_in_time_are_told_where_asked(self):
        report, text = self.report("taylor-green", "--set", "cells=16", "--estimate-error")
        self.assertIn("error in time", text)
        self.assertLess(report["error"]["x"], 1e-3)
        self.assertGreater(report["error"]["x"], 1e-7)

    def test_steps_that_are_too_long_are_told_with_a_way_out(self):
        result = run("solve", "lid-driven-cavity", "--set", "cells=16", "--set", "re=2000",
                     "--h", "0.5")
        self.check(result, NOT_SOLVED)
        self.assertIn("implicit convection", result.stdout)

    def test_a_run_that_is_not_steady_at_its_end_says_so(self):
        result = run("solve", "lid-driven-cavity", "--set", "cells=8", "--t-end", "1")
        self.check(result, NOT_SOLVED)
        self.assertIn("not steady", result.stdout)
        self.assertEqual(result.stderr, "")
        self.check(run("solve", "lid-driven-cavity", "--set", "cells=8", "--t-end", "1",
                       "--steady", "0"), SOLVED)

    def test_where_nothing_is_to_be_said_a_failure_is_said_all_the_same(self):
        short = ("solve", "lid-driven-cavity", "--set", "cells=8", "--t-end", "1")
        for words in ("--quiet",), ("--json", "-"), ("--csv", "-"):
            result = run(*short, *words)
            self.check(result, NOT_SOLVED)
            self.assertTrue(result.stderr.startswith("daewave: tolerance_not_met: "), result.stderr)
            self.assertIn("not steady", result.stderr)
            self.assertNotIn("\ntolerance_not_met", "\n" + result.stdout)
        result = run(*short, "--steady", "0", "--quiet")
        self.check(result, SOLVED)
        self.assertEqual(result.stdout + result.stderr, "")

    def test_what_begins_to_move_slowly_is_not_steady(self):
        for method in "srm", "projection", "chorin":
            result = run("solve", "lid-driven-cavity", "--set", "cells=8", "--set", "re=1e9",
                         "--t-end", "1", "--method", method)
            self.check(result, NOT_SOLVED)
            self.assertIn("has only begun to move", result.stdout)

    def test_what_was_not_given_is_told_as_chosen(self):
        said = run("solve", "taylor-green", "--set", "cells=8", "--iterates", "3", "--explain").stdout
        self.assertRegex(said, r"iterates += 3 +\(given\)")
        self.assertRegex(said, r"epsilon += 0.001 +\(default\)")
        self.assertNotRegex(said, r"h +=[^(]*\(given\)")

    def test_what_flows_have_no_use_for_is_refused(self):
        for words, said in ((("--stages", "3"), "--stages"), (("--rtol", "1e-6"), "--rtol"),
                            (("--method", "bdf"), "--method bdf"), (("--report", self.path("a.html")), "--report"),
                            (("--convection", "none"), "extrapolated or implicit"),
                            (("--method", "projection", "--epsilon", "1"), "--epsilon"),
                            (("--epsilon", "0"), "--epsilon 0"), (("--set", "cells=2"), "cells = 2"),
                            (("--set", "cells=1e9"), "cells = 1e+09"),
                            (("--continue", "re=1:2"), "--continue")):
            result = run("solve", "lid-driven-cavity", *words)
            self.check(result, BAD_INPUT)
            self.assertIn(said, result.stderr)
        for words in (("--steady", "1"), ("--convection", "implicit")):
            self.check(run("solve", "pendulum", *words), BAD_INPUT)
        result = run("sweep", "lid-driven-cavity", "--vary", "re=1,2")
        self.check(result, BAD_INPUT)
        self.assertIn("is a flow", result.stderr)

    def test_each_option_that_a_flow_has_no_use_for_is_refused_by_name(self):
        for words in ("--scheme gauss", "--intervals 5", "--stages 3", "--tolerance 1e-6",
                      "--rtol 1e-6", "--atol 1e-6", "--weight inverse", "--fixed-nodes 0.5",
                      "--relative 1e-6", "--absolute 1e-6", "--max-intervals 9", "--samples 9",
                      "--residual-tolerance 1e-3", "--partitions 2", "--threads 2", "--solver eigen", "--singular srm",
                      "--shooting-back", "--control-multiplier", "--truncation 2",
                      "--continue re=1:2", "--arclength", "--branch b.csv", "--report a.html",
                      "--points 5", "--stepper heun", "--variant standard", "--loops sweeps",
                      "--simd auto", "--order 2", "--metric mass", "--onto both",
                      "--form index-2", "--blocking 1", "--local-parameters tangent",
                      "--stage-iteration newton", "--alpha0 1", "--alpha3 1", "--gamma 1",
                      "--factor 1", "--c 1", "--exact-start 1", "--window 5", "--every 2",
                      "--repair", "--keep-energy", "--projected-estimate", "--sensitivities",
                      "--restart-times 0.5", "--accuracy 1e-3", "--checkpoint c.json",
                      "--resume c.json", "--checkpoint-seconds 5"):
            with self.subTest(words=words):
                result = run("solve", "lid-driven-cavity", "--t-end", "0.01", *words.split())
                self.check(result, BAD_INPUT)
                self.assertRegex(result.stderr, f"{words.split()[0]}(, .*)?: is not for flows")
        for words in ("--epsilon 0.1", "--iterates 2", "--alpha1 1", "--alpha2 1",
                      "--estimate-error"):
            with self.subTest(words=words):
                result = run("solve", "lid-driven-cavity", "--t-end", "0.01", "--method",
                             "projection", *words.split())
                self.check(result, BAD_INPUT)
                self.assertRegex(result.stderr,
                                 f"{words.split()[0]}(, .*)?: is of --method srm")

    def test_flows_are_listed_shown_and_checked(self):
        self.assertIn("lid-driven-cavity", run("list", "flow").stdout)
        shown = run("show", "taylor-green")
        self.check(shown, SOLVED)
        self.assertIn("div u = 0", shown.stdout)
        checked = run("check", "taylor-green")
        self.check(checked, SOLVED)
        self.assertIn("ten steps", checked.stdout)


if __name__ == "__main__":
    unittest.main()
