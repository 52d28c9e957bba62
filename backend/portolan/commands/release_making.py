"""The part of a publish that changes the database.

The raw reader checks whether there is work. A ``ReleaseWorker`` does it, because that needs Django and the content models,
which a publisher that keeps running does not load.
"""

from datetime import date, datetime
from typing import Protocol

import orjson

from ..releases.figures import FIGURES_KEY, build_figures
from ..releases.reader import ReleaseReader
from ..sites.registry import Registry


class ReleaseWorker(Protocol):
    """Change the database in this process (``release_worker.DjangoReleaseWorker``) or another (``release_worker_process.ReleaseWorkerProcess``).

    All methods are idempotent.
    """

    def run_schedule(self, now: datetime) -> list[str]:
        """Publish and expire pages that are due. Return a sentence for each page that failed."""

    def create_release(self, today: date) -> None:
        """Create a release of pending changes."""

    def note_everything(self) -> None:
        """Mark every item as changed, so that the next release compares them all."""

    def tidy(self, before: int | None) -> None:
        """Remove data that only releases before ``before`` need; ``None``: keep all releases."""

    def settle(self, request: int, problem: str) -> None:
        """Answer a live request; ``problem`` says why it failed."""


def run_scheduled(reader: ReleaseReader, release_worker: ReleaseWorker, now: datetime) -> list[str]:
    """Publish and expire pages that are due. Return a sentence for each page that failed."""
    due = reader.next_scheduled()
    if due is None or due > now:
        return []
    return release_worker.run_schedule(now)


def snapshot_pending(
    reader: ReleaseReader, release_worker: ReleaseWorker, registry: Registry, today: date, blocked_too: bool = False
) -> None:
    """Create a release if content or placeholder values have changed.

    ``blocked_too``: also retry blocked changes without newer edits, because a missing file may be back.
    """
    newest = reader.latest()
    if (
        newest is not None
        and not reader.is_pending()
        and not (blocked_too and reader.blocked_changes())
        and not _figures_differ(reader, newest, registry, today)
    ):
        return
    release_worker.create_release(today)


def _figures_differ(reader: ReleaseReader, release: int, registry: Registry, today: date) -> bool:
    """Return whether placeholder values changed: by the company's birthday, New Year's Day or the site configuration."""
    item = reader.item(release, *FIGURES_KEY)
    return item is None or orjson.loads(item.body) != build_figures(registry, today)
