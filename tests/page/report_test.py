#!/usr/bin/env python3
"""Pages in a browser: they load without an error, play, and show what the data say.

usage: report_test.py PROGRAM SPATIAL_PAGE [options of unittest]
"""

import csv
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PROGRAM, SPATIAL_PAGE = (str(Path(one).resolve()) for one in (sys.argv.pop(1), sys.argv.pop(1)))
MODELS = Path(__file__).resolve().parents[2] / "examples" / "models"
BROWSER = None
FOLDER = None


def setUpModule():
    global BROWSER, FOLDER
    FOLDER = tempfile.TemporaryDirectory()
    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
                     "--window-size=1400,1600"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.add_experimental_option("prefs", {"download.default_directory": FOLDER.name})
    BROWSER = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def tearDownModule():
    BROWSER.quit()
    FOLDER.cleanup()


class Page(unittest.TestCase):
    def made(self, *arguments, code=0):
        path = Path(FOLDER.name) / f"{self.id().split('.')[-1]}.html"
        result = subprocess.run([PROGRAM, *arguments, "--report", str(path), "-q"],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, code, result.stderr)
        return path

    def open(self, path):
        self.assertLess(path.stat().st_size, 10_000_000)
        BROWSER.get(path.as_uri())
        self.assertEqual(self.script("return document.documentElement.dataset.ready"), "yes")

    def script(self, text, *arguments):
        return BROWSER.execute_script(text, *arguments)

    def tearDown(self):
        errors = [entry for entry in BROWSER.get_log("browser") if entry["level"] == "SEVERE"]
        self.assertEqual(errors, [])

    def set_time(self, part):
        """The slider, as a hand would."""
        self.script("const s = document.getElementById('time'); s.value = arguments[0];"
                    "s.dispatchEvent(new Event('input'))", round(10000 * part))

    def test_the_slider_moves_the_mechanism_to_where_the_data_say(self):
        table = Path(FOLDER.name) / "slider-crank.csv"
        self.open(self.made("solve", str(MODELS / "slider-crank.toml"), "--csv", str(table),
                            "--points", "11"))
        with open(table, newline="") as file:
            rows = list(csv.DictReader(file))
        for k in (0, 3, 7, 10):
            self.set_time(k / 10)
            for body in ("crank", "rod"):
                moved = self.script(
                    "const m = [...document.querySelectorAll('g.body')]"
                    ".find((g) => g.dataset.name === arguments[0]).getCTM();"
                    "const s = document.querySelector('#stage svg').getCTM();"
                    "const r = s.inverse().multiply(m); return [r.e, -r.f, Math.atan2(-r.b, r.a)]",
                    body)
                for got, name in zip(moved[:2], ("x", "y")):
                    self.assertAlmostEqual(got, float(rows[k][f"{body}.{name}"]), delta=1e-4)
                turned = (moved[2] - float(rows[k][f"{body}.phi"])) % 6.283185307179586
                self.assertAlmostEqual(min(turned, 6.283185307179586 - turned), 0, delta=1e-4)
        # Values beside the names of curves are those of t.
        values = self.script("return [...document.querySelectorAll('.legend li')]"
                             ".map((li) => li.innerText)")
        shown = next(text for text in values if text.startswith("crank.x"))
        self.assertAlmostEqual(float(shown.split()[-1]), float(rows[10]["crank.x"]), delta=1e-5)

    def test_it_plays_and_stops_and_has_its_title_and_facts(self):
        self.open(self.made("solve", str(MODELS / "slider-crank.toml"), "--estimate-error"))
        self.assertEqual(BROWSER.title, "Slider-crank through its singular configuration")
        self.assertIn("usable", BROWSER.find_element(By.ID, "status").text)
        self.assertIn("setting", BROWSER.find_element(By.ID, "facts").text)
        slider = BROWSER.find_element(By.ID, "time")
        play = BROWSER.find_element(By.ID, "play")
        play.click()
        self.assertEqual(play.text, "Pause")
        time.sleep(0.5)
        BROWSER.find_element(By.ID, "play").click()
        at = int(slider.get_attribute("value"))
        self.assertGreater(at, 0)
        time.sleep(0.1)
        self.assertEqual(int(slider.get_attribute("value")), at)
        # And by the keyboard alone.
        slider.send_keys(Keys.END)
        self.assertEqual(slider.get_attribute("aria-valuetext"), "t = 10")

    def test_a_mechanism_of_the_catalogue_moves(self):
        for problem, bodies in (("andrews", 7), ("slider-crank", 2), ("truck", 5), ("chain", 16),
                                ("scissors", 8), ("two-link-arm-1", 2), ("pendulum", 1)):
            with self.subTest(problem):
                self.open(self.made("solve", problem, "--t-end",
                                    "0.02" if problem == "andrews" else "0.5"))
                self.assertEqual(len(BROWSER.find_elements(By.CSS_SELECTOR, "#stage g.body")),
                                 bodies)
                places = ("const svg = document.querySelector('#stage svg').getCTM().inverse();"
                          "return [...document.querySelectorAll('#stage g.body')].map((body) => {"
                          "const m = svg.multiply(body.getCTM()); return [m.a, m.b, m.e, m.f]})")
                self.set_time(0)
                before = self.script(places)
                self.set_time(1)
                moved = [max(abs(a - b) for a, b in zip(*body))
                         for body in zip(self.script(places), before)]
                self.assertGreater(max(moved), 1e-7)
                # What the drawing needs is not given out as data.
                header = self.script("return csvOf(data.runs[0], 0).split('\\n')[0]")
                self.assertFalse(header.endswith(","))
                self.assertNotIn(",,", header)

    def test_an_event_is_marked_and_jumps(self):
        path = Path(FOLDER.name) / "ball.toml"
        path.write_text("""gravity = [0, -10]
[[body]]
name = "ball"
mass = 1
inertia = 1
position = [0, 5]
[[joint]]
type = "prismatic"
between = ["ground", "ball"]
axis = [0, 1]
[[event]]
name = "floor"
when = "ball.y"
direction = "falling"
restitution = 1
[solve]
t = [0, 1.6]
""", encoding="utf-8")
        self.open(self.made("solve", str(path)))
        rows = list(csv.DictReader(self.script("return csvOf(data.runs[0], 0)").splitlines()))
        at = [row for row in rows if abs(float(row["t"]) - 1) < 1e-9]
        self.assertEqual(len(at), 2)
        self.assertAlmostEqual(float(at[0]["ball.y'"]), -float(at[1]["ball.y'"]), delta=1e-6)
        self.assertEqual(self.script("return data.runs[0].marks.map((m) => m.label)"), ["floor"])

    def test_runs_of_boundary_values_are_compared(self):
        self.open(self.made("sweep", str(MODELS / "layer.toml"), "--vary", "n=1,4"))
        self.assertEqual(len(BROWSER.find_elements(By.CSS_SELECTOR, "#status .status")), 2)
        self.assertEqual(BROWSER.find_element(By.ID, "moving-title").text, "Phase portrait")

    def test_curves_zoom_and_go_off_and_on(self):
        self.open(self.made("solve", str(MODELS / "slider-crank.toml")))
        ranges = "return plots.map((p) => p.graph.xAxisRange())"
        before = self.script(ranges)
        box = BROWSER.find_element(By.CLASS_NAME, "plot-box")
        box.send_keys("+")
        time.sleep(0.1)
        after = self.script(ranges)
        for whole, part in zip(before, after):  # All of them together.
            self.assertLess(part[1] - part[0], 0.6 * (whole[1] - whole[0]))
        box.send_keys("0")
        time.sleep(0.6)
        for whole, part in zip(before, self.script(ranges)):
            self.assertAlmostEqual(part[1] - part[0], whole[1] - whole[0], delta=1e-2)
        check = BROWSER.find_element(By.CSS_SELECTOR, ".legend input")
        check.click()
        self.assertEqual(self.script("return plots[0].graph.visibility()[0]"), False)
        check.click()
        self.assertEqual(self.script("return plots[0].graph.visibility()[0]"), True)
        # The table behind a plot.
        BROWSER.find_element(By.CSS_SELECTOR, ".plot summary").click()
        time.sleep(0.2)
        self.assertGreater(len(BROWSER.find_elements(By.CSS_SELECTOR, ".plot tbody tr")), 10)

    def test_data_that_are_saved_are_those_of_the_run(self):
        self.open(self.made("solve", str(MODELS / "slider-crank.toml")))
        text = self.script("return csvOf(data.runs[0], 0)")
        rows = list(csv.DictReader(text.splitlines()))
        self.assertGreater(len(rows), 1000)
        last = rows[-1]
        out = Path(FOLDER.name) / "end.csv"
        subprocess.run([PROGRAM, "solve", str(MODELS / "slider-crank.toml"), "-q", "--csv", str(out)],
                       check=True)
        with open(out, newline="") as file:
            end = list(csv.DictReader(file))[-1]
        for name in last:
            self.assertEqual(float(last[name]), float(end[name]), name)

    def test_boundary_values_have_a_portrait_and_their_mesh(self):
        self.open(self.made("solve", "swirling-flow", "--set", "e=1e-3"))
        self.assertEqual(BROWSER.find_element(By.ID, "moving-title").text, "Phase portrait")
        titles = [h.text for h in BROWSER.find_elements(By.TAG_NAME, "h3")]
        self.assertIn("State", titles)
        self.assertIn("Lengths of intervals", titles)
        dot = "const d = document.querySelector('.dot'); return [d.cx.baseVal.value, d.cy.baseVal.value]"
        self.set_time(0)
        first = self.script(dot)
        self.set_time(0.3)
        self.assertNotEqual(self.script(dot), first)
        self.assertTrue(self.script("return plots[0].bands"))

    def test_linear_boundary_values_and_shooting_back_have_pages(self):
        self.open(self.made("solve", "al1-example1", "--scheme", "midpoint", "--intervals", "100",
                            "--epsilon", "0.01", "--iterates", "3", "--shooting-back"))
        self.assertIn("Error against the exact solution",
                      [h.text for h in BROWSER.find_elements(By.TAG_NAME, "h3")])

    def test_runs_of_a_sweep_are_compared(self):
        self.open(self.made("sweep", str(MODELS / "chain.toml"), "--vary", "n=2,3"))
        self.assertEqual(len(BROWSER.find_elements(By.CSS_SELECTOR, "#status .status")), 2)
        self.assertEqual(len(BROWSER.find_elements(By.CSS_SELECTOR, "#stage g.body")), 5)
        BROWSER.find_element(By.CSS_SELECTOR, "#runs input").click()
        self.assertEqual(self.script("return plots[0].graph.visibility().filter((v) => v).length"),
                         6)
        shown = [g for g in BROWSER.find_elements(By.CSS_SELECTOR, "#stage g.body")
                 if g.is_displayed()]
        self.assertEqual(len(shown), 3)

    def test_a_run_that_failed_says_so(self):
        self.open(self.made("solve", "slider-crank", "--method", "srm", "--h", "1e-2", "--t-end",
                            "20", code=1))
        status = BROWSER.find_element(By.CSS_SELECTOR, "#status .unusable")
        self.assertIn("not usable", status.text)

    def test_a_mechanism_in_space_turns(self):
        path = Path(FOLDER.name) / "spatial.html"
        subprocess.run([SPATIAL_PAGE, str(path)], check=True)
        self.open(path)
        self.set_time(0.5)
        # Its pivot is on the axis whatever t is, and the body a unit from it.
        for part in (0, 0.25, 0.8):
            self.set_time(part)
            got = self.script("const of = (n) => scene.runs[0].parts.find((p) => p.part.name === n)"
                              ".shape.position; return [of('pivot').x, of('pivot').y, of('top').x]")
            self.assertAlmostEqual(got[0], 0, delta=2e-3)
            self.assertAlmostEqual(got[1], 0, delta=2e-3)
        pixels = self.script(
            "scene.render(); const c = scene.canvas, g = scene.renderer.getContext();"
            "const p = new Uint8Array(4 * c.width * c.height);"
            "g.readPixels(0, 0, c.width, c.height, g.RGBA, g.UNSIGNED_BYTE, p);"
            "return p.filter((v, i) => i % 4 === 3 && v > 0).length")
        self.assertGreater(pixels, 1000)

    def test_a_phone_shows_all_of_it(self):
        self.open(self.made("solve", str(MODELS / "four-bar.toml")))
        BROWSER.set_window_size(500, 900)
        try:
            time.sleep(0.2)
            wide = self.script("return document.documentElement.scrollWidth -"
                               " document.documentElement.clientWidth")
            self.assertLessEqual(wide, 0)
        finally:
            BROWSER.set_window_size(1400, 1600)

    def test_a_sweep_of_too_many_runs_has_no_page(self):
        result = subprocess.run([PROGRAM, "sweep", str(MODELS / "chain.toml"), "--vary",
                                 "n=1:13:13", "--report", str(Path(FOLDER.name) / "x.html")],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("12 runs", result.stderr)


if __name__ == "__main__":
    unittest.main()
