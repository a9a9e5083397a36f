"""What a boundary value problem returns."""

import numpy as np

from . import _daewave
from .curve import Curve
from .result import Result

_STATUS = {"converged": 0, "tolerance_not_met": 1}
# Ends for which another guess may help.
NO_SOLUTION = ("not_converged", "singular_matrix")


class WithoutParameters:
    """A solution whose last rows are parameters, p' = 0, as one of the rows before, and these."""

    def __init__(self, found, rows, p):
        self.report, self.has_values = found.report, found.has_values
        self._found, self._rows = found, rows
        self.nodes, self.parameters = None, p
        if self.has_values:
            self.nodes, states, _ = found.at_nodes()
            self.parameters = states[rows:, 0]

    def x(self, t):
        return self._found.x(t)[:self._rows]

    def slope(self, t):
        return self._found.slope(t)[:self._rows]

    def at_nodes(self):
        t, x, slope = self._found.at_nodes()
        return t, x[:self._rows], slope[:self._rows]

    def inside(self, further):
        t, x, slope = self._found.inside(further)
        return t, x[:self._rows], slope[:self._rows]


def result_of(found, evaluated, functions, x, y, p, S, bc_tol, layers=None):
    """The Result of solve_bvp.

    found: the solution, where fun was called at so many points. x, y, p: the first mesh and guess.
    S: of real states, or None. layers: looks at further points, see boundary_layers.py; or None."""
    report = found.report
    result = Result(sol=None, p=p if p.size else None, x=x, y=y, yp=None, rms_residuals=np.empty(0),
                    niter=report.factorizations, nfev=evaluated,
                    status=_STATUS.get(report.termination, 2), message=report.message,
                    success=report.usable(), report=report, bc_residual=np.nan,
                    names=[f"y{i + 1}" for i in range(y.shape[0])])
    if not result["success"] and report.advice:
        result.message = f"{report.message}. {report.advice}"
    if not found.has_values:
        result.yp = np.full_like(y, np.nan)
        return result
    parameters = found.parameters if p.size else p
    nodes, states, slopes = found.at_nodes()
    begin, end = float(nodes[0]), float(nodes[-1])
    bc_residual, rms_residuals = residuals_of(found, functions, nodes, states, S, parameters, layers)
    result.update(p=parameters if p.size else None, x=nodes, y=functions.complex_of(states),
                  yp=functions.complex_of(slopes), rms_residuals=rms_residuals,
                  bc_residual=bc_residual,
                  sol=Curve(found.x, found.slope, begin, end, y.dtype.kind == "c"))
    if functions.ny:
        result.update(z=None, sol_z=None, carries_Bz=False)
    if functions.ny and has_multiplier(found, functions, begin):
        result.sol_z = Curve(found.multiplier, None, begin, end)
        result.z = result.sol_z(nodes)
        result.carries_Bz = found.carries_By
    if result["success"] and bc_residual > bc_tol:
        result.update(status=3, success=False, message=(
            f"conditions hold to {bc_residual:.2e} only, bc_tol is {bc_tol:.2e}"))
    return result


def residuals_of(found, functions, nodes, states, S, p, layers=None):
    """The largest one of conditions; and of the equations, in each interval, relative to 1 + |y'|:
    the root of a mean square, as SciPy has it."""
    at_ends = functions.residual_of_conditions(states[:, 0].copy(), states[:, -1].copy(), p)
    if functions.ny and not has_multiplier(found, functions, nodes[0]):
        return largest(np.abs(at_ends)), np.full(nodes.size - 1, np.nan)
    further = np.empty(0) if layers is None else layers.x
    t, y, slope = found.inside(further)
    wanted = functions.slopes_at(t, y, p, S, found.multiplier(t) if functions.ny else None,
                                 functions.ny and found.carries_By, nodes[0])
    rms, off = _daewave.residuals(slope, wanted, further.size)
    if layers is not None:
        layers.off = off
    return largest(np.abs(at_ends)), rms


def has_multiplier(found, functions, t):
    """Iterates of the reduced form carry none, and the residual is not known without it."""
    rows = functions.nq if found.carries_By else functions.ny
    return found.multiplier(np.array([t])).shape[0] == rows


def largest(values):
    return float(values.max()) if values.size else 0.0


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
