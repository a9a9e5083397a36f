#!/usr/bin/env python3
"""What the program is as a whole: lists, tables, bad input, streams, limits.

usage: program_test.py PROGRAM
"""

import json
import os
import signal
import subprocess
import unittest

from program import BAD_INPUT, NOT_SOLVED, PROGRAM, SOLVED, ProgramTest, run


class Program(ProgramTest):
    def test_list_names_problems_and_tables(self):
        text = run("list")
        self.check(text, SOLVED)
        for name in ("al1-example1", "al1-example2", "al1-example3", "al1-example4", "lin", "ap91",
                     "al2-example3.1", "al2-example6.1", "al2-example6.2", "al2-example6.3",
                     "al2-example6.4", "slider-crank", "two-link-arm-1", "two-link-arm-2",
                     "andrews", "car-axis", "pendulum", "chain", "scissors", "al1-5.1", "al1-5.2", "al1-5.3",
                     "al1-5.4", "al1-5.5", "al1-5.6", "al1-5.7", "al2-6.1", "al2-6.2", "al2-6.3",
                     "al2-6.4", "al2-6.5", "acpr-6.1", "acpr-6.2", "acpr-6.4", "eich-pendulum",
                     "eich-3.1"):
            self.assertIn(name, text.stdout)
        listed = json.loads(run("list", "--json").stdout)
        self.assertIn("lin", [problem["name"] for problem in listed["problems"]])
        self.assertIn("al1-5.2", [table["id"] for table in listed["tables"]])
        for problem in listed["problems"]:
            self.assertIn(f"  {problem['name']}  ", text.stdout)

    def test_every_listed_table_has_the_agreed_fields(self):
        for table in json.loads(run("list", "--json").stdout)["tables"]:
            result = run("table", table["id"], "--json", "-")
            self.check(result, SOLVED)
            for entry in json.loads(result.stdout)["entries"]:
                self.assertLessEqual({"row", "column", "computed", "printed", "ratio", "misprint",
                                      "agrees"}, set(entry))
                self.assertTrue(entry["misprint"] or entry["agrees"])

    def test_bad_input_names_value_and_rule_before_work_starts(self):
        cases = {
            ("solve", "nothing"): "al1-example1",
            ("solve", "lin", "--epsilon", "0"): "--epsilon 0: must be > 0",
            ("solve", "lin", "--epsilon", "-1e-3"): "must be > 0",
            ("solve", "lin", "--scheme", "euler"): "known: gauss, radau, lobatto, midpoint",
            ("solve", "lin", "--stages", "9"): "--stages 9",
            ("solve", "lin", "--intervals", "0"): "--intervals 0: must be >= 1",
            ("solve", "lin", "--solver", "umfpak"): "known: auto, block_lu",
            ("solve", "lin", "--partitions", "0"): "--partitions 0: must be >= 1",
            ("solve", "lin", "--intervals", "20", "--partitions", "21"): "at most the number",
            ("solve", "lin", "--solver", "eigen", "--partitions", "2"): "parallel_block",
            ("solve", "pendulum", "--partitions", "2"): "--partitions",
            ("solve", "lin", "--samples", "0"): "--samples 0: must be >= 1",
            ("solve", "lin", "--samples", "2147483647"): "--samples 2147483647: must be <= 10000000",
            ("solve", "lin", "--max-intervals", "0"): "--max-intervals 0: must be >= 1",
            ("solve", "pendulum", "--samples", "2000"): "--samples",
            ("solve", "pendulum", "--residual-tolerance", "1e-3"): "--residual-tolerance",
            ("solve", "lin", "--residual-tolerance", "1e-3"): "--residual-tolerance: is of nonlinear",
            ("solve", "elastica", "--residual-tolerance", "0"): "--residual-tolerance 0: must be > 0",
            ("solve", "elastica", "--residual-tolerance", "1e-3", "--intervals", "9"):
                "--residual-tolerance: is met by refining the mesh",
            ("solve", "pendulum", "--max-intervals", "20"): "--max-intervals",
            ("solve", "lin", "--tolerance", "nan"): "tolerance",
            ("solve", "lin", "--truncation", "5"): "--truncation: is of infinite intervals",
            ("solve", "measles", "--truncation", "5"): "--truncation: is of infinite intervals",
            ("solve", "wedge-flow", "--truncation", "0"): "--truncation 0: must be > 0",
            ("solve", "wedge-flow", "--continue", "m=0:1", "--arclength"): "infinite interval",
            ("solve", "pendulum", "--truncation", "5"): "--truncation",
            ("solve", "lin", "--absolute", "1e-6,x"): "--absolute 1e-6,x: must be a number, or one",
            ("solve", "lin", "--relative", "1e-6,"): "--relative 1e-6,: must be a number, or one",
            ("solve", "lin", "--absolute", "0"): "--absolute 0: must be > 0",
            ("solve", "lin", "--relative", "1e-6,1e-6"): "has 2 entries, x has 4",
            ("solve", "pendulum", "--absolute", "1e-6"): "take --atol",
            ("solve", "lin", "--set", "t_end=3"): "t-end",
            ("solve", "lin", "--set", "t-end"): "NAME=NUMBER",
            ("solve", "lin", "--t-end", "-1"): "t-end = -1",
            ("solve", "lin", "--points", "1"): "--points 1",
            ("solve", "lin", "--csv", "/no/such/folder/a.csv"): "/no/such/folder",
            ("solve", "lin", "--csv", "/"): "is a directory",
            ("solve", "lin", "--csv", ""): "--csv: has an empty value",
            ("solve", "lin", "--csv="): "--csv",
            ("solve", "pendulum", "--checkpoint", ""): "--checkpoint: has an empty value",
            ("solve", "elastica", "--continue", ""): "--continue: has an empty value",
            ("sweep", "lin", "--vary", "t-end=1,2", "--shard", ""): "--shard: has an empty value",
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
        # Over before the solve has begun, on any machine.
        for slow in (("lin", "--t-end", "1000", "--tolerance", "1e-12"),
                     ("swirling-flow", "--tolerance", "1e-8"),
                     ("slider-crank", "--method", "srm", "--h", "1e-6", "--every", "0")):
            limited = run("solve", *slow, "--time-limit", "1e-9")
            self.check(limited, NOT_SOLVED)
            self.assertIn("time limit", limited.stderr)
        for number, reason in ((signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "termination signal")):
            endless = ("solve", "slider-crank", "--method", "srm", "--h", "1e-6", "--every", "0",
                       "--t-end", "1e9", "--checkpoint-seconds", "0", "--checkpoint",
                       self.path(f"{reason}.json"))
            process = subprocess.Popen([PROGRAM, *endless], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
            self.wait_for_step(1, self.path(f"{reason}.json"), process)
            process.send_signal(number)
            _, error = process.communicate()
            self.assertEqual(process.returncode, NOT_SOLVED)
            self.assertIn(reason, error)


if __name__ == "__main__":
    unittest.main()
