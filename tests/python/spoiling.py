"""Functions of users that change what they are given."""

import numpy as np


def spoiling(function):
    """The same, which leaves nothing of what it was given."""
    def called(*given):
        value = function(*(one.copy() for one in given))
        for one in given:
            one[...] = np.nan
        return value
    return called
