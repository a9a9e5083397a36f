"""Bratu's problem, y'' + exp(y) = 0, y(0) = y(1) = 0, as one would state it to SciPy.

Prints:

    solved: True
    y(1/2) = 0.140539214400
    error against the exact solution below 1e-9: True
"""

import daewave
import numpy as np


def fun(x, y):
    """Of many points at once: x has shape (m,), y has (2, m)."""
    return np.vstack([y[1], -np.exp(y[0])])


def bc(ya, yb):
    return np.array([ya[0], yb[0]])


x = np.linspace(0, 1, 11)
result = daewave.solve_bvp(fun, bc, x, np.zeros((2, x.size)), tol=1e-10)

theta = 1.5171645990507543  # theta = sqrt(2) cosh(theta / 4)
at = np.linspace(0, 1, 101)
exact = -2 * np.log(np.cosh((at - 0.5) * theta / 2) / np.cosh(theta / 4))

print(f"solved: {result.success}")
print(f"y(1/2) = {result.sol(0.5)[0]:.12f}")
print(f"error against the exact solution below 1e-9: {np.abs(result.sol(at)[0] - exact).max() < 1e-9}")
