"""Merge the changes of two editors who started from the same version of a page.

Only the equality of values counts, so versions consist of digests.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

Side = Literal["mine", "theirs"]
Path = tuple[str, ...]
"""A field; or ``body``, a block's ID and optionally its field. ``body`` alone means the order of the blocks."""
BODY: Final = "body"


class Version(NamedTuple):
    fields: Mapping[str, str]
    """Digests by name, without the body."""
    blocks: Mapping[str, Mapping[str, str]]
    """Digests of the fields by block ID, in the order of the blocks."""


class Merge(NamedTuple):
    fields: dict[str, Side]
    blocks: dict[str, dict[str, Side]]
    """The merged body in its order: the side that each block field comes from."""
    taken: list[Path]
    """Paths of their changes that the merge contains and mine did not."""
    conflicts: list[Path]
    """Paths that both changed and for which no choice has been made."""


def merge(base: Version, theirs: Version, mine: Version, choices: Mapping[Path, Side]) -> Merge:
    """Merge two versions that started from ``base``. ``choices``: the side to use where both changed a value."""
    return _Merger(base, theirs, mine, choices).run()


def differences(before: Version, after: Version) -> list[Path]:
    """Return the paths at which two versions differ: of a new block each field, of a deleted block the block alone."""
    found: list[Path] = _differing((), before.fields, after.fields)
    for id, fields in after.blocks.items():
        found += _differing((BODY, id), before.blocks.get(id, {}), fields)
    found += [(BODY, id) for id in before.blocks if id not in after.blocks]
    orders = [[id for id in one.blocks if id in other.blocks] for one, other in ((before, after), (after, before))]
    return found if orders[0] == orders[1] else [*found, (BODY,)]


def _differing(path: Path, before: Mapping[str, str], after: Mapping[str, str]) -> list[Path]:
    names = dict.fromkeys([*after, *before])
    return [(*path, name) for name in names if before.get(name) != after.get(name)]


class _Merger:
    def __init__(self, base: Version, theirs: Version, mine: Version, choices: Mapping[Path, Side]) -> None:
        self._base = base
        self._theirs = theirs
        self._mine = mine
        self._choices = choices
        self._taken: list[Path] = []
        self._conflicts: list[Path] = []

    def run(self) -> Merge:
        fields = self._pick((), self._base.fields, self._theirs.fields, self._mine.fields)
        picked = {id: found for id in self._ids() if (found := self._pick_block(id)) is not None}
        return Merge(fields, {id: picked[id] for id in self._order(picked)}, self._taken, self._conflicts)

    def _ids(self) -> list[str]:
        return [*self._mine.blocks, *(id for id in self._theirs.blocks if id not in self._mine.blocks)]

    def _pick(
        self, path: Path, base: Mapping[str, str], theirs: Mapping[str, str], mine: Mapping[str, str]
    ) -> dict[str, Side]:
        names = dict.fromkeys([*mine, *theirs])
        return {name: self._side((*path, name), base.get(name), theirs.get(name), mine.get(name)) for name in names}

    def _side(self, path: Path, base: object, theirs: object, mine: object) -> Side:
        if theirs in (mine, base):
            return "mine"
        if mine == base:
            self._taken.append(path)
            return "theirs"
        return self._choose(path)

    def _choose(self, path: Path) -> Side:
        """Return the chosen side. Until there is a choice it is "mine", which has no effect, because
        conflicts prevent saving."""
        side = self._choices.get(path)
        if side is None:
            self._conflicts.append(path)
        elif side == "theirs":
            self._taken.append(path)
        return side or "mine"

    def _pick_block(self, id: str) -> dict[str, Side] | None:
        """Return None for a deleted block."""
        base, theirs, mine = (version.blocks.get(id) for version in (self._base, self._theirs, self._mine))
        path = BODY, id
        if mine is not None and theirs is not None:
            return self._pick(path, base or {}, theirs, mine)
        if mine is not None:
            if base is None or self._side(path, base, None, mine) == "mine":
                return dict.fromkeys(mine, "mine")
            return None
        assert theirs is not None
        if base is None:
            self._taken.append(path)
            return dict.fromkeys(theirs, "theirs")
        return dict.fromkeys(theirs, "theirs") if self._side(path, base, theirs, None) == "theirs" else None

    def _order(self, picked: Mapping[str, object]) -> list[str]:
        """Return the merged order of blocks: the order of the side that moved blocks. A block that only the other side
        has follows the block that it followed there.
        """
        base, theirs, mine = (
            [id for id in version.blocks if id in picked] for version in (self._base, self._theirs, self._mine)
        )
        common = {id for id in theirs if id in self._mine.blocks}
        known = common & {*base}
        orders = [[id for id in version if id in known] for version in (base, theirs, mine)]
        side = self._side((BODY,), *orders) if orders[1] != orders[2] else "mine"
        first, second = (theirs, mine) if side == "theirs" else (mine, theirs)
        return put_between(first, second)


def put_between(order: Sequence[str], others: Iterable[str]) -> list[str]:
    """Return ``order`` with the other IDs inserted, each after the ID that it follows in ``others``."""
    found = list(order)
    at = 0
    for id in others:
        if id in found:
            at = found.index(id) + 1
        else:
            found.insert(at, id)
            at += 1
    return found
