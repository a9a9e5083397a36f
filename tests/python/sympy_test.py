"""Equations of motion from SymPy against SymPy's own equations, integrated by SciPy."""

import unittest

import daewave
import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp
from sympy.physics.mechanics import (KanesMethod, Lagrangian, LagrangesMethod, Particle, Point, ReferenceFrame,
                                     RigidBody, dynamicsymbols, inertia)
from sympy.physics.mechanics.models import n_link_pendulum_on_cart

t = dynamicsymbols._t


def by_scipy(kane, constants, start, t_eval):
    """Of a KanesMethod: M u' = F, index reduced, as SymPy gives it."""
    state = list(kane.q) + list(kane.u)
    kindiff = kane.kindiffdict()
    values = list(constants.items())
    rates = sp.Matrix([kindiff[q.diff(t)] for q in kane.q]).subs(values)
    M, F = (matrix.subs(kindiff).subs(values) for matrix in (kane.mass_matrix, kane.forcing))
    plain = sp.symbols(f"s0:{len(state)}")
    swap = dict(zip(state, plain))
    function = sp.lambdify([t, plain], [matrix.xreplace(swap) for matrix in (rates, M, F)], cse=True)

    def right(at, y):
        rate, mass, force = function(at, y)
        return np.concatenate([rate.ravel(), np.linalg.solve(mass, force).ravel()])

    y0 = np.array([start.get(one, 0.0) for one in state])
    return solve_ivp(right, (0, t_eval[-1]), y0, t_eval=t_eval, method="DOP853", rtol=1e-12,
                     atol=1e-12).y


def four_bar():
    """Three links in a loop with the ground; one coordinate is free."""
    q1, q2, q3, u1, u2, u3 = dynamicsymbols("q1 q2 q3 u1 u2 u3")
    l1, l2, l3, l4, m, g = sp.symbols("l1 l2 l3 l4 m g")
    N = ReferenceFrame("N")
    O = Point("O")
    O.set_vel(N, 0)
    frames = [N.orientnew(f"F{i}", "Axis", [q, N.z]) for i, q in enumerate((q1, q2, q3))]
    speeds = (u1, u2, u3)
    at, bodies, loads = O, [], []
    for i, (frame, u, length) in enumerate(zip(frames, speeds, (l1, l2, l3))):
        frame.set_ang_vel(N, u * N.z)
        center = at.locatenew(f"C{i}", length / 2 * frame.x)
        center.v2pt_theory(at, N, frame)
        end = at.locatenew(f"E{i}", length * frame.x)
        end.v2pt_theory(at, N, frame)
        moment = inertia(frame, 0, 0, m * length ** 2 / 12)
        bodies.append(RigidBody(f"B{i}", center, frame, m, (moment, center)))
        loads.append((center, -m * g * N.y))
        at = end
    loop = at.pos_from(O) - l4 * N.x
    position = [loop.dot(N.x), loop.dot(N.y)]
    kinematic = [u - q.diff(t) for q, u in zip((q1, q2, q3), speeds)]
    velocity = [one.diff(t).subs({q.diff(t): u for q, u in zip((q1, q2, q3), speeds)})
                for one in position]
    kane = KanesMethod(N, q_ind=[q1], u_ind=[u1], q_dependent=[q2, q3], u_dependent=[u2, u3],
                       configuration_constraints=position, velocity_constraints=velocity,
                       kd_eqs=kinematic)
    kane.kanes_equations(bodies, loads)
    constants = {l1: 1.0, l2: 2.0, l3: 1.5, l4: 2.0, m: 1.0, g: 9.81}
    first = 1.2
    closed = sp.lambdify([q2, q3], [one.subs(constants).subs(q1, first) for one in position])
    from scipy.optimize import fsolve
    second = fsolve(lambda x: closed(*x), [0.2, -1.5], xtol=1e-14)
    return kane, constants, {q1: first, q2: second[0], q3: second[1]}, position


class Kane(unittest.TestCase):
    def compare(self, kane, constants, start, end, tolerance):
        times = np.linspace(0, end, 6)
        model = daewave.from_sympy(kane, constants=constants, start=start)
        found = model.solve((0, end), t_eval=times, rtol=1e-10, atol=1e-10)
        self.assertTrue(found.success, found.message)
        expected = by_scipy(kane, constants, start, times)
        np.testing.assert_allclose(found.y, expected, atol=tolerance)
        return model, found

    def test_pendulum_of_three_links_on_a_cart(self):
        kane = n_link_pendulum_on_cart(3, cart_force=False)
        symbols = sorted(kane.mass_matrix.free_symbols | kane.forcing.free_symbols, key=str)
        constants = {one: 9.81 if str(one) == "g" else 1.0 for one in symbols if one != t}
        start = {kane.q[1]: 0.5, kane.q[2]: -0.2, kane.q[3]: 0.1, kane.u[0]: 0.3}
        model, _ = self.compare(kane, constants, start, 1.0, 1e-7)
        self.assertEqual(model.state_names[:2], ["q0", "q1"])
        other = model.with_parameters(g=1.62)
        self.assertEqual(other.parameters["g"], 1.62)
        self.assertFalse(np.allclose(other.solve((0, 1)).y[:, -1], model.solve((0, 1)).y[:, -1]))
        with self.assertRaisesRegex(ValueError, "no constant mass; there are"):
            model.with_parameters(mass=1)

    def test_four_bar_linkage_keeps_its_loop_closed(self):
        kane, constants, start, position = four_bar()
        model, found = self.compare(kane, constants, start, 1.0, 1e-7)
        closed = sp.lambdify(list(kane.q), [one.subs(constants) for one in position])
        self.assertLess(np.abs(closed(*found.y[:3])).max(), 1e-9)

    def test_rolling_disk(self):
        q1, q2, q3 = dynamicsymbols("q1 q2 q3")
        u1, u2, u3 = dynamicsymbols("u1 u2 u3")
        r, m, g = sp.symbols("r m g")
        N = ReferenceFrame("N")
        Y = N.orientnew("Y", "Axis", [q1, N.z])
        L = Y.orientnew("L", "Axis", [q2, Y.x])
        R = L.orientnew("R", "Axis", [q3, L.y])
        kinematic = [one - u for one, u in zip(
            (R.ang_vel_in(N).dot(L.x), R.ang_vel_in(N).dot(L.y), R.ang_vel_in(N).dot(L.z)),
            (u1, u2, u3))]
        rates = sp.solve(kinematic, [q.diff(t) for q in (q1, q2, q3)])
        R.set_ang_vel(N, u1 * L.x + u2 * L.y + u3 * L.z)
        C = Point("C")
        C.set_vel(N, 0)
        center = C.locatenew("D", r * L.z)
        center.v2pt_theory(C, N, R)
        moment = inertia(L, m / 4 * r ** 2, m / 2 * r ** 2, m / 4 * r ** 2)
        L.set_ang_vel(N, (L.ang_vel_in(N)).subs(rates))
        kane = KanesMethod(N, q_ind=[q1, q2, q3], u_ind=[u1, u2, u3], kd_eqs=kinematic)
        kane.kanes_equations([RigidBody("disk", center, R, m, (moment, center))],
                             [(center, -m * g * Y.z)])
        start = {q2: 0.3, u1: 0.1, u2: 4.0, u3: 0.5}
        self.compare(kane, {r: 1.0, m: 1.0, g: 9.81}, start, 1.0, 1e-7)


class Lagrange(unittest.TestCase):
    def pendulum(self):
        x, y = dynamicsymbols("x y")
        m, g, length = sp.symbols("m g l")
        N = ReferenceFrame("N")
        point = Point("P")
        point.set_vel(N, x.diff(t) * N.x + y.diff(t) * N.y)
        particle = Particle("bob", point, m)
        particle.potential_energy = m * g * y
        lagrangian = particle.kinetic_energy(N) - particle.potential_energy
        method = LagrangesMethod(lagrangian, [x, y], hol_coneqs=[x ** 2 + y ** 2 - length ** 2])
        method.form_lagranges_equations()
        return method, {m: 2.0, g: 9.81, length: 1.0}, {x: np.sin(1.0), y: -np.cos(1.0)}

    def test_a_pendulum_with_its_multiplier_is_that_of_the_angle(self):
        method, constants, start = self.pendulum()
        times = np.linspace(0, 2, 5)
        found = daewave.from_sympy(method, constants=constants, start=start).solve(
            (0, 2), t_eval=times, rtol=1e-10, atol=1e-10)
        self.assertTrue(found.success, found.message)
        angle = solve_ivp(lambda t, a: [a[1], -9.81 * np.sin(a[0])], (0, 2), [1.0, 0.0],
                          t_eval=times, method="DOP853", rtol=1e-12, atol=1e-12).y
        np.testing.assert_allclose(found.y[0], np.sin(angle[0]), atol=1e-8)
        np.testing.assert_allclose(found.y[1], -np.cos(angle[0]), atol=1e-8)

    def test_stated_equations_are_those_of_the_method(self):
        method, constants, start = self.pendulum()
        x, y = method.q
        m, g, length = constants
        stated = daewave.from_sympy(
            coordinates=[x, y], mass_matrix=[[m, 0], [0, m]], forcing=[0, -m * g],
            configuration_constraints=[x ** 2 + y ** 2 - length ** 2], constants=constants,
            start=start)
        self.assertEqual(stated.state_names, ["x", "y", "x'", "y'"])
        one = stated.solve((0, 1), rtol=1e-9)
        other = daewave.from_sympy(method, constants=constants, start=start).solve((0, 1), rtol=1e-9)
        np.testing.assert_allclose(one.y[:, -1], other.y[:, -1], atol=1e-12)

    def test_equations_without_constraints_are_solved_as_they_stand(self):
        """Two links, of which the mass matrix turns with both: of Lagrange, of Kane and by SciPy."""
        a, b, u, v = dynamicsymbols("a b u v")
        m, g = sp.symbols("m g")
        N = ReferenceFrame("N")
        O = Point("O")
        O.set_vel(N, 0)
        at, particles, loads = O, [], []
        for i, q in enumerate((a, b)):
            frame = N.orientnew(f"F{i}", "Axis", [q, N.z])
            frame.set_ang_vel(N, q.diff(t) * N.z)
            end = at.locatenew(f"P{i}", -frame.y)
            end.v2pt_theory(at, N, frame)
            particles.append(Particle(f"B{i}", end, m))
            particles[-1].potential_energy = m * g * end.pos_from(O).dot(N.y)
            loads.append((end, -m * g * N.y))
            at = end
        lagrange = LagrangesMethod(Lagrangian(N, *particles), [a, b])
        kane = KanesMethod(N, q_ind=[a, b], u_ind=[u, v], kd_eqs=[u - a.diff(t), v - b.diff(t)])
        kane.kanes_equations(particles, loads)
        constants, start, times = {m: 2.0, g: 9.81}, {a: 0.5, b: -0.3}, np.linspace(0, 1, 5)
        expected = by_scipy(kane, constants, start, times)
        lagrange.form_lagranges_equations()
        stated = {"coordinates": [a, b], "mass_matrix": lagrange.mass_matrix,
                  "forcing": lagrange.forcing}
        for name, of in {"Lagrange": {"method": lagrange}, "Kane": {"method": kane},
                         "stated": stated}.items():
            with self.subTest(name):
                model = daewave.from_sympy(**of, constants=constants, start=start)
                self.assertEqual(model.state_names, ["a", "b", "u", "v"] if name == "Kane" else
                                 ["a", "b", "a'", "b'"])
                found = model.solve((0, 1), t_eval=times, rtol=1e-10, atol=1e-10)
                self.assertTrue(found.success, found.message)
                np.testing.assert_allclose(found.y, expected, atol=1e-8)

    def test_functions_and_numbers_are_those_of_sympy(self):
        x, y = dynamicsymbols("x y")
        c = sp.Symbol("c")
        forces = [sp.sin(x) ** 3 / sp.sqrt(1 + x ** 2) + c * sp.exp(-x) * sp.pi,
                  sp.atan2(y, 2) * x ** sp.Rational(5, 2) + sp.Abs(y) / x + sp.Max(x, y, 1) +
                  sp.Piecewise((x, x < y), (2 * y, x >= 3), (c, True)) - x ** -2 * sp.tanh(y)]
        model = daewave.from_sympy(coordinates=[x, y], mass_matrix=sp.eye(2), forcing=forces,
                                   configuration_constraints=[x + y - 3], constants={c: 0.7},
                                   start={x: 1.2, y: 1.8})
        times = np.linspace(0, 0.5, 4)
        found = model.solve((0, 0.5), t_eval=times, rtol=1e-11, atol=1e-11)
        self.assertTrue(found.success, found.message)
        s = sp.Symbol("s")
        # Along the line x + y = 3: 2 x'' = f_x - f_y.
        along = sp.lambdify(s, ((forces[0] - forces[1]) / 2).subs(c, 0.7).subs(
            {x: s, y: 3 - s}), "numpy")
        expected = solve_ivp(lambda t, z: [z[1], float(along(z[0]))], (0, 0.5), [1.2, 0.0],
                             t_eval=times, method="DOP853", rtol=1e-12, atol=1e-12).y
        np.testing.assert_allclose(found.y[0], expected[0], atol=1e-9)

    def test_what_cannot_be_is_said(self):
        x, y = dynamicsymbols("x y")
        k = sp.Symbol("k")

        def made(forcing, **more):
            return daewave.from_sympy(coordinates=[x], mass_matrix=[[1]], forcing=[forcing],
                                      configuration_constraints=[x - 1], **more)
        with self.assertRaisesRegex(ValueError, "k: is no coordinate.*constants="):
            made(-k * x)
        with self.assertRaisesRegex(ValueError, r"y\(t\): is no coordinate"):
            made(y)
        with self.assertRaisesRegex(ValueError, "no counterpart"):
            made(sp.gamma(x))
        with self.assertRaisesRegex(TypeError, "no symbol"):
            made(x, constants={"k": 1})
        with self.assertRaisesRegex(ValueError, "no coordinate and no speed"):
            made(x, start={y: 1})
        with self.assertRaisesRegex(ValueError, "from_sympy takes a method"):
            daewave.from_sympy(coordinates=[x])
        with self.assertRaisesRegex(ValueError, "mass_matrix is to be 1 x 1"):
            daewave.from_sympy(coordinates=[x], mass_matrix=sp.eye(2), forcing=[0])
        with self.assertRaisesRegex(TypeError, "no KanesMethod"):
            daewave.from_sympy(3)


if __name__ == "__main__":
    unittest.main()
