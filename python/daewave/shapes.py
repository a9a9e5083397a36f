"""Functions of users brought to one shape: of many points, one in each column."""

import numpy as np


def by_points(function, vectorized):
    """The function itself, or one that calls it for each point alone and puts results side by side."""
    if function is None or vectorized:
        return function

    def each(t, *states):
        values = [np.asarray(function(t[p], *(state[:, p] for state in states)))
                  for p in range(t.size)]
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
