#!/usr/bin/env python3
"""Every option of a method with every method: taken, or refused with the methods it is of.

usage: method_options_test.py PROGRAM
"""

import unittest

from program import BAD_INPUT, SOLVED, ProgramTest, run

# What each method cannot do without, and what it is told here so that a short run is solved.
METHODS = {
    "srm": ["--h", "1e-3"],
    "underlying": [],
    "baumgarte": ["--alpha0", "4"],
    "s-full": [],
    "s-both": [],
    "s-both2": [],
    "s-vel": [],
    "s-pos": [],
    "stabilized-ode": ["--gamma", "4"],
    "projection": [],
    "symmetric-projection": ["--h", "1e-3"],
    "local-state-space": [],
    "gauss-windows": [],
    "projected-invariants": [],
    "bdf-projection": [],
    "bdf-projected-invariants": [],
    "dcbdf": [],
    "dcbdf-bdf": [],
    "adams-moulton": [],
    "bdf": [],
}

CORRECTED = {"s-both", "s-both2", "s-vel", "s-pos"}
PROJECTED = {"projection", "projected-invariants", "bdf-projection", "bdf-projected-invariants"}
BLOCKED = {"dcbdf", "dcbdf-bdf", "adams-moulton", "bdf"}
VARIABLE = {"bdf-projection", "bdf-projected-invariants"}
WITH_FORMULA = set(METHODS) - BLOCKED - VARIABLE - {"symmetric-projection", "gauss-windows"}

# Each option, with a value that every method it is of solves the pendulum with.
OPTIONS = {
    ("--stepper", "radau"): WITH_FORMULA,
    ("--variant", "invariant"): {"srm"},
    ("--epsilon", "1e-3"): {"srm"},
    ("--iterates", "3"): {"srm"},
    ("--weight", "inverse"): {"srm"},
    ("--alpha2", "1"): {"srm"},
    ("--alpha3", "1"): {"srm"},
    ("--exact-start", "1"): {"srm"},
    ("--loops", "sweeps"): {"srm"},
    ("--alpha1", "0"): {"srm", "baumgarte"},
    ("--alpha0", "4"): {"baumgarte"},
    ("--gamma", "4"): {"stabilized-ode"},
    ("--factor", "1"): CORRECTED | {"s-full"},
    ("--metric", "orthogonal"): CORRECTED | {"stabilized-ode", "projection", "bdf-projection"},
    ("--onto", "both"): PROJECTED,
    ("--keep-energy",): PROJECTED,
    ("--projected-estimate",): {"bdf-projection"},
    ("--stage-iteration", "newton"): {"symmetric-projection"},
    ("--local-parameters", "tangent"): {"local-state-space"},
    ("--order", "3"): BLOCKED | VARIABLE,
    ("--form", "index-1"): VARIABLE,
    ("--c", "-0.1"): {"adams-moulton"},
    ("--blocking", "term"): {"dcbdf", "adams-moulton"},
    ("--control-multiplier",): BLOCKED,
}

# Of the loops of srm, and only of some.
# Of some loops of srm; those of checkpoints of all other methods too.
LOOP_OPTIONS = {
    ("--window", "7"): {"pipelined"},
    ("--threads", "2"): {"pipelined"},
    ("--simd", "auto"): {"lanes"},
    ("--checkpoint", "run.json"): {"step-local", "pipelined"},
    ("--resume", "run.json"): {"step-local", "pipelined"},
    ("--checkpoint-seconds", "1"): {"step-local", "pipelined"},
}


class MethodOptions(ProgramTest):
    def solve(self, *arguments):
        return run("solve", "pendulum", "--t-end", "0.02", "-q", *arguments)

    def check_refused(self, result, option, methods):
        self.check(result, BAD_INPUT)
        self.assertIn(option[0], result.stderr)
        self.assertIn("is of --method ", result.stderr)
        listed = result.stderr.split("is of --method ")[1].split("; ")[0].split(", not ")[0]
        self.assertEqual(set(listed.split(", ")), methods)
        self.assertIn("leave it out", result.stderr)

    def test_every_method_takes_its_options_and_refuses_those_of_the_others(self):
        for method, needed in METHODS.items():
            for option, methods in OPTIONS.items():
                with self.subTest(method=method, option=option):
                    given = [] if option[0] in needed else needed
                    result = self.solve("--method", method, *given, *option)
                    if method in methods:
                        self.check(result, SOLVED)
                    else:
                        self.check_refused(result, option, methods)

    def test_without_a_method_an_option_of_some_is_refused_with_their_names(self):
        for option, methods in OPTIONS.items():
            with self.subTest(option=option):
                result = self.solve(*option)
                if option[0] == "--stepper":
                    self.check(result, SOLVED)
                else:
                    self.check_refused(result, option, methods)
        self.assertIn("add srm", self.solve("--epsilon", "1e-3").stderr)

    def test_stages_are_of_formulas_to_choose_and_of_symmetric_projection(self):
        for method, needed in METHODS.items():
            with self.subTest(method=method):
                more = ["--stepper", "gauss"] if method != "symmetric-projection" else []
                if method == "projected-invariants":
                    more = ["--stepper", "radau"]
                if method in WITH_FORMULA or method == "symmetric-projection":
                    self.check(self.solve("--method", method, *needed, *more, "--stages", "3"),
                               SOLVED)
                else:
                    self.check_refused(self.solve("--method", method, *needed, "--stages", "3"),
                                       ("--stages",), WITH_FORMULA | {"symmetric-projection"})

    def test_options_of_some_loops_are_refused_by_the_others_and_by_other_methods(self):
        for option, loops in LOOP_OPTIONS.items():
            for other in {"step-local", "sweeps", "pipelined", "lanes"} - loops:
                with self.subTest(option=option, loops=other):
                    refused = run("solve", "slider-crank", "--method", "srm", "--h", "1e-3",
                                  "--t-end", "0.01", "--loops", other, *option)
                    self.check(refused, BAD_INPUT)
                    self.assertIn(f"{' '.join(option)}: is of --method srm --loops ",
                                  refused.stderr)
                    self.assertIn(f"not --loops {other}", refused.stderr)
            if option[0] in ("--checkpoint", "--resume", "--checkpoint-seconds"):
                continue
            for method in ("s-both2", "bdf"):
                with self.subTest(option=option, method=method):
                    refused = self.solve("--method", method, *option)
                    self.check(refused, BAD_INPUT)
                    self.assertIn("is of --method srm --loops ", refused.stderr)
                    self.assertIn(f"not --method {method}", refused.stderr)
            refused = self.solve(*option)
            self.check(refused, BAD_INPUT)
            self.assertIn("is of --method srm --loops ", refused.stderr)

    def test_methods_that_need_a_rate_ask_for_it(self):
        for method, words in (("baumgarte", "--alpha1 0 and --alpha0 0 with --method baumgarte"),
                              ("stabilized-ode", "--gamma 0 with --method stabilized-ode")):
            refused = self.solve("--method", method)
            self.check(refused, BAD_INPUT)
            self.assertIn(words, refused.stderr)
            self.assertIn("give", refused.stderr)


if __name__ == "__main__":
    unittest.main()
