"""Check whether visitors get the published pages.

Requests some pages of each site at its own URL, and compares them with the live build, then with earlier builds.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from ..builds.manifest import BuildError, Manifest, list_readable, read_manifest
from .answers import Answer, expect_answer, page_url
from .ask import ask

MOST_PAGES: Final = 5
"""Pages requested of one site."""
_EARLIER_BUILDS: Final = 3
"""Earlier builds to compare with a response that differs from the live build."""

Ask = Callable[[Collection[str]], Mapping[str, Answer | str]]


class Verdict(StrEnum):
    """Results in ascending severity. The most severe of several pages is the site's."""

    SAME = "same"
    OTHER = "other"
    """The response is in no build: a proxy in front changes it, or another site responds."""
    EARLIER = "earlier"
    """The response is an earlier build's: the edge or a cache in front does not have the new one yet."""
    UNREACHABLE = "unreachable"


_WORST: Final = list(Verdict)


class Seen(NamedTuple):
    """The result for one site."""

    verdict: Verdict
    pages: int
    """Number of pages requested."""
    path: str = ""
    """The first page with this verdict, unless it is ``SAME``."""
    why: str = ""
    """For ``UNREACHABLE``, the end of a sentence; for ``OTHER``, the status received."""


class Asked(NamedTuple):
    """A site with some of its pages, and its live build."""

    site: str
    origin: str
    build: str
    paths: Sequence[str]


def verify(builds: Path, sites: Iterable[Asked], ask_for: Ask = ask) -> dict[str, Seen]:
    """Return the results by site.

    A site with an unreadable build is left out, because the edge reports it.
    """
    known: dict[Asked, Manifest] = {}
    for site in sites:
        with suppress(BuildError):
            known[site] = read_manifest(builds, site.site, site.build)
    urls = {page_url(site.origin, path) for site in known for path in site.paths}
    came = ask_for(urls)
    return {site.site: _judge(builds, site, manifest, came) for site, manifest in known.items()}


def _judge(builds: Path, site: Asked, manifest: Manifest, came: Mapping[str, Answer | str]) -> Seen:
    worst = Seen(Verdict.SAME, len(site.paths))
    for path in site.paths:
        answer = came[page_url(site.origin, path)]
        seen = worst
        if isinstance(answer, str):
            seen = Seen(Verdict.UNREACHABLE, len(site.paths), path, answer)
        elif answer != expect_answer(manifest, site.origin, path):
            is_earlier = any(
                answer == expect_answer(earlier, site.origin, path) for earlier in _earlier(builds, manifest)
            )
            verdict = Verdict.EARLIER if is_earlier else Verdict.OTHER
            seen = Seen(verdict, len(site.paths), path, "" if is_earlier else str(answer.status))
        if _WORST.index(seen.verdict) > _WORST.index(worst.verdict):
            worst = seen
    return worst


def _earlier(builds: Path, manifest: Manifest) -> Iterable[Manifest]:
    heads = [head for head in list_readable(builds, manifest.site) if head.number < manifest.number]
    for head in heads[:_EARLIER_BUILDS]:
        with suppress(BuildError):
            yield read_manifest(builds, manifest.site, head.build)
