"""solve_bvp: more constraints than there can be, as the same one said twice."""

import unittest

import numpy as np

import daewave


def circle(x, q):
    return (q[:1]**2 + q[1:]**2 - 1) / 2


def radius(x, q):
    return np.hypot(q[:1], q[1:]) - 1


def gradient(x, q):
    return q[np.newaxis]


def direction(x, q):
    return q[np.newaxis] / np.hypot(q[0], q[1])


class RedundantConstraints(unittest.TestCase):
    def solved(self, constraints, slopes, conditions):
        x = np.linspace(0, 1, 11)
        angle = 1 - 1.3 * x
        return daewave.solve_bvp(
            lambda x, y: np.stack([0 * x, 0 * x - 9.81]), conditions, x,
            np.stack([np.sin(angle), -np.cos(angle), 0 * x, 0 * x]), tol=1e-6, index=3,
            constraint=lambda x, q: np.concatenate([one(x, q) for one in constraints]),
            constraint_jac=lambda x, q: np.concatenate([one(x, q) for one in slopes]))

    def test_a_constraint_that_follows_from_others_is_named(self):
        def between(ya, yb):
            return np.array([ya[0] - np.sin(1.0), yb[0] + np.sin(0.3)])

        self.assertTrue(self.solved([circle], [gradient], between).success)
        for second, slope in (circle, gradient), (radius, direction):
            both = [circle, second], [gradient, slope]
            with self.assertRaisesRegex(ValueError, "constraint 2 of 2 follows from those before"):
                self.solved(*both, lambda ya, yb: np.zeros(0))
            # With the conditions that one of them needs their number is wrong.
            with self.assertRaisesRegex(ValueError, "2 condition.* each.* 2, of which none may follow"):
                self.solved(*both, between)

    def test_more_constraints_than_unknowns_are_refused(self):
        with self.assertRaisesRegex(ValueError, "returned 3 rows: y has 4, .* takes 2"):
            self.solved([circle, radius, circle], [gradient, direction, gradient],
                        lambda ya, yb: np.zeros(0))


if __name__ == "__main__":
    unittest.main()
