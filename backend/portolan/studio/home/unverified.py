"""List sites whose public URL does not return the build that went live minutes ago."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.utils import timezone

from ...delivery_status.rounds import LATE_AFTER
from ...releases.connection import connected_reader
from ...releases.reader import Unverified
from ..delivery_status import say_answer
from ..site_names import site_name


class UnverifiedRow(NamedTuple):
    name: str
    """Name of the site."""
    release: int
    said: str
    since: datetime


def list_unverified(among: Collection[str]) -> list[UnverifiedRow]:
    now = timezone.now()
    return [
        UnverifiedRow(site_name(row.site), row.release, _say(row), row.since)
        for row in connected_reader().unverified()
        if row.site in among and now - row.since >= LATE_AFTER
    ]


def _say(row: Unverified) -> str:
    said = say_answer(row.site, row.verdict, row.path, row.why)
    return said if said.startswith("http") else said[:1].upper() + said[1:]
