"""Problems as text: mechanisms and DAEs."""

import os

import numpy as np

from . import _daewave
from .boundary_options import boundary_asked
from .boundary_result import NO_SOLUTION, result_of_model
from .branch import branch_of, way_of
from .initial import Interrupted, result_of
from .initial_options import asked_of
from .toml_text import toml_of


class Parameters(dict):
    """Values of the parameters of a model, to read: the model is assembled with them."""

    def _refuse(self, *_, **__):
        raise TypeError("parameters of a model are not changed: with_parameters(name=value) is the "
                        "model with others, assembled anew")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self):
        """For pickle and copies, which would set one after the other."""
        return type(self), (dict(self),)


class Model:
    """A model file, its text, or its tables as dictionaries (docs/models.md).

    daewave.load("crank.toml", l=1.5)
    daewave.Model("[dae.differential]\\nx = '-x'\\n...")
    daewave.Model({"dae": {"differential": {"x": "-x"}, "start": {"x": 1}}})

    Attributes: name, title, parameters (dictionary, to read), state_names, state_units (empty where the file
    does not say), start (the assembled configuration), start_moved (how far the written one was from
    it, in its own units), t_span, is_boundary (a boundary value problem), drawing (how it looks).

    Raises Error, a ValueError, for a text that is wrong, with line, column and the way out.
    """

    def __init__(self, text=None, *, path=None, name="model", **parameters):
        """Of `text` or tables, or of the file at `path`; `parameters` are set to other values."""
        if (text is None) == (path is None):
            raise ValueError("a model is of a text, of tables or of a path: one of them")
        if text is not None and not isinstance(text, str):
            text = toml_of(text)
        if path is not None:
            name = os.fspath(path)
            text = _daewave.model_text(name)
        self._text, self._name = text, name
        self._changes = {key: float(value) for key, value in parameters.items()}
        self._read()
        self.name, self.title = self._model.name, self._model.title
        self.parameters = Parameters(self._model.parameters)
        self.state_names = list(self._model.state_names)
        self.state_units = list(self._model.state_units)
        self.start, self.start_moved = self._model.start, self._model.start_moved
        self.t_span = self._model.interval
        self.is_boundary = self._model.has_boundary
        self.drawing = self._model.drawing

    def _read(self):
        self._model = _daewave.model_of(self._text, self._name, self._changes)

    def __getstate__(self):
        """For pickle and copies: the text, so that no file is needed where the model arrives."""
        return {name: value for name, value in vars(self).items() if name != "_model"}

    def __setstate__(self, state):
        vars(self).update(state)
        self._read()

    def with_parameters(self, **parameters):
        """The model once more, with other values; assembled anew."""
        return Model(self._text, name=self._name, **{**self._changes, **parameters})

    def energy(self, y):
        """Kinetic and potential energy of states, (n,) or (n, m); None where forces take any."""
        y = np.asarray(y, dtype=float)
        columns = y.reshape(y.shape[0], -1)
        values = [self._model.energy(np.ascontiguousarray(columns[:, i]))
                  for i in range(columns.shape[1])]
        if None in values:
            return None
        return values[0] if y.ndim == 1 else np.array(values)

    def solve(self, t_span=None, y0=None, *, method="auto", t_eval=None, dense_output=None,
              events=None, rtol=None, atol=None, **options):
        """As solve_dae, to rtol=1e-6 where it is not given; the start and the interval are those of the model where none are given. What
        the file asks of the command line, its tables [solve] and [output], is not looked at, but for
        the parameters and the end of the interval that these set. Its
        events follow those of the call, in t_events and y_events too. The result has `names`, `units` and `drawing` of the model too.

        A boundary value problem takes tol, max_nodes, and variant, epsilon, stages, iterates,
        alpha1, alpha2, scheme of solve_bvp instead; it gives the result of solve_bvp."""
        if self.is_boundary:
            given = {"t_span": t_span, "y0": y0, "method": None if method == "auto" else method,
                     "t_eval": t_eval, "dense_output": dense_output, "events": events,
                     "rtol": rtol, "atol": atol}
            given = [name for name, value in given.items() if value is not None]
            if given:
                raise ValueError(f"{', '.join(given)}: of initial value problems. {self.name} is a "
                                 "boundary value problem: its interval and conditions are its own, "
                                 "and it always has sol; give tol, max_nodes, variant, epsilon, "
                                 "stages, iterates, alpha1, alpha2 or scheme")
            return self._solve_boundary(**options)
        dense_output = False if dense_output is None else dense_output
        rtol = 1e-6 if rtol is None else rtol
        t_span = self.t_span if t_span is None else t_span
        start = self.start if y0 is None else np.asarray(y0, dtype=float)
        if start.shape != self.start.shape:
            raise ValueError(f"y0 has shape {start.shape}; it is to have {self.start.shape}: "
                             f"{', '.join(self.state_names)}")
        asked = asked_of(t_span, start.size, method, t_eval, dense_output, events, rtol, atol, options)
        found = self._model.solve(start, float(t_span[0]), float(t_span[1]), asked)
        asked["events"] = asked["events"] + self._model.events
        return result_of(found, t_span, asked, **self._about())

    def _about(self):
        return {"names": self.state_names, "units": self.state_units, "drawing": self.drawing,
                "title": self.title or self.name}

    def _solve_boundary(self, tol=1e-6, max_nodes=10_000, **options):
        asked = boundary_asked(tol, max_nodes, **options)
        try:
            found = self._model.solve_boundary(asked)
        except KeyboardInterrupt as pressed:
            raise Interrupted() from pressed
        result = result_of_model(found, self._about())
        if found.report.termination in NO_SOLUTION and self.parameters:
            result.update(message=f"{result['message']}; follow(parameter, to) leads a parameter to "
                                  "where no guess does")
        return result

    def follow(self, parameter, to, *, arclength=False, geometric=None, first_step=None, tol=1e-6,
               tol_on_way=None, max_nodes=10_000, most_steps=500, observer=None,
               **options):
        """The solution of a boundary value problem followed over one of its parameters, from its
        value in this model to another one: see follow_bvp for what is asked and returned, and
        with_parameters for where to begin. Each step is a model assembled anew."""
        if not self.is_boundary:
            raise ValueError(f"{self.name} is an initial value problem: it has a solution for each "
                             "value of its parameters, with_parameters(...).solve(...)")
        if parameter not in self.parameters:
            raise ValueError(f"parameter = {parameter!r}: is none of the model's; it has "
                             f"{', '.join(self.parameters) or 'none'}")
        asked = boundary_asked(tol, max_nodes, **options)
        about = self._about()

        def result(found):
            return result_of_model(found, about)
        how = way_of(parameter, to, arclength, geometric, first_step, tol_on_way, most_steps, observer,
                     result)
        changes = {name: value for name, value in self._changes.items() if name != parameter}
        try:
            branch = _daewave.follow_model(self._text, self._name, changes, asked,
                                           {"begin": self.parameters[parameter], **how})
        except KeyboardInterrupt as pressed:
            raise Interrupted() from pressed
        return branch_of(branch, about["names"], result)

    def __repr__(self):
        return f"Model({self.name}: {len(self.state_names)} states, parameters {self.parameters})"

    def _repr_html_(self):
        """For notebooks: the states at the start, and the parameters."""
        import html
        rows = "".join(f"<tr><td>{html.escape(name)}</td><td>{value:.6g}</td></tr>"
                       for name, value in [*zip(self.state_names, self.start),
                                           *self.parameters.items()])
        return (f"<b>{html.escape(self.title or self.name)}</b>"
                f"<table><tr><th>state, parameter</th><th>value</th></tr>{rows}</table>")


def load(path, **parameters):
    """The model of a file; `parameters` are set to other values."""
    return Model(path=path, **parameters)
