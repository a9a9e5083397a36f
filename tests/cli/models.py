"""Model files for tests of the program: those of the examples, and others written for a test."""

from pathlib import Path

from program import ProgramTest

MODELS = Path(__file__).resolve().parents[2] / "examples" / "models"


class ModelTest(ProgramTest):
    def write(self, text):
        path = Path(self.path("mine.toml"))
        path.write_text(text, encoding="utf-8")
        return str(path)
