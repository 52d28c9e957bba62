"""Convert indexed form keys to nested values: ``contact[name]``, ``services[0]``, ``team[0][role]`` (spec §7 POST)."""

import re
from collections.abc import Iterable
from typing import Final

from .refusals import INVALID_VALUE, LeadRefused, refuse

DEEPEST: Final = 5
"""Names and indices of one key: ``a[b][c][d][e]``."""
HIGHEST_INDEX: Final = 50
LONGEST_KEY: Final = 200

FormValue = str | list["FormValue"] | dict[str, "FormValue"]

_KEY: Final = re.compile(r"([^\[\]]+)((?:\[[^\[\]]+\])*)")
_STEP: Final = re.compile(r"\[([^\[\]]+)\]")
_INDEX: Final = re.compile(r"0|[1-9][0-9]*", re.ASCII)

_Node = dict[str | int, "str | _Node"]


def build_form(fields: Iterable[tuple[str, str]]) -> dict[str, FormValue]:
    """Return fields in any order as one nested value.

    Raise LeadRefused for an invalid, too deep or repeated key, for conflicting keys (``a`` and ``a[b]``, ``a[b]`` and
    ``a[0]``), and for an array with gaps.
    """
    root: _Node = {}
    for key, value in fields:
        _insert(root, key, value)
    return {str(name): _finish(child, str(name)) for name, child in root.items()}


def split_key(key: str) -> list[str | int]:
    """Return ``team[0][role]`` as ``["team", 0, "role"]``."""
    match = _KEY.fullmatch(key) if len(key) <= LONGEST_KEY else None
    if match is None:
        raise refuse(INVALID_VALUE, key, "is not a field name. Examples: contact[name], services[0], team[0][role]")
    steps: list[str | int] = [match[1]]
    for step in _STEP.findall(match[2]):
        steps.append(int(step) if _INDEX.fullmatch(step) else step)
    if len(steps) > DEEPEST:
        raise refuse(INVALID_VALUE, key, f"is nested deeper than {DEEPEST}")
    if any(isinstance(step, int) and step > HIGHEST_INDEX for step in steps):
        raise refuse(INVALID_VALUE, key, f"has an index beyond {HIGHEST_INDEX}")
    return steps


def join_key(steps: Iterable[str | int]) -> str:
    """Return ``["team", 0, "role"]`` as ``team[0][role]``."""
    first, *others = steps
    return f"{first}{''.join(f'[{step}]' for step in others)}"


def _insert(root: _Node, key: str, value: str) -> None:
    *parents, last = split_key(key)
    node = root
    for step in parents:
        child = node.setdefault(step, {})
        if isinstance(child, str) or not _fits(node, step):
            raise _conflict(key)
        node = child
    if last in node or not _fits(node, last):
        raise _conflict(key)
    node[last] = value


def _fits(node: _Node, step: str | int) -> bool:
    """Return whether all keys of the node are names, or all are indices."""
    return all(type(other) is type(step) for other in node)


def _conflict(key: str) -> LeadRefused:
    return refuse(INVALID_VALUE, key, "is given twice, or as a value and a group")


def _finish(node: "str | _Node", key: str) -> FormValue:
    if isinstance(node, str):
        return node
    if not isinstance(next(iter(node)), int):
        return {str(name): _finish(child, f"{key}[{name}]") for name, child in node.items()}
    if set(node) != set(range(len(node))):
        raise refuse(INVALID_VALUE, key, "has gaps. Number the entries from 0 without gaps")
    return [_finish(node[index], f"{key}[{index}]") for index in range(len(node))]
