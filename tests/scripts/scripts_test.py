#!/usr/bin/env python3
"""Runs demo.sh and test.sh on a machine of stand-ins: a copy of the scripts in a folder with a
space in its name, and a PATH on which dpkg-query, apt-get, cmake and ctest only write down how they
were called. So the scripts are tested without building, installing or a network.

usage: scripts_test.py ROOT
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop()).resolve()
SCRIPTS = ["demo.sh", "test.sh", ".ci/run", "scripts/prepare.sh"]
REAL_COMMANDS = ["awk", "basename", "bash", "cat", "chmod", "cp", "dirname", "env", "find", "grep", "ls",
                 "mkdir", "nproc", "readlink", "rm", "sed", "sort", "tee", "touch", "tr"]

# $MACHINE is the folder of the machine: `installed` lists its packages, `calls` what was called;
# a file `offline`, `broken` or `failing` makes installing, compiling or a test fail.
STAND_INS = {
    "id": 'cat "$MACHINE/user"',
    "g++": "exit 0",
    "ninja": "exit 0",
    "python3": "exit 0",
    "dpkg-query": """
installed="
$(<"$MACHINE/installed")
"
for package; do
  case "$installed" in *"
$package
"*) echo "$package installed" ;; esac
done""",
    "apt-get": """
echo "apt-get $*" >>"$MACHINE/calls"
case " $* " in *" install "*) ;; *) exit 0 ;; esac
if [ -e "$MACHINE/offline" ]; then
  echo "Reading package lists"
  echo "E: Failed to fetch http://deb.debian.org"
  exit 100
fi
for package; do echo "$package" >>"$MACHINE/installed"; done""",
    "cmake": """
echo "cmake $*" >>"$MACHINE/calls"
preset() { while [ "$1" != --preset ]; do shift; done; echo "$2"; }
folder="build/$(preset "$@")"
if [ "$1" = --build ]; then
  if [ -e "$MACHINE/broken" ]; then
    echo "[1/2] Building CXX object a.o"
    echo "FAILED: a.o "
    echo "/usr/bin/c++ -Werror -c a.cpp"
    echo "a.cpp:7:3: error: something is wrong"
    echo "ninja: build stopped"
    exit 1
  fi
  mkdir -p "$folder/cli"
  printf '#!/usr/bin/env bash\\necho "solved: $*"\\n[ ! -e "$MACHINE/unsolved" ]\\n' >"$folder/cli/daewave"
  chmod +x "$folder/cli/daewave"
elif [ -e "$MACHINE/unconfigurable" ]; then
  printf 'CMake Error at CMakeLists.txt:24 (find_package):\\n\\n  Nothing provides Eigen3.\\n\\nmore\\n'
  exit 1
else
  mkdir -p "$folder"
  echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >"$folder/CMakeCache.txt"
  touch "$folder/build.ninja"
fi""",
    "ctest": """
echo "ctest $*" >>"$MACHINE/calls"
mkdir -p "build/$2/Testing/Temporary"
[ ! -e "$MACHINE/cases" ] || cp "$MACHINE/cases" "build/$2/Testing/Temporary/LastTest.log"
if [ -e "$MACHINE/failing" ]; then
  echo "67% tests passed, 2 tests failed out of 6"
  echo "The following tests FAILED:"
  echo "          3 - core/a mesh grows (Failed)"
  echo "          4 - core/a mesh shrinks (Not Run)"
  exit 8
fi
echo "100% tests passed, 0 tests failed out of 7"
echo "The following tests did not run:"
echo "          5 - io/rare (Skipped)" """,
}


LISTS = ["scripts/packages.txt", "scripts/test_packages.txt"]


def packages():
    """Package -> the command that makes it unnecessary, or an empty string."""
    lines = "".join((ROOT / one).read_text(encoding="utf-8") for one in LISTS).splitlines()
    words = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    return {word[0]: word[1] if len(word) > 1 else "" for word in words}


class OnAMachine(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.machine = Path(scratch.name).resolve() / "a machine"
        self.tree = self.machine / "tree"
        self.bin = self.machine / "bin"
        self.bin.mkdir(parents=True)
        for script in SCRIPTS + LISTS:
            (self.tree / script).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / script, self.tree / script)
        for command in REAL_COMMANDS:
            (self.bin / command).symlink_to(shutil.which(command))
        for command, text in STAND_INS.items():
            self.stand_in(command, text)
        self.set("user", "0\n")
        self.set("installed", "\n".join(packages()) + "\n")
        self.set("calls", "")

    def stand_in(self, command, text):
        (self.bin / command).write_text(f"#!{shutil.which('bash')}\n{text}\n", encoding="utf-8")
        (self.bin / command).chmod(0o755)

    def set(self, name, text=""):
        (self.machine / name).write_text(text, encoding="utf-8")

    def clear(self, name):
        (self.machine / name).unlink()

    def run_script(self, *words, cwd="/"):
        """Exit code, standard output and standard error; self.calls is what was called."""
        self.set("calls", "")
        environment = {"PATH": str(self.bin), "MACHINE": str(self.machine), "LC_ALL": "C.UTF-8"}
        done = subprocess.run([str(self.tree / words[0]), *words[1:]], cwd=cwd, env=environment,
                              capture_output=True, text=True, check=False)
        self.calls = (self.machine / "calls").read_text(encoding="utf-8").splitlines()
        return done.returncode, done.stdout, done.stderr

    def called(self, beginning):
        return [call for call in self.calls if call.startswith(beginning)]

    def only_line(self, text):
        lines = text.splitlines()
        self.assertEqual(len(lines), 1, text)
        return lines[0]


class Options(OnAMachine):
    def test_scripts_are_bash(self):
        for script in SCRIPTS:
            subprocess.run(["bash", "-n", str(ROOT / script)], check=True)

    def test_help_changes_nothing(self):
        for script in ("demo.sh", "test.sh"):
            for option in ("--help", "-h"):
                code, out, err = self.run_script(script, option)
                self.assertEqual((code, err), (0, ""))
                self.assertTrue(out.startswith(f"usage: ./{script}"))
                self.assertEqual(self.calls, [])
        self.assertFalse((self.tree / "build").exists())

    def test_unknown_option_is_bad_input(self):
        for script in ("demo.sh", "test.sh", ".ci/run"):
            code, _, err = self.run_script(script, "--quikc")
            self.assertEqual(code, 2)
            self.assertIn("unknown option --quikc; known:", self.only_line(err))


class Packages(OnAMachine):
    def test_nothing_missing_nothing_installed(self):
        for script in ("demo.sh", "test.sh"):
            code, _, err = self.run_script(script, "--no-install", cwd=self.tree)
            self.assertEqual((code, err), (0, ""))
            self.assertEqual(self.called("apt-get"), [])

    def test_a_command_replaces_its_package(self):
        libraries = [name for name, command in packages().items() if not command]
        self.set("installed", "\n".join(libraries) + "\n")
        self.assertEqual(self.run_script("demo.sh", "--no-install")[0], 0)

    def test_no_install_names_what_is_missing_and_stops(self):
        self.set("installed", "")
        code, out, err = self.run_script("demo.sh", "--no-install")
        self.assertEqual(code, 1)
        self.assertIn("missing Debian packages: libeigen3-dev libfmt-dev", out)
        self.assertIn("apt-get update && apt-get install -y", out)
        self.assertIn("packages are missing", self.only_line(err))
        self.assertEqual(self.calls, [])

    def test_only_tests_need_a_browser(self):
        self.set("installed", "")
        self.assertNotIn("chromium", self.run_script("demo.sh", "--no-install")[1])
        self.assertIn("chromium", self.run_script("test.sh", "--no-install")[1])

    def test_missing_packages_are_installed_once(self):
        self.set("installed", "libfmt-dev\n")
        code, out, err = self.run_script("demo.sh")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("missing Debian packages: libeigen3-dev libsuitesparse-dev", out)
        self.assertEqual(len(self.called("apt-get")), 2)
        self.assertNotIn("libfmt-dev", self.called("apt-get")[1])
        self.assertEqual(self.run_script("demo.sh")[0], 0)
        self.assertEqual(self.called("apt-get"), [])

    def test_no_compiler(self):
        self.set("installed", "")
        (self.bin / "g++").unlink()
        code, out, _ = self.run_script("test.sh", "--no-install")
        self.assertEqual(code, 1)
        self.assertIn("missing Debian packages: g++ ", out)

    def test_no_network_is_one_line(self):
        self.set("installed", "")
        self.set("offline")
        code, _, err = self.run_script("demo.sh")
        self.assertEqual(code, 1)
        self.assertIn("no network?): E: Failed to fetch", self.only_line(err))

    def test_without_root_sudo_is_used_or_asked_for(self):
        self.set("installed", "")
        self.set("user", "1000\n")
        code, _, err = self.run_script("demo.sh")
        self.assertEqual(code, 1)
        self.assertIn("neither root nor sudo; run as root: apt-get", self.only_line(err))
        self.stand_in("sudo", 'echo "sudo $*" >>"$MACHINE/calls"\n"$@"')
        self.assertEqual(self.run_script("demo.sh")[0], 0)
        self.assertEqual(len(self.called("sudo env")), 2)

    def test_another_distribution_is_left_to_cmake(self):
        (self.bin / "dpkg-query").unlink()
        self.set("installed", "")
        self.assertEqual(self.run_script("demo.sh")[0], 0)
        self.assertEqual(self.called("apt-get"), [])


class Demo(OnAMachine):
    def test_second_run_does_only_what_is_new(self):
        self.assertEqual(self.run_script("demo.sh")[0], 0)
        self.assertEqual(len(self.called("cmake --fresh --preset release")), 1)
        code, out, _ = self.run_script("demo.sh")
        self.assertEqual(code, 0)
        self.assertEqual(self.called("cmake --fresh"), [])
        self.assertTrue(self.called("cmake --build --preset release")[0].endswith("--target daewave"))
        self.assertIn("solved: ", out)

    def test_a_moved_tree_is_configured_anew(self):
        self.assertEqual(self.run_script("demo.sh")[0], 0)
        self.tree = self.tree.rename(self.machine / "moved tree")
        self.assertEqual(self.run_script("demo.sh")[0], 0)
        self.assertEqual(len(self.called("cmake --fresh")), 1)

    def test_works_through_a_link(self):
        (self.machine / "link.sh").symlink_to(self.tree / "demo.sh")
        self.assertEqual(self.run_script("../link.sh")[0], 0)

    def test_failures_are_one_line(self):
        self.set("unconfigurable")
        code, _, err = self.run_script("demo.sh")
        self.assertEqual(code, 1)
        self.assertIn("configuring release failed: CMake Error at CMakeLists.txt:24 (find_package): "
                      "Nothing provides Eigen3.", self.only_line(err))
        self.clear("unconfigurable")
        self.set("broken")
        code, _, err = self.run_script("demo.sh")
        self.assertEqual(code, 1)
        self.assertIn("building release failed: a.cpp:7:3: error: something", self.only_line(err))
        self.clear("broken")
        self.set("unsolved")
        code, _, err = self.run_script("demo.sh")
        self.assertEqual(code, 1)
        self.assertIn("ended with exit code 1", self.only_line(err))

    def test_a_folder_that_cannot_be_written(self):
        (self.tree / "build").write_text("in the way", encoding="utf-8")
        code, _, err = self.run_script("demo.sh")
        self.assertEqual(code, 1)
        self.assertIn("cannot write to ", self.only_line(err))


class Tests(OnAMachine):
    def test_counts_of_all_runs_are_added(self):
        code, out, err = self.run_script("test.sh")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out.splitlines()[-1], "12 passed, 0 failed")
        presets = [call.split()[2] for call in self.called("ctest")]
        self.assertEqual(presets, ["release", "dev"])

    def test_quick_is_the_optimized_build_only(self):
        code, out, _ = self.run_script(".ci/run", "--quick")
        self.assertEqual(code, 0)
        self.assertEqual(out.splitlines()[-1], "6 passed, 0 failed")
        self.assertEqual(len(self.called("ctest")), 1)

    def test_failed_tests_are_named_and_counted(self):
        self.set("failing")
        code, out, err = self.run_script("test.sh", "--quick")
        self.assertEqual(code, 1)
        self.assertEqual(out.splitlines()[-1], "4 passed, 2 failed")
        self.assertIn("failed: 3 - core/a mesh grows (Failed)", err)
        self.assertIn("failed: 4 - core/a mesh shrinks (Not Run)", err)

    def test_a_failed_test_shows_the_end_of_what_it_printed(self):
        self.set("failing")
        self.set("cases", "2/6 Testing: core/passes\nOutput:\nall is well\nTest Passed.\n"
                          "3/6 Testing: core/a mesh grows\nOutput:\n" +
                          "".join(f"line {i};\n" for i in range(100)) + "Test Failed.\n")
        err = self.run_script("test.sh", "--quick")[2]
        self.assertIn("core/a mesh grows, its last lines:", err)
        self.assertIn("line 99;", err)
        self.assertNotIn("line 50;", err)
        self.assertNotIn("all is well", err)

    def test_cases_of_one_program_are_counted_each(self):
        self.set("cases", "All tests passed (9 assertions in 5 test cases)\n"
                          "All tests passed (1 assertion in 1 test case)\n")
        self.assertEqual(self.run_script("test.sh", "--quick")[1].splitlines()[-1],
                         "10 passed, 0 failed")
        self.set("failing")
        self.set("cases", "All tests passed (9 assertions in 5 test cases)\n"
                          "test cases:  7 |  4 passed | 3 failed\n"
                          "assertions: 70 | 67 passed | 3 failed\n"
                          "test cases: 1 | 1 failed\n")
        self.assertEqual(self.run_script("test.sh", "--quick")[1].splitlines()[-1],
                         "12 passed, 4 failed")

    def test_cases_of_an_earlier_run_are_not_counted(self):
        self.set("cases", "All tests passed (9 assertions in 5 test cases)\n")
        self.run_script("test.sh", "--quick")
        self.clear("cases")
        self.assertEqual(self.run_script("test.sh", "--quick")[1].splitlines()[-1],
                         "6 passed, 0 failed")

    def test_a_build_that_fails_counts_as_a_failed_test(self):
        self.set("broken")
        code, out, err = self.run_script("test.sh")
        self.assertEqual(code, 1)
        self.assertEqual(out.splitlines()[-1], "0 passed, 2 failed")
        self.assertEqual(len(err.splitlines()), 2)

    def test_a_ctest_that_dies_counts_as_a_failed_test(self):
        self.stand_in("ctest", "echo CMake Error: no tests; exit 1")
        code, out, _ = self.run_script("test.sh", "--quick")
        self.assertEqual(code, 1)
        self.assertEqual(out.splitlines()[-1], "0 passed, 1 failed")


if __name__ == "__main__":
    os.umask(0o022)
    unittest.main()
