"""Dictionaries as the text of a model file, so that messages can show the place."""

import json
import re

import numpy as np

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_of(tables):
    """TOML of nested dictionaries with texts, numbers, truth values and lists. Raises TypeError with
    the place of what is none of these."""
    if not hasattr(tables, "items"):
        raise TypeError(f"a model is of a text or of dictionaries, not of {type(tables).__name__}")
    lines = []
    _table(dict(tables), [], lines)
    return "\n".join(lines) + "\n"


def _key(name):
    if not isinstance(name, str):
        raise TypeError(f"a name is a text, not {name!r}")
    return name if _BARE.fullmatch(name) else json.dumps(name)


def _is_table(value):
    return hasattr(value, "items")


def _is_tables(value):
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(map(_is_table, value))


def _table(table, path, lines):
    """What is plain first: what follows a header belongs to it."""
    for name, value in table.items():
        if not _is_table(value) and not _is_tables(value):
            lines.append(f"{_key(name)} = {_value(value, [*path, name])}")
    for name, value in table.items():
        below = [*path, name]
        header = ".".join(map(_key, below))
        if _is_table(value):
            lines.append(f"[{header}]")
            _table(value, below, lines)
        elif _is_tables(value):
            for one in value:
                lines.append(f"[[{header}]]")
                _table(one, below, lines)


def _value(value, path):
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, np.ndarray):
        value = value.tolist()
        if not isinstance(value, list):
            return _value(value, path)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(one, path) if not _is_table(one) else _inline(one, path)
                               for one in value) + "]"
    raise TypeError(f"{'.'.join(map(str, path))}: {value!r} is no text, number, truth value, list or "
                    "dictionary")


def _inline(table, path):
    return "{" + ", ".join(f"{_key(name)} = " + (
        _inline(value, [*path, name]) if _is_table(value) else _value(value, [*path, name]))
        for name, value in table.items()) + "}"
