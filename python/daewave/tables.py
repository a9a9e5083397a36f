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


def frame_of(result):
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_frame() needs pandas (Debian's python3-pandas)") from error
    axis = axis_of(result)
    return pandas.DataFrame(rows_of(result), index=pandas.Index(result[axis], name=axis))


def html_of(result):
    good = "solved" if result.success else "not solved"
    facts = [("message", result.message), ("status", result.status)]
    facts += [(name, result[name]) for name in ("nsteps", "nfev", "niter", "drift") if name in result]
    lines = [f"<b>{good}</b><table>"]
    lines += [f"<tr><td>{name}</td><td>{html.escape(str(value))}</td></tr>" for name, value in facts]
    lines.append("</table>")
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
