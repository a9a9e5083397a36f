"""Models, results and errors go to other processes by pickle and are what they were."""

import copy
import multiprocessing
import os
import pickle
import tempfile
import unittest
from pathlib import Path

import daewave
import numpy as np

MODELS = Path(os.environ["DAEWAVE_SOURCE"]) / "examples" / "models"


def through(value, protocol=pickle.HIGHEST_PROTOCOL):
    return pickle.loads(pickle.dumps(value, protocol))


def force(t, q, v):
    return np.stack([0 * t, 0 * t - 9.81])


def rod(t, q):
    return (q[:1] ** 2 + q[1:] ** 2 - 1) / 2


def rod_jac(t, q):
    return q[np.newaxis]


def height(t, y):
    return y[1] + 0.6


def pendulum(t_span=(0, 1), **more):
    return daewave.solve_dae(force, t_span, [1.0, 0, 0, 0], constraint=rod, constraint_jac=rod_jac,
                             **more)


def sympy_pendulum():
    import sympy as sp
    from sympy.physics.mechanics import dynamicsymbols
    x, y = dynamicsymbols("x y", real=True)
    m, g = sp.symbols("m g", positive=True)
    return daewave.from_sympy(coordinates=[x, y], mass_matrix=sp.diag(m, m), forcing=[0, -m * g],
                              configuration_constraints=[x ** 2 + y ** 2 - 1],
                              constants={m: 2, g: 9.81}, start={x: 1}), x


def solved_elsewhere(model):
    return model.solve((0, 0.2), dense_output=True)


class Pickles(unittest.TestCase):
    def assertSame(self, one, other):
        """Entries of results: numbers to the bit, reports in all they say, curves where looked at."""
        self.assertEqual(list(one), list(other))
        for name, value in one.items():
            with self.subTest(name):
                if name == "report":
                    for words in ("json", "brief", "full", "explain", "usable"):
                        self.assertEqual(getattr(value, words)(), getattr(other[name], words)())
                elif callable(value):
                    self.assertSameCurve(value, other[name], one["t" if "t" in one else "x"])
                else:
                    np.testing.assert_equal(other[name], value)
                    self.assertIs(type(other[name]), type(value))
                    self.assertEqual(getattr(other[name], "dtype", None),
                                     getattr(value, "dtype", None))

    def assertSameCurve(self, one, other, nodes):
        inside = np.random.default_rng(1).uniform(min(nodes[0], nodes[-1]), max(nodes[0], nodes[-1]),
                                                  300)
        for times in (np.asarray(nodes), inside, float(inside[0])):
            for nu in (0, 1):
                try:
                    values = one(times, nu)
                except ValueError:
                    with self.assertRaises(ValueError):
                        other(times, nu)
                    continue
                self.assertTrue(np.array_equal(values, other(times, nu)))
        with self.assertRaises(ValueError):
            other(max(nodes[0], nodes[-1]) + 1)

    def test_each_model_file_arrives_without_its_file_and_is_solved_to_the_same_bits(self):
        for path in sorted(MODELS.glob("*.toml")):
            with self.subTest(path.name), tempfile.TemporaryDirectory() as folder:
                moved = Path(folder) / path.name
                moved.write_bytes(path.read_bytes())
                model = daewave.load(moved)
                kept = pickle.dumps(model)
                moved.unlink()
                there = pickle.loads(kept)
                self.assertEqual(vars(there).keys(), vars(model).keys())
                for name in ("name", "title", "parameters", "state_names", "state_units", "t_span",
                             "start_moved", "is_boundary", "drawing"):
                    self.assertEqual(getattr(there, name), getattr(model, name), name)
                self.assertTrue(np.array_equal(there.start, model.start))
                options = {} if model.is_boundary else {"t_span": (0, 0.1)}
                one, other = model.solve(**options), there.solve(**options)
                self.assertTrue(np.array_equal(one.y, other.y))
                self.assertSame(other, through(other))

    def test_changed_parameters_and_what_users_changed_go_along(self):
        model = daewave.load(MODELS / "slider-crank.toml").with_parameters(l=1.5)
        model.title = "a crank of mine"
        there = through(model)
        self.assertEqual(there.parameters["l"], 1.5)
        self.assertEqual(there.title, "a crank of mine")
        more, same = (one.with_parameters(m=0.5).solve((0, 0.2)) for one in (model, there))
        self.assertTrue(np.array_equal(more.y, same.y))
        self.assertEqual(model.energy(more.y).tolist(), there.energy(more.y).tolist())

    def test_models_of_text_and_of_tables_arrive(self):
        text = "[dae.differential]\nx = '-k*x'\n[dae.start]\nx = 1\n[parameters]\nk = 2\n"
        tables = {"dae": {"differential": {"x": "-k*x"}, "start": {"x": 1}}, "parameters": {"k": 2}}
        for model in (daewave.Model(text, name="decay"), daewave.Model(tables, k=3)):
            there = through(model)
            self.assertEqual(there.parameters, model.parameters)
            self.assertTrue(np.array_equal(there.solve((0, 1)).y, model.solve((0, 1)).y))

    def test_models_of_sympy_arrive_with_their_symbols(self):
        model, x = sympy_pendulum()
        there = through(model)
        self.assertEqual(there.parameters, model.parameters)
        for one, other in ((model, there), (model.with_parameters(g=1), there.with_parameters(g=1))):
            self.assertTrue(np.array_equal(one.solve((0, 1)).y, other.solve((0, 1)).y))
        starts = [one.solve((0, 1), y0={x: -1}).y for one in (model, there)]
        self.assertTrue(np.array_equal(*starts))
        from sympy.physics.mechanics.models import n_link_pendulum_on_cart
        kane = n_link_pendulum_on_cart(2, cart_force=False)
        symbols = sorted(kane.mass_matrix_full.free_symbols | kane.forcing_full.free_symbols, key=str)
        constants = {one: 1.0 for one in symbols if str(one) != "t"}
        model = daewave.from_sympy(kane, constants=constants, start={kane.q[1]: 0.1})
        self.assertTrue(np.array_equal(through(model).solve((0, 1)).y, model.solve((0, 1)).y))

    def test_another_process_gives_the_same_bits(self):
        models = [daewave.load(MODELS / "four-bar.toml"), sympy_pendulum()[0]]
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            there = pool.map(solved_elsewhere, models)
        for model, found in zip(models, there):
            here = solved_elsewhere(model)
            self.assertTrue(np.array_equal(here.y, found.y))
            self.assertSameCurve(here.sol, found.sol, here.t)

    def test_runs_of_each_method_keep_their_dense_output(self):
        asked = {"symmetric-projection": {"h": 0.01}}
        of_no_use_without_rates = {"baumgarte", "stabilized-ode"}
        for method in set(daewave.method_names()) - of_no_use_without_rates:
            with self.subTest(method):
                found = pendulum(method=method, dense_output=True, **asked.get(method, {}))
                self.assertTrue(found.success, found.message)
                self.assertSame(found, through(found))

    def test_runs_backward_and_with_events_that_change_the_state_arrive(self):
        def bounce(t, y):
            return np.concatenate([y[:2], -y[2:] / 2])

        height.reset = bounce
        try:
            for span in ((0, 2), (2, 0)):
                found = pendulum(span, dense_output=True, events=height)
                self.assertGreater(found.t_events[0].size, 1)
                self.assertSame(found, through(found))
        finally:
            del height.reset
        found = pendulum((0, 1), t_eval=[0, 0.5, 1], estimate_error=True)
        self.assertSame(found, through(found))

    def test_runs_of_index_1_and_2_arrive(self):
        one = daewave.solve_dae(lambda t, y, z: -z, (0, 1), [1.0], constraint=lambda t, y, z: z - y,
                                index=1, z0=[1.0], dense_output=True)
        two = daewave.solve_dae(lambda t, y: np.stack([y[1], -y[0]]), (0, 1), [1.0, 0.0],
                                constraint=lambda t, y: y[:1] ** 2 + y[1:] ** 2 - 1,
                                B=np.array([[1.0], [0.0]]), index=2, dense_output=True)
        for found in (one, two):
            self.assertSame(found, through(found))

    def test_boundary_values_keep_their_curves(self):
        x = np.linspace(0, 1, 5)

        def ends(a, b, p=None):
            return np.array([a[0], b[0] - 1])

        plain = daewave.solve_bvp(lambda x, y: np.vstack([y[1], 100 * y[0]]), ends, x,
                                  np.zeros((2, 5)))
        of_complex = daewave.solve_bvp(lambda x, y: np.vstack([y[1], 1j * y[0]]), ends, x,
                                       np.zeros((2, 5), dtype=complex))
        singular = daewave.solve_bvp(lambda x, y: np.vstack([y[1], -y[0] ** 5]),
                                     lambda a, b: np.array([a[1], b[0] - np.sqrt(3) / 2]), x,
                                     np.ones((2, 5)), S=np.array([[0, 0], [0, -2.0]]))

        def with_p(x, y, p):
            return np.vstack([y[1], -p[0] ** 2 * y[0]])

        def slopes(x, y, p):
            by_y, by_p = np.zeros((2, 2, x.size)), np.zeros((2, 1, x.size))
            by_y[0, 1], by_y[1, 0], by_p[1, 0] = 1, -p[0] ** 2, -2 * p[0] * y[0]
            return by_y, by_p

        guess = np.vstack([np.sin(3 * x), 3 * np.cos(3 * x)])
        for jacobian in (None, slopes):
            found = daewave.solve_bvp(with_p, lambda a, b, p: np.array([a[0], b[0], a[1] - p[0]]), x,
                                      guess, p=[3.0], fun_jac=jacobian)
            self.assertTrue(found.success, found.message)
            self.assertSame(found, through(found))
        constrained = {"constraint": lambda x, y: y[:1] + y[1:] - 1 - 0 * x, "index": 2,
                       "B": np.array([[1.0], [1.0]])}
        for stages in (None, 1):
            found = daewave.solve_bvp(lambda x, y: np.stack([y[1] + x, -y[0]]),
                                      lambda a, b: np.array([a[0] - 1]), x, np.zeros((2, 5)), tol=1e-2,
                                      stages=stages, **constrained)
            self.assertIsNotNone(found.sol_z)
            self.assertSame(found, through(found))
        for found in (plain, of_complex, singular):
            self.assertTrue(found.success, found.message)
            self.assertSame(found, through(found))

    def test_what_failed_says_the_same_there(self):
        def stiff(x, y):
            return np.vstack([y[1], 1e8 * y[0]])

        found = daewave.solve_bvp(stiff, lambda a, b: np.array([a[0], b[0] - 1]),
                                  np.linspace(0, 1, 5), np.zeros((2, 5)), max_nodes=6)
        self.assertFalse(found.success)
        self.assertSame(found, through(found))
        stopped = pendulum(most_steps=2, method="s-both2")
        self.assertFalse(stopped.success)
        self.assertSame(stopped, through(stopped))

    def test_errors_keep_their_kind_and_words(self):
        for call in (lambda: daewave.load(MODELS / "none.toml"),
                     lambda: daewave.load(MODELS / "slider-crank.toml", foo=1),
                     lambda: daewave.Model("[model\n")):
            with self.assertRaises(daewave.Error) as raised:
                call()
            there = through(raised.exception)
            self.assertIs(type(there), type(raised.exception))
            self.assertEqual(str(there), str(raised.exception))
            self.assertIs(type(copy.copy(there)), type(there))
        for kind in (daewave.Error, daewave.InvalidOption, daewave.InvalidProblem, daewave.FileError):
            self.assertIs(through(kind), kind)
        part = daewave.Interrupted(pendulum())
        there = through(part)
        self.assertEqual(str(there), str(part))
        self.assertSame(part.result, there.result)
        self.assertIsNone(through(daewave.Interrupted()).result)
        self.assertIn(".result has", str(part))
        self.assertNotIn("result", str(daewave.Interrupted()))

    def test_copies_are_of_the_same_numbers_and_of_their_own(self):
        found = pendulum(dense_output=True)
        deep, shallow = copy.deepcopy(found), copy.copy(found)
        self.assertSame(found, deep)
        self.assertSame(found, shallow)
        self.assertIs(shallow.y, found.y)
        deep.y[0, 0] = 7
        deep.mine = "new"
        self.assertEqual(found.y[0, 0], 1)
        self.assertNotIn("mine", found)
        for model in (daewave.load(MODELS / "four-bar.toml"), sympy_pendulum()[0]):
            for other in (copy.copy(model), copy.deepcopy(model)):
                self.assertEqual(other.parameters, model.parameters)
                self.assertTrue(np.array_equal(other.solve((0, 0.1)).y, model.solve((0, 0.1)).y))

    def test_each_protocol_that_has_classes_will_do(self):
        found = pendulum(dense_output=True)
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            self.assertSame(found, through(found, protocol))

    def test_arrays_of_results_may_go_beside_the_pickle(self):
        found, buffers = pendulum(dense_output=True), []
        kept = pickle.dumps(found, 5, buffer_callback=buffers.append)
        self.assertGreater(len(buffers), 0)
        self.assertSame(found, pickle.loads(kept, buffers=buffers))

    def test_what_is_damaged_or_of_another_version_is_refused(self):
        report = pendulum().report
        version, parts = report.__getstate__()
        self.assertEqual(version, daewave.__version__)
        for state, words in (((version, parts[:-1]), "damaged"), ((version, ("x",) + parts[1:]), "damaged"),
                             (("0.0.1", parts), "pickled by daewave 0.0.1, and this is"),
                             ((1,), "nothing that daewave has pickled")):
            empty = daewave.Report.__new__(daewave.Report)
            with self.assertRaisesRegex(ValueError, words):
                empty.__setstate__(state)


if __name__ == "__main__":
    unittest.main()
