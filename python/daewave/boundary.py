"""Boundary value problems."""

import time
import warnings

import numpy as np

from . import _daewave
from .curve import Curve
from .initial import Interrupted
from .result import Result
from .shapes import matrix_filled

_STATUS = {"converged": 0, "tolerance_not_met": 1}
_KINDS = {2: "index 2", 3: "second order"}
_LEAST_TOLERANCE = 100 * np.finfo(float).eps
# Of the formula of Lobatto with five points on [-1, 1] that are inside, and weights of a mean.
_AT = np.sqrt(3 / 7)
_WEIGHTS = np.array([32 / 45, 49 / 90, 49 / 90]) / 2


def solve_bvp(fun, bc, x, y, p=None, S=None, fun_jac=None, bc_jac=None, tol=1e-3, max_nodes=1000,
              verbose=0, bc_tol=None, *, constraint=None, B=None, constraint_jac=None, index=2,
              variant=None, epsilon=None, stages=None):
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
    x : (m,) increasing, the first mesh
    y : (n, m) real or complex, the first guess at its nodes
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
    bc_tol : float
        Largest absolute residual of bc; tol where it is not given.
    constraint : callable
        constraint(x, y) -> (ny, m), of q alone with index=3.
    B : callable or array
        B(x, y) -> (n, ny, m), or (n/2, ny, m) with index=3, or a constant matrix without m. Where it
        is not given: the transposed Jacobian of the constraint, which is then to be given.
    constraint_jac : callable
        constraint_jac(x, y) -> (ny, n, m), or (ny, n/2, m); differences where it is not given.
    index : 2 or 3
    variant, epsilon, stages
        Of the regularization and the collocation; chosen where they are not given.

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
        Shapes or options that are wrong; of kind InvalidProblem or InvalidOption where the library
        has found them.
    Interrupted
        A key was pressed: a KeyboardInterrupt. `result` is None: a mesh that is not solved is none.
    """
    x = np.asarray(x, dtype=float)
    if x.ndim != 1:
        raise ValueError(f"x is to have one dimension; it has shape {x.shape}")
    if x.size < 2 or not np.isfinite(x).all() or (x[1:] <= x[:-1]).any():
        raise ValueError("x is to be strictly increasing, of two nodes at least")
    y = np.asarray(y)
    is_complex = y.dtype.kind == "c"
    y = y.astype(complex if is_complex else float)
    if y.ndim != 2:
        raise ValueError(f"y is to have two dimensions, (n, {x.size}); it has shape {y.shape}")
    if y.shape[1] != x.size:
        raise ValueError(f"y has {y.shape[1]} columns; x has {x.size} nodes")
    n = y.shape[0]
    if n == 0:
        raise ValueError("y has no rows: there is nothing to solve for")
    has_p = p is not None
    p = np.asarray(p, dtype=float) if has_p else np.empty(0)
    if p.ndim != 1:
        raise ValueError(f"p is to have one dimension; it has shape {p.shape}")
    if S is not None:
        S = np.asarray(S, dtype=float)
        if S.shape != (n, n):
            raise ValueError(f"S is to have shape ({n}, {n}); it has {S.shape}")
    if not tol > 0:
        raise ValueError(f"tol = {tol}: it is to be > 0")
    if tol < _LEAST_TOLERANCE:
        warnings.warn(f"tol = {tol} is below rounding; {_LEAST_TOLERANCE:.2e} is taken", stacklevel=2)
        tol = _LEAST_TOLERANCE
    if not max_nodes >= x.size:
        raise ValueError(f"max_nodes = {max_nodes}: x has {x.size} nodes already")
    bc_tol = tol if bc_tol is None else bc_tol
    if not bc_tol > 0:
        raise ValueError(f"bc_tol = {bc_tol}: it is to be > 0")
    if constraint is None and (B is not None or constraint_jac is not None):
        raise ValueError("B and constraint_jac are of problems with a constraint: give constraint=")
    if constraint is not None and index not in _KINDS:
        raise ValueError(f"index = {index}: with a constraint it is 2 or 3")
    if constraint is not None and (is_complex or S is not None):
        raise ValueError("a complex y, or S, does not go with a constraint")
    if constraint is not None and index == 3 and n % 2:
        raise ValueError(f"with index=3, y = (q, v): {n} is odd")

    problem = _Problem(fun, bc, p, has_p, n, is_complex, x, y, constraint, B, constraint_jac,
                       fun_jac, bc_jac, index)
    guess = np.vstack((y.real, y.imag)) if is_complex else y
    if is_complex and S is not None:
        S = np.kron(np.eye(2), S)
    guess, S_of_all = problem.with_parameters(guess, p, S)
    started = time.perf_counter()
    # tol holds for the residual too, as SciPy's does. With a constraint that of an iterate is
    # controlled, which need not be that of the equations.
    found = None
    asked = tol
    for _ in range(5):
        try:
            found = _daewave.solve_boundary(
                problem.kind, problem.nq, problem.ny, problem.functions_of, problem.conditions,
                problem.condition_slopes, x, guess,
                problem.parameters(p) if found is None else found.parameters, S_of_all,
                max(asked, 1e-13), max(asked, 1e-13), int(max_nodes), variant, epsilon, stages,
                found)
        except KeyboardInterrupt as pressed:
            raise Interrupted() from pressed
        result = _result_of(_Without(found, problem.rows, p) if problem.extended else found, problem,
                            x, y, p, S, bc_tol)
        most = _largest(result.rms_residuals)
        if not result.success or most <= tol:
            break
        # The residual falls slower than the error: a little more than what is missing.
        asked = min(asked / 10, asked * (tol / most) ** 1.2)
    if result.success and most > tol:
        result.update(status=1, success=False,
                      message=f"the residual is {most:.2e} where tol is {tol:.2e}")
    if verbose > 1:
        print(f"{'Matrices':^15}{'Max residual':^15}{'Max BC residual':^17}{'Nodes':^15}")
        print(f"{result.niter:^15}{most:^15.2e}"
              f"{result.bc_residual:^17.2e}{result.x.size:^15}")
    if verbose > 0:
        seconds = time.perf_counter() - started
        print(f"Solved in {result.niter} matrices, {seconds:.2f} s, {result.x.size} nodes: "
              f"{result.message}" if result.success else f"Not solved: {result.message}")
    return result


class _Without:
    """A solution whose last rows are parameters, p' = 0, as one of the rows before, and these."""

    def __init__(self, found, rows, p):
        self.report, self.has_values, self._found, self._rows = (found.report, found.has_values,
                                                                 found, rows)
        self.parameters = p
        if self.has_values:
            self.nodes = found.nodes
            self.parameters = found.x(self.nodes[:1])[rows:, 0]

    def x(self, t):
        return self._found.x(t)[:self._rows]

    def slope(self, t):
        return self._found.slope(t)[:self._rows]


class _Problem:
    """Functions of the user, of real states, with the parameters as their last argument.

    Where df/dp is given, parameters are rows of the state instead, p' = 0: their derivatives are
    then among those of the equations."""

    def __init__(self, fun, bc, p, has_p, n, is_complex, x, y, constraint, B, constraint_jac,
                 fun_jac, bc_jac, index):
        self._fun, self._bc, self._has_p, self._complex = fun, bc, has_p, is_complex
        self._n, self._fun_jac, self._bc_jac = n, fun_jac, bc_jac
        self.rows = 2 * n if is_complex else n
        self._k = p.size
        self.extended = has_p and p.size > 0 and fun_jac is not None and constraint is None
        self._constraint, self._jacobian = constraint, constraint_jac
        self.nfev = 0
        self.second_order = constraint is not None and index == 3
        self.kind = "ordinary" if constraint is None else _KINDS[index]
        self.nq = n // 2 if self.second_order else (2 * n if is_complex else n)
        self.ny = 0
        # As SciPy does: the shapes of what functions return, before anything else.
        self._refuse_shape("fun", self._call_fun(x, y, p), (self.nq if self.second_order else n,
                                                            x.size))
        if constraint is not None:
            rows = np.asarray(self._of_position(constraint)(x, y), dtype=float)
            if rows.ndim != 2 or rows.shape[1] != x.size:
                raise ValueError(f"constraint returned shape {rows.shape}; its shape is to be "
                                 f"(ny, {x.size}): a row for each constraint, a column for each point")
            self.ny = rows.shape[0]
            if B is None and constraint_jac is None:
                raise ValueError("a constraint needs B, or constraint_jac, whose transpose B then is")
        if self.extended:
            self.nq += p.size
        self._B = self._matrix_of_B(B)
        if fun_jac is not None and constraint is None:
            self._jacobian_of_fun(x, self.real_of(y), p)
        wanted = n + p.size - self.ny * (2 if self.second_order else 1)
        self._refuse_shape("bc", self._call_bc(y[:, 0], y[:, -1], p), (wanted,))
        self.condition_slopes = None
        if bc_jac is not None:
            self._wanted = wanted
            self._slopes_of_bc(y[:, 0], y[:, -1], p)
            self.condition_slopes = self._condition_slopes

    def with_parameters(self, guess, p, S):
        """The first guess and S, of all rows of the state."""
        if not self.extended:
            return guess, S
        if S is not None:
            S = np.pad(S, (0, p.size))
        return np.vstack((guess, np.repeat(p[:, np.newaxis], guess.shape[1], axis=1))), S

    def parameters(self, p):
        """Those that are not rows of the state."""
        return np.empty(0) if self.extended else p

    @staticmethod
    def _refuse_shape(name, value, shape):
        if np.shape(value) != shape:
            raise ValueError(f"{name} returned shape {np.shape(value)}; its shape is to be {shape}")

    def _call_fun(self, x, y, p):
        value = self._fun(x, y, p) if self._has_p else self._fun(x, y)
        if type(value) is np.ndarray and value.dtype == float and not self._complex:
            return value
        return self._numbers("fun", value)

    def _call_bc(self, ya, yb, p):
        value = self._bc(ya, yb, p) if self._has_p else self._bc(ya, yb)
        if type(value) is np.ndarray and value.dtype == float and not self._complex:
            return value
        return self._numbers("bc", value)

    def _numbers(self, name, value):
        value = np.asarray(value)
        if np.iscomplexobj(value) and not self._complex:
            raise ValueError(f"{name} returned complex numbers: give y as complex, {name} is to be "
                             "differentiable in the complex plane then")
        return value.astype(complex if self._complex else float)

    def _of_position(self, function):
        return lambda t, q: function(t, q[:self.nq] if self.second_order else q)

    def _matrix_of_B(self, B):
        if self.ny == 0:
            return None
        if B is None:
            jacobian = matrix_filled(self._jacobian, self.ny, self.nq)
            return lambda t, q: np.swapaxes(jacobian(t, q), 0, 1)
        if not callable(B):
            constant = np.asarray(B, dtype=float)
            if constant.shape != (self.nq, self.ny):
                raise ValueError(f"B has shape {constant.shape}; it is to have "
                                 f"({self.nq}, {self.ny})")
            return matrix_filled(lambda t, q: constant, self.nq, self.ny)
        return matrix_filled(B, self.nq, self.ny)

    def complex_of(self, y):
        half = y.shape[0] // 2
        return y[:half] + 1j * y[half:] if self._complex else y

    def real_of(self, y):
        return np.concatenate((y.real, y.imag)) if self._complex else y

    def right_side(self, t, y, p):
        """fun, of real states, rows of y; with velocities as the last of them."""
        self.nfev += t.size
        if not self._complex:
            return self._call_fun(t, y, p)
        return self.real_of(self._call_fun(t, self.complex_of(y), p))

    def functions_of(self, p):
        if self.second_order:
            functions = {"f": lambda t, q, v: self.right_side(t, np.vstack((q, v)), p)}
        elif self.extended:
            functions = {"f": self._with_rates_of_parameters}
        else:
            functions = {"f": lambda t, q: self.right_side(t, q, p)}
        if self.ny:
            functions["g"] = self._constraint
            functions["B"] = self._B
            if self._jacobian is not None:
                functions["G"] = matrix_filled(self._jacobian, self.ny, self.nq)
        elif self.extended:
            functions["f_q"] = self._with_slopes_by_parameters
        elif self._fun_jac is not None:
            functions["f_q"] = lambda t, q: self._jacobian_of_fun(t, q, p)
        return functions

    def _of_each(self, t, y, function):
        """function(t, y, p) for columns y above, p below. p is the same in all columns, to
        rounding, but where a guess is looked at."""
        y, p = y[:self.rows], y[self.rows:]
        spread = np.max(np.abs(p - p[:, :1]), axis=1, initial=0)
        if np.all(spread <= 1e-13 * (1 + np.abs(p[:, 0]))):
            return function(t, y, p[:, 0].copy())
        each = [function(t[i:i + 1], y[:, i:i + 1], p[:, i].copy()) for i in range(t.size)]
        return np.concatenate(each, axis=-1)

    def _with_rates_of_parameters(self, t, y):
        return np.concatenate((self._of_each(t, y, self.right_side),
                               np.zeros((self._k, t.size))))

    def _with_slopes_by_parameters(self, t, y):
        """df/dy and df/dp, above zeros."""
        above = self._of_each(t, y, self._jacobian_of_fun)
        return np.concatenate((above, np.zeros((self._k, self.nq, t.size))))

    def _jacobian_of_fun(self, t, y, p):
        """df/dy, and behind it df/dp where p is extended, of real states."""
        y = self.complex_of(y)
        jacobian = self._fun_jac(t, y, p) if self._has_p else self._fun_jac(t, y)
        by_p = None
        if isinstance(jacobian, tuple):
            jacobian, by_p = jacobian
        if self.extended and by_p is None:
            raise ValueError("fun_jac returned one array: with parameters it is to return the pair "
                             "(df/dy, df/dp)")
        jacobian = np.asarray(jacobian)
        self._refuse_shape("fun_jac", jacobian, (self._n, self._n, t.size))
        if self._complex:
            jacobian = np.concatenate((np.concatenate((jacobian.real, -jacobian.imag), axis=1),
                                       np.concatenate((jacobian.imag, jacobian.real), axis=1)))
        if not self.extended:
            return jacobian
        by_p = np.asarray(by_p)
        self._refuse_shape("df/dp of fun_jac", by_p, (self._n, self._k, t.size))
        return np.concatenate((jacobian, self.real_of(by_p)), axis=1)

    def conditions(self, left, right, p):
        """Of states with or without parameters below."""
        if self.extended and left.size > self.rows:
            p = left[self.rows:].copy()
            left, right = left[:self.rows].copy(), right[:self.rows].copy()
        if not self._complex:
            return self._call_bc(left, right, p)
        return self.real_of(self._call_bc(self.complex_of(left), self.complex_of(right), p))

    def _slopes_of_bc(self, left, right, p):
        slopes = self._bc_jac(left, right, p) if self._has_p else self._bc_jac(left, right)
        slopes = [np.asarray(one) for one in slopes]
        names = ["dbc/dya", "dbc/dyb"] + (["dbc/dp"] if self._has_p else [])
        if len(slopes) != len(names):
            raise ValueError(f"bc_jac returned {len(slopes)} arrays; it is to return "
                             f"{', '.join(names)}")
        for name, one, columns in zip(names, slopes, (self._n, self._n, self._k)):
            self._refuse_shape(f"{name} of bc_jac", one, (self._wanted, columns))
        return slopes

    def _condition_slopes(self, left, right, p):
        """By the states of both ends, side by side."""
        if self.extended:
            p = left[self.rows:].copy()
            left, right = left[:self.rows].copy(), right[:self.rows].copy()
        slopes = self._slopes_of_bc(self.complex_of(left), self.complex_of(right), p)
        if self._complex:
            slopes[:2] = [np.block([[one.real, -one.imag], [one.imag, one.real]])
                          for one in slopes[:2]]
            slopes[2:] = [self.real_of(one) for one in slopes[2:]]
        if not self.extended:
            return np.hstack(slopes[:2])
        return np.hstack((slopes[0], slopes[2], slopes[1], np.zeros_like(slopes[2])))

    def residual(self, t, y, slope, carried, carries_Bz, S, begin, p):
        """y' less what it is to be, and that; a row for each component."""
        wanted = self._call_fun(t, self.complex_of(y), p)
        wanted = self.real_of(wanted)
        if S is not None:
            wanted = wanted + S @ y / (t - begin)
        if self.ny:
            force = carried if carries_Bz else np.einsum(
                "ijp,jp->ip", self._B(t, y[:self.nq]), carried)
            wanted = wanted - force
            if self.second_order:
                wanted = np.vstack((y[self.nq:], wanted))
        return slope - wanted, wanted


def _result_of(found, problem, x, y, p, S, bc_tol):
    report = found.report
    result = Result(sol=None, p=p if p.size else None, x=x, y=y, yp=np.full_like(y, np.nan),
                    rms_residuals=np.empty(0), niter=report.factorizations, nfev=problem.nfev,
                    status=_STATUS.get(report.termination, 2), message=report.message,
                    success=report.usable(), report=report, bc_residual=np.nan,
                    names=[f"y{i + 1}" for i in range(y.shape[0])])
    if report.advice and not report.usable():
        result.message = f"{report.message}. {report.advice}"
    if not found.has_values:
        return result
    parameters = found.parameters if p.size else p
    nodes = found.nodes
    result.p = parameters if p.size else None
    result.x = nodes
    result.sol = Curve(found.x, found.slope, nodes[0], nodes[-1], y.dtype.kind == "c")
    states = found.x(nodes)
    result.y, result.yp = problem.complex_of(states), problem.complex_of(found.slope(nodes))
    result.rms_residuals = _rms_residuals(found, problem, nodes, S, parameters)
    result.bc_residual = _largest(np.abs(
        problem.conditions(states[:, 0].copy(), states[:, -1].copy(), parameters)))
    if problem.ny:
        result.sol_z = Curve(found.multiplier, None, nodes[0], nodes[-1])
        result.z = result.sol_z(nodes)
        result.carries_Bz = found.carries_By
    if result.success and result.bc_residual > bc_tol:
        result.update(status=3, success=False, message=(
            f"conditions hold to {result.bc_residual:.2e} only, bc_tol is {bc_tol:.2e}"))
    return result


def _largest(values):
    return float(values.max()) if values.size else 0.0


def _rms_residuals(found, problem, nodes, S, p):
    """Of each interval, relative to 1 + |y'|, by the formula of Lobatto with five points, at whose
    ends a residual vanishes, or S is singular."""
    middle, half = (nodes[:-1] + nodes[1:]) / 2, (nodes[1:] - nodes[:-1]) / 2
    # All points are one call.
    t = np.concatenate((middle, middle - _AT * half, middle + _AT * half))
    residual, wanted = problem.residual(t, found.x(t), found.slope(t),
                                        found.multiplier(t) if problem.ny else None,
                                        problem.ny and found.carries_By, S, nodes[0], p)
    squares = ((residual / (1 + np.abs(wanted)))**2).sum(axis=0).reshape(3, -1)
    return np.sqrt(_WEIGHTS @ squares)


def result_of_model(found, about):
    """Of a boundary value problem of a model file. `about`: names, units, title."""
    report = found.report
    result = Result(sol=None, p=None, x=np.empty(0), y=np.empty((len(about["names"]), 0)), yp=None,
                    niter=report.factorizations, status=_STATUS.get(report.termination, 2),
                    message=report.message, success=report.usable(), report=report, **about)
    if report.advice and not report.usable():
        result.message = f"{report.message}. {report.advice}"
    if not found.has_values:
        return result
    nodes = found.nodes
    result.x = nodes
    result.sol = Curve(found.x, found.slope, nodes[0], nodes[-1])
    result.y, result.yp = result.sol(nodes), result.sol(nodes, 1)
    multipliers = found.multiplier(nodes)
    if multipliers.size:
        result.z, result.carries_Bz = multipliers, found.carries_By
        result.sol_z = Curve(found.multiplier, None, nodes[0], nodes[-1])
    return result
