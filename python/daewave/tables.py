"""Results as tables: what their rows are called, pandas, notebooks."""

import html

import numpy as np


def axis_of(result):
    """"t" or "x"."""
    return "t" if "t" in result else "x"


def rows_of(result):
    """{name: values} of y and then of z, on the times of the result; complex rows as they are."""
    y = np.atleast_2d(result.y)
    names = result.get("names") or [f"y{i + 1}" for i in range(y.shape[0])]
    rows = dict(zip(names, y))
    z = result.get("z")
    if z is not None and np.size(z):
        letter = "Bz" if result.get("carries_Bz") else "z"
        for i, row in enumerate(z):
            name = f"{letter}{i + 1}"
            rows[name if name not in rows else f"{name} (multiplier)"] = row
    return rows


def units_of(result):
    """{name: unit} of those rows that have one."""
    names = result.get("names") or []
    return {name: unit for name, unit in zip(names, result.get("units") or []) if unit}


def rows_of_branch(branch):
    """{name: values} of the largest ones and of unknown parameters, over the parameter."""
    rows = {f"max |{name}|": row for name, row in zip(branch.names, branch.largest)}
    return {**rows, **dict(zip(branch.unknown_names, branch.unknowns))}


def _pandas():
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_frame() needs pandas (Debian's python3-pandas)") from error
    return pandas


def frame_of(result):
    pandas, axis = _pandas(), axis_of(result)
    return pandas.DataFrame(rows_of(result), index=pandas.Index(result[axis], name=axis))


def frame_of_branch(branch):
    pandas = _pandas()
    return pandas.DataFrame({**rows_of_branch(branch), "intervals": branch.intervals,
                             "is_fold": branch.is_fold},
                            index=pandas.Index(branch.parameter_values, name=branch.parameter))


def _facts(result, title, names):
    facts = [("message", result.message), ("status", result.status)]
    facts += [(name, result[name]) for name in names if name in result]
    lines = [f"<b>{title}</b><table>"]
    lines += [f"<tr><td>{name}</td><td>{html.escape(str(value))}</td></tr>" for name, value in facts]
    return [*lines, "</table>"]


def html_of_branch(branch):
    good = "end reached" if branch.success else "end not reached"
    lines = _facts(branch, good, ("reached", "folds", "nrejected", "nfev"))
    rows = {branch.parameter: branch.parameter_values, **rows_of_branch(branch)}
    head = "".join(f"<th>{html.escape(name)}</th>" for name in rows)
    lines.append(f"<table><tr>{head}</tr>")
    for at in zip(*rows.values()):
        lines.append("<tr>" + "".join(f"<td>{value:.6g}</td>" for value in at) + "</tr>")
    return "".join([*lines, "</table>"])


def html_of(result):
    lines = _facts(result, "solved" if result.success else "not solved",
                   ("nsteps", "nfev", "niter", "drift"))
    axis = axis_of(result)
    if np.size(result[axis]):
        units = units_of(result)
        lines.append(f"<table><tr><th></th><th>{axis} = {result[axis][0]:.6g}</th>"
                     f"<th>{axis} = {result[axis][-1]:.6g}</th><th>smallest</th><th>largest</th></tr>")
        for name, row in rows_of(result).items():
            label = html.escape(f"{name} ({units[name]})" if name in units else name)
            size = np.abs(row) if np.iscomplexobj(row) else row
            low, high = (np.nanmin(size), np.nanmax(size)) if np.any(np.isfinite(size)) else (
                np.nan, np.nan)
            numbers = "".join(f"<td>{value:.6g}</td>" for value in (row[0], row[-1], low, high))
            lines.append(f"<tr><td>{label}</td>{numbers}</tr>")
        lines.append("</table>")
    return "\n".join(lines)
