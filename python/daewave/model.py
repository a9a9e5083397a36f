"""Mechanisms from text."""

import os

import numpy as np

from . import _daewave
from .initial import asked_of, result_of


class Model:
    """A model file, or its text (docs/models.md).

    Attributes: name, title, parameters (dictionary), state_names, start (the assembled
    configuration), start_moved (how far the written one was from it), t_span, is_boundary (a boundary
    value problem, which solve() refuses).
    """

    def __init__(self, text=None, *, path=None, name="model", **parameters):
        """Of `text`, or of the file at `path`; `parameters` are set to other values."""
        if (text is None) == (path is None):
            raise ValueError("a model is of a text or of a path: one of them")
        changes = {key: float(value) for key, value in parameters.items()}
        self._text, self._path, self._name, self._changes = text, path, name, changes
        self._model = (_daewave.read_model(os.fspath(path), changes) if path is not None else
                       _daewave.model_of(text, name, changes))
        self.name, self.title = self._model.name, self._model.title
        self.parameters = dict(self._model.parameters)
        self.state_names = list(self._model.state_names)
        self.start, self.start_moved = self._model.start, self._model.start_moved
        self.t_span = self._model.interval
        self.is_boundary = self._model.has_boundary

    def with_parameters(self, **parameters):
        """The model once more, with other values; assembled anew."""
        return Model(self._text, path=self._path, name=self._name,
                     **{**self._changes, **parameters})

    def energy(self, y):
        """Kinetic and potential energy of states, (n,) or (n, m); None where forces take any."""
        y = np.asarray(y, dtype=float)
        columns = y.reshape(y.shape[0], -1)
        values = [self._model.energy(np.ascontiguousarray(columns[:, i]))
                  for i in range(columns.shape[1])]
        if None in values:
            return None
        return values[0] if y.ndim == 1 else np.array(values)

    def solve(self, t_span=None, y0=None, *, method="auto", t_eval=None, dense_output=False,
              events=None, rtol=1e-6, atol=None, **options):
        """As solve_dae; the start and the interval are those of the model where none are given. What
        the file asks of the command line, its tables [solve] and [output], is not looked at. The
        result has `names` too, of the rows of y."""
        if self.is_boundary:
            raise ValueError(f"{self.name} is a boundary value problem: solve it by daewave solve, or "
                             "state it to daewave.solve_bvp")
        t_span = self.t_span if t_span is None else t_span
        start = self.start if y0 is None else np.asarray(y0, dtype=float)
        if start.shape != self.start.shape:
            raise ValueError(f"y0 has shape {start.shape}; it is to have {self.start.shape}: "
                             f"{', '.join(self.state_names)}")
        asked = asked_of(t_span, method, t_eval, dense_output, events, rtol, atol, options)
        found = self._model.solve(start, float(t_span[0]), float(t_span[1]), asked)
        result = result_of(found, t_span, dense_output, asked["events"])
        result.names = self.state_names
        return result

    def __repr__(self):
        return f"Model({self.name}: {len(self.state_names)} states, parameters {self.parameters})"


def load(path, **parameters):
    """The model of a file; `parameters` are set to other values."""
    return Model(path=path, **parameters)
