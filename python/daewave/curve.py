"""Dense output."""

import numpy as np


class Curve:
    """y at any x of the interval; sol(x, 1) is its derivative. x is a number or an array; the result
    has a row for each component, and a column for each entry of an array."""

    def __init__(self, values, slopes, begin, end, is_complex=False):
        self._values, self._slopes = values, slopes
        self._begin, self._end = min(begin, end), max(begin, end)
        self._complex = is_complex

    def __call__(self, x, nu=0):
        if nu not in (0, 1) or (nu == 1 and self._slopes is None):
            raise ValueError(f"nu = {nu}: dense output has the value, nu = 0"
                             + (", and its derivative, nu = 1" if self._slopes else ""))
        x = np.asarray(x, dtype=float)
        if x.size and not (np.min(x) >= self._begin and np.max(x) <= self._end):
            raise ValueError(f"x from {np.min(x):g} to {np.max(x):g}: dense output is of "
                             f"{self._begin:g} to {self._end:g}")
        values = (self._slopes if nu else self._values)(x.ravel())
        if self._complex:
            half = values.shape[0] // 2
            values = values[:half] + 1j * values[half:]
        return values.reshape(values.shape[:1] + x.shape)
