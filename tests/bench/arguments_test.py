"""Each program of bench/ answers --help at once, and refuses options that it does not know.

usage: arguments_test.py PROGRAM...
"""

import subprocess
import sys
import unittest
from pathlib import Path

PROGRAMS = [Path(name) for name in sys.argv[1:]]


def run(program, *arguments):
    words = [sys.executable, "-B", program] if program.suffix == ".py" else [program]
    return subprocess.run([*words, *arguments], capture_output=True, text=True, timeout=20)


class Arguments(unittest.TestCase):
    def test_help_is_printed_and_nothing_is_run(self):
        for program in PROGRAMS:
            with self.subTest(program.name):
                ran = run(program, "--help")
                self.assertEqual(ran.returncode, 0, ran.stderr)
                # Those of Google Benchmark begin with its options.
                self.assertRegex(ran.stdout.lower(), "usage|^benchmark \\[")

    def test_unknown_options_are_refused(self):
        for program in PROGRAMS:
            with self.subTest(program.name):
                ran = run(program, "--no-such-option")
                self.assertNotEqual(ran.returncode, 0)
                # Or what is required comes first.
                self.assertRegex(ran.stdout + ran.stderr, "--no-such-option|required")

    def test_there_are_programs(self):
        self.assertGreater(len(PROGRAMS), 10)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
