#!/usr/bin/env python3
"""Words: names that are misspelt, numbers, pages of help, completion, the manual, progress.

usage: words_test.py PROGRAM
"""

import fcntl
import json
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest
from pathlib import Path

from program import BAD_INPUT, NOT_SOLVED, PROGRAM, SOLVED, ProgramTest, run

COMMANDS = ("list", "show", "solve", "sweep", "table", "check", "help", "completion", "man")


def problems():
    return [problem["name"] for problem in json.loads(run("list", "--json").stdout)["problems"]]


class Words(ProgramTest):
    def test_what_is_misspelt_is_answered_with_what_was_meant(self):
        for command, words in (
                (("slove", "lin"), "'slove' is not a daewave command. See 'daewave --help'.\n\n"
                                   "The most similar command is\n\tsolve\n"),
                (("solve", "lin", "--tolerence", "1"),
                 "daewave solve: '--tolerence' is not an option. See 'daewave solve --help'.\n\n"
                 "The most similar option is\n\t--tolerance\n"),
                (("solve", "lin", "--tolerence=1"), "\t--tolerance\n"),
                (("sweep", "chain", "--vari", "links=1,2"), "\t--vary\n"),
                (("frobnicate",), "'frobnicate' is not a daewave command. See 'daewave --help'.\n"),
                (("solve", "pendlum"), 'problem = "pendlum" (did you mean pendulum?)'),
                (("check", "slider_crank"), "did you mean slider-crank"),
                (("show", "swirlingflow"), "did you mean swirling-flow"),
                (("solve", "pendulum", "--method", "bdf-projecton"), "did you mean bdf-projection?"),
                (("solve", "pendulum", "--stepper", "dopri"), "did you mean dopri5"),
                (("solve", "pendulum", "--set", "gravty=1"), "did you mean gravity?"),
                (("table", "al1-51"), "did you mean al1-5.1"),
                (("help", "method"), "did you mean methods?"),
                (("completion", "csh"), "known: bash, zsh, fish"),
                (("list", "xyzzy"), "no problem and no table has this text")):
            with self.subTest(command=command):
                result = run(*command)
                self.check(result, BAD_INPUT)
                self.assertIn(words, result.stderr)

    def test_options_are_called_as_they_are_written(self):
        for options, words in (
                (("pendulum", "--first-step", "-1"), "daewave: --first-step -1: must be > 0"),
                (("pendulum", "--tolerance", "2"), "daewave: --tolerance 2: must be > 0 and < 1"),
                (("pendulum", "--restart-times", "-1"), "daewave: --restart-times[0] = -1: must"),
                (("pendulum", "--checkpoint", self.path("c"), "--checkpoint-steps", "0"),
                 "daewave: --checkpoint-steps 0: must be"),
                (("pendulum", "--checkpoint", self.path("c"), "--checkpoint-seconds", "-1"),
                 "daewave: --checkpoint-seconds -1: must be"),
                (("lin", "--relative", "-1"), "daewave: --relative -1: must be 0, or within"),
                (("lin", "--fixed-nodes", "0"), "daewave: --fixed-nodes: 0 must be inside"),
                (("lin", "--weight", "x"), 'daewave: --weight "x"; known: inverse')):
            with self.subTest(options=options):
                result = run("solve", *options)
                self.check(result, BAD_INPUT)
                self.assertIn(words, result.stderr)
        self.check(run("solve", "pendulum", "--t-end", "1", "--checkpoint", self.path("kept")), SOLVED)
        result = run("solve", "pendulum", "--t-end", "0.5", "--resume", self.path("kept"))
        self.check(result, BAD_INPUT)
        self.assertIn("daewave: --resume: it stands at t = 1", result.stderr)
        # What a report advises is what can be typed, in the file too.
        report = self.path("report.json")
        result = run("solve", "swirling-flow", "--max-intervals", "3", "--tolerance", "1e-12",
                     "--json", report)
        self.check(result, NOT_SOLVED)
        self.assertIn("raise --max-intervals", result.stdout)
        self.assertIn("raise --max-intervals", json.loads(Path(report).read_text())["advice"])
        result = run("solve", "cash-mazzia-34", "--continue", "e=3:5")
        self.check(result, NOT_SOLVED)
        self.assertIn(": --arclength follows it around a fold", result.stdout)
        result = run("solve", "pendulum-bvp", "--continue", "t-end=0.4:0.5", "--arclength")
        self.check(result, BAD_INPUT)
        self.assertIn("daewave: --arclength: the interval depends on t-end", result.stderr)
        # Of every text that the program is known to say; the table of settings has names of its own.
        names = re.compile(r"[^-\".\w](estimate_error|max_intervals|residual_tolerance|fixed_nodes|"
                           r"first_step|largest_step|restart_times|exact_start|repair_start|"
                           r"control_multiplier|shooting_back|stage_iteration|checkpoints\.\w+)\b")
        for path in sorted((Path(__file__).parent / "expected").iterdir()):
            with self.subTest(path=path.name):
                lines = path.read_text(encoding="utf-8").splitlines()
                said = [line for line in lines if not re.match(r"  \w+ = ", line)]
                self.assertEqual([line for line in said if names.search(line)], [])

    def test_whole_numbers_may_have_an_exponent(self):
        for written, plain in (("1e2", "100"), ("1.5E1", "15"), ("100.0", "100")):
            outputs = [run("solve", "lin", "--intervals", number, "--csv", "-").stdout
                       for number in (written, plain)]
            self.assertEqual(*outputs)
        self.assertEqual(run("solve", "pendulum", "--t-end", "1", "--points", "1e1", "--csv", "-")
                         .stdout.count("\n"), 11)
        for wrong in ("1.5", "1e-1", "1e2x", "e2", "nan", "1e400", "1e10"):
            refused = run("solve", "lin", "--intervals", wrong)
            self.check(refused, BAD_INPUT)
            self.assertIn("--intervals", refused.stderr)

    def test_every_problem_is_shown_with_all_there_is_to_know(self):
        for name in problems():
            with self.subTest(name=name):
                shown = run("show", name)
                self.check(shown, SOLVED)
                for title in ("kind", "equations", "coordinates", "units", "sizes", "source",
                              "parameters"):
                    self.assertRegex(shown.stdout, rf"(?m)^{title} +\S")
                self.assertTrue(all(len(line) <= 120 for line in shown.stdout.splitlines()))
        self.assertIn("--set gravity=9.81  m/s^2", run("show", "pendulum").stdout)

    def test_a_list_is_filtered_by_any_text(self):
        for text, some, other in (("CRANK", "slider-crank-bvp", "pendulum"),
                                  ("[CM]", "cash-mazzia-7", "lin  "), ("eich", "eich-3.1", "chain"),
                                  ("initial", "wheelset", "swirling-flow"),
                                  ("table", "al1-5.1", "wheelset")):
            listed = run("list", text)
            self.check(listed, SOLVED)
            self.assertIn(some, listed.stdout)
            self.assertNotIn(f"  {other}", listed.stdout)
        named = json.loads(run("list", "crank", "--json").stdout)
        self.assertEqual([one["name"] for one in named["problems"]],
                         ["slider-crank-bvp", "slider-crank"])
        # Names and what follows them never touch.
        for line in run("list").stdout.splitlines():
            if line.startswith("  ") and not line.startswith("    "):
                self.assertRegex(line, r"^  \S+  +\S")

    def test_every_command_and_subject_has_a_page(self):
        for command in COMMANDS:
            self.assertEqual(run("help", command).stdout.splitlines()[0],
                             run(command, "--help").stdout.splitlines()[0])
        page = run("help")
        self.check(page, SOLVED)
        subjects = page.stdout.split("Subjects, for")[1].splitlines()[1:]
        self.assertGreaterEqual(len(subjects), 5)
        for line in subjects:
            self.check(run("help", line.split()[0]), SOLVED)
        for method in ("projection", "s-both2", "srm", "bdf-projection"):
            self.assertIn(method, run("help", "methods").stdout)
        # All methods that there are.
        known = run("solve", "pendulum", "--method", "?").stderr.split("known: ")[1].strip()
        for method in known.split(", "):
            self.assertRegex(run("help", "methods").stdout, rf"(?<![\w-]){method}(?![\w-])")
            self.assertRegex(run("help", "solve").stdout, rf"(?<![\w-]){method}(?![\w-])")

    def test_shells_complete_commands_options_and_names(self):
        bash = run("completion", "bash").stdout
        for words, expected in ((["sol"], {"solve"}), (["solve", "pendulum-"], {"pendulum-bvp"}),
                                (["solve", "lin", "--interv"], {"--intervals"}),
                                (["table", "acpr-6.4"], {"acpr-6.4"}),
                                (["help", "meth"], {"methods"}),
                                (["new", "four"], {"four-bar"}), (["new", "lin"], set()),
                                (["solve", "mi"], {"mine.toml"}), (["convert", "m"], {"mine.toml"}),
                                (["convert", "lin"], set()),
                                (["merge", "part-1.kept", "pa"], {"part-1.kept", "part-2.kept"}),
                                (["sweep", "pendulum", "--csv", "mi"], {"mine.toml"}),
                                (["solve", "pendulum", "--method", "bdf-projection"],
                                 {"bdf-projection"})):
            script = (f"{bash}\nCOMP_WORDS=(daewave {' '.join(words)}); COMP_CWORD={len(words)}\n"
                      "_daewave; echo \"${COMPREPLY[@]}\"")
            with tempfile.TemporaryDirectory() as folder:
                for name in ("mine.toml", "part-1.kept", "part-2.kept"):
                    Path(folder, name).touch()
                done = subprocess.run(["bash", "-c", script], capture_output=True, text=True,
                                      cwd=folder)
            self.assertEqual(set(done.stdout.split()), expected, done.stderr)
        self.assertIn("bashcompinit", run("completion", "zsh").stdout)
        fish = run("completion", "fish").stdout
        self.assertIn("-l tolerance", fish)
        for shell in ("zsh", "fish"):
            if shutil.which(shell):
                checked = subprocess.run([shell, "-n"], input=run("completion", shell).stdout,
                                         capture_output=True, text=True)
                self.assertEqual(checked.returncode, 0, checked.stderr)

    def test_the_manual_has_all_options_and_no_error(self):
        manual = run("man").stdout
        for command in COMMANDS:
            self.assertIn(f".SS daewave {command}\n", manual)
            for option in re.findall(r"--[a-z0-9-]+", run(command, "--help").stdout):
                if option != "--help":
                    self.assertIn(option.replace("-", "\\-"), manual)
        if shutil.which("groff"):
            set_ = subprocess.run(["groff", "-man", "-ww", "-Tutf8"], input=manual,
                                  capture_output=True, text=True)
            self.assertEqual(set_.stderr, "")

    def test_json_has_the_version_and_the_parameters(self):
        version = run("--version").stdout.split()[1]
        for command, parameters in (
                (("solve", "pendulum", "--t-end", "1"), {"t-end": 1, "gravity": 9.81}),
                (("solve", "ap91", "--set", "lambda=2"), {"lambda": 2}),
                (("solve", "lin", "--shooting-back", "--t-end", "5"), {"t-end": 5, "blocks": 1}),
                (("solve", "swirling-flow", "--set", "e=0.5"), {"e": 0.5})):
            report = json.loads(run(*command, "--json", "-").stdout)
            self.assertEqual(report["version"], version)
            self.assertEqual(report["problem_parameters"], parameters)
        for command in (("list", "--json"), ("table", "al1-5.1", "--json", "-")):
            self.assertEqual(json.loads(run(*command).stdout)["version"], version)

    def test_multipliers_of_boundary_values_need_not_be_controlled(self):
        crank = ("solve", "slider-crank-bvp", "--tolerance", "1e-6", "--json", "-")
        intervals = [json.loads(run(*crank, *more).stdout)["intervals"]
                     for more in ((), ("--control-multiplier",), ("--no-control-multiplier",))]
        self.assertEqual(intervals[0], intervals[1])
        self.assertLess(intervals[2], intervals[0])
        for problem in ("lin", "pendulum"):
            refused = run("solve", problem, "--no-control-multiplier")
            self.check(refused, BAD_INPUT)
            self.assertIn("control", refused.stderr)

    def test_progress_is_no_wider_than_the_terminal(self):
        for columns in (20, 40, 60, 200):
            master, terminal = pty.openpty()
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            begin = time.monotonic()
            process = subprocess.Popen([PROGRAM, "solve", "slider-crank", "--method", "srm", "--h",
                                        "1e-6", "--every", "0", "--time-limit", "1.2"],
                                       stdout=subprocess.DEVNULL, stderr=terminal)
            os.close(terminal)
            shown, first = b"", None
            try:
                while piece := os.read(master, 4096):
                    first = first or time.monotonic() - begin
                    shown += piece
            except OSError:
                pass  # The program has ended.
            process.wait()
            os.close(master)
            lines = shown.decode().split("\r\033[K")[1:-1]
            self.assertGreater(len(lines), 1)
            # Short runs show none; and none is shown for less than a tenth of a second.
            self.assertGreater(first, 0.5)
            self.assertLessEqual(len(lines), 1 + 10 * (time.monotonic() - begin - 0.5))
            for line in lines:
                self.assertLess(len(line), columns)
                self.assertTrue(line.startswith("t = "))
            if columns == 200:
                self.assertRegex(lines[0], r"\[#*\.*\] .* steps, drift .* s left, \d+ s$")
                self.assertRegex(lines[-1], " [1-9][0-9]* s$")
                # What is done and what is left make the whole bar.
                self.assertEqual({len(re.search(r"\[(#*\.*)\]", line)[1]) for line in lines}, {30})

    def test_flows_tell_how_far_they_are_unless_quiet(self):
        for quiet in (False, True):
            master, terminal = pty.openpty()
            process = subprocess.Popen([PROGRAM, "solve", "lid-driven-cavity", "--time-limit", "1.2"]
                                       + ["--quiet"] * quiet,
                                       stdout=subprocess.DEVNULL, stderr=terminal)
            os.close(terminal)
            shown = b""
            try:
                while piece := os.read(master, 4096):
                    shown += piece
            except OSError:
                pass  # The program has ended.
            process.wait()
            os.close(master)
            self.assertEqual(b"\r\033[Kt = " in shown, not quiet)


if __name__ == "__main__":
    unittest.main()
