"""The page of a result, as daewave solve --report writes it."""

import os

import numpy as np

from . import _daewave
from .tables import axis_of, rows_of, units_of

_TITLES = {"m": "Positions", "rad": "Angles", "m/s": "Velocities", "rad/s": "Angular velocities",
           "1": "Orientations"}
_ROWS_OF_A_SCREEN = 3000


def write_page(result, path, title):
    axis = axis_of(result)
    title = title or result.get("title") or result.get("name") or "daewave"
    times = np.asarray(result[axis], dtype=float)
    span = f", {axis} from {times[0]:g} to {times[-1]:g}" if times.size else ""
    subtitle = ("Initial values" if axis == "t" else "Boundary values") + span
    path = os.fspath(path)
    _daewave.write_page(path, str(title), subtitle, result.report, bool(result.success),
                        *_plots(result), result.get("drawing") or {})
    return path


def _dense(result, times):
    """More times where dense output knows the motion between those given out."""
    if result.get("sol") is None or times.size < 2 or times.size >= _ROWS_OF_A_SCREEN:
        return times, np.atleast_2d(result.y)
    more = np.union1d(times, np.linspace(times[0], times[-1], _ROWS_OF_A_SCREEN))
    if times[-1] < times[0]:
        more = more[::-1]
    return more, result.sol(more)


def _plots(result):
    """Plots [(title, unit, t, [(name, values)], points)], marks [(t, label)], motion (names, columns)."""
    times = np.asarray(result[axis_of(result)], dtype=float)
    if times.size == 0:
        return [], [], ([], [])
    t, y = _dense(result, times)
    if np.iscomplexobj(y):
        y = np.concatenate([y.real, y.imag])
        names = [f"{part} y{i + 1}" for part in ("Re", "Im") for i in range(len(y) // 2)]
    else:
        names = result.get("names") or [f"y{i + 1}" for i in range(len(y))]
    units, panels = units_of(result), {}
    half = len(names) // 2
    in_two = names[:1] == ["q1"] and names[half:half + 1] == ["v1"]
    for i, name in enumerate(names):
        unit = units.get(name, "")
        title = _TITLES.get(unit, "State")
        if in_two and not unit:
            title = "Coordinates" if i < half else "Velocities"
        panels.setdefault((title, unit), []).append((name, np.ascontiguousarray(y[i])))
    plots = [(title, unit, t, curves, False) for (title, unit), curves in panels.items()]
    others = list(rows_of(result).items())[np.atleast_2d(result.y).shape[0]:]
    if others:
        title = "Multiplier term B y" if result.get("carries_Bz") else "Multipliers"
        plots.append((title, "", times, [(name, np.ascontiguousarray(row)) for name, row in others],
                      False))
    if axis_of(result) == "x" and times.size > 1:
        plots.append(("Lengths of intervals", "", (times[1:] + times[:-1]) / 2,
                      [("length", np.diff(times))], True))
    marks = [(float(event), "event")
             for event in np.concatenate(result.get("t_events") or [np.empty(0)])[:100]]
    return plots, marks, (["t", *names], [t, *[np.ascontiguousarray(row) for row in y]])
