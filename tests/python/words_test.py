"""What the library says can be followed here: names of options in its messages are those of Python."""

import inspect
import os
import re
import unittest
from pathlib import Path

import numpy as np

import daewave
from daewave import _daewave, boundary_options, initial_options

# Parts of the library that messages here come from; not those of linear problems and of lanes.
PARTS = ("ivp", "bvp/continuation", "bvp/mesh", "bvp/newton", "bvp/nonlinear", "bvp/options",
         "core/regularize", "core/start")
NOT_FROM_HERE = ("ivp/lanes", "ivp/solve_lanes", "ivp/sensitivities", "core/start/check_constraint_rates",
                 "core/start/redundant_rows", "core/start/exact_start", "bvp/options/tolerances", "ivp/solve.hpp")
# Of problems, of formulas and of meshes: no options.
OF_PROBLEMS = {"t", "x", "g", "g_t", "nk", "nh", "r", "y_0", "start_algebraic", "guess_algebraic", "mesh",
               "start_algebraic()", "start()", "interval()"}
# What is only said to who has given it, which nobody here can.
OF_GIVEN = {"bound", "carried_absolute", "carried_relative", "checkpoints", "constraint_end", "control",
            "delta", "fixed_nodes", "from", "groups", "guess", "intervals", "loops", "mass_constant",
            "max_amplification", "max_parasitic_growth", "multipliers", "newton_iterations",
            "parameters", "partitions", "rank_tolerance", "samples", "second_step", "seconds",
            "shooting_back", "singular", "singular_term", "steps", "simd", "truncation",
            "linear_solver", "conditioning", "on_each_mesh", "move_node", "parallel_block"}
# Told as the measure that was missed, not as a way out.
OF_RULES = {"start_tolerance", "interval"}


def literals(path):
    """Texts of a source, those that are written in parts as one."""
    source = re.sub(r"#include.*|//[^\n]*", "", path.read_text())
    source = re.sub(r'"\s*\n\s*"', "", source)
    return [one.replace('\\"', '"') for one in re.findall(r'"((?:[^"\\\n]|\\.)*)"', source) if " " in one]


class Words(unittest.TestCase):
    def test_options_that_messages_name_are_those_of_python(self):
        options = set(initial_options._OPTIONS + initial_options._OF_METHODS)
        options |= set(boundary_options._OPTIONS)
        for function in (daewave.solve_dae, daewave.solve_bvp, daewave.follow_bvp, daewave.Model.solve):
            options |= set(inspect.signature(function).parameters)
        source = Path(os.environ["DAEWAVE_SOURCE"])
        seen = set()
        for path in (one for part in PARTS for one in sorted((source / part).rglob("*.?pp"))):
            place = str(path.relative_to(source))
            for text in [] if place.startswith(NOT_FROM_HERE) else literals(path):
                said = _daewave.in_python(text)
                names = set(re.findall(r"\b([a-z][a-z_0-9]*) = ", said))
                names |= set(re.findall(r"\b([a-z]+_[a-z_0-9]+)\b", said))
                names |= {f"{one}()" for one in re.findall(r"\b([a-z][a-z_]*)\(\)", said)}
                seen |= names
                for name in names - OF_PROBLEMS - OF_GIVEN - OF_RULES:
                    with self.subTest(place, text=said):
                        self.assertIn(name, options)
        self.assertLess({"stepper", "max_nodes", "max_step", "iterates"}, seen)

    def test_advice_can_be_taken_as_it_stands(self):
        def fun(x, y):
            return np.vstack((y[1], np.sinh(20 * y[0])))

        def ends(ya, yb):
            return np.array([ya[0], yb[0] - 1])
        x = np.linspace(0, 1, 5)
        found = daewave.solve_bvp(fun, ends, x, np.zeros((2, 5)), tol=1e-10, max_nodes=20)
        self.assertIn("raise max_nodes", found.message)
        self.assertNotIn("max_intervals", found.report.json())

    def test_a_method_that_was_left_open_is_not_said_to_be_given(self):
        def fun(t, q, v):
            return np.stack([0 * t, 0 * t - 9.81])
        found = daewave.solve_dae(fun, (0, 1), [1, 0, 0, 0],
                                  constraint=lambda t, q: (q[:1]**2 + q[1:]**2 - 1) / 2)
        self.assertRegex(found.report.explain(), "method *= gauss-windows  [(]of order 16")


if __name__ == "__main__":
    unittest.main()
