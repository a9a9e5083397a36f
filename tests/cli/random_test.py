#!/usr/bin/env python3
"""Command lines put together by chance: whatever is asked for, the program ends by itself, with exit
code 0, 1 or 2, and says why where that is not 0.

DAEWAVE_COMMAND_LINES of them, 250 where that is not set, from the seed DAEWAVE_SEED.

usage: random_test.py PROGRAM
"""

import json
import os
import random
import re
import resource
import subprocess
import unittest

from program import PROGRAM, ProgramTest, run

COUNT = int(os.environ.get("DAEWAVE_COMMAND_LINES", "250"))
SEED = int(os.environ.get("DAEWAVE_SEED", "20240607"))
LIMIT = 0.15  # Seconds for each solve.
LONGEST = 20  # Seconds: far more than it ever takes, on a loaded machine too.
MEMORY = 4 << 30

NUMBERS = ("0", "1", "2", "3", "7", "1e3", "1e-3", "1e-8", "0.5", "-1", "1e300", "1e-300", "nan",
           "inf", "-inf", "2147483647", "2147483648", "1e10", "", "x", "1,2", "0x10", "1e400", "-0",
           "9223372036854775807", "0.1.2", "--h", "1 2", "\u00e9")
PATHS = ("a", "b", "-", "/dev/null", "/dev/full", "none/a", ".", "", "/dev/stdout", "a/b")
WORDS = ("gauss", "radau", "srm", "projection", "dcbdf", "bdf-projection", "auto", "singular",
         "sweeps", "lanes", "pipelined", "heun", "both", "inverse", "mass", "term", "tangent",
         "block_lu", "umfpack", "foo", "")


def options_of(command):
    """Names of options with values, and of flags, from the pages of help."""
    page = run(command, "--help").stdout
    valued = re.findall(r"(--[a-z0-9-]+) (?:INT|FLOAT|TEXT)", page)
    flags = [name for name in re.findall(r"--[a-z0-9-]+", page) if name not in valued]
    return valued, flags


class CommandLines(ProgramTest):
    def setUp(self):
        super().setUp()
        listed = json.loads(run("list", "--json").stdout)
        self.problems = [one["name"] for one in listed["problems"]] + ["nothing", ""]
        self.parameters = sorted({parameter["name"] for one in listed["problems"]
                                  for parameter in one["parameters"]})
        self.tables = ["acpr-6.1", "al1-5.1", "nothing"]
        self.options = {command: options_of(command)
                        for command in ("solve", "sweep", "check", "list", "table", "show")}

    def value(self, chance, option):
        if option in ("--csv", "--npy", "--json", "--svg", "--branch", "--checkpoint", "--resume"):
            return chance.choice(PATHS)
        if option == "--set":
            return f"{chance.choice(self.parameters)}={chance.choice(NUMBERS)}"
        if option == "--vary":
            return f"{chance.choice(self.parameters)}=" + chance.choice(
                ("1:2:3", "1,2", "0.1:0.2:2", "1:2", ":", "1:2:1e9", "", "nan,1"))
        if option == "--continue":
            return f"{chance.choice(self.parameters)}=" + chance.choice(
                ("1:0.1", "1:nan", "1", ":", "1e-3:1e-9", "1:1"))
        return chance.choice(NUMBERS if chance.random() < 0.7 else WORDS)

    def line(self, chance):
        command = chance.choices(("solve", "sweep", "check", "list", "table", "show", "help",
                                  "completion", "man", "sole", ""),
                                 (60, 10, 4, 3, 2, 3, 2, 1, 1, 1, 1))[0]
        words = [command]
        if command in ("solve", "sweep", "check", "show"):
            words.append(chance.choice(self.problems))
        elif command == "table":
            words.append(chance.choice(self.tables))
        elif command in ("help", "completion", "list"):
            words += chance.sample(("bash", "methods", "crank", "x", ""), chance.randint(0, 2))
        valued, flags = self.options.get(command, ((), ("--help",)))
        for _ in range(chance.randint(0, 5)):
            if valued and chance.random() < 0.75:
                option = chance.choice(valued)
                words += [option, self.value(chance, option)]
            elif flags:
                words.append(chance.choice(flags))
        if "--time-limit" in valued and "--time-limit" not in words:
            words += ["--time-limit", str(LIMIT)]
        if command == "check":
            words += ["--t-end", "0.01"]
        if chance.random() < 0.05:
            words.insert(chance.randint(0, len(words)), chance.choice(("--", "-", "-x", "--foo=1")))
        return words

    def check_line(self, words):
        limit = (MEMORY, MEMORY)
        try:
            done = subprocess.run([PROGRAM, *words], capture_output=True, cwd=self.folder.name,
                                  timeout=LONGEST, stdin=subprocess.DEVNULL,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))
        except subprocess.TimeoutExpired:
            return f"did not end in {LONGEST} s"
        if done.returncode not in (0, 1, 2):
            return f"exit code {done.returncode}: {done.stderr[-300:]}"
        if done.returncode != 0 and not (done.stdout.strip() or done.stderr.strip()):
            return "no word of why"
        if done.returncode == 2 and not done.stderr.strip():
            return "no complaint of bad input"
        if b"internal error" in done.stderr or b"std::" in done.stderr:
            return f"an exception that was not meant: {done.stderr[-300:]}"
        return ""

    def test_command_lines_by_chance_end_and_say_why(self):
        chance = random.Random(SEED)
        codes = []
        for number in range(COUNT):
            words = self.line(chance)
            wrong = self.check_line(words)
            codes.append(wrong)
            with self.subTest(number=number, words=words):
                self.assertEqual(wrong, "")
        left = [name for name in os.listdir(self.folder.name) if name.endswith(".tmp")]
        self.assertEqual(left, [])


if __name__ == "__main__":
    unittest.main()
