"""What results become: pictures, tables, pages."""

import os
import re
import tempfile
import unittest
from pathlib import Path

import matplotlib
import numpy as np

import daewave

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot  # noqa: E402: after the choice of what draws.

MODELS = Path(os.environ["DAEWAVE_SOURCE"]) / "examples" / "models"


def pendulum(**more):
    return daewave.solve_dae(lambda t, q, v: np.stack([0 * t, 0 * t - 9.81]), (0, 1),
                             [1.0, 0, 0, 0],
                             constraint=lambda t, q: (q[:1] ** 2 + q[1:] ** 2 - 1) / 2, **more)


def layer():
    return daewave.solve_bvp(lambda x, y: np.vstack([y[1], 100 * y[0]]),
                             lambda a, b: np.array([a[0], b[0] - 1]), np.linspace(0, 1, 5),
                             np.zeros((2, 5)))


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.mechanism = daewave.load(MODELS / "four-bar.toml").solve((0, 0.5), dense_output=True)
        cls.spatial = daewave.load(MODELS / "heavy-top.toml").solve((0, 0.2))

    def tearDown(self):
        pyplot.close("all")

    def test_curves_are_the_rows_that_were_asked_for(self):
        ax = self.mechanism.plot(["crank.phi", "rocker.phi"])
        lines = {line.get_label(): line for line in ax.get_lines()}
        self.assertEqual(set(lines), {"crank.phi", "rocker.phi"})
        t, phi = lines["crank.phi"].get_data()
        self.assertGreaterEqual(t.size, 1000)
        row = self.mechanism.names.index("crank.phi")
        np.testing.assert_allclose(phi, self.mechanism.sol(t)[row], atol=1e-12)
        self.assertEqual(ax.get_ylabel(), "rad")
        with self.assertRaisesRegex(ValueError, "crank.psi is no row; there are crank.x"):
            self.mechanism.plot(["crank.psi"])

    def test_rows_of_different_units_have_axes_of_their_own(self):
        axes = self.mechanism.plot()
        self.assertEqual({one.get_ylabel() for one in axes}, {"m", "rad", "m/s", "rad/s"})

    def test_multipliers_and_boundary_values_are_drawn_too(self):
        found = pendulum()
        line = found.plot(["z1"]).get_lines()[0]
        np.testing.assert_array_equal(line.get_ydata(), found.z[0])
        self.assertEqual(layer().plot().get_xlabel(), "x")

    def test_bodies_are_where_the_state_says(self):
        film = self.mechanism.animate(seconds=0.2, fps=10)
        film._func(1)  # The last of its two frames.
        lines = [line for line in film._fig.axes[0].get_lines() if line.get_color() == "C0"]
        end = dict(zip(self.mechanism.names, self.mechanism.y[:, -1]))
        centers = {name: (end[f"{name}.x"], end[f"{name}.y"])
                   for name in ("crank", "coupler", "rocker")}
        for name, center in centers.items():
            drawn = [np.min(np.hypot(line.get_xdata() - center[0], line.get_ydata() - center[1]))
                     for line in lines]
            self.assertLess(min(drawn), 1e-12, name)

    def test_joints_of_two_bodies_are_one_point(self):
        from daewave.drawing import Drawing
        for found in (self.mechanism, self.spatial):
            drawing = Drawing(found.drawing)
            pins = [points for kind, points in drawing.lines(found.y) if kind == "pin"]
            self.assertTrue(pins)
            self.assertTrue(all(np.all(np.isfinite(points)) for points in pins))

    def test_films_are_made_of_anything(self):
        for found in (self.spatial, pendulum(), layer()):
            with self.subTest(found.names[0]):
                film = found.animate(seconds=0.2, fps=10)
                film._func(0)
        with self.assertRaisesRegex(ValueError, "fps = 0"):
            pendulum().animate(fps=0)

    def test_a_page_has_the_rows_and_the_mechanism(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, found in (("four-bar", self.mechanism), ("pendulum", pendulum()),
                                ("layer", layer())):
                path = Path(found.report_page(Path(folder) / f"{name}.html", title=name))
                text = path.read_text()
                self.assertIn(f"<title>{name}", text)
                self.assertNotRegex(text, r'(src|href)="https?://')
                self.assertLess(len(text), 10_000_000)
                for row in found.names:
                    self.assertIn(f'"{row}"', text)
            with self.assertRaises(daewave.FileError):
                pendulum().report_page(Path(folder) / "none" / "page.html")

    def test_notebooks_show_how_it_went_and_both_ends(self):
        text = self.mechanism._repr_html_()
        self.assertIn("<b>solved</b>", text)
        self.assertIn("crank.phi (rad)", text)
        self.assertIn("&lt;", daewave.Result(message="a<b", success=False, status=1, x=np.empty(0),
                                             y=np.empty((1, 0)))._repr_html_())

    def test_a_frame_has_a_column_for_each_row(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            with self.assertRaisesRegex(ImportError, "python3-pandas"):
                pendulum().to_frame()
            self.skipTest("pandas is not there")
        found = pendulum(t_eval=[0, 0.5, 1])
        frame = found.to_frame()
        self.assertEqual(list(frame), ["q1", "q2", "v1", "v2", "z1"])
        self.assertEqual(list(frame.index), [0, 0.5, 1])
        np.testing.assert_array_equal(frame["q1"], found.y[0])

    def test_a_drawing_is_given_back_as_it_was(self):
        text = re.sub(r"\s", "", str(self.mechanism.drawing))
        self.assertIn("'kind':'pin'", text)
        self.assertEqual(self.mechanism.drawing["frames"][0], ("crank", 0))


if __name__ == "__main__":
    unittest.main()
