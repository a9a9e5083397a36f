"""follow_bvp and Model.follow: branches with known answers, around folds, and what is refused."""

import os
import pickle
import signal
import threading
import unittest

import numpy as np

import daewave
from spoiling import spoiling

X = np.linspace(0, 1, 11)
ZERO = np.zeros((2, X.size))
FOLD = 3.513830719125162  # Bratu's, of its transcendental equation.


def bratu(x, y, p):
    return np.vstack((y[1], -p[0] * np.exp(y[0])))


def cooled(ya, yb, p):
    return np.array([ya[0], yb[0]])


def layer(x, y, p):
    return np.vstack((y[1], y[0] / p[0]**2))


def held(ya, yb, p):
    return np.array([ya[0] - 1, yb[0]])


BRATU = """
title = "Bratu"
[parameters]
e = 1
[dae]
boundary = ["y(0)", "y(1)"]
[dae.differential]
y = "v"
v = "-e*exp(y)"
[solve]
t = [0, 1]
"""


class Branches(unittest.TestCase):
    def check_bratu(self, branch):
        """Around the fold, and back to where it began on the other part."""
        self.assertTrue(branch.success, branch.message)
        np.testing.assert_allclose(branch.folds, [FOLD], rtol=1e-8)
        self.assertEqual(branch.reached, 1)
        self.assertAlmostEqual(branch.last.sol(0.5)[0], 4.0914672461, delta=1e-8)
        self.assertEqual(branch.parameter_values[branch.is_fold].tolist(), branch.folds)
        self.assertEqual(branch.largest.shape, (2, branch.parameter_values.size))
        self.assertEqual(branch.intervals.size, branch.parameter_values.size)

    def test_a_thin_layer_is_reached_and_is_the_known_one(self):
        branch = daewave.follow_bvp(layer, held, X, ZERO, [0.1], 1e-5, tol=1e-8)
        self.assertEqual(branch.status, 0, branch.message)
        self.assertEqual((branch.parameter, branch.reached), ("p1", 1e-5))
        self.assertLess(abs(branch.last.p[0] - 1e-5), 1e-20)
        t = np.linspace(0, 1e-3, 1001)
        np.testing.assert_allclose(branch.last.sol(t)[0], np.exp(-t / 1e-5), rtol=0, atol=1e-7)
        self.assertTrue((np.diff(branch.parameter_values) < 0).all())
        self.assertGreater(branch.nfev, 100)

    def test_by_arclength_a_branch_goes_around_its_fold(self):
        seen = []
        branch = daewave.follow_bvp(
            bratu, cooled, X, ZERO, [1.0], 4, arclength=True, names=["e"], tol=1e-9,
            observer=lambda value, is_fold, found: seen.append((value, is_fold, found.sol(0.5)[0])))
        self.check_bratu(branch)
        self.assertEqual(branch.parameter, "e")
        self.assertEqual([one[0] for one in seen], branch.parameter_values.tolist())
        self.assertEqual([one[1] for one in seen], branch.is_fold.tolist())
        self.assertAlmostEqual(seen[0][2], 0.1405392144, delta=1e-8)

    def test_by_the_parameter_a_branch_ends_where_it_turns_and_says_so(self):
        branch = daewave.follow_bvp(bratu, cooled, X, ZERO, [1.0], 4)
        self.assertEqual((branch.success, branch.status), (False, 2))
        self.assertRegex(branch.message, "arclength")
        self.assertLess(abs(branch.reached - FOLD), 0.02)
        self.assertTrue(branch.last.success)

    def test_unknown_parameters_are_found_all_along(self):
        # y'' + (k^2 + e) y = 0 with y = 0 at both ends: k^2 + e = pi^2.
        guess = np.vstack((np.sin(np.pi * X) / np.pi, np.cos(np.pi * X)))
        branch = daewave.follow_bvp(
            lambda x, y, p: np.vstack((y[1], -(p[0]**2 + p[1]) * y[0])),
            lambda ya, yb, p: np.array([ya[0], yb[0], ya[1] - 1]), X, guess, [3.0, 0.0], 9.0,
            unknown=["k"], names=["k", "e"], tol=1e-9)
        self.assertTrue(branch.success, branch.message)
        self.assertEqual((branch.parameter, branch.unknown_names), ("e", ["k"]))
        # On the way to 1e-4, at the end to tol.
        np.testing.assert_allclose(branch.unknowns[0], np.sqrt(np.pi**2 - branch.parameter_values),
                                   atol=2e-3)
        np.testing.assert_allclose(branch.last.p, [np.sqrt(np.pi**2 - 9), 9], rtol=1e-8)

    def test_a_constraint_takes_parameters_too(self):
        angle = np.linspace(1.0, -0.3, X.size)
        rate = -1.3 / 0.6
        arguments = dict(x=0.6 * X, tol=1e-8, index=3, y=np.stack(
            [np.sin(angle), -np.cos(angle), rate * np.cos(angle), rate * np.sin(angle)]))

        def falling(x, y, p):
            return np.stack([0 * x, 0 * x - 9.81])

        def ends(ya, yb, p):
            return np.array([ya[0] - p[0] * np.sin(1.0), yb[0] + p[0] * np.sin(0.3)])

        def on_circle(x, q, p):
            return ((q[0]**2 + q[1]**2 - p[0]**2) / 2)[np.newaxis]

        branch = daewave.follow_bvp(falling, ends, p=[1.0], to=1.5, constraint=on_circle,
                                    constraint_jac=lambda x, q, p: q[np.newaxis], **arguments)
        self.assertTrue(branch.success, branch.message)
        length = [1.5]
        arguments["y"] = 1.5 * arguments["y"]
        alone = daewave.solve_bvp(lambda x, y: falling(x, y, length),
                                  lambda ya, yb: ends(ya, yb, length),
                                  constraint=lambda x, q: on_circle(x, q, length),
                                  constraint_jac=lambda x, q: q[np.newaxis], **arguments)
        self.assertTrue(alone.success, alone.message)
        t = np.linspace(0, 0.6, 51)
        np.testing.assert_allclose(branch.last.sol(t), alone.sol(t), atol=5e-8)
        np.testing.assert_allclose(branch.last.sol_z(t), alone.sol_z(t), atol=1e-6)

    def test_derivatives_that_are_given_lead_to_the_same(self):
        def by_y(x, y, p):
            zero = np.zeros_like(x)
            return np.array([[zero, zero + 1], [-p[0] * np.exp(y[0]), zero]])

        def of_ends(ya, yb, p):
            return np.array([[1.0, 0], [0, 0]]), np.array([[0.0, 0], [1, 0]])

        asked = dict(x=X, y=ZERO, p=[1.0], to=4, arclength=True, tol=1e-9)
        self.check_bratu(daewave.follow_bvp(bratu, cooled, fun_jac=by_y, bc_jac=of_ends, **asked))
        self.check_bratu(daewave.follow_bvp(
            bratu, cooled, fun_jac=lambda x, y, p: (by_y(x, y, p), None),
            bc_jac=lambda *at: (*of_ends(*at), np.zeros((2, 1))), **asked))

    def test_what_functions_get_is_theirs_to_change(self):
        self.check_bratu(daewave.follow_bvp(spoiling(bratu), spoiling(cooled), X, ZERO, [1.0], 4,
                                            arclength=True, tol=1e-9))

    def test_an_observer_ends_a_branch_and_what_it_raises_comes_through(self):
        branch = daewave.follow_bvp(bratu, cooled, X, ZERO, [1.0], 3,
                                    observer=lambda value, is_fold, found: value < 1.2)
        self.assertEqual((branch.status, branch.success), (1, False))
        self.assertGreater(branch.reached, 1.2)
        self.assertLess(branch.reached, 3)

        def broken(value, is_fold, found):
            raise KeyError("mine")
        with self.assertRaisesRegex(KeyError, "mine"):
            daewave.follow_bvp(bratu, cooled, X, ZERO, [1.0], 3, observer=broken)

    def test_a_key_that_is_pressed_ends_a_branch_and_a_solve_of_a_model(self):
        model = daewave.Model(BRATU)
        for name, work in {
            "follow": lambda: model.follow("e", 4, arclength=True, tol=1e-9),
            "solve": lambda: model.solve(tol=1e-9),
            "follow_bvp": lambda: daewave.follow_bvp(bratu, cooled, X, ZERO, [1.0], 4, arclength=True),
        }.items():
            timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with self.subTest(name), self.assertRaises(KeyboardInterrupt):
                for _ in range(1000):  # Nearly all of the time is the solver's.
                    work()
            timer.join()

    def test_a_model_is_followed_as_functions_are(self):
        model = daewave.Model(BRATU)
        self.check_bratu(model.follow("e", 4, arclength=True, tol=1e-9))
        further = model.with_parameters(e=2).follow("e", 3, tol=1e-9)
        self.assertTrue(further.success, further.message)
        self.assertEqual(further.parameter_values[0], 2)
        alone = model.with_parameters(e=3).solve(tol=1e-9)
        np.testing.assert_allclose(further.last.sol(X), alone.sol(X), atol=1e-8)
        self.assertEqual(further.names, ["y", "v"])
        with self.assertRaisesRegex(ValueError, "none of the model's; it has e"):
            model.follow("x", 2)
        with self.assertRaisesRegex(ValueError, "initial value problem"):
            daewave.Model("[dae.differential]\nx = '-x'\n[dae.start]\nx = 1\n").follow("a", 2)

    def test_wrong_arguments_are_refused_with_the_rule(self):
        for change, words in [
            (dict(to=1.0), "to = 1"), (dict(to=np.nan), "to = nan"),
            (dict(parameter=3), "parameter = 3.*p1"), (dict(parameter="e"), "parameter = 'e'"),
            (dict(parameter=-1), "parameter = -1"),
            (dict(unknown=[0]), "say which one is led"), (dict(unknown=[5]), "unknown = 5"),
            (dict(p=[1.0, 2.0]), "p1, p2"), (dict(p=[]), "say which one is led"),
            (dict(p=[1.0, 2.0], parameter=0, unknown=[0]), "bc returned shape"),
            (dict(names=["a", "b"]), "names"), (dict(first_step=-1.0), "first_step = -1"),
            (dict(most_steps=0), "most_steps = 0"), (dict(observer=3), "observer = 3"),
            (dict(geometric=True, arclength=True), "geometric"),
            (dict(geometric=True, to=-1), "geometric"),
            (dict(tol=0), "tol = 0"), (dict(tol_on_way=-1), "tol_on_way = -1"),
            (dict(max_nodes=3), "max_nodes = 3"), (dict(y=1j * ZERO), "complex"),
            (dict(fun=lambda x, y, p: y[:1]), "fun returned shape"),
            (dict(bc=lambda ya, yb, p: ya[:1]), "bc returned shape"),
            (dict(index=3), "index = 3"), (dict(variant="none"), "none"),
        ]:
            with self.subTest(change=list(change)), self.assertRaisesRegex(ValueError, words):
                arguments = dict(fun=bratu, bc=cooled, x=X, y=ZERO, p=[1.0], to=3.0) | change
                daewave.follow_bvp(**arguments)

    def test_a_solve_that_finds_nothing_says_how_a_parameter_is_led(self):
        found = daewave.solve_bvp(lambda x, y: bratu(x, y, [6]), lambda ya, yb: cooled(ya, yb, [6]), X,
                                  ZERO)
        self.assertFalse(found.success)
        self.assertRegex(found.message, "follow_bvp")
        self.assertNotIn("::", found.message)
        found = daewave.Model(BRATU).with_parameters(e=6).solve()
        self.assertFalse(found.success)
        self.assertRegex(found.message, "follow\\(parameter, to\\)")
        self.assertNotIn("::", found.message)

    def test_an_unknown_parameter_cannot_be_led(self):
        with self.assertRaisesRegex(ValueError, "unknown in the family"):
            daewave.follow_bvp(bratu, lambda ya, yb, p: np.array([ya[0], yb[0], ya[1] - 1]), X, ZERO,
                               [1.0], 3.0, parameter=0, unknown=[0])

    def test_a_branch_shows_itself_and_goes_to_other_processes(self):
        branch = daewave.follow_bvp(bratu, cooled, X, ZERO, [1.0], 4, arclength=True, names=["e"])
        self.assertIn("max |y1|", branch._repr_html_())
        self.assertIn("result of sol", repr(branch))
        other = pickle.loads(pickle.dumps(branch))
        self.assertIs(type(other), daewave.Branch)
        np.testing.assert_array_equal(other.last.sol(X), branch.last.sol(X))
        np.testing.assert_array_equal(other.largest, branch.largest)
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib is not there")
        matplotlib.use("Agg")
        axes = branch.plot(["y1"])
        self.assertEqual(axes.get_xlabel(), "e")
        self.assertEqual(len(axes.get_lines()), 2)
        with self.assertRaisesRegex(ValueError, "y7 is no row"):
            branch.plot(["y7"])
        try:
            import pandas  # noqa: F401
        except ImportError:
            return
        frame = branch.to_frame()
        self.assertEqual(frame.index.name, "e")
        self.assertEqual(list(frame), ["max |y1|", "max |y2|", "intervals", "is_fold"])


if __name__ == "__main__":
    unittest.main()
