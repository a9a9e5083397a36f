"""Equations of motion that SymPy derived, with the multiplier of their constraint: a bead on a
parabola, y = x^2. Nothing is generated nor compiled, and derivatives are exact.

Prints:

    energy at the start and in the end: 9.8100 9.8100
    with another m nothing changes: True
"""

import daewave
import numpy as np
import sympy as sp
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

x, y = dynamicsymbols("x y")
t = dynamicsymbols._t
m, g = sp.symbols("m g")
lagrangian = m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2 - m * g * y
method = LagrangesMethod(lagrangian, [x, y], hol_coneqs=[y - x ** 2])
method.form_lagranges_equations()

model = daewave.from_sympy(method, constants={m: 1.0, g: 9.81}, start={x: 1, y: 1})
result = model.solve((0, 5), rtol=1e-10)


def energy(state):
    return (state[2] ** 2 + state[3] ** 2) / 2 + 9.81 * state[1]


other = model.with_parameters(m=3.0).solve((0, 5), rtol=1e-10)
print(f"energy at the start and in the end: {energy(result.y[:, 0]):.4f} {energy(result.y[:, -1]):.4f}")
print(f"with another m nothing changes: {np.allclose(result.y[:, -1], other.y[:, -1], atol=1e-8)}")
