"""Model files from Python."""

import os
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
                    with self.assertRaisesRegex(ValueError, "boundary value problem"):
                        model.solve()
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
        with self.assertRaisesRegex(ValueError, "boundary value problem"):
            daewave.load(MODELS / "layer.toml").solve()


if __name__ == "__main__":
    unittest.main()
