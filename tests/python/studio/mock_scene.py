# SPDX-License-Identifier: MIT
"""Checks and edits scenes for the mock server: only their syntax, names and ranges."""
import json
import re
import tomllib

NUMBER = r"-?[0-9.]+(?:e[0-9]+)?"
ALWAYS_USED = {"", "grid", "optics", "background", "camera"}
STAGES = {"optics": "optics", "camera": "camera", "background": "background", "light": "dose",
          "illumination": "dose", "grid": "phantom", "nuclei": "phantom"}


def key_row(row):
    """Returns a row of `synthoscope keys --json` as the page's server gives it."""
    table, _, name = row["key"].rpartition(".")
    kind = kind_of(row["type"])
    low, high, low_open = range_of(row["range"])
    default = default_of(row["default"], kind)
    return {"name": name, "full": row["key"], "kind": kind, "unit": row["unit"], "low": low,
            "high": high, "low_open": low_open, "high_open": False,
            "choices": re.findall(r'"([^"]*)"', row["type"]) if kind == "choice" else [],
            "default": default, "optional": default is None,
            "absent": row["default"] if default is None else None, "help": row["help"],
            "stage": STAGES.get(table, "other")}


def kind_of(words):
    if words.startswith("["):
        return "list_of_integers" if "whole" in words else "list_of_numbers"
    if words.startswith('"'):
        return "choice"
    kinds = {"number": "number", "whole number": "integer", "true or false": "switch",
             "file name": "file", "name or number": "text_or_number"}
    return kinds.get(words, "terms")


def range_of(words):
    words = words or ""
    low_open = words.startswith("above")
    found = re.fullmatch(f"(?:above )?({NUMBER}) (?:up to|to) ({NUMBER})", words)
    if found:
        return float(found[1]), float(found[2]), low_open
    found = re.fullmatch(f"({NUMBER}) or more", words)
    return (float(found[1]), None, False) if found else (None, None, False)


def default_of(words, kind):
    try:
        value = json.loads(words)
    except ValueError:
        return None
    return value if not kind.startswith("list") or isinstance(value, list) else None


def flat(table, above=""):
    """Yields every key of a scene with its full name."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{above}{name}.")
        else:
            yield above + name, value


def line_of(toml, key):
    """Returns the line, from 1, that gives a key, or None."""
    table, _, name = key.rpartition(".")
    at = ""
    for number, line in enumerate(toml.split("\n"), 1):
        if header := re.match(r"\s*\[([\w.]+)\]", line):
            at = header[1]
        elif at == table and re.match(rf"\s*{name}\s*=", line):
            return number
    return None


def set_key(toml, key, value):
    """Returns the text with a key changed, added, or removed where the value is None."""
    table, _, name = key.rpartition(".")
    lines = toml.split("\n")
    at = line_of(toml, key)
    if value is None:
        return "\n".join(lines[:at - 1] + lines[at:]) if at else toml
    text = f"{name} = {json.dumps(value)}"
    if at:
        comment = re.search(r"\s+#.*$", lines[at - 1])
        lines[at - 1] = text + (comment[0] if comment else "")
        return "\n".join(lines)
    if not table:
        return "\n".join([text, *lines])
    for number, line in enumerate(lines):
        if re.match(rf"\s*\[{re.escape(table)}\]", line):
            return "\n".join([*lines[:number + 1], text, *lines[number + 1:]])
    return toml.rstrip("\n") + f"\n\n[{table}]\n{text}\n"


class Keys:
    def __init__(self, rows):
        self.rows = {row["key"]: key_row(row) for row in rows}
        tables = {}
        for full, row in self.rows.items():
            tables.setdefault(full.rpartition(".")[0], []).append(row)
        self.tables = [{"table": table, "keys": keys} for table, keys in tables.items()]

    def check(self, toml):
        """Returns what /api/check answers."""
        try:
            given = dict(flat(tomllib.loads(toml)))
        except tomllib.TOMLDecodeError as wrong:
            found = re.search(r"at line (\d+)", str(wrong))
            return refused(f"The scene cannot be read: {wrong}.", int(found[1]) if found else None)
        values = {full: row["default"] for full, row in self.rows.items()}
        for key, value in given.items():
            if key == "channel" or key.startswith("sweep."):
                continue
            if problem := self.problem(key, value):
                return refused(problem, line_of(toml, key))
            values[key] = value
        size, pitch = values["grid.size"], values["grid.pitch_nm"]
        used = sorted(ALWAYS_USED | {key.rpartition(".")[0] for key in given})
        return {"ok": True, "values": values, "given": list(given), "used_tables": used,
                "channels": channels_of(toml),
                "grid": {"extent": size, "voxel_um": [nm / 1000 for nm in pitch]}}

    def problem(self, key, value):
        """Returns what is wrong with a value, or None."""
        row = self.rows.get(key)
        if row is None:
            return f"{key}: there is no such key; see the list of keys."
        if row["kind"] == "choice" and value not in row["choices"]:
            return f"{key} = {value!r}: choose one of {', '.join(row['choices'])}."
        if row["kind"] in ("number", "integer"):
            if not isinstance(value, (int, float)):
                return f"{key} = {value!r} is not a number; give one."
            if ((row["low"] is not None and value < row["low"])
                    or (row["high"] is not None and value > row["high"])):
                return f"{key} = {value} is out of range; give {row['low']} to {row['high']}."
        return None


def refused(sentence, line):
    return {"ok": False, "error": sentence, "line": line}


def channels_of(toml):
    return [each.get("name", "") for each in tomllib.loads(toml).get("channel", [])]
