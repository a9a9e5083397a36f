"""The blocks of docs/python.md run as they stand, with what they take for granted."""

import builtins
import importlib.util
import os
import re
import tempfile
import textwrap
import unittest
from pathlib import Path

import matplotlib

import daewave

matplotlib.use("Agg")
matplotlib.rcParams["savefig.dpi"] = 20  # Films are drawn faster.
DOCUMENT = Path(os.environ["DAEWAVE_SOURCE"]) / "docs" / "python.md"

CRANK = """
gravity = [0, -9.81]
[parameters]
l = 1.0
[[body]]
name = "crank"
mass = 1
inertia = "l^2/12"
[[joint]]
type = "revolute"
between = ["ground", "crank"]
at = [[0, 0], ["-l/2", 0]]
"""

# By what is in a block: what it takes for granted.
GRANTED = {
    "result.plot": 'result = daewave.load("crank.toml").solve((0, 1))',
    "follow_bvp": """
        import numpy as np
        x = np.linspace(0, 1, 11)
        y = np.zeros((2, 11))
        def fun(x, y, p):
            return np.vstack((y[1], -p[0] * np.exp(y[0])))
        def bc(ya, yb, p):
            return np.array([ya[0], yb[0]])""",
    "from_sympy": """
        import sympy as sp
        from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame, dynamicsymbols
        q1, u1 = dynamicsymbols("q1 u1")
        m, g = sp.symbols("m g")
        N = ReferenceFrame("N")
        O, P = Point("O"), Point("P")
        O.set_vel(N, 0)
        P = O.locatenew("P", sp.sin(q1) * N.x - sp.cos(q1) * N.y)
        P.set_vel(N, P.pos_from(O).dt(N).subs(q1.diff(), u1))
        kane = KanesMethod(N, [q1], [u1], [u1 - q1.diff()])
        kane.kanes_equations([Particle("B", P, m)], [(P, -m * g * N.y)])""",
}
# What needs a shell, or workers (dask_test.py).
ELSEWHERE = ("python3 -m venv", "dask.distributed")


def blocks():
    """Those that are indented, by the line they begin at."""
    lines = DOCUMENT.read_text().splitlines()
    found = {}
    for i, line in enumerate(lines):
        if re.match(r" {4}\S", line) and not lines[i - 1].strip():
            end = next((k for k in range(i, len(lines))
                        if lines[k].strip() and not lines[k].startswith("    ")), len(lines))
            found[i + 1] = textwrap.dedent("\n".join(lines[i:end]))
    return found


def without_what_is_not_there(block):
    if importlib.util.find_spec("pandas"):
        return block
    return "\n".join("" if "# pandas" in line else line for line in block.splitlines())


class Documentation(unittest.TestCase):
    def test_each_block_runs(self):
        ran = 0
        with tempfile.TemporaryDirectory() as folder:
            before = os.getcwd()
            os.chdir(folder)
            self.addCleanup(os.chdir, before)
            Path("crank.toml").write_text(CRANK)
            for line, block in blocks().items():
                if any(one in block for one in ELSEWHERE):
                    continue
                names = {"daewave": daewave}
                with self.subTest(f"{DOCUMENT.name}:{line}"):
                    for phrase, granted in GRANTED.items():
                        if phrase in block:
                            exec(textwrap.dedent(granted), names)
                    exec(compile(without_what_is_not_there(block), f"{DOCUMENT.name}:{line}", "exec"), names)
                ran += 1
            os.chdir(before)
        self.assertGreaterEqual(ran, 4)

    def test_what_is_raised_is_what_it_says(self):
        text = DOCUMENT.read_text()
        for kind, options in {"TypeError": {"tolerance": 1e-6}, "ValueError": {"rtol": -1}}.items():
            with self.subTest(kind):
                self.assertTrue(f"`{kind}`" in text)
                with self.assertRaises(getattr(builtins, kind)):
                    daewave.Model(CRANK).solve((0, 1), **options)


if __name__ == "__main__":
    unittest.main()
