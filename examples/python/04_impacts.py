"""A ball on a rod that hits a wall below its pivot: an event that changes the state. And one that ends
the run, at the height that the ball comes back to.

Prints:

    hits at t = 0.5920, 1.6684, 2.7052, 3.7245, 4.7355
    speeds after them: 3.1321, 2.2147, 1.5660, 1.1074, 0.7830
    back at t = 1.1302, half as high: True
"""

import daewave
import numpy as np


def fun(t, q, v):
    f = np.zeros_like(q)
    f[1] = -9.81
    return f


def constraint(t, q):
    return (q[:1] ** 2 + q[1:] ** 2 - 1) / 2


def wall(t, y):
    return y[0]


def bounce(t, y):
    """Half of the energy is lost."""
    return np.concatenate([y[:2], -y[2:] / np.sqrt(2)])


def turns(t, y):
    return y[2]


wall.reset = bounce
wall.direction = -1
turns.direction = -1
turns.terminal = True

start = [1.0, 0, 0, 0]
result = daewave.solve_dae(fun, (0, 5), start, constraint=constraint, rtol=1e-9, events=wall)
print("hits at t =", ", ".join(f"{t:.4f}" for t in result.t_events[0]))
print("speeds after them:", ", ".join(f"{np.hypot(*bounce(0, y)[2:]):.4f}"
                                      for y in result.y_events[0]))
back = daewave.solve_dae(fun, (0, 5), start, constraint=constraint, rtol=1e-9, events=[wall, turns])
print(f"back at t = {back.t[-1]:.4f}, half as high: {abs(back.y[1, -1] + 0.5) < 1e-7}")
