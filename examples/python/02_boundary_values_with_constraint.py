"""A pendulum from one angle to another in 0.6 s, in x and y, of index 3:

    q'' = (0, -g) - q z,  0 = (x^2 + y^2 - 1) / 2,  angle 1 at t = 0 and -0.3 at t = 0.6

SciPy has no boundary value problems with constraints.

Prints:

    solved: True
    at t = 0.3 the angle is 0.562925, the bob is 1.000000 from the pivot
    the rod is pulled by 5.3903 N at first and by 17.6047 N in the end
"""

import daewave
import numpy as np

END = 0.6


def fun(t, y):
    """Accelerations beside those of the constraint; y = (q, v)."""
    return np.stack([0 * t, 0 * t - 9.81])


def constraint(t, q):
    return (q[:1] ** 2 + q[1:] ** 2 - 1) / 2


def constraint_jac(t, q):
    return q[np.newaxis]


def bc(ya, yb):
    """Two conditions: the constraint gives the other two."""
    return np.array([ya[0] - np.sin(1.0), yb[0] - np.sin(-0.3)])


t = np.linspace(0, END, 11)
angle = np.linspace(1.0, -0.3, t.size)
rate = -1.3 / END
guess = np.stack([np.sin(angle), -np.cos(angle), rate * np.cos(angle), rate * np.sin(angle)])

result = daewave.solve_bvp(fun, bc, t, guess, tol=1e-9, constraint=constraint,
                           constraint_jac=constraint_jac, index=3)
x, y = result.sol(0.3)[:2]
print(f"solved: {result.success}")
print(f"at t = 0.3 the angle is {np.arctan2(x, -y):.6f}, the bob is {np.hypot(x, y):.6f} from the pivot")
print(f"the rod is pulled by {result.sol_z(0.0)[0]:.4f} N at first and by {result.sol_z(END)[0]:.4f} N "
      "in the end")
