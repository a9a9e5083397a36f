#!/usr/bin/env python3
"""Long runs: rows as they come, threads, checkpoints, kills.

usage: long_run_test.py PROGRAM
"""

import csv
import json
import os
import random
import subprocess
import time
import unittest
from pathlib import Path

from program import BAD_INPUT, NOT_SOLVED, PROGRAM, SOLVED, ProgramTest, run

KILLS = int(os.environ.get("DAEWAVE_KILLS", "4"))  # Of the test that kills a run.


class LongRuns(ProgramTest):
    def test_a_time_limit_leaves_the_part_that_is_valid(self):
        result = run("solve", "slider-crank", "--method", "srm", "--h", "1e-6", "--every", "1000",
                     "--time-limit", "0.5", "--csv", self.path("part.csv"))
        self.check(result, NOT_SOLVED)
        self.assertIn("time limit", result.stderr)
        with open(self.path("part.csv"), newline="") as file:
            times = [float(row["t"]) for row in csv.DictReader(file)]
        self.assertTrue(0 < times[-1] < 70)
        self.assertEqual(times, sorted(times))

    def test_rows_are_the_same_whether_the_run_keeps_them_or_not(self):
        crank = ("solve", "slider-crank", "--method", "srm", "--h", "1e-3", "--t-end", "1")
        for order in ((), ("--order", "sweeps"), ("--order", "lanes"), ("--order", "pipelined"),
                      ("--variant", "invariant-reduced")):
            with self.subTest(order=order):
                self.check(run(*crank, *order, "--csv", self.path("rows.csv")), SOLVED)
                self.check(run(*crank, *order, "--csv", self.path("kept.csv"),
                               "--svg", self.path("kept.svg")), SOLVED)
                rows = Path(self.path("rows.csv")).read_text()
                self.assertEqual(rows, Path(self.path("kept.csv")).read_text())
                self.assertEqual(len(rows.splitlines()), 1002)
                self.assertTrue(rows.splitlines()[0].startswith("t,q1,q2,"))

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk_stops_a_long_run_and_loses_no_checkpoint(self):
        crank = ("solve", "slider-crank", "--method", "srm", "--h", "1e-5", "--t-end", "0.2")
        full = run(*crank, "--csv", "/dev/full", "--every", "20", "--checkpoint",
                   self.path("mark"), "--checkpoint-seconds", "0")
        self.check(full, NOT_SOLVED)
        self.assertIn("/dev/full", full.stderr)
        again = run(*crank, "--resume", self.path("mark"))
        self.check(again, SOLVED)

    def test_a_pipelined_run_writes_the_bytes_of_a_step_local_one(self):
        crank = ("solve", "slider-crank", "--method", "srm", "--h", "1e-4", "--t-end", "0.5")
        self.check(run(*crank, "--csv", self.path("alone.csv")), SOLVED)
        alone = Path(self.path("alone.csv")).read_bytes()
        for threads in ("1", "2", "5"):
            for window in ((), ("--window", "7")):
                self.check(run(*crank, "--order", "pipelined", "--threads", threads, *window,
                               "--csv", self.path("windows.csv")), SOLVED)
                self.assertEqual(Path(self.path("windows.csv")).read_bytes(), alone)

    def test_a_killed_run_goes_on_from_its_checkpoint_with_the_same_bits(self):
        start = time.monotonic()
        self.check(run("solve", "slider-crank", "--method", "srm", "--h", "2e-5", "--t-end",
                       "0.04", "--every", "0"), SOLVED)
        # Long enough to be killed in; with sanitizers a step takes a hundred times as long.
        t_end = min(10.0, max(0.4, 0.04 * 3 / (time.monotonic() - start)))
        crank = ("solve", "slider-crank", "--method", "srm", "--h", "2e-5", "--t-end",
                 repr(t_end), "--every", "0", "--order", "pipelined", "--checkpoint-seconds",
                 "0.02", "--checkpoint", self.path("run.json"))

        def end(*more):
            self.check(run(*crank, *more, "--csv", self.path("end.csv")), SOLVED)
            return Path(self.path("end.csv")).read_text().splitlines()[-1]

        whole = end()
        chance = random.Random(1)
        resumed = 0
        for _ in range(KILLS):
            Path(self.path("run.json")).unlink()
            process = subprocess.Popen([PROGRAM, *crank, "--quiet"])
            time.sleep(chance.uniform(0.05, 0.5))
            process.kill()
            process.wait()
            if not Path(self.path("run.json")).exists():
                end()  # Killed before the first checkpoint; leaves one for the next round.
                continue
            self.assertEqual(end("--resume", self.path("run.json")), whole)
            resumed += 1
        self.assertGreater(resumed, KILLS // 2)

    def test_a_stopped_run_leaves_a_checkpoint_and_a_wrong_one_is_refused(self):
        crank = ("solve", "slider-crank", "--method", "srm", "--h", "1e-6", "--every", "0")
        stopped = run(*crank, "--time-limit", "0.3", "--checkpoint", self.path("run.json"))
        self.check(stopped, NOT_SOLVED)
        saved = json.loads(Path(self.path("run.json")).read_text())
        self.assertGreater(saved["step"], 0)
        for arguments, code, words in (
                (["--resume", self.path("none.json")], NOT_SOLVED, "cannot be read"),
                (["--iterates", "2", "--resume", self.path("run.json")], BAD_INPUT,
                 "iterates = 3, this run has 2"),
                (["--set", "turning=1", "--resume", self.path("run.json")], BAD_INPUT, "mark"),
                (["--stepper", "radau", "--resume", self.path("run.json")], BAD_INPUT, "heun"),
                (["--checkpoint", self.path("none/x.json")], BAD_INPUT, "--checkpoint"),
                (["--threads", "2"], BAD_INPUT, "--order pipelined")):
            result = run(*crank, *arguments)
            self.check(result, code)
            self.assertIn(words, result.stderr)
        full = run(*crank, "--checkpoint-seconds", "0", "--checkpoint", "/dev/full")
        self.check(full, NOT_SOLVED)
        self.assertIn("/dev/full", full.stderr)


if __name__ == "__main__":
    unittest.main()
