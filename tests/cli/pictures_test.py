#!/usr/bin/env python3
"""Pictures: what is in them, by their texts.

usage: pictures_test.py PROGRAM
"""

import re
import unittest
from pathlib import Path

from program import SOLVED, ProgramTest, run


class Pictures(ProgramTest):
    def texts(self, *command):
        self.check(run(*command, "--svg", self.path("p.svg")), SOLVED)
        self.svg = Path(self.path("p.svg")).read_text()
        texts = re.findall(r"<text[^>]*>(.*?)</text>", self.svg, re.S)
        return [re.sub(r"<[^>]*>", "", text) for text in texts]

    def test_lengths_and_angles_are_apart_and_what_is_hidden_is_said(self):
        texts = self.texts("solve", "slider-crank", "--method", "srm", "--h", "1e-3", "--iterates",
                           "3", "--t-end", "3")
        for title in ("Positions, m", "Angles, rad", "Velocities, m/s",
                      "Angular velocities, rad/s", "Multiplier term B y", "Error of the state",
                      "Drift off the constraints", "Change of energy"):
            self.assertIn(title, texts)
        self.assertIn("q2 (under q5)", texts)

    def test_components_that_are_not_drawn_are_said(self):
        texts = self.texts("solve", "chain", "--links", "16", "--t-end", "0.1")
        self.assertIn("Positions, m (8 of 32 drawn)", texts)
        self.assertIn("Angles, rad (8 of 16 drawn)", texts)
        texts = self.texts("solve", "lin", "--set", "blocks=3", "--t-end", "2")
        self.assertIn("Solution x (8 of 12 drawn)", texts)

    def test_iterates_have_whole_numbers_and_steps_their_lengths(self):
        texts = self.texts("solve", "al1-example1", "--scheme", "midpoint", "--intervals", "100",
                           "--epsilon", "0.01", "--iterates", "3", "--shooting-back")
        # Ticks come before the title of a panel, those of x first.
        ticks = texts[texts.index("B y, at stages") + 1:texts.index("Iterates")]
        self.assertEqual(ticks[:3], ["1", "2", "3"])
        self.assertNotIn("1.5", ticks)
        self.assertIn("Lengths of steps", self.texts("solve", "pendulum"))

    def test_motions_are_drawn_between_the_ends_of_long_steps(self):
        # A period takes about a dozen windows; its curve has a point in each column of pixels.
        self.texts("solve", "pendulum", "--t-end", "2.4", "--rtol", "1e-8")
        curves = re.findall(r'<path d="(M[^"]*)"', self.svg)
        longest = max(len(re.findall(r"[-0-9.]+[ ,][-0-9.]+", curve)) for curve in curves)
        self.assertGreater(longest, 200)

    def test_few_points_are_drawn_as_points(self):
        self.texts("solve", "pendulum", "--t-end", "1", "--points", "9")
        points = len(re.findall(r'<path d="[^"]*" fill="#', self.svg))
        self.texts("solve", "pendulum", "--t-end", "1", "--points", "90")
        self.assertGreater(points, len(re.findall(r'<path d="[^"]*" fill="#', self.svg)) + 3)


if __name__ == "__main__":
    unittest.main()
