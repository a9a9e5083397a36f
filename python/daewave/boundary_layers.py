"""Layers at nodes that a caller gave, which a solution on other meshes has not seen."""

import numpy as np

# Of fun less the slope of the solution, relative to 1 + |fun|: what is more is no error of a mesh.
_MISSED, _MISSED_TOLERANCES = 0.1, 10
# A layer counts where its height times its width is the tolerance: it is looked at, and the mesh is
# made fine, to that part of that width.
_PART_OF_WIDTH = 0.01
_MOST_LEVELS = 50


class Layers:
    """At nodes inside the first mesh, of a solution that meets the tolerance."""

    def __init__(self, functions, x, S, tol):
        self._functions, self.x, self._S, self._tol = functions, x[1:-1], S, tol
        self.off = 0.0  # The largest difference at these nodes, of the solution looked at last.
        self._most = max(_MISSED, _MISSED_TOLERANCES * tol)

    def missed(self, found, nodes, p):
        """Those nodes at which fun and the solution differ, and around which they do so as far as
        counts; how far from each. A value at a node alone, as of a sign, is no layer."""
        if not self.off > self._most:
            return (), ()
        x = self.x
        height, off = self._differences(found, nodes, p, x)
        x, height = x[off], height[off]
        if not x.size:
            return (), ()
        size = 1 + np.max(np.abs(found.x(x)), axis=0)
        least = 4 * np.finfo(float).eps * max(abs(nodes[0]), abs(nodes[-1]))
        width = np.maximum(_PART_OF_WIDTH * self._tol * size / height, least)
        around = np.concatenate((x - width, x + width)).clip(nodes[0] + least, nodes[-1])
        _, beside = self._differences(found, nodes, p, around)
        layer = beside[:x.size] | beside[x.size:]
        return x[layer], width[layer]

    def _differences(self, found, nodes, p, t):
        """How far fun is off the slope, on the side on which that is less, and whether it is missed."""
        functions, multipliers = self._functions, None
        if functions.ny:
            multipliers = found.multiplier(t)
        wanted = functions.slopes_at(t, found.x(t), p, self._S, multipliers,
                                     functions.ny and found.carries_By, nodes[0])
        least = np.inf
        with np.errstate(invalid="ignore"):  # A value that is not finite is no layer.
            for towards in (nodes[0], nodes[-1]):
                least = np.minimum(least, np.abs(found.slope(np.nextafter(t, towards)) - wanted))
            is_missed = (least / (1 + np.abs(wanted)) > self._most).any(axis=0)
        height = least.max(axis=0)
        return height, is_missed & np.isfinite(height)


def finer(nodes, x, width, most):
    """Nodes and more around each x, closer and closer down to a width; no more than so many."""
    fine = [np.asarray(nodes), x]
    for at, least in zip(x, width):
        for sign in (-1, 1):
            length = np.min(sign * (nodes - at), where=sign * (nodes - at) > 0, initial=np.inf)
            levels = min(int(np.log2(max(length / least, 1))), _MOST_LEVELS)
            fine.append(at + sign * length * 0.5 ** np.arange(1, levels + 1))
        if sum(map(len, fine)) > most:
            break
    mesh = np.unique(np.concatenate(fine))
    return mesh if mesh.size <= most else None
