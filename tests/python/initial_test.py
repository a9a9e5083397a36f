"""solve_dae: a pendulum against its angle, each kind of problem, events, and what is refused."""

import unittest

import numpy as np
from scipy.integrate import solve_ivp

import daewave


def on_circle(t, q):
    return np.array([(q[0]**2 + q[1]**2 - 1) / 2])


def falling(t, q, v):
    return np.stack([0 * t, 0 * t - 9.81])


START = [1.0, 0.0, 0.0, 0.0]


class Initial(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.t = np.linspace(0, 5, 11)
        other = solve_ivp(lambda t, y: [y[1], -9.81 * np.sin(y[0])], (0, 5), [np.pi / 2, 0],
                          method="DOP853", rtol=1e-12, atol=1e-12, t_eval=cls.t)
        cls.exact = np.stack([np.sin(other.y[0]), -np.cos(other.y[0])])

    def test_all_ways_to_say_a_pendulum_agree_with_its_angle(self):
        ways = {
            "nothing": {}, "mass": {"mass": np.eye(2)},
            "mass of points": {"mass": lambda t, q: np.repeat(np.eye(2)[:, :, None], t.size, 2)},
            "B": {"B": lambda t, q: q[:, np.newaxis]},
            "jacobian": {"constraint_jac": lambda t, q: q[np.newaxis]},
            "windows": {"method": "gauss-windows"}, "dense": {"dense_output": True},
        }
        for name, way in ways.items():
            with self.subTest(name):
                found = daewave.solve_dae(falling, (0, 5), START, constraint=on_circle,
                                          t_eval=self.t, rtol=1e-10, **way)
                self.assertEqual((found.status, found.success), (0, True), found.message)
                np.testing.assert_allclose(found.y[:2], self.exact, atol=1e-7)
                if name == "dense":
                    np.testing.assert_allclose(found.sol(self.t)[:2], self.exact, atol=1e-7)

    @staticmethod
    def counted(calls, **functions):
        def wrapped(name, function):
            def call(t, *states):
                calls.append((name, t.size))
                return function(t, *states)
            return call
        return {name: wrapped(name, one) for name, one in functions.items()}

    def test_windows_of_a_mechanism_need_few_calls(self):
        calls = []
        functions = self.counted(calls, fun=falling, constraint=on_circle,
                                 constraint_jac=lambda t, q: q[np.newaxis])
        found = daewave.solve_dae(functions["fun"], (0, 5), START, mass=np.eye(2), rtol=1e-9,
                                  constraint=functions["constraint"],
                                  constraint_jac=functions["constraint_jac"])
        np.testing.assert_allclose(found.y[:2, -1], self.exact[:, -1], atol=1e-8)
        # Two sweeps a window, and its end; the rest is the start.
        self.assertLess(len(calls), 13 * found.nsteps + 40)
        # Multipliers of all times come from one look, and are those of the state.
        x, y, vx, vy = found.y
        np.testing.assert_allclose(found.z[0], vx**2 + vy**2 - 9.81 * y, rtol=1e-9)
        self.assertGreater(found.drift, 0)
        self.assertLess(found.drift, 1e-14)

    def test_every_method_has_the_options_that_it_needs(self):
        needs = {"baumgarte": {"alpha0": 1e4, "alpha1": 200}, "stabilized-ode": {"gamma": 10},
                 "symmetric-projection": {"h": 1e-2}}
        for method in daewave.method_names():
            with self.subTest(method):
                found = daewave.solve_dae(falling, (0, 0.5), START, constraint=on_circle, rtol=1e-8,
                                          method=method, **needs.get(method, {}))
                self.assertTrue(found.success, found.message)
                np.testing.assert_allclose(found.y[:2, -1], self.exact[:, 1], atol=1e-5)
                if method in needs:
                    with self.assertRaisesRegex(daewave.InvalidOption, "give"):
                        daewave.solve_dae(falling, (0, 0.5), START, constraint=on_circle, method=method)

    def test_an_index_1_is_not_sent_to_methods_that_it_does_not_have(self):
        def of(**options):
            return daewave.solve_dae(lambda t, y, z: -z, (0, 0.5), [1.0], z0=[1.0], index=1,
                                     constraint=lambda t, y, z: z - y, **options)
        for options in ({}, {"alpha0": 4.0}, {"gamma": 10}):
            for method in daewave.method_names():
                with self.subTest(method, options=options):
                    try:
                        self.assertTrue(of(method=method, **options).success)
                    except daewave.InvalidOption as refused:
                        self.assertNotIn("s-both2", str(refused).replace(f"method = {method}", "")
                                         .replace("not s-both2", ""))

    def test_options_of_methods_are_checked_as_those_of_the_command_line(self):
        for words, options in {
            "is of method = stabilized-ode, not projection": {"method": "projection", "gamma": 1},
            'stepper = "rado"; known: .*radau': {"stepper": "rado"},
            "stages = 3.5: must be a whole number": {"stepper": "radau", "stages": 3.5},
            "keep_energy = 1: must be True or False": {"method": "projection", "keep_energy": 1},
            "factor = 2: must be > 0 and < 2": {"method": "s-both", "factor": 2},
        }.items():
            with self.subTest(words), self.assertRaisesRegex(daewave.InvalidOption, words):
                daewave.solve_dae(falling, (0, 0.5), START, constraint=on_circle, **options)
        found = daewave.solve_dae(falling, (0, 0.5), START, constraint=on_circle, stepper="radau",
                                  stages=np.int64(5))
        self.assertIn("radau", found.report.explain())

    def test_stiff_forces_do_not_hold_the_default_to_short_steps(self):
        def pulled(t, q, v):
            to, rate = np.cos(t), -np.sin(t)
            return np.stack([-1e6 * (q[0] - to) - 1e6 * (v[0] - rate) - to, 0 * t - 9.81, 0 * t])
        found = daewave.solve_dae(pulled, (0, 1), [1, 0, 0, 0, 0, 0], constraint=lambda t, q: q[2:],
                                  most_steps=1000)
        self.assertTrue(found.success, found.message)
        np.testing.assert_allclose(found.y[:2, -1], [np.cos(1), -9.81 / 2], atol=1e-7)
        self.assertIn("held the steps of gauss-windows", found.report.full())

    def test_few_times_of_many_steps_have_their_multipliers(self):
        found = daewave.solve_dae(falling, (0, 5), START, constraint=on_circle, t_eval=self.t,
                                  constraint_jac=lambda t, q: q[np.newaxis], rtol=1e-10)
        x, y, vx, vy = found.y
        np.testing.assert_allclose(found.z[0], vx**2 + vy**2 - 9.81 * y, rtol=1e-7)

    def test_a_constraint_that_begins_to_move_is_followed_with_its_jacobian(self):
        # The pivot of the pendulum moves by s(t), smooth, from t = 1.3 on: angle'' = -9.81 sin
        # angle - s'' cos angle.
        def s(t, k=0):
            u = np.maximum(t - 1.3, 0.0)
            return [u**6, 6 * u**5, 30 * u**4][k] / 8

        def constraint(t, q):
            return ((q[:1] - s(t))**2 + q[1:]**2 - 1) / 2

        def jacobian(t, q):
            return np.stack([q[0] - s(t), q[1]])[np.newaxis]
        other = solve_ivp(lambda t, y: [y[1], -9.81 * np.sin(y[0]) - s(t, 2) * np.cos(y[0])],
                          (0, 2.5), [np.pi / 2, 0], method="DOP853", rtol=1e-12, atol=1e-12)
        angle = other.y[0, -1]
        for more in ({}, dict(constraint_jac=jacobian)):
            found = daewave.solve_dae(falling, (0, 2.5), START, constraint=constraint, rtol=1e-10,
                                      atol=1e-10, **more)
            self.assertTrue(found.success, found.message)
            np.testing.assert_allclose(found.y[:2, -1], [np.sin(angle) + s(2.5), -np.cos(angle)],
                                       atol=1e-8)

    def test_a_pendulum_in_millimetres_takes_the_steps_of_one_in_metres(self):
        of_metres = None
        for unit in (1, 1e3, 1e6):
            for more in ({}, dict(constraint_jac=lambda t, q: 2 * q[np.newaxis])):
                found = daewave.solve_dae(
                    lambda t, q, v: np.stack([0 * t, -9.81 * unit + 0 * t]), (0, 5), unit * np.array(START),
                    constraint=lambda t, q: q[:1]**2 + q[1:]**2 - unit**2, **more)
                with self.subTest(unit=unit, jacobian=bool(more)):
                    self.assertTrue(found.success, found.message)
                    np.testing.assert_allclose(found.y[:2, -1] / unit, self.exact[:, -1], atol=1e-4)
                    of_metres = of_metres or found.nsteps
                    self.assertLess(found.nsteps, 2 * of_metres)

    def test_forces_and_constraints_of_any_form_are_as_exact(self):
        # A bead on y = cosh x with drag that grows with its speed and a mass that varies; by x.
        def fun(t, q, v):
            return np.stack([0 * t, -9.81 * (1 + 0.1 * q[0]**2)]) - 0.3 * v * (1 + np.sum(v**2, axis=0))

        def mass(t, q):
            return np.eye(2)[:, :, np.newaxis] * (1 + 0.1 * q[0]**2)

        def constraint(t, q):
            return q[1:] - np.cosh(q[:1])

        def by_x(t, z):
            x, v = z
            velocity = np.array([v, v * np.sinh(x)])
            m = 1 + 0.1 * x * x
            tangent = np.array([1, np.sinh(x)])
            force = np.array([0, -9.81 * m]) - 0.3 * velocity * (1 + velocity @ velocity)
            return [v, (tangent @ force / m - np.sinh(x) * np.cosh(x) * v * v) / (tangent @ tangent)]
        other = solve_ivp(by_x, (0, 4), [1.0, 0.5], method="DOP853", rtol=1e-13, atol=1e-13)
        x, v = other.y[:, -1]
        start = [1.0, np.cosh(1), 0.5, 0.5 * np.sinh(1)]
        for rtol in (1e-6, 1e-9, 1e-11):
            found = daewave.solve_dae(
                fun, (0, 4), start, constraint=constraint, mass=mass, rtol=rtol, atol=rtol,
                constraint_jac=lambda t, q: np.stack([-np.sinh(q[0]), 1 + 0 * t])[np.newaxis])
            self.assertTrue(found.success, found.message)
            np.testing.assert_allclose(found.y[:, -1], [x, np.cosh(x), v, v * np.sinh(x)],
                                       atol=30 * rtol)

    def test_functions_of_single_points_give_the_same(self):
        arguments = dict(rtol=1e-8, t_eval=self.t)
        many = daewave.solve_dae(falling, (0, 5), START, constraint=on_circle, **arguments)
        single = daewave.solve_dae(lambda t, q, v: [0, -9.81], (0, 5), START, vectorized=False,
                                   constraint=lambda t, q: (q[0]**2 + q[1]**2 - 1) / 2, **arguments)
        np.testing.assert_allclose(single.y, many.y, atol=1e-12)

    def test_events_end_a_run_or_change_its_state(self):
        def lowest(t, y):
            return y[0]
        lowest.terminal = True
        found = daewave.solve_dae(falling, (0, 5), START, constraint=on_circle, events=lowest,
                                  rtol=1e-10)
        self.assertEqual(found.status, 1)
        np.testing.assert_allclose(found.y_events[0][0][1], -1, atol=1e-8)

        def back(t, y):
            return y[0]
        back.reset = lambda t, y: np.concatenate((y[:2], -y[2:]))
        found = daewave.solve_dae(falling, (0, 2), START, constraint=on_circle, events=[back])
        self.assertTrue(found.success, found.message)
        self.assertTrue(np.all(found.y[0] > -1e-6))

    def test_times_beside_restarts_and_changes_are_all_given_out(self):
        def wall(t, y):
            return y[0]

        def back(t, y):
            return np.concatenate([y[:2], -0.9 * y[2:]])

        wall.direction, wall.reset = -1, back
        grid = np.linspace(0, 1, 11)  # 0.3 of them is 0.30000000000000004.
        made = daewave.solve_dae(falling, (0, 1), START, constraint=on_circle, index=3, t_eval=grid,
                                 restart_times=[0.3, 0.6, 0.7])
        np.testing.assert_array_equal(made.t, grid)
        hits = daewave.solve_dae(falling, (0, 5), START, constraint=on_circle, index=3, events=wall,
                                 rtol=1e-9)
        self.assertGreater(hits.t_events[0].size, 2)
        at = hits.t_events[0]
        again = daewave.solve_dae(falling, (0, 5), START, constraint=on_circle, index=3, events=wall,
                                  rtol=1e-9, t_eval=at)
        np.testing.assert_array_equal(again.t, at)
        np.testing.assert_allclose(again.y[0], 0, atol=1e-8)

    def test_an_estimate_sees_what_iterates_leave_in_the_first_steps(self):
        def exact(t):
            return np.stack([np.cos(0.3 + t), np.sin(0.3 + t)])

        def fun(t, x):
            along = exact(t)
            return np.stack([-along[1], along[0]]) + along * (1 + np.cos(2 * t)) + 0.5 * (x - along)

        run = daewave.solve_dae(
            fun, (0, 1), exact(0.0), index=2, method="srm", variant="direct", h=1e-3, iterates=3,
            constraint=lambda t, x: (x[:1]**2 + x[1:]**2 - 1) / 2, B=lambda t, x: x[:, np.newaxis],
            constraint_jac=lambda t, x: x[np.newaxis], estimate_error=True)
        off = np.abs(run.y - exact(run.t)).max(axis=0)
        self.assertLess(off.argmax(), 8)
        self.assertLess(off.max(), 2.5 * run.report.error_estimate)

    def test_a_pivot_is_where_it_is_driven_to_between_steps_too(self):
        def pivoted(drive):
            def constraint(t, q):
                along = q[0] - q[2]
                return np.stack([q[2] - drive(t), (along**2 + q[1]**2 - 1) / 2])

            return constraint

        def pulled(t, q, v):
            return np.stack([0 * t, 0 * t - 9.81, 0 * t])

        def solved(drive, speed, **options):
            s = drive(np.zeros(1))[0]
            return daewave.solve_dae(pulled, (0, 1), [s + 1, 0, s, speed, 0, speed], index=3,
                                     constraint=pivoted(drive), dense_output=True, **options)

        t = np.linspace(0, 1, 401)
        for method in ("auto", "s-both2"):
            turned = solved(lambda t: np.abs(t - 0.5), -1, method=method, rtol=1e-5)
            self.assertTrue(turned.success)
            np.testing.assert_allclose(turned.sol(t)[2], np.abs(t - 0.5), atol=2e-4)
        jumping = solved(lambda t: 0.1 * (t > 0.4), 0)
        self.assertFalse(jumping.success)
        self.assertIn("what drives constraints", jumping.message)
        still = solved(lambda t: 0.1 * np.tanh((t - 0.5) / 0.05), 0, method="s-both2", rtol=1e-9,
                       repair_start=True)
        self.assertLess(still.nsteps, 500)
        np.testing.assert_allclose(still.sol(t)[2], 0.1 * np.tanh((t - 0.5) / 0.05), atol=1e-8)

    def test_what_a_function_raises_comes_through(self):
        def broken(t, q, v):
            if t[0] > 0.5:
                raise KeyError("mine")
            return falling(t, q, v)
        with self.assertRaisesRegex(KeyError, "mine"):
            daewave.solve_dae(broken, (0, 5), START, constraint=on_circle)

    def test_a_motion_of_index_1_is_that_of_its_solution(self):
        # y' = -z, 0 = z - y^2: y = 1 / (1 + t).
        ways = {"nothing": {}, "jacobian": {"constraint_jac": lambda t, y, z: np.ones((1, 1))},
                "single": {"vectorized": False}}
        for name, way in ways.items():
            with self.subTest(name):
                one = name == "single"
                found = daewave.solve_dae(
                    (lambda t, y, z: -z), (0, 3), [1.0], index=1, z0=[0.8], rtol=1e-10, atol=1e-12,
                    constraint=(lambda t, y, z: z - y ** 2), t_eval=[0, 1, 3], **way)
                self.assertTrue(found.success, found.message)
                np.testing.assert_allclose(found.y[0], [1, 1 / 2, 1 / 4], atol=1e-8)
                np.testing.assert_allclose(found.z[0], [1, 1 / 4, 1 / 16], atol=1e-8)
                self.assertEqual(one, way.get("vectorized", True) is False)

    def test_an_invariant_of_index_1_is_kept(self):
        # A rotation whose rate is algebraic.
        found = daewave.solve_dae(
            lambda t, y, z: np.stack([-z[0] * y[1], z[0] * y[0]]), (0, 100), [1.0, 0.0], index=1,
            z0=[1.0], constraint=lambda t, y, z: z - 1 - y[:1] ** 2, rtol=1e-5,
            invariant=lambda t, y: (y[:1] ** 2 + y[1:] ** 2 - 1) / 2)
        self.assertTrue(found.success, found.message)
        np.testing.assert_allclose(np.hypot(*found.y), 1, atol=1e-9)

    def test_vectorized_functions_are_called_once_for_the_nodes_of_a_window(self):
        calls = []

        def counted(t, q, v):
            calls.append(t.size)
            return falling(t, q, v)
        found = daewave.solve_dae(counted, (0, 20), START, constraint=on_circle,
                                  constraint_jac=lambda t, q: q[np.newaxis], rtol=1e-9)
        self.assertGreater(found.nsteps, 50)
        self.assertLess(len(calls), 8 * found.nsteps)
        self.assertGreaterEqual(np.median(calls), 8)
        np.testing.assert_allclose(found.z[0], 3 * 9.81 * -found.y[1], atol=1e-5)

    def test_what_functions_get_is_theirs_to_change(self):
        def spoiling(function):
            def called(*given):
                given_out = function(*(np.copy(one) for one in given))
                for one in given:
                    if isinstance(one, np.ndarray):
                        one[...] = np.nan
                return given_out
            return called
        pendulum = dict(fun=falling, constraint=on_circle, y0=np.array(START), events=[
            lambda t, y: y[0]], mass=lambda t, q: np.repeat(np.eye(2)[:, :, None], t.size, 2))
        of_index_1 = dict(fun=lambda t, y, z: -y * z, constraint=lambda t, y, z: z - 1 - y**2,
                          y0=np.array([1.0]), z0=np.array([2.0]), index=1)
        of_points = dict(fun=lambda t, q, v: np.array([0, -9.81]), y0=np.array(START),
                         constraint=lambda t, q: (q[0]**2 + q[1]**2 - 1) / 2, vectorized=False)
        for name, arguments in [("mechanism", pendulum), ("index 1", of_index_1),
                                ("points", of_points)]:
            with self.subTest(name):
                spoiled = {key: spoiling(value) if callable(value) else np.copy(value)
                           if isinstance(value, np.ndarray) else value
                           for key, value in arguments.items()}
                spoiled["events"] = [spoiling(one) for one in arguments.get("events", [])]
                found = daewave.solve_dae(t_span=(0, 0.5), **spoiled)
                other = daewave.solve_dae(t_span=(0, 0.5), **arguments)
                self.assertTrue(found.success, found.message)
                np.testing.assert_array_equal(found.t, other.t)
                np.testing.assert_array_equal(found.y, other.y)
                np.testing.assert_array_equal(spoiled["y0"], arguments["y0"])

    def test_wrong_arguments_are_refused_with_the_rule(self):
        for change, words in [
            (dict(y0=[2.0, 0, 0, 0]), "inconsistent"), (dict(y0=[1.0, 0, 0]), "odd"),
            (dict(method="best"), "best"), (dict(rtol=0), "rtol"), (dict(index=4), "index = 4"),
            (dict(index=1), "index=1 needs z0"), (dict(z0=[1.0]), "are of index=1"),
            (dict(index=2), "needs B"), (dict(fun=lambda t, q, v: np.zeros(3)), "shape"),
            (dict(constraint=lambda t, q: 0.0), "vectorized=False"),
            (dict(mass=np.eye(3)), "mass has shape"),
        ]:
            arguments = dict(fun=falling, t_span=(0, 1), y0=START, constraint=on_circle) | change
            with self.subTest(change=list(change)), self.assertRaisesRegex(ValueError, words):
                daewave.solve_dae(**arguments)
        for change, words in [
            (dict(fun=lambda t, q, v: 1j * q), "fun: .* real numbers"),
            (dict(constraint_jac=lambda t, q: q), "constraint_jac returned shape"),
            (dict(events=lambda t, y: "low"), "an event: .* real numbers"),
            (dict(events=lambda t, y: y), "an event returned 4 numbers"),
        ]:
            arguments = dict(fun=falling, t_span=(0, 1), y0=START, constraint=on_circle) | change
            with self.subTest(change=list(change)), self.assertRaisesRegex(ValueError, words):
                daewave.solve_dae(**arguments)
        for change, words in [(dict(h="x"), "h = 'x'"), (dict(events=[3]), "3 is no function")]:
            with self.subTest(change=list(change)), self.assertRaisesRegex(TypeError, words):
                daewave.solve_dae(falling, (0, 1), START, constraint=on_circle, **change)
        with self.assertRaisesRegex(TypeError, "stepsize"):
            daewave.solve_dae(falling, (0, 1), START, constraint=on_circle, stepsize=1)


if __name__ == "__main__":
    unittest.main()
