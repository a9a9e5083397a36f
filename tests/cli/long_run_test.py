#!/usr/bin/env python3
"""Long runs: rows as they come, threads, checkpoints, kills.

usage: long_run_test.py PROGRAM
"""

import csv
import json
import os
import random
import signal
import subprocess
import time
import unittest
from pathlib import Path

from program import BAD_INPUT, NOT_SOLVED, PROGRAM, SOLVED, ProgramTest, run

KILLS = int(os.environ.get("DAEWAVE_KILLS", "4"))  # Of the test that kills a run.


class LongRuns(ProgramTest):
    def test_a_time_limit_leaves_the_part_that_is_valid(self):
        result = run("solve", "slider-crank", "--method", "srm", "--h", "1e-6", "--every", "1000",
                     "--t-end", "1e9", "--time-limit", "0.5", "--csv", self.path("part.csv"))
        self.check(result, NOT_SOLVED)
        self.assertIn("time limit", result.stderr)
        with open(self.path("part.csv"), newline="") as file:
            times = [float(row["t"]) for row in csv.DictReader(file)]
        self.assertTrue(0 < times[-1] < 1e9)
        self.assertEqual(times, sorted(times))

    def test_rows_are_the_same_whether_the_run_keeps_them_or_not(self):
        crank = ("solve", "slider-crank", "--method", "srm", "--h", "1e-3", "--t-end", "1")
        for order in ((), ("--loops", "sweeps"), ("--loops", "lanes"), ("--loops", "pipelined"),
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
                self.check(run(*crank, "--loops", "pipelined", "--threads", threads, *window,
                               "--csv", self.path("windows.csv")), SOLVED)
                self.assertEqual(Path(self.path("windows.csv")).read_bytes(), alone)

    def test_a_killed_run_goes_on_from_its_checkpoint_with_the_same_bits(self):
        crank = ("solve", "slider-crank", "--method", "srm", "--h", "2e-5", "--every", "0",
                 "--loops", "pipelined")

        def end(step, *more):
            self.check(run(*crank, *more, "--t-end", repr(step * 2e-5), "--csv",
                           self.path("end.csv")), SOLVED)
            return Path(self.path("end.csv")).read_text().splitlines()[-1]

        chance = random.Random(1)
        for kill in range(KILLS):
            mark = self.path(f"run{kill}.json")
            process = subprocess.Popen([PROGRAM, *crank, "--t-end", "1e9", "--quiet",
                                        "--checkpoint", mark, "--checkpoint-seconds", "0"])
            self.wait_for_step(chance.randint(1, 4000), mark, process)
            process.kill()
            process.wait()
            step = json.loads(Path(mark).read_text())["step"] + chance.randint(1, 2000)
            self.assertEqual(end(step, "--resume", mark), end(step))

    def test_a_killed_run_of_any_method_goes_on_with_the_same_rows(self):
        # Windows; over singular configurations; a formula of its own; a fixed step; given times.
        for motion in (("pendulum", "--t-end", "2000", "--every", "3"),
                       ("slider-crank", "--t-end", "60", "--every", "7"),
                       ("pendulum", "--t-end", "200", "--method", "bdf-projection"),
                       ("pendulum", "--t-end", "50", "--method", "projection", "--h", "1e-3",
                        "--every", "10"),
                       ("andrews", "--t-end", "0.3", "--method", "s-both2", "--points", "100")):
            with self.subTest(motion=motion):
                legs = ("solve", *motion, "--checkpoint-steps", "40", "--checkpoint-seconds", "0")
                whole = run(*legs, "--checkpoint", self.path("whole"), "--csv", "-")
                self.check(whole, SOLVED)
                mark = Path(self.path("mark"))
                for kill in range(KILLS):
                    resume = ("--resume", str(mark)) if mark.exists() else ()
                    before = mark.stat().st_mtime_ns if mark.exists() else 0
                    process = subprocess.Popen(
                        [PROGRAM, *legs, *resume, "--checkpoint", str(mark), "--csv",
                         self.path("lost.csv")], stdout=subprocess.DEVNULL)
                    while process.poll() is None and (
                            not mark.exists() or mark.stat().st_mtime_ns == before):
                        time.sleep(0.001)
                    time.sleep(0.01 * kill)
                    process.kill()
                    process.wait()
                rest = run(*legs, "--resume", str(mark), "--csv", "-")
                self.check(rest, SOLVED)
                self.assertEqual(rest.stdout, whole.stdout)
                os.remove(mark)

    def test_when_to_write_a_checkpoint_is_refused_where_none_is_written(self):
        for option in ("--checkpoint-seconds", "--checkpoint-steps"):
            for method in ((), ("--method", "s-both2")):
                refused = run("solve", "pendulum", "--t-end", "0.1", *method, option, "5")
                self.check(refused, BAD_INPUT)
                self.assertIn(f"{option}: is of --checkpoint FILE", refused.stderr)

    def test_checkpoints_of_legs_are_refused_where_they_do_not_go(self):
        for words, told in ((("pendulum", "--checkpoint-steps", "0", "--checkpoint", "MARK"),
                             "--checkpoint-steps 0"),
                            (("pendulum", "--estimate-error", "--checkpoint", "MARK"),
                             "leave out --estimate-error"),
                            (("slider-crank", "--method", "srm", "--h", "1e-3",
                              "--checkpoint-steps", "5", "--checkpoint", "MARK"),
                             "leave it out"),
                            (("slider-crank", "--method", "srm", "--checkpoint", "MARK"),
                             "need a fixed h")):
            result = run("solve", *(self.path(word) if word == "MARK" else word
                                    for word in words))
            self.check(result, BAD_INPUT)
            self.assertIn(told, result.stderr)
            self.assertFalse(Path(self.path("MARK")).exists())
        legs = ("solve", "pendulum", "--checkpoint-steps", "5")
        self.check(run(*legs, "--t-end", "9", "--checkpoint", self.path("mark")), SOLVED)
        for words, told in ((("--t-end", "8"), "ask for a later end"),
                            (("--t-end", "9", "--rtol", "1e-8"), "written with --rtol"),
                            (("--t-end", "9", "--set", "gravity=9"), "written with parameters")):
            result = run(*legs, *words, "--resume", self.path("mark"))
            self.check(result, BAD_INPUT)
            self.assertIn(told, result.stderr)

    def test_a_run_goes_on_to_a_later_end_with_the_bits_of_a_run_in_one_go(self):
        for formula in (("--stepper", "heun"), ("--stepper", "radau")):
            crank = ("solve", "slider-crank", "--method", "srm", "--h", "1e-3", "--every", "0",
                     *formula)
            self.check(run(*crank, "--t-end", "0.5", "--csv", self.path("whole.csv")), SOLVED)
            whole = Path(self.path("whole.csv")).read_text().splitlines()[-1]
            # At a node; at one but for its last bit; between two; within the first step.
            for first in ("0.25", "0.119", "0.2504", "0.0004"):
                with self.subTest(formula=formula, first=first):
                    # The first step has not come to its constraints yet, which a later end mends.
                    self.check(run(*crank, "--set", f"t-end={first}", "--checkpoint",
                                   self.path("r.json")),
                               NOT_SOLVED if first == "0.0004" else SOLVED)
                    self.check(run(*crank, "--resume", self.path("r.json"), "--t-end", "0.5",
                                   "--csv", self.path("end.csv")), SOLVED)
                    end = Path(self.path("end.csv")).read_text().splitlines()[-1]
                    self.assertEqual(end, whole)

    CRANK = ("solve", "slider-crank", "--method", "srm", "--h", "1e-4")

    def files(self, *more, name):
        """CSV, NPY and SVG of a run to t = 3."""
        paths = [self.path(f"{name}.{kind}") for kind in ("csv", "npy", "svg")]
        options = [word for path in paths for word in (f"--{path[-3:]}", path)]
        self.check(run(*self.CRANK, "--t-end", "3", *more, *options), SOLVED)
        return [Path(path).read_bytes() for path in paths]

    def leg(self, mark, step, kill, *more):
        """A run that is stopped after that step, which goes on where one before was."""
        process = subprocess.Popen([PROGRAM, *self.CRANK, "--t-end", "3", "--quiet", *more,
                                    "--checkpoint-seconds", "0", "--checkpoint", mark],
                                   stderr=subprocess.DEVNULL)
        self.wait_for_step(step, mark, process)
        process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
        process.wait()

    def test_a_run_that_was_stopped_twice_gives_out_what_one_in_one_go_does(self):
        # Each step, some of them, the end alone, and times between steps.
        for rows in (("--every", "1"), ("--every", "7"), ("--every", "0"), ("--points", "402")):
            whole = self.files(*rows, name="whole")
            for kill in (False, True):
                with self.subTest(rows=rows, kill=kill):
                    mark = self.path("r.json")
                    self.leg(mark, 3000, kill, *rows, "--csv", self.path("lost.csv"))
                    self.leg(mark, 9000, kill, *rows, "--resume", mark)
                    self.assertEqual(self.files(*rows, "--resume", mark, name="parts"), whole)
                    os.remove(mark)
                    self.check(run(*self.CRANK, "--t-end", "0.01", "--checkpoint", mark), SOLVED)
                    # Rows are kept of the last checkpoint alone, and nothing else is left.
                    kept = [name for name in os.listdir(self.folder.name) if ".rows-" in name]
                    self.assertEqual(len(kept), 1)
                    self.assertFalse([name for name in os.listdir(self.folder.name)
                                      if name.endswith(".tmp")])

    def test_a_run_that_has_come_to_its_end_gives_out_all_of_it_again(self):
        for end in ("0.25", "0.25004"):  # A node; between two.
            crank = (*self.CRANK, "--t-end", end, "--every", "7")
            first = run(*crank, "--checkpoint", self.path("r.json"), "--csv", "-")
            again = run(*crank, "--resume", self.path("r.json"), "--csv", "-")
            self.check(again, SOLVED)
            self.assertEqual(again.stdout, first.stdout)

    def test_rows_before_a_checkpoint_that_are_gone_are_told_before_any_work(self):
        mark = self.path("r.json")
        self.check(run(*self.CRANK, "--t-end", "0.1", "--checkpoint", mark), SOLVED)
        rows = [name for name in os.listdir(self.folder.name) if ".rows-" in name][0]
        contents = Path(self.path(rows)).read_bytes()
        for change, words in ((contents[:-1], "some are gone"), (contents[8:] + contents[:8],
                                                                 "they were changed"),
                              (None, "No such file")):
            if change is None:
                os.remove(self.path(rows))
            else:
                Path(self.path(rows)).write_bytes(change)
            refused = run(*self.CRANK, "--t-end", "0.2", "--resume", mark, "--csv",
                          self.path("a.csv"))
            self.check(refused, BAD_INPUT)
            self.assertIn(words, refused.stderr)
            self.assertIn("start anew", refused.stderr)
            self.assertFalse(os.path.exists(self.path("a.csv")))

    def test_rows_at_other_times_before_a_checkpoint_are_told(self):
        mark = self.path("r.json")
        for before, after in ((("--every", "7"), ("--every", "5")), (("--points", "5"), ("--every", "7")),
                              (("--points", "5"), ("--points", "5")), (("--every", "7"), ("--points", "9"))):
            self.check(run(*self.CRANK, "--t-end", "0.1", *before, "--checkpoint", mark), SOLVED)
            other = run(*self.CRANK, "--t-end", "0.2", *after, "--resume", mark)
            self.check(other, SOLVED)
            self.assertIn("rows until t = 0.1 are those that were given out before (", other.stdout)
            same = run(*self.CRANK, "--t-end", "0.2" if "--every" in before else "0.1", *before,
                       "--resume", mark)
            self.check(same, SOLVED)
            self.assertNotIn("rows until", same.stdout)

    def test_what_killed_runs_leave_is_cleared_by_the_next(self):
        for _ in range(3):
            process = subprocess.Popen([PROGRAM, *self.CRANK, "--t-end", "1e9", "--every", "1",
                                        "--quiet", "--csv", self.path("a.csv")])
            while not [name for name in os.listdir(self.folder.name) if name.endswith(".tmp")]:
                self.assertIsNone(process.poll())
            process.kill()
            process.wait()
        self.check(run(*self.CRANK, "--t-end", "0.1", "--csv", self.path("b.csv")), SOLVED)
        self.assertEqual(os.listdir(self.folder.name), ["b.csv"])

    @unittest.skipUnless(os.path.exists("/dev/zero"), "needs /dev/zero")
    def test_what_is_no_checkpoint_is_refused_whatever_it_is(self):
        Path(self.path("deep")).write_text("[" * 1000000)
        Path(self.path("deeper")).write_text(
            '{"format": "daewave checkpoint", "version": 5, "a": ' + "[" * 100000 + "]" * 100000 + "}")
        self.check(run(*self.CRANK, "--t-end", "0.1", "--checkpoint", self.path("whole")), SOLVED)
        whole = Path(self.path("whole")).read_bytes()
        Path(self.path("half")).write_bytes(whole[:len(whole) // 2])
        Path(self.path("nearly")).write_bytes(whole[:-3])
        for path in (self.folder.name, "/dev/zero", "/dev/null", self.path("deep"),
                     self.path("deeper"), self.path("half"), self.path("nearly"), PROGRAM):
            with self.subTest(path=path):
                refused = run(*self.CRANK, "--resume", path)
                self.check(refused, BAD_INPUT)
                self.assertIn(path, refused.stderr)

    @staticmethod
    def write_checkpoint(contents, path):
        """With the checksum of what it contains now."""
        contents.pop("checksum")
        checksum = 0xcbf29ce484222325
        for byte in json.dumps(contents, separators=(",", ":")).encode():
            checksum = (checksum ^ byte) * 0x100000001b3 % 2**64
        contents["checksum"] = f"{checksum:016x}"
        Path(path).write_text(json.dumps(contents))

    def test_a_checkpoint_between_nodes_is_refused(self):
        crank = ("solve", "slider-crank", "--method", "srm", "--h", "1e-3")
        self.check(run(*crank, "--t-end", "0.25", "--checkpoint", self.path("r.json")), SOLVED)
        saved = json.loads(Path(self.path("r.json")).read_text())
        saved["t"] = 0.2496
        self.write_checkpoint(saved, self.path("r.json"))
        refused = run(*crank, "--t-end", "0.5", "--resume", self.path("r.json"))
        self.check(refused, BAD_INPUT)
        self.assertIn("cut short", refused.stderr)
        self.assertIn("take the end t = 0.2496, or start anew", refused.stderr)

    def test_a_checkpoint_that_was_changed_is_refused(self):
        crank = ("solve", "slider-crank", "--method", "srm", "--h", "1e-3")
        self.check(run(*crank, "--t-end", "0.25", "--checkpoint", self.path("r.json")), SOLVED)
        saved = json.loads(Path(self.path("r.json")).read_text())
        for change, words in (({"t": 0.2496}, "its checksum is"), ({"step": 249}, "its checksum is"),
                              ({"version": 2.9}, "it has version 2.9"),
                              ({"version": 2}, "had no checksum"),
                              ({"version": 3}, "kept no rows")):
            with self.subTest(change=change):
                Path(self.path("r.json")).write_text(json.dumps(saved | change))
                refused = run(*crank, "--t-end", "0.5", "--resume", self.path("r.json"))
                self.check(refused, BAD_INPUT)
                self.assertIn(words, refused.stderr)
                self.assertIn("start anew", refused.stderr)
        Path(self.path("r.json")).write_text(json.dumps(saved))  # Other white space alone.
        self.check(run(*crank, "--t-end", "0.5", "--resume", self.path("r.json")), SOLVED)

    def test_a_stopped_run_leaves_a_checkpoint_and_a_wrong_one_is_refused(self):
        crank = ("solve", "slider-crank", "--method", "srm", "--h", "1e-6", "--every", "0")
        process = subprocess.Popen([PROGRAM, *crank, "--t-end", "1e9", "--quiet",
                                    "--checkpoint-seconds", "0", "--checkpoint",
                                    self.path("run.json")], stderr=subprocess.PIPE)
        step = self.wait_for_step(1, self.path("run.json"), process)
        process.send_signal(signal.SIGINT)
        process.communicate()
        self.assertEqual(process.returncode, NOT_SOLVED)
        self.assertGreaterEqual(json.loads(Path(self.path("run.json")).read_text())["step"], step)
        for arguments, code, words in (
                (["--resume", self.path("none.json")], BAD_INPUT, "cannot be read"),
                (["--iterates", "2", "--resume", self.path("run.json")], BAD_INPUT,
                 "--iterates 3, this run has 2"),
                (["--set", "turning=1", "--resume", self.path("run.json")], BAD_INPUT,
                 "this run has turning = 1"),
                (["--stepper", "radau", "--resume", self.path("run.json")], BAD_INPUT, "heun"),
                (["--checkpoint", self.path("none/x.json")], BAD_INPUT, "--checkpoint"),
                (["--t-end", "1e-6", "--resume", self.path("run.json")], BAD_INPUT,
                 "ask for a later end"),
                (["--threads", "2"], BAD_INPUT, "--loops pipelined")):
            result = run(*crank, *arguments)
            self.check(result, code)
            self.assertIn(words, result.stderr)
        full = run(*crank, "--checkpoint-seconds", "0", "--checkpoint", "/dev/full")
        self.check(full, NOT_SOLVED)
        self.assertIn("/dev/full", full.stderr)


if __name__ == "__main__":
    unittest.main()
