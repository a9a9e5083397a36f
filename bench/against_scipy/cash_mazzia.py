"""The test set of Cash and Mazzia as solve_bvp takes it, vectorized over the mesh, with Jacobians.

PROBLEMS[number](e) is a Problem; cases() lists what is compared. Problems of one unknown are
y'' = a(t, y, y'), said as a and its two derivatives.
"""

from fractions import Fraction

import numpy as np

PI = np.pi
DECADES = ["1e-1", "1e-2", "1e-3", "1e-4", "1e-5", "1e-6"]
# Number 16 is singular where 1 / e is even, 17 at 0.01; 35 is ill-conditioned by exp(1 / 2e). The
# slope of 23 at the end is exp(1 / 2e), 7e10 at 0.02, where the rounding of t is 1e-5 of y.
OTHERS = {16: ["1/9", "1/99", "1/999"], 17: ["1e-1", "1e-3", "1e-4", "1e-5", "1e-6"],
          23: ["0.2", "0.1", "0.05", "0.04"], 34: ["3.5", "1", *DECADES], 35: ["1e-1"]}


def cases():
    """Pairs of number and e, e as text."""
    return [(number, e) for number in range(1, 36) for e in OTHERS.get(number, DECADES)]


def value(e):
    return float(Fraction(e))


class Problem:
    """f(t, x), its Jacobian or None, conditions(left, right), and guess(t) at an array t."""

    def __init__(self, interval, f, jacobian, conditions, guess):
        self.interval, self.f, self.jacobian = interval, f, jacobian
        self.conditions, self.guess = conditions, guess


def two_point(law, first, last, interval=(0, 1)):
    """law(t, y, v): y'' and its derivatives by y and v. From the straight line."""
    slope = (last - first) / (interval[1] - interval[0])

    def jacobian(t, x):
        _, by_y, by_v = law(t, x[0], x[1])
        all_of = np.zeros((2, 2, t.size))
        all_of[0, 1], all_of[1, 0], all_of[1, 1] = 1, by_y, by_v
        return all_of

    return Problem(interval, lambda t, x: np.vstack((x[1], law(t, x[0], x[1])[0])), jacobian,
                   lambda a, b: np.array([a[0] - first, b[0] - last]),
                   lambda t: np.vstack((first + slope * (t - interval[0]), slope + 0 * t)))


def linear(by_y, by_v, rest, first, last, interval=(-1, 1)):
    """The three are functions of t."""
    return two_point(lambda t, y, v: (by_y(t) * y + by_v(t) * v + rest(t), by_y(t), by_v(t)), first,
                     last, interval)


def constant(c):
    return lambda t: c + 0 * t


def zero(t):
    return 0 * t


def beside_cosine(e, first, last):
    return linear(constant(1 / e), zero, lambda t: -(1 / e + PI**2) * np.cos(PI * t), first, last)


def from_0_to_1(by_y, by_v, first, last):
    return linear(constant(by_y), constant(by_v), zero, first, last, (0, 1))


def number3(e):
    return linear(constant(1 / e), lambda t: -(2 + np.cos(PI * t)) / e,
                  lambda t: (-(1 / e + PI**2) * np.cos(PI * t)
                             - (2 + np.cos(PI * t)) * PI * np.sin(PI * t) / e), -1, -1)


def turning(e, by_y, sign, first, last):
    """e y'' = sign t y' + by_y y + what makes cos pi t a solution of it, or part of one."""
    return linear(constant(by_y / e), lambda t: sign * t / e,
                  lambda t: (-(by_y / e + PI**2) * np.cos(PI * t)
                             + sign * PI * t * np.sin(PI * t) / e), first, last)


def number9(e):
    return linear(lambda t: -2 / (e + t * t), lambda t: -4 * t / (e + t * t), zero, 1 / (1 + e),
                  1 / (1 + e))


def number17(e):
    last = 0.1 / np.sqrt(e + 0.01)
    return linear(lambda t: -3 * e / (e + t * t)**2, zero, zero, -last, last, (-0.1, 0.1))


def number19(e):
    def law(t, y, v):
        grown, push = np.exp(y), PI / 2 * np.sin(PI * t / 2) * np.exp(2 * y)
        return (-grown * v + push) / e, (-grown * v + 2 * push) / e, -grown / e
    return two_point(law, 0, 0)


def number20(e):
    def at(t):
        x = abs(t - 0.745) / e
        return 1 + e * (x + np.log1p(np.exp(-2 * x)) - np.log(2))
    return two_point(lambda t, y, v: ((1 - v * v) / e, 0 * t, -2 * v / e), at(0), at(1))


def number21(e):
    w = 1 / np.sqrt(e)
    return two_point(lambda t, y, v: ((y + y * y - np.exp(-2 * w * t)) / e, (1 + 2 * y) / e, 0 * t),
                     1, np.exp(-w))


def number22(e):
    return two_point(lambda t, y, v: ((-v - y * y) / e, -2 * y / e, -1 / e + 0 * t), 0, 0.5)


def number23(e):
    m = 1 / e
    return two_point(lambda t, y, v: (m * np.sinh(m * y), m * m * np.cosh(m * y), 0 * t), 0, 1)


def number24(e):
    def law(t, y, v):
        area = 1 + t * t
        widening, front = 2 * t / area, 1.2 - 2 * e * t
        return ((front * v - v / y**2 - widening * (1 / y - 0.2 * y)) / (e * area),
                (2 * v / y**3 + widening * (1 / y**2 + 0.2)) / (e * area),
                (front - 1 / y**2) / (e * area))
    return two_point(law, 0.9129, 0.375)


def lagerstrom(first, last):
    return lambda e: two_point(lambda t, y, v: ((y - y * v) / e, (1 - v) / e, -y / e), first, last)


def number31(e):
    def f(_, s):
        tension = 1 / np.cos(s[1]) + e * s[3] * np.tan(s[1])
        return np.vstack((np.sin(s[1]), s[2], -s[3] / e,
                          ((s[0] - 1) * np.cos(s[1]) - s[2] * tension) / e))
    return Problem((0, 1), f, None, lambda a, b: np.array([a[0], a[2], b[0], b[2]]),
                   lambda t: np.zeros((4, t.size)))


def number32(e):
    return Problem((0, 1),
                   lambda t, x: np.vstack((x[1], x[2], x[3], (x[1] * x[2] - x[0] * x[3]) / e)), None,
                   lambda a, b: np.array([a[0], a[1], b[0] - 1, b[1]]),
                   lambda t: np.vstack((t, 1 + 0 * t, 0 * t, 0 * t)))


def number33(e):
    return Problem((0, 1),
                   lambda t, x: np.vstack((x[1], x[2], x[3], -(x[0] * x[3] + x[4] * x[5]) / e, x[5],
                                           -(x[0] * x[5] - x[1] * x[4]) / e)), None,
                   lambda a, b: np.array([a[0], a[1], b[0], b[1], a[4] + 1, b[4] - 1]),
                   lambda t: np.vstack((0 * t, 0 * t, 0 * t, 0 * t, 2 * t - 1, 2 + 0 * t)))


def layers(e):
    """exp(-2 / sqrt(e)), the rest of a layer at the other end of [-1, 1]."""
    return np.exp(-2 / np.sqrt(e))


PROBLEMS = {
    1: lambda e: from_0_to_1(1 / e, 0, 1, 0),
    2: lambda e: from_0_to_1(0, 1 / e, 1, 0),
    3: number3,
    4: lambda e: linear(constant((1 + e) / e), constant(-1 / e), zero, 1 + np.exp(-2),
                        1 + np.exp(-2 * (1 + e) / e)),
    5: lambda e: turning(e, 1, 1, -1, -1),
    6: lambda e: turning(e, 0, -1, -2, 0),
    7: lambda e: turning(e, 1, -1, -1, 1),
    8: lambda e: from_0_to_1(0, -1 / e, 1, 2),
    9: number9,
    10: lambda e: linear(zero, lambda t: -t / e, zero, 0, 2),
    11: lambda e: beside_cosine(e, -1, -1),
    12: lambda e: beside_cosine(e, -1 + layers(e), 0),
    13: lambda e: beside_cosine(e, 0, -1 + layers(e)),
    14: lambda e: beside_cosine(e, layers(e), layers(e)),
    15: lambda e: linear(lambda t: t / e, zero, zero, 1, 1),
    16: lambda e: from_0_to_1(-PI**2 / (4 * e * e), 0, 0, np.sin(PI / (2 * e))),
    17: number17,
    18: lambda e: from_0_to_1(0, -1 / e, 1, np.exp(-1 / e)),
    19: number19,
    20: number20,
    21: number21,
    22: number22,
    23: number23,
    24: number24,
    25: lagerstrom(-1 / 3, 1 / 3),
    26: lagerstrom(1, -1 / 3),
    27: lagerstrom(1, 1 / 3),
    28: lagerstrom(1, 1.5),
    29: lagerstrom(0, 1.5),
    30: lagerstrom(-7 / 6, 1.5),
    31: number31,
    32: number32,
    33: number33,
    34: lambda e: two_point(lambda t, y, v: (-e * np.exp(y), -e * np.exp(y), 0 * t), 0, 0),
    35: lambda e: linear(constant(-1 / e), lambda t: t / e, zero, 1, 2),
}
