"""A site's response at a URL: as a build defines it, and as received."""

from typing import NamedTuple
from urllib.parse import quote, urljoin

from ..builds.manifest import Manifest
from ..domain.redirects import GONE, NOT_IN_BUILDS, RedirectTable

_AS_IT_IS = "/~!$&'()*+,;=:@-._"
_IN_LOCATION = "/:?#[]@!$&'()*+,;=%"


class Answer(NamedTuple):
    status: int
    digest: str = ""
    """Digest of the page's bytes, if the status is 200."""
    location: str = ""
    """The absolute target of a redirect."""


def page_url(origin: str, path: str) -> str:
    """Return a page's URL, escaped for a request."""
    return origin + quote(path, safe=_AS_IT_IS)


def expect_answer(manifest: Manifest, origin: str, path: str) -> Answer:
    """Return the response of a site that serves this build."""
    if file := manifest.file(path):
        return Answer(200, file.digest)
    is_there = manifest.files.__contains__
    redirect = RedirectTable(manifest.redirects).find(path, lambda own: own.startswith(NOT_IN_BUILDS) or is_there(own))
    if redirect is None:
        return Answer(404)
    if redirect.status == GONE:
        return Answer(GONE)
    return Answer(redirect.status, location=urljoin(origin, quote(redirect.target, safe=_IN_LOCATION)))
