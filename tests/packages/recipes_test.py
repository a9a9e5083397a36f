"""The recipes of packaging/ name options that there are, this version, and what CMake looks for.

usage: recipes_test.py ROOT
"""

import functools
import itertools
import re
import sys
import types
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop()).resolve()
# What CMake's find_package asks for: names of Spack and of Conda; none where the compiler has it.
PACKAGES = {"Eigen3": ("eigen", "eigen"), "fmt": ("fmt", "fmt"), "UMFPACK": ("suite-sparse", "suitesparse"),
            "CHOLMOD": ("suite-sparse", "suitesparse"), "TBB": ("intel-oneapi-tbb", "tbb-devel"),
            "CLI11": ("cli11", "cli11"), "nlohmann_json": ("nlohmann-json", "nlohmann_json"),
            "tomlplusplus": ("tomlplusplus", "tomlplusplus"), "Python3": ("python", "python"),
            "pybind11": ("py-pybind11", "pybind11"), "Threads": None, "OpenMP": None,
            "MPI": None}  # Off where nothing is said, as in both recipes.


@functools.cache
def cmake_texts():
    return [path.read_text() for path in (ROOT / "CMakeLists.txt", *ROOT.glob("*/CMakeLists.txt"),
                                          *ROOT.glob("cmake/*.cmake"))
            if path.parent.name not in ("tests", "bench", "examples")]


@functools.cache
def known_variables():
    text = "\n".join(cmake_texts())
    names = re.findall(r"^\s*option\((\w+)|^\s*find_(?:path|file|program)\((\w+)|^\s*set\((\w+)[^)]*\sCACHE ",
                       text, re.MULTILINE)
    return {name for group in names for name in group if name}


def packages_looked_for():
    return {name for text in cmake_texts() for name in re.findall(r"find_package\((\w+)", text)}


class Recipe:
    """As much of Spack's CMakePackage as the recipe uses."""
    depends = []

    def __init__(self, chosen, folder):
        self.chosen = chosen
        python = types.SimpleNamespace(command=types.SimpleNamespace(path="/python"),
                                       version=types.SimpleNamespace(up_to=lambda parts: "3.11"))
        chosen_plus = {f"+{name}" for name, value in chosen.items() if value}

        class Spec(dict):
            def satisfies(self, what):
                return what in chosen_plus
        self.spec = Spec(python=python)
        self.stage = types.SimpleNamespace(source_path=str(ROOT), path=folder)

    def define(self, name, value):
        return f"-D{name}={value}"

    def define_from_variant(self, name, variant):
        return f"-D{name}={self.chosen[variant]}"


def spack_recipe():
    """The class of the recipe, its variants and what it depends on."""
    variants, depends = [], []
    stand_ins = {name: lambda *_, **__: None for name in ("license", "version", "extends")}
    stand_ins |= {"CMakePackage": Recipe, "join_path": lambda *parts: "/".join(parts),
                  "variant": lambda name, **_: variants.append(name),
                  "depends_on": lambda spec, **_: depends.append(re.split(r"[@+~]", spec)[0]),
                  "Executable": lambda path: lambda folder, output: (
                      "-DDAEWAVE_DYGRAPHS=a -DDAEWAVE_THREE=b" if Path(path).exists() else "")}
    text = (ROOT / "packaging/spack/packages/daewave/package.py").read_text()
    exec(compile(text.replace("from spack.package import *", ""), "package.py", "exec"), stand_ins)
    return stand_ins["Daewave"], variants, depends


def variables(arguments):
    return {re.match(r"-D(\w+)=", argument).group(1) for argument in arguments}


class Recipes(unittest.TestCase):
    def check_known(self, names):
        unknown = {name for name in names if name not in known_variables() and not name.startswith("CMAKE_")}
        self.assertEqual(unknown, set())

    def test_spack_names_options_that_there_are(self):
        recipe, names, _ = spack_recipe()
        for values in itertools.product((True, False), repeat=len(names)):
            named = variables(recipe(dict(zip(names, values)), "/stage").cmake_args())
            self.check_known(named)
            self.assertIn("DAEWAVE_DYGRAPHS", named)

    def test_conda_names_options_that_there_are(self):
        text = (ROOT / "packaging/conda/build.sh").read_text()
        named = re.findall(r"-D(\w+)=", text)
        self.assertGreater(len(named), 5)
        self.check_known(named)

    def test_both_depend_on_what_cmake_looks_for(self):
        self.assertEqual(packages_looked_for() - set(PACKAGES), set(), "not in PACKAGES of this test")
        conda = re.findall(r"^ +- (\w[\w-]*)", (ROOT / "packaging/conda/meta.yaml").read_text(), re.MULTILINE)
        spack = spack_recipe()[2]
        for name in packages_looked_for():
            if PACKAGES[name]:
                self.assertIn(PACKAGES[name][0], spack)
                self.assertIn(PACKAGES[name][1], conda)

    def test_versions_are_that_of_the_project(self):
        version = re.search(r"project\(daewave VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
        self.assertIn(f'version = "{version}"', (ROOT / "packaging/conda/meta.yaml").read_text())
        self.assertIn(f"version: {version}\n", (ROOT / "CITATION.cff").read_text())
        minor = ".".join(version.split(".")[:2])
        for place in ("README.md", "tests/install/consumer/CMakeLists.txt", "tests/packages/in_chroot.sh"):
            self.assertIn(f"find_package(daewave {minor} ", (ROOT / place).read_text())


if __name__ == "__main__":
    unittest.main()
