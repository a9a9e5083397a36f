"""Functions of the user of a boundary value problem, as the solver calls them."""

import numpy as np

from .shapes import matrix_filled

_KINDS = {2: "index 2", 3: "second order"}


class UsersFunctions:
    """Functions of the user, of real states, with the parameters as their last argument. What they
    get is theirs, to keep and to change: of what is used again they get copies.

    Where df/dp is given, parameters are rows of the state instead, p' = 0: their derivatives are
    then among those of the equations.

    unknown: the entries of p that are solved for, where those that are known may change: all
    functions get p then, and derivatives by it are not looked at. None: all of p are unknown."""

    def __init__(self, fun, bc, p, has_p, x, y, constraint, B, constraint_jac, fun_jac, bc_jac,
                 index, unknown=None):
        n = y.shape[0]
        is_complex = y.dtype.kind == "c"
        self._fun, self._bc, self._has_p, self._complex = fun, bc, has_p, is_complex
        self._n, self._fun_jac, self._bc_jac = n, fun_jac, bc_jac
        self.rows = 2 * n if is_complex else n
        self._k = p.size
        self._all_take_p = unknown is not None
        self._unknown = range(p.size) if unknown is None else unknown
        self.extended = (has_p and p.size > 0 and fun_jac is not None and constraint is None
                         and unknown is None)
        self._constraint, self._jacobian = constraint, constraint_jac
        self.second_order = constraint is not None and index == 3
        self.kind = "ordinary" if constraint is None else _KINDS[index]
        self.nq = n // 2 if self.second_order else self.rows
        self.ny = 0
        # As SciPy does: the shapes of what functions return, before anything else.
        self._refuse_shape("fun", self._call_fun(x.copy(), y.copy(), p),
                           (self.nq if self.second_order else n, x.size))
        if constraint is not None:
            rows = np.asarray(self._of_position(self._at(constraint, p))(x.copy(), y.copy()),
                              dtype=float)
            if rows.ndim != 2 or rows.shape[1] != x.size:
                raise ValueError(f"constraint returned shape {rows.shape}; its shape is to be "
                                 f"(ny, {x.size}): a row for each constraint, a column for each point")
            self.ny = rows.shape[0]
            if B is None and constraint_jac is None:
                raise ValueError("a constraint needs B, or constraint_jac, whose transpose B then is")
        if self.extended:
            self.nq += p.size
        self._B = self._matrix_of_B(B) if self.ny else None
        if fun_jac is not None and constraint is None:
            self._jacobian_of_fun(x.copy(), self.real_of(y.copy()), p)
        each = 2 if self.second_order else 1
        wanted = n + len(self._unknown) - self.ny * each
        if wanted < 0:
            raise ValueError(f"constraint returned {self.ny} rows: y has {n}, of which each constraint "
                             f"that is kept takes {each}")
        value = self._call_bc(y[:, 0].copy(), y[:, -1].copy(), p)
        if self.ny > 0 and np.shape(value) != (wanted,):
            raise ValueError(
                f"bc returned shape {np.shape(value)}; its shape is to be ({wanted},): constraints that "
                f"are kept take {each} condition(s) each, and there are {self.ny}, "
                "of which none may follow from others")
        self._refuse_shape("bc", value, (wanted,))
        # The solver calls the user's own where nothing is to be brought into another form.
        self.conditions_take_p = has_p or self.extended
        self.conditions = self._conditions if is_complex or self.extended else bc
        self.condition_slopes = None
        if bc_jac is not None:
            self._wanted = wanted
            self._slopes_of_bc(y[:, 0].copy(), y[:, -1].copy(), p)
            self.condition_slopes = self._condition_slopes

    def with_parameters(self, guess, p, S):
        """The first guess and S, of all rows of the state."""
        if not self.extended:
            return guess, S
        if S is not None:
            S = np.pad(S, (0, p.size))
        return np.vstack((guess, np.repeat(p[:, np.newaxis], guess.shape[1], axis=1))), S

    def parameters(self, p):
        """Those that are not rows of the state."""
        return np.empty(0) if self.extended else p

    def statement(self, x, guess, parameters, S, names=()):
        """The problem as the solver takes it. parameters: those that are not rows of the state."""
        return {"kind": self.kind, "nq": self.nq, "ny": self.ny, "functions_of": self.functions_of,
                "conditions": self.conditions, "slopes": self.condition_slopes,
                "take_parameters": self.conditions_take_p, "nodes": x, "guess": guess,
                "parameters": parameters, "names": list(names),
                "unknown": [] if self.extended else list(self._unknown), "singular_term": S}

    @staticmethod
    def _refuse_shape(name, value, shape):
        if np.shape(value) != shape:
            raise ValueError(f"{name} returned shape {np.shape(value)}; its shape is to be {shape}")

    def _call_fun(self, x, y, p):
        value = self._fun(x, y, p.copy()) if self._has_p else self._fun(x, y)
        return self._numbers("fun", value)

    def _call_bc(self, ya, yb, p):
        value = self._bc(ya, yb, p.copy()) if self._has_p else self._bc(ya, yb)
        return self._numbers("bc", value)

    def _numbers(self, name, value):
        if type(value) is np.ndarray and value.dtype == float and not self._complex:
            return value
        value = np.asarray(value)
        if np.iscomplexobj(value) and not self._complex:
            raise ValueError(f"{name} returned complex numbers: give y as complex, {name} is to be "
                             "differentiable in the complex plane then")
        return value.astype(complex if self._complex else float)

    def _at(self, function, p):
        """A function of the user beside fun and bc, at parameters p where all take them."""
        if not self._all_take_p or not callable(function):
            return function
        return lambda *given: function(*given, p.copy())

    def _of_position(self, function):
        return lambda t, q: function(t, q[:self.nq] if self.second_order else q)

    def _matrix_of_B(self, B):
        """B of p: a function of (t, q)."""
        if B is None:
            def transposed(p):
                jacobian = matrix_filled(self._at(self._jacobian, p), self.ny, self.nq)
                return lambda t, q: np.swapaxes(jacobian(t, q), 0, 1)
            return transposed
        if callable(B):
            return lambda p: matrix_filled(self._at(B, p), self.nq, self.ny)
        constant = np.asarray(B, dtype=float)
        if constant.shape != (self.nq, self.ny):
            raise ValueError(f"B has shape {constant.shape}; it is to have ({self.nq}, {self.ny})")
        return lambda p: matrix_filled(lambda t, q: constant, self.nq, self.ny)

    def complex_of(self, y):
        half = y.shape[0] // 2
        return y[:half] + 1j * y[half:] if self._complex else y

    def real_of(self, y):
        return np.concatenate((y.real, y.imag)) if self._complex else y

    def _right_side(self, t, y, p):
        """fun, of real states, rows of y; with velocities as the last of them."""
        if not self._complex:
            return self._call_fun(t, y, p)
        return self.real_of(self._call_fun(t, self.complex_of(y), p))

    def functions_of(self, p):
        functions = {"f": self._right_side_at(p)}
        if self.ny:
            functions["g"] = self._at(self._constraint, p)
            functions["B"] = self._B(p)
            if self._jacobian is not None:
                functions["G"] = matrix_filled(self._at(self._jacobian, p), self.ny, self.nq)
        elif self.extended:
            functions["f_q"] = self._with_slopes_by_parameters
        elif self._fun_jac is not None:
            functions["f_q"] = lambda t, q: self._jacobian_of_fun(t, q, p)
        return functions

    def _right_side_at(self, p):
        if self.second_order:
            return lambda t, q, v: self._right_side(t, np.vstack((q, v)), p)
        if self.extended:
            return self._with_rates_of_parameters
        if self._complex:
            return lambda t, q: self._right_side(t, q, p)
        fun = self._fun
        return (lambda t, q: fun(t, q, p.copy())) if self._has_p else fun

    def _of_each(self, t, y, function):
        """function(t, y, p) for columns y above, p below. p is the same in all columns, to
        rounding, but where a guess is looked at."""
        y, p = y[:self.rows], y[self.rows:]
        spread = np.max(np.abs(p - p[:, :1]), axis=1, initial=0)
        if np.all(spread <= 1e-13 * (1 + np.abs(p[:, 0]))):
            return function(t, y, p[:, 0].copy())
        each = [function(t[i:i + 1], y[:, i:i + 1], p[:, i].copy()) for i in range(t.size)]
        return np.concatenate(each, axis=-1)

    def _with_rates_of_parameters(self, t, y):
        return np.concatenate((self._of_each(t, y, self._right_side),
                               np.zeros((self._k, t.size))))

    def _with_slopes_by_parameters(self, t, y):
        """df/dy and df/dp, above zeros."""
        above = self._of_each(t, y, self._jacobian_of_fun)
        return np.concatenate((above, np.zeros((self._k, self.nq, t.size))))

    def _jacobian_of_fun(self, t, y, p):
        """df/dy, and behind it df/dp where p is extended, of real states."""
        y = self.complex_of(y)
        jacobian = self._fun_jac(t, y, p.copy()) if self._has_p else self._fun_jac(t, y)
        by_p = None
        if isinstance(jacobian, tuple):
            jacobian, by_p = jacobian
        if self.extended and by_p is None:
            raise ValueError("fun_jac returned one array: with parameters it is to return the pair "
                             "(df/dy, df/dp)")
        jacobian = np.asarray(jacobian)
        self._refuse_shape("fun_jac", jacobian, (self._n, self._n, t.size))
        if self._complex:
            jacobian = np.concatenate((np.concatenate((jacobian.real, -jacobian.imag), axis=1),
                                       np.concatenate((jacobian.imag, jacobian.real), axis=1)))
        if not self.extended:
            return jacobian
        by_p = np.asarray(by_p)
        self._refuse_shape("df/dp of fun_jac", by_p, (self._n, self._k, t.size))
        return np.concatenate((jacobian, self.real_of(by_p)), axis=1)

    def _conditions(self, left, right, p=None):
        """Of states with or without parameters below."""
        if self.extended and left.size > self.rows:
            p = left[self.rows:].copy()
            left, right = left[:self.rows].copy(), right[:self.rows].copy()
        return self.residual_of_conditions(left, right, p)

    def residual_of_conditions(self, left, right, p):
        """Of real states alone."""
        if not self._complex:
            return self._call_bc(left, right, p)
        return self.real_of(self._call_bc(self.complex_of(left), self.complex_of(right), p))

    def _slopes_of_bc(self, left, right, p):
        slopes = (self._bc_jac(left, right, p.copy()) if self._has_p
                  else self._bc_jac(left, right))
        slopes = [np.asarray(one) for one in slopes]
        names = ["dbc/dya", "dbc/dyb"] + (["dbc/dp"] if self._has_p else [])
        if self._all_take_p:
            names = names[:2]
            slopes = slopes[:2]
        if len(slopes) != len(names):
            raise ValueError(f"bc_jac returned {len(slopes)} arrays; it is to return "
                             f"{', '.join(names)}")
        for name, one, columns in zip(names, slopes, (self._n, self._n, self._k)):
            self._refuse_shape(f"{name} of bc_jac", one, (self._wanted, columns))
        return slopes

    def _condition_slopes(self, left, right, p=None):
        """By the states of both ends, side by side."""
        if self.extended:
            p = left[self.rows:].copy()
            left, right = left[:self.rows].copy(), right[:self.rows].copy()
        slopes = self._slopes_of_bc(self.complex_of(left), self.complex_of(right), p)
        if self._complex:
            slopes[:2] = [np.block([[one.real, -one.imag], [one.imag, one.real]])
                          for one in slopes[:2]]
            slopes[2:] = [self.real_of(one) for one in slopes[2:]]
        if not self.extended:
            return np.hstack(slopes[:2])
        return np.hstack((slopes[0], slopes[2], slopes[1], np.zeros_like(slopes[2])))

    def contradiction_of_bc_jac(self, left, right, p):
        """The entry of bc_jac that is off most beside these states, in words; none where all are right,
        by a hundredth. States have parameters below where p is extended."""
        ends = np.concatenate((left, right))
        ends = ends + 0.1 * np.sin(1 + np.arange(ends.size)) * np.maximum(1, np.abs(ends))

        def conditions(at):
            return self._conditions(at[:left.size].copy(), at[left.size:].copy(), p)
        given = self._condition_slopes(ends[:left.size].copy(), ends[left.size:].copy(), p)
        steps = 1e-6 * np.maximum(1, np.abs(ends))
        moves = np.diag(steps)
        expected = np.stack([(conditions(ends + move) - conditions(ends - move)) / (2 * step)
                             for move, step in zip(moves, steps)], axis=1)
        if self.extended:  # The parameters of the right end are those of the left.
            given, expected = given[:, :-self._k], expected[:, :-self._k]
        size = max(np.abs(given).max(initial=0), np.abs(expected).max(initial=0))
        off = np.abs(given - expected)
        row, column = np.unravel_index(np.argmax(off), off.shape)
        if not off[row, column] > 0.01 * size:
            return None
        name, first = (("dya", 0) if column < self.rows else ("dp", self.rows)
                       if column < left.size else ("dyb", left.size))
        return (f"bc_jac contradicts bc: dbc/{name}[{row}, {column - first}] is {given[row, column]:.6g}, "
                f"differences give {expected[row, column]:.6g}")

    def slopes_at(self, t, y, p, S, multipliers, carries_Bz, begin):
        """y' as it is to be; a row for each component."""
        wanted = self._right_side(t.copy(), y.copy(), p)
        if S is not None:
            wanted = wanted + S @ y / (t - begin)
        if self.ny:
            force = multipliers if carries_Bz else np.einsum(
                "ijp,jp->ip", self._B(p)(t.copy(), y[:self.nq].copy()), multipliers)
            wanted = wanted - force
            if self.second_order:
                wanted = np.vstack((y[self.nq:], wanted))
        return wanted
