"""Compare a page with its source on another site, block by block.

Three versions count: the page itself, its source now, and the base. The base is the source's content that was last
taken over into the page.
"""

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Final

from .merging import BODY, Path, Version

_KEPT: Final = "kept "


class State(StrEnum):
    """The relation of a field or block to its source."""

    FOLLOWS = "follows"
    """Changes of the source appear here."""
    OWN = "own"
    """It differs from the source, or an editor keeps it."""
    CHANGED = "changed"
    """It is own, and the source has changed since."""


def find_states(base: Version, source: Version, own: Version, kept: Collection[Path] = ()) -> dict[Path, State]:
    """Return the state of each field, ``(name,)``, and each block, ``("body", id)``.

    A block that was deleted here is included. ``kept``: the paths that an editor has made own without a change.
    """
    base = with_kept(base, own, kept)
    found: dict[Path, State] = {
        (name,): _compare(base.fields.get(name), source.fields.get(name), value) for name, value in own.fields.items()
    }
    for id in dict.fromkeys([*own.blocks, *base.blocks]):
        blocks = (base.blocks.get(id), source.blocks.get(id), own.blocks.get(id))
        if (state := _compare_blocks(*blocks)) is not None:
            found[BODY, id] = state
    for path in kept:
        if found.get(path) is State.FOLLOWS:
            found[path] = State.OWN
    return found


def with_kept(base: Version, own: Version, kept: Collection[Path]) -> Version:
    """Return the base for a merge in which a change of the source meets an own text at each path of ``kept``.

    A value that is kept and still equal to the base counts as changed here.
    """
    if not kept:
        return base
    fields = {name: _keep(value, own.fields.get(name), (name,) in kept) for name, value in base.fields.items()}
    blocks = {
        id: {name: _keep(value, own.blocks.get(id, {}).get(name), (BODY, id) in kept) for name, value in block.items()}
        for id, block in base.blocks.items()
    }
    return Version(fields, blocks)


def _keep(base: str, own: str | None, is_kept: bool) -> str:
    return _KEPT + base if is_kept and own == base else base


def _compare_blocks(
    base: Mapping[str, str] | None, source: Mapping[str, str] | None, own: Mapping[str, str] | None
) -> State | None:
    """Return None for a block that both sides lack."""
    if own is None:
        if source is None:
            return None
        return State.OWN if source == base else State.CHANGED
    if source is None:
        if base is None:
            return State.OWN
        return State.FOLLOWS if own == base else State.CHANGED
    base = base or {}
    found = {_compare(base.get(name), source.get(name), own.get(name)) for name in {*own, *source}}
    return next(state for state in reversed(State) if state in found)


def _compare(base: str | None, source: str | None, own: str | None) -> State:
    if own in (base, source):
        return State.FOLLOWS
    return State.OWN if source == base else State.CHANGED
