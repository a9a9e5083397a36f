"""Model files from Python."""

import copy
import os
import pickle
import unittest
from pathlib import Path

import numpy as np

import daewave

MODELS = Path(os.environ["DAEWAVE_SOURCE"]) / "examples" / "models"


class Models(unittest.TestCase):
    def test_every_example_is_solved_and_keeps_its_names(self):
        paths = sorted(MODELS.glob("*.toml"))
        self.assertGreaterEqual(len(paths), 4)
        for path in paths:
            with self.subTest(path.name):
                model = daewave.load(path)
                if model.is_boundary:
                    found = model.solve(tol=1e-6)
                    self.assertTrue(found.success, found.message)
                    self.assertEqual(len(found.names), found.y.shape[0])
                    np.testing.assert_allclose(found.sol(found.x), found.y, atol=1e-9)
                    continue
                found = model.solve((0, 0.5))
                self.assertTrue(found.success, found.message)
                self.assertEqual(len(found.names), found.y.shape[0])
                np.testing.assert_array_equal(found.y[:, 0], model.start)

    def test_a_parameter_is_changed_and_energy_is_kept(self):
        model = daewave.load(MODELS / "slider-crank.toml").with_parameters(l=1.5)
        self.assertEqual(model.parameters["l"], 1.5)
        found = model.solve((0, 0.5), rtol=1e-9)
        energy = model.energy(found.y)
        np.testing.assert_allclose(energy, energy[0], atol=1e-6 * (1 + abs(energy[0])))

    def test_parameters_and_the_end_that_the_file_sets_are_those_of_the_model(self):
        text = ("parameters = { a = 2, b = 'a' }\n[dae.differential]\nx = '-b*x'\n[dae.start]\nx = 1\n"
                "[solve]\nset = ['a=3']\nt-end = 2\n")
        model = daewave.Model(text)
        self.assertEqual((model.parameters, model.t_span), ({"a": 3, "b": 3}, (0, 2)))
        np.testing.assert_allclose(model.solve(rtol=1e-9).y[0, -1], np.exp(-6), rtol=1e-6)
        self.assertEqual(model.with_parameters(a=4).parameters, {"a": 4, "b": 4})

    def test_boundary_values_are_those_that_are_known(self):
        found = daewave.load(MODELS / "eigenvalue.toml", a=0).solve(tol=1e-10)
        np.testing.assert_allclose(found.y[found.names.index("k")], np.pi ** 2, atol=1e-8)
        with self.assertRaisesRegex(ValueError, "its interval and conditions are its own"):
            daewave.load(MODELS / "eigenvalue.toml").solve((0, 1))
        with self.assertRaisesRegex(ValueError, "tol = 0"):
            daewave.load(MODELS / "eigenvalue.toml").solve(tol=0)

    def test_what_a_boundary_value_problem_has_no_use_for_is_refused_by_its_name(self):
        model = daewave.load(MODELS / "eigenvalue.toml")
        for name, value in [("rtol", 1e-6), ("rtol", "x"), ("atol", 1e-6), ("y0", np.zeros(3)),
                            ("t_eval", [0, 1]), ("events", []), ("dense_output", False),
                            ("method", "srm")]:
            with self.subTest(name), self.assertRaisesRegex(ValueError, f"^{name}: .* give tol"):
                model.solve(**{name: value})

    def test_parameters_are_read_and_not_changed(self):
        model = daewave.load(MODELS / "slider-crank.toml")
        with self.assertRaisesRegex(TypeError, "with_parameters"):
            model.parameters["l"] = 2.0
        with self.assertRaisesRegex(TypeError, "with_parameters"):
            model.parameters.update(l=2.0)
        for same in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):
            self.assertEqual(same.parameters, model.parameters)
            self.assertEqual(type(same.parameters), type(model.parameters))

    def test_dictionaries_are_the_same_as_their_text(self):
        import tomllib
        for path in sorted(MODELS.glob("*.toml")):
            with self.subTest(path.name):
                tables = tomllib.loads(path.read_text())
                one, other = daewave.load(path), daewave.Model(tables)
                self.assertEqual(one.state_names, other.state_names)
                self.assertEqual(one.parameters, other.parameters)
                np.testing.assert_array_equal(one.start, other.start)

    def test_numbers_of_numpy_and_odd_names_may_be_in_dictionaries(self):
        from daewave.toml_text import toml_of
        import tomllib
        tables = {"a b": {"x": np.float64(0.1), "n": np.int64(3), "yes": np.True_,
                          "text": 'quo"te\n\\', "v": np.arange(3), "w": (1, 2.5)},
                  "rows": [{"k": 1, "in": {"z": 1e-300}}, {"k": 2}], "inline": [[1, 2], [3, 4]]}
        read = tomllib.loads(toml_of(tables))
        self.assertEqual(read, {"a b": {"x": 0.1, "n": 3, "yes": True, "text": 'quo"te\n\\',
                                        "v": [0, 1, 2], "w": [1, 2.5]},
                                "rows": [{"k": 1, "in": {"z": 1e-300}}, {"k": 2}],
                                "inline": [[1, 2], [3, 4]]})
        for wrong, words in [({"a": {"b": None}}, "a.b: None"), ({"a": {1: 2}}, "a name is a text"),
                             (3, "not of int")]:
            with self.assertRaisesRegex(TypeError, words):
                daewave.Model(wrong)

    def test_what_is_wrong_is_said_with_its_place(self):
        with self.assertRaisesRegex(daewave.InvalidOption, "no parameter foo"):
            daewave.load(MODELS / "slider-crank.toml", foo=1)
        with self.assertRaisesRegex(daewave.Error, "1"):
            daewave.Model("[model\n")
        with self.assertRaises(daewave.Error):
            daewave.load(MODELS / "none.toml")
        with self.assertRaisesRegex(ValueError, "a row for each state"):
            daewave.load(MODELS / "slider-crank.toml").energy(np.zeros(3))
        with self.assertRaises(ValueError):
            daewave.Model()
        with self.assertRaisesRegex(daewave.Error, "no body: write"):
            daewave.Model({"gravity": [0, -9.81], "bdy": [{"name": "a"}]})


if __name__ == "__main__":
    unittest.main()
