"""The Whipple bicycle, whose equations SymPy derives (KanesMethod with a configuration constraint and
three velocity constraints), at 5 m/s, a little leant. What it does beside the linear equations of the
benchmark, J. P. Meijaard et al., Proc. R. Soc. A 463 (2007).

Prints:

    lean and steer after 2 s: 0.8756 0.4445, as parts of the first lean
    as published: True
"""

import daewave
import numpy as np
import sympy as sp
from scipy.linalg import expm
from sympy.physics.mechanics import (KanesMethod, Point, ReferenceFrame, RigidBody, dot, dynamicsymbols,
                                     inertia)

# Yaw, lean, pitch and steer; rates of yaw, lean, rear wheel, pitch, steer, front wheel.
q1, q2, q4, q5 = dynamicsymbols("q1 q2 q4 q5")
u1, u2, u3, u4, u5, u6 = dynamicsymbols("u1 u2 u3 u4 u5 u6")
t, g = dynamicsymbols._t, sp.Symbol("g")
r_front, r_rear, tilt, offset, fork, frame = sp.symbols("r_front r_rear tilt offset fork frame")
fork_x, fork_z, frame_x, frame_z = sp.symbols("fork_x fork_z frame_x frame_z")

N = ReferenceFrame("N")
Y = N.orientnew("Y", "Axis", [q1, N.z])
R = Y.orientnew("R", "Axis", [q2, Y.x])
A = R.orientnew("A", "Axis", [q4 + tilt, R.y])          # The rear frame,
A0 = A.orientnew("A0", "Axis", [-tilt, A.y])
B = A.orientnew("B", "Axis", [q5, A.x])                 # and the fork.
B0 = B.orientnew("B0", "Axis", [-tilt, B.y])
rear, front = ReferenceFrame("rear"), ReferenceFrame("front")

touch = Point("touch")
rear_hub = touch.locatenew("rear_hub", r_rear * R.z)
steer = rear_hub.locatenew("steer", frame * A.z)
frame_center = rear_hub.locatenew("frame_center", -frame_x * A.x + frame_z * A.z)
fork_center = steer.locatenew("fork_center", -fork_x * B.x + fork_z * B.z)
front_hub = steer.locatenew("front_hub", fork * B.x + offset * B.z)
front_touch = front_hub.locatenew("front_touch", r_front * (dot(B.y, Y.z) * B.y - Y.z).normalize())
for one, base, rate in ((Y, N, u1 * Y.z), (R, Y, u2 * R.x), (rear, A, u3 * A.y), (A, R, u4 * A.y),
                        (B, A, u5 * B.x), (front, B, u6 * B.y)):
    one.set_ang_vel(base, rate)
touch.set_vel(N, 0)
for one, base, body in ((rear_hub, touch, rear), (steer, rear_hub, A), (frame_center, rear_hub, A),
                        (fork_center, steer, B), (front_hub, steer, B), (front_touch, front_hub, front)):
    one.v2pt_theory(base, N, body)

# Masses in kg, moments in kg m^2, of the benchmark, whose products of inertia have the other sign.
bodies = [RigidBody("frame", frame_center, A, 85, (inertia(A0, 9.2, 11, 2.8, 0, 0, -2.4), frame_center)),
          RigidBody("fork", fork_center, B, 4,
                    (inertia(B0, 0.05892, 0.06, 0.00708, 0, 0, 0.00756), fork_center)),
          RigidBody("rear", rear_hub, rear, 2, (inertia(A, 0.0603, 0.12, 0.0603), rear_hub)),
          RigidBody("front", front_hub, front, 3, (inertia(B, 0.1405, 0.28, 0.1405), front_hub))]
kane = KanesMethod(
    N, q_ind=[q1, q2, q5], q_dependent=[q4], u_ind=[u2, u3, u5], u_dependent=[u1, u4, u6],
    configuration_constraints=[front_touch.pos_from(touch) & Y.z],
    velocity_constraints=[front_touch.vel(N) & axis for axis in (Y.x, Y.y, Y.z)],
    kd_eqs=[q.diff(t) - u for q, u in ((q1, u1), (q2, u2), (q4, u4), (q5, u5))])
kane.kanes_equations(bodies, [(one.masscenter, -one.mass * g * Y.z) for one in bodies])

# Lengths in m, of those of the benchmark: wheelbase 1.02, trail 0.08, centers of the frame at
# (0.3, 0.9) and of the fork at (0.9, 0.7), the axis of steering tilted by pi / 10.
angle, base, small, large = np.pi / 2 - np.pi / 10, 1.02, 0.3, 0.35
s, c = np.sin(angle), np.cos(angle)
rake = large * c - 0.08 * s
length = base * c - (large - small) * s
high, behind = 0.7 - large, base - 0.9
to_center, between = np.hypot(high, behind), np.pi / 2 - angle - np.arccos(high / np.hypot(high, behind))
constants = {
    g: 9.81, r_front: large, r_rear: small, tilt: angle, offset: rake, fork: length,
    frame: base * s - (rake - (large - small) * c), fork_x: to_center * np.cos(between) - length,
    fork_z: rake + to_center * np.sin(between), frame_x: (0.9 - small - 0.3 / s * c) * s,
    frame_z: 0.3 / s + (0.9 - small - 0.3 / s * c) * c}

speed, lean, end = 5.0, 1e-4, 2.0
model = daewave.from_sympy(kane, constants=constants,
                           start={u3: speed / small, u6: speed / large, q2: lean})
result = model.solve((0, end), rtol=1e-9, atol=1e-13)

# M x'' + v C x' + (g K0 + v^2 K2) x = 0, x = (lean, steer) of the benchmark.
M = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
C = np.array([[0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
K2 = np.array([[0, 76.59734589573222], [0, 2.65431523794604]])
linear = np.block([[np.zeros((2, 2)), np.eye(2)],
                   [-np.linalg.solve(M, 9.81 * K0 + speed**2 * K2), -np.linalg.solve(M, speed * C)]])
published = (expm(end * linear) @ [1, 0, 0, 0])[:2]
names = model.state_names
found = np.array([result.y[names.index(name), -1] for name in ("q2", "q5")]) / lean
print(f"lean and steer after 2 s: {found[0]:.4f} {found[1]:.4f}, as parts of the first lean")
print(f"as published: {np.allclose(found, published, atol=1e-6)}")
