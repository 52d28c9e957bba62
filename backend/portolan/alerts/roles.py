"""Find problems of the installation: processes that do not respond, refused leads, unwritable folders."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ..domain.health import REFUSALS_COUNT_S
from ..observing.role_board import Row
from .causes import FOLDER, LEADS, ROLE, Cause

_SILENT_AFTER_S: Final = 10
_RESTART_IS_NEWS_S: Final = 300
_LOOK: Final = "Read its log. `portolan doctor` on that machine prints more."
_ROOM: Final = "Free disk space, or give the service's user write access. `portolan doctor` prints the folder."


def find_silent_roles(rows: Sequence[Row]) -> Iterator[Cause]:
    """Yield a cause for each silent process. ``rows``: the processes of this command."""
    for row in rows:
        if row.is_starting:
            yield Cause(f"{ROLE} {row.name}", f"The {row.name} does not start.", _LOOK)
        elif row.silent_s > _SILENT_AFTER_S:
            yield _cause(f"{ROLE} {row.name}", f"The {row.name} does not respond.", _LOOK)
        elif row.restarted_s < _RESTART_IS_NEWS_S:
            what = f"The {row.name} did not respond and was restarted."
            yield _cause(f"{ROLE} {row.name}", what, _LOOK)


def find_refused_leads(count: int, ago_s: float, where: str = "") -> Iterator[Cause]:
    """Yield a cause if leads were refused. ``where``: the role that refused them; empty for this command."""
    if ago_s < REFUSALS_COUNT_S:
        leads = "A lead was" if count == 1 else f"{count} leads were"
        what = f"{leads} refused because of a technical problem. Visitors were asked to send again."
        fix = "Database and disk both failed. Check both, and read the API's log."
        yield _cause(f"{LEADS}{f' {where}' if where else ''}", what, fix)


def find_unwritable_folders(sentences: Sequence[str], role: str = "") -> Iterator[Cause]:
    """Yield a cause for each sentence about unwritable folders. ``role``: their owner if it is remote."""
    for said in sentences:
        where = f"{role}: " if role else ""
        yield _cause(f"{FOLDER} {where}{said}", f"{where}{said}", _ROOM)


def find_in_answer(role: str, answer: Mapping[str, Any] | None) -> Iterator[Cause]:
    """Yield the causes in a remote role's ``answer`` at `/-/ready`, or one cause if it did not respond."""
    if answer is None:
        yield _cause(f"{ROLE} {role}", f"The {role} does not respond.", _LOOK)
        return
    for name in answer.get("silent", ()):
        yield _cause(f"{ROLE} {name}", f"The {name} does not respond.", _LOOK)
    yield from find_unwritable_folders(answer.get("folders", ()), role)
    if refused := answer.get("refusedLeads"):
        yield from find_refused_leads(refused["count"], refused["lastSecondsAgo"], role)


def _cause(key: str, what: str, fix: str) -> Cause:
    return Cause(key, what, fix, is_urgent=True)
