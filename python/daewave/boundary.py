"""Boundary value problems."""

import math
import time
import warnings

import numpy as np

from . import _daewave
from .boundary_functions import UsersFunctions
from .boundary_layers import Layers, finer
from .boundary_options import boundary_asked
from .boundary_progress import Table, print_summary
from .boundary_result import NO_SOLUTION, WithoutParameters, largest, residuals_of, result_of
from .initial import Interrupted

_LEAST_TOLERANCE = 100 * np.finfo(float).eps
_LEAST_ASKED = 1e-13  # Of errors.


def solve_bvp(fun, bc, x, y, p=None, S=None, fun_jac=None, bc_jac=None, tol=1e-3, max_nodes=1000,
              verbose=0, bc_tol=None, *, constraint=None, B=None, constraint_jac=None, index=2,
              variant=None, epsilon=None, stages=None, iterates=None, alpha1=None, alpha2=None,
              scheme=None):
    """Solves y' = fun(x, y, p) + S y / (x - a) - B(x, y) z, 0 = constraint(x, y), a <= x <= b, with
    conditions bc(y(a), y(b), p) = 0.

    The signature and the result are those of scipy.integrate.solve_bvp; what follows bc_tol is for
    problems with constraints.

    Parameters
    ----------
    fun : callable
        fun(x, y) or fun(x, y, p), of m points at once: x has shape (m,), y has (n, m); returns
        (n, m). With index=3, y = (q, v), n even, and fun returns accelerations, (n/2, m).
    bc : callable
        bc(ya, yb) or bc(ya, yb, p): residuals, shape (n + k,), k parameters; with a constraint of ny
        rows, ny fewer for index 2, 2 ny fewer for index 3.
    x : (m,) increasing, the first mesh; a layer at one of its nodes is seen however narrow it is
    y : (n, m) real, or complex where there is no p, the first guess at its nodes
    p : (k,) or None, the first guess of unknown parameters
    S : (n, n) or None
        S y / (x - a) beside fun; solutions have S y(a) = 0.
    fun_jac : callable
        fun_jac(x, y) -> df/dy of shape (n, n, m); with parameters fun_jac(x, y, p) -> (df/dy, df/dp),
        of shapes (n, n, m) and (n, k, m). Without constraints; else, and where it is not given,
        differences are taken.
    bc_jac : callable
        bc_jac(ya, yb) -> (dbc/dya, dbc/dyb), of shape (n, n) each; with parameters
        bc_jac(ya, yb, p) -> (dbc/dya, dbc/dyb, dbc/dp), of n + k rows. dbc/dp is used where fun_jac
        is given too. Where it is not given, differences are taken.
    tol : float
        Wanted error of y, relative to 1 + its largest component, and of the residual in each
        interval, as SciPy measures it: both are held below it.
    max_nodes : int
        Most nodes of a mesh; where they do not suffice, status is 1.
    verbose : 0, 1, 2
        1 prints how it went; 2 also a line for each mesh that was solved on: the largest residuals
        of the equations and of bc, its nodes, and how many more than on the mesh before (less where
        a coarser one tells an error).
    bc_tol : float
        Largest absolute residual of bc; tol where it is not given.
    constraint : callable
        constraint(x, y) -> (ny, m), of q alone with index=3.
    B : callable or array
        B(x, y) -> (n, ny, m), or (n/2, ny, m) with index=3, or a constant matrix without m. Where it
        is not given: the transposed Jacobian of the constraint, which is then to be given.
    constraint_jac : callable
        constraint_jac(x, y) -> (ny, n, m), or (ny, n/2, m); differences where it is not given.
    index : 2 or 3, with a constraint
    variant, epsilon, iterates, alpha1, alpha2, stages, scheme
        Of the regularization and the collocation, as of the command line (docs/methods.md); chosen
        where they are not given.

    Returns
    -------
    Result with
        sol (callable, sol(x) and sol(x, 1)), p, x, y, yp, rms_residuals, niter (matrices that were
        factorized), nfev (points at which fun was evaluated), status (0 solved, 1 tolerance not met
        with max_nodes, 2 no solution found, 3 bc_tol not met), message, success, report; with a
        constraint also z (multipliers, or B z where z does not exist: carries_Bz) and sol_z.

    Raises
    ------
    ValueError
        Shapes or values of options that are wrong; of kind InvalidProblem or InvalidOption where the
        library has found them.
    TypeError
        An option that there is not, or of the wrong type.
    Interrupted
        A key was pressed (Ctrl-C): a KeyboardInterrupt. `result` is None: no error is known of what
        there is by then, as that takes solutions on two meshes, of which the last one was not
        finished. x, y and p that were given are as they were, and may be given again; of an initial
        value problem the part of the interval that was done is valid instead (solve_dae).
    """
    x, y, p, S, has_p, tol, bc_tol = arguments(x, y, p, S, tol, max_nodes, bc_tol)
    refuse_constraint_options(y, S, constraint, B, constraint_jac, index)
    functions = UsersFunctions(fun, bc, p, has_p, x, y, constraint, B, constraint_jac, fun_jac,
                               bc_jac, index)
    options = boundary_asked(tol, max_nodes, variant=variant, epsilon=epsilon, stages=stages,
                             iterates=iterates, alpha1=alpha1, alpha2=alpha2, scheme=scheme)
    guess = functions.real_of(y)
    if S is not None and y.dtype.kind == "c":
        S = np.kron(np.eye(2), S)
    guess, S_of_all = functions.with_parameters(guess, p, S)
    started = time.perf_counter()

    def of_states(found):
        return WithoutParameters(found, functions.rows, p) if functions.extended else found

    tell = None
    if verbose > 1:
        def residuals(found):
            found = of_states(found)
            nodes, states, _ = found.at_nodes()
            return residuals_of(found, functions, nodes, states, S,
                                found.parameters if p.size else p)
        tell = Table(residuals)
    # tol holds for the residual too, as SciPy's does. With a constraint that of an iterate is
    # controlled, which need not be that of the equations.
    found, before, evaluated, asked = None, None, 0, max(tol, _LEAST_ASKED)
    mesh, start, parameters = x, guess, functions.parameters(p)
    layers, missed = Layers(functions, x, S, tol), ()
    for _ in range(5):
        try:
            found, points = _daewave.solve_boundary(
                functions.statement(mesh, start, parameters, S_of_all),
                {**options, "tolerance": asked}, asked, tell, before)
        except KeyboardInterrupt as pressed:
            raise Interrupted() from pressed
        evaluated += points
        result = result_of(of_states(found), evaluated, functions, x, y, p, S, bc_tol, layers)
        most = largest(result["rms_residuals"])
        if not result["success"]:
            break
        parameters = found.parameters
        seen = of_states(found)
        missed, width = layers.missed(seen, found.nodes, seen.parameters if p.size else p)
        if len(missed):
            mesh = finer(found.nodes, missed, width, int(max_nodes))
            if mesh is None:
                break
            start, before = found.x(mesh), None
            continue
        before = found
        if not most > tol:
            break
        # The residual falls slower than the error: a little more than what is missing.
        asked = max(min(asked / 10, asked * (tol / most) ** 1.2), _LEAST_ASKED)
    if result["status"] == 2 and bc_jac is not None:
        try:
            wrong = functions.contradiction_of_bc_jac(guess[:, 0], guess[:, -1], p)
        except Exception:  # Of states that nobody asked for: the result is not to be lost for it.
            wrong = None
        if wrong:
            result.update(message=f"{result['message']}; {wrong}")
    if found.report.termination in NO_SOLUTION:
        result.update(message=f"{result['message']}; follow_bvp leads a parameter to where no guess does")
    if result["success"] and most > tol:
        result.update(status=1, success=False,
                      message=f"the residual is {most:.2e} where tol is {tol:.2e}")
    if result["success"] and len(missed):
        result.update(status=1, success=False, message=(
            f"at the node x = {missed[0]:.10g} that was given y' is not what fun returns: a layer there is "
            "not resolved. Give nodes that are close there, or raise max_nodes"))
    if verbose > 0:
        print_summary(result, started)
    return result


def arguments(x, y, p, S, tol, max_nodes, bc_tol):
    """x, y, p, S, whether there are parameters, tol, bc_tol: as arrays and numbers, or a ValueError."""
    x = np.array(x, dtype=float)
    if x.ndim != 1:
        raise ValueError(f"x is to have one dimension; it has shape {x.shape}")
    if x.size < 2 or not (x[1:] > x[:-1]).all() or not math.isfinite(x[-1] - x[0]):
        raise ValueError("x is to be strictly increasing, of two nodes at least")
    y = np.asarray(y)
    y = y.astype(complex if y.dtype.kind == "c" else float)
    if y.ndim != 2:
        raise ValueError(f"y is to have two dimensions, (n, {x.size}); it has shape {y.shape}")
    n = y.shape[0]
    if y.shape[1] != x.size:
        raise ValueError(f"y has {y.shape[1]} columns; x has {x.size} nodes")
    if n == 0:
        raise ValueError("y has no rows: there is nothing to solve for")
    has_p = p is not None
    p = np.array(p, dtype=float) if has_p else np.empty(0)
    if p.ndim != 1:
        raise ValueError(f"p is to have one dimension; it has shape {p.shape}")
    if S is not None:
        S = np.asarray(S, dtype=float)
        if S.shape != (n, n):
            raise ValueError(f"S is to have shape ({n}, {n}); it has {S.shape}")
    if y.dtype.kind == "c" and p.size > 0:
        raise ValueError("p: unknown parameters do not go with a complex y; let rows of a real y be "
                         "its real and its imaginary parts")
    if not tol > 0:
        raise ValueError(f"tol = {tol}: it is to be > 0")
    if tol < _LEAST_TOLERANCE:
        warnings.warn(f"tol = {tol} is below rounding; {_LEAST_TOLERANCE:.2e} is taken for residuals, "
                      f"{_LEAST_ASKED:.0e} for errors", stacklevel=3)
        tol = _LEAST_TOLERANCE
    if not max_nodes >= x.size:
        raise ValueError(f"max_nodes = {max_nodes}: x has {x.size} nodes already")
    bc_tol = tol if bc_tol is None else bc_tol
    if not bc_tol > 0:
        raise ValueError(f"bc_tol = {bc_tol}: it is to be > 0")
    return x, y, p, S, has_p, tol, bc_tol


def refuse_constraint_options(y, S, constraint, B, constraint_jac, index):
    if constraint is None:
        if B is not None or constraint_jac is not None:
            raise ValueError("B and constraint_jac are of problems with a constraint: "
                             "give constraint=")
        if index != 2:
            raise ValueError(f"index = {index!r}: is of problems with a constraint: give "
                             "constraint=, or leave it out")
        return
    if index not in (2, 3):
        raise ValueError(f"index = {index!r}: with a constraint it is 2 or 3")
    if y.dtype.kind == "c" or S is not None:
        raise ValueError("a complex y, or S, does not go with a constraint")
    if index == 3 and y.shape[0] % 2:
        raise ValueError(f"with index=3, y = (q, v): {y.shape[0]} is odd")
