"""Store the results of checking releases at the sites' own URLs."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from django.utils import timezone

from .models import Verification


class Answered(NamedTuple):
    verdict: str
    """A ``delivery_status.verify.Verdict``."""
    build: str
    pages: int
    path: str
    why: str
    at: datetime
    """Time since which the result is the same."""


def keep_answers(release: int, answers: Mapping[str, tuple[str, str, int, str, str]]) -> None:
    """Store results, by site: verdict, build, pages, path and reason.

    Known results are not written again, and a site that was verified once stays verified.
    """
    known = read_answers(release)
    for site, (verdict, build, pages, path, why) in answers.items():
        before = known.get(site)
        if before and (before.verdict == "same" or before[:1] + before[3:5] == (verdict, path, why[:200])):
            continue
        Verification.objects.update_or_create(
            release=release,
            site=site,
            defaults={
                "verdict": verdict,
                "build": build,
                "pages": pages,
                "path": path,
                "why": why[:200],
                "at": timezone.now(),
            },
        )


def read_answers(release: int) -> dict[str, Answered]:
    """Return the results by site."""
    rows = Verification.objects.filter(release=release)
    return {row.site: Answered(row.verdict, row.build, row.pages, row.path, row.why, row.at) for row in rows}
