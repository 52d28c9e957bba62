"""The scope of a publisher: the sites of some groups.

Each group has one publisher at a time.
"""

from collections.abc import Iterable
from typing import NamedTuple, Self

from ..sites.groups import MAIN_GROUP
from ..sites.registry import Registry
from .problem import UsageError


class Scope(NamedTuple):
    name: str
    """Name of the publisher: the main group's if it has that."""
    groups: tuple[str, ...]
    sites: frozenset[str]
    is_whole: bool
    """True if it has all configured sites."""

    @property
    def is_shared(self) -> bool:
        """True for the main group's publisher, which works for the whole installation."""
        return self.name == MAIN_GROUP

    @classmethod
    def whole(cls, registry: Registry) -> Self:
        return cls._of(registry, MAIN_GROUP, [MAIN_GROUP, *registry.groups])

    @classmethod
    def shared(cls, registry: Registry) -> Self:
        """Return the scope of all groups without their own publisher."""
        return cls._of(registry, MAIN_GROUP, registry.shared_groups)

    @classmethod
    def own(cls, registry: Registry, group: str) -> Self:
        """Return the scope of one group.

        Raise UsageError if it has no publisher of its own.
        """
        names = [name for name, found in registry.groups.items() if found.publisher == "own"]
        if group not in names:
            raise UsageError(
                f"Group {group!r} has no publisher of its own, so nothing was published. Groups with one: "
                f'{", ".join(names) or "none"}. Write publisher = "own" under [groups.{group}] in sites.toml, or name '
                "another group."
            )
        return cls._of(registry, group, [group])

    @classmethod
    def around(cls, registry: Registry, sites: Iterable[str]) -> Self:
        """Return the scope of the groups of these sites, or of all groups without any."""
        groups = {registry.sites[site].group or MAIN_GROUP for site in sites if site in registry.sites}
        return cls._of(registry, min(groups), sorted(groups)) if groups else cls.whole(registry)

    @classmethod
    def _of(cls, registry: Registry, name: str, groups: Iterable[str]) -> Self:
        of_groups = tuple(groups)
        sites = frozenset(registry.sites_of(of_groups))
        return cls(name, of_groups, sites, sites == registry.sites.keys())
