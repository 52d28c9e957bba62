"""Mappings that share their common part.

A build of 100,000 pages differs from the previous one by a few. With an overlay, making, comparing and writing it costs
only those few.
"""

from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any, Final, TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
_GONE: Final[Any] = object()
_SAME: Final[Any] = object()
_FEWEST: Final = 256
_SHARE: Final = 64
"""An overlay is flattened once its changes exceed this part of the mapping below. Each new overlay copies the
changes, so they stay few, and flattening costs little per change."""


class Overlay(MutableMapping[_Key, _Value]):
    """Changes over another mapping, which is shared and never written to.

    Do not change a mapping or an overlay after you passed it to another overlay.
    """

    __slots__ = ("_below", "_changed")
    __hash__ = None  # type: ignore[assignment]  # it changes

    def __init__(self, below: Mapping[_Key, _Value] | None = None) -> None:
        self._below: Mapping[_Key, _Value] = {} if below is None else below
        self._changed: dict[_Key, _Value] = {}
        if isinstance(below, Overlay):
            if len(below._changed) > max(_FEWEST, len(below._below) // _SHARE):
                self._below = flatten(below)
            else:
                self._below, self._changed = below._below, dict(below._changed)

    def __getitem__(self, key: _Key) -> _Value:
        found: _Value = self._changed.get(key, _SAME)
        if found is _SAME:
            return self._below[key]
        if found is _GONE:
            raise KeyError(key)
        return found

    def get(self, key: _Key, default: Any = None) -> Any:
        found: Any = self._changed.get(key, _SAME)
        if found is _SAME:
            return self._below.get(key, default)
        return default if found is _GONE else found

    def __contains__(self, key: object) -> bool:
        found: Any = self._changed.get(key, _SAME)  # type: ignore[arg-type]
        return key in self._below if found is _SAME else found is not _GONE

    def __setitem__(self, key: _Key, value: _Value) -> None:
        if self._below.get(key, _GONE) == value:
            self._changed.pop(key, None)
        else:
            self._changed[key] = value

    def __delitem__(self, key: _Key) -> None:
        if key not in self:
            raise KeyError(key)
        if key in self._below:
            self._changed[key] = _GONE
        else:
            del self._changed[key]

    def __iter__(self) -> Iterator[_Key]:
        changed = self._changed
        yield from (key for key in self._below if key not in changed)
        yield from (key for key, value in changed.items() if value is not _GONE)

    def __len__(self) -> int:
        more = sum((value is not _GONE) - (key in self._below) for key, value in self._changed.items())
        return len(self._below) + more

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        return self is other or difference(self, other) == ({}, [])

    def __repr__(self) -> str:
        return f"Overlay({flatten(self)!r})"


def flatten(mapping: Mapping[_Key, _Value]) -> dict[_Key, _Value]:
    """Return the mapping as a new dictionary."""
    below, changed = _parts(mapping)
    flat = {**below, **changed}
    for key, value in changed.items():
        if value is _GONE:
            del flat[key]
    return flat


def difference(new: Mapping[_Key, _Value], old: Mapping[_Key, _Value]) -> tuple[dict[_Key, _Value], list[_Key]]:
    """Return the changed items of ``new``, and the keys that it lacks.

    If both share the mapping below, only the changes above it are compared.
    """
    if not old:
        return flatten(new), []
    (below, above), (old_below, old_above) = _parts(new), _parts(old)
    if below is old_below:
        keys: Any = {*above, *old_above}
        removed = [key for key in old_above.keys() | above.keys() if key in old and key not in new]
    else:
        keys = new
        removed = [key for key in old if key not in new]
    changed = {}
    for key in keys:
        value, before = new.get(key, _GONE), old.get(key, _GONE)
        if value is not _GONE and value is not before and value != before:
            changed[key] = value
    return changed, removed


def _parts(mapping: Mapping[_Key, _Value]) -> tuple[Mapping[_Key, _Value], Mapping[_Key, Any]]:
    return (mapping._below, mapping._changed) if isinstance(mapping, Overlay) else (mapping, {})
