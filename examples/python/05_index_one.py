"""Robertson's reaction as a DAE of index 1: two rates, and a sum that stays what it is.

    y1' = -0.04 y1 + 1e4 y2 z,  y2' = 0.04 y1 - 1e4 y2 z - 3e7 y2^2,  0 = y1 + y2 + z - 1

Prints:

    reached the end: True
    at t = 40: 0.71583 0.0000091855 0.28416
"""

import daewave
import numpy as np


def fun(t, y, z):
    return np.stack([-0.04 * y[0] + 1e4 * y[1] * z[0],
                     0.04 * y[0] - 1e4 * y[1] * z[0] - 3e7 * y[1] ** 2])


def algebraic(t, y, z):
    return (y[0] + y[1] + z[0] - 1)[np.newaxis]


result = daewave.solve_dae(fun, (0, 40), [1.0, 0.0], constraint=algebraic, index=1, z0=[0.0],
                           rtol=1e-7, atol=[1e-9, 1e-12])
print(f"reached the end: {result.success}")
print(f"at t = 40: {result.y[0, -1]:.5f} {result.y[1, -1]:.10f} {result.z[0, -1]:.5f}")
