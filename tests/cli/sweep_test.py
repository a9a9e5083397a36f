#!/usr/bin/env python3
"""Sweeps over parameters.

usage: sweep_test.py PROGRAM
"""

import csv
import json
import math
import os
import re
import struct
import subprocess
import time
import unittest
from pathlib import Path

from program import BAD_INPUT, NOT_SOLVED, PROGRAM, SOLVED, ProgramTest, run


MODELS = Path(__file__).resolve().parents[2] / "examples" / "models"


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

    def test_whole_numbers_between_whole_numbers_stay_whole(self):
        table = self.path("sweep.csv")
        for count in (20, 61):
            self.check(run("sweep", "chain", "--vary", f"links=1:{count}:{count}", "--t-end",
                           "0.01", "--rtol", "1e-3", "--csv", table, "-q"), SOLVED)
            with open(table, newline="") as file:
                self.assertEqual([row["links"] for row in csv.DictReader(file)],
                                 [str(n) for n in range(1, count + 1)])
        # Multiples of the difference that no double holds.
        self.check(run("sweep", "pendulum", "--vary", "gravity=1e300:1.7e308:4", "--t-end",
                       "1e-160", "--csv", table, "-q"), SOLVED)
        with open(table, newline="") as file:
            for row, part in zip(csv.DictReader(file), (0, 1 / 3, 2 / 3, 1)):
                self.assertAlmostEqual(float(row["gravity"]) / 1.7e308, part, delta=1e-6)

    def test_runs_of_one_value_are_told_apart_on_a_page(self):
        page = self.path("page.html")
        self.check(run("sweep", "chain", "--vary", "links=2,2", "--vary", "t-end=0.1,0.1000000001",
                       "--report", page, "-q"), SOLVED)
        text = Path(page).read_text(encoding="utf-8")
        self.assertEqual(len(set(re.findall('"label":"(links[^"]*)"', text))), 4)

    def test_states_of_any_size_stand_under_their_names(self):
        # The largest one first, last and between; its columns are those of a run of its own.
        for problem, name, values, more in (("chain", "links", "1,3,2", ("--t-end", "0.5")),
                                            ("lin", "blocks", "2,1", ("--tolerance", "1e-4")),
                                            ("lin", "blocks", "1,2", ("--tolerance", "1e-4")),
                                            (str(MODELS / "chain.toml"), "n", "2,4",
                                             ("--t-end", "0.2"))):
            sweep = ("sweep", problem, "--vary", f"{name}={values}", *more, "-q")
            with self.subTest(sweep):
                kept, table = self.path("kept"), self.path("sweep.npy")
                self.check(run(*sweep, "--csv", self.path("sweep.csv"), "--npy", table,
                               "--checkpoint", kept), SOLVED)
                self.check(run("merge", kept, "--csv", self.path("merged.csv")), SOLVED)
                os.remove(kept)
                rows = self.rows("sweep.csv")
                self.assertEqual(self.rows("merged.csv"), rows)
                for row in rows:
                    self.check(run("solve", problem, "--set", f"{name}={row[name]}", *more,
                                   "--csv", self.path("run.csv"), "-q"), SOLVED)
                    end = self.rows("run.csv")[-1]
                    states = [key for key in row if key.removesuffix("(end)") in end and key != "t"]
                    alone = [key for key in end if re.match(r"[qvx]\d|link", key)]
                    filled = [key.removesuffix("(end)") for key in states if row[key]]
                    self.assertEqual(filled, alone)
                    for key in filled:
                        value = row[key + "(end)" if key + "(end)" in row else key]
                        self.assertAlmostEqual(float(value), float(end[key]), delta=1e-9)
                # The same doubles, and NaN for what is empty; seconds are among them.
                width = len(rows[-1]) + 1
                last = struct.unpack(f"<{width}d", Path(table).read_bytes()[-8 * width:])
                self.assertEqual(sum(map(math.isnan, last)), list(rows[-1].values()).count(""))

    def test_boundary_values_are_swept_too(self):
        page = self.path("page.html")
        table = self.path("sweep.csv")
        model = str(MODELS / "layer.toml")
        swept = run("sweep", model, "--vary", "n=1,2,4", "--csv", table, "--report", page)
        self.check(swept, SOLVED)
        self.assertIn("3 of 3 runs solved", swept.stdout)
        with open(table, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            self.assertAlmostEqual(float(row["u(end)"]), 1, delta=1e-9)
            self.assertLess(float(row["error_estimate"]), 1e-6)
            # The tolerance of the file, and what the command line solves.
            end = run("solve", model, "--set", f"n={row['n']}", "--csv", "-", "-q")
            self.assertAlmostEqual(float(row["s(end)"]),
                                   float(end.stdout.splitlines()[-1].split(",")[2]), delta=1e-5)
        self.assertTrue('"label":"n = 4"' in Path(page).read_text(encoding="utf-8"))
        named = run("sweep", "swirling-flow", "--vary", "e=1,0.1", "--tolerance", "1e-6", "--csv",
                    "-", "-q")
        self.check(named, SOLVED)
        self.assertEqual(len(named.stdout.splitlines()), 3)
        linear = run("sweep", "al1-example1", "--vary", "t-end=1", "-q")
        self.check(linear, BAD_INPUT)
        refused = run("sweep", model, "--vary", "n=1,2", "--rtol", "1e-6")
        self.check(refused, BAD_INPUT)
        self.assertIn("boundary value problem", refused.stderr)
        refused = run("sweep", "chain", "--vary", "links=1,2", "--intervals", "10")
        self.check(refused, BAD_INPUT)
        self.assertIn("--intervals: is for boundary value solves", refused.stderr)

    def test_an_error_that_is_estimated_has_a_column(self):
        for more, ends in (((), {"error_estimate": 1e-3}), (("--h", "0.01"), {"error_estimate": 1})):
            self.check(run("sweep", "pendulum", "--vary", "t-end=1,2", "--estimate-error", *more,
                           "--csv", self.path("sweep.csv"), "-q"), SOLVED)
            for row in self.rows("sweep.csv"):
                report = self.path("report.json")
                self.check(run("solve", "pendulum", "--t-end", row["t-end"], "--every", "0",
                               "--estimate-error", *more, "--json", report, "-q"), SOLVED)
                with open(report, encoding="utf-8") as file:
                    estimate = json.load(file)["error"]["x"]
                self.assertAlmostEqual(float(row["error_estimate"]), estimate, delta=1e-12)
                self.assertTrue(0 < estimate < ends["error_estimate"])
        self.check(run("sweep", "pendulum", "--vary", "t-end=1,2", "--csv",
                       self.path("sweep.csv"), "-q"), SOLVED)
        self.assertNotIn("error_estimate", self.rows("sweep.csv")[0])

    def test_what_the_table_has_no_place_for_is_refused(self):
        table = self.path("sweep.csv")
        sweep = ("sweep", "pendulum", "--vary", "gravity=9,10", "--t-end", "1", "--every", "2", "-q")
        refused = run(*sweep, "--csv", table)
        self.check(refused, BAD_INPUT)
        self.assertIn("--every 2", refused.stderr)
        self.assertFalse(os.path.exists(table))
        self.check(run(*sweep, "--report", self.path("page.html")), SOLVED)

    def test_a_parameter_is_varied_once(self):
        for vary, words in ((("a=1,2", "a=3"), "is varied already"), (("=1,2",), "no parameter")):
            result = run("sweep", "chain", *(word for one in vary for word in ("--vary", one)))
            self.check(result, BAD_INPUT)
            self.assertIn(words, result.stderr)

    def rows(self, name):
        """Without the time that they took."""
        with open(self.path(name), newline="", encoding="utf-8") as file:
            return [{key: value for key, value in row.items() if key != "seconds"}
                    for row in csv.DictReader(file)]

    def test_a_sweep_that_is_killed_again_and_again_ends_with_the_same_table(self):
        # One after the other, and side by side in lanes.
        for sweep in (("sweep", "chain", "--links", "40", "--vary", "t-end=6:7:24", "--method",
                       "s-both2"),
                      ("sweep", "slider-crank", "--vary", "gravity=5:10:96", "--method", "srm",
                       "--h", "2e-4", "--iterates", "2", "--t-end", "0.5")):
            kept = Path(self.path(f"kept-{sweep[1]}"))
            again = (*sweep, "--checkpoint", str(kept), "--csv", self.path("cut.csv"), "--threads",
                     "2", "-q")
            for cut in range(1, 6):
                process = subprocess.Popen([PROGRAM, *again], stderr=subprocess.DEVNULL)
                before = kept.read_text().count("\n") if kept.exists() else 0
                while process.poll() is None and (
                        not kept.exists() or kept.read_text().count("\n") < before + 3):
                    time.sleep(0.002)
                process.kill()
                process.wait()
                # What a kill may leave of a line.
                with open(kept, "a", encoding="utf-8") as file:
                    file.write('{"member":7,"sec'[:3 * cut])
            went = run(*again)
            self.assertEqual(went.returncode, run(*sweep, "--csv", self.path("whole.csv")).returncode)
            self.assertEqual(self.rows("cut.csv"), self.rows("whole.csv"))

    def test_of_a_sweep_that_is_stopped_no_member_that_has_ended_is_lost(self):
        # The third one takes longer than there is time: the others wait behind it.
        sweep = ("sweep", "pendulum", "--vary", "t-end=1,2,1e7,3,4,5,6,7,8", "--method", "s-both2")
        for threads in ("1", "2", "5"):
            with self.subTest(threads=threads):
                kept = Path(self.path(f"kept-{threads}"))
                went = run(*sweep, "--threads", threads, "--time-limit", "0.5", "--checkpoint",
                           str(kept), "--csv", self.path("cut.csv"))
                self.check(went, NOT_SOLVED)
                self.assertIn("stopped by time limit of 0.5 s after", went.stderr)
                ended = sorted(int(found) for found in re.findall('"member":([0-9]+)', kept.read_text()))
                self.assertNotIn(2, ended)
                values = (1, 2, 1e7, 3, 4, 5, 6, 7, 8)
                self.assertEqual([float(row["t-end"]) for row in self.rows("cut.csv")],
                                 [values[number] for number in ended])

    def test_what_is_varied_is_not_set_too(self):
        for words in (("--vary", "t-end=1,2", "--t-end", "3"), ("--vary", "t-end=1,2", "--set", "t-end=3"),
                      ("--vary", "links=1,2", "--vary", "t-end=1,2", "--links", "3")):
            with self.subTest(words):
                refused = run("sweep", "chain", *words)
                self.check(refused, BAD_INPUT)
                self.assertRegex(refused.stderr, "--vary (t-end|links): .* = 3 is set too")
                self.assertEqual(refused.stdout, "")
        # What a file says once is varied.
        file = self.path("decay.toml")
        Path(file).write_text("[dae.differential]\nx = '-x'\n[dae.start]\nx = 1\n[solve]\nt-end = 3\n",
                              encoding="utf-8")
        self.check(run("sweep", file, "--vary", "t-end=1,2", "--csv", self.path("decay.csv")), SOLVED)
        self.assertEqual([row["t-end"] for row in self.rows("decay.csv")], ["1", "2"])

    def test_a_sweep_goes_on_with_none_but_its_own(self):
        sweep = ("sweep", "chain", "--vary", "links=1,2", "--t-end", "0.1")
        kept = self.path("kept")
        missing = run(*sweep, "--resume", kept)
        self.check(missing, BAD_INPUT)
        self.assertIn("--checkpoint", missing.stderr)
        self.check(run(*sweep, "--checkpoint", kept), SOLVED)
        whole = Path(kept).read_bytes()
        for other in (("--rtol", "1e-9"), ("--atol", "1e-9")):
            refused = run(*sweep, *other, "--resume", kept)
            self.check(refused, BAD_INPUT)
            self.assertIn("is of another sweep", refused.stderr)
            self.assertEqual(Path(kept).read_bytes(), whole)
        Path(self.path("letter")).write_text("not of a sweep\n", encoding="utf-8")
        refused = run(*sweep, "--checkpoint", self.path("letter"))
        self.check(refused, BAD_INPUT)
        self.assertIn("is no file of a sweep", refused.stderr)
        self.assertEqual(Path(self.path("letter")).read_text(encoding="utf-8"), "not of a sweep\n")
        # Where all have ended, none runs.
        self.check(run(*sweep, "--resume", kept, "--csv", self.path("again.csv")), SOLVED)
        self.assertEqual(Path(kept).read_bytes(), whole)

    def parts(self, sweep, count):
        kept = [self.path(f"part-{part}") for part in range(1, count + 1)]
        results = [run(*sweep, "--shard", f"{part}/{count}", "--checkpoint", file, "-q")
                   for part, file in enumerate(kept, 1)]
        return kept, results

    def test_parts_of_a_sweep_merge_to_its_table(self):
        # One after the other, side by side in lanes, of boundary values, and of fewer runs than
        # there are parts.
        for sweep in (("sweep", "chain", "--vary", "links=1:3:3", "--vary", "t-end=0.1:0.5:5"),
                      ("sweep", "slider-crank", "--vary", "gravity=1:5:20", "--method", "srm",
                       "--h", "1e-3", "--iterates", "3", "--t-end", "0.2"),
                      ("sweep", "cash-mazzia-1", "--vary", "e=0.1:1:7"),
                      ("sweep", "cash-mazzia-1", "--vary", "e=0.1,1")):
            whole = run(*sweep, "--csv", self.path("whole.csv"))
            self.check(whole, SOLVED)
            kept, results = self.parts(sweep, 3)
            for result in results:
                self.check(result, SOLVED)
            # In any order, and from a file of all.
            merged = run("merge", *kept[::-1], "--csv", self.path("merged.csv"), "--checkpoint",
                         self.path("all"))
            self.check(merged, SOLVED)
            self.assertEqual(merged.stdout, whole.stdout)
            self.assertEqual(self.rows("merged.csv"), self.rows("whole.csv"))
            self.check(run("merge", self.path("all"), "--csv", self.path("again.csv")), SOLVED)
            self.assertEqual(Path(self.path("again.csv")).read_bytes(),
                             Path(self.path("merged.csv")).read_bytes())
            for file in (*kept, self.path("all")):
                os.remove(file)

    def test_a_part_takes_every_nth_run(self):
        result = run("sweep", "cash-mazzia-1", "--vary", "e=1,2,3,4,5,6,7", "--shard", "2/3",
                     "--csv", self.path("part.csv"))
        self.check(result, SOLVED)
        self.assertIn("2 of 2 runs solved, part 2/3 of 7", result.stdout)
        self.assertEqual([row["e"] for row in self.rows("part.csv")], ["2", "5"])

    def test_runs_that_are_in_no_part_are_told_and_can_be_run(self):
        sweep = ("sweep", "cash-mazzia-1", "--vary", "e=1:7:7")
        kept, _ = self.parts(sweep, 3)
        merged = run("merge", kept[0], kept[2], "--csv", self.path("some.csv"), "--checkpoint",
                     self.path("all"))
        self.check(merged, NOT_SOLVED)
        self.assertIn("5 of 7 runs solved", merged.stdout)
        self.assertIn("2 of 7 runs are in none of the files: e = 2; e = 5;", merged.stderr)
        self.assertEqual([row["e"] for row in self.rows("some.csv")], ["1", "3", "4", "6", "7"])
        self.check(run(*sweep, "--resume", self.path("all"), "--csv", self.path("all.csv")), SOLVED)
        self.check(run(*sweep, "--csv", self.path("whole.csv")), SOLVED)
        self.assertEqual(self.rows("all.csv"), self.rows("whole.csv"))

    def test_a_run_that_fails_is_in_the_merged_table_too(self):
        sweep = ("sweep", "chain", "--vary", "links=2,0,3", "--t-end", "0.1")
        whole = run(*sweep, "--csv", self.path("whole.csv"))
        kept, results = self.parts(sweep, 2)
        self.assertEqual([result.returncode for result in results], [SOLVED, NOT_SOLVED])
        merged = run("merge", *kept, "--csv", self.path("merged.csv"))
        self.check(merged, NOT_SOLVED)
        self.assertEqual((merged.stdout, merged.stderr), (whole.stdout, whole.stderr))
        self.assertEqual(self.rows("merged.csv"), self.rows("whole.csv"))
        # It is run again, and said once.
        before = Path(kept[1]).read_bytes()
        self.assertIn(b"must be a whole number", before)
        again = run(*sweep, "--shard", "2/2", "--resume", kept[1])
        self.assertIn("links = 0", again.stderr)
        self.assertEqual(Path(kept[1]).read_bytes(), before)

    def test_files_that_do_not_make_one_sweep_are_not_merged(self):
        kept, _ = self.parts(("sweep", "cash-mazzia-1", "--vary", "e=1,2"), 2)
        other = self.path("other")
        self.check(run("sweep", "cash-mazzia-1", "--vary", "e=1,3", "--checkpoint", other), SOLVED)
        Path(self.path("letter")).write_text("not of a sweep\n", encoding="utf-8")
        Path(self.path("old")).write_text("daewave sweep 1: daewave 0.1.0\n", encoding="utf-8")
        Path(self.path("empty")).touch()
        for files, words in (((kept[0], other), "are of two sweeps"),
                             ((kept[0], self.path("letter")), "is no file of a sweep"),
                             ((self.path("old"),), "of another version"),
                             ((self.path("empty"),), "leave it out"),
                             ((self.path("nothing"),), "cannot be read"),
                             ((str(Path(kept[0]).parent),), "cannot be read")):
            refused = run("merge", *files, "--csv", self.path("none.csv"))
            self.check(refused, BAD_INPUT)
            self.assertIn(words, refused.stderr)
            self.assertFalse(Path(self.path("none.csv")).exists())
        refused = run("merge", *kept, "--csv", kept[1])
        self.check(refused, BAD_INPUT)
        self.assertIn("same file", refused.stderr)
        for shard in ("0/2", "3/2", "1", "1/2/3", "-1/2", "a/b", "/2", "1/", " 1/2", "1e0/2",
                      "99999999999/99999999999"):
            refused = run("sweep", "cash-mazzia-1", "--vary", "e=1,2", f"--shard={shard}")
            self.check(refused, BAD_INPUT)
            self.assertIn("1 <= K <= N", refused.stderr)

    def test_what_cannot_be_read_again_keeps_no_sweep(self):
        os.mkfifo(self.path("pipe"))
        for place in ("/dev/full", "/dev/zero", self.path("pipe")):
            refused = run("sweep", "pendulum", "--vary", "gravity=1,2", "--checkpoint", place)
            self.check(refused, BAD_INPUT)
            self.assertIn("is a device, a pipe or a socket", refused.stderr)

    def test_options_that_are_wrong_for_every_run_are_refused_at_once(self):
        for problem, vary, options in (("pendulum", "gravity=1:9:3", ("--rtol", "1e-17")),
                                       ("pendulum", "gravity=1:9:3", ("--stages", "99", "--stepper", "radau")),
                                       ("swirling-flow", "e=1:0.1:3", ("--tolerance", "1e-15")),
                                       ("swirling-flow", "e=1:0.1:3", ("--stages", "99")),
                                       ("lin", "t-end=1:2:2", ("--tolerance", "1e-15"))):
            with self.subTest(problem, options=options):
                refused = run("sweep", problem, "--vary", vary, *options, "--csv", self.path("none.csv"))
                self.check(refused, BAD_INPUT)
                self.assertIn("daewave: --" + options[0][2:], refused.stderr)
                self.assertEqual(refused.stderr.count("\n"), 1)
                self.assertFalse(Path(self.path("none.csv")).exists())
        # What is wrong for one of them is told of that one, by options as they are typed.
        result = run("sweep", "lin", "--vary", "t-end=1,3", "--fixed-nodes", "2", "--tolerance", "1e-4")
        self.check(result, NOT_SOLVED)
        self.assertIn("not solved: t-end = 1: --fixed-nodes: 2 must be inside", result.stderr)
        self.assertIn("1 of 2 runs solved", result.stdout)

    def test_a_first_value_that_is_wrong_is_a_row_as_any_other(self):
        for problem, bad, good, more in (("pendulum", "gravity=-1", "2,1", ("--t-end", "1")),
                                         ("chain", "links=0", "3,2", ("--t-end", "0.1")),
                                         ("lin", "blocks=0", "2,1", ("--tolerance", "1e-4")),
                                         ("cash-mazzia-1", "e=-1", "1,0.5", ()),
                                         (str(MODELS / "chain.toml"), "n=0", "2,1", ("--t-end", "0.1"))):
            with self.subTest(problem):
                name, value = bad.split("=")
                tables = []
                for values in (f"{value},{good}", f"{good},{value}"):
                    result = run("sweep", problem, "--vary", f"{name}={values}", *more, "--csv",
                                 self.path("sweep.csv"))
                    self.check(result, NOT_SOLVED)
                    self.assertIn(f"not solved: {name} = {value}:", result.stderr)
                    rows = self.rows("sweep.csv")
                    self.assertEqual([row[name] for row in rows], values.split(","))
                    tables.append([row for row in rows if row["solved"] == "1"])
                    self.assertEqual([row[name] for row in tables[-1]], good.split(","))
                self.assertEqual(tables[0], tables[1])
                self.check(run("sweep", problem, "--vary", f"{bad},{value}", *more), BAD_INPUT)

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
