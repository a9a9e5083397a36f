"""The program under test, which is the first argument of each test here, and how it is run."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

if len(sys.argv) < 2:
    sys.exit(f"usage: {Path(sys.argv[0]).name} PROGRAM [options of unittest]")
PROGRAM = str(Path(sys.argv.pop(1)).resolve())
SOLVED, NOT_SOLVED, BAD_INPUT = 0, 1, 2


def run(*arguments, folder=None):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=folder,
                          timeout=120)


class ProgramTest(unittest.TestCase):
    """With a folder of its own."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return str(Path(self.folder.name) / name)

    def check(self, result, code):
        self.assertEqual(result.returncode, code, result.stdout[-500:] + result.stderr[-500:])
