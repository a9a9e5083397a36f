"""How much heat can a reaction give off before its vessel runs away? Bratu's problem, y'' = -e exp(y)
between cooled walls, has a cool and a hot solution up to some e, and none beyond. By the parameter a
branch ends where it turns; by arclength it goes around.

Prints:

    by e:         ends at 3.51
    by arclength: turns at e = 3.513830719
    at e = 1:     y(1/2) = 0.1405392 and 4.0914672
"""

import daewave
import numpy as np


def fun(x, y, p):
    return np.vstack((y[1], -p[0] * np.exp(y[0])))


def bc(ya, yb, p):
    return np.array([ya[0], yb[0]])


x = np.linspace(0, 1, 11)
guess = np.zeros((2, x.size))

cool = daewave.follow_bvp(fun, bc, x, guess, p=[1.0], to=4, names=["e"])
print(f"by e:         ends at {cool.reached:.2f}")

middle = []
both = daewave.follow_bvp(fun, bc, x, guess, p=[1.0], to=4, names=["e"], arclength=True, tol=1e-9,
                          observer=lambda e, is_fold, result: middle.append(result.sol(0.5)[0]))
print(f"by arclength: turns at e = {both.folds[0]:.9f}")
print(f"at e = {both.reached:g}:     y(1/2) = {middle[0]:.7f} and {middle[-1]:.7f}")

try:
    both.plot(["y1"]).figure.savefig("branch.svg")
except ImportError:
    pass  # Pictures need matplotlib.
