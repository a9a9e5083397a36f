#!/usr/bin/env python3
"""What short runs do with every method and what it can be told, on problems of every kind: steps,
lengths, evaluations, drift and states, each command beside what it gave in runs.txt.

A factor, an order or an entry that is not the right one makes few answers wrong that a user would
notice: the next step corrects it. Here it is seen. What is recorded is how runs were when they were
last looked at, not how they must be; that they are right is what other tests are about. Numbers may
differ by a part of 1e-3, as rounding leaves them: runs are short, and none is recorded that changes
more when the tolerance does in its eleventh digit (--steady looks for those).

usage: runs_test.py PROGRAM             compare
       runs_test.py PROGRAM --record    write runs.txt anew, to be looked at as a change
       runs_test.py PROGRAM --steady    compare, with tolerances of which the eleventh digit is another
"""

import csv
import json
import math
import os
import re
import shlex
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from program import run

RECORD = "--record" in sys.argv and bool(sys.argv.remove("--record") or True)
STEADY = "--steady" in sys.argv and bool(sys.argv.remove("--steady") or True)
EXPECTED = Path(__file__).resolve().parent / "runs.txt"
LEAST = 1e-9  # Below it numbers are made of rounding.

METHODS = {
    "underlying": ["", "--stepper dopri5", "--stepper gauss --stages 3",
                   "--stepper radau", "--stepper radau --stages 5", "--stepper gauss --stages 1"],
    "baumgarte": ["--alpha0 100 --alpha1 20", "--alpha0 9 --alpha1 6 --stepper radau"],
    "s-full": ["", "--stepper dopri5"],
    "s-both": ["", "--metric orthogonal", "--factor 0.8 --stepper dopri5"],
    "s-both2": ["", "--metric orthogonal", "--stepper radau", "--stepper gauss --stages 3"],
    "s-vel": ["", "--metric orthogonal --factor 1.2"],
    "s-pos": ["", "--factor 0.7 --stepper dopri5"],
    "stabilized-ode": ["--gamma 20", "--gamma 5 --metric orthogonal"],
    "projection": ["", "--keep-energy", "--onto in-turn", "--onto position", "--onto velocity",
                   "--metric mass", "--metric weighted", "--stepper radau --stages 3"],
    "local-state-space": ["", "--local-parameters tangent", "--stepper dop853"],
    "projected-invariants": ["", "--onto position", "--keep-energy"],
    "bdf-projection": ["", "--order 2", "--projected-estimate", "--form index-1", "--metric weighted",
                       "--onto velocity", "--keep-energy", "--metric mass --onto in-turn"],
    "bdf-projected-invariants": ["", "--order 3", "--form index-1", "--onto velocity"],
    "dcbdf": ["", "--order 4", "--blocking term"],
    "dcbdf-bdf": ["", "--order 2"],
    "adams-moulton": ["--order 2", "--order 1", "--blocking term"],
    "bdf": ["", "--order 2", "--order 5"],
    "gauss-windows": [""],
    "srm": ["", "--weight transpose", "--weight identity --variant invariant",
            "--variant invariant-reduced --weight inverse", "--variant baumgarte-form --alpha1 1",
            "--epsilon 0.01 --iterates 3",
            "--epsilon 0.01 --iterates 2 --exact-start 1", "--stepper gauss --epsilon 0.05"],
}
FIXED = {
    "symmetric-projection": ["--h 0.05", "--h 0.05 --stage-iteration newton --stages 3"],
    "gauss-windows": ["--h 0.1"],
    "bdf": ["--h 0.02 --order 3", "--h 0.02 --order 6"],
    "bdf-projection": ["--h 0.02 --order 4", "--h 0.02 --order 2 --form index-1"],
    "bdf-projected-invariants": ["--h 0.02 --order 3"],
    "dcbdf": ["--h 0.02 --order 3", "--h 0.02 --order 5 --blocking term"],
    "adams-moulton": ["--h 0.02 --order 3 --c -0.1"],
    "projection": ["--h 0.05 --stepper gauss --stages 3", "--h 0.05 --stepper explicit-midpoint"],
    "s-both2": ["--h 0.05 --stepper backward-euler", "--h 0.05 --stepper forward-euler",
                "--h 0.05 --stepper radau --stages 2", "--h 0.05 --stepper gauss --stages 2"],
    "underlying": ["--h 0.05 --stepper heun", "--h 0.05 --stepper ralston"],
    "srm": ["--h 0.02 --loops sweeps --iterates 3", "--h 0.02 --loops lanes --iterates 2",
            "--h 0.02 --loops pipelined --threads 2 --window 7", "--h 0.02 --variant singular-linear",
            "--h 0.05 --stepper gauss --stages 3 --epsilon 1e-3",
            "--h 0.05 --stepper radau --stages 2 --epsilon 1e-3",
            "--h 0.02 --stepper rk4 --exact-start 2 --epsilon 0.05"],
}
PROBLEMS = ["pendulum --t-end 1", "al2-example6.1 --t-end 0.3", "slider-crank --t-end 0.6",
            "two-link-arm-1 --t-end 0.3"]
OTHERS = ["eich-pendulum --t-end 0.7", "al2-example6.2 --t-end 0.8", "al2-example6.4 --t-end 0.3",
          "two-link-arm-2 --t-end 0.3", "andrews --t-end 0.004", "car-axis --t-end 0.2",
          "truck --t-end 0.5", "chain --links 3 --t-end 0.3", "chain --links 12 --t-end 0.1",
          "scissors --links 2 --t-end 0.1", "wheelset --t-end 0.02"]
# Where rounding decides about a step.
CHANCE = {f"solve {one} --rtol 1e-4" for one in (
    "truck --t-end 0.5 --method s-both2 --stepper radau", "truck --t-end 0.5 --method gauss-windows",
    "chain --links 12 --t-end 0.1 --method s-both2",
    "chain --links 12 --t-end 0.1 --method local-state-space", "al2-example6.2 --t-end 0.8 --method srm",
    "wheelset --t-end 0.02 --method projection", "wheelset --t-end 0.02 --method bdf-projection",
    "wheelset --t-end 0.02 --method bdf-projected-invariants --form index-1")}
CHANCE |= {"solve pendulum --t-end 1 --rtol 1e-5 --sensitivities",
           "solve al2-example6.1 --t-end 0.3 --rtol 1e-5 --sensitivities", "solve lin --tolerance 1e-5"}
FEW = ["s-both2", "projection", "s-both2 --stepper radau", "gauss-windows", "bdf-projection", "dcbdf",
       "srm", "bdf", "symmetric-projection --h 0.01", "local-state-space",
       "bdf-projected-invariants --form index-1"]
LINEAR = [f"{problem} {how}" for problem in ("lin", "al1-example1", "al1-example3")
          for how in ("--intervals 10 --epsilon 0.01", "--intervals 7 --scheme radau --stages 2",
                      "--intervals 6 --scheme lobatto --stages 3 --epsilon 0.1 --iterates 3",
                      "--intervals 9 --scheme midpoint --weight inverse --solver eigen",
                      "--intervals 9 --stages 1 --weight shifted --solver umfpack",
                      "--intervals 12 --solver parallel_block --partitions 3",
                      "--intervals 8 --solver block_qr --alpha1 1 --alpha2 2",
                      "--tolerance 1e-5", "--tolerance 1e-4 --scheme radau --fixed-nodes 0.31")]
NONLINEAR = [f"{problem} {how}" for problem in ("pendulum-bvp", "al2-example6.3-bvp", "swirling-flow",
                                                "elastica", "index-one")
             for how in ("--intervals 6", "--tolerance 1e-4", "--tolerance 1e-5 --stages 2",
                         "--intervals 8 --scheme radau --stages 2 --solver block_qr")]

COMMANDS = (
    [f"solve {problem} --method {' '.join(filter(None, (method, how)))} --rtol 1e-4"
     for problem in PROBLEMS for method, hows in METHODS.items() for how in hows]
    + [f"solve {problem} --method {method} {how}" for problem in PROBLEMS + ["chain --links 3 --t-end 0.3"]
       for method, hows in FIXED.items() for how in hows]
    + [f"solve {problem} --method {method} --rtol 1e-4" for problem in OTHERS for method in FEW]
    + [f"solve {problem} --rtol 1e-5 {how}" for problem in PROBLEMS
       for how in ("--sensitivities", "--estimate-error", "--restart-times 0.1,0.25", "--atol 1e-3",
                   "--points 7 --method srm", "--every 4 --method bdf")]
    + [f"solve {problem} --sensitivities" for problem in (
        "pendulum --t-end 1 --h 0.05 --method s-both2 --stepper rk4",
        "pendulum --t-end 1 --h 0.05 --method s-both2 --stepper rk4 --restart-times 0.3,0.72",
        "al2-example6.2 --t-end 0.4 --h 0.02 --method projection --stepper radau",
        "two-link-arm-1 --t-end 0.3 --h 0.02 --method projection --stepper gauss --stages 2",
        "slider-crank --t-end 0.3 --h 0.02 --method s-both2 --stepper heun")]
    + [f"solve {problem}" for problem in LINEAR + NONLINEAR + ["ap91 --tolerance 1e-5"]]
    + [f"check {problem}" for problem in PROBLEMS + OTHERS + ["lin", "al1-example3", "pendulum-bvp",
                                                              "swirling-flow"]])
COMMANDS = [command for command in dict.fromkeys(COMMANDS) if command not in CHANCE]
NUMBER = re.compile(r"(?<![\w.#])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
WORDS = {"schema", "schema_version", "version", "problem", "seconds", "how", "advice", "reason", "message",
         "usable", "available", "nx", "ny", "problem_parameters", "has_energy", "constraints", "begin"}


def kept(value):
    """What there is of a report without its words, and without what is next to nothing or empty."""
    if isinstance(value, dict):
        if "reason" in value:
            return f"{value['name']} = {value['value']}"
        if "iterate" in value and value["change"] < LEAST:
            return {"iterate": value["iterate"]}  # Where it changed by rounding is chance.
        found = {key: kept(one) for key, one in value.items() if key not in WORDS}
        return {key: one for key, one in found.items() if one not in (0, "", [], {}, False, None)}
    if isinstance(value, list):
        return [kept(one) for one in value[:6]] + ([len(value)] if len(value) > 6 else [])
    if isinstance(value, (int, float)) and abs(value) < LEAST:
        return 0
    return value


def columns(text):
    """Of each column of a table the sum of its squares."""
    rows = list(csv.reader(text.splitlines()))
    found = [f"{len(rows) - 1} rows"]
    for column, name in enumerate(rows[0]):
        numbers = [float(row[column]) for row in rows[1:] if row[column]]
        squares = math.fsum(one * one for one in numbers if math.isfinite(one))
        found.append(f"{name} {squares if squares > LEAST else 0:.9g}")
    return ", ".join(found)


def given_out(command):
    with TemporaryDirectory() as folder:
        words = shlex.split(command)
        files = ["--json", "j", "--csv", "c", "--quiet"] if words[0] == "solve" else []
        result = run(*words, *files, folder=folder)
        text = f"exit code {result.returncode}\n"
        if words[0] == "check" or result.returncode == 2:
            text += re.sub(r"in [\d.e-]+ s\b", "in ... s", result.stdout + result.stderr)
        if (path := Path(folder) / "j").exists():
            text += json.dumps(kept(json.loads(path.read_text())), separators=(", ", ": ")) + "\n"
        if (path := Path(folder) / "c").exists():
            text += columns(path.read_text()) + "\n"
        # Of machines with other registers, which sum in the same order.
        return re.sub(r"\b(?:avx512|avx2|sse2)\b", "LANES", text).replace(folder, "FOLDER")


def value(number):
    return float(number)


def short(number):
    if re.fullmatch(r"\d{1,5}", number):
        return number
    return "0" if abs(value(number)) < LEAST else f"{value(number):.5g}"


def difference(now, then):
    """The first number that is another, or nothing."""
    if NUMBER.sub("#", now) != NUMBER.sub("#", then):
        return "other words"
    for found, was in zip(NUMBER.findall(now), NUMBER.findall(then)):
        a, b = value(found), value(was)
        if abs(a - b) > LEAST + 1e-3 * max(abs(a), abs(b)):
            return f"{was} is now {found}"
    return ""


def other_tolerance(command):
    return re.sub(r"(--(?:rtol|tolerance)) 1e-(\d)", r"\1 1.0000000001e-\2", command) if STEADY else command


def all_given_out(commands):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(given_out, map(other_tolerance, commands)))


class Runs(unittest.TestCase):
    maxDiff = None

    def test_runs_are_what_they_were(self):
        now = all_given_out(COMMANDS)
        if RECORD:
            EXPECTED.write_text("".join(
                f"$ {command}\n{NUMBER.sub(lambda found: short(found[0]), text)}"
                for command, text in zip(COMMANDS, now)))
        then = dict(block.split("\n", 1) for block in EXPECTED.read_text().split("$ ")[1:])
        self.assertEqual(sorted(then), sorted(COMMANDS))
        for command, text in zip(COMMANDS, now):
            with self.subTest(command=command):
                other = difference(text, then[command])
                self.assertEqual(other, "", f"\nthen {then[command]}\nnow {text}")


if __name__ == "__main__":
    unittest.main()
