"""A pendulum in x and y as a DAE of index 3, without its index being reduced by hand:

    q'' = (0, -g) - G^T z,  0 = (x^2 + y^2 - 1) / 2

Prints:

    reached the end: True
    largest error against the angle's equation below 1e-8: True
    off the circle by less than 1e-10: True
"""

import daewave
import numpy as np
from scipy.integrate import solve_ivp


def fun(t, q, v):
    f = np.zeros_like(q)
    f[1] = -9.81
    return f


def constraint(t, q):
    return (q[:1] ** 2 + q[1:] ** 2 - 1) / 2


def constraint_jac(t, q):
    """Not needed: differences are taken where it is not given."""
    return q[np.newaxis]


times = np.linspace(0, 10, 101)
result = daewave.solve_dae(fun, (0, 10), [1.0, 0, 0, 0], constraint=constraint,
                           constraint_jac=constraint_jac, t_eval=times, rtol=1e-9)
angle = solve_ivp(lambda t, a: [a[1], -9.81 * np.sin(a[0])], (0, 10), [np.pi / 2, 0], t_eval=times,
                  method="DOP853", rtol=1e-12, atol=1e-12).y[0]
error = np.abs(result.y[:2] - [np.sin(angle), -np.cos(angle)]).max()
print(f"reached the end: {result.success}")
print(f"largest error against the angle's equation below 1e-8: {error < 1e-8}")
print(f"off the circle by less than 1e-10: {result.drift < 1e-10}")
