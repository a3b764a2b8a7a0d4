# SPDX-License-Identifier: Apache-2.0
"""Spec files as tests read them, without the program: a table `apis:` written out (docs/formats/yaml.md)."""
import re

import yaml

WHOLE = re.compile(r"\$\{(\w+)\}")


def specs(text):
    """The file as plain data, for each API once; every scalar is a text."""
    root = yaml.load(text, getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    if "apis" not in root:
        return [root]
    rest = {key: value for key, value in root.items() if key not in ("apis", "columns")}
    made = []
    for api, row in root["apis"].items():
        columns = {**row, "api": api}
        for name, value in root.get("columns", {}).items():
            columns[name] = filled(value, columns)
        made.append({"api": api, **filled(rest, columns)})
    return made


def filled(value, columns):
    """None where the row leaves it out."""
    if isinstance(value, str):
        whole = WHOLE.fullmatch(value)
        return columns.get(whole[1]) if whole else WHOLE.sub(lambda match: columns[match[1]], value)
    if isinstance(value, list):
        items = [(item, filled(item, columns)) for item in value]
        return [one for item, made in items if made is not None
                for one in (made if isinstance(made, list) and chosen_column(item) else [made])]
    if column := chosen_column(value):
        (choices,) = value.values()
        choice = choices.get(columns.get(column), choices.get("else"))
        return None if choice is None else filled(choice, columns)
    return {key: made for key, one in value.items() if (made := filled(one, columns)) is not None}


def chosen_column(value):
    """Of `${column}` and of `{${column}: {word: ...}}`: the column."""
    if isinstance(value, dict) and len(value) == 1:
        (value,) = value
    whole = WHOLE.fullmatch(value) if isinstance(value, str) else None
    return whole and whole[1]
