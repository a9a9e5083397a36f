#!/usr/bin/env python3
"""What runs of fixed steps and meshes say, write and draw, number by number: each command of COMMANDS
beside what it gave, in numbers/. Words are those of expected_test.py's; here numbers may differ by
rounding, and by no more.

usage: numbers_test.py PROGRAM             compare
       numbers_test.py PROGRAM --record    write numbers/ anew, to be looked at as a change
"""

import base64
import json
import math
import re
import shlex
import struct
import sys
import unittest
from pathlib import Path

from program import ProgramTest, run

RECORD = "--record" in sys.argv and bool(sys.argv.remove("--record") or True)
EXPECTED = Path(__file__).resolve().parent / "numbers"
MODELS = Path(__file__).resolve().parents[2] / "examples" / "models"
FILES = "--json j --csv c --svg s --report r.html"
COMMANDS = {
    "fixed": f"solve pendulum --t-end 2 --h 0.1 --method s-both2 --stepper rk4 --verbose {FILES}",
    "points": f"solve pendulum --t-end 2 --h 0.1 --method s-both2 --stepper rk4 --points 5 {FILES}",
    "srm": "solve slider-crank --t-end 0.5 --h 0.02 --method srm --stepper heun --iterates 2 "
           f"--epsilon 0.05 --verbose {FILES}",
    "index-2": "solve al2-example6.1 --t-end 0.5 --h 0.05 --method s-both --stepper heun "
               f"--explain {FILES}",
    "dcbdf": "solve two-link-arm-1 --t-end 0.2 --h 0.02 --method dcbdf --order 2 --every 3 "
             f"--explain {FILES}",
    "chain": "solve chain --links 3 --t-end 0.2 --h 0.02 --method underlying --stepper rk4 "
             "--sensitivities --json j --csv c",
    "chain-drawn": "solve chain --links 6 --t-end 0.1 --h 0.02 --method underlying --stepper rk4 --svg s",
    "andrews": "solve andrews --t-end 0.002 --h 1e-4 --method s-vel --stepper heun --report r.html --svg s",
    "linear": f"solve lin --intervals 8 --scheme midpoint --epsilon 0.1 --iterates 2 --verbose {FILES}",
    "linear-points": f"solve al1-example1 --intervals 8 --scheme radau --stages 2 --epsilon 0.1 --iterates 2 "
                     f"--points 5 --explain {FILES}",
    "nonlinear": "solve pendulum-bvp --intervals 4 --stages 2 --epsilon 0.1 --iterates 2 --verbose "
                 f"{FILES}",
    "nonlinear-points": f"solve swirling-flow --intervals 6 --stages 2 --points 5 --explain {FILES}",
    "continued": "solve swirling-flow --tolerance 1e-6 --intervals 6 --stages 2 --continue e=1:0.5 --branch c --svg s",
    "sweep": "sweep pendulum --vary gravity=5:10:3 --vary t-end=1,2 --h 0.1 --method s-both2 "
             "--stepper rk4 --csv c",
    "sweep-boundary": "sweep swirling-flow --vary e=0.1,0.2 --intervals 8 --csv c",
    "sweep-linear": "sweep lin --vary t-end=1,2 --tolerance 1e-3 --csv c",
    "sweep-estimated": "sweep pendulum --vary gravity=5,10 --t-end 1 --rtol 1e-4 --estimate-error --csv c",
    **{f"{model}-model": f"solve MODELS/{model}.toml --t-end 0.2 --h 0.02 --method projection --stepper rk4 "
                         "--csv c --svg s"
       for model in ("four-bar", "double-four-bar", "scissors-lift", "rolling-disk", "bricard", "spherical-pendulum",
                     "slider-crank", "truck")},
    "andrews-model": "solve MODELS/andrews.toml --t-end 0.001 --h 1e-4 --method projection --stepper rk4 --csv c",
    "heavy-top-model": "solve MODELS/heavy-top.toml --t-end 0.01 --h 1e-3 --method projection --stepper rk4 --csv c",
    "layer-model": "solve MODELS/layer.toml --intervals 8 --csv c --json j",
    "eigenvalue-model": "solve MODELS/eigenvalue.toml --intervals 8 --csv c --json j",
    "stick-slip-model": "solve MODELS/stick-slip.toml --h 0.02 --t-end 2 --method underlying --csv c",
    "wall-model": "solve MODELS/pendulum-at-wall.toml --h 0.02 --t-end 2 --method s-both2 --csv c",
    "flow": "solve taylor-green --set t-end=0.1 --json j --csv c --svg s",
    "check": "check pendulum", "check-crank": "check slider-crank",
    "check-truck": "check truck", "check-arm": "check two-link-arm-1", "check-linear": "check al1-example1",
    "check-chain": "check chain --links 3",
    "cavity": "solve lid-driven-cavity --set cells=8 --set t-end=0.2 --verbose --json j --csv c --svg s",
    "cavity-implicit": "solve lid-driven-cavity --set cells=6 --set t-end=0.5 --convection implicit --json j --csv c",
    "table": "table al1-5.1 --json j", "table-orders": "table afs-orders --json j",
    **{f"table-{name}": f"table {name}" for name in (
        "al1-5.2", "al1-5.3", "al1-5.4", "al1-5.5", "al1-5.6", "al1-5.7", "al2-6.1", "al2-6.2", "al2-6.3",
        "al2-6.4", "al2-6.5", "acpr-6.1", "acpr-6.2", "acpr-6.4", "eich-3.1", "afs-truck")},
}
NUMBER = re.compile(r"(?<![\w.#])[-+\u2212]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
LEAST = 1e-9  # Below it numbers are made of rounding.


def value(text):
    return float(text.replace("\u2212", "-"))


def short(text):
    """Five digits, or none of what rounding makes."""
    if re.fullmatch(r"\d{1,5}", text):
        return text
    number = value(text)
    return "0" if abs(number) < LEAST else f"{number:.5g}"


def summed(numbers):
    """Of many the first, how many they are, and their sum."""
    if len(numbers) <= 12:
        return numbers
    return numbers[:8] + [f"{len(numbers)} in all", math.fsum(numbers)]


def picture(svg):
    def path(found):
        numbers = [value(number) for number in NUMBER.findall(found[1])]
        return f' d="{summed(numbers)}"'
    return re.sub(r' d="([^"]*)"', path, svg)


def without_clock(csv):
    rows = [line.split(",") for line in csv.splitlines()]
    clock = rows[0].index("seconds") if "seconds" in rows[0] else len(rows[0])
    return "\n".join(",".join(row[:clock] + row[clock + 1:]) for row in rows)


def page_data(html):
    """What the page is made of, its arrays as numbers."""
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', html,
                                re.S)[1])
    for i, text in enumerate(data["arrays"]):
        raw = base64.b64decode(text)
        numbers = struct.unpack(f"<{len(raw) // 8}d", raw)
        finite = [one for one in numbers if math.isfinite(one)]
        data["arrays"][i] = summed(finite) + [len(numbers) - len(finite)]
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


class Numbers(ProgramTest):
    def given_out(self, command):
        result = run(*shlex.split(command.replace("MODELS", str(MODELS))), folder=self.folder.name)
        folder = Path(self.folder.name)
        parts = [f"$ daewave {command}\n{result.stdout}", result.stderr, str(result.returncode)]
        for name in ("j", "c", "s", "r.html"):
            if (folder / name).exists():
                text = (folder / name).read_text()
                text = {"r.html": page_data, "s": picture, "c": without_clock}.get(name, str)(text)
                parts.append(text)
                (folder / name).unlink()
        text = "\n---\n".join(parts)
        # Times of the clock, and what belongs to this machine.
        text = re.sub(r"seconds: .*", "seconds ...", text)
        text = re.sub(r"in [\d.e-]+ s\b", "in ... s", text)
        text = re.sub(r'"seconds": ?(\{[^}]*\}|[-\d.e]+)', '"seconds"', text)
        text = re.sub(r'"(condense|factorize|solve|total)": ?[-\d.e+]+', "", text)
        text = re.sub(r"/\S*/daewave\b", "daewave", text)
        # Held elsewhere (words_test.py).
        text = re.sub(r"(daewave |\"version\": ?\")\d+\.\d+\.\d+", r"\1VERSION", text)
        return text.replace(self.folder.name, "FOLDER").replace(str(MODELS), "MODELS")

    def compare(self, name, text):
        path = EXPECTED / f"{name}.txt"
        if RECORD:
            path.write_text(NUMBER.sub(lambda found: short(found[0]), text))
        expected = path.read_text()
        self.assertEqual(NUMBER.sub("#", text), NUMBER.sub("#", expected), f"see {path.name}")
        for found, then in zip(NUMBER.finditer(text), NUMBER.finditer(expected)):
            now, was = value(found[0]), value(then[0])
            if abs(now - was) > LEAST + 1e-3 * max(abs(now), abs(was)):
                self.fail(f"{path.name}: {then[0]} is now {found[0]}: "
                          f"{text[max(0, found.start() - 200):found.end() + 50]}")

    def test_numbers_are_what_they_were(self):
        for name, command in COMMANDS.items():
            with self.subTest(command=command):
                self.compare(name, self.given_out(command))


if __name__ == "__main__":
    unittest.main()
