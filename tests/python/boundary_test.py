"""solve_bvp: problems with constraints against minimal coordinates, and what is refused."""

import unittest

import numpy as np
from scipy.integrate import solve_bvp as scipys

import daewave


def on_circle(x, q):
    return np.array([(q[0]**2 + q[1]**2 - 1) / 2])


def falling(x, y):
    return np.stack([0 * x, 0 * x - 9.81])


def exponential(x, y):
    return np.vstack((y[1], y[0]))


def ends(ya, yb):
    return np.hstack((ya[0] - 1, yb[0]))


class Boundary(unittest.TestCase):
    x = np.linspace(0, 0.6, 11)
    angle = np.linspace(1.0, -0.3, 11)

    def test_a_pendulum_of_index_3_is_that_of_its_angle(self):
        rate = (self.angle[-1] - self.angle[0]) / 0.6
        guess = np.stack([np.sin(self.angle), -np.cos(self.angle), rate * np.cos(self.angle),
                          rate * np.sin(self.angle)])
        found = daewave.solve_bvp(
            falling, lambda a, b: np.array([a[0] - np.sin(1.0), b[0] + np.sin(0.3)]), self.x, guess,
            tol=1e-8, constraint=on_circle, constraint_jac=lambda x, q: q[np.newaxis], index=3)
        self.assertTrue(found.success, found.message)
        other = scipys(lambda x, y: np.stack([y[1], -9.81 * np.sin(y[0])]),
                       lambda a, b: np.array([a[0] - 1, b[0] + 0.3]), self.x,
                       np.stack([self.angle, 0 * self.angle + rate]), tol=1e-10, max_nodes=100000)
        t = np.linspace(0, 0.6, 77)
        angle, speed = other.sol(t)
        np.testing.assert_allclose(found.sol(t)[0], np.sin(angle), atol=1e-8)
        tension = -(speed**2 + 9.81 * np.cos(angle))
        np.testing.assert_allclose(-np.abs(found.sol_z(t)[0]), tension, rtol=1e-6)

    def test_index_2_with_a_constant_B_is_its_solution(self):
        # y1 = sin x is prescribed; y2' = -y2 + z, z = -(cos x + sin x) of y1' = -y1 - z.
        found = daewave.solve_bvp(
            lambda x, y: np.stack([-y[0], -y[1]]), lambda a, b: np.array([b[1] - 1.0]),
            np.linspace(0, 1, 5), np.zeros((2, 5)), tol=1e-9,
            constraint=lambda x, y: (y[0] - np.sin(x))[np.newaxis], B=[[1.0], [-1.0]])
        self.assertTrue(found.success, found.message)
        t = np.linspace(0, 1, 31)
        exact = -np.sin(t) + np.exp(1 - t) * (1 + np.sin(1))
        np.testing.assert_allclose(found.sol(t)[1], exact, atol=2e-8)

    def test_what_a_function_raises_comes_through(self):
        def broken(x, y):
            if x.size != 5:
                raise KeyError("mine")
            return exponential(x, y)
        with self.assertRaisesRegex(KeyError, "mine"):
            daewave.solve_bvp(broken, ends, np.linspace(0, 1, 5), np.zeros((2, 5)))

    def test_too_few_nodes_are_no_success(self):
        found = daewave.solve_bvp(lambda x, y: np.vstack((y[1], 1e6 * y[0])), ends,
                                  np.linspace(0, 1, 5), np.zeros((2, 5)), tol=1e-10, max_nodes=9)
        self.assertFalse(found.success)
        self.assertNotEqual(found.status, 0)

    def test_wrong_arguments_are_refused_with_the_rule(self):
        x, y = np.linspace(0, 1, 5), np.zeros((2, 5))
        for change, words in [
            (dict(tol=0), "tol = 0"), (dict(max_nodes=4), "max_nodes = 4"),
            (dict(fun=lambda x, y: 1j * y), "complex"), (dict(y=np.zeros((0, 5))), "no rows"),
            (dict(stages=99), "stages = 99"),
            (dict(fun_jac=lambda x, y: np.zeros((3, 3, x.size))), "fun_jac returned shape"), (dict(B=y), "constraint="),
            (dict(constraint=on_circle), "constraint_jac"),
            (dict(constraint=on_circle, B=np.zeros((3, 1))), "B has shape"),
            (dict(constraint=on_circle, index=4), "index = 4"), (dict(variant="none"), "none"),
            (dict(epsilon=-1.0, constraint=on_circle, B=[[1.0], [0.0]]), "bc returned"),
        ]:
            with self.subTest(change=list(change)), self.assertRaisesRegex(ValueError, words):
                arguments = dict(fun=exponential, bc=ends, x=x, y=y) | change
                daewave.solve_bvp(**arguments)

    def test_few_calls_are_made(self):
        calls, conditions = [], []

        def counted(x, y):
            calls.append(x.size)
            return np.vstack((y[1], -np.exp(y[0])))

        def counted_ends(a, b):
            conditions.append(1)
            return np.array([a[0], b[0]])
        found = daewave.solve_bvp(counted, counted_ends, np.linspace(0, 1, 11), np.zeros((2, 11)),
                                  tol=1e-6)
        self.assertTrue(found.success, found.message)
        self.assertLess(len(calls), 35)
        self.assertLess(len(conditions), 40)

    def test_conditions_that_are_not_linear_are_solved_as_well(self):
        # y'' = y, y(0)^2 + y'(0) = 5, y(1) y'(1) = e^2: y = e^x and others; from near that one.
        x = np.linspace(0, 1, 6)
        found = daewave.solve_bvp(
            exponential, lambda a, b: np.array([a[0] ** 2 + a[1] - 2, b[0] * b[1] - np.e ** 2]), x,
            np.vstack([1 + x, 1 + x]), tol=1e-9)
        self.assertTrue(found.success, found.message)
        np.testing.assert_allclose(found.sol(x)[0], np.exp(x), atol=1e-8)

    def test_dense_output_has_the_shape_that_it_is_asked_for(self):
        found = daewave.solve_bvp(exponential, ends, np.linspace(0, 1, 5), np.zeros((2, 5)))
        for shape in [(), (0,), (3,), (2, 3)]:
            self.assertEqual(found.sol(np.zeros(shape)).shape, (2, *shape))
        for x in [-0.1, 1.1, np.nan]:
            with self.assertRaisesRegex(ValueError, "dense output is of 0 to 1"):
                found.sol(x)


if __name__ == "__main__":
    unittest.main()
