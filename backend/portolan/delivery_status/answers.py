"""What a site answers at an address: what a build says it does, and what came when it was asked."""

from typing import NamedTuple
from urllib.parse import quote, urljoin

from ..builds.manifest import Manifest
from ..domain.redirects import GONE, NOT_IN_BUILDS, RedirectTable

_AS_IT_IS = "/~!$&'()*+,;=:@-._"
_IN_LOCATION = "/:?#[]@!$&'()*+,;=%"


class Answer(NamedTuple):
    status: int
    digest: str = ""
    """Of the page's bytes, where the status is 200."""
    location: str = ""
    """Where a redirect leads, whole."""


def page_url(origin: str, path: str) -> str:
    """A page's address as it is asked for."""
    return origin + quote(path, safe=_AS_IT_IS)


def expect_answer(manifest: Manifest, origin: str, path: str) -> Answer:
    """What a site answers that serves this build."""
    if file := manifest.file(path):
        return Answer(200, file.digest)
    is_there = manifest.files.__contains__
    redirect = RedirectTable(manifest.redirects).find(path, lambda own: own.startswith(NOT_IN_BUILDS) or is_there(own))
    if redirect is None:
        return Answer(404)
    if redirect.status == GONE:
        return Answer(GONE)
    return Answer(redirect.status, location=urljoin(origin, quote(redirect.target, safe=_IN_LOCATION)))
