"""Builds the Python package: `pip install .` calls these functions (PEP 517). CMake compiles, and a
wheel is an archive with a list of what is in it, so nothing else is needed, nor fetched.

Settings, `pip install . --config-settings NAME=VALUE`:
  build-dir    where CMake builds, build/wheel where it is not said
  package-dir  a package that is built already (build/release/python/daewave): nothing is compiled
  cmake-args   more for CMake, separated by spaces
"""

import base64
import hashlib
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
ENDINGS = (".py", ".pyi", ".so", "py.typed")


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def version():
    """That of the project, as CMake has it."""
    found = re.search(r"project\(daewave VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
    if found is None:
        raise RuntimeError("CMakeLists.txt: no line project(daewave VERSION ...)")
    return found.group(1)


def project():
    with open(ROOT / "pyproject.toml", "rb") as file:
        return tomllib.load(file)["project"]


def metadata():
    said = project()
    lines = ["Metadata-Version: 2.1", f"Name: {said['name']}", f"Version: {version()}",
             f"Summary: {said['description']}", f"Requires-Python: {said['requires-python']}"]
    lines += [f"Requires-Dist: {name}" for name in said["dependencies"]]
    for extra, names in said["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f"Requires-Dist: {name}; extra == '{extra}'" for name in names]
    lines.append("Description-Content-Type: text/markdown")
    return "\n".join(lines) + "\n\n" + (ROOT / said["readme"]).read_text()


def tag():
    """This interpreter and this machine: the module links what the system has."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def built_package(settings):
    """The folder of the package, compiled where it is not said to be."""
    if "package-dir" in settings:
        package = Path(settings["package-dir"]).resolve()
        modules = list(package.glob("_daewave*.so"))
        if not modules:
            raise RuntimeError(f"package-dir = {package}: there is no compiled _daewave in it")
        if any(b"\0libdaewave.so" in module.read_bytes() for module in modules):
            raise RuntimeError(f"package-dir = {package}: its module is linked with libdaewave.so, which is in no "
                               "wheel; take one that was built without -DBUILD_SHARED_LIBS=ON")
        return package
    build = Path(settings.get("build-dir", ROOT / "build" / "wheel")).resolve()
    options = {"CMAKE_BUILD_TYPE": "Release", "DAEWAVE_BUILD_PYTHON": "ON",
               "DAEWAVE_BUILD_CLI": "OFF", "DAEWAVE_BUILD_TESTS": "OFF",
               "DAEWAVE_BUILD_EXAMPLES": "OFF", "DAEWAVE_INSTALL": "OFF", "BUILD_SHARED_LIBS": "OFF",
               "DAEWAVE_WARNINGS_AS_ERRORS": "OFF",
               "DAEWAVE_PYTHON": sys.executable if is_debians() else "/usr/bin/python3"}
    subprocess.run(["cmake", "-S", ROOT, "-B", build, *generator(build),
                    *[f"-D{name}={value}" for name, value in options.items()],
                    *shlex.split(settings.get("cmake-args", ""))], check=True)
    subprocess.run(["cmake", "--build", build, "--parallel", str(os.cpu_count() or 1), "--target",
                    "daewave_python", "daewave_python_sources"], check=True)
    return build / "python" / "daewave"


def is_debians():
    """An environment (venv) is of the interpreter that made it."""
    return Path(sys.base_prefix) == Path("/usr")


def generator(build):
    """Ninja where it is and nothing was chosen before."""
    from shutil import which
    return ["-G", "Ninja"] if which("ninja") and not (build / "CMakeCache.txt").exists() else []


def distribution_info():
    """The folder that tells of the distribution, but for the list of its files: name, and files by name."""
    return f"daewave-{version()}.dist-info", {
        "METADATA": metadata().encode(),
        "WHEEL": (f"Wheel-Version: 1.0\nGenerator: daewave {version()}\n"
                  f"Root-Is-Purelib: false\nTag: {tag()}\n").encode(),
        "LICENSE": (ROOT / "LICENSE").read_bytes()}


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """What pip asks before it has anything compiled."""
    info, files = distribution_info()
    folder = Path(metadata_directory) / info
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return info


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = built_package(config_settings or {})
    info, about = distribution_info()
    files = {f"daewave/{path.name}": path.read_bytes() for path in sorted(package.iterdir())
             if path.name.endswith(ENDINGS)}
    files |= {f"{info}/{name}": content for name, content in about.items()}
    record = []
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record.append(f"{path},sha256={digest},{len(content)}\n")
    record.append(f"{info}/RECORD,,\n")
    files[f"{info}/RECORD"] = "".join(record).encode()
    wheel = f"daewave-{version()}-{tag()}.whl"
    with zipfile.ZipFile(Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if path.endswith(".so") else 0o644) << 16
            archive.writestr(entry, content)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    """What git has of the tree."""
    name = f"daewave-{version()}"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
    with tarfile.open(Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for path in filter(None, listed.stdout.decode().split("\0")):
            archive.add(ROOT / path, f"{name}/{path}")
        from io import BytesIO
        content = metadata().encode()
        entry = tarfile.TarInfo(f"{name}/PKG-INFO")
        entry.size = len(content)
        archive.addfile(entry, BytesIO(content))
    return f"{name}.tar.gz"
