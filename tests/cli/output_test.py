#!/usr/bin/env python3
"""Where output goes: full disks, closed streams, and one file for two things.

usage: output_test.py PROGRAM
"""

import os
import shutil
import subprocess
import unittest
from pathlib import Path

from program import BAD_INPUT, NOT_SOLVED, PROGRAM, SOLVED, ProgramTest, run

COMMANDS = (("list",), ("list", "--json"), ("solve", "ap91"), ("solve", "ap91", "--verbose"),
            ("solve", "ap91", "--csv", "-"), ("solve", "swirling-flow"),
            ("solve", "pendulum", "--t-end", "0.1"), ("check", "ap91"), ("check", "measles"),
            ("check", "pendulum"), ("table", "al1-5.1"), ("table", "al1-5.1", "--json", "-"),
            ("sweep", "chain", "--vary", "links=1,2", "--t-end", "0.01"),
            ("sweep", "chain", "--vary", "links=1,2", "--t-end", "0.01", "--csv", "-"),
            ("--help",), ("solve", "--help"), ("--version",))


class Outputs(ProgramTest):
    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_every_command_tells_that_its_output_was_lost(self):
        for command in COMMANDS:
            with self.subTest(command=command), open("/dev/full", "w", encoding="utf-8") as full:
                lost = subprocess.run([PROGRAM, *command], stdout=full, stderr=subprocess.PIPE,
                                      text=True)
                self.assertEqual(lost.returncode, NOT_SOLVED, lost.stderr)
                self.assertIn("standard output", lost.stderr)
                self.assertIn("No space left on device", lost.stderr)
                self.assertNotIn("internal error", lost.stderr)

    def test_what_was_asked_for_is_no_complaint(self):
        for command in (("--help",), ("solve", "--help"), ("--version",), ("help",), ("list",), ("man",)):
            with self.subTest(command=command):
                result = run(*command)
                self.assertEqual(result.returncode, SOLVED)
                self.assertEqual(result.stderr, "")

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_lost_words_cost_no_file(self):
        # More words than a buffer holds, before the files are written.
        with open("/dev/full", "w", encoding="utf-8") as full:
            lost = subprocess.run([PROGRAM, "solve", "lin", "--shooting-back", "--verbose",
                                   "--intervals", "100", "--json", self.path("lin.json")],
                                  stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(lost.returncode, NOT_SOLVED, lost.stderr)
        self.assertIn("forward", Path(self.path("lin.json")).read_text())

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_file_that_cannot_be_written_costs_neither_words_nor_other_files(self):
        solve = ("--csv", "--npy", "--json", "--svg")
        for command, options, words in (
                (("solve", "ap91"), solve, "error estimate"),
                (("solve", "lin", "--shooting-back", "--intervals", "1000", "--set", "t-end=1"),
                 solve, "redone pass"),
                (("solve", "swirling-flow", "--tolerance", "1e-3"), solve, "error estimate"),
                (("solve", "swirling-flow", "--continue", "e=1:0.1", "--tolerance", "1e-3"),
                 ("--branch", *solve), "e = 0.1 reached in"),
                (("solve", "pendulum", "--t-end", "0.1"), solve, "drift: position"),
                (("table", "acpr-6.1"), ("--json",), "computed/printed"),
                (("sweep", "chain", "--vary", "links=1,2", "--t-end", "0.01"), ("--csv", "--npy"),
                 "2 of 2 runs solved")):
            for lost in options:
                with self.subTest(command=command, lost=lost):
                    others = [option for option in options if option != lost]
                    files = [self.path(option) for option in others]
                    named = [word for pair in zip(others, files) for word in pair]
                    result = run(*command, lost, "/dev/full", *named)
                    self.check(result, NOT_SOLVED)
                    self.assertIn(words, result.stdout)
                    self.assertIn("/dev/full", result.stderr)
                    self.assertIn("No space left on device", result.stderr)
                    for file in files:
                        os.remove(file)
        both = run("solve", "ap91", "--csv", "/dev/full", "--json", "/dev/full")
        self.assertEqual(both.stderr.count("No space left on device"), 2)

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_lost_complaints_change_no_exit_code(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            for command, code in ((("solve", "nothing"), BAD_INPUT), (("frobnicate",), BAD_INPUT),
                                  (("solve", "lin", "--shooting-back", "--intervals", "1000", "-q"),
                                   NOT_SOLVED), (("list",), SOLVED)):
                done = subprocess.run([PROGRAM, *command], stdout=subprocess.PIPE, stderr=full)
                self.assertEqual(done.returncode, code, command)

    # A disk of 64 kB that is really full, seen by these commands alone.
    FULL = """mount -t tmpfs -o size=64k tmpfs "$0" && cd "$0" && echo old > out || exit 77
"$@" >&2; code=$?; head -c 20 out; ls; exit $code"""

    def on_full_disk(self, *command):
        return subprocess.run(["unshare", "--mount", "--map-root-user", "sh", "-c", self.FULL,
                               self.folder.name, PROGRAM, *command], capture_output=True, text=True)

    def test_a_full_disk_costs_no_old_file_and_leaves_no_temporary(self):
        if shutil.which("unshare") is None or self.on_full_disk("list").returncode != SOLVED:
            self.skipTest("needs a mount of its own")
        run_ = ("solve", "pendulum", "--t-end", "10", "--h", "1e-3", "--every", "1")
        for command in ((*run_, "--csv", "out"), (*run_, "--npy", "out"), (*run_, "--svg", "out"),
                        (*run_, "--report", "out"),
                        ("solve", "al1-example1", "--points", "10000", "--csv", "out"),
                        ("sweep", "pendulum", "--vary", "gravity=1:20:2000", "--t-end", "0.01",
                         "--quiet", "--csv", "out")):
            with self.subTest(command=command):
                result = self.on_full_disk(*command)
                self.check(result, NOT_SOLVED)
                self.assertIn("cannot be written: No space left on device; free some space",
                              result.stderr)
                self.assertEqual(result.stdout, "old\nout\n")

    def test_a_checkpoint_that_finds_no_room_ends_the_run_and_leaves_the_one_before(self):
        if shutil.which("unshare") is None or self.on_full_disk("list").returncode != SOLVED:
            self.skipTest("needs a mount of its own")
        result = self.on_full_disk("solve", "slider-crank", "--method", "srm", "--h", "1e-4",
                                   "--every", "1", "--checkpoint", "mark", "--checkpoint-seconds",
                                   "0.001")
        self.check(result, NOT_SOLVED)
        self.assertIn("No space left on device", result.stderr)
        self.assertRegex(result.stdout, r"\Aold\nmark\nmark\.rows-[0-9a-f]{8}\nout\n\Z")

    def test_a_closed_standard_output_is_an_error_and_no_file_takes_its_place(self):
        def close_output():
            os.close(1)

        for command in (("list",), ("solve", "ap91", "--verbose", "--csv", self.path("ap91.csv"))):
            with self.subTest(command=command):
                lost = subprocess.run([PROGRAM, *command], stderr=subprocess.PIPE, text=True,
                                      preexec_fn=close_output)
                self.assertEqual(lost.returncode, NOT_SOLVED)
                self.assertIn("standard output", lost.stderr)
        self.check(run("solve", "ap91", "--csv", self.path("open.csv")), SOLVED)
        self.assertEqual(Path(self.path("ap91.csv")).read_bytes(),
                         Path(self.path("open.csv")).read_bytes())
        quiet = subprocess.run([PROGRAM, "solve", "ap91", "-q"], preexec_fn=close_output)
        self.assertEqual(quiet.returncode, SOLVED)

    def test_a_reader_that_has_left_is_an_error_and_no_signal(self):
        for command in COMMANDS:
            for restore in (False, True):  # Python ignores SIGPIPE, what it starts need not.
                with self.subTest(command=command, restore=restore):
                    reader, writer = os.pipe()
                    os.close(reader)
                    lost = subprocess.run([PROGRAM, *command], stdout=writer,
                                          stderr=subprocess.PIPE, text=True,
                                          restore_signals=restore)
                    os.close(writer)
                    self.assertEqual(lost.returncode, NOT_SOLVED)
                    self.assertIn("standard output cannot be written: Broken pipe", lost.stderr)

    def test_closed_streams_in_all_combinations_end_no_program_by_a_signal(self):
        for closed in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)):
            for command, code in ((("solve", "nothing"), BAD_INPUT), (("frobnicate",), BAD_INPUT),
                                  (("solve", "lin", "--intervals", "2147483647"), BAD_INPUT),
                                  (("solve", "ap91"), NOT_SOLVED if 1 in closed else SOLVED),
                                  (("solve", "ap91", "--csv", "-"),
                                   NOT_SOLVED if 1 in closed else SOLVED),
                                  (("list",), NOT_SOLVED if 1 in closed else SOLVED)):
                with self.subTest(closed=closed, command=command):
                    done = subprocess.run([PROGRAM, *command], stdout=subprocess.DEVNULL,
                                          stderr=subprocess.DEVNULL,
                                          preexec_fn=lambda: [os.close(one) for one in closed])
                    self.assertEqual(done.returncode, code)

    def test_one_file_for_two_results_is_refused_before_any_work(self):
        folder = Path(self.folder.name)
        (folder / "there").write_text("old")
        (folder / "link").symlink_to("there")
        (folder / "hard").hardlink_to(folder / "there")
        (folder / "dangling").symlink_to("new")
        (folder / "sub").mkdir()
        (folder / "up").symlink_to(".")
        before = sorted(os.listdir(folder))
        solve = ("solve", "pendulum", "--method", "srm", "--h", "1e-3", "--t-end", "0.1")
        boundary, table = ("solve", "ap91"), ("table", "acpr-6.1")
        sweep = ("sweep", "chain", "--vary", "links=1,2", "--t-end", "0.01")
        for command, one, other in (
                (boundary, ("--csv", "new"), ("--json", "new")),
                (boundary, ("--csv", "new"), ("--svg", "./new")),
                (boundary, ("--npy", "new"), ("--svg", "sub/../new")),
                (boundary, ("--npy", "new"), ("--svg", str(folder / "new"))),
                (boundary, ("--json", "new"), ("--svg", "dangling")),
                (boundary, ("--json", "up/new"), ("--svg", "new")),
                (boundary, ("--json", "there"), ("--csv", "link")),
                (boundary, ("--json", "hard"), ("--csv", "there")),
                (boundary, ("--json", "-"), ("--csv", "-")),
                (boundary, ("--json", "-"), ("--csv", "/dev/stdout")),
                (("solve", "swirling-flow"), ("--csv", "new"), ("--json", "new")),
                (solve, ("--csv", "new"), ("--checkpoint", "new")),
                (solve, ("--json", "there"), ("--checkpoint", "link")),
                (solve, ("--csv", "there"), ("--resume", "there")),
                (solve, ("--svg", "hard"), ("--resume", "there")),
                (table, ("--json", "new"), ("--svg", "new")),
                (sweep, ("--csv", "new"), ("--npy", "./new"))):
            for options in (one + other, other + one):
                with self.subTest(command=command, options=options):
                    result = run(*command, *options, folder=folder)
                    self.check(result, BAD_INPUT)
                    for word in ("the same file", *one, *other):
                        self.assertIn(word, result.stderr)
                    self.assertEqual(result.stdout, "")
        self.assertEqual(sorted(os.listdir(folder)), before)
        self.assertEqual((folder / "there").read_text(), "old")

    def test_no_result_takes_the_place_of_the_model_that_it_is_of(self):
        folder = Path(self.folder.name)
        model = "[dae.differential]\nx = '-a * x'\n[dae.start]\nx = 1\n[parameters]\na = 1\n"
        (folder / "own.toml").write_text(model)
        (folder / "link").symlink_to("own.toml")
        (folder / "said.toml").write_text(model + "[output]\ncsv = 'said.toml'\n")
        before = sorted(os.listdir(folder))
        sweep = ("sweep", "own.toml", "--vary", "a=1,2")
        for command, option, name in (
                *((("solve", "own.toml"), option, "own.toml") for option in (
                    "--csv", "--npy", "--json", "--svg", "--report", "--checkpoint")),
                (("solve", "own.toml"), "--csv", "link"),
                *((sweep, option, "own.toml") for option in (
                    "--csv", "--npy", "--report", "--checkpoint", "--resume")),
                (("convert", "own.toml"), "-o", "./own.toml"),
                (("convert", "own.toml"), "--output", "link")):
            with self.subTest(command=command, option=option):
                result = run(*command, option, name, folder=folder)
                self.check(result, BAD_INPUT)
                self.assertIn("model file own.toml and", result.stderr)
                self.assertIn("the same file, which would be replaced", result.stderr)
                self.assertEqual(result.stdout, "")
        result = run("solve", "said.toml", folder=folder)
        self.check(result, BAD_INPUT)
        self.assertIn("model file said.toml and --csv said.toml", result.stderr)
        self.assertEqual(sorted(os.listdir(folder)), before)
        self.assertEqual((folder / "own.toml").read_text(), model)

    def test_a_file_that_standard_output_goes_to_is_no_other_result(self):
        path = self.path("both")
        for options in (("--csv", path), ("--csv", path, "--json", "-")):
            with self.subTest(options=options), open(path, "w", encoding="utf-8") as file:
                result = subprocess.run([PROGRAM, "solve", "ap91", *options], stdout=file,
                                        stderr=subprocess.PIPE, text=True)
                self.assertEqual(result.returncode, BAD_INPUT)
                self.assertIn("the same file", result.stderr)
        with open(path, "w", encoding="utf-8") as file:
            data = subprocess.run([PROGRAM, "solve", "ap91", "--csv", "-"], stdout=file)
        self.assertEqual(data.returncode, SOLVED)
        self.assertTrue(Path(path).read_text().startswith("t,x1"))

    def test_several_results_may_be_thrown_away_and_a_run_goes_on_in_its_checkpoint(self):
        self.check(run("solve", "ap91", "--csv", "/dev/null", "--json", "/dev/null"), SOLVED)
        crank = ("solve", "slider-crank", "--method", "srm", "--h", "1e-3", "--checkpoint",
                 self.path("mark"))
        self.check(run(*crank, "--t-end", "0.1"), SOLVED)
        self.check(run(*crank, "--t-end", "0.2", "--resume", self.path("mark")), SOLVED)
        self.check(run(*crank, "--t-end", "0.3", "--resume", self.path("mark")), SOLVED)

    def test_a_sweep_refuses_what_does_not_go_with_the_file_that_it_is_kept_in(self):
        mark, other = self.path("mark"), self.path("other")
        for options, words in ((("--checkpoint", mark, "--resume", other), "give one of them"),
                               (("--checkpoint", mark, "--checkpoint-seconds", "1"), "leave them out"),
                               (("--checkpoint", mark, "--report", other), "leave one of them out"),
                               (("--checkpoint", mark, "--csv", mark), mark)):
            result = run("sweep", "chain", "--t-end", "0.01", "--vary", "links=1,2", *options)
            self.check(result, BAD_INPUT)
            self.assertIn(words, result.stderr)
        self.assertEqual(os.listdir(self.folder.name), [])


if __name__ == "__main__":
    unittest.main()
