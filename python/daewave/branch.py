"""Solutions of boundary value problems over a parameter."""

import numpy as np

from . import _daewave
from .boundary import arguments, refuse_constraint_options
from .boundary_functions import UsersFunctions
from .boundary_options import boundary_asked
from .boundary_result import result_of
from .initial import Interrupted
from .result import Result


class Branch(Result):
    """Solutions over a parameter; an entry, or a column, for each of them, folds too.

    parameter_values, largest (n, m): the parameter, and the largest |y| of each row; unknowns (k, m), of
    unknown_names; intervals; is_fold, and folds, their values. last: the solution at `reached`, as
    solve_bvp gives it.
    """

    def plot(self, names=None, *, ax=None):
        """Largest values over the parameter, folds marked; names: of those rows, or unknowns, alone.
        Returns the axes."""
        from .pictures import plot_branch
        return plot_branch(self, names, ax)

    def to_frame(self):
        """pandas.DataFrame with a row for each solution."""
        from .tables import frame_of_branch
        return frame_of_branch(self)

    def animate(self, **options):
        """Of the last solution."""
        return self.last.animate(**options)

    def report_page(self, path, *, title=None):
        """Of the last solution."""
        return self.last.report_page(path, title=title)

    def _repr_html_(self):
        from .tables import html_of_branch
        return html_of_branch(self)


def follow_bvp(fun, bc, x, y, p, to, *, parameter=None, unknown=(), names=None, arclength=False,
               geometric=None, first_step=None, tol=1e-6, tol_on_way=None, max_nodes=10_000,
               most_steps=500, observer=None, S=None, fun_jac=None, bc_jac=None, constraint=None,
               B=None, constraint_jac=None, index=2, variant=None, epsilon=None, stages=None,
               iterates=None, alpha1=None, alpha2=None, scheme=None):
    """Follows the solution of y' = fun(x, y, p) + S y / (x - a) - B(x, y, p) z, 0 = constraint(x, y, p),
    bc(y(a), y(b), p) = 0 over one of the parameters p, each solve starting from the one before.

    follow_bvp(lambda x, y, p: np.vstack((y[1], y[0] / p[0]**2)), ends, x, y, p=[0.1], to=1e-4)

    Parameters
    ----------
    fun, bc, x, y, S, constraint, B, constraint_jac, index, variant, epsilon, stages, iterates,
    alpha1, alpha2, scheme
        As of solve_bvp. All functions get p, all parameters, as their last argument. y is real.
    p : (k,)
        Values of all parameters where the branch begins.
    to : float
        Where it is to end.
    parameter : int or str
        Entry of p that is led, or its name; may be left out where p has one entry that is known.
    unknown : sequence of int or str
        Entries of p that are solved for: bc has one more row for each, p has their first guess.
    names : sequence of str
        Of the entries of p; p1, p2, ... where they are not given.
    arclength : bool
        The branch is followed around folds, which are found, by its length, until the parameter is
        `to`, or where it began, on another part of the branch. Else by the parameter alone, which
        ends where it turns.
    geometric : bool
        Steps divide the parameter by a factor; where it is not given: if it keeps its sign and
        changes tenfold or more.
    first_step : float
        Of the parameter, or ln of a factor.
    tol : float
        Wanted error of y at the end, relative to 1 + its largest component.
    tol_on_way : float
        The same before; 1e-4 where it is not given, by arclength tol.
    max_nodes, most_steps : int
        Most nodes of a mesh; most steps, taken or not.
    observer : callable
        observer(value, is_fold, result), with a result as solve_bvp has it, of the first solution,
        each one on the way and folds; False ends the branch there.
    fun_jac : callable
        fun_jac(x, y, p) -> df/dy, or the pair (df/dy, df/dp), of which the second is not looked at;
        without constraints.
    bc_jac : callable
        bc_jac(ya, yb, p) -> (dbc/dya, dbc/dyb), or with dbc/dp behind, which is not looked at.

    Returns
    -------
    Branch with
        parameter (its name), parameter_values, largest, unknowns, unknown_names, intervals, is_fold, folds;
        last (the solution that was found last, as of solve_bvp), reached (the parameter there),
        nrejected (steps that were taken again, shorter), nfev, status (0 the end is reached, and
        last meets tol; 1 stopped by the observer; 2 not reached: message tells why), message,
        success, report.

    Raises
    ------
    ValueError, TypeError, Interrupted
        As solve_bvp. What was found before a key was pressed is what the observer was given.
    """
    x, y, p, S, _, tol, _ = arguments(x, y, p, S, tol, max_nodes, None)
    if y.dtype.kind == "c":
        raise ValueError("y is complex: of a branch give real and imaginary parts as rows of their own")
    refuse_constraint_options(y, S, constraint, B, constraint_jac, index)
    names = _names_of(names, p.size)
    unknown = [_entry_of(one, names, "unknown") for one in unknown]
    led = _led(parameter, names, unknown)
    functions = UsersFunctions(fun, bc, p, True, x, y, constraint, B, constraint_jac, fun_jac, bc_jac,
                               index, unknown)
    asked = boundary_asked(tol, max_nodes, variant=variant, epsilon=epsilon, stages=stages,
                           iterates=iterates, alpha1=alpha1, alpha2=alpha2, scheme=scheme)

    def result(found):
        one = result_of(found, 0, functions, x, y, p, S, np.inf)
        del one.nfev  # Counted for the branch alone.
        return one
    how = way_of(names[led], to, arclength, geometric, first_step, tol_on_way, most_steps, observer,
                 result)
    try:
        branch, evaluated = _daewave.follow_boundary(functions.statement(x, y, p, S, names), asked, how)
    except KeyboardInterrupt as pressed:
        raise Interrupted() from pressed
    rows = [f"y{i + 1}" for i in range(y.shape[0])]
    return branch_of(branch, rows, result, nfev=evaluated)


def _names_of(names, count):
    if names is None:
        return [f"p{i + 1}" for i in range(count)]
    names = [str(one) for one in names]
    if len(names) != count or len(set(names)) != count:
        raise ValueError(f"names = {names}: p has {count} entries, each is to have a name of its own")
    return names


def _entry_of(entry, names, what):
    """Its place in p."""
    if isinstance(entry, str):
        if entry in names:
            return names.index(entry)
    elif 0 <= entry < len(names):
        return int(entry)
    raise ValueError(f"{what} = {entry!r}: is no entry of p; there are 0 to {len(names) - 1}, called "
                     f"{', '.join(names)}")


def _led(parameter, names, unknown):
    if parameter is not None:
        return _entry_of(parameter, names, "parameter")
    known = [i for i in range(len(names)) if i not in unknown]
    if len(known) != 1:
        raise ValueError(f"parameter: p has {len(known)} entries that are known; say which one is led: "
                         f"{', '.join(names[i] for i in known) or 'give p one more'}")
    return known[0]


def way_of(parameter, to, arclength, geometric, first_step, tol_on_way, most_steps, observer, result):
    """How a branch is followed. result: of a solution."""
    def observed(value, is_fold, found):
        return observer(value, is_fold, result(found))
    if tol_on_way is not None and not tol_on_way > 0:
        raise ValueError(f"tol_on_way = {tol_on_way}: it is to be > 0")
    if observer is not None and not callable(observer):
        raise ValueError(f"observer = {observer!r}: it is to be a function of (value, is_fold, result)")
    return {"parameter": parameter, "to": float(to), "arclength": bool(arclength),
            "geometric": None if geometric is None else bool(geometric), "first_step": first_step,
            "loosely": tol_on_way, "most_steps": int(most_steps),
            "observer": None if observer is None else observed}


def branch_of(branch, names, result, **more):
    """names: of rows of the state. result: of the last solution."""
    report = branch.report
    message = report.message
    if report.advice and not report.usable():
        message = f"{message}. {report.advice}"
    return Branch(parameter=branch.parameter, parameter_values=branch.values, largest=branch.largest,
                  names=names, unknowns=branch.unknowns, unknown_names=branch.unknown_names,
                  intervals=branch.intervals, is_fold=branch.is_fold, folds=branch.folds,
                  last=result(branch.last), reached=branch.reached, nrejected=branch.rejected,
                  status=0 if report.usable() else 1 if report.termination == "stopped" else 2,
                  message=message, success=report.usable(), report=report, **more)
