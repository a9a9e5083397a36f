"""solve_dae as those know it who come from SciPy's solve_ivp: t_eval, nfev, args, and what is refused."""

import unittest

import numpy as np

import daewave


def on_circle(t, q):
    return np.array([(q[0]**2 + q[1]**2 - 1) / 2])


def falling(t, q, v):
    return np.stack([0 * t, 0 * t - 9.81])


START = [1.0, 0.0, 0.0, 0.0]


def counted(calls, function):
    def call(t, *states):
        calls.append(t.size)
        return function(t, *states)
    return call


class AsSciPy(unittest.TestCase):
    def test_exactly_the_times_that_were_asked_for_are_given_out(self):
        def solved(span, t_eval, **way):
            return daewave.solve_dae(falling, span, START, constraint=on_circle, t_eval=t_eval,
                                     rtol=1e-9, **way)

        def turned(t, y):
            return y[0]
        turned.reset = lambda t, y: np.concatenate((y[:2], -y[2:]))

        def lowest(t, y):
            return y[0]
        lowest.terminal = True
        curve = solved((0, 2), None, dense_output=True).sol
        for way in ({}, {"method": "s-both2", "h": 2e-2}, {"restart_times": [0.3, 0.4]}, {"dense_output": True}):
            for span, sign in (((0, 2), 1), ((0, -2), -1)):
                for t_eval in ([0.3, 0.7], [0.7, 0.3], [], [2], (0, 2)):
                    with self.subTest(way=way, span=span, t_eval=t_eval):
                        t_eval = sign * np.asarray(t_eval)
                        # Backward the same, as the start is at rest.
                        if sign < 0 and "restart_times" in way:
                            way = {"restart_times": [-0.4, -0.3]}
                        found = solved(span, t_eval, **way)
                        self.assertEqual(found.status, 0, found.message)
                        np.testing.assert_array_equal(found.t, t_eval)
                        self.assertEqual((found.y.shape, found.z.shape), ((4, t_eval.size), (1, t_eval.size)))
                        np.testing.assert_allclose(found.y[:2], curve(np.abs(t_eval))[:2], atol=1e-5)
        at = solved((0, 2), None, events=lowest).t_events[0][0]
        found = solved((0, 2), [0.1, 0.5, 0.9, 1.5], events=lowest)
        self.assertEqual((found.status, found.t.tolist()), (1, [0.1, 0.5]))
        found = solved((0, 2), [at - 0.1, at + 0.1], events=turned)
        np.testing.assert_allclose(found.y[:2, 0], found.y[:2, 1], atol=1e-7)  # It goes back.
        for wrong, words in (([0.1, 0.5, 0.3], "one way"), ([0.5, 0.5], "one way"), ([-0.1], "beyond t_span"),
                             ([2.1], "beyond t_span"), ([np.nan], "beyond t_span"), (0.5, "one dimension"),
                             ([[0.5]], "one dimension")):
            with self.assertRaisesRegex(ValueError, words):
                solved((0, 2), wrong)

    def test_nfev_is_the_number_of_points_at_which_fun_was_called(self):
        for way in ({}, {"method": "s-both2"}, {"method": "bdf-projection", "t_eval": [0.3]}, {"method": "srm", "h": 1e-2},
                    {"estimate_error": True}, {"dense_output": True}, {"h": 1e-2, "method": "dcbdf"}):
            with self.subTest(way=way):
                calls = []
                found = daewave.solve_dae(counted(calls, falling), (0, 1), START, constraint=on_circle, **way)
                self.assertEqual(found.nfev, sum(calls))
        calls = []
        found = daewave.solve_dae(counted(calls, lambda t, y, z: -z), (0, 1), [1.0], index=1, z0=[1.0],
                                  constraint=lambda t, y, z: z - y)
        self.assertEqual(found.nfev, sum(calls))

    def test_further_arguments_go_to_all_functions(self):
        def fun(t, q, v, g, unit):
            return np.stack([0 * t, 0 * t - g * unit])

        def constraint(t, q, g, unit):
            return q[:1]**2 + q[1:]**2 - unit**2

        def lowest(t, y, g, unit):
            return y[0] / unit
        lowest.terminal, lowest.direction = True, -1

        def halfway(t, y, g, unit):
            return y[1] / unit + 0.5
        halfway.reset = lambda t, y, g, unit: y * (g / 9.81)
        found = daewave.solve_dae(fun, (0, 5), 2 * np.array(START), constraint=constraint, args=(9.81, 2.0),
                                  mass=lambda t, q, g, unit: np.eye(2), rtol=1e-9, events=[lowest, halfway],
                                  constraint_jac=lambda t, q, g, unit: 2 * q[np.newaxis])
        half = daewave.solve_dae(falling, (0, 0.8), START, constraint=on_circle, events=lambda t, y: y[0],
                                 rtol=1e-9)
        self.assertEqual((found.status, found.message.split('"')[1]), (1, "lowest"))
        np.testing.assert_allclose(found.t_events[0], half.t_events[0], rtol=1e-7)
        with self.assertRaisesRegex(TypeError, "args = 9.81: it is a tuple"):
            daewave.solve_dae(falling, (0, 1), START, constraint=on_circle, args=9.81)

    def test_what_cannot_be_meant_is_refused_by_its_name(self):
        def solved(fun=falling, **way):
            return daewave.solve_dae(fun, (0, 1), START, constraint=on_circle, **way)

        def thrice(t, y):
            return y[0]
        thrice.terminal = 3
        for words, way in (("mass is to be symmetric: .* entry .1, 2. is 0.5", {"mass": [[1, 0.5], [0, 1]]}),
                           ("eigenvalue -1", {"mass": lambda t, q: np.array([[1, 2], [2, 1]])}),
                           ("max_step = 0: it is to be > 0", {"max_step": 0}),
                           ("max_step = 0.1 given with h = 0.01", {"max_step": 0.1, "h": 0.01}),
                           ("first_step = 0.1 given with h = 0.01", {"first_step": 0.1, "h": 0.01}),
                           ("atol has 3 entries", {"atol": [1e-6] * 3}),
                           ("fun returned None", {"fun": lambda t, q, v: None}),
                           ("returned None", {"fun": lambda t, q, v: None, "vectorized": False}),
                           ("fun returned None", {"fun": lambda t, q, v: falling(t, q, v) if t.size == 1 else None}),
                           ("returned None", {"events": lambda t, y: None}),
                           ("terminal = 3 of an event", {"events": thrice})):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                solved(**way)
        # SciPy's own default.
        np.testing.assert_array_equal(solved(max_step=np.inf).y, solved().y)


if __name__ == "__main__":
    unittest.main()
