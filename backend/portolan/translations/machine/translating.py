"""Write machine translations of pages into drafts. Each text is marked until a person approves it."""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from ..exchange.apply import Options, Report, apply
from ..exchange.collect import Collected
from ..exchange.inline import split
from ..exchange.pages import draft_of, find_ids_by_key, load_pairs
from ..exchange.units import PageUnits, Returned, Unit, mark_of
from ..segments import read_segments
from .approval import digest_words, mark
from .propose import Words, propose
from .providers import NoTranslation, Provider, open_provider


class Stopped(Exception):
    """The service stopped. Drafts of earlier pages are kept."""

    def __init__(self, reason: NoTranslation, report: Report) -> None:
        super().__init__(str(reason))
        self.report = report


def translate_pages(
    site: str,
    user: Any,
    addresses: Collection[str] = (),
    add_blocks: bool = False,
    provider: Provider | None = None,
) -> Report:
    """Draft the missing translations of texts, and return a report. Texts of people are never replaced.

    ``addresses``: paths on the source site; empty for all pages that the site lacks. ``add_blocks``: also copy blocks
    of the source that a translation lacks.
    Raise NothingToDo, NoTranslation before the first page, or Stopped.
    """
    collected = Collected(site, addresses, only="all" if addresses else "missing")
    service = provider or open_provider()
    report = Report()
    for page in collected.pages():
        try:
            _translate(page, collected, user, Options(add_blocks=add_blocks), service, report)
        except NoTranslation as error:
            raise Stopped(error, report) from error
    report.left_out += (
        f"{address}: the site {site} shows a live copy of it. Make it a page of its own in the studio first."
        for address in (collected.copies if addresses else ())
    )
    return report


def _translate(
    page: PageUnits, collected: Collected, user: Any, options: Options, service: Provider, report: Report
) -> None:
    units = [unit for unit in page.units if not unit.is_done and unit.target in ("", unit.source)]
    words = [Words(unit.source, unit.kind) for unit in units]
    proposals = propose(words, collected.languages.source, collected.languages.target, service)
    report.left_out += (
        f"{page.address}, {unit.label}: {proposal.problem} It was not translated."
        for unit, proposal in zip(units, proposals, strict=True)
        if proposal.problem
    )
    texts = {
        unit: proposal.text
        for unit, proposal in zip(units, proposals, strict=True)
        if proposal.text and proposal.text != unit.source
    }
    if not texts:
        return
    with transaction.atomic():
        returned = [_returned(page.key, unit, text) for unit, text in texts.items()]
        _add(report, apply(returned, collected.site.key, user, options))
        digests = {digest_words(text, unit.kind) for unit, text in texts.items()}
        mark(page.key, collected.site.key, digests & _digests_of_draft(page.key, collected), service.name)


def _returned(key: UUID, unit: Unit, text: str) -> Returned:
    return Returned(key, unit.path, split(unit.source, unit.kind), split(text, unit.kind), mark_of(unit.target))


def _digests_of_draft(key: UUID, collected: Collected) -> set[str]:
    pairs = load_pairs(find_ids_by_key(collected.source, [key]), collected.site)
    drafts = [draft_of(pair.page) for pair in pairs if pair.page]
    return {digest_words(segment.text, segment.kind) for draft in drafts for segment in read_segments(draft)}


def _add(report: Report, other: Report) -> None:
    report.texts += other.texts
    report.unchanged += other.unchanged
    lists: Sequence[str] = ("created", "changed", "left_out", "notices")
    for name in lists:
        getattr(report, name).extend(getattr(other, name))
