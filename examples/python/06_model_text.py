"""A mechanism as text: a crank, a rod and a slider, whose length is a parameter.

Prints:

    states: crank.x crank.y crank.phi rod.x rod.y rod.phi and their rates
    energy is kept to 1e-6 of it: True
    longer rods, other motions: 0.8 -> 0.5656 rad, 1.0 -> 0.5749 rad
"""

import daewave
import numpy as np

TEXT = """
gravity = [0, -9.81]

[parameters]
l = 1

[[body]]
name = "crank"
mass = 1
inertia = "0.25/12"
angle = 1

[[body]]
name = "rod"
mass = 1
inertia = "l^2/12"

[[joint]]
type = "revolute"
between = ["ground", "crank"]
at = [[0, 0], [-0.25, 0]]

[[joint]]
type = "revolute"
between = ["crank", "rod"]
at = [[0.25, 0], ["-l/2", 0]]

[[joint]]
type = "point_on_line"
between = ["ground", "rod"]
at = [[0, 0], ["l/2", 0]]
axis = [1, 0]
"""

model = daewave.Model(TEXT, l=0.8)
result = model.solve((0, 1), rtol=1e-9)
energy = model.energy(result.y)
print("states:", " ".join(model.state_names[:6]), "and their rates")
print(f"energy is kept to 1e-6 of it: {np.ptp(energy) < 1e-6 * abs(energy[0])}")
ends = {l: model.with_parameters(l=l).solve((0, 0.3), rtol=1e-9).y[2, -1] for l in (0.8, 1.0)}
print("longer rods, other motions:", ", ".join(f"{l} -> {phi:.4f} rad" for l, phi in ends.items()))
