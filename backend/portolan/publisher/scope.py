"""What one publisher publishes: the sites of some groups. Of each group there is one publisher at a time."""

from collections.abc import Iterable
from typing import NamedTuple, Self

from ..sites.groups import MAIN_GROUP
from ..sites.registry import Registry
from .problem import UsageError


class Scope(NamedTuple):
    name: str
    """Names the publisher: the main group's where it has that."""
    groups: tuple[str, ...]
    sites: frozenset[str]
    is_whole: bool
    """Whether it has all sites of the registry."""

    @property
    def is_shared(self) -> bool:
        """Whether it is the one with the main group, which does what there is to do for the whole installation."""
        return self.name == MAIN_GROUP

    @classmethod
    def whole(cls, registry: Registry) -> Self:
        return cls._of(registry, MAIN_GROUP, [MAIN_GROUP, *registry.groups])

    @classmethod
    def shared(cls, registry: Registry) -> Self:
        """All groups without a publisher of their own."""
        return cls._of(registry, MAIN_GROUP, registry.shared_groups)

    @classmethod
    def own(cls, registry: Registry, group: str) -> Self:
        """Raises UsageError where the group has no publisher of its own."""
        names = [name for name, found in registry.groups.items() if found.publisher == "own"]
        if group not in names:
            raise UsageError(
                f"No group {group!r} has a publisher of its own (there are: {', '.join(names) or 'none'}), so nothing was "
                f'published. Write publisher = "own" under [groups.{group}] in the registry, or name another.'
            )
        return cls._of(registry, group, [group])

    @classmethod
    def around(cls, registry: Registry, sites: Iterable[str]) -> Self:
        """The groups that these sites are in; all where none is named."""
        groups = {registry.sites[site].group or MAIN_GROUP for site in sites if site in registry.sites}
        return cls._of(registry, min(groups), sorted(groups)) if groups else cls.whole(registry)

    @classmethod
    def _of(cls, registry: Registry, name: str, groups: Iterable[str]) -> Self:
        of_groups = tuple(groups)
        sites = frozenset(registry.sites_of(of_groups))
        return cls(name, of_groups, sites, sites == registry.sites.keys())
