#!/usr/bin/env python3
"""Iterates and members in SIMD lanes.

usage: lanes_test.py PROGRAM
"""

import csv
import platform
import unittest
from pathlib import Path

from program import BAD_INPUT, SOLVED, ProgramTest, run


class Lanes(ProgramTest):
    @staticmethod
    def lane_sets():
        """Instruction sets of this machine that an optimized build has lanes for."""
        if platform.machine() != "x86_64":
            return ["sse2"]
        try:
            flags = set(Path("/proc/cpuinfo").read_text().split())
        except OSError:
            flags = set()
        sets = []
        if {"avx2", "fma"} <= flags:
            sets.append("avx2")
        if {"avx2", "fma", "avx512f", "avx512vl", "avx512dq"} <= flags:
            sets.append("avx512")
        return sets

    def setUp(self):
        super().setUp()
        if not self.lane_sets():
            self.skipTest("this machine has no instruction set that lanes are compiled for")

    def test_lanes_of_every_instruction_set_write_the_same_bytes(self):
        crank = ("solve", "slider-crank", "--method", "srm", "--h", "1e-3", "--t-end", "3")
        self.check(run(*crank, "--csv", self.path("alone.csv")), SOLVED)
        written = set()
        for simd in ["auto", *self.lane_sets()]:
            result = run(*crank, "--loops", "lanes", "--simd", simd, "--explain", "--csv",
                         self.path("lanes.csv"))
            self.check(result, SOLVED)
            if simd != "auto":
                lanes = 4 if simd == "avx2" else 8
                self.assertIn(f"3 of {lanes} lanes, {simd}", result.stdout)
            written.add(Path(self.path("lanes.csv")).read_bytes())
        self.assertEqual(len(written), 1)
        with open(self.path("lanes.csv"), newline="") as lanes, \
                open(self.path("alone.csv"), newline="") as alone:
            rows = list(zip(csv.reader(lanes), csv.reader(alone), strict=True))
        self.assertEqual(len(rows), 3002)
        self.assertEqual(rows[0][0], rows[0][1])
        for one, other in rows[1:]:
            # Columns of the state. Sines have other last bits; at nodes beside the singular
            # configurations of t = 0.76 and 2.28 a pivot of 1e-5 divides them, for some steps.
            delta = 1e-9 if 0.7 < float(one[0]) < 0.85 or 2.2 < float(one[0]) < 2.4 else 1e-12
            for a, b in zip(one[:13], other[:13]):
                self.assertAlmostEqual(float(a), float(b), delta=delta)

    def test_a_sweep_in_lanes_finds_what_the_runs_find_alone(self):
        sweep = ("sweep", "slider-crank", "--method", "srm", "--h", "1e-3", "--set", "t-end=1",
                 "--vary", "gravity=5:15:11", "-q")
        tables = []
        chosen = [("--loops", "lanes", "--simd", simd) for simd in self.lane_sets()]
        for more in ((), ("--loops", "lanes"), ("--loops", "lanes", "--threads", "2"), *chosen):
            self.check(run(*sweep, *more, "--csv", self.path("sweep.csv")), SOLVED)
            with open(self.path("sweep.csv"), newline="") as file:
                tables.append(list(csv.DictReader(file)))
        self.assertEqual(len(tables[0]), 11)
        for alone, lanes, *others in zip(*tables, strict=True):
            for name in alone:
                if name in ("seconds", "evaluations"):
                    continue
                for other in others:
                    self.assertEqual(lanes[name], other[name])
                self.assertAlmostEqual(float(alone[name]), float(lanes[name]), delta=1e-11)

    @unittest.skipUnless(platform.machine() == "x86_64", "elsewhere there is one set")
    def test_a_set_that_lanes_are_not_compiled_for_is_refused(self):
        result = run("solve", "slider-crank", "--method", "srm", "--h", "1e-3", "--t-end", "1",
                     "--loops", "lanes", "--simd", "sse2")
        self.check(result, BAD_INPUT)
        self.assertIn("lanes are compiled for avx2, avx512 here: take auto", result.stderr)

    def test_what_lanes_cannot_do_is_refused(self):
        crank = ["slider-crank", "--method", "srm", "--h", "1e-3", "--t-end", "1"]
        lanes = crank + ["--loops", "lanes"]
        for arguments, words in (
                (lanes + ["--simd", "mmx"], "known: auto, sse2, avx2, avx512"),
                (crank + ["--simd", "auto"], "is of --method srm --loops lanes"),
                (lanes + ["--threads", "2"], "--loops pipelined"),
                (lanes + ["--iterates", "9"], "has 8 iterates at most"),
                (lanes + ["--stepper", "radau"], "radau is implicit"),
                (lanes + ["--checkpoint", self.path("run.json")], "not --loops lanes"),
                (lanes + ["--stepper", "dopri5", "--points", "5"], "the ends of steps of dopri5"),
                (["slider-crank", "--method", "srm", "--loops", "lanes"], "needs a fixed h"),
                (["truck", "--method", "srm", "--h", "1e-3", "--loops", "lanes"],
                 "truck is not compiled for lanes")):
            result = run("solve", *arguments)
            self.check(result, BAD_INPUT)
            self.assertIn(words, result.stderr)


if __name__ == "__main__":
    unittest.main()
