"""Pictures of results, by matplotlib."""

import numpy as np

from .drawing import Drawing
from .tables import axis_of, rows_of, rows_of_branch, units_of


def _pyplot():
    try:
        import matplotlib.pyplot as pyplot
    except ImportError as error:
        raise ImportError("pictures need matplotlib (Debian's python3-matplotlib)") from error
    return pyplot


def _times(result, points):
    """Times for pictures: those given out, and of dense output as many as asked for between them."""
    times = result[axis_of(result)]
    if result.get("sol") is None or times.size < 2:
        return times
    return np.union1d(times, np.linspace(times[0], times[-1], points))


def _states(result, times):
    if times is result[axis_of(result)]:
        return np.atleast_2d(result.y)
    return result.sol(times)


def plot(result, names, ax, points):
    axis, units = axis_of(result), units_of(result)
    if np.size(result[axis]) == 0:
        raise ValueError("the result has no values to plot")
    rows = rows_of(result)
    states = list(rows)[:np.atleast_2d(result.y).shape[0]]
    chosen = list(names) if names is not None else states
    for name in chosen:
        if name not in rows:
            raise ValueError(f"{name} is no row; there are {', '.join(rows)}")
    times = _times(result, points)
    dense = dict(zip(states, _states(result, times)))
    panels = {}
    for name in chosen:
        panels.setdefault(units.get(name, ""), []).append(name)
    if ax is None:
        _, made = _pyplot().subplots(len(panels), 1, sharex=True, squeeze=False)
        axes = list(made[:, 0])
    else:
        axes = [ax] * len(panels)
    for panel, (unit, of_panel) in zip(axes, panels.items()):
        for name in of_panel:
            x, y = (times, dense[name]) if name in dense else (result[axis], rows[name])
            if np.iscomplexobj(y):
                panel.plot(x, y.real, label=f"Re {name}")
                panel.plot(x, y.imag, label=f"Im {name}")
            else:
                panel.plot(x, y, label=name)
        if unit:
            panel.set_ylabel(unit)
        panel.legend()
    for event in np.concatenate(result.get("t_events") or [np.empty(0)]):
        for panel in dict.fromkeys(axes):
            panel.axvline(event, color="0.7", linewidth=0.8, zorder=0)
    axes[-1].set_xlabel(axis)
    return axes[0] if len(axes) == 1 else axes


def plot_branch(branch, names, ax):
    if branch.parameter_values.size == 0:
        raise ValueError("the branch has no solutions to plot")
    rows = rows_of_branch(branch)
    of_states = dict(zip(branch.names, rows))
    ax = _pyplot().subplots()[1] if ax is None else ax
    for name in rows if names is None else names:
        row = rows.get(of_states.get(name, name))
        if row is None:
            raise ValueError(f"{name} is no row; there are "
                             f"{', '.join([*branch.names, *branch.unknown_names])}")
        line, = ax.plot(branch.parameter_values, row, ".-", label=of_states.get(name, name))
        ax.plot(branch.parameter_values[branch.is_fold], row[branch.is_fold], "o", color=line.get_color(),
                markerfacecolor="none")
    ax.set_xlabel(branch.parameter)
    ax.legend()
    return ax


def animate(result, ax, seconds, fps):
    from matplotlib.animation import FuncAnimation
    pyplot = _pyplot()
    axis = axis_of(result)
    times = result[axis]
    if np.size(times) < 2:
        raise ValueError("the result has no motion to show")
    seconds = abs(float(times[-1] - times[0])) if seconds is None else float(seconds)
    if not seconds > 0 or not fps > 0:
        raise ValueError(f"seconds = {seconds}, fps = {fps}: both are to be > 0")
    frames = np.linspace(times[0], times[-1], max(2, int(round(seconds * fps))))
    if result.get("sol") is not None:
        states = result.sol(frames)
    else:
        order = np.argsort(times)
        states = np.array([np.interp(frames, times[order], row[order])
                           for row in np.atleast_2d(result.y)])
    drawing = result.get("drawing")
    scene = (Drawing(drawing).scene(states) if drawing and drawing["parts"]
             else _portrait(result, states))
    if ax is None:
        spatial = bool(drawing) and drawing["spatial"] and drawing["parts"]
        figure = pyplot.figure()
        ax = figure.add_subplot(projection="3d" if spatial else None)
    artists = scene.begin(ax)
    label = ax.set_title("")

    def show(i):
        scene.show(i)
        label.set_text(f"{axis} = {frames[i]:.3f}")
        return [*artists, label]

    return FuncAnimation(ax.figure, show, frames=frames.size, interval=1000 / fps, blit=False)


class _Portrait:
    """The first two rows over each other: the way, and where the point is."""

    def __init__(self, names, states):
        self._names, self._x, self._y = names, states[0], states[-1 if len(states) == 1 else 1]

    def begin(self, ax):
        ax.plot(self._x, self._y, color="0.8")
        ax.set_xlabel(self._names[0])
        ax.set_ylabel(self._names[-1 if len(self._names) == 1 else 1])
        self._point, = ax.plot([], [], "o")
        return [self._point]

    def show(self, i):
        self._point.set_data([self._x[i]], [self._y[i]])


def _portrait(result, states):
    if np.iscomplexobj(states):
        states = np.stack([states[0].real, states[0].imag])
        return _Portrait(["Re", "Im"], states)
    return _Portrait(list(rows_of(result)), states)
