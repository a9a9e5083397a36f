#!/usr/bin/env python3
"""Checks which folder includes which: core <- bvp, ivp <- parallel; core <- problems, io;
bvp, ivp, problems <- catalogue; core <- models, sparse; problems, sparse <- large; core, bvp, ivp, parallel, problems <- reproduce; all of these <- cli, examples, bench, python; tests see everything.
Within the folders of ROOMS rooms see each other as it says; no room of those in DOORS sees a front
door, a file that is in no room. Headers of the libraries reach Eigen through core/eigen_memory.hpp.

usage: layers_test.py [ROOT]        check the tree at ROOT (default: the one this file is in)
       layers_test.py --self-test   plant faults in a temporary tree and check that they are found
"""

import os
import re
import sys
import tempfile
from pathlib import Path

LIBRARIES = {
    "core": {"core"},
    "bvp": {"core", "bvp"},
    "ivp": {"core", "ivp"},
    "parallel": {"core", "bvp", "ivp", "parallel"},
    "mpi": {"core", "mpi"},
    "problems": {"core", "problems"},
    "catalogue": {"core", "bvp", "ivp", "problems", "catalogue"},
    "io": {"core", "io"},
    "page": {"core", "io", "page"},
    "models": {"core", "models"},
    "sparse": {"core", "sparse"},
    "large": {"core", "problems", "sparse", "large"},
    "reproduce": {"core", "bvp", "ivp", "parallel", "problems", "reproduce"},
}
FRONT_DOORS = {name: {*LIBRARIES, name} for name in ("cli", "examples", "bench", "python")}
LAYERS = {**LIBRARIES, **FRONT_DOORS, "tests": {*LIBRARIES, *FRONT_DOORS, "tests"},
          "include": set(LIBRARIES)}
# What users include, <daewave/ivp.hpp>; the library itself knows nothing of it.
USERS = {"examples", "tests"}

# Which rooms of its own folder a room sees, itself and the files outside of rooms apart. A file in
# no room of core may be seen by all of core; one of bvp or ivp is a front door, which no room sees.
ROOMS = {
    "core": {
        "machine": set(),
        "threads": set(),
        "ranks": {"time"},
        "report": set(),
        "time": set(),
        "problem": set(),
        "lanes": {"machine"},
        "kkt": {"problem"},
        "derivatives": {"problem"},
        "kernels": {"problem", "kkt"},
        "expression": {"machine", "lanes", "problem"},
        "equations": {"problem", "kkt", "lanes", "expression"},
        "algebraic": {"problem"},
        "adapt": {"machine", "problem", "kkt", "derivatives", "lanes", "expression", "equations"},
        "blocks": {"machine", "ranks", "report", "threads"},
        "regularize": {"machine", "problem", "kkt", "kernels", "lanes"},
        "start": {"problem", "kkt", "derivatives", "kernels"},
        "stages": {"machine", "report", "time", "problem", "blocks", "regularize"},
    },
    "bvp": {
        "options": {"curve", "result"},
        "result": {"curve"},
        "residual": {"curve"},
        "curve": set(),
        "mesh": {"options", "curve", "residual", "result"},
        "linear": {"options", "result", "residual", "curve", "mesh"},
        "statement": {"curve"},
        "slopes": set(),
        "equations": {"curve", "slopes", "statement"},
        "newton": {"curve", "residual", "slopes", "equations"},
        "nonlinear": {"options", "result", "residual", "curve", "mesh", "statement", "equations",
                      "newton"},
        "continuation": {"options", "result", "curve", "statement", "nonlinear"},
    },
    "ivp": {
        "options": set(),
        "run": {"options"},
        "one_step": {"options", "run", "equations"},
        "equations": {"options", "run"},
        "reduced": {"options", "run", "one_step", "equations"},
        "multistep": {"options", "run", "one_step", "equations", "reduced"},
        "srm": {"options", "run", "one_step"},
        "lanes": {"options", "run", "one_step", "srm"},
        "windows": {"run", "reduced"},
        "doors": {"options", "run", "one_step", "equations", "reduced", "multistep", "srm", "lanes",
                  "windows"},
        "estimate": {"options", "run", "doors", "reduced"},
        "variation": {"options", "run", "one_step", "reduced", "doors"},
    },
    "models": {
        "expression": set(),
        "problem": {"expression"},
        "file": {"expression"},
        "dae": {"expression", "problem", "file"},
        "mechanism": {"expression", "problem", "file"},
        "convert": {"expression"},
        "event": {"expression", "problem", "file", "mechanism"},
        "units": {"expression"},
        "planar": {"expression", "problem", "file", "mechanism"},
        "spatial": {"expression", "problem", "file", "mechanism"},
    },
    "large": {
        "flow": set(),
        "network": set(),
    },
    "cli": {
        "options": set(),
        "output": {"options"},
        "app": {"options", "output"},
        "boundary": {"options", "output"},
        "initial_value": {"options", "output"},
        "sweep": {"options", "output", "boundary", "initial_value"},
        "commands": {"options", "output", "boundary"},
    },
}
DOORS = {"bvp", "ivp", "models", "cli"}

NO_ROOM = {"util", "utils", "utility", "utilities", "misc", "common", "helper", "helpers"}
NOT_OURS = {"build", "out"}
SOURCES = {".hpp", ".cpp", ".h", ".cc"}
# How Eigen lays out its memory is said before its first header.
EIGEN_FIRST = "core/eigen_memory.hpp"

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.MULTILINE)


def our_paths(root):
    """Every folder and file of the project, relative to its root."""
    for folder, folders, files in os.walk(root):
        here = Path(folder).relative_to(root)
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__"))
                            and not (here == Path() and name in NOT_OURS))
        for name in [*folders, *sorted(files)]:
            yield here / name


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def rooms_seen(file):
    """The rooms that a file in a room sees, or None for a file in no room."""
    here = Path(file).parts
    if here[0] not in ROOMS or len(here) < 3:
        return None
    return ROOMS[here[0]].get(here[1], set()) | {here[1]}


def enters_wrong_room(file, name):
    """Whether a file in a room includes what is in a room, or a front door, it may not see."""
    seen, here, there = rooms_seen(file), Path(file).parts, Path(name).parts
    if seen is None or here[0] != there[0]:
        return False
    if here[1] not in ROOMS[here[0]]:
        return True
    if len(there) < 3:
        return there[0] in DOORS
    return there[1] not in seen


def leaves_eigen_open(file, before):
    """Whether a header that users may include first would let Eigen choose its memory."""
    return (file.suffix == ".hpp" and file.parts[0] in {*LIBRARIES, "include"}
            and file.as_posix() != EIGEN_FIRST and f'#include "{EIGEN_FIRST}"' not in before)


def include_faults(file, text):
    """The faults of one file's includes, and the headers of ours that it includes."""
    faults, included = [], []
    folder = file.parts[0]
    # The consumer of the installed library stands outside of the tree.
    outside = file.parts[:3] == ("tests", "install", "consumer")
    for match in INCLUDE.finditer(text):
        quote, name = match.groups()
        where = f"{file}:{line_of(text, match.start())}"
        parts = name.split("/")
        ours = len(parts) > 1 and parts[0] in LAYERS
        if parts[0] == "daewave":
            if not (folder in USERS if quote == "<" else folder == "include"):
                faults.append(f"{where}: {folder} may not include {name}, the door of users; "
                              f"examples and tests include <{name}>")
            continue
        if quote == "<":
            if ours:
                faults.append(f'{where}: <{name}> is ours: write "{name}"')
            elif name.startswith("Eigen/") and leaves_eigen_open(file, text[:match.start()]):
                faults.append(f'{where}: <{name}>: include "{EIGEN_FIRST}" before it, or instead')
        elif not ours and not outside:
            faults.append(f'{where}: "{name}": write it from the root, as "core/mesh.hpp"')
        elif ours and parts[0] not in LAYERS[folder] and not outside:
            faults.append(f"{where}: {folder} may not include {name}; "
                          f"it sees {', '.join(sorted(LAYERS[folder]))}")
        elif enters_wrong_room(file, name):
            room = "/".join(file.parts[:2])
            listed = file.parts[1] in ROOMS[folder]
            seen = ", ".join(sorted(rooms_seen(file))) if listed else "none: it is not listed"
            faults.append(f"{where}: {room} may not include {name}; of {folder}'s rooms it "
                          f"sees {seen}")
        if ours:
            included.append(name)
    return faults, included


def find_cycle(graph):
    """A list of headers that include each other in a ring, or an empty list."""
    done, trail = set(), []

    def visit(node):
        if node in trail:
            return trail[trail.index(node):] + [node]
        if node in done or node not in graph:
            return []
        trail.append(node)
        for following in graph[node]:
            ring = visit(following)
            if ring:
                return ring
        trail.pop()
        done.add(node)
        return []

    for start in sorted(graph):
        ring = visit(start)
        if ring:
            return ring
    return []


def check(root):
    """All faults of the tree, one line each, and the number of sources that were read."""
    faults, graph, count = [], {}, 0
    for path in our_paths(root):
        if path.stem.lower() in NO_ROOM:
            faults.append(f"{path}: name it after the concept it holds")
        if path.suffix not in SOURCES or not (root / path).is_file():
            continue
        if path.parts[0] not in LAYERS or len(path.parts) == 1:
            faults.append(f"{path}: this folder has no place in the layers")
            continue
        count += 1
        found, included = include_faults(path, (root / path).read_text(encoding="utf-8"))
        faults += found
        if path.suffix in {".hpp", ".h"}:
            graph[path.as_posix()] = included
    ring = find_cycle(graph)
    if ring:
        faults.append("headers include each other: " + " -> ".join(ring))
    return faults, count


GOOD = {
    "core/mesh.hpp": "#include <vector>\n",
    "core/eigen_memory.hpp": "#include <Eigen/Core>\n",
    "core/lu.hpp": '#include "core/eigen_memory.hpp"\n\n#include <Eigen/LU>\n',
    "core/lu.cpp": '#include "core/lu.hpp"\n\n#include <Eigen/LU>\n',
    "core/mesh.cpp": '#include "core/mesh.hpp"\n// #include "io/csv.hpp" is only a comment\n',
    "bvp/solve.hpp": '#include "core/mesh.hpp"\n',
    "ivp/run/step.hpp": '#include "core/mesh.hpp"\n',
    "ivp/run/time_loop.hpp": '#include "ivp/run/step.hpp"\n',
    "ivp/srm/srm_step.hpp": '#include "ivp/run/time_loop.hpp"\n',
    "ivp/solve.hpp": '#include "ivp/srm/srm_step.hpp"\n',
    "parallel/order.hpp": '#include "bvp/solve.hpp"\n#include "ivp/run/step.hpp"\n',
    "problems/chain.hpp": '#include "core/mesh.hpp"\n',
    "io/csv.hpp": '#include "core/mesh.hpp"\n',
    "cli/main.cpp": '#include "bvp/solve.hpp"\n#include "io/csv.hpp"\n',
    "include/daewave/a.hpp": '#include "daewave/b.hpp"\n#include "core/mesh.hpp"\n',
    "examples/a.cpp": "#include <daewave/a.hpp>\n",
    "tests/core/mesh_test.cpp": '#include "tests/catch.hpp"\n#include "cli/options.hpp"\n',
    "build/release/utils.cpp": '#include "nowhere.hpp"\n',
}

# What is planted, and a piece of the line that has to name it.
PLANTED = [
    ({"core/mesh.cpp": '#include "io/csv.hpp"\n'}, "core/mesh.cpp:1: core may not include io/"),
    ({"core/b.cpp": '\n  #  include "bvp/solve.hpp"\n'}, "core/b.cpp:2: core may not include bvp/"),
    ({"bvp/a.cpp": '#include "ivp/run/step.hpp"\n'}, "bvp may not include ivp/"),
    ({"ivp/a.cpp": '#include "bvp/solve.hpp"\n'}, "ivp may not include bvp/"),
    ({"ivp/run/a.cpp": '#include "ivp/srm/srm_step.hpp"\n'}, "ivp/run may not include ivp/srm/"),
    ({"ivp/run/a.cpp": '#include "ivp/solve.hpp"\n'}, "ivp/run may not include ivp/solve.hpp"),
    ({"core/kkt/a.cpp": '#include "core/blocks/b.hpp"\n'}, "core/kkt may not include core/blocks/"),
    ({"bvp/linear/a.cpp": '#include "bvp/nonlinear/b.hpp"\n'}, "bvp/linear may not include bvp/non"),
    ({"ivp/attic/a.cpp": '#include "ivp/run/time_loop.hpp"\n'}, "none: it is not listed"),
    ({"bvp/a.cpp": '#include "parallel/order.hpp"\n'}, "bvp may not include parallel/"),
    ({"problems/a.hpp": '#include "bvp/solve.hpp"\n'}, "problems may not include bvp/"),
    ({"io/a.hpp": '#include "problems/chain.hpp"\n'}, "io may not include problems/"),
    ({"bvp/a.cpp": '#include "tests/catch.hpp"\n'}, "bvp may not include tests/"),
    ({"examples/a.cpp": '#include "cli/options.hpp"\n'}, "examples may not include cli/"),
    ({"bvp/a.cpp": "#include <core/mesh.hpp>\n"}, "<core/mesh.hpp> is ours"),
    ({"bvp/a.cpp": '#include "../core/mesh.hpp"\n'}, "write it from the root"),
    ({"bvp/a.cpp": '#include "solve.hpp"\n'}, "write it from the root"),
    ({"core/a.cpp": "#include <daewave/ivp.hpp>\n"}, "core may not include daewave/ivp.hpp"),
    ({"include/daewave/a.hpp": '#include "cli/options.hpp"\n'}, "include may not include cli/"),
    ({"core/utils.hpp": ""}, "core/utils.hpp: name it after"),
    ({"helpers/a.txt": ""}, "helpers: name it after"),
    ({"solver/a.cpp": ""}, "solver/a.cpp: this folder has no place"),
    ({"core/a.hpp": '#include "core/b.hpp"\n', "core/b.hpp": '#include "core/a.hpp"\n'},
     "core/a.hpp -> core/b.hpp -> core/a.hpp"),
    ({"core/a.hpp": '#include "core/a.hpp"\n'}, "core/a.hpp -> core/a.hpp"),
    ({"ivp/a.hpp": '#include <Eigen/LU>\n#include "core/eigen_memory.hpp"\n'},
     'ivp/a.hpp:1: <Eigen/LU>: include "core/eigen_memory.hpp" before it'),
]


def faults_of(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return check(Path(folder))[0]


def self_test():
    wrong = [f"a sound tree is blamed: {fault}" for fault in faults_of(GOOD)]
    for planted, expected in PLANTED:
        found = faults_of({**GOOD, **planted})
        if len(found) != 1 or expected not in found[0]:
            wrong.append(f"planted {planted}: expected one fault with '{expected}', got {found}")
    return wrong


def main(arguments):
    if arguments == ["--self-test"]:
        faults, said = self_test(), f"{len(PLANTED)} planted faults found"
    elif len(arguments) <= 1:
        root = Path(arguments[0] if arguments else Path(__file__).parent.parent).resolve()
        faults, count = check(root)
        said = f"{count} sources follow the layers"
        if count == 0:
            faults.append(f"{root}: no sources there")
    else:
        print(__doc__, file=sys.stderr)
        return 2
    print("\n".join(faults) if faults else said)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
