"""What a run of the loader did, counted by kind."""

from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from wagtail.log_actions import registry


class Outcome(StrEnum):
    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    KEPT = "kept"
    """Differs from its fixture, because a person changed it in the studio."""


class SeedReport:
    """Counts outcomes; ``on_step(kind, name)`` is told of each entry as it is begun."""

    def __init__(self, on_step: Callable[[str, str], None] = lambda kind, name: None) -> None:
        self.begin = on_step
        self.counts: dict[str, Counter[Outcome]] = {}

    def note(self, kind: str, outcome: Outcome) -> None:
        self.counts.setdefault(kind, Counter())[outcome] += 1

    def changed_anything(self) -> bool:
        return any(counts[Outcome.CREATED] + counts[Outcome.CHANGED] for counts in self.counts.values())


def was_edited_by_a_person(instance: Any) -> bool:
    """Whether an editor saved it in the studio: then the fixture gives way."""
    return registry.get_logs_for_instance(instance).filter(user__isnull=False).exists()
