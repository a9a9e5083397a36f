#!/usr/bin/env python3
"""Sweeps over parameters.

usage: sweep_test.py PROGRAM
"""

import csv
import re
import unittest
from pathlib import Path

from program import BAD_INPUT, NOT_SOLVED, SOLVED, ProgramTest, run


class Sweeps(ProgramTest):
    def test_a_sweep_solves_for_every_combination(self):
        result = run("sweep", "chain", "--vary", "links=1:3:3", "--vary", "t-end=0.1,0.2",
                     "--rtol", "1e-8", "--csv", self.path("sweep.csv"))
        self.check(result, SOLVED)
        self.assertIn("6 of 6 runs solved", result.stdout)
        with open(self.path("sweep.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(float(row["links"]), float(row["t-end"])) for row in rows],
                         [(n, t) for n in (1, 2, 3) for t in (0.1, 0.2)])
        for row in rows:
            self.assertEqual(float(row["solved"]), 1)
            self.assertEqual(float(row["t"]), float(row["t-end"]))
        columns = [name for name in rows[0] if name != "seconds"]
        self.check(run("sweep", "chain", "--vary", "links=1:3:3", "--vary", "t-end=0.1,0.2",
                       "--rtol", "1e-8", "--threads", "1", "--csv", self.path("one.csv")), SOLVED)
        with open(self.path("one.csv"), newline="") as file:
            for a, b in zip(rows, csv.DictReader(file)):
                self.assertEqual([a[name] for name in columns], [b[name] for name in columns])

    def test_runs_of_one_value_are_told_apart_on_a_page(self):
        page = self.path("page.html")
        self.check(run("sweep", "chain", "--vary", "links=2,2", "--vary", "t-end=0.1,0.1000000001",
                       "--report", page, "-q"), SOLVED)
        text = Path(page).read_text(encoding="utf-8")
        self.assertEqual(len(set(re.findall('"label":"(links[^"]*)"', text))), 4)

    def test_one_failing_member_does_not_stop_a_sweep(self):
        result = run("sweep", "chain", "--vary", "links=2,0,3", "--t-end", "0.1")
        self.check(result, NOT_SOLVED)
        self.assertIn("2 of 3 runs solved", result.stdout)
        self.assertIn("links = 0", result.stderr)
        for vary, words in (("links", "NAME=FROM:TO:COUNT"), ("links=1:2:x", "NAME=FROM:TO:COUNT"),
                            ("links=1:2:1", "COUNT must be"), ("foo=1,2", "no parameter")):
            result = run("sweep", "chain", "--vary", vary)
            self.check(result, BAD_INPUT)
            self.assertIn(words, result.stderr)


if __name__ == "__main__":
    unittest.main()
