"""solve_bvp: problems with constraints against minimal coordinates, and what is refused."""

import contextlib
import io
import unittest

import numpy as np
from scipy.integrate import solve_bvp as scipys

import daewave
from spoiling import spoiling


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

    def test_functions_are_called_for_many_points_at_once_whatever_the_index(self):
        rate = (self.angle[-1] - self.angle[0]) / 0.6
        pendulum = np.stack([np.sin(self.angle), -np.cos(self.angle), rate * np.cos(self.angle),
                             rate * np.sin(self.angle)])
        conditions = [lambda a, b: np.array([a[0] - np.sin(1.0), b[0] + np.sin(0.3)]),
                      lambda a, b: np.array([b[1] - 1.0])]
        for index, fun, bc, x, guess, more in [
            (3, falling, conditions[0], self.x, pendulum,
             dict(constraint=on_circle, constraint_jac=lambda x, q: q[np.newaxis])),
            (2, lambda x, y: np.stack([-y[0], -y[1]]), conditions[1], np.linspace(0, 1, 11),
             np.zeros((2, 11)), dict(constraint=lambda x, y: (y[0] - np.sin(x))[np.newaxis],
                                     B=[[1.0], [-1.0]])),
        ]:
            sizes = []

            def counted(x, y):
                sizes.append(x.size)
                return fun(x, y)
            found = daewave.solve_bvp(counted, bc, x, guess, tol=1e-8, index=index, **more)
            with self.subTest(index=index):
                self.assertTrue(found.success, found.message)
                self.assertLess(len(sizes), 200)
                self.assertGreater(np.mean(sizes), 50)

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

    def test_the_reduced_form_has_no_multiplier(self):
        x = np.linspace(0, 1, 11)
        found = daewave.solve_bvp(
            lambda x, y: -2 * y[:2], lambda a, b: np.array([a[0], b[0] - np.sin(1.0)]), x,
            np.vstack((x, 1 - .4 * x, 1 + 0 * x, -.8 * x)), tol=1e-6, index=3, constraint=on_circle,
            constraint_jac=lambda x, q: q[np.newaxis], variant="invariant-reduced")
        self.assertTrue(found.success, found.message)
        self.assertLess(np.abs(found.sol(x)[0] - np.sin(x)).max(), 1e-6)
        self.assertIsNone(found.z)

    def test_wrong_arguments_are_refused_with_the_rule(self):
        x, y = np.linspace(0, 1, 5), np.zeros((2, 5))
        for change, words in [
            (dict(tol=0), "tol = 0"), (dict(max_nodes=4), "max_nodes = 4"),
            (dict(fun=lambda x, y: 1j * y), "complex"), (dict(y=np.zeros((0, 5))), "no rows"),
            (dict(stages=99), "stages = 99"),
            (dict(y=np.zeros((2, 5), dtype=complex), p=[1.0]), "do not go with a complex y"),
            (dict(fun_jac=lambda x, y: np.zeros((3, 3, x.size))), "fun_jac returned shape"),
            (dict(B=y), "constraint="),
            (dict(constraint=on_circle), "constraint_jac"),
            (dict(constraint=on_circle, B=np.zeros((3, 1))), "B has shape"),
            (dict(constraint=on_circle, index=4), "index = 4"), (dict(index=7), "index = 7"),
            (dict(index=3), "index = 3"), (dict(index="a"), "index = 'a'"), (dict(variant="none"), "none"),
            (dict(alpha2=1.0), "alpha2: is of constraints"),
            (dict(epsilon=-1.0, constraint=on_circle, B=[[1.0], [0.0]]), "bc returned"),
        ]:
            with self.subTest(change=list(change)), self.assertRaisesRegex(ValueError, words):
                arguments = dict(fun=exponential, bc=ends, x=x, y=y) | change
                daewave.solve_bvp(**arguments)

    def test_what_functions_get_is_theirs_to_change(self):
        x = np.linspace(0, 1, 11)
        string = dict(fun=self.string, bc=self.at_ends, x=x, tol=1e-8, p=np.array([3.0, 1.2]),
                      y=np.vstack((np.sin(3 * x), 3 * np.cos(3 * x))))
        pendulum = dict(fun=falling, bc=lambda a, b: np.array([a[0] - np.sin(1.0),
                                                               b[0] + np.sin(0.3)]),
                        x=self.x, tol=1e-6, constraint=on_circle, index=3,
                        constraint_jac=lambda x, q: q[np.newaxis],
                        y=np.stack([np.sin(self.angle), -np.cos(self.angle), 0 * self.x,
                                    0 * self.x]))
        exponent = dict(fun=exponential, bc=ends, x=x, y=np.zeros((2, x.size)), tol=1e-8)
        for name, arguments in [
            ("plain", exponent),
            ("complex", exponent | dict(y=np.zeros((2, x.size), dtype=complex))),
            ("parameters", string),
            ("derivatives", string | dict(fun_jac=self.of_string, bc_jac=self.of_ends)),
            ("constraint", pendulum),
        ]:
            with self.subTest(name):
                given = {key: np.copy(value) if isinstance(value, np.ndarray) else value
                         for key, value in arguments.items()}
                found = daewave.solve_bvp(**{key: spoiling(value) if callable(value) else value
                                             for key, value in given.items()})
                other = daewave.solve_bvp(**arguments)
                self.assertTrue(other.success, other.message)
                self.assertTrue(found.success, found.message)
                for key, value in given.items():
                    if isinstance(value, np.ndarray):
                        np.testing.assert_array_equal(value, arguments[key])
                for part in ("x", "y", "yp", "rms_residuals"):
                    np.testing.assert_array_equal(found[part], other[part])
                if other.p is not None:
                    np.testing.assert_array_equal(found.p, other.p)

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

    # y'' = -p0^2 exp(p1 - 1) y, y(0) = y(1) = 0, y'(0) = p0 p1, p0 (p1^3 - 1) = 0: p = (pi, 1).

    @staticmethod
    def string(x, y, p):
        return np.vstack((y[1], -p[0]**2 * y[0] * np.exp(p[1] - 1)))

    @staticmethod
    def of_string(x, y, p):
        zero, one, factor = np.zeros_like(x), np.ones_like(x), np.exp(p[1] - 1)
        return (np.array([[zero, one], [-p[0]**2 * factor * one, zero]]),
                np.array([[zero, zero],
                          [-2 * p[0] * y[0] * factor, -p[0]**2 * y[0] * factor]]))

    @staticmethod
    def at_ends(ya, yb, p):
        return np.array([ya[0], yb[0], ya[1] - p[0] * p[1], p[0] * (p[1]**3 - 1)])

    @staticmethod
    def of_ends(ya, yb, p):
        return (np.array([[1.0, 0], [0, 0], [0, 1], [0, 0]]),
                np.array([[0.0, 0], [1, 0], [0, 0], [0, 0]]),
                np.array([[0.0, 0], [0, 0], [-p[1], -p[0]], [p[1]**3 - 1, 3 * p[0] * p[1]**2]]))

    def solved_string(self, solver=daewave.solve_bvp, tol=1e-8, **derivatives):
        x = np.linspace(0, 1, 7)
        y = np.stack([np.sin(3 * x), 3 * np.cos(3 * x)])
        return solver(self.string, self.at_ends, x, y, p=[2.9, 1.1], tol=tol, max_nodes=10000,
                      **derivatives)

    def test_derivatives_by_parameters_lead_to_the_solution_of_differences_and_of_scipy(self):
        both = dict(fun_jac=self.of_string, bc_jac=self.of_ends)
        x = np.linspace(0, 1, 33)
        expected = self.solved_string(scipys, **both).sol(x)
        for derivatives in [{}, both, dict(fun_jac=self.of_string), dict(bc_jac=self.of_ends)]:
            with self.subTest(derivatives=list(derivatives)):
                found = self.solved_string(**derivatives)
                self.assertTrue(found.success, found.message)
                self.assertEqual(found.y.shape[0], 2)
                self.assertEqual(found.rms_residuals.size, found.x.size - 1)
                np.testing.assert_allclose(found.p, [np.pi, 1], atol=1e-8)
                np.testing.assert_allclose(found.sol(x)[0], np.sin(np.pi * x), atol=2e-8)
                np.testing.assert_allclose(found.sol(x), expected, atol=2e-7)

    def test_derivatives_that_are_given_are_called_and_wrong_ones_are_felt(self):
        calls = {"fun_jac": 0, "bc_jac": 0, "bc": 0}

        def counted(name, function):
            def call(*arguments):
                calls[name] += 1
                return function(*arguments)
            return call
        self.solved_string(fun_jac=counted("fun_jac", self.of_string))
        self.assertGreater(calls["fun_jac"], 1)
        x = np.linspace(0, 1, 6)

        def curved(a, b):
            return np.array([a[0] ** 2 + a[1] - 2, b[0] * b[1] - np.e ** 2])

        def of_curved(a, b):
            return np.array([[2 * a[0], 1], [0, 0]]), np.array([[0, 0], [b[1], b[0]]])
        found = daewave.solve_bvp(exponential, counted("bc", curved), x, np.vstack([1 + x, 1 + x]),
                                  tol=1e-9, bc_jac=counted("bc_jac", of_curved))
        self.assertTrue(found.success, found.message)
        np.testing.assert_allclose(found.sol(x)[0], np.exp(x), atol=1e-8)
        self.assertGreater(calls["bc_jac"], 1)
        with_jac, calls["bc"] = calls["bc"], 0
        daewave.solve_bvp(exponential, counted("bc", curved), x, np.vstack([1 + x, 1 + x]), tol=1e-9)
        self.assertLess(with_jac, calls["bc"])
        wrong = daewave.solve_bvp(exponential, curved, x, np.vstack([1 + x, 1 + x]), tol=1e-9,
                                  bc_jac=lambda a, b: (np.zeros((2, 2)), np.zeros((2, 2))))
        self.assertFalse(wrong.success)

    def test_a_failure_names_derivatives_that_are_wrong(self):
        x, y = np.linspace(0, 1, 5), np.zeros((2, 5))

        def bratu(x, y, p=(1,)):
            return np.vstack((y[1], -p[0] * np.exp(y[0])))

        def transposed(x, y):
            return np.stack([[0 * x, -np.exp(y[0])], [0 * x + 1, 0 * x]])

        def slopes(first):
            return lambda a, b, *p: (np.array([[first, 0], [0, 0], [0, 1]][:2 + len(p)]),
                                     np.array([[0, 0], [1, 0], [0, 0]][:2 + len(p)]),
                                     *(np.zeros((3, 1)) for _ in p))

        def both_ends(a, b):
            return np.hstack((a[0], b[0]))
        found = daewave.solve_bvp(bratu, both_ends, x, y, fun_jac=transposed, tol=1e-9)
        self.assertEqual(found.status, 2)
        # Either of the two that changed places.
        self.assertRegex(found.message, r"contradict f: df/dq row (1, column 2|2, column 1) at t = ")
        self.assertTrue(daewave.solve_bvp(bratu, both_ends, x, y, bc_jac=slopes(1)).success)
        found = daewave.solve_bvp(bratu, both_ends, x, y, bc_jac=slopes(0), tol=1e-6)
        self.assertEqual(found.status, 2)
        self.assertIn("bc_jac contradicts bc: dbc/dya[0, 0] is 0, differences give 1", found.message)

        def only_at_zero(a, b):
            if abs(a[1]) > 1e-3:
                raise ZeroDivisionError
            return both_ends(a, b)
        found = daewave.solve_bvp(bratu, only_at_zero, x, y, bc_jac=slopes(0), tol=1e-6)
        self.assertEqual(found.status, 2)
        self.assertNotIn("bc_jac", found.message)
        found = daewave.solve_bvp(
            bratu, lambda a, b, p: np.hstack((a[0], b[0], a[1] - 0.5)), x, y, p=[1.0],
            fun_jac=lambda x, y, p: (np.stack([[0 * x, 0 * x + 1], [-p[0] * np.exp(y[0]), 0 * x]]),
                                     np.stack([[0 * x], [-np.exp(y[0])]])),
            bc_jac=slopes(0), tol=1e-6)
        self.assertEqual(found.status, 2)
        self.assertIn("dbc/dya[0, 0] is 0, differences give 1", found.message)

    def test_a_singular_term_goes_with_derivatives_by_parameters(self):
        x = np.linspace(0, 1, 9)
        # (x y')' = -p^2 x y as y1' = y2 / x, ...: y = J0(p x), S of the second row.
        from scipy.special import j0, jn_zeros

        def bessel(x, y, p):
            return np.vstack((y[1], -p[0]**2 * y[0]))

        def of_bessel(x, y, p):
            zero, one = np.zeros_like(x), np.ones_like(x)
            return (np.array([[zero, one], [-p[0]**2 * one, zero]]),
                    np.array([[zero], [-2 * p[0] * y[0]]]))
        S = np.array([[0.0, 0], [0, -1]])
        guess = np.vstack((1 - x**2, -2 * x))
        found = daewave.solve_bvp(bessel, lambda a, b, p: np.array([a[0] - 1, a[1], b[0]]), x, guess,
                                  p=[2.0], S=S, tol=1e-8, fun_jac=of_bessel)
        self.assertTrue(found.success, found.message)
        self.assertAlmostEqual(found.p[0], jn_zeros(0, 1)[0], delta=1e-7)
        np.testing.assert_allclose(found.sol(x)[0], j0(found.p[0] * x), atol=1e-7)

    def test_derivatives_of_wrong_shapes_are_refused(self):
        for change, words in [
            (dict(fun_jac=lambda x, y, p: np.zeros((2, 2, x.size))), "the pair"),
            (dict(fun_jac=lambda x, y, p: (np.zeros((2, 2, x.size)), np.zeros((2, 1, x.size)))),
             "df/dp of fun_jac returned shape"),
            (dict(bc_jac=lambda a, b, p: (np.zeros((4, 2)), np.zeros((4, 2)))), "bc_jac returned 2"),
            (dict(bc_jac=lambda a, b, p: (np.zeros((4, 2)), np.zeros((4, 2)), np.zeros((3, 2)))),
             "dbc/dp of bc_jac returned shape"),
        ]:
            with self.subTest(words=words), self.assertRaisesRegex(ValueError, words):
                self.solved_string(**change)

    def test_conditions_are_held_to_bc_tol(self):
        x = np.linspace(0, 1, 6)
        found = daewave.solve_bvp(exponential, lambda a, b: np.array(
            [a[0]**3 + np.sin(a[0]) - 1.3, b[0] - np.e * a[0]]), x,
                                  np.vstack([1 + x, 1 + x]), tol=1e-3, bc_tol=1e-30)
        self.assertEqual((found.status, found.success), (3, False))
        self.assertIn("bc_tol", found.message)

    def test_verbose_tells_what_was_done(self):
        x = np.linspace(0, 1, 5)
        for verbose, words in [(0, []), (1, ["Solved in"]), (2, ["Max residual", "Solved in"])]:
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                daewave.solve_bvp(exponential, ends, x, np.zeros((2, 5)), verbose=verbose)
            self.assertEqual(bool(said.getvalue()), verbose > 0)
            for word in words:
                self.assertIn(word, said.getvalue())

    def test_each_mesh_is_a_line_of_a_verbose_solve(self):
        def steep(x, y):
            return np.vstack((y[1], y[0] / 1e-4))

        def with_parameter(x, y, p):
            return np.vstack((y[1], -p[0] * y[0]))

        def slopes(x, y, p):
            by_y = np.zeros((2, 2, x.size))
            by_y[0, 1], by_y[1, 0] = 1, -p[0]
            return by_y, np.stack((0 * x, -y[0]))[:, np.newaxis]

        x = np.linspace(0, 1, 5)
        sine = np.vstack((np.sin(np.pi * x), np.pi * np.cos(np.pi * x)))
        begins = (lambda a, b, p: np.array([a[0], b[0], a[1] - np.pi]))
        for fun, bc, guess, more in [
                (steep, ends, np.zeros((2, 5)), {}), (exponential, ends, np.zeros((2, 5), complex), {}),
                (with_parameter, begins, sine, {"p": [9]}),
                (with_parameter, begins, sine, {"p": [9], "fun_jac": slopes})]:
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                found = daewave.solve_bvp(fun, bc, x, guess, tol=1e-6, verbose=2, **more)
            self.assertTrue(found.success, found.message)
            lines = said.getvalue().splitlines()
            self.assertEqual(lines[0].split(), "Iteration Max residual Max BC residual Total nodes "
                                               "Nodes added".split())
            last = [i for i, line in enumerate(lines) if line.startswith("Solved in")][0]
            rows = np.array([[float(word) for word in line.split()] for line in lines[1:last]])
            self.assertEqual(rows.shape[1], 5)
            np.testing.assert_array_equal(rows[:, 0], 1 + np.arange(len(rows)))
            np.testing.assert_array_equal(rows[1:, 4], np.diff(rows[:, 3]))
            is_result = rows[:, 3] == found.x.size
            most = found.rms_residuals.max()
            self.assertTrue((abs(rows[is_result, 1] - most) <= 0.01 * most).any(), rows)
            self.assertIn(f"residual: {most:.2e}", lines[last + 1])
            self.assertEqual(len(lines), last + 3)

    def test_what_fun_returns_is_looked_at_in_each_call(self):
        shapes = iter([5, 15, 15])

        def fun(x, y):
            return exponential(x, y) if next(shapes, 0) else np.zeros((1, x.size))

        with self.assertRaisesRegex(ValueError, "shape"):
            daewave.solve_bvp(fun, ends, np.linspace(0, 1, 5), np.zeros((2, 5)))

    def test_dense_output_has_the_shape_that_it_is_asked_for(self):
        found = daewave.solve_bvp(exponential, ends, np.linspace(0, 1, 5), np.zeros((2, 5)))
        for shape in [(), (0,), (3,), (2, 3)]:
            self.assertEqual(found.sol(np.zeros(shape)).shape, (2, *shape))
        for x in [-0.1, 1.1, np.nan]:
            with self.assertRaisesRegex(ValueError, "dense output is of 0 to 1"):
                found.sol(x)


if __name__ == "__main__":
    unittest.main()
