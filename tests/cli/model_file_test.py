#!/usr/bin/env python3
"""Model files on the command line: every command takes one in the place of a name.

usage: model_file_test.py PROGRAM
"""

import csv
import json
import math
import unittest
from pathlib import Path

from models import MODELS, ModelTest
from program import BAD_INPUT, NOT_SOLVED, SOLVED, run

CRANK = str(MODELS / "slider-crank.toml")
CHAIN = str(MODELS / "chain.toml")


BALL = """gravity = [0, -10]
parameters = { e = 0.8 }
[[body]]
name = "ball"
mass = 2
inertia = 1
position = [0, 5]
[[joint]]
type = "prismatic"
between = ["ground", "ball"]
axis = [0, 1]
angle = 0
[solve]
t = [0, 4]
"""


class ModelFiles(ModelTest):
    def test_every_model_of_the_examples_is_solved(self):
        for path in sorted(MODELS.glob("*.toml")):
            with self.subTest(path.name):
                solved = run("solve", str(path))
                self.assertEqual(solved.returncode, SOLVED, solved.stderr)
                self.assertIn("converged", solved.stdout)

    def test_a_state_may_have_any_name(self):
        text = """[dae]
BOUNDARY
[dae.differential]
y1 = "-y1 + z"
drift = "-drift"
error = 0
[dae.algebraic]
z = "y1 - cos(t)"
START
y1 = 1
drift = 1
[solve]
t = [0, 1]
"""
        initial = text.replace("BOUNDARY", "").replace("START", "[dae.start]\nerror = 0")
        boundary = text.replace("BOUNDARY", 'boundary = ["drift(0) - 1", "error(0)"]').replace(
            "START", "[dae.guess]")
        page = self.path("page.html")
        for words in (initial, boundary):
            path = self.write(words)
            solved = run("solve", path, "--csv", "-", "-q", "--report", page)
            self.check(solved, SOLVED)
            self.assertEqual(solved.stdout.splitlines()[0], "t,y1,drift,error,y1_")
            self.check(run("solve", path, "--npy", self.path("y.npy"), "-q"), SOLVED)
            text = Path(page).read_text(encoding="utf-8")
            self.assertFalse("Residual of the constraints" in text)
        swept = run("sweep", self.write(initial), "--vary", "t-end=1,2", "--csv", "-", "-q")
        self.check(swept, SOLVED)
        self.assertIn(",error,seconds,y1,drift,error_", swept.stdout.splitlines()[0])

    def test_units_of_a_file_are_on_its_page(self):
        page = self.path("page.html")
        self.check(run("solve", str(MODELS / "steered-pendulum.toml"), "-q", "--report", page),
                   SOLVED)
        text = Path(page).read_text(encoding="utf-8")
        self.assertTrue('"title":"Positions","unit":"m"' in text)
        self.assertTrue('"title":"Velocities","unit":"m/s"' in text)
        self.assertTrue('"label":"steered-pendulum.toml"' in text)

    def test_templates_are_the_examples_and_are_solved(self):
        listed = run("new")
        self.check(listed, SOLVED)
        names = [path.stem for path in MODELS.glob("*.toml")]
        for name in names:
            self.assertRegex(listed.stdout, rf"(?m)^{name} +\S")
            made = run("new", name)
            self.check(made, SOLVED)
            self.assertEqual(made.stdout, (MODELS / f"{name}.toml").read_text(encoding="utf-8"))
        wrong = run("new", "slider-crnk")
        self.check(wrong, BAD_INPUT)
        self.assertIn("did you mean slider-crank?", wrong.stderr)

    def test_columns_have_the_names_of_bodies(self):
        rows = run("solve", CRANK, "--t-end", "0.1", "--csv", "-", "-q").stdout.splitlines()
        self.assertTrue(rows[0].startswith("t,crank.x,crank.y,crank.phi,rod.x"), rows[0])
        self.assertIn("crank.phi'", rows[0])

    def test_the_model_moves_as_the_compiled_problem_does(self):
        ends = []
        for problem in (CRANK, "slider-crank"):
            rows = run("solve", problem, "--t-end", "10", "--rtol", "1e-10", "--atol", "1e-10",
                       "--every", "0", "--csv", "-", "-q").stdout.splitlines()
            ends.append([float(x) for x in rows[-1].split(",")[:13]])
        for text, code in zip(*ends):
            self.assertAlmostEqual(text, code, delta=1e-7)

    def test_show_and_check_tell_of_the_file_not_of_a_problem_of_that_name(self):
        shown = run("show", CHAIN)
        self.assertEqual(shown.returncode, SOLVED, shown.stderr)
        self.assertIn("link10.phi", shown.stdout)
        self.assertIn("revolute ground-link1", shown.stdout)
        checked = run("check", str(MODELS / "four-bar.toml"))
        self.assertEqual(checked.returncode, SOLVED, checked.stderr)
        self.assertIn("rank 8 of 8", checked.stdout)

    def test_check_looks_at_algebraic_equations_where_a_solve_has_found_their_unknowns(self):
        text = ("[dae.differential]\nx = '-x - z'\n[dae.algebraic]\nz = 'sqrt(z) - 10'\n"
                "[dae.start]\nx = 1\nz = BEGIN\n[solve]\nt = [0, 1]\nrtol = 1e-9\n")
        # A whole step of Newton's method leads to z < 0.
        file = self.write(text.replace("BEGIN", "500"))
        checked = run("check", file)
        self.check(checked, SOLVED)
        self.assertIn("rank 1 of 1 at the start", checked.stdout)
        end = run("solve", file, "--every", "0", "--csv", "-").stdout.split()[-1].split(",")
        self.assertAlmostEqual(float(end[1]), math.exp(-1) - 100 * (1 - math.exp(-1)), delta=1e-6)
        self.assertAlmostEqual(float(end[2]), 100, delta=1e-9)
        # At 0 its slope is infinite, and no step leads away.
        for command in ("check", "solve"):
            refused = run(command, self.write(text.replace("BEGIN", "0")))
            self.check(refused, BAD_INPUT)
            self.assertIn("dr/dw is singular or not finite at t = 0", refused.stderr)

    def test_check_tells_freedom_redundant_joints_and_singular_poses(self):
        checked = run("check", str(MODELS / "bricard.toml"))
        self.check(checked, SOLVED)
        self.assertIn("redundant: 1 of 5 rows of revolute bar5-ground", checked.stdout)
        self.assertIn("degrees of freedom: 1 (35 coordinates, 34 independent", checked.stdout)
        self.assertIn("regular on the whole motion", checked.stdout)
        self.assertIn("1 of 5 rows", run("show", str(MODELS / "bricard.toml")).stdout)
        singular = run("check", CRANK)
        self.check(singular, SOLVED)
        self.assertNotIn("redundant", singular.stdout)
        self.assertRegex(singular.stdout, r"constraints: singular at t = 0\.75\d")
        rolling = run("check", str(MODELS / "rolling-disk.toml"))
        self.assertIn("degrees of freedom: 3", rolling.stdout)
        self.assertIn("2 of them on velocities", rolling.stdout)

    def test_check_tells_an_index_that_is_higher_than_the_equations_look(self):
        square = "[dae.differential]\nx = \"-x + z\"\n[dae.algebraic]\nz = \"z^2 - x\"\n[dae.start]\n"
        tenth = "[solve]\nt = [0, 0.1]\n"
        result = run("check", self.write(square + "x = 0\nz = 0\n" + tenth))
        self.check(result, NOT_SOLVED)
        self.assertIn("rank 0 of 1 at the start", result.stdout)
        self.assertIn("do not determine their unknowns at the start", result.stdout)
        # From a guess that is not the unknown yet.
        result = run("check", self.write(square + "x = 4\nz = 1\n" + tenth))
        self.check(result, SOLVED)
        self.assertIn("rank 1 of 1 at the start", result.stdout)
        three = self.write("""[dae.differential]
x = "u"
u = "z"
[dae.algebraic]
z = "x - sin(t)"
[dae.start]
x = 0
u = 1
[solve]
t = [0, 1]
""")
        result = run("check", three)
        self.check(result, NOT_SOLVED)
        self.assertIn("B does not reach all rows of G: the index is higher than 2", result.stdout)
        result = run("solve", three)
        self.check(result, NOT_SOLVED)
        self.assertIn("as where the index is higher", result.stderr + result.stdout)

    def test_events_are_told_drawn_and_given_out(self):
        path = self.write(BALL + """[[event]]
name = "floor"
when = "ball.y"
direction = "falling"
restitution = 0.8
[[event]]
name = "late"
when = "t - 3"
terminal = true
[report]
file = "%s"
""" % self.path("page.html"))
        told = run("solve", path, "--json", self.path("report.json"), "--csv",
                   self.path("rows.csv"))
        self.check(told, SOLVED)
        self.assertIn("event floor: t = 1, 2.6", told.stdout)
        self.assertIn("event late: t = 3", told.stdout)
        with open(self.path("rows.csv"), newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        at = [row for row in rows if abs(float(row["t"]) - 1) < 1e-9]
        self.assertEqual(len(at), 2)
        self.assertAlmostEqual(float(at[0]["ball.y'"]), -10, delta=1e-6)
        self.assertAlmostEqual(float(at[1]["ball.y'"]), 8, delta=1e-6)
        self.assertAlmostEqual(float(rows[-1]["t"]), 3, delta=1e-9)
        passed = json.loads(Path(self.path("report.json")).read_text(encoding="utf-8"))
        self.assertEqual([one["name"] for one in passed["events_passed"]],
                         ["floor", "floor", "late"])
        page = Path(self.path("page.html")).read_text(encoding="utf-8")
        self.assertTrue('"label":"floor"' in page)
        self.assertIn("floor: changes the state", run("show", path).stdout)
        self.assertIn("event floor: t = 1", run("check", path).stdout)
        # By the start, and by the parameter that the event reads.
        moved = run("solve", path, "--t-end", "1.5", "--sensitivities", "--rtol", "1e-9", "--set",
                    "e=0.8", "--json", "-", "-q")
        self.check(moved, SOLVED)
        refused = run("solve", path, "--method", "srm", "--h", "1e-3", "--checkpoint",
                      self.path("run.json"))
        self.check(refused, BAD_INPUT)
        self.assertIn("checkpoints: hold one start of the formula", refused.stderr)

    def test_every_command_takes_equations_without_constraints(self):
        model = str(MODELS / "stick-slip.toml")
        picture, page, table = self.path("s.svg"), self.path("s.html"), self.path("s.json")
        solved = run("solve", model, "--rtol", "1e-10", "--svg", picture, "--report", page,
                     "--json", table)
        self.check(solved, SOLVED)
        self.assertNotIn("drift", solved.stdout)
        self.assertNotIn("Drift", Path(picture).read_text(encoding="utf-8"))
        # It sticks from 0.1 m to 0.4 m, and swings about 0.25 m between.
        omega, away, belt = math.sqrt(10), 0.15, 0.5
        slipping = (math.pi + 2 * math.atan2(belt / omega, away)) / omega
        expected = 0.8
        times = json.loads(Path(table).read_text(encoding="utf-8"))["events_passed"]
        for i, event in enumerate(times):
            self.assertAlmostEqual(event["t"], expected, delta=1e-8)
            expected += slipping if i % 2 == 0 else 0.6
        self.assertEqual(len(times), 9)
        checked = run("check", model)
        self.check(checked, SOLVED)
        self.assertIn("index 0: no constraints", checked.stdout)
        self.check(run("solve", model, "--sensitivities"), SOLVED)
        self.check(run("sweep", model, "--vary", "k=8,10,12"), SOLVED)

    def test_an_interval_may_be_passed_backward_with_states_given_out_at_equal_times(self):
        model = self.write("[dae.differential]\nx = \"cos(t)\"\n[dae.start]\nx = \"sin(2)\"\n"
                           "[solve]\nt = [2, 0]\nrtol = 1e-10\n")
        table = self.path("back.csv")
        self.check(run("solve", model, "--points", "5", "--csv", table), SOLVED)
        with open(table, newline="", encoding="utf-8") as file:
            rows = [[float(x) for x in row] for row in list(csv.reader(file))[1:]]
        self.assertEqual([row[0] for row in rows], [2, 1.5, 1, 0.5, 0])
        for t, x in rows:
            self.assertAlmostEqual(x, math.sin(t), delta=1e-8)

    def test_sensitivities_see_what_an_event_reads(self):
        path = self.write(BALL + """[[event]]
when = "ball.y"
direction = "falling"
restitution = "e"
""")
        told = run("solve", path, "--t-end", "1.5", "--sensitivities", "--rtol", "1e-9", "--json",
                   "-", "-q")
        self.check(told, SOLVED)
        by = json.loads(told.stdout)["sensitivities"]["by"]["e"]
        # y = 10 e (t - 1) - 5 (t - 1)^2 behind the impact.
        self.assertAlmostEqual(by[1], 5, delta=1e-5)
        self.assertAlmostEqual(by[4], 10, delta=1e-5)

    def test_check_tells_where_units_do_not_fit(self):
        units = '[units]\ne = "1"\n'
        fine = run("check", self.write(BALL + units))
        self.check(fine, SOLVED)
        self.assertIn("units: fit in", fine.stdout)
        wrong = run("check", self.write(BALL + '[units]\ne = "s"\n[[force]]\ntype = "force"\n'
                                        'on = "ball"\nvalue = ["e*ball.y", 0]\n'))
        self.check(wrong, NOT_SOLVED)
        self.assertIn('is in m s, must be in m kg/s^2\n  value = ["e*ball.y", 0]', wrong.stdout)

    def test_a_model_becomes_a_struct(self):
        made = run("convert", CRANK)
        self.check(made, SOLVED)
        self.assertIn("struct SliderCrank {", made.stdout)
        self.check(run("convert", CRANK, "--to", "cpp", "-o", self.path("crank.hpp")), SOLVED)
        self.assertEqual(Path(self.path("crank.hpp")).read_text(encoding="utf-8"), made.stdout)
        for words, said in ((("pendulum",), "is for model files"),
                            ((CRANK, "--to", "rust"), "must be cpp"),
                            ((CHAIN, "--set", "n=1000"), "at most 300 become C++")):
            refused = run("convert", *words)
            self.check(refused, BAD_INPUT)
            self.assertIn(said, refused.stderr)

    def test_functions_become_those_of_the_same_name(self):
        functions = ("log", "log10", "log2", "cbrt", "sinh", "atan")
        terms = " + ".join(f"{name}(x)" for name in functions)
        made = run("convert", self.write(f"[dae.differential]\nx = '{terms}'\n[dae.start]\nx = 1\n"))
        self.check(made, SOLVED)
        for name in functions:
            self.assertIn(f"std::{name}(", made.stdout)

    def test_a_file_that_an_option_names_is_no_model(self):
        drawn = run("solve", "pendulum", "--t-end", "0.1", "--svg", self.path("picture.toml"))
        self.assertEqual(drawn.returncode, SOLVED, drawn.stderr)
        self.assertTrue(Path(self.path("picture.toml")).exists())

    def test_a_run_of_a_file_that_has_changed_since_does_not_go_on(self):
        text = Path(CRANK).read_text(encoding="utf-8")
        options = ("--method", "srm", "--h", "1e-4", "--epsilon", "1e-4")
        begun = run("solve", self.write(text), *options, "--t-end", "0.1", "--checkpoint",
                    self.path("run.json"))
        self.assertTrue(Path(self.path("run.json")).exists(), begun.stderr)
        on = ("solve", self.path("mine.toml"), *options, "--t-end", "0.2", "--resume",
              self.path("run.json"))
        self.write(text.replace("inertia = \"m*l^2/12\"", "inertia = \"m*l^2/6\"", 1))
        refused = run(*on)
        self.assertEqual(refused.returncode, BAD_INPUT)
        self.assertIn("start anew", refused.stderr)
        self.write("# a remark\n" + text + "rtol = 1e-8\n")
        self.assertEqual(run(*on).returncode, SOLVED)

    def test_what_is_wrong_is_told_with_its_place(self):
        text = Path(CRANK).read_text(encoding="utf-8")
        cases = ((text.replace('mass = "m"', 'mass = "mm"', 1), ":12:9: unknown name 'mm'"),
                 (text + "tolerence = 1e-3\n", "'tolerence': daewave solve has no such option"),
                 (text + "[reports]\n", "unknown key 'reports'"),
                 (text + "[report]\nfiles = 1\n", "report has file"), ("[[[", "mine.toml:1:"))
        for wrong, words in cases:
            with self.subTest(words):
                refused = run("solve", self.write(wrong))
                self.assertEqual(refused.returncode, BAD_INPUT)
                self.assertIn(words, refused.stderr)
        Path(self.path("folder.toml")).mkdir()
        self.assertEqual(run("solve", self.path("folder.toml")).returncode, BAD_INPUT)
        missing = run("solve", self.path("none.toml"))
        self.assertEqual(missing.returncode, BAD_INPUT)
        self.assertIn("cannot be read", missing.stderr)


if __name__ == "__main__":
    unittest.main()
