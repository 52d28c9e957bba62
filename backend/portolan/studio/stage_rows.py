"""The duration of each stage of a publish."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from django.utils.translation import gettext, gettext_noop

from ..publisher.stages import STAGES

_WORDS: Final[Mapping[str, str]] = {
    "freeze": gettext_noop("Snapshot: edits become a release"),
    "plan": gettext_noop("Plan: changed pages"),
    "render": gettext_noop("Render"),
    "gate": gettext_noop("Publish checks: links, headings, translations"),
    "store": gettext_noop("Store"),
    "switch": gettext_noop("Switch all sites at once"),
}


class StageRow(NamedTuple):
    name: str
    ms: float
    share: int
    """Share of all stages, in per cent."""


def list_stages(stages: Mapping[str, float]) -> Iterator[StageRow]:
    whole = sum(stages.values()) or 1
    for name in STAGES:
        if name in stages:
            yield StageRow(gettext(_WORDS[name]), stages[name], round(100 * stages[name] / whole))
