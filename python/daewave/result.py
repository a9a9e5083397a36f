"""What a solve returns: a dictionary whose entries are attributes too, as SciPy's results are, and
what is made of it: pictures, a table, a page."""


class Result(dict):
    """Entries by name, result["t"], and as attributes, result.t.

    plot(), animate() need matplotlib, to_frame() needs pandas; report_page() needs neither.
    """

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"a result has no '{name}'; it has {', '.join(self)}") from None

    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__

    def __dir__(self):
        return [*super().__dir__(), *self]

    def __repr__(self):
        width = max(map(len, self), default=0)
        lines = []
        for name, value in self.items():
            shape = getattr(value, "shape", None)
            text = f"array of shape {shape}" if shape and value.size > 8 else repr(value)
            if isinstance(value, Result):
                text = f"result of {', '.join(value)}"
            lines.append(f"{name:>{width}}: {text}")
        return "\n".join(lines)

    def _repr_html_(self):
        """A table for notebooks: how it went, and the numbers at both ends."""
        from .tables import html_of
        return html_of(self)

    def plot(self, names=None, *, ax=None, points=1000):
        """Curves of the rows of y over t (or x), with units where the model has them.

        names: those rows alone; y and z by their names. ax: matplotlib axes, else new ones, one for
        each unit. points: how many of the dense output, where there is one. Returns the axes.
        """
        from .pictures import plot
        return plot(self, names, ax, points)

    def animate(self, *, ax=None, seconds=None, fps=25):
        """The mechanism moving, of a model that has a drawing; else the first two rows over each
        other. seconds: how long it plays; the length of the interval where it is not given. Returns
        matplotlib's animation, which has save() and to_jshtml(); keep it while it plays.
        """
        from .pictures import animate
        return animate(self, ax, seconds, fps)

    def to_frame(self):
        """pandas.DataFrame with a column for each row of y and z, indexed by t (or x)."""
        from .tables import frame_of
        return frame_of(self)

    def report_page(self, path, *, title=None):
        """Writes a page that a browser opens from disk, without a network: plots to zoom, the
        mechanism moving, settings and why, data to save. Returns the path."""
        from .page import write_page
        return write_page(self, path, title)
