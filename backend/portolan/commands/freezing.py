"""What of a publish changes the database. Whether there is anything to do is asked of the raw reader; a ``Freezer`` does it,
because that takes Django and the content models, which a publisher that stays does not load.
"""

from datetime import date, datetime
from typing import Protocol

import orjson

from ..releases.figures import FIGURES_KEY, build_figures
from ..releases.reader import ReleaseReader
from ..sites.registry import Registry


class Freezer(Protocol):
    """Does it in this process (``freezer.DjangoFreezer``) or in another one (``freezer_process.FreezerProcess``).
    Whatever is asked for can be asked for again: what has been done already stays as it is.
    """

    def run_schedule(self, now: datetime) -> list[str]:
        """Publish and expire what is due. Returns a sentence for each page that could not be."""

    def create_release(self, today: date) -> None:
        """Freeze what is pending."""

    def note_everything(self) -> None:
        """Note a change of every item, so that the next release compares them all."""

    def tidy(self, before: int | None) -> None:
        """Remove what only releases before that one need (none: nothing of them)."""

    def settle(self, request: int, problem: str) -> None:
        """Answer a live request; ``problem`` says why it could not be done."""


def run_scheduled(reader: ReleaseReader, freezer: Freezer, now: datetime) -> list[str]:
    """Publish and expire the pages whose time has come. Returns a sentence for each that could not be."""
    due = reader.next_scheduled()
    if due is None or due > now:
        return []
    return freezer.run_schedule(now)


def freeze_pending(
    reader: ReleaseReader, freezer: Freezer, registry: Registry, today: date, blocked_too: bool = False
) -> None:
    """Make a release of changed content or changed placeholder values, if there are any. ``blocked_too``: also try
    again the changes that no release could take, even if nothing has changed since; a missing file may be back.
    """
    newest = reader.latest()
    if (
        newest is not None
        and not reader.is_pending()
        and not (blocked_too and reader.blocked_changes())
        and not _figures_differ(reader, newest, registry, today)
    ):
        return
    freezer.create_release(today)


def _figures_differ(reader: ReleaseReader, release: int, registry: Registry, today: date) -> bool:
    """On the company's birthday, on New Year's day, or after an edit of the registry."""
    item = reader.item(release, *FIGURES_KEY)
    return item is None or orjson.loads(item.body) != build_figures(registry, today)
