"""A chain of rods from dictionaries: the tables of a model file, made by a program.

Prints:

    16 rods, 96 states
    the end of the chain at t = 1: 5.9209 -14.1263
"""

import daewave

RODS = 16

model = daewave.Model({
    "title": f"Chain of {RODS}",
    "gravity": [0, -9.81],
    "body": [{"name": "link", "repeat": RODS, "mass": 1, "inertia": "1/12", "angle": -1.0}],
    "joint": [{"type": "revolute", "repeat": RODS, "between": ["link{i-1}", "link{i}"],
               "at": [["i == 1 ? 0 : 0.5", 0], [-0.5, 0]]}],
})
result = model.solve((0, 1), rtol=1e-9)
last = dict(zip(result.names, result.y[:, -1]))
print(f"{RODS} rods, {len(model.state_names)} states")
print(f"the end of the chain at t = 1: {last[f'link{RODS}.x']:.4f} {last[f'link{RODS}.y']:.4f}")
