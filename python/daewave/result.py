"""What a solve returns: a dictionary whose entries are attributes too, as SciPy's results are."""


class Result(dict):
    """Entries by name, result["t"], and as attributes, result.t."""

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
            lines.append(f"{name:>{width}}: {text}")
        return "\n".join(lines)
