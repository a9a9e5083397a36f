"""What a caller asks of a boundary value solve, as the library takes it."""

_OPTIONS = ("variant", "epsilon", "stages", "iterates", "alpha1", "alpha2", "scheme")


def boundary_asked(tol, max_nodes, **options):
    """What a solver is asked for beside the problem. Raises TypeError for an option that there is
    not."""
    for name in options:
        if name not in _OPTIONS:
            raise TypeError(f"'{name}' is no option; there are tol, max_nodes, {', '.join(_OPTIONS)}")
    if not tol > 0:
        raise ValueError(f"tol = {tol}: it is to be > 0")
    if not max_nodes >= 2:
        raise ValueError(f"max_nodes = {max_nodes}: a mesh has two nodes at least")
    return {"tolerance": float(tol), "max_nodes": int(max_nodes),
            **{name: options.get(name) for name in _OPTIONS}}
