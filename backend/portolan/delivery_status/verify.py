"""Whether visitors of a site get what was published: its pages are asked for at its own address and compared with the live
build; where they differ, with the builds before it.
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
"""Of one site, that are asked for."""
_EARLIER_BUILDS: Final = 3
"""That an answer is compared with which is not the live build's."""

Ask = Callable[[Collection[str]], Mapping[str, Answer | str]]


class Verdict(StrEnum):
    """In the order in which the worst of several pages is the site's."""

    SAME = "same"
    OTHER = "other"
    """What came is in no build: something in front of the site changes it, or another site stands there."""
    EARLIER = "earlier"
    """As an earlier build has it: the edge, or a cache in front of it, does not know the new one yet."""
    UNREACHABLE = "unreachable"


_WORST: Final = list(Verdict)


class Seen(NamedTuple):
    """What a site answered."""

    verdict: Verdict
    pages: int
    """That were asked for."""
    path: str = ""
    """The first page with this verdict, where that is not ``SAME``."""
    why: str = ""
    """Of what cannot be reached: the end of a sentence. Of ``OTHER``: the status that came."""


class Asked(NamedTuple):
    """A site with some of its pages, and the build that is live there."""

    site: str
    origin: str
    build: str
    paths: Sequence[str]


def verify(builds: Path, sites: Iterable[Asked], ask_for: Ask = ask) -> dict[str, Seen]:
    """By site. A site whose build cannot be read is left out: the edge says what is wrong with it."""
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
