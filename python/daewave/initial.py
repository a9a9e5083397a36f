"""Initial values of problems with constraints."""

import numpy as np

from . import _daewave
from .curve import Curve
from .result import Result
from .shapes import by_points, matrix_filled

_STATUS = {"converged": 0, "tolerance_not_met": 2, "stopped": -2}


def solve_dae(fun, t_span, y0, *, constraint, mass=None, B=None, constraint_jac=None, index=3,
              method="auto", t_eval=None, dense_output=False, events=None, rtol=1e-6, atol=None,
              vectorized=True, **options):
    """Solves an initial value problem with constraints, without its index being reduced by hand.

    index=3, with mass:     M(q) v' = fun(t, q, v) - G^T z,  0 = constraint(t, q),  q' = v
    index=3, with B:        v' = fun(t, q, v) - B(t, q) z,   0 = constraint(t, q),  q' = v
    index=2:                y' = fun(t, y) - B(t, y) z,      0 = constraint(t, y)

    Parameters
    ----------
    fun : callable
        Of m points at once: t has shape (m,), q and v have (nq, m), y has (n, m); returns forces
        (nq, m), or y' (n, m). With vectorized=False, of a single point: t is a number, q has (nq,).
    t_span : (begin, end), end may be below begin
    y0 : the start, y, or (q, v) of 2 nq entries; on the constraints (or repair_start=True)
    constraint : callable
        constraint(t, q) -> (ny, m).
    mass : callable or array
        mass(t, q) -> (nq, nq, m), symmetric and positive definite, or a constant matrix. Without
        mass and without B it is the identity.
    B : callable or array, (nq, ny, m) or (nq, ny)
    constraint_jac : callable
        G(t, q) -> (ny, nq, m), or (ny, nq) of a constant one; differences where it is not given.
    index : 2 or 3
    method : 'auto' or one of daewave.method_names(); 'auto' is 'gauss-windows' for vectorized
        functions of mechanisms, which it calls for the points of a whole window
    t_eval : times to give out; else each step
    dense_output : whether to keep sol(t) of the whole interval
    events : callable or list of callables
        event(t, y) of a single point, whose zeros are found; attributes terminal (bool), direction
        (> 0 rising, < 0 falling), reset (function (t, y) -> y after the event).
    rtol, atol : of a step; atol a number or one for each entry of y0
    options : h, first_step, max_step, most_steps, repair_start, restart_times, estimate_error,
        accuracy

    Returns
    -------
    Result with t, y (n, m), z (multipliers, (ny, m), or B z where carries_Bz), sol, t_events,
    y_events, status (0 end reached, 1 a terminal event, 2 accuracy not met, -1 failed, -2 stopped),
    message, success, nfev, nsteps, drift, report.
    """
    y0 = np.asarray(y0, dtype=float)
    if y0.ndim != 1 or y0.size == 0:
        raise ValueError(f"y0 is to have one dimension; it has shape {y0.shape}")
    if index not in (2, 3):
        raise ValueError(f"index = {index}: it is 2 or 3")
    if index == 3 and y0.size % 2:
        raise ValueError(f"with index=3, y0 = (q, v): {y0.size} is odd")
    if mass is not None and (B is not None or index == 2):
        raise ValueError("mass goes with index=3 and without B: multipliers act by G^T then")
    if index == 2 and B is None:
        raise ValueError("index=2 needs B, by which the multipliers act")
    nq = y0.size // 2 if index == 3 else y0.size
    fun, constraint = by_points(fun, vectorized), by_points(constraint, vectorized)
    t0, q0 = np.array([float(t_span[0])]), y0[:nq, np.newaxis].copy()
    rows = np.asarray(constraint(t0, q0))
    if rows.ndim != 2 or rows.shape[1] != 1:
        raise ValueError(f"constraint returned shape {rows.shape} at one point; its shape is to be "
                         "(ny, 1): functions are called with many points at once, one in each "
                         "column. vectorized=False takes functions of single points")
    first = np.asarray(fun(t0, *([q0] if index == 2 else [q0, y0[nq:, np.newaxis].copy()])))
    if first.shape != (nq, 1):
        raise ValueError(f"fun returned shape {first.shape} at one point; its shape is to be "
                         f"({nq}, 1): functions are called with many points at once, one in each "
                         "column. vectorized=False takes functions of single points")
    ny = rows.shape[0]
    functions = {"f": fun, "g": constraint}
    if constraint_jac is not None:
        functions["G"] = _matrix(constraint_jac, ny, nq, vectorized, "constraint_jac")
    if B is not None:
        functions["B"] = _matrix(B, nq, ny, vectorized, "B")
        kind = "second order" if index == 3 else "index 2"
    else:
        functions["M"] = _matrix(np.eye(nq) if mass is None else mass, nq, nq, vectorized, "mass")
        kind = "multibody"
    if method == "auto" and vectorized and kind == "multibody" and "h" not in options:
        method = "gauss-windows"  # Evaluates whole windows in one call.
    asked = asked_of(t_span, method, t_eval, dense_output, events, rtol, atol, options)
    found = _daewave.solve_initial(kind, nq, ny, functions, y0, float(t_span[0]), float(t_span[1]),
                                   asked)
    return result_of(found, t_span, dense_output, asked["events"])


def _matrix(function, rows, columns, vectorized, name):
    if not callable(function):
        constant = np.asarray(function, dtype=float)
        if constant.shape != (rows, columns):
            raise ValueError(f"{name} has shape {constant.shape}; it is to have ({rows}, {columns})")
        return matrix_filled(lambda t, q: constant, rows, columns)
    return matrix_filled(by_points(function, vectorized), rows, columns)


_OPTIONS = ("h", "first_step", "max_step", "most_steps", "repair_start", "restart_times",
            "estimate_error", "accuracy")


def asked_of(t_span, method, t_eval, dense_output, events, rtol, atol, options):
    """Options of solve_dae as the library takes them. Raises TypeError for one that there is not."""
    for name in options:
        if name not in _OPTIONS:
            raise TypeError(f"'{name}' is no option; there are method, t_eval, dense_output, events, "
                            f"rtol, atol, {', '.join(_OPTIONS)}")
    if len(t_span) != 2:
        raise ValueError(f"t_span = {t_span}: it is (begin, end)")
    asked = {"method": method, "rtol": float(rtol), "dense": bool(dense_output),
             **{name: value for name, value in options.items() if value is not None}}
    if atol is not None:
        asked["atol_each" if np.ndim(atol) else "atol"] = (
            [float(one) for one in atol] if np.ndim(atol) else float(atol))
    if t_eval is not None:
        asked["times"] = [float(t) for t in t_eval]
    if events is None:
        events = []
    elif callable(events):
        events = [events]
    for event in events:
        if not callable(event):
            raise TypeError(f"events: {event!r} is no function")
    asked["events"] = [{
        "name": getattr(event, "__name__", f"event {i}"),
        "function": event,
        "direction": int(np.sign(getattr(event, "direction", 0))),
        "terminal": bool(getattr(event, "terminal", False)),
        "reset": getattr(event, "reset", None),
    } for i, event in enumerate(events)]
    return asked


def result_of(found, t_span, dense_output, events):
    report = found.report
    times, states, multipliers = found.t, found.states, found.multipliers
    asked_end = float(t_span[1])
    status = _STATUS.get(report.termination, -1)
    occurrences = found.occurrences
    if status == 0 and times.size and times[-1] != asked_end and any(
            events[number]["terminal"] for number, _, _ in occurrences):
        status = 1
    message = report.message if report.usable() or not report.advice else (
        f"{report.message}. {report.advice}")
    result = Result(t=times, y=states, z=multipliers, carries_Bz=found.carries_By, sol=None,
                    t_events=[np.array([t for which, t, _ in occurrences if which == i])
                              for i in range(len(events))],
                    y_events=[np.array([y for which, _, y in occurrences if which == i])
                              for i in range(len(events))],
                    status=status, message=message, success=report.usable(),
                    nfev=report.evaluations, nsteps=report.steps, drift=report.drift, report=report)
    if dense_output and times.size > 1:
        result.sol = Curve(found.at, None, times[0], times[-1])
    return result
