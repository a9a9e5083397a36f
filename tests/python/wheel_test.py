"""A wheel of the package installs into a clean environment, where the examples run.

usage: wheel_test.py PACKAGE   the package as it was built
"""

import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

SOURCE = Path(os.environ["DAEWAVE_SOURCE"])
PACKAGE = Path(sys.argv.pop()).resolve()


def run(*command, **more):
    # Nothing of the build tree, and no network.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment,
                         **more)
    if ran.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{ran.stdout}\n{ran.stderr}")
    return ran.stdout


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        root = Path(cls.folder.name)
        run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-cache-dir", "--wheel-dir", root,
            "--config-settings", f"package-dir={PACKAGE}", SOURCE)
        cls.wheel, = root.glob("daewave-*.whl")
        # NumPy and what examples need are the distribution's.
        run(sys.executable, "-m", "venv", "--system-site-packages", root / "venv")
        cls.python = root / "venv" / "bin" / "python"
        run(cls.python, "-m", "pip", "install", cls.wheel)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_it_is_installed_used_and_taken_away_again(self):
        said = run(self.python, "-c", "import daewave; print(daewave.__file__, daewave.__version__)",
                   cwd=self.folder.name)
        path, version = said.split()
        self.assertTrue(Path(path).is_relative_to(Path(self.folder.name).resolve()), path)
        self.assertIn(f"daewave-{version}-cp", self.wheel.name)
        self.assertTrue((Path(path).parent / "py.typed").exists())
        listed = run(self.python, "-m", "pip", "show", "--files", "daewave")
        for name in ("daewave/__init__.py", "daewave/__init__.pyi", "_daewave.cpython"):
            self.assertIn(name, listed)
        run("env", f"DAEWAVE_SOURCE={SOURCE}", self.python, "-B",
            SOURCE / "tests" / "python" / "examples_test.py", cwd=self.folder.name)
        run(self.python, "-m", "pip", "uninstall", "--yes", "daewave")
        self.assertEqual(list(Path(path).parent.parent.glob("*daewave*")), [])

    def test_what_is_linked_with_the_shared_library_becomes_no_wheel(self):
        sys.path.insert(0, str(SOURCE / "python" / "packaging"))
        import daewave_wheel
        with tempfile.TemporaryDirectory() as package:
            (Path(package) / "_daewave.so").write_bytes(b"\x7fELF\0libdaewave.so.0\0")
            with self.assertRaisesRegex(RuntimeError, "BUILD_SHARED_LIBS"):
                daewave_wheel.build_wheel(self.folder.name, {"package-dir": package})

    def test_what_pip_asks_before_it_builds_is_what_the_wheel_says(self):
        sys.path.insert(0, str(SOURCE / "python" / "packaging"))
        import daewave_wheel
        info = daewave_wheel.prepare_metadata_for_build_wheel(self.folder.name)
        with zipfile.ZipFile(self.wheel) as archive:
            for asked in (Path(self.folder.name) / info).iterdir():
                self.assertEqual(asked.read_bytes(), archive.read(f"{info}/{asked.name}"))


if __name__ == "__main__":
    unittest.main()
