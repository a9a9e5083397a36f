"""Functions of users brought to one shape: of many points, one in each column."""

import numpy as np


def with_args(function, args):
    """Of (t, ...) what is a function of (t, ..., *args). What is none stays as it is."""
    if not isinstance(args, (tuple, list)):
        raise TypeError(f"args = {args!r}: it is a tuple, of one entry (value,)")
    if not callable(function):
        return function

    def bound(*given):
        return function(*given, *args)

    return bound


def by_points(function, vectorized):
    """The function itself, or one that calls it for each point alone and puts results side by side."""
    if function is None or vectorized:
        return function

    def each(t, *states):
        values = [function(t[p], *(state[:, p] for state in states)) for p in range(t.size)]
        if any(value is None for value in values):
            name = getattr(function, "__name__", "a function")
            raise ValueError(f"{name} returned None: it is to return numbers")
        values = [np.asarray(value) for value in values]
        return np.stack([np.atleast_1d(value) for value in values], axis=-1)

    return each


def matrix_filled(function, rows, columns):
    """A matrix that is the same at all points, (rows, columns), to all of them."""

    def wrapped(t, *states):
        value = np.asarray(function(t, *states))
        if value.shape == (rows, columns):
            value = np.repeat(value[:, :, np.newaxis], t.size, axis=2)
        return value

    return wrapped
