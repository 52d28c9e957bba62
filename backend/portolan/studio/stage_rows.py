"""How long each stage of a publish took, for the screens that tell of one."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from ..publisher.stages import STAGES

_WORDS: Final[Mapping[str, str]] = {
    "freeze": "Freeze: edits become a release",
    "plan": "Plan: which pages differ",
    "render": "Render",
    "gate": "Gate: links, headings, translations",
    "store": "Store",
    "switch": "Switch: all sites at once",
}


class StageRow(NamedTuple):
    name: str
    ms: float
    share: int
    """Of all stages, in per cent."""


def list_stages(stages: Mapping[str, float]) -> Iterator[StageRow]:
    whole = sum(stages.values()) or 1
    for name in STAGES:
        if name in stages:
            yield StageRow(_WORDS[name], stages[name], round(100 * stages[name] / whole))
