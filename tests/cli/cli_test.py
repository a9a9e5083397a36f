#!/usr/bin/env python3
"""Runs the program as a user does: what it prints, writes and returns.

usage: cli_test.py PROGRAM
"""

import csv
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

PROGRAM = ""
SOLVED, NOT_SOLVED, BAD_INPUT = 0, 1, 2
KILLS = int(os.environ.get("DAEWAVE_KILLS", "4"))  # Of the test that kills a run.


def run(*arguments, folder=None):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=folder,
                          timeout=120)


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return str(Path(self.folder.name) / name)

    def check(self, result, code):
        self.assertEqual(result.returncode, code, result.stdout[-500:] + result.stderr[-500:])

    def test_list_names_problems_and_tables(self):
        text = run("list")
        self.check(text, SOLVED)
        for name in ("al1-example1", "al1-example2", "al1-example3", "al1-example4", "lin", "ap91",
                     "al2-example3.1", "al2-example6.1", "al2-example6.2", "al2-example6.3",
                     "al2-example6.4", "slider-crank", "two-link-arm-1", "two-link-arm-2",
                     "andrews", "pendulum", "chain", "scissors", "al1-5.1", "al1-5.2", "al1-5.3",
                     "al1-5.4", "al1-5.5", "al1-5.6", "al1-5.7", "al2-6.1", "al2-6.2", "al2-6.3",
                     "al2-6.4", "al2-6.5", "acpr-6.1", "acpr-6.2", "acpr-6.4", "eich-pendulum",
                     "eich-3.1"):
            self.assertIn(name, text.stdout)
        listed = json.loads(run("list", "--json").stdout)
        self.assertIn("lin", [problem["name"] for problem in listed["problems"]])
        self.assertIn("al1-5.2", [table["id"] for table in listed["tables"]])

    def test_multistep_formula_with_projection(self):
        done = run("solve", "eich-pendulum", "--method", "bdf-projection", "--order", "5",
                   "--t-end", "2", "--rtol", "1e-9", "--atol", "1e-9", "--metric", "weighted",
                   "--keep-energy", "--form", "index-1", "--explain", "--json", "-")
        self.check(done, SOLVED)
        report = json.loads(done.stdout)
        self.assertLess(report["integration"]["drift_position"], 1e-12)
        for options, text in ((["--method", "bdf-projection", "--order", "7"],
                               "multistep.order = 7: must be between 1 and 6"),
                              (["--method", "bdf-projection", "--onto", "foo"], "known: both"),
                              (["--method", "bdf-projection", "--form", "foo"],
                               "known: eliminated, index-1"),
                              (["--order", "3"], "multistep.order = 3"),
                              (["--onto", "position"], "projection")):
            refused = run("solve", "eich-pendulum", *options)
            self.check(refused, BAD_INPUT)
            self.assertIn(text, refused.stderr)

    def test_multistep_formula_with_multipliers_for_invariants(self):
        method = ("--method", "bdf-projected-invariants")
        done = run("solve", "eich-pendulum", *method, "--order", "5", "--t-end", "2", "--rtol",
                   "1e-9", "--atol", "1e-9", "--keep-energy", "--form", "index-1", "--json", "-")
        self.check(done, SOLVED)
        report = json.loads(done.stdout)
        self.assertLess(report["integration"]["drift_position"], 1e-12)
        for options, text in ((["--order", "7"], "multistep.order = 7: must be between 1 and 6"),
                              (["--metric", "mass"], "projection.metric"),
                              (["--projected-estimate"], "take bdf-projection"),
                              (["--c", "0.1"], "is of adams-moulton"),
                              (["--stepper", "radau"], "stepper = radau")):
            refused = run("solve", "eich-pendulum", *method, *options)
            self.check(refused, BAD_INPUT)
            self.assertIn(text, refused.stderr)
        done = run("solve", "eich-pendulum", "--method", "dcbdf", "--t-end", "1",
                   "--control-multiplier", "--explain")
        self.check(done, SOLVED)
        self.assertIn("multistep.control_multiplier", done.stdout)
        refused = run("solve", "eich-pendulum", *method, "--control-multiplier")
        self.check(refused, BAD_INPUT)
        self.assertIn("multistep.control_multiplier", refused.stderr)
        refused = run("solve", "eich-pendulum", "--method", "projected-invariants", "--order", "3")
        self.check(refused, BAD_INPUT)
        self.assertIn("take bdf-projected-invariants", refused.stderr)

    def test_every_listed_problem_is_solved_to_its_tolerance(self):
        for problem in json.loads(run("list", "--json").stdout)["problems"]:
            if problem["kind"] != "linear boundary value":
                continue
            report = run("solve", problem["name"], "--tolerance", "1e-7", "--json", "-")
            self.check(report, SOLVED)
            report = json.loads(report.stdout)
            self.assertEqual(report["termination"], "converged")
            self.assertLessEqual(report["error"]["x"], 1e-7)

    def test_every_listed_table_has_the_agreed_fields(self):
        for table in json.loads(run("list", "--json").stdout)["tables"]:
            result = run("table", table["id"], "--json", "-")
            self.check(result, SOLVED)
            for entry in json.loads(result.stdout)["entries"]:
                self.assertLessEqual({"row", "column", "computed", "printed", "ratio", "misprint",
                                      "agrees"}, set(entry))
                self.assertTrue(entry["misprint"] or entry["agrees"])

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
            self.check(result, SOLVED)
            line = next(line for line in result.stdout.splitlines() if "reference" in line)
            errors.append(float(line.split("reference: ")[1].split()[0]))
        self.assertLess(errors[1], errors[0] / 10)
        self.assertLess(errors[2], errors[1])  # Heun's formula has h^2 of its own.

    def test_options_of_initial_value_solves_are_checked(self):
        for arguments, words in (
                (["pendulum", "--h", "-1"], "h = -1"),
                (["pendulum", "--method", "foo"], "known: srm"),
                (["pendulum", "--stepper", "foo"], "known: forward-euler"),
                (["pendulum", "--variant", "foo"], "known: direct"),
                (["pendulum", "--metric", "foo"], "known: mass, orthogonal"),
                (["pendulum", "--order", "foo"], "known: step-local, sweeps"),
                (["pendulum", "--rtol", "2"], "rtol = 2"),
                (["pendulum", "--scheme", "gauss"], "take --stepper"),
                (["pendulum", "--intervals", "10"], "take --h"),
                (["chain", "--links", "0"], "links = 0"),
                (["pendulum", "--links", "3"], "no parameter"),
                (["pendulum", "--stepper", "heun"], "give h, or use dopri5"),
                (["al1-example1", "--method", "srm"], "solve it as a boundary value problem"),
                (["pendlum"], "known: pendulum")):
            result = run("solve", *arguments)
            self.check(result, BAD_INPUT)
            self.assertIn(words, result.stderr)

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
        self.assertIn("h: must be given with method = symmetric-projection", refused.stderr)

    def test_a_time_limit_leaves_the_part_that_is_valid(self):
        result = run("solve", "slider-crank", "--method", "srm", "--h", "1e-6", "--every", "1000",
                     "--time-limit", "0.5", "--csv", self.path("part.csv"))
        self.check(result, NOT_SOLVED)
        self.assertIn("time limit", result.stderr)
        with open(self.path("part.csv"), newline="") as file:
            times = [float(row["t"]) for row in csv.DictReader(file)]
        self.assertTrue(0 < times[-1] < 70)
        self.assertEqual(times, sorted(times))

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
                                 (["--shooting-back"], "shooting_back: is of constraints"),
                                 (["--threads", "2"], "linear problems"),
                                 (["--epsilon", "1e-3"], "epsilon: is of constraints"),
                                 (["--set", "e=-1"], "e = -1")):
            refused = run("solve", "swirling-flow", *arguments)
            self.check(refused, BAD_INPUT)
            self.assertIn(words, refused.stderr)
        unmet = run("solve", "corner-layer", "--set", "e=1e-12", "--tolerance", "1e-10",
                    "--time-limit", "20")
        self.check(unmet, NOT_SOLVED)

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

    @staticmethod
    def lane_sets():
        """Instruction sets of this machine."""
        try:
            flags = Path("/proc/cpuinfo").read_text().split()
        except OSError:
            flags = []
        sets = ["auto", "sse2"]
        if {"avx2", "fma"} <= set(flags):
            sets.append("avx2")
        if {"avx2", "fma", "avx512f", "avx512vl", "avx512dq"} <= set(flags):
            sets.append("avx512")
        return sets

    def test_lanes_of_every_instruction_set_write_the_same_bytes(self):
        crank = ("solve", "slider-crank", "--method", "srm", "--h", "1e-3", "--t-end", "3")
        self.check(run(*crank, "--csv", self.path("alone.csv")), SOLVED)
        written = set()
        for simd in self.lane_sets():
            result = run(*crank, "--order", "lanes", "--simd", simd, "--explain", "--csv",
                         self.path("lanes.csv"))
            self.check(result, SOLVED)
            if simd != "auto":
                self.assertIn(f"3 of 4 lanes, {simd}", result.stdout)
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
        for more in ((), ("--order", "lanes"), ("--order", "lanes", "--threads", "2")):
            self.check(run(*sweep, *more, "--csv", self.path("sweep.csv")), SOLVED)
            with open(self.path("sweep.csv"), newline="") as file:
                tables.append(list(csv.DictReader(file)))
        self.assertEqual(len(tables[0]), 11)
        for alone, lanes, threads in zip(*tables, strict=True):
            for name in alone:
                if name in ("seconds", "evaluations"):
                    continue
                self.assertEqual(lanes[name], threads[name])
                self.assertAlmostEqual(float(alone[name]), float(lanes[name]), delta=1e-11)

    def test_what_lanes_cannot_do_is_refused(self):
        crank = ["slider-crank", "--method", "srm", "--h", "1e-3", "--t-end", "1"]
        lanes = crank + ["--order", "lanes"]
        for arguments, words in (
                (lanes + ["--simd", "mmx"], "known: auto, sse2, avx2, avx512"),
                (crank + ["--simd", "sse2"], "is for --method srm --order lanes"),
                (lanes + ["--threads", "2"], "--order pipelined"),
                (lanes + ["--iterates", "9"], "has 8 iterates at most"),
                (lanes + ["--stepper", "radau"], "radau is implicit"),
                (lanes + ["--checkpoint", self.path("run.json")], "has no checkpoints"),
                (lanes + ["--stepper", "dopri5", "--points", "5"], "the ends of steps of dopri5"),
                (["slider-crank", "--method", "srm", "--order", "lanes"], "needs a fixed h"),
                (["pendulum", "--method", "srm", "--h", "1e-3", "--order", "lanes"],
                 "pendulum is not compiled for lanes")):
            result = run("solve", *arguments)
            self.check(result, BAD_INPUT)
            self.assertIn(words, result.stderr)

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

    def test_check_tells_index_conditions_and_singular_points(self):
        result = run("check", "al1-example1")
        self.check(result, SOLVED)
        for words in ("index 2", "singular at t = 0.5", "1 coupling both ends"):
            self.assertIn(words, result.stdout)

    def test_files_hold_the_solution(self):
        result = run("solve", "al1-example1", "--tolerance", "1e-8", "--csv", self.path("s.csv"),
                     "--npy", self.path("s.npy"), "--json", self.path("s.json"), "--svg",
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

    def test_points_are_equidistant(self):
        self.check(run("solve", "lin", "--intervals", "100", "--points", "11", "--csv",
                       self.path("p.csv")), SOLVED)
        with open(self.path("p.csv"), newline="") as file:
            times = [float(row["t"]) for row in csv.DictReader(file)]
        self.assertEqual(times, [10.0 * i for i in range(11)])

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
                         {"forward", "backward", "redone"})

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

    def test_bad_input_names_value_and_rule_before_work_starts(self):
        cases = {
            ("solve", "nothing"): "al1-example1",
            ("solve", "lin", "--epsilon", "0"): "epsilon = 0: must be > 0",
            ("solve", "lin", "--epsilon", "-1e-3"): "must be > 0",
            ("solve", "lin", "--scheme", "euler"): "known: gauss, radau, lobatto, midpoint",
            ("solve", "lin", "--stages", "9"): "stages = 9",
            ("solve", "lin", "--intervals", "0"): "intervals = 0: must be >= 1",
            ("solve", "lin", "--solver", "umfpak"): "known: auto, block_lu",
            ("solve", "lin", "--partitions", "0"): "partitions = 0: must be >= 1",
            ("solve", "lin", "--intervals", "20", "--partitions", "21"): "at most the number",
            ("solve", "lin", "--solver", "eigen", "--partitions", "2"): "parallel_block",
            ("solve", "pendulum", "--partitions", "2"): "--partitions",
            ("solve", "lin", "--tolerance", "nan"): "tolerance",
            ("solve", "lin", "--set", "t_end=3"): "t-end",
            ("solve", "lin", "--set", "t-end"): "NAME=NUMBER",
            ("solve", "lin", "--t-end", "-1"): "t-end = -1",
            ("solve", "lin", "--points", "1"): "--points 1",
            ("solve", "lin", "--csv", "/no/such/folder/a.csv"): "/no/such/folder",
            ("solve", "lin", "--csv", "/"): "is a directory",
            ("solve", "lin", "-q", "-v"): "",
            ("solve", "al1-example1", "--singular", "jump"): "limits",
            ("table", "al1-9.9"): "al1-5.1",
            ("check", "nothing"): "lin",
            ("frobnicate",): "",
            (): "",
        }
        for arguments, words in cases.items():
            with self.subTest(arguments=arguments):
                result = run(*arguments)
                self.check(result, BAD_INPUT)
                self.assertIn(words, result.stderr)
                self.assertEqual(result.stdout, "")

    def test_quiet_prints_nothing_and_explain_prints_reasons(self):
        quiet = run("solve", "ap91", "-q")
        self.check(quiet, SOLVED)
        self.assertEqual(quiet.stdout + quiet.stderr, "")
        explained = run("solve", "ap91", "--explain")
        self.assertRegex(explained.stdout, r"scheme +=.*\(.+\)")

    def test_a_solve_on_standard_output_is_only_data(self):
        result = run("solve", "ap91", "--csv", "-")
        self.check(result, SOLVED)
        self.assertTrue(result.stdout.startswith("t,x1,x2,"))

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk_is_an_error(self):
        result = run("solve", "ap91", "--csv", "/dev/full")
        self.assertNotEqual(result.returncode, SOLVED)
        self.assertIn("/dev/full", result.stderr)

    def test_a_time_limit_and_ctrl_c_end_the_solve(self):
        slow = ("solve", "lin", "--t-end", "100000", "--tolerance", "1e-12")
        limited = run(*slow, "--time-limit", "0.2")
        self.check(limited, NOT_SOLVED)
        self.assertIn("time limit", limited.stderr)
        process = subprocess.Popen([PROGRAM, *slow], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, NOT_SOLVED)
        self.assertIn("Ctrl-C", error)


if __name__ == "__main__":
    PROGRAM = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
