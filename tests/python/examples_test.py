"""Each example of examples/python prints what it says."""

import ast
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FOLDER = Path(os.environ["DAEWAVE_SOURCE"]) / "examples" / "python"
OF_DASK = "12_many_workers.py"  # dask_test.py runs it, where there is Dask.


def promised(path):
    """The lines below "Prints:" of what the script opens with."""
    text = ast.get_docstring(ast.parse(path.read_text()))
    head, prints, block = text.partition("Prints:\n")
    if not prints:
        raise AssertionError(f"{path.name}: says not what it prints")
    return [line.strip() for line in block.splitlines() if line.strip()]


def lines_of(path, folder):
    """What it prints, without blanks around."""
    ran = subprocess.run([sys.executable, "-B", path, folder], cwd=folder, capture_output=True,
                         text=True, timeout=120)
    if ran.returncode != 0:
        raise AssertionError(f"{path.name}: {ran.stderr}")
    return [line.strip() for line in ran.stdout.splitlines()]


class Examples(unittest.TestCase):
    def test_there_are_ten(self):
        self.assertGreaterEqual(len(list(FOLDER.glob("*.py"))), 10)

    def test_each_prints_what_it_says(self):
        for path in sorted(set(FOLDER.glob("*.py")) - {FOLDER / OF_DASK}):
            with self.subTest(path.name), tempfile.TemporaryDirectory() as folder:
                self.assertEqual(lines_of(path, folder), promised(path))


if __name__ == "__main__":
    unittest.main()
