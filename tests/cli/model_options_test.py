#!/usr/bin/env python3
"""What a model file says beside what the command line does.

usage: model_options_test.py PROGRAM
"""

import csv
import json
import math
import unittest
from pathlib import Path

from models import MODELS, ModelTest
from program import BAD_INPUT, SOLVED, run

CRANK = str(MODELS / "slider-crank.toml")
CHAIN = str(MODELS / "chain.toml")


class ModelOptions(ModelTest):
    def test_options_that_there_are_not_are_refused_by_all_that_read_the_file(self):
        text = """parameters = { a = 2 }
[dae.differential]
x = "-a*x"
[dae.start]
x = 1
[solve]
t-end = 1
"""
        for command, *more in ("solve",), ("sweep", "--vary", "a=1,2"), ("check",):
            refused = run(command, self.write(text + "rtoll = 1e-9\n"), *more)
            self.check(refused, BAD_INPUT)
            self.assertIn("'rtoll': daewave solve has no such option (did you mean rtol?)", refused.stderr)
            self.check(run(command, self.write(text + "rtol = 1e-9\nverbose = true\n"), *more), SOLVED)

    def test_parameters_of_a_file_are_those_of_its_problem_whatever_else_is_asked(self):
        path = self.write("""parameters = { a = 2, b = 3 }
[dae]
order = 1
[dae.differential]
x = "a*x + b"
[dae.start]
x = 1
[solve]
t-end = 1
set = ["a=1", "b=5"]
""")

        def exact(a, b, end):
            return (1 + b / a) * math.exp(a * end) - b / a

        # One of them is said, or another end, or another method.
        for words, known in (((), exact(1, 5, 1)), (("--set", "a=3"), exact(3, 5, 1)),
                             (("--set=b=4",), exact(1, 4, 1)), (("--t-end", "2"), exact(1, 5, 2)),
                             (("--set", "t-end=2", "--set", "b=1"), exact(1, 1, 2)),
                             (("--method", "projection"), exact(1, 5, 1)),
                             (("--method", "projection", "--set", "a=3"), exact(3, 5, 1))):
            with self.subTest(words=words):
                told = run("solve", path, *words, "--rtol", "1e-9", "--csv", "-", "-q")
                self.assertEqual(told.returncode, SOLVED, told.stderr)
                rows = list(csv.reader(told.stdout.splitlines()))
                self.assertAlmostEqual(float(rows[-1][1]) / known, 1, 6)
        swept = run("sweep", path, "--vary", "a=1,3", "--rtol", "1e-9", "--csv", "-", "-q")
        self.assertEqual(swept.returncode, SOLVED, swept.stderr)
        for row, a in zip(list(csv.reader(swept.stdout.splitlines()))[-2:], (1, 3)):
            self.assertAlmostEqual(float(row[-1]) / exact(a, 5, 1), 1, 6)

    def test_all_commands_are_of_the_problem_that_the_file_says(self):
        text = """parameters = { a = 2, b = 3 }
[dae.differential]
x = "a*x + b"
[dae.start]
x = 1
[solve]
set = ["a=-1", "b=5"]
t-end = "4*0.5"
"""
        path = self.write(text)
        shown = run("show", path)
        self.check(shown, SOLVED)
        for part in ("t in [0, 2]", "--set a=-1\n", "--set b=5\n"):
            self.assertIn(part, shown.stdout)
        for words, end in (((), 2), (("--t-end", "1"), 1), (("--set", "t-end=1"), 1)):
            checked = run("check", path, *words)
            self.check(checked, SOLVED)
            self.assertIn(f"t in [0, {end}]", checked.stdout)
            self.assertIn(f"reached t = {end} ", checked.stdout)
        # The header is that of a file that has these numbers, unless the command line has others.
        headers = [run("convert", path, *words).stdout for words in ((), ("--set", "a=3"))]
        self.write(text.replace("a = 2, b = 3", "a = -1, b = 5").replace("set =", "# set ="))
        self.assertEqual(headers,
                         [run("convert", path, *words).stdout for words in ((), ("--set", "a=3"))])
        self.assertNotEqual(*headers)

    def test_what_a_file_sets_wrongly_is_told_at_its_place(self):
        begin = "parameters = { alpha = 2 }\n[dae.differential]\nx = 'alpha*x'\n[dae.start]\nx = 1\n[solve]\n"
        for said, told in (("set = 'alhpa=1'", ":7:7: set: 'alhpa' is no parameter of the file (did you mean alpha?)"),
                           ("set = ['alpha']", ":7:8: set: 'alpha': must be NAME=NUMBER"),
                           ("set = ['alpha=1', 'alpha=2']", ":7:19: set: alpha = 1 is said too; say it once"),
                           ("set = 3", "set: the number 3: must be NAME=NUMBER"),
                           ("links = 3", "'links' is no parameter of the file"),
                           ("t-end = 1\nset = 't-end=2'", "set: t-end: is said twice"),
                           ("t-end = 0", "the interval has no length"),
                           ("t-end = true", "must be a number")):
            for command in ("show", "check", "solve"):
                with self.subTest(said=said, command=command):
                    refused = run(command, self.write(begin + said + "\n"))
                    self.check(refused, BAD_INPUT)
                    self.assertIn(told, refused.stderr)

    def test_what_was_kept_is_of_the_parameters_that_the_file_sets(self):
        text = "parameters = { a = 2 }\n[dae.differential]\nx = 'a*x'\n[dae.start]\nx = 1\n[solve]\nset = 'a=3'\n"
        path, kept, table = self.write(text), self.path("kept"), self.path("table")
        self.check(run("solve", path, "--t-end", "1", "--checkpoint", kept), SOLVED)
        self.check(run("sweep", path, "--vary", "t-end=1,2", "--checkpoint", table, "-q"), SOLVED)
        Path(path).write_text(text.replace("a=3", "a=4"), encoding="utf-8")
        refused = run("solve", path, "--t-end", "2", "--resume", kept)
        self.check(refused, BAD_INPUT)
        refused = run("sweep", path, "--vary", "t-end=1,2", "--resume", table, "-q")
        self.check(refused, BAD_INPUT)
        self.assertIn("a=3", refused.stderr)

    def test_parameters_are_set_swept_and_told(self):
        path = self.path("report.json")
        solved = run("solve", CHAIN, "--set", "n=3", "--set", "length=2", "--json", path)
        self.assertEqual(solved.returncode, SOLVED, solved.stderr)
        report = json.loads(Path(path).read_text(encoding="utf-8"))
        self.assertEqual(report["problem_parameters"], {"n": 3, "length": 2, "mass": 1, "t-end": 2})
        swept = run("sweep", CHAIN, "--vary", "length=1,2", "--set", "n=2", "--csv", "-", "-q")
        self.assertEqual(swept.returncode, SOLVED, swept.stderr)
        self.assertEqual(len(swept.stdout.splitlines()), 3)

    def test_what_the_command_line_says_goes_before_the_file_however_it_says_it(self):
        path = self.write("[dae.differential]\nx = '-x'\n[dae.start]\nx = 1\n[solve]\nt-end = 3\n")
        for words in (("--t-end", "1"), ("--set", "t-end=1"), ("--set=t-end=1",)):
            solved = run("solve", path, *words)
            self.check(solved, SOLVED)
            self.assertIn("reached t = 1 ", solved.stdout)
        self.assertIn("reached t = 3 ", run("solve", path).stdout)
        for words, told in ((("--t-end", "1", "--set", "t-end=2"), "--t-end 1: t-end = 2 is said too"),
                            (("--set", "t-end=2", "--set", "t-end=2"), "--set t-end=2: t-end = 2 is said too")):
            refused = run("solve", path, *words)
            self.check(refused, BAD_INPUT)
            self.assertIn(told, refused.stderr)

    def test_the_command_line_goes_before_the_tables_of_the_file(self):
        text = Path(CRANK).read_text(encoding="utf-8")
        path = self.write(text + 'method = "srm"\nh = 1e-4\niterates = 3\nepsilon = 1e-4\n'
                          "[output]\nevery = 0\ncsv = \"-\"\nquiet = true\n")
        rows = run("solve", path, "--t-end", "0.5").stdout.splitlines()
        self.assertEqual(len(rows), 3, rows)
        told = run("solve", path, "--t-end", "0.5", "--method", "gauss-windows", "--csv",
                   self.path("rows.csv"), "--json", "-")
        self.assertEqual(told.returncode, SOLVED, told.stderr)
        self.assertIn("gauss-windows", told.stdout)

    def test_options_of_a_file_have_as_many_values_as_they_take(self):
        text = Path(CRANK).read_text(encoding="utf-8")
        for line, words in (("epsilon = [0.1, 0.2]", "'epsilon' takes one value, not 2"),
                            ("rtol = true", "'rtol' takes a value, not true"),
                            ("explain = 3", "'explain' must be true or false")):
            with self.subTest(line):
                refused = run("solve", self.write(text + line + "\n"))
                self.assertEqual(refused.returncode, BAD_INPUT)
                self.assertIn(words, refused.stderr)
        several = run("solve", self.write(text + "restart-times = [1, 2]\n"), "--t-end", "3")
        self.assertEqual(several.returncode, SOLVED, several.stderr)


if __name__ == "__main__":
    unittest.main()
