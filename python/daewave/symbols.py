"""Coordinates and speeds of SymPy in words, which pickle: its functions of time do not."""


def words_of(symbol):
    """Name, assumptions and arguments of a function, and by what it is differentiated; what is none
    as it is."""
    from sympy.core.function import AppliedUndef
    by = getattr(symbol, "variables", ())
    function = symbol.expr if by else symbol
    if not isinstance(function, AppliedUndef):
        return symbol
    return function.func.__name__, dict(function.func._kwargs), function.args, tuple(by)


def symbol_of(words):
    import sympy
    if not isinstance(words, tuple):
        return words
    name, assumptions, arguments, by = words
    function = sympy.Function(name, **assumptions)(*arguments)
    return function.diff(*by) if by else function
