#!/usr/bin/env python3
"""What the program says and writes, whole: each command of COMMANDS beside its text in expected/.

Numbers that rounding may change are left out, with what is drawn between them; words, lines, their
order, small whole numbers, keys of JSON, names of columns, panels, labels and colours are not.

usage: expected_test.py PROGRAM             compare
       expected_test.py PROGRAM --record    write expected/ anew, to be looked at as a change
"""

import json
import re
import shlex
import sys
import unittest
from pathlib import Path

from program import ProgramTest, run

RECORD = "--record" in sys.argv and bool(sys.argv.remove("--record") or True)
EXPECTED = Path(__file__).resolve().parent / "expected"
MODELS = Path(__file__).resolve().parents[2] / "examples" / "models"
COMMANDS = {
    # Words about problems and the program.
    "list": "list", "list-rotating": "list rotating", "list-nothing": "list nothing-of-this-name",
    "help-solve": "help solve", "help-words": "help words", "help-methods": "help methods",
    "help-errors": "help errors", "help-checkpoints": "help checkpoints", "help-files": "help files",
    "help-limits": "help limits", "help-unknown": "help nothing",
    "completion": "completion bash", "completion-zsh": "completion zsh",
    "completion-fish": "completion fish", "completion-unknown": "completion csh", "man": "man",
    "list-json": "list pendulum --json", "new": "new slider-crank", "help-command": "help sweep",
    "show-truck": "show truck", "show-lin": "show lin", "show-bvp": "show slider-crank-bvp",
    "show-chain": "show chain", "show-unknown": "show truk",
    "check-pendulum": "check pendulum", "check-slider-crank": "check slider-crank --t-end 3",
    "check-lin": "check lin", "check-bvp": "check pendulum-bvp", "check-chain": "check chain --links 3",
    **{f"help-{name}": f"help {name}" for name in (
        "show", "check", "convert", "table", "list", "new", "completion", "man")},
    "show-cavity": "show lid-driven-cavity", "show-wheelset": "show wheelset", "show-layer": "show cash-mazzia-20",
    "check-truck": "check truck", "check-wheelset": "check wheelset",
    "check-index-2": "check al2-example6.2", "check-arm": "check two-link-arm-1 --t-end 1",
    "check-cavity": "check lid-driven-cavity --set cells=8", "check-elastica": "check elastica",
    "check-example3": "check al1-example3", "list-flows": "list flow", "list-tables": "list table",
    **{f"show-{model.stem}-model": f"show MODELS/{model.name}" for model in sorted(MODELS.glob("*.toml"))},
    **{f"convert-{model}-model": f"convert MODELS/{model}.toml" for model in ("chain", "truck", "heavy-top", "layer")},
    "table": "table al1-5.1 --json j", "table-groups": "table al1-5.4",
    "table-orders": "table afs-orders", "table-unknown": "table nothing",
    # Initial values.
    "default": "solve pendulum --json j --csv c --svg s",
    "explained": "solve eich-pendulum --explain", "verbose": "solve slider-crank --t-end 3 --verbose",
    "estimated": "solve pendulum --t-end 3 --estimate-error --json j --svg s",
    "fixed": "solve pendulum --t-end 3 --h 0.1 --points 7 --csv c --svg s",
    "srm": "solve slider-crank --t-end 2 --method srm --h 2e-3 --iterates 3 --json j --csv c --svg s",
    "srm-points": "solve slider-crank --t-end 2 --method srm --h 2e-3 --points 9 --svg s --csv c",
    "srm-verbose": "solve slider-crank --t-end 2 --method srm --h 2e-3 --verbose",
    "srm-baumgarte": "solve two-link-arm-1 --t-end 0.2 --method srm --alpha1 1 --h 1e-3 --verbose",
    "sweeps": "solve slider-crank --t-end 1 --method srm --h 2e-3 --loops sweeps --verbose --svg s",
    "bdf": "solve eich-pendulum --t-end 3 --method dcbdf-bdf --verbose",
    "blocked": "solve truck --method dcbdf --order 3 --h 0.0078125 --verbose --svg s",
    "windows": "solve pendulum --t-end 3 --method gauss-windows --verbose",
    "radau": "solve pendulum --t-end 3 --stepper radau --verbose",
    "symmetric": "solve pendulum --t-end 3 --method symmetric-projection --h 0.1 --verbose",
    "singular": "solve slider-crank --t-end 3 --method bdf --json j",
    "events-anew": "solve pendulum --t-end 3 --restart-times 1,2 --verbose",
    "sensitivities": "solve two-link-arm-1 --t-end 0.1 --sensitivities --json j",
    "index-2": "solve al2-example6.1 --svg s --csv c",
    "chain": "solve chain --links 4 --t-end 0.2 --svg s --csv c",
    "andrews": "solve andrews --t-end 0.003 --svg s --csv c",
    "no-values": "solve pendulum --method s-both2 --rtol 1e-3 --atol 1e-300 --json j --csv c --svg s",
    "accuracy": "solve pendulum --t-end 3 --rtol 1e-3 --accuracy 1e-12",
    "quiet": "solve pendulum --t-end 1 --quiet",
    "long": "solve pendulum --t-end 200 --svg s", "three-points": "solve pendulum --points 3 --svg s",
    "sensitive": "solve two-link-arm-1 --t-end 0.1 --sensitivities --verbose",
    "local": "solve eich-pendulum --t-end 3 --method local-state-space --verbose",
    "energy": "solve eich-pendulum --t-end 3 --method projection --keep-energy --explain",
    "pipelined": "solve slider-crank --t-end 1 --method srm --h 2e-3 --loops pipelined --threads 2 --explain",
    "cavity": "solve lid-driven-cavity --set cells=8 --set t-end=0.1 --svg s --csv c --json j --verbose",
    "cavity-implicit": "solve lid-driven-cavity --set cells=6 --set re=50 --set t-end=0.2 --convection implicit "
                       "--steady 0 --explain --svg s",
    "cavity-misprint": "solve lid-driven-cavity --set re=400 --set cells=6 --set t-end=0.1 --svg s",
    "flow-settings": "solve taylor-green --set t-end=0.05 --epsilon 1e-3 --iterates 1 --alpha1 2 --alpha2 1 "
                     "--estimate-error --explain",
    "flow-projection": "solve taylor-green --set t-end=0.05 --method projection --explain --svg s --json j",
    "flow-chorin": "solve taylor-green --set t-end=0.05 --method chorin --verbose",
    "wheelset": "solve wheelset --t-end 0.01 --method underlying --svg s --csv c --json j --verbose",
    "scissors": "solve scissors --links 2 --t-end 0.05 --explain --svg s",
    "car-axis": "solve car-axis --t-end 0.1 --verbose --json j",
    "tangent": "solve eich-pendulum --t-end 1 --method local-state-space --local-parameters tangent --json j --explain",
    "collocation": "solve truck --t-end 0.3 --method projection --stepper gauss --stages 3 --json j --verbose",
    "every": "solve pendulum --t-end 2 --every 3 --csv c --verbose",
    "end-only": "solve pendulum --t-end 2 --every 0 --csv c",
    "pipelined-verbose": "solve slider-crank --t-end 0.2 --method srm --h 2e-3 --loops pipelined --threads 2 "
                         "--window 10 --verbose",
    "flow": "solve taylor-green --set t-end=0.1 --svg s --csv c --json j --verbose",
    # Boundary values.
    "linear": "solve al1-example1 --json j --csv c --svg s --verbose",
    "linear-tolerance": "solve lin --t-end 5 --tolerance 1e-6 --explain",
    "linear-shooting-back": "solve al1-example1 --scheme midpoint --intervals 100 --epsilon 0.01 "
                            "--iterates 3 --shooting-back --svg s --json j",
    "linear-large-epsilon": "solve ap91 --epsilon 1e6",
    "nonlinear": "solve pendulum-bvp --json j --csv c --svg s --verbose",
    "nonlinear-index-one": "solve index-one --explain --svg s",
    "nonlinear-parameter": "solve elastica --tolerance 1e-6",
    "continued": "solve swirling-flow --continue e=1:0.1 --csv c --svg s",
    "branch": "solve swirling-flow --continue e=1:0.1 --arclength --branch c --json j --verbose",
    "nonlinear-refined": "solve cash-mazzia-24 --tolerance 1e-8 --relative 1e-7 --verbose --svg s",
    "nonlinear-lost": "solve two-link-arm-bvp --set to=4 --max-intervals 100 --json j --csv c",
    "linear-parts": "solve al1-example1 --intervals 20 --solver parallel_block --partitions 4 --explain --verbose",
    "linear-points": "solve ap91 --tolerance 1e-5 --points 11 --csv c --svg s --explain",
    "infinite": "solve wedge-flow --tolerance 1e-5 --truncation 4 --verbose --svg s --json j",
    "relative": "solve measles --relative 1e-4 --absolute 1e-6 --explain --json j",
    "folds": "solve catalyst-slab --explain --svg s",
    "residual": "solve swirling-flow --tolerance 1e-3 --residual-tolerance 1e-3 --verbose",
    "linear-limit": "solve lin --tolerance 1e-12 --max-intervals 7 --json j --svg s",
    # Many runs.
    "sweep": "sweep pendulum --vary gravity=5,10 --t-end 1 --csv c",
    "sweep-grid": "sweep pendulum --vary gravity=5:10:3 --vary t-end=1,2 --csv c",
    "sweep-failed": "sweep pendulum --vary gravity=5,-1e300 --t-end 1 --csv c",
    "sweep-boundary": "sweep swirling-flow --vary e=0.1,0.2 --tolerance 1e-4 --csv c",
    "sweep-methods": "sweep slider-crank --vary t-end=0.5:1:2 --method srm --h 0.01 --iterates 3 --csv c",
    "sweep-refused": "sweep lin --vary t-end=1,2 --rtol 1e-3",
}
# Refused, in the words of the library and of the program.
REFUSED = [
    "solve pendulum --rtol 1e-17", "solve pendulum --rtol 2", "solve pendulum --atol 0",
    "solve pendulum --h 0", "solve pendulum --h 1e-3 --stepper gauss --stages 99",
    "solve pendulum --stages 3", "solve pendulum --method baumgarte",
    "solve pendulum --method stabilized-ode", "solve pendulum --method symmetric-projection",
    "solve pendulum --method projected-invariants --stepper gauss",
    "solve pendulum --method gauss-windows --control pi", "solve al2-example6.1 --method gauss-windows",
    "solve pendulum --t-end -1 --method srm", "solve pendulum --every -1",
    "solve pendulum --loops lanes", "solve pendulum --method srm --h 1e-3 --loops lanes",
    "solve pendulum --method srm --loops sweeps", "solve pendulum --method srm --h 3",
    "solve pendulum --method srm --weight none", "solve pendulum --method srm --iterates 0",
    "solve pendulum --method srm --epsilon 0", "solve pendulum --method srm --alpha1 -1",
    "solve pendulum --method dcbdf --order 9 --h 1e-3", "solve pendulum --method dcbdf --order 3",
    "solve pendulum --method bdf --order 9", "solve pendulum --intervals 3",
    "solve pendulum --scheme radau", "solve pendulum --samples 3", "solve pendulum --partitions 2",
    "solve pendulum --truncation 1", "solve pendulum --fixed-nodes 1", "solve pendulum --relative 1",
    "solve pendulum --absolute 1", "solve pendulum --max-intervals 3", "solve pendulum --solver eigen",
    "solve pendulum --shooting-back", "solve pendulum --singular skip", "solve pendulum --set g=1",
    "solve pendulum --restart-times 1,99", "solve pendulum --points 3 --every 2",
    "solve pendulum --time-limit 0", "solve pendulum --sensitivities --method symmetric-projection --h .1",
    "solve lin --rtol 1e-3", "solve lin --h 0.1", "solve lin --scheme euler", "solve lin --stages 99",
    "solve lin --intervals 0", "solve lin --epsilon 0", "solve lin --solver none",
    "solve lin --tolerance 0", "solve lin --iterates 0", "solve lin --singular nothing",
    "solve pendulum-bvp --method srm", "solve pendulum-bvp --scheme midpoint --stages 3",
    "solve pendulum --csv same --json same", "solve pendulum --resume missing",
    "solve pendulum --method srm --h 1e-3 --loops sweeps --checkpoint c", "solve nothing",
    "sweep pendulum", "sweep pendulum --vary x=1",
    "sweep pendulum --vary gravity=1:2", "sweep pendulum --vary gravity=1:2:0", "check nothing", "new",
]

# What a kind of problem has no use for, option by option.
OF_STEPS = ["--rtol 1e-3", "--atol 1", "--h 0.1", "--stepper rk4", "--every 2", "--restart-times 1", "--variant direct",
            "--loops sweeps", "--order 3", "--simd avx2", "--onto both", "--stage-iteration newton",
            "--local-parameters tangent", "--keep-energy", "--projected-estimate", "--form index-1", "--c 0",
            "--blocking term", "--window 3", "--exact-start 1", "--alpha0 1", "--alpha3 1", "--gamma 1", "--factor 1",
            "--metric mass", "--repair", "--sensitivities", "--estimate-error", "--accuracy 1", "--convection implicit",
            "--steady 1", "--method srm"]
OF_MESHES = ["--scheme gauss", "--intervals 3", "--stages 2", "--tolerance 1e-3", "--weight inverse", "--fixed-nodes 1",
             "--relative 1", "--absolute 1", "--max-intervals 3", "--samples 3", "--residual-tolerance 1",
             "--partitions 2", "--solver eigen", "--singular limits", "--shooting-back", "--truncation 2",
             "--continue e=1:2", "--arclength", "--branch b", "--control-multiplier"]
REFUSED += [f"solve {problem} {option}" for problem, options in (
    ("taylor-green", OF_STEPS + OF_MESHES), ("lin", OF_STEPS + OF_MESHES[15:]),
    ("swirling-flow", OF_STEPS + OF_MESHES[12:15] + ["--alpha1 1"]), ("pendulum", OF_MESHES),
    ("pendulum --method s-both2", OF_STEPS[5:]), ("pendulum --method srm", OF_STEPS[5:]),
    ("pendulum --method bdf-projection", OF_STEPS[5:]), ("pendulum --method dcbdf", OF_STEPS[5:]),
    ("taylor-green --method chorin", ["--epsilon 1", "--iterates 2", "--alpha1 1", "--alpha2 1", "--estimate-error"]),
    ("taylor-green", ["--method bdf", "--convection none", "--steady -1", "--h 0", "--threads 2", "--points 3"]))
    for option in options]
REFUSED = list(dict.fromkeys(REFUSED))

NUMBER = re.compile(r"(?<![\w.^{])[-+\u2212]?(?:\d+\.\d+|\.\d+|\d{3,}|\d+(?=[eE]))(?:[eE][-+]?\d+)?")


def size_of(number):
    """Whether it is next to nothing, as errors and drift are."""
    value = abs(float(number[0].replace("\u2212", "-")))
    return "#small" if value < 1e-4 else "#"


def words(text, folder):
    """Without numbers that rounding may change, and without what belongs to this machine."""
    text = text.replace(folder, "FOLDER").replace(str(MODELS), "MODELS")
    text = re.sub(r"\S*/daewave(?=[\s']|$)", "daewave", text)
    text = re.sub(r"\bseconds: .*", "seconds: ...", text)
    text = re.sub(r"\bin [\d.e-]+ s\b", "in ... s", text)
    text = NUMBER.sub(size_of, text)
    text = re.sub(r"\d+ (?=(steps|rejected|evaluations|intervals|factorizations|events|of them)\b)", "# ",
                  text)
    # How wide a list is depends on its longest name.
    text = re.sub(r" += ", " = ", text)
    text = re.sub(r"^ *structure = .*\n", "", text, flags=re.M)
    # Which ways out are found is a matter of time too.
    text = re.sub(r"(tried, and comes? through:|(\d+|one) other settings? ).*", "ways out ...", text)
    text = re.sub(r"in lanes of \w+", "in lanes of ...", text)
    text = re.sub(r" *#(small)?( +#(small)?)+", " # ...", text)
    text = re.sub(r" +#", " #", text)
    return re.sub(r"[ \t]+$", "", text, flags=re.M)


def shape(value):
    """Keys, and of what kind and size their values are; of a list its first."""
    if isinstance(value, dict):
        return {key: "..." if key == "seconds" else shape(one) for key, one in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, (int, float)):
        return "small number" if abs(value) < 1e-4 else "number"
    return words(value, "\0")


def picture(svg):
    """Panels, texts that are no numbers, colours and dashes of lines, and where curves begin."""
    found = []
    for tag in re.finditer(r"<text[^>]*>(.*?)</text>|<(path|rect|line)\b([^>]*)>", svg, re.S):
        if tag[2] is None:
            text = re.sub(r"<[^>]*>", "", tag[1])
            if not re.fullmatch(r"[-\u2212\d.,]+", text):
                found.append("text " + words(text, "\0"))
        else:
            kept = re.findall(r'\b(stroke|stroke-dasharray|fill)="([^"]*)"', tag[3])
            line = tag[2] + "".join(f" {name}={value}" for name, value in kept)
            curve = re.search(r' d="M([\d.]+),', tag[3])
            if curve and "fill=none" in line:
                line += f" from x = {10 * round(float(curve[1]) / 10)}"
            if not found or found[-1] != line:
                found.append(line)
    return found


class Expected(ProgramTest):
    maxDiff = None

    def said(self, command):
        """Exit code, both streams, and the files j, c and s."""
        given = shlex.split(command.replace("MODELS", str(MODELS)))
        result = run(*given, folder=self.folder.name)
        text = f"$ daewave {command}\n{words(result.stdout, self.folder.name)}"
        if result.stderr:
            text += "--- complaint\n" + words(result.stderr, self.folder.name)
        text += f"--- exit code {result.returncode}\n"
        folder = Path(self.folder.name)
        if (folder / "j").exists():
            text += "--- json\n" + json.dumps(shape(json.loads((folder / "j").read_text())), indent=1,
                                              ensure_ascii=False) + "\n"
        if (folder / "c").exists():
            lines = (folder / "c").read_text().splitlines()
            width = len(lines[0].split(","))
            self.assertTrue(all(len(line.split(",")) == width for line in lines), "rows differ")
            text += "--- csv\n" + lines[0] + "\n"
        if (folder / "s").exists():
            text += "--- svg\n" + "\n".join(picture((folder / "s").read_text())) + "\n"
        for path in folder.iterdir():
            path.unlink()
        return text

    def compare(self, name, text):
        path = EXPECTED / f"{name}.txt"
        if RECORD:
            path.write_text(text)
        self.assertEqual(text, path.read_text(), f"see {path.name}")

    def test_what_is_said_and_written_is_as_expected(self):
        for name, command in COMMANDS.items():
            with self.subTest(command=command):
                self.compare(name, self.said(command))

    def test_refusals_are_as_expected(self):
        self.compare("refused", "\n".join(self.said(command) for command in REFUSED))


if __name__ == "__main__":
    unittest.main()
