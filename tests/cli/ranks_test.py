#!/usr/bin/env python3
"""The program over processes that MPI has started.

usage: ranks_test.py PROGRAM DAEWAVE-MPI MPIRUN
"""

import csv
import json
import os
import signal
import subprocess
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

if len(sys.argv) < 4:
    sys.exit(__doc__.strip().splitlines()[-1])
OVER_RANKS, MPIRUN = str(Path(sys.argv.pop(2)).resolve()), sys.argv.pop(2)

from program import BAD_INPUT, NOT_SOLVED, SOLVED, ProgramTest, run

ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
SIZES = 1, 2, 7
SECONDS = 10  # In which ranks end where one of them is gone.
SRM = ("solve", "pendulum", "--method", "srm", "--h", "1e-3", "--iterates", "3", "--set")
SHORT, RUN = (*SRM, "t-end=1"), (*SRM, "t-end=2")
LIN = ("solve", "lin", "--set", "t-end=50", "--intervals", "3000", "--stages", "3")


def words(size, *arguments):
    return [MPIRUN, "--oversubscribe", "-n", str(size), OVER_RANKS, *arguments]


def over(size, *arguments):
    # A folder of its own: what runs beside it removes the one of all when it ends.
    with TemporaryDirectory() as folder:
        return subprocess.run(words(size, *arguments), capture_output=True, text=True,
                              env={**ENVIRONMENT, "TMPDIR": folder})


def over_each(sizes, *arguments):
    """At once, as starting them takes most of the time; {} in a word becomes the size."""
    with ThreadPoolExecutor(len(sizes)) as pool:
        return list(pool.map(lambda size: over(size, *(word.format(size) for word in arguments)), sizes))


def begin(size, *arguments):
    return subprocess.Popen(words(size, *arguments), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)


def children(process):
    """Ranks that mpirun has started."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            if int(stat[1]) == process.pid and OVER_RANKS in (entry / "cmdline").read_text():
                found.append(int(entry.name))
        except OSError:
            pass
    return sorted(found)


def table_of(path):
    """Rows without the time that they took."""
    with open(path, newline="", encoding="utf-8") as file:
        return [{name: value for name, value in row.items() if name != "seconds"}
                for row in csv.DictReader(file)]


class Ranks(ProgramTest):
    def test_a_mesh_that_is_shared_gives_the_bytes_of_one_machine(self):
        self.check(run(*LIN, "--partitions", "46", "--csv", self.path("one.csv")), SOLVED)
        one = Path(self.path("one.csv")).read_bytes()
        for size in 1, 4:
            result = over(size, *LIN, "--csv", self.path("many.csv"), "--json", self.path("json"))
            self.check(result, SOLVED)
            self.assertEqual(Path(self.path("many.csv")).read_bytes(), one)
            ranks = json.loads(Path(self.path("json")).read_text(encoding="utf-8"))["ranks"]
            self.assertEqual(len(ranks), size)
            self.assertEqual(sum(rank["intervals"] for rank in ranks), 3000)
            self.assertEqual(result.stdout.count("error against the exact solution"), 1)
        self.check(run(*LIN, "--partitions", "46", "--csv", self.path("one.csv"), "--points", "77"),
                   SOLVED)
        self.check(over(3, *LIN, "--csv", self.path("many.csv"), "--points", "77"), SOLVED)
        self.assertEqual(Path(self.path("many.csv")).read_bytes(),
                         Path(self.path("one.csv")).read_bytes())

    def test_a_mesh_that_ranks_choose_gives_the_bytes_of_one_machine(self):
        problem = ("solve", "lin", "--set", "t-end=60", "--tolerance", "1e-7", "--stages", "3")
        self.check(run(*problem, "--partitions", "24", "--csv", self.path("one.csv")), SOLVED)
        one = Path(self.path("one.csv")).read_bytes()
        for size in 1, 4:
            result = over(size, *problem, "--partitions", "24", "--csv", self.path("many.csv"),
                          "--json", self.path("json"))
            self.check(result, SOLVED)
            self.assertEqual(Path(self.path("many.csv")).read_bytes(), one)
            report = json.loads(Path(self.path("json")).read_text(encoding="utf-8"))
            self.assertEqual(sum(rank["intervals"] for rank in report["ranks"]),
                             report["intervals"])
            self.assertLess(report["error"]["x"], 1e-7)
        tables = []
        for size, result in zip((1, 2, 7), over_each((1, 2, 7), *problem, "--csv", self.path("{}.csv"),
                                                     "--points", "333")):
            self.check(result, SOLVED)
            tables.append(Path(self.path(f"{size}.csv")).read_bytes())
        self.assertEqual(tables, [tables[0]] * 3)

    def test_nonlinear_problems_give_the_same_bytes_on_any_number_of_ranks(self):
        for problem in (("elastica", "--intervals", "900", "--stages", "3"),
                        ("elastica", "--tolerance", "1e-9", "--stages", "2"),
                        ("index-one", "--tolerance", "1e-8", "--stages", "2"),
                        ("lane-emden", "--tolerance", "1e-8", "--stages", "2", "--points", "99"),
                        ("pendulum-bvp", "--intervals", "900", "--stages", "2"),
                        ("al2-example6.1-bvp", "--tolerance", "1e-8", "--stages", "2"),
                        ("two-link-arm-bvp", "--intervals", "600", "--stages", "1",
                         "--scheme", "radau", "--points", "99")):
            tables, errors = [], []
            results = over_each(SIZES, "solve", *problem, "--csv", self.path("{}.csv"), "--json",
                                self.path("{}.json"))
            for size, result in zip(SIZES, results):
                self.check(result, SOLVED)
                tables.append(Path(self.path(f"{size}.csv")).read_bytes())
                errors.append([line for line in result.stdout.splitlines() if "error" in line])
                ranks = json.loads(Path(self.path(f"{size}.json")).read_text(encoding="utf-8"))["ranks"]
                self.assertEqual(len(ranks), size)
            with self.subTest(problem=problem):
                self.assertEqual(tables, [tables[0]] * len(SIZES))
                self.assertEqual(errors, [errors[0]] * len(SIZES))

    def check_same_bytes(self, *problem):
        """On 1, 2 and 7 ranks; the last of them with what they told but for their own lines."""
        tables, told = [], []
        results = over_each(SIZES, "solve", *problem, "--csv", self.path("{}.csv"))
        for size, result in zip(SIZES, results):
            self.check(result, SOLVED)
            tables.append(Path(self.path(f"{size}.csv")).read_bytes())
            told.append([line for line in result.stdout.splitlines() if "error" in line or "reached" in line])
        self.assertEqual(tables, [tables[0]] * len(SIZES))
        self.assertEqual(told, [told[0]] * len(SIZES))
        return tables[0]

    def test_infinite_intervals_give_the_same_bytes_on_any_number_of_ranks(self):
        for problem in (("wedge-flow", "--tolerance", "1e-6"),
                        ("wedge-flow", "--tolerance", "1e-8", "--stages", "2"),
                        ("rotating-disk", "--tolerance", "1e-7", "--stages", "2", "--points", "77")):
            with self.subTest(problem=problem):
                self.check_same_bytes(*problem)

    def test_branches_give_the_same_bytes_on_any_number_of_ranks(self):
        for problem in (("swirling-flow", "--continue", "e=0.1:0.02", "--tolerance", "1e-7", "--stages", "2"),
                        ("swirling-flow", "--continue", "e=0.1:0.07", "--arclength", "--tolerance", "1e-6",
                         "--stages", "2"),
                        ("pendulum-bvp", "--continue", "t-end=0.3:0.4", "--tolerance", "1e-6"),
                        ("wedge-flow", "--continue", "m=0:1", "--tolerance", "1e-6")):
            with self.subTest(problem=problem):
                found = []
                results = over_each(SIZES, "solve", *problem, "--csv", self.path("{}.csv"), "--branch",
                                    self.path("{}-branch.csv"))
                for size, result in zip(SIZES, results):
                    self.check(result, SOLVED)
                    found.append(Path(self.path(f"{size}.csv")).read_bytes()
                                 + Path(self.path(f"{size}-branch.csv")).read_bytes())
                self.assertEqual(found, [found[0]] * len(SIZES))

    def test_a_small_mesh_that_ranks_choose_is_written_once(self):
        problem = ("solve", "lin", "--set", "t-end=5", "--tolerance", "1e-3")
        tables = []
        for size in 1, 7:
            self.check(over(size, *problem, "--csv", self.path("many.csv")), SOLVED)
            tables.append(Path(self.path("many.csv")).read_bytes())
        self.assertEqual(tables[1], tables[0])

    def check_refused(self, cases):
        """Each once. At once, as two seconds pass until all ranks have ended."""
        with ThreadPoolExecutor(len(cases)) as pool:
            results = list(pool.map(lambda case: over(2, *case[0]), cases))
        for (arguments, word), result in zip(cases, results):
            with self.subTest(arguments=arguments):
                self.check(result, BAD_INPUT)
                self.assertEqual(result.stderr.count("daewave-mpi: "), 1, result.stderr)
                self.assertIn(word, result.stderr)

    def test_what_ranks_cannot_do_is_refused_once(self):
        self.check_refused(((("solve", "lin", "--continue", "t-end=1:2"), "--continue"),
                            (("solve", "elastica", "--arclength"), "--continue NAME"),
                            (("solve", "pendulum"), "--loops pipelined"),
                            (("solve", "taylor-green"), "daewave solve"),
                            (("solve", "elastica", "--method", "srm"), "daewave solve"),
                            ((*LIN, "--svg", self.path("svg")), "--csv"),
                            ((*LIN, "--csv", "/no/such/folder/x.csv"), "/no/such/folder"),
                            ((*LIN, "--partitions", "1"), "--partitions 2")))

    def test_a_rank_that_is_killed_ends_the_others(self):
        for arguments in ((*LIN[:4], "--intervals", "2000000"),
                          (*LIN[:4], "--tolerance", "1e-13", "--stages", "1"),
                          (*SRM[:4], "--loops", "pipelined", "--h", "1e-7", "--every", "100000")):
            with self.subTest(arguments=arguments):
                self.check_killed(*arguments)

    def test_iterates_over_ranks_give_the_bytes_of_one_machine(self):
        self.check(run(*RUN, "--csv", self.path("one.csv"), "--json", self.path("json")), SOLVED)
        one = Path(self.path("one.csv")).read_bytes()
        for size in 1, 2, 3:
            result = over(size, *RUN, "--loops", "pipelined", "--csv", self.path("many.csv"),
                          "--json", self.path("json"))
            self.check(result, SOLVED)
            self.assertEqual(Path(self.path("many.csv")).read_bytes(), one)
            ranks = json.loads(Path(self.path("json")).read_text(encoding="utf-8"))["ranks"]
            self.assertEqual(sum(rank["iterates"] for rank in ranks), 3)
            self.assertEqual(len(ranks), size)

    def test_iterates_over_ranks_go_on_from_a_checkpoint(self):
        loops = (*RUN, "--loops", "pipelined")
        self.check(run(*RUN, "--csv", self.path("one.csv")), SOLVED)
        self.check(over(2, *SHORT, "--loops", "pipelined", "--checkpoint", self.path("kept")),
                   SOLVED)
        self.check(over(3, *loops, "--resume", self.path("kept"), "--csv", self.path("many.csv")),
                   SOLVED)
        self.assertEqual(Path(self.path("many.csv")).read_bytes(),
                         Path(self.path("one.csv")).read_bytes())

    def test_what_iterates_over_ranks_cannot_do_is_refused_once(self):
        loops = (*RUN, "--loops", "pipelined")
        self.check_refused((((*RUN, "--loops", "sweeps"), "--loops pipelined"),
                            ((*loops, "--threads", "2"), "mpirun"),
                            ((*loops, "--estimate-error"), "--estimate-error"),
                            ((*loops, "--csv", "/no/such/folder/x.csv"), "/no/such/folder")))
        self.assertIn("fewer ranks", over(4, *loops).stderr)

    def check_killed(self, *arguments):
        process = begin(2, *arguments)
        while len(children(process)) < 2:
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        time.sleep(0.5)
        os.kill(children(process)[1], signal.SIGKILL)
        killed = time.monotonic()
        _, told = process.communicate()
        self.assertLess(time.monotonic() - killed, SECONDS)
        self.assertNotEqual(process.returncode, SOLVED)
        self.assertIn("signal 9", told)

    def test_a_full_disk_ends_all_ranks_with_the_reason(self):
        began = time.monotonic()
        result = over(3, *LIN, "--csv", "/dev/full")
        self.assertLess(time.monotonic() - began, SECONDS)
        self.assertEqual(result.returncode, NOT_SOLVED)
        self.assertIn("No space left", result.stderr)

    def test_ranks_of_another_build_are_refused(self):
        other = Path(self.path("daewave-mpi"))
        other.write_bytes(Path(OVER_RANKS).read_bytes() + b"x")
        other.chmod(0o755)
        for first, second in (OVER_RANKS, other), (other, OVER_RANKS):
            result = subprocess.run(
                [MPIRUN, "--oversubscribe", "-n", "1", str(first), *LIN, ":", "-n", "1", str(second), *LIN],
                capture_output=True, text=True, env=ENVIRONMENT)
            self.assertEqual(result.returncode, BAD_INPUT)
            self.assertIn("rank 1 runs another build of", result.stderr)

    def test_a_sweep_over_ranks_gives_the_table_of_one_process(self):
        sweep = ("sweep", "chain", "--vary", "links=1:3:3", "--vary", "t-end=0.1:1:10", "--rtol",
                 "1e-8")
        self.check(run(*sweep, "--csv", self.path("one.csv")), SOLVED)
        result = over(3, *sweep, "--csv", self.path("many.csv"))
        self.check(result, SOLVED)
        self.assertIn("30 of 30 runs solved", result.stdout)
        self.assertEqual(table_of(self.path("many.csv")), table_of(self.path("one.csv")))

    def test_a_part_of_a_sweep_goes_over_ranks(self):
        sweep = ("sweep", "chain", "--vary", "links=1:3:3", "--vary", "t-end=0.1:0.5:5")
        kept = [self.path("1"), self.path("2")]
        self.check(over(3, *sweep, "--shard", "1/2", "--checkpoint", kept[0]), SOLVED)
        self.check(run(*sweep, "--shard", "2/2", "--checkpoint", kept[1]), SOLVED)
        self.check(run("merge", *kept, "--csv", self.path("merged.csv")), SOLVED)
        self.check(run(*sweep, "--csv", self.path("one.csv")), SOLVED)
        self.assertEqual(table_of(self.path("merged.csv")), table_of(self.path("one.csv")))

    def test_a_sweep_that_loses_a_rank_goes_on_where_it_was(self):
        sweep = ("sweep", "chain", "--links", "40", "--vary", "t-end=6:8:24", "--method", "s-both2")
        kept = self.path("kept")
        process = begin(3, *sweep, "--checkpoint", kept, "--csv", self.path("many.csv"))
        while not Path(kept).exists() or Path(kept).read_text().count("\n") < 6:
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        os.kill(children(process)[2], signal.SIGKILL)
        process.communicate()
        self.assertNotEqual(process.returncode, SOLVED)
        self.check(over(2, *sweep, "--resume", kept, "--csv", self.path("many.csv")), SOLVED)
        self.check(run(*sweep, "--csv", self.path("one.csv")), SOLVED)
        self.assertEqual(table_of(self.path("many.csv")), table_of(self.path("one.csv")))


if __name__ == "__main__":
    unittest.main()
