# SPDX-License-Identifier: MIT
"""Writes Python values as TOML."""
from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

_Spec = TypeVar("_Spec")


def is_text(source: object) -> bool:
    """Returns whether `source` is TOML text instead of a file name."""
    return isinstance(source, str) and ("\n" in source or "=" in source)


def parsed(parse: Callable[..., _Spec], text: str, *more: Any) -> _Spec:
    """Calls `parse` with TOML text; its errors mention that one line may be a file name."""
    try:
        return parse(text, "the text", True, *more)
    except ValueError as error:
        if "\n" in text:
            raise
        raise ValueError(f"{error}; if {text!r} is the name of a file, give it as a pathlib.Path"
                         ) from None


def text_of(value: Any) -> str:
    """Returns a value as TOML: a number, a bool, a str, a path, or a list of them.

    Raises ValueError for any other type.
    """
    if hasattr(value, "tolist"):  # numpy's numbers and arrays
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(text_of(one) for one in value) + "]"
    raise ValueError(f"a key of a scene cannot be {value!r}; give a number, True or False, a str "
                     "or a list of numbers")


def _key(name: object) -> str:
    """Returns a key, in quotes if needed; the program checks whether it exists."""
    if not isinstance(name, str):
        raise ValueError(f"a key of a scene cannot be called {name!r}; give a str")
    bare = name and all(c.isascii() and (c.isalnum() or c in "_-") for c in name)
    return name if bare else json.dumps(name, ensure_ascii=False)


def flat(table: Mapping[str, Any], before: tuple[str, ...] = ()
         ) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yields (path of names, value) for every key of a dictionary of dictionaries."""
    for name, value in table.items():
        path = (*before, name)
        if isinstance(value, Mapping):
            yield from flat(value, path)
        else:
            yield path, value


def document_of(table: Mapping[str, Any]) -> str:
    """Returns a scene or a camera, given as a dictionary of dictionaries, as TOML; skips None.

    Raises ValueError if it is not such a dictionary.
    """
    if not isinstance(table, Mapping):
        raise ValueError(f"make a scene: {table!r} is not a dictionary of keys; give one, such as "
                         "{'optics': {'na': 1.2}}")
    lines = _lines_of({name: value for name, value in table.items() if name != "channel"})
    for channel in _channels_in(table):
        lines += ["[[channel]]", *_lines_of(channel)]
    return "\n".join(lines) + "\n"


def _lines_of(table: Mapping[str, Any]) -> list[str]:
    return [".".join(_key(name) for name in path) + " = " + text_of(value)
            for path, value in flat(table) if value is not None]


def _channels_in(table: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    channels = table.get("channel")
    if channels is None:
        return []
    if not isinstance(channels, (list, tuple)) or not all(
            isinstance(one, Mapping) for one in channels):
        raise ValueError(f"make a scene: channel is {channels!r}; give a list of dictionaries, "
                         "such as [{'name': 'red'}]")
    return list(channels)
