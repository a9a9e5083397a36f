"""solve_dae: derivatives of constraints by differences, where these are hard to take."""

import unittest

import numpy as np

import daewave


class ConstraintDifferences(unittest.TestCase):
    def test_a_step_that_went_far_leaves_derivatives_as_good_as_they_were(self):
        # A rod on a hinge, held by a spring and a damper of 1e5: phi creeps to -50 / 1e5.
        stiffness = 1e5
        exact = -50 / stiffness * (1 - np.exp(-5))
        for method in ("projection", "s-both2", "auto"):
            result = daewave.solve_dae(
                lambda t, q, v: np.stack([0 * t, 0 * t - 100, -stiffness * (q[2] + v[2])]), (0, 5),
                [.5, 0, 0, 0, 0, 0], mass=np.diag([1, 1, .1]), rtol=1e-8, atol=1e-8, method=method,
                constraint=lambda t, q: np.stack([q[0] - .5 * np.cos(q[2]),
                                                  q[1] - .5 * np.sin(q[2])]))
            self.assertTrue(result.success, result.message)
            self.assertAlmostEqual(result.y[2, -1], exact, delta=1e-7)

    def test_a_wave_far_from_the_origin_has_its_derivatives(self):
        for x, k in ((140., 21.), (140., 20.), (1000., 20.)):
            height, speed = .05, .3
            def run(**more):
                return daewave.solve_dae(
                    lambda t, q, v: np.stack([1 - .1 * v[0], -1 - .1 * v[1]]), (0, 1),
                    [x, height * np.sin(k * x), speed, height * k * np.cos(k * x) * speed],
                    constraint=lambda t, q: q[1:] - height * np.sin(k * q[:1]), rtol=1e-8, **more)
            result, known = run(), run(constraint_jac=lambda t, q: np.stack(
                [-height * k * np.cos(k * q[0]), 1 + 0 * q[0]])[None])
            self.assertTrue(result.success, result.message)
            self.assertLess(np.abs(result.y[:, -1] - known.y[:, -1]).max(), 1e-7)


if __name__ == "__main__":
    unittest.main()
