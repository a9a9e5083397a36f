#!/usr/bin/env python3
"""Initial value problems by every method.

usage: initial_value_test.py PROGRAM
"""

import csv
import json
import unittest
import xml.etree.ElementTree as ElementTree

from program import BAD_INPUT, NOT_SOLVED, SOLVED, ProgramTest, run


class InitialValues(ProgramTest):
    def test_multistep_formula_with_projection(self):
        done = run("solve", "eich-pendulum", "--method", "bdf-projection", "--order", "5",
                   "--t-end", "2", "--rtol", "1e-9", "--atol", "1e-9", "--metric", "weighted",
                   "--keep-energy", "--form", "index-1", "--explain", "--json", "-")
        self.check(done, SOLVED)
        report = json.loads(done.stdout)
        self.assertLess(report["integration"]["drift_position"], 1e-12)
        for options, text in ((["--method", "bdf-projection", "--order", "7"],
                               "--order 7: must be between 1 and 6"),
                              (["--method", "bdf-projection", "--onto", "foo"], "known: both"),
                              (["--method", "bdf-projection", "--form", "foo"],
                               "known: eliminated, index-1"),
                              (["--order", "3"], "--order 3: is of --method bdf-projection"),
                              (["--onto", "position"], "--onto position: is of --method projection")):
            refused = run("solve", "eich-pendulum", *options)
            self.check(refused, BAD_INPUT)
            self.assertIn(text, refused.stderr)

    def test_the_error_of_a_run_is_estimated(self):
        done = run("solve", "pendulum", "--rtol", "1e-8", "--estimate-error", "--points", "30",
                   "--json", self.path("report.json"), "--svg", self.path("motion.svg"))
        self.check(done, SOLVED)
        self.assertIn("error estimate: ", done.stdout)
        with open(self.path("report.json")) as file:
            report = json.load(file)
        self.assertTrue(report["error"]["available"])
        over_t = report["error_over_t"]
        self.assertEqual(len(over_t), 30)
        self.assertEqual(over_t[0], [0, 0])
        true = float(done.stdout.split("at the end, ")[1].split()[0])
        self.assertLess(max(error for _, error in over_t), 3 * true)
        self.assertGreater(max(error for _, error in over_t), true / 3)
        with open(self.path("motion.svg")) as file:
            self.assertIn("Estimated error", file.read())
        done = run("solve", "pendulum", "--accuracy", "1e-10", "--verbose")
        self.check(done, NOT_SOLVED)
        self.assertIn("more than the accuracy of 1.00e-10", done.stdout)
        done = run("solve", "pendulum", "--verbose")
        self.check(done, SOLVED)
        self.assertIn("bounds the error of each step", done.stdout)
        refused = run("solve", "pendulum", "--accuracy", "-1")
        self.check(refused, BAD_INPUT)
        self.assertIn("accuracy", refused.stderr)
        refused = run("solve", "al1-example1", "--estimate-error")
        self.check(refused, BAD_INPUT)

    def test_the_formula_starts_anew_at_restart_times(self):
        def solved(*options):
            done = run("solve", "pendulum", "--t-end", "2", "--rtol", "1e-10", *options, "--every",
                       "0", "--csv", self.path("m.csv"), "--json", self.path("report.json"))
            self.check(done, SOLVED)
            with open(self.path("m.csv"), newline="") as file:
                rows = [[float(value) for value in row.values()] for row in csv.DictReader(file)]
            with open(self.path("report.json")) as file:
                return rows, json.load(file)["integration"]["restarts"]

        smooth, restarts = solved()
        self.assertEqual(([row[0] for row in smooth], restarts), ([0, 2], 0))
        for options in ((), ("--method", "bdf-projection"), ("--method", "dcbdf"),
                        ("--method", "srm", "--h", "1e-3", "--stepper", "rk4", "--iterates", "4")):
            with self.subTest(options=options):
                rows, restarts = solved("--restart-times", "0.3,1.7", *options)
                # Given out besides the ends, once; the motion is the same.
                self.assertEqual(([row[0] for row in rows], restarts), ([0, 0.3, 1.7, 2], 2))
                for a, b in zip(rows[-1][:5], smooth[-1][:5]):
                    self.assertAlmostEqual(a, b, delta=1e-4)
        srm = ("pendulum", "--method", "srm", "--h", "1e-3")
        for arguments, words in (
                (("pendulum", "--restart-times", "0.7,0.3"), "--restart-times[1] = 0.3: must be >"),
                (("pendulum", "--restart-times", "0.3,0.3"), "--restart-times[1] = 0.3: must be >"),
                (("pendulum", "--restart-times", "3"), "--restart-times[0] = 3: must be in [0, 2]"),
                (("pendulum", "--restart-times", "-1,1"), "--restart-times[0] = -1: must be in"),
                (("pendulum", "--restart-times", "nan"), "--restart-times[0] = nan: must be finite"),
                (("pendulum", "--restart-times", "1,x"), "--restart-times"),
                ((*srm, "--loops", "sweeps", "--restart-times", "1"), "take --loops step-local"),
                ((*srm, "--checkpoint", self.path("c"), "--restart-times", "1"), "not with --restart-times"),
                (("al1-example1", "--restart-times", "0.5"), "--restart-times: is for initial value"),
                (("pendulum-bvp", "--restart-times", "0.5"), "--restart-times: is for initial value")):
            ends = ("--t-end", "2") if "pendulum" in arguments else ()
            refused = run("solve", *arguments, *ends)
            with self.subTest(arguments=arguments):
                self.check(refused, BAD_INPUT)
                self.assertIn(words, refused.stderr)
        swept = run("sweep", "pendulum", "--vary", "gravity=1:2:2", "--t-end", "1",
                    "--restart-times", "0.5")
        self.check(swept, SOLVED)
        self.assertIn("--restart-times", run("man").stdout.replace("\\-", "-"))
        self.assertIn("--restart-times", run("completion", "bash").stdout)

    def test_sensitivities_are_a_table_and_json(self):
        done = run("solve", "pendulum", "--t-end", "3", "--rtol", "1e-10", "--sensitivities",
                   "--json", self.path("report.json"), "--csv", self.path("motion.csv"))
        self.check(done, SOLVED)
        self.assertIn("sensitivities of the end, t = 3, error ", done.stdout)
        self.assertIn("equations of first order, by s-both2 with dop853", done.stdout)
        with open(self.path("report.json")) as file:
            report = json.load(file)
        self.assertEqual(report["problem"], "pendulum")
        moved = report["sensitivities"]
        self.assertEqual(moved["of"], ["q1", "q2", "v1", "v2"])
        self.assertEqual(list(moved["by"]), ["q1(0)", "q2(0)", "v1(0)", "v2(0)", "gravity"])
        self.assertLess(moved["error"], 1e-6)
        # Positions are functions of sqrt(g) t, and do not move with the length off the rod.
        with open(self.path("motion.csv")) as file:
            end = [float(value) for value in file.read().split("\n")[-2].split(",")]
        part = 3 / (2 * 9.81)
        for i in (0, 1):
            self.assertAlmostEqual(moved["by"]["gravity"][i], part * end[3 + i], delta=1e-6)
            self.assertAlmostEqual(moved["by"]["q1(0)"][i], 0, delta=1e-6)
        # Counts are no parameters that anything moves smoothly with; a linear problem has its start.
        done = run("solve", "chain", "--set", "links=2", "--t-end", "0.2", "--sensitivities")
        self.check(done, SOLVED)
        self.assertNotIn("links", done.stdout.split("sensitivities of")[1])
        self.check(run("solve", "slider-crank", "--t-end", "1", "--sensitivities", "-q"), SOLVED)
        for arguments, text in ((("solve", "al1-example1"), "--sensitivities: is for initial value"),
                                (("solve", "pendulum-bvp"), "--sensitivities: is for initial value"),
                                (("sweep", "pendulum", "--vary", "gravity=1:2:2"),
                                 "--sensitivities: is of one run"),
                                (("solve", "pendulum", "--method", "srm", "--h", "1e-3"),
                                 "--h 0.001: method = srm does not reduce the index")):
            refused = run(*arguments, "--sensitivities")
            self.check(refused, BAD_INPUT)
            self.assertIn(text, refused.stderr)

    def test_multistep_formula_with_multipliers_for_invariants(self):
        method = ("--method", "bdf-projected-invariants")
        done = run("solve", "eich-pendulum", *method, "--order", "5", "--t-end", "2", "--rtol",
                   "1e-9", "--atol", "1e-9", "--keep-energy", "--form", "index-1", "--json", "-")
        self.check(done, SOLVED)
        report = json.loads(done.stdout)
        self.assertLess(report["integration"]["drift_position"], 1e-12)
        for options, text in ((["--order", "7"], "--order 7: must be between 1 and 6"),
                              (["--metric", "mass"], "--metric mass: is of --method s-both"),
                              (["--projected-estimate"], "take bdf-projection"),
                              (["--c", "0.1"], "is of --method adams-moulton"),
                              (["--stepper", "radau"], "--stepper radau: is of --method srm")):
            refused = run("solve", "eich-pendulum", *method, *options)
            self.check(refused, BAD_INPUT)
            self.assertIn(text, refused.stderr)
        done = run("solve", "eich-pendulum", "--method", "dcbdf", "--t-end", "1",
                   "--control-multiplier", "--explain")
        self.check(done, SOLVED)
        self.assertIn("control_multiplier = true", done.stdout)
        refused = run("solve", "eich-pendulum", *method, "--control-multiplier")
        self.check(refused, BAD_INPUT)
        self.assertIn("--control-multiplier: is of --method dcbdf", refused.stderr)
        refused = run("solve", "eich-pendulum", "--method", "projected-invariants", "--order", "3")
        self.check(refused, BAD_INPUT)
        self.assertIn("bdf-projected-invariants", refused.stderr)
        self.assertIn("not projected-invariants", refused.stderr)

    def test_every_listed_initial_value_problem_is_solved_and_checked(self):
        for problem in json.loads(run("list", "--json").stdout)["problems"]:
            if problem["kind"] != "initial value":
                continue
            report = run("solve", problem["name"], "--rtol", "1e-7", "--json", "-")
            self.check(report, SOLVED)
            report = json.loads(report.stdout)
            self.assertEqual(report["termination"], "converged")
            self.assertEqual(report["problem"], problem["name"])
            self.assertLess(report["integration"]["drift_position"], 1e-9)
            checked = run("check", problem["name"])
            self.check(checked, SOLVED)
            self.assertIn("agree with differences", checked.stdout)

    def test_a_motion_is_written_with_its_columns(self):
        self.check(run("solve", "pendulum", "--t-end", "1", "--rtol", "1e-9", "--points", "11",
                       "--csv", self.path("m.csv"), "--svg", self.path("m.svg")), SOLVED)
        with open(self.path("m.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["t", "q1", "q2", "v1", "v2", "lambda1"])
        self.assertEqual(len(rows), 11)
        for row in rows:
            self.assertAlmostEqual(float(row["q1"]) ** 2 + float(row["q2"]) ** 2, 1, delta=1e-6)
        ElementTree.parse(self.path("m.svg"))

    def test_iterates_of_the_slider_crank_come_closer(self):
        errors = []
        for iterates in ("1", "2", "3"):
            result = run("solve", "slider-crank", "--method", "srm", "--h", "1e-3", "--t-end", "5",
                         "--iterates", iterates)
            # Of a single one nothing is known that it could be compared with.
            self.check(result, NOT_SOLVED if iterates == "1" else SOLVED)
            line = next(line for line in result.stdout.splitlines() if "reference" in line)
            errors.append(float(line.split("reference: ")[1].split()[0]))
        self.assertLess(errors[1], errors[0] / 10)
        self.assertLess(errors[2], errors[1])  # Heun's formula has h^2 of its own.

    def test_options_of_initial_value_solves_are_checked(self):
        for arguments, words in (
                (["pendulum", "--h", "-1"], "--h -1"),
                (["pendulum", "--method", "foo"], "known: srm"),
                (["pendulum", "--stepper", "foo"], "known: forward-euler"),
                (["pendulum", "--method", "srm", "--variant", "foo"], "known: direct"),
                (["pendulum", "--method", "s-both", "--metric", "foo"], "known: mass, orthogonal"),
                (["pendulum", "--method", "srm", "--loops", "foo"], "known: step-local, sweeps"),
                (["pendulum", "--method", "bdf", "--order", "sweeps"], "--loops sweeps"),
                (["pendulum", "--rtol", "2"], "--rtol 2"),
                (["pendulum", "--scheme", "gauss"], "take --stepper"),
                (["pendulum", "--intervals", "10"], "take --h"),
                (["chain", "--links", "0"], "links = 0"),
                (["pendulum", "--links", "3"], "no parameter"),
                (["pendulum", "--stepper", "heun"], "take --stepper dopri5; or give h"),
                (["al1-example1", "--method", "srm"], "solve it as a boundary value problem"),
                (["pendlum"], "did you mean pendulum?")):
            result = run("solve", *arguments)
            self.check(result, BAD_INPUT)
            self.assertIn(words, result.stderr)

    def test_controlled_steps_begin_with_and_are_no_longer_than_what_is_given(self):
        def steps(*options):
            self.check(run("solve", "pendulum", "--method", "s-both2", *options, "--csv", self.path("csv"),
                           "--json", self.path("json")), SOLVED)
            with open(self.path("csv"), newline="", encoding="utf-8") as file:
                t = [float(row["t"]) for row in csv.DictReader(file)]
            return [after - before for before, after in zip(t, t[1:])]

        free = steps()
        bounded = steps("--largest-step", "0.01")
        self.assertGreater(max(free), 0.02)
        self.assertLess(max(bounded), 0.01001)
        self.assertAlmostEqual(steps("--first-step", "1e-3")[0], 1e-3, 12)
        for option in "--first-step", "--largest-step":
            refused = run("solve", "pendulum", option, "0")
            self.check(refused, BAD_INPUT)
            self.assertIn("must be > 0", refused.stderr)
            self.check(run("solve", "pendulum", option, "1", "--h", "1e-3"), BAD_INPUT)
            self.check(run("solve", "taylor-green", option, "1"), BAD_INPUT)
            self.check(run("solve", "elastica", option, "1"), BAD_INPUT)

    def test_symmetric_steps_keep_their_energy(self):
        result = run("solve", "pendulum", "--method", "symmetric-projection", "--stages", "6",
                     "--h", "0.1", "--t-end", "100", "--stage-iteration", "newton", "--json",
                     "-")
        self.check(result, SOLVED)
        went = json.loads(result.stdout)["integration"]
        self.assertEqual(went["steps"], 1000)
        self.assertLess(went["drift_position"], 1e-12)
        self.assertLess(abs(went["energy_change"]), 1e-9)
        refused = run("solve", "pendulum", "--method", "symmetric-projection")
        self.check(refused, BAD_INPUT)
        self.assertIn("--h: must be given with --method symmetric-projection", refused.stderr)


if __name__ == "__main__":
    unittest.main()
