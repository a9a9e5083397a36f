"""Mathieu's equation y'' + (p - 2 q cos 2x) y = 0: the p for which it has an even solution of period
pi, with q = 5, found together with the solution; and a model file whose eigenvalue is unknown.

Prints:

    p = 17.09658168
    of the file: k = 6.548395
"""

from pathlib import Path

import daewave
import numpy as np

q = 5.0


def fun(x, y, p):
    return np.vstack([y[1], -(p[0] - 2 * q * np.cos(2 * x)) * y[0]])


def bc(ya, yb, p):
    """One condition more than rows, for the parameter."""
    return np.array([ya[1], yb[1], ya[0] - 1])


x = np.linspace(0, np.pi, 20)
guess = np.vstack([np.cos(4 * x), -4 * np.sin(4 * x)])
result = daewave.solve_bvp(fun, bc, x, guess, p=[15.0], tol=1e-9)
print(f"p = {result.p[0]:.8f}")

model = daewave.load(Path(__file__).parent.parent / "models" / "eigenvalue.toml")
found = model.solve(tol=1e-9)
print(f"of the file: k = {found.y[found.names.index('k'), 0]:.6f}")
