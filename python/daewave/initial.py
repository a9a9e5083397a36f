"""Initial values of problems with constraints."""

import numpy as np

from . import _daewave
from .curve import Curve
from .initial_options import asked_of, events_with_args
from .result import Result
from .shapes import by_points, with_args

_STATUS = {"converged": 0, "tolerance_not_met": 2, "stopped": -2}


class Interrupted(KeyboardInterrupt):
    """A key was pressed (Ctrl-C). `result` is what there was by then: the part of the interval that
    is done, with status -2; None where nothing was."""

    def __init__(self, result=None):
        super().__init__("interrupted" if result is None
                         else "interrupted; .result has what was done by then")
        self.result = result

    def __reduce__(self):
        return type(self), (self.result,)


def solve_dae(fun, t_span, y0, *, constraint, mass=None, B=None, constraint_jac=None, index=3,
              z0=None, invariant=None, method="auto", t_eval=None, dense_output=False, events=None,
              rtol=1e-6, atol=None, vectorized=True, args=None, **options):
    """Solves an initial value problem with constraints, without its index being reduced by hand.

    index=3, with mass:     M(q) v' = fun(t, q, v) - G^T z,  0 = constraint(t, q),  q' = v
    index=3, with B:        v' = fun(t, q, v) - B(t, q) z,   0 = constraint(t, q),  q' = v
    index=2:                y' = fun(t, y) - B(t, y) z,      0 = constraint(t, y)
    index=1:                y' = fun(t, y, z),               0 = constraint(t, y, z)

    Parameters
    ----------
    fun : callable
        Of m points at once: t has shape (m,), q and v have (nq, m), y has (n, m), z has (nz, m);
        returns forces (nq, m), or y' (n, m). With vectorized=False, of a single point: t is a
        number, q has (nq,); each call then costs as much as one of a thousand points.
    t_span : (begin, end), end may be below begin
    y0 : the start, y, or (q, v) of 2 nq entries; on the constraints (or repair_start=True)
    constraint : callable
        constraint(t, q) -> (ny, m); with index=1 constraint(t, y, z) -> (nz, m), as many rows as z.
    mass : callable or array
        mass(t, q) -> (nq, nq, m), symmetric and positive definite, or a constant matrix. Without
        mass and without B it is the identity.
    B : callable or array, (nq, ny, m) or (nq, ny)
    constraint_jac : callable or array
        G(t, q) -> (ny, nq, m), or (ny, nq) of one that is the same at all points; with index=1
        d constraint / dz of (t, y, z) -> (nz, nz, m). Differences where it is not given.
    index : 1, 2 or 3
    z0 : (nz,), with index=1: about where z begins
    invariant : callable
        With index=1: invariant(t, y) -> (nh, m) stays what it is along solutions, zero at the start;
        each step is brought back to it.
    method : 'auto' or one of daewave.method_names(); 'auto' is 'gauss-windows' for vectorized
        functions of mechanisms, whose nodes are evaluated in one call, with rtol up to 1e-3
    t_eval : times to give out, in either order, these and no others; else each step, with both ends.
        At a time at which an event changes the state, it is the state after that
    dense_output : whether to keep sol(t) of the whole interval
    events : callable or list of callables
        event(t, y) of a single point, whose zeros are found; attributes terminal (bool), direction
        (> 0 rising, < 0 falling), reset (function (t, y) -> y after the event).
    rtol, atol : of a step; atol a number or one for each entry of y0
    args : tuple of what all functions of the problem and the events are called with besides
    options : h, first_step, max_step, most_steps, repair_start, restart_times, estimate_error,
        accuracy; and what single methods are told, by the names of the command line (daewave help
        methods, docs/methods.md): stepper ('radau', ...) and stages of 'auto' too; alpha0, alpha1
        of 'baumgarte', gamma of 'stabilized-ode', order of formulas of several steps, metric,
        factor, onto, keep_energy, epsilon, iterates, ...

    Units are those of the caller: t, y and constraint have any, rtol has none, atol those of y.

    Returns
    -------
    Result with t, y (n, m), z (multipliers or unknowns, (ny, m), or B z where carries_Bz), sol,
    t_events, y_events, names (of the rows of y), status (0 end reached, 1 a terminal event, 2
    accuracy not met, -1 failed, -2 stopped), message, success, nfev (points at which fun was
    evaluated), nsteps, drift, report.

    Raises
    ------
    ValueError
        Shapes or values of options that are wrong; of kind InvalidProblem or InvalidOption where the
        library has found them.
    TypeError
        An option that there is not, or of the wrong type.
    Interrupted
        A key was pressed: a KeyboardInterrupt whose `result` is the part that was done.
    """
    y0 = np.asarray(y0, dtype=float)
    if y0.ndim != 1 or y0.size == 0:
        raise ValueError(f"y0 is to have one dimension; it has shape {y0.shape}")
    if index not in (1, 2, 3):
        raise ValueError(f"index = {index}: it is 1, 2 or 3")
    if index == 3 and y0.size % 2:
        raise ValueError(f"with index=3, y0 = (q, v): {y0.size} is odd")
    if mass is not None and (B is not None or index != 3):
        raise ValueError("mass goes with index=3 and without B: multipliers act by G^T then")
    if index == 2 and B is None:
        raise ValueError("index=2 needs B, by which the multipliers act")
    if index == 1 and B is not None:
        raise ValueError("B is of index 2 and 3: with index=1 fun takes z itself")
    if index != 1 and (z0 is not None or invariant is not None):
        raise ValueError(f"z0 and invariant are of index=1; index is {index}")
    if len(t_span) != 2:
        raise ValueError(f"t_span = {t_span}: it is (begin, end)")
    if args is not None:
        fun, constraint, mass, B, constraint_jac, invariant = (
            with_args(one, args) for one in (fun, constraint, mass, B, constraint_jac, invariant))
        events = events_with_args(events, args)
    fun, constraint = by_points(fun, vectorized), by_points(constraint, vectorized)
    t0 = np.array([float(t_span[0])])
    start = _Start(fun, constraint, t0, y0)
    w = np.empty(0)
    if index == 1:
        kind, sizes, functions, w = start.index_1(z0, by_points(invariant, vectorized),
                                                  by_points(constraint_jac, vectorized))
    else:
        nq = y0.size // 2 if index == 3 else y0.size
        kind, sizes, functions = start.constrained(nq, index)
        ny = sizes["ny"]
        if constraint_jac is not None:
            functions["G"] = _matrix(constraint_jac, ny, nq, vectorized, "constraint_jac")
        if B is not None:
            functions["B"] = _matrix(B, nq, ny, vectorized, "B")
            kind = "second order" if index == 3 else "index 2"
        else:
            functions["M"] = _matrix(np.eye(nq) if mass is None else mass, nq, nq, vectorized,
                                     "mass")
            start.check_mass(functions["M"], nq)
    asked = asked_of(t_span, y0.size, method, t_eval, dense_output, events, rtol, atol, options)
    found = _daewave.solve_initial(kind, sizes, functions, y0, w, float(t_span[0]),
                                   float(t_span[1]), bool(vectorized), asked)
    names = _names(y0.size, index == 3)
    return result_of(found, t_span, asked, evaluated=start.evaluated + found.evaluated, names=names)


def _names(n, has_velocity):
    if not has_velocity:
        return [f"y{i + 1}" for i in range(n)]
    return [f"q{i + 1}" for i in range(n // 2)] + [f"v{i + 1}" for i in range(n // 2)]


class _Start:
    """What functions return at the start, before anything else. Each gets copies, which it may
    change."""

    def __init__(self, fun, constraint, t0, y0):
        self.fun, self.constraint, self.t0, self.y0 = fun, constraint, t0, y0
        self.evaluated = 0  # Points of fun.

    @staticmethod
    def refuse(name, value, rows):
        """Of one point."""
        if value is None:
            raise ValueError(f"{name} returned None: it is to return an array")
        value = np.asarray(value)
        if value.ndim != 2 or value.shape[1] != 1 or (rows is not None and value.shape[0] != rows):
            raise ValueError(f"{name} returned shape {value.shape} at one point; its shape is to be "
                             f"({'n' if rows is None else rows}, 1): functions are called with many "
                             "points at once, one in each column. vectorized=False takes functions "
                             "of single points")
        return value.shape[0]

    def called(self, function, *states):
        self.evaluated += function is self.fun
        return function(self.t0.copy(), *(state[:, np.newaxis].copy() for state in states))

    def constrained(self, nq, index):
        q0 = self.y0[:nq]
        states = [q0] if index == 2 else [q0, self.y0[nq:]]
        ny = self.refuse("constraint", self.called(self.constraint, q0), None)
        self.refuse("fun", self.called(self.fun, *states), nq)
        return "multibody", {"nq": nq, "ny": ny}, {"f": self.fun, "g": self.constraint}

    def check_mass(self, mass, nq):
        """A mass of another shape is refused where it is asked for first."""
        value = np.asarray(self.called(mass, self.y0[:nq]) if callable(mass) else mass)
        if value.shape not in ((nq, nq), (nq, nq, 1)) or value.dtype.kind not in "biuf":
            return
        value = value.reshape(nq, nq).astype(float)
        if not np.all(np.isfinite(value)):
            return  # The library tells where.
        rounding = 1e-12 * np.max(np.abs(value), initial=0)
        i, j = np.unravel_index(np.argmax(np.abs(value - value.T)), value.shape)
        if abs(value[i, j] - value[j, i]) > rounding:
            raise ValueError(f"mass is to be symmetric: at t = {self.t0[0]:g} entry ({i + 1}, {j + 1}) is "
                             f"{value[i, j]:g}, ({j + 1}, {i + 1}) is {value[j, i]:g}")
        least = np.linalg.eigvalsh(value)[0]
        if least < -nq * rounding:
            raise ValueError(f"mass is to be positive definite: at t = {self.t0[0]:g} it has the "
                             f"eigenvalue {least:g}")

    def index_1(self, z0, invariant, jacobian):
        if z0 is None:
            raise ValueError("index=1 needs z0, about where z begins: one number for each row of "
                             "constraint")
        w = np.atleast_1d(np.asarray(z0, dtype=float))
        if w.ndim != 1 or w.size == 0:
            raise ValueError(f"z0 is to have one dimension; it has shape {w.shape}")
        rows = self.refuse("constraint", self.called(self.constraint, self.y0, w), None)
        if rows != w.size:
            raise ValueError(f"constraint has {rows} rows; z0 has {w.size} entries: with index=1 "
                             "they are as many")
        self.refuse("fun", self.called(self.fun, self.y0, w), self.y0.size)
        functions = {"f": self.fun, "r": self.constraint}
        sizes = {"nq": self.y0.size, "nw": w.size}
        if invariant is not None:
            sizes["nh"] = self.refuse("invariant", self.called(invariant, self.y0), None)
            functions["h"] = invariant
        if jacobian is not None:
            functions["r_w"] = jacobian
        return "with invariants", sizes, functions, w


def _matrix(function, rows, columns, vectorized, name):
    if callable(function):
        return by_points(function, vectorized)
    constant = np.asarray(function, dtype=float)
    if constant.shape != (rows, columns):
        raise ValueError(f"{name} has shape {constant.shape}; it is to have ({rows}, {columns})")
    return np.ascontiguousarray(constant)


def _asked_for(times, asked):
    """Where the times that were asked for stand among all that a run has given out, which are its
    ends, restarts and both sides of changes too; the last of each. Those it has not come to are
    left out."""
    if not times.size:
        return np.zeros(0, dtype=int)
    way = 1 if times[-1] >= times[0] else -1
    last = np.searchsorted(way * times, way * asked, side="right") - 1
    return last[(last >= 0) & (times[last] == asked)]


def result_of(found, t_span, asked, *, evaluated=None, **more):
    """The result of a run with what asked_of() made of its options, and further events in there.
    Raises Interrupted with it where a key was pressed."""
    report, events, dense_output = found.report, asked["events"], asked["dense"]
    times, states, multipliers = found.t, found.states, found.multipliers
    given_out = _asked_for(times, asked["t_eval"]) if "t_eval" in asked else slice(None)
    asked_end = float(t_span[1])
    status = _STATUS.get(report.termination, -1)
    occurrences = found.occurrences
    if status == 0 and times.size and times[-1] != asked_end and any(
            events[number]["terminal"] for number, _, _ in occurrences):
        status = 1
    message = report.message if report.usable() or not report.advice else (
        f"{report.message}. {report.advice}")
    result = Result(t=times[given_out], y=states[:, given_out],
                    z=multipliers[:, given_out] if multipliers.size else multipliers,
                    carries_Bz=found.carries_By, sol=None,
                    t_events=[np.array([t for which, t, _ in occurrences if which == i])
                              for i in range(len(events))],
                    y_events=[np.array([y for which, _, y in occurrences if which == i])
                              for i in range(len(events))],
                    status=status, message=message, success=report.usable(),
                    nfev=report.evaluations if evaluated is None else evaluated,
                    nsteps=report.steps, drift=report.drift, report=report,
                    **more)
    if dense_output and times.size > 1:
        result.sol = Curve(found.at, None, times[0], times[-1])
    if found.interrupted:
        result.update(status=-2, success=False, message=(
            f"interrupted at t = {times[-1]:.6g}" if times.size else "interrupted at the start"))
        raise Interrupted(result)
    return result
