"""Equations of motion that SymPy derived."""

import numpy as np

from . import _daewave
from .model import Model, Parameters
from .symbols import symbol_of, words_of

_FUNCTIONS = {"sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin", "acos": "acos",
              "atan": "atan", "atan2": "atan2", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
              "exp": "exp", "log": "log", "Abs": "abs", "sign": "sign", "floor": "floor"}


class _Translation:
    """SymPy's expressions as nodes of a graph, each once."""

    def __init__(self, variables, constants):
        """variables: node of SymPy -> number of the variable; constants: symbol -> the same."""
        self.graph = _daewave.Graph()
        self.known = {node: self.graph.variable(number)
                      for node, number in {**variables, **constants}.items()}
        self.names = sorted(str(node) for node in self.known)

    def define(self, node, expression):
        """`node` means `expression` from now on."""
        self.known[node] = self.of(expression)

    def of(self, expression):
        # Operands first, without recursion: what SymPy derives is deep.
        waiting = [expression]
        while waiting:
            node = waiting[-1]
            if node in self.known:
                waiting.pop()
                continue
            open_ones = [part for part in self.parts(node) if part not in self.known]
            if open_ones:
                waiting.extend(open_ones)
                continue
            self.known[node] = self.made(node)
            waiting.pop()
        return self.known[expression]

    @staticmethod
    def parts(node):
        import sympy
        if node.is_Number or node.is_NumberSymbol or node.is_Symbol:
            return ()
        if isinstance(node, (sympy.Derivative, sympy.core.function.AppliedUndef)):
            return ()
        if isinstance(node, sympy.Piecewise):
            return tuple(part for value, condition in node.args
                         for part in (value, *getattr(condition, "args", ())))
        return node.args

    def made(self, node):
        import sympy
        graph = self.graph
        operand = [self.known.get(part) for part in self.parts(node)]
        if node.is_Number or node.is_NumberSymbol:
            return graph.number(float(node))
        if node.is_Add:
            return self.chain("add", operand)
        if node.is_Mul:
            return self.product(node)
        if node.is_Pow:
            return self.power(*node.args)
        if isinstance(node, (sympy.Min, sympy.Max)):
            return self.chain("minimum" if isinstance(node, sympy.Min) else "maximum", operand)
        if isinstance(node, sympy.Piecewise):
            return self.piecewise(node)
        name = _FUNCTIONS.get(type(node).__name__)
        if name is None:
            words = ("is no coordinate, speed or constant; give constants={symbol: value, ...}"
                     if node.is_Symbol or isinstance(node, (
                         sympy.Derivative, sympy.core.function.AppliedUndef))
                     else "has no counterpart here")
            raise ValueError(f"{node}: {words}; known: {', '.join(self.names)}")
        return graph.make(name, *operand)

    def chain(self, name, operands):
        value = operands[0]
        for other in operands[1:]:
            value = self.graph.make(name, value, other)
        return value

    def product(self, node):
        above, below = [], []
        for part in node.args:
            if part.is_Pow and part.exp == -1:
                below.append(self.of(part.base))
            elif part == -1:
                continue
            else:
                above.append(self.known[part])
        value = self.chain("multiply", above) if above else self.graph.number(1)
        if below:
            value = self.graph.make("divide", value, self.chain("multiply", below))
        return self.graph.make("negate", value) if -1 in node.args else value

    def power(self, base, exponent):
        import sympy
        graph = self.graph
        if exponent.is_Number and exponent < 0:
            return graph.make("divide", graph.number(1), self.of(base ** -exponent))
        if exponent == sympy.Rational(1, 2):
            return graph.make("sqrt", self.known[base])
        if base == sympy.E:
            return graph.make("exp", self.known[exponent])
        return graph.power(self.known[base], self.known[exponent])

    def piecewise(self, node):
        import sympy
        value = None
        for result, condition in reversed(node.args):
            if condition == True:  # noqa: E712: SymPy's, or Python's.
                value = self.known[result]
                continue
            if value is None:
                raise ValueError(f"{node}: has no value where {condition} does not hold; "
                                 "end it with (value, True)")
            if not isinstance(condition, (sympy.Lt, sympy.Le, sympy.Gt, sympy.Ge)):
                raise ValueError(f"{node}: conditions are <, <=, > or >=")
            low, high = self.known[condition.lts], self.known[condition.gts]
            strict = isinstance(condition, (sympy.Lt, sympy.Gt))
            holds = self.graph.make("less" if strict else "less_equal", low, high)
            value = self.graph.make("select", holds, self.known[result], value)
        return value


def from_sympy(method=None, *, constants=None, start=None, coordinates=None, mass_matrix=None,
               forcing=None, configuration_constraints=(), velocity_constraints=(), name="sympy"):
    """A model of what SymPy derived, solved without code generation; derivatives are exact.

    method: a KanesMethod or LagrangesMethod, after it formed its equations, with its configuration
        and velocity constraints. Or, without one,
    coordinates: [q1(t), ...], mass_matrix (n x n, of coordinates), forcing (n, of t, coordinates and
        their derivatives), configuration_constraints (expressions that are 0) and
        velocity_constraints (linear in derivatives): M q'' = forcing - G^T lambda.
    constants: {symbol: value}; `with_parameters(**{name: value})` gives the model with others,
        translated once.
    start: {coordinate or speed: value}, 0 where nothing is said.

    Returns a Model. The state is the coordinates and then their derivatives, of a KanesMethod the
    coordinates and then the generalized speeds: its equations are solved as a DAE of index 1 for
    the accelerations, and its constraints are invariants that each step is brought back to. Those
    of a LagrangesMethod, and those that are stated, act by their multipliers (index 3); without any
    the accelerations are solved for too.
    """
    constants = dict(constants or {})
    if method is None:
        stated = _stated(coordinates, mass_matrix, forcing, configuration_constraints,
                         velocity_constraints)
    elif coordinates is not None or mass_matrix is not None or forcing is not None:
        raise ValueError("a method has its coordinates, mass matrix and forcing: leave them out")
    elif hasattr(method, "kindiffdict"):
        stated = _of_kane(method)
    elif hasattr(method, "form_lagranges_equations"):
        stated = _of_lagrange(method)
    else:
        raise TypeError(f"{type(method).__name__}: is no KanesMethod and no LagrangesMethod")
    return SymbolicModel(_Statement(stated, constants, name), constants, start or {})


def _stated(coordinates, mass_matrix, forcing, configuration_constraints, velocity_constraints):
    import sympy
    if coordinates is None or mass_matrix is None or forcing is None:
        raise ValueError("from_sympy takes a method, or coordinates, mass_matrix and forcing")
    t = sympy.physics.mechanics.dynamicsymbols._t
    q = list(coordinates)
    n = len(q)
    mass_matrix, forcing = sympy.Matrix(mass_matrix), list(sympy.Matrix(forcing))
    if mass_matrix.shape != (n, n) or len(forcing) != n:
        raise ValueError(f"{n} coordinates: mass_matrix is to be {n} x {n} and forcing of {n}, not "
                         f"{mass_matrix.shape} and {len(forcing)}")
    g, w = list(configuration_constraints), list(velocity_constraints)
    # Without constraints there are no multipliers: M q'' = f is solved for q'' alone.
    return {"kind": "multibody" if g or w else "invariants", "q": q, "u": [one.diff(t) for one in q],
            "define": {}, "M": mass_matrix, "f": forcing, "g": g, "w": w}


def _of_lagrange(method):
    if getattr(method, "eom", None) is None or len(method.eom) == 0:
        method.form_lagranges_equations()
    n = len(method.q)
    holonomic = list(method._hol_coneqs) if len(method._hol_coneqs) else []
    others = list(method.coneqs)[len(holonomic):] if len(method.coneqs) else []
    return _stated(list(method.q), method.mass_matrix[:, :n], method.forcing, holonomic, others)


def _of_kane(method):
    import sympy
    q, u = list(method.q), list(method.u)
    try:
        M, forcing = method.mass_matrix, method.forcing
    except (ValueError, AttributeError) as error:
        raise ValueError("this KanesMethod has no equations yet: call its kanes_equations()"
                         ) from error
    stated = {"kind": "invariants", "q": q, "u": u, "define": dict(method.kindiffdict()), "M": M,
              "f": list(forcing), "g": list(method._f_h) if len(method._f_h) else [], "w": [],
              "K": None, "K_rate": []}
    if len(method._k_nh):
        stated["w"] = list(method._k_nh * sympy.Matrix(u) + method._f_nh)
        stated |= _with_multipliers(method, q, u)
    return stated


def _with_multipliers(method, q, u):
    """The equations of all speeds, with multipliers of the velocity constraints: M u' = f - K^T l,
    K u' + K_rate = 0. Those of a KanesMethod have its dependent speeds eliminated, by pivots that may
    vanish on the way (of the bicycle where it steers straight ahead), and are many times as long."""
    import sympy
    from sympy.physics.mechanics import KanesMethod
    if not method.bodies or len(method._uaux):
        return {}
    t = sympy.physics.mechanics.dynamicsymbols._t
    kinematic = (method._k_kqdot * sympy.Matrix([one.diff(t) for one in q]) +
                 method._k_ku * sympy.Matrix(u) + method._f_k)
    free = KanesMethod(method._inertial, q, u, kd_eqs=list(kinematic))
    free.kanes_equations(list(method.bodies), list(method.loads or []) or None)
    return {"M": free.mass_matrix, "f": list(free.forcing), "K": method._k_dnh,
            "K_rate": list(method._f_dnh)}


class _Statement:
    """What is translated once, whatever the constants are."""

    def __init__(self, stated, constants, name):
        import sympy
        t = sympy.physics.mechanics.dynamicsymbols._t
        q, u = stated["q"], stated["u"]
        n, m = len(q), len(u)
        speeds = [sympy.Symbol(f"acceleration{i}") for i in range(m)]
        places = {t: 0, **{one: 1 + i for i, one in enumerate(q)},
                  **{one: 1 + n + i for i, one in enumerate(u)}}
        for_accelerations = stated["kind"] == "invariants"
        K = stated.get("K")
        multipliers = K.shape[0] if K is not None else 0
        beyond = 1 + n + 2 * m + multipliers
        self.symbols = {}
        for i, symbol in enumerate(constants):
            if not getattr(symbol, "is_Symbol", False):
                raise TypeError(f"constants: {symbol!r} is no symbol")
            self.symbols[str(symbol)] = (symbol, beyond + i)
        accelerations = {one: 1 + n + m + i for i, one in enumerate(speeds)} if for_accelerations else {}
        translation = _Translation(
            {**places, **accelerations},
            {symbol: number for symbol, number in self.symbols.values()})
        for node, expression in stated["define"].items():
            translation.define(node, sympy.sympify(expression))

        def rows(expressions):
            return [translation.of(sympy.sympify(one)) for one in expressions]

        self.graph = translation.graph
        self.q, self.u = q, u
        self.names = ([str(one.func) for one in q] +
                      [f"{one.expr.func}'" if one.is_Derivative else str(one.func) for one in u])
        M = [translation.of(sympy.sympify(stated["M"][i, j])) for j in range(m) for i in range(m)]
        f = rows(stated["f"])
        g, w = rows(stated["g"]), rows(stated["w"])
        said = {"kind": stated["kind"], "name": name, "state_names": self.names,
                "position_invariants": 0, "positions": 0, "M": [], "g": [], "w": [], "r": [],
                "h": []}
        if for_accelerations:
            # q' = Y(q) u, u' = a; 0 = M a - f.
            a = [self.graph.variable(1 + n + m + i) for i in range(m)]
            rates = rows(one.diff(t) for one in q)
            force = [self.graph.variable(1 + n + 2 * m + i) for i in range(multipliers)]
            K_rows = [rows(list(K.row(i))) for i in range(multipliers)]
            rates_of_K = rows(stated.get("K_rate") or [])
            residual = [self._sum([*zip(M[i::m], a), *((row[i], one) for row, one in
                                                       zip(K_rows, force))], "subtract", f[i])
                        for i in range(m)]
            residual += [self._sum(zip(row, a), "add", rate)
                         for row, rate in zip(K_rows, rates_of_K)]
            said |= {"nq": n + m, "f": rates + a, "r": residual, "h": g + w,
                     "position_invariants": len(g), "positions": n}
        else:
            said |= {"nq": n, "f": f, "M": M, "g": g, "w": w}
        self.said = said

    def __getstate__(self):
        """SymPy does not pickle functions of time."""
        return {**vars(self), "q": list(map(words_of, self.q)), "u": list(map(words_of, self.u))}

    def __setstate__(self, state):
        vars(self).update(state)
        self.q, self.u = list(map(symbol_of, self.q)), list(map(symbol_of, self.u))

    def _sum(self, products, last, of):
        """Of products, and `of` added or subtracted."""
        make, value = self.graph.make, self.graph.number(0)
        for one, other in products:
            value = make("add", value, make("multiply", one, other))
        return make(last, value, of)


class SymbolicModel(Model):
    """A model of from_sympy."""

    def __init__(self, statement, constants, start):
        self._statement, self._constants, self._start = statement, constants, dict(start)
        values = {str(symbol): float(value) for symbol, value in constants.items()}
        self._read()
        self.name = self.title = statement.said["name"]
        self.parameters = Parameters(values)
        self.state_names = list(statement.names)
        self.start, self.start_moved = self._model.start, 0.0
        self.t_span = (0.0, 10.0)
        self.is_boundary = False
        self.state_units, self.drawing = [], None

    def _read(self):
        statement = self._statement
        numbers = [(statement.symbols[str(symbol)][1], float(value))
                   for symbol, value in self._constants.items()]
        said = {**statement.said, "start": self._state(self._start)}
        self._model = _daewave.model_of_graph(statement.graph, said, numbers)

    def __getstate__(self):
        start = [(words_of(symbol), value) for symbol, value in self._start.items()]
        return {**super().__getstate__(), "_start": start}

    def __setstate__(self, state):
        start = {symbol_of(words): value for words, value in state["_start"]}
        super().__setstate__({**state, "_start": start})

    def _state(self, values):
        """A state of {symbol: value}; 0 where nothing is said."""
        order = {one: i for i, one in enumerate(self._statement.q + self._statement.u)}
        state = np.zeros(len(order))
        for symbol, value in values.items():
            if symbol not in order:
                raise ValueError(f"{symbol}: is no coordinate and no speed; there are "
                                 f"{', '.join(map(str, order))}")
            state[order[symbol]] = float(value)
        return state

    def with_parameters(self, **parameters):
        """The model once more, with other constants by their names."""
        constants = dict(self._constants)
        for key, value in parameters.items():
            if key not in self._statement.symbols:
                raise ValueError(f"no constant {key}; there are "
                                 f"{', '.join(self._statement.symbols) or 'none'}")
            constants[self._statement.symbols[key][0]] = value
        return SymbolicModel(self._statement, constants, self._start)

    def solve(self, t_span=None, y0=None, **options):
        """As Model.solve; y0 may be {coordinate or speed: value}."""
        return super().solve(t_span, self._state(y0) if isinstance(y0, dict) else y0, **options)
