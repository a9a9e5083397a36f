#!/usr/bin/env python3
"""Limits: of memory, which is estimated before it is taken, and of time, within a second.

usage: limits_test.py PROGRAM
"""

import os
import resource
import signal
import subprocess
import time
import unittest
from pathlib import Path

from program import BAD_INPUT, NOT_SOLVED, PROGRAM, SOLVED, ProgramTest, run

MEMORY = 3 << 30
LATE = 1.5  # Seconds: one, and what a loaded machine adds.
SRM = ("solve", "slider-crank", "--method", "srm")


def limited(*arguments, folder=None):
    """With an address space of MEMORY, whatever the machine has."""
    limits = (MEMORY, MEMORY)
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=folder,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limits))


class Limits(ProgramTest):
    def test_what_memory_does_not_hold_is_refused_before_it_is_taken(self):
        for command, words in (
                (("solve", "lin", "--intervals", "2147483647"), "--intervals 2147483647: takes about"),
                (("solve", "lin", "--intervals", "10000000"), "--intervals 10000000: takes about"),
                (("solve", "lin", "--set", "blocks=10", "--intervals", "100000"), "--intervals 100000"),
                (("solve", "ap91", "--intervals", "2147483647", "--shooting-back"), "takes about"),
                (("solve", "swirling-flow", "--intervals", "2147483647"), "takes about"),
                (("solve", "pendulum-bvp", "--intervals", "100000000"), "takes about"),
                (("solve", "ap91", "--points", "2000000000", "--csv", "a.csv"), "--points 2000000000"),
                (("solve", "measles", "--points", "2000000000", "--npy", "a.npy"), "--points 2"),
                (("solve", "swirling-flow", "--continue", "e=1:0.1", "--points", "2000000000",
                  "--csv", "a.csv"), "--points 2000000000"),
                (("solve", "pendulum", "--points", "2000000000"), "--points 2000000000: takes about"),
                (("solve", "pendulum", "--h", "1e-10", "--every", "1", "--npy", "a.npy"), "rows of --npy"),
                ((*SRM, "--h", "1e-9", "--loops", "sweeps"), "take --loops step-local"),
                ((*SRM, "--h", "1e-7", "--loops", "pipelined", "--window", "700000000"), "windows of"),
                ((*SRM, "--h", "1e-3", "--iterates", "2000000000"), "--iterates 2000000000: must be <="),
                (("solve", "lin", "--iterates", "2147483647"), "--iterates 2147483647: must be <="),
                ((*SRM, "--h", "1e-300"), "--h 1e-300: is lost in rounding"),
                ((*SRM, "--h", "1e-300", "--loops", "sweeps"), "--h 1e-300: is lost in rounding"),
                (("solve", "pendulum", "--h", "1e-18"), "is lost in rounding"),
                (("solve", "chain", "--links", "2000000000"), "links = 2000000000: must be")):
            with self.subTest(command=command):
                begin = time.monotonic()
                result = limited(*command, folder=self.folder.name)
                self.check(result, BAD_INPUT)
                self.assertIn(words, result.stderr)
                self.assertLess(time.monotonic() - begin, 2)
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_a_window_longer_than_the_run_is_the_run(self):
        whole = (*SRM, "--h", "1e-3", "--t-end", "0.1", "--loops", "pipelined", "--csv", "-")
        self.assertEqual(limited(*whole, "--window", "2000000000").stdout, run(*whole).stdout)

    def test_refinement_ends_with_the_best_mesh_where_memory_holds_no_more(self):
        result = limited("solve", "lin", "--set", "blocks=12", "--t-end", "100", "--scheme", "midpoint",
                         "--tolerance", "1e-9")
        self.check(result, NOT_SOLVED)
        self.assertIn("tolerance_not_met", result.stdout)
        self.assertIn("the free memory", result.stdout)
        self.assertIn("holds no more than", result.stdout)

    # Parts of these take minutes without asking anyone.
    LONG = (("solve", "lin", "--set", "blocks=30", "--intervals", "1000"),
            ("solve", "lin", "--set", "blocks=64", "--intervals", "100", "--solver", "umfpack"),
            ("solve", "lin", "--set", "blocks=40", "--intervals", "300", "--shooting-back"),
            ("solve", "lin", "--set", "blocks=64", "--intervals", "100", "--threads", "2"),
            ("solve", "lin", "--t-end", "1e300"),
            ("solve", "swirling-flow", "--intervals", "60000", "--set", "e=1e-9"),
            ("solve", "swirling-flow", "--continue", "e=1:1e-9", "--intervals", "100000",
             "--tolerance", "1e-6"),
            (*SRM, "--h", "1e-5", "--loops", "sweeps"),
            ("solve", "lin", "--method", "srm", "--h", "1e-5", "--loops", "sweeps"),
            (*SRM, "--h", "1e-6", "--loops", "pipelined"),
            ("solve", "pendulum", "--t-end", "1e6"),
            # In the second run, which estimates the error of the first.
            ("solve", "pendulum", "--t-end", "2e4", "--every", "0", "--estimate-error"),
            ("solve", "chain", "--links", "1000", "--method", "projected-invariants"),
            ("sweep", "chain", "--vary", "links=100:400:31", "--t-end", "100"))

    def timed(self, command, limit, **options):
        begin = time.monotonic()
        result = subprocess.run([PROGRAM, *command, "--time-limit", str(limit)], capture_output=True,
                                text=True, **options)
        return result, time.monotonic() - begin - limit

    def test_a_limit_of_time_acts_within_a_second_whatever_is_done(self):
        for command in self.LONG:
            with self.subTest(command=command):
                result, late = self.timed(command, 0.2)
                if result.returncode == BAD_INPUT and ("umfpack" in result.stderr or
                                                       "has no threads" in result.stderr):
                    continue  # A build without it.
                if command[:4] == ("solve", "lin", "--method", "srm"):
                    self.check(result, BAD_INPUT)  # Conditions at both ends.
                    continue
                self.check(result, NOT_SOLVED)
                self.assertIn("stopped by time limit of 0.2 s", result.stderr)
                self.assertLess(late, LATE)

    def test_a_signal_acts_within_a_second_and_leaves_no_temporary(self):
        for command in (("solve", "lin", "--set", "blocks=64", "--intervals", "100"),
                        (*SRM, "--h", "1e-5", "--loops", "sweeps"),
                        (*SRM, "--h", "1e-6", "--every", "1", "--csv", self.path("a.csv"))):
            for number, why in ((signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "termination signal"),
                                (signal.SIGHUP, "end of the terminal")):
                with self.subTest(command=command, why=why), subprocess.Popen(
                        [PROGRAM, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                        text=True) as process:
                    time.sleep(0.3)
                    process.send_signal(number)
                    begin = time.monotonic()
                    text = process.stderr.read()
                    self.assertEqual(process.wait(), NOT_SOLVED, text)
                    self.assertLess(time.monotonic() - begin, LATE)
                    self.assertIn(f"stopped by {why}", text)
                self.assertFalse([name for name in os.listdir(self.folder.name) if ".tmp" in name])

    def test_rows_before_work_that_cannot_be_left_are_kept(self):
        # The first step takes seconds, and on a slow machine what comes before the first row.
        path = self.path("a.csv")
        result, late = self.timed(("solve", "chain", "--links", "200", "--method",
                                   "projected-invariants", "--csv", path), 0.6)
        self.check(result, NOT_SOLVED)
        self.assertLess(late, LATE)
        if "nothing is written" in result.stderr:
            self.assertFalse(Path(path).exists())
            return
        if "cannot be left half done" in result.stderr:
            self.assertIn(f"given out before is in {path}", result.stderr)
        lines = Path(path).read_text().splitlines()
        self.assertTrue(lines[0].startswith("t,q1,") and lines[1].startswith("0,"), lines[0][:40])

    def test_runs_of_a_sweep_before_one_that_cannot_be_left_are_kept(self):
        path = self.path("a.csv")
        result, late = self.timed(("sweep", "chain", "--vary", "links=3:1000:2", "--t-end", "0.01",
                                   "--method", "projected-invariants", "--csv", path), 0.5)
        self.check(result, NOT_SOLVED)
        self.assertLess(late, LATE)
        self.assertIn(f"1 row given out before is in {path}", result.stderr)
        names, short = Path(path).read_text().splitlines()
        self.assertTrue(names.startswith("links,solved,") and short.startswith("3,1,0.01"), short[:40])

    def test_signals_that_were_ignored_stay_so(self):
        with subprocess.Popen([PROGRAM, *SRM, "--h", "1e-4", "--every", "0", "--quiet"],
                              preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as run_:
            time.sleep(0.1)
            run_.send_signal(signal.SIGHUP)
            self.assertEqual(run_.wait(), SOLVED)

    def test_a_signal_while_files_are_written_leaves_them_as_they_were(self):
        path = self.path("a.csv")
        Path(path).write_text("old")
        with subprocess.Popen([PROGRAM, "solve", "ap91", "--points", "3000000", "--csv", path],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            while not [name for name in os.listdir(self.folder.name) if ".tmp" in name]:
                self.assertIsNone(process.poll(), "ended before it wrote")
                time.sleep(0.001)
            process.send_signal(signal.SIGINT)
            begin = time.monotonic()
            text = process.stderr.read()
            self.assertEqual(process.wait(), NOT_SOLVED, text)
            self.assertLess(time.monotonic() - begin, LATE)
        self.assertIn("stopped by Ctrl-C", text)
        self.assertEqual(os.listdir(self.folder.name), ["a.csv"])
        self.assertEqual(Path(path).read_text(), "old")


if __name__ == "__main__":
    unittest.main()
