"""The program under test, which is the first argument of each test here, and how it is run."""

import json
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

if len(sys.argv) < 2:
    sys.exit(f"usage: {Path(sys.argv[0]).name} PROGRAM [options of unittest]")
PROGRAM = str(Path(sys.argv.pop(1)).resolve())
SOLVED, NOT_SOLVED, BAD_INPUT = 0, 1, 2


def run(*arguments, folder=None):
    """No limit of time: how long a test may take is for ctest to say."""
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=folder)


class ProgramTest(unittest.TestCase):
    """With a folder of its own."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return str(Path(self.folder.name) / name)

    def wait_for_step(self, step, checkpoint, process):
        """Until `process` has written a checkpoint of that step or a later one."""
        while True:
            ended = process.poll() is not None
            if Path(checkpoint).exists():
                saved = json.loads(Path(checkpoint).read_text())["step"]
                if saved >= step:
                    return saved
            self.assertFalse(ended, "ended before that step")
            time.sleep(0.002)

    def check(self, result, code):
        self.assertEqual(result.returncode, code, result.stdout[-500:] + result.stderr[-3000:])
