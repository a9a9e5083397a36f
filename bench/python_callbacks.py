#!/usr/bin/env python3
"""Python with NumPy callbacks against SciPy, at equal error.

usage: PYTHONPATH=build/release/python /usr/bin/python3 bench/python_callbacks.py

Of each problem and each solver the least CPU time of several interleaved turns, by the tolerance
(decades) that takes least of those whose error is below 1e-9: a tighter one may take less. A turn
repeats what takes less than 4 ms: the first call after another solver's finds none of its own in
the caches. `--single` takes that one call instead.
"""

import argparse
import time

import daewave
import numpy as np
from scipy.integrate import solve_bvp, solve_ivp

WANTED = 1e-9
TURN = 4e-3  # Seconds; 0: one call.


def chain_of(links):
    """Point masses on rods of length 1: in Cartesian coordinates, and by angles."""
    def fun(t, q, v):
        f = np.zeros_like(q)
        f[1::2] = -9.81
        return f

    def constraint(t, q):
        d = q.copy()
        d[2:] -= q[:-2]
        return (d[0::2] ** 2 + d[1::2] ** 2 - 1) / 2

    def constraint_jac(t, q):
        d = q.copy()
        d[2:] -= q[:-2]
        G = np.zeros((links, 2 * links, q.shape[1]))
        for i in range(links):
            G[i, 2 * i:2 * i + 2] = d[2 * i:2 * i + 2]
            if i > 0:
                G[i, 2 * i - 2:2 * i] = -d[2 * i:2 * i + 2]
        return G

    weight = np.array([[links - max(i, j) for j in range(links)] for i in range(links)], float)

    def minimal(t, z):
        a, w = z[:links], z[links:]
        difference = a[:, None] - a
        M = weight * np.cos(difference)
        right = -(weight * np.sin(difference)) @ w ** 2 - 9.81 * weight.diagonal() * np.sin(a)
        return np.concatenate([w, np.linalg.solve(M, right)])

    angles = np.full(links, 0.8)
    start = np.ravel(np.cumsum(np.stack([np.sin(angles), -np.cos(angles)], axis=1), axis=0))
    return fun, constraint, constraint_jac, minimal, angles, np.concatenate([start, np.zeros(2 * links)])


def mechanism(links, end):
    fun, constraint, jacobian, minimal, angles, start = chain_of(links)

    def cartesian(z):
        a = z[:links]
        return np.ravel(np.cumsum(np.stack([np.sin(a), -np.cos(a)], axis=1), axis=0))

    def scipy(tolerance):
        return cartesian(solve_ivp(minimal, (0, end), np.concatenate([angles, 0 * angles]),
                                   method="DOP853", rtol=tolerance, atol=tolerance).y[:, -1])

    def ours(method):
        return lambda tolerance: daewave.solve_dae(
            fun, (0, end), start, constraint=constraint, constraint_jac=jacobian, index=3,
            mass=np.eye(2 * links), method=method, rtol=tolerance, atol=tolerance).y[:2 * links, -1]

    exact = scipy(1e-13)
    compare(f"chain of {links}, t = {end}", exact,
            {"SciPy DOP853, angles": scipy, "daewave auto": ours("auto"),
             "daewave gauss-windows": ours("gauss-windows")})


def boundary(name, fun, bc, x, y, exact):
    at = np.linspace(x[0], x[-1], 201)
    values = exact(at)

    def solved(solver):
        def run(tolerance):
            result = solver(fun, bc, x, y, tol=tolerance, max_nodes=100_000)
            return result.sol(at)[0]
        return run

    compare(name, values, {"SciPy solve_bvp": solved(solve_bvp),
                           "daewave.solve_bvp": solved(daewave.solve_bvp)})


def pendulum_between_angles(begin, end, time_taken):
    """By its angle; and in x, y with a constraint, index 3."""
    t = np.linspace(0, time_taken, 11)
    at = np.linspace(0, time_taken, 201)
    angle = np.linspace(begin, end, t.size)
    rate = (end - begin) / time_taken
    in_plane = np.stack([np.sin(angle), -np.cos(angle), rate * np.cos(angle), rate * np.sin(angle)])

    def minimal(tolerance):
        found = solve_bvp(lambda x, y: np.stack([y[1], -9.81 * np.sin(y[0])]),
                          lambda a, b: np.array([a[0] - begin, b[0] - end]), t,
                          np.stack([angle, 0 * angle + rate]), tol=tolerance, max_nodes=100_000)
        return np.sin(found.sol(at)[0])

    def constrained(tolerance):
        return daewave.solve_bvp(
            lambda x, y: np.stack([0 * x, 0 * x - 9.81]),
            lambda a, b: np.array([a[0] - np.sin(begin), b[0] - np.sin(end)]), t, in_plane,
            tol=tolerance, max_nodes=100_000, index=3,
            constraint=lambda x, q: ((q[0]**2 + q[1]**2 - 1) / 2)[np.newaxis],
            constraint_jac=lambda x, q: q[np.newaxis]).sol(at)[0]

    compare(f"pendulum from angle {begin} to {end}, t = {time_taken}", minimal(1e-12),
            {"SciPy solve_bvp, angle": minimal, "daewave, index 3": constrained})


def compare(name, exact, solvers):
    print(name)
    times = {}  # By solver and tolerance.
    errors = {}
    repeats = {}
    for label, solver in solvers.items():
        for power in range(3, 14):
            begin = time.process_time()
            with np.errstate(all="ignore"):
                error = np.abs(solver(10.0 ** -power) - exact).max()
            taken = time.process_time() - begin
            # Three decades beyond the first that will do.
            if error <= WANTED and len([key for key in times if key[0] == label]) < 4:
                times[label, 10.0 ** -power] = np.inf
                errors[label, 10.0 ** -power] = error
                repeats[label, 10.0 ** -power] = max(1, round(TURN / taken))
    for _ in range(15):
        for label, tolerance in times:
            begin = time.process_time()
            for _ in range(repeats[label, tolerance]):
                solvers[label](tolerance)
            taken = (time.process_time() - begin) / repeats[label, tolerance]
            times[label, tolerance] = min(times[label, tolerance], taken)
    first = None
    for label in solvers:
        of_label = [key for key in times if key[0] == label]
        if not of_label:
            print(f"  {label:24} does not come to {WANTED:g}")
            continue
        best = min(of_label, key=times.get)
        first = first or times[best]
        print(f"  {label:24} tolerance {best[1]:.0e}, error {errors[best]:.1e}, "
              f"{1e3 * times[best]:8.2f} ms, ratio {first / times[best]:.2f}")


def main():
    for links, end in ((1, 10), (2, 5), (5, 2)):
        mechanism(links, end)
    x = np.linspace(0, 1, 11)
    e = 1e-2

    def layer(t, y):
        return np.vstack([y[1], y[0] / e])

    def layer_exact(t):
        return np.sinh(t / np.sqrt(e)) / np.sinh(1 / np.sqrt(e))

    boundary("e y'' = y, e = 1e-2", layer, lambda a, b: np.array([a[0], b[0] - 1]), x,
             np.zeros((2, x.size)), layer_exact)
    theta = 1.5171645990507544  # cosh(theta / 4) sqrt(2) = theta, of Bratu's problem at 1.

    def bratu_exact(t):
        return -2 * np.log(np.cosh((t - 0.5) * theta / 2) / np.cosh(theta / 4))

    boundary("y'' = -exp(y) (Bratu)", lambda t, y: np.vstack([y[1], -np.exp(y[0])]),
             lambda a, b: np.array([a[0], b[0]]), x, np.zeros((2, x.size)), bratu_exact)
    boundary("y'' = 2 y^3", lambda t, y: np.vstack([y[1], 2 * y[0] ** 3]),
             lambda a, b: np.array([a[0] - 1, b[0] - 0.5]), x, np.ones((2, x.size)),
             lambda t: 1 / (1 + t))
    pendulum_between_angles(1.0, -0.3, 0.6)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--single", action="store_true", help="one call in each turn")
    if parser.parse_args().single:
        TURN = 0
    main()
