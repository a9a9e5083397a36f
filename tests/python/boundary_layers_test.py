"""solve_bvp: layers at nodes that were given, which meshes see, miss, or cannot resolve."""

import unittest

import numpy as np
from scipy.integrate import solve_bvp as scipys

import daewave


class BoundaryLayers(unittest.TestCase):
    def test_a_layer_at_a_node_that_was_given_is_seen_as_scipy_sees_it(self):
        x = np.linspace(0, 1, 5)
        for width in (1e-5, 1e-8):
            def fun(x, y):
                return np.exp(-((x - 0.5) / width) ** 2)[np.newaxis] / width
            for solve in (daewave.solve_bvp, scipys):
                with self.subTest(solve.__module__, width=width):
                    found = solve(fun, lambda a, b: a + 1, x, np.zeros((1, 5)))
                    self.assertTrue(found.success, found.message)
                    self.assertAlmostEqual(found.y[0, -1], np.sqrt(np.pi) - 1, delta=1e-3)
        few = daewave.solve_bvp(fun, lambda a, b: a + 1, x, np.zeros((1, 5)), max_nodes=20)
        self.assertEqual((few.status, few.success), (1, False))
        self.assertRegex(few.message, "node x = 0.5 .* raise max_nodes")

    def test_a_value_or_a_jump_at_a_node_that_was_given_is_no_layer(self):
        for value in (lambda x: np.sign(x - 0.5), lambda x: 1.0 * (x >= 0.5),
                      lambda x: (x > 0.5) + 7.0 * (x == 0.5)):
            calls = []

            def fun(x, y):
                calls.append(x.size)
                return value(x)[np.newaxis]
            found = daewave.solve_bvp(fun, lambda a, b: a, np.linspace(0, 1, 5), np.zeros((1, 5)))
            self.assertTrue(found.success, found.message)
            self.assertLess(found.x.size, 30)
            self.assertLess(len(calls), 60)

    def test_what_a_solution_misses_on_every_mesh_is_told(self):
        def narrow(x, y):  # Of width 1e-12: no mesh is fine enough.
            return np.vstack((y[1], np.exp(-((x - .5) / 1e-12)**2) / 1e-12))
        found = daewave.solve_bvp(narrow, lambda a, b: np.array([a[0], b[0]]), np.linspace(0, 1, 11),
                                  np.zeros((2, 11)), tol=1e-6, max_nodes=100_000)
        self.assertFalse(found.success)
        self.assertIn("layer", found.message)


if __name__ == "__main__":
    unittest.main()
