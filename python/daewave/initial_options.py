"""What a caller asks of an initial value solve, as the library takes it."""

import numbers

import numpy as np

from . import _daewave
from .shapes import with_args


def _times(t_eval, t_span):
    """Times to give out as they were asked for."""
    times = np.asarray(t_eval if np.ndim(t_eval) or np.isscalar(t_eval) else list(t_eval), dtype=float)
    if times.ndim != 1:
        raise ValueError(f"t_eval is to have one dimension; it has shape {times.shape}")
    least, most = sorted(map(float, t_span))
    beyond = times[~((times >= least) & (times <= most))]
    if beyond.size:
        raise ValueError(f"t_eval has t = {beyond[0]:g}, beyond t_span = ({t_span[0]:g}, "
                         f"{t_span[1]:g})")
    ways = np.sign(np.diff(times))
    wrong = np.flatnonzero((ways == 0) | (ways != ways[:1]))
    if wrong.size:
        i = wrong[0]
        raise ValueError(f"t_eval[{i}] = {times[i]:g}, t_eval[{i + 1}] = {times[i + 1]:g}: times go "
                         "one way, each of them once")
    return times


_OPTIONS = ("h", "first_step", "max_step", "most_steps", "repair_start", "restart_times",
            "estimate_error", "accuracy")
# Of single methods. Loops that are not step by step are of threads and lanes, which functions of
# Python do not have.
_OF_METHODS = tuple(name for name in _daewave.method_option_names() if name != "loops")


def _plain(name, value):
    """A value of an option of methods as C++ has it."""
    for kind, plain in (((bool, np.bool_), bool), (numbers.Integral, int), (numbers.Real, float),
                        (str, str)):
        if isinstance(value, kind):
            return plain(value)
    raise TypeError(f"{name} = {value!r}: is to be a number, a word, True or False")


def events_with_args(events, args):
    """Functions of (t, y, *args) as those of (t, y), with their attributes."""
    def one(event):
        if not callable(event):
            return event  # It is refused below.
        bound = with_args(event, args)
        bound.__name__ = getattr(event, "__name__", "event")
        for name in ("terminal", "direction"):
            if hasattr(event, name):
                setattr(bound, name, getattr(event, name))
        if getattr(event, "reset", None) is not None:
            bound.reset = with_args(event.reset, args)
        return bound
    if events is None or callable(events):
        return None if events is None else one(events)
    return [one(event) for event in events]


def asked_of(t_span, size, method, t_eval, dense_output, events, rtol, atol, options):
    """Options of solve_dae, of states of `size` entries, as the library takes them. Raises TypeError
    for one that there is not."""
    for name in options:
        if name not in _OPTIONS + _OF_METHODS:
            raise TypeError(f"'{name}' is no option; there are method, t_eval, dense_output, events, "
                            f"rtol, atol, {', '.join(_OPTIONS)}, and of single methods "
                            f"{', '.join(_OF_METHODS)}")
    if len(t_span) != 2:
        raise ValueError(f"t_span = {t_span}: it is (begin, end)")
    asked = {"method": method, "rtol": float(rtol), "dense": bool(dense_output),
             **{name: _plain(name, value) if name in _OF_METHODS else value
                for name, value in options.items() if value is not None}}
    step = asked.get("max_step")
    if step is not None:
        if not step > 0:
            raise ValueError(f"max_step = {step}: it is to be > 0")
        if step == np.inf:
            del asked["max_step"]  # As SciPy says that it is not bounded.
        elif "h" in asked:
            raise ValueError(f"max_step = {step} given with h = {asked['h']}: every step is h; leave out "
                             "one of the two")
    if atol is not None and np.ndim(atol) and np.size(atol) != size:
        raise ValueError(f"atol has {np.size(atol)} entries: it is a number or one for each of the "
                         f"{size} entries of the state")
    if atol is not None:
        asked["atol_each" if np.ndim(atol) else "atol"] = (
            [float(one) for one in atol] if np.ndim(atol) else float(atol))
    if t_eval is not None:
        asked["t_eval"] = _times(t_eval, t_span)
        asked["times"] = np.sort(asked["t_eval"]).tolist()
    if events is None:
        events = []
    elif callable(events):
        events = [events]
    for event in events:
        if not callable(event):
            raise TypeError(f"events: {event!r} is no function")
        if getattr(event, "terminal", False) not in (False, True):
            raise ValueError(f"terminal = {event.terminal!r} of an event: it is True or False, as the "
                             "first occurrence ends the run; solve on from there, to end it later")
    asked["events"] = [{
        "name": getattr(event, "__name__", f"event {i}"),
        "function": event,
        "direction": int(np.sign(getattr(event, "direction", 0))),
        "terminal": bool(getattr(event, "terminal", False)),
        "reset": getattr(event, "reset", None),
    } for i, event in enumerate(events)]
    return asked
