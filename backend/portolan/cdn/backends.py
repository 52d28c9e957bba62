"""How each kind of CDN is told to drop something: Wagtail's frontend-cache backends, and what they lack. All take URLs; those
that purge by key find it from the URL."""

import logging
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import requests
from wagtail.contrib.frontend_cache.backends import CloudflareBackend, CloudfrontBackend, HTTPBackend
from wagtail.contrib.frontend_cache.backends.base import BaseBackend

from ..domain.cdn import page_key
from ..domain.words import say_not_installed
from ..sites.cdn import Cdn
from .changes import EVERYTHING

_TIMEOUT_S: Final = 20
_NOT_KEPT: Final = (404, 412)
"""A proxy says so of what it has not kept: that is no failure."""
_LOGGER: Final = "wagtail.frontendcache"
_FASTLY: Final = "https://api.fastly.com"

MOST_URLS: Final = {"cloudflare": 1000, "fastly": 2560, "cloudfront": 100}
"""With more, all of a site is dropped: that is one request, and quicker for everybody. CloudFront charges for each path.
A proxy takes each by itself; some of them know no other."""

KeyOf = Callable[[str], str]


class PurgeError(Exception):
    """A CDN was not told; the message says which, and what it answered."""


class CloudflareByTag(CloudflareBackend):  # type: ignore[misc]
    """Wagtail's names URLs, of which Cloudflare knows each query as another one, and never a whole site."""

    CHUNK_SIZE = 100

    def __init__(self, params: dict[str, Any]) -> None:
        self._key_of: KeyOf = params.pop("KEY_OF")
        super().__init__(params)

    def _purge_urls(self, urls: Sequence[str]) -> None:
        reply = requests.post(
            self.cloudflare_purge_endpoint_url,
            json={"tags": [self._key_of(url) for url in urls]},
            headers={"Authorization": f"Bearer {self.cloudflare_token}"},
            timeout=_TIMEOUT_S,
        )
        _check(reply)
        if not reply.json().get("success"):
            raise PurgeError("; ".join(str(error.get("message")) for error in reply.json().get("errors", ())))


class FastlyBackend(BaseBackend):  # type: ignore[misc]
    """Wagtail has none."""

    CHUNK_SIZE = 256

    def __init__(self, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._key_of: KeyOf = params["KEY_OF"]
        self._address = f"{_FASTLY}/service/{params['SERVICE']}/purge"
        self._token = params["TOKEN"]

    def purge(self, url: str) -> None:
        self.purge_batch([url])

    def purge_batch(self, urls: Sequence[str]) -> None:
        for start in range(0, len(urls), self.CHUNK_SIZE):
            keys = " ".join(self._key_of(url) for url in urls[start : start + self.CHUNK_SIZE])
            headers = {"Fastly-Key": self._token, "Surrogate-Key": keys, "Accept": "application/json"}
            _check(requests.post(self._address, headers=headers, timeout=_TIMEOUT_S))


def purge(cdn: Cdn, secret: str, sites: Mapping[str, str], urls: Sequence[str]) -> None:
    """Have a CDN drop these URLs. ``sites``: by origin. Raises PurgeError, and does not hang."""
    with _failures_raised(), _within(_TIMEOUT_S):
        for backend in _open(cdn, secret, sites):
            backend.purge_batch(list(urls))


def _open(cdn: Cdn, secret: str, sites: Mapping[str, str]) -> list[Any]:
    def key_of(url: str) -> str:
        parts = urlsplit(url)
        site, path = sites[f"{parts.scheme}://{parts.netloc}"], unquote(parts.path)
        return site if path == EVERYTHING else page_key(site, path)

    match cdn.kind:
        case "cloudflare":
            return [CloudflareByTag({"ZONEID": cdn.zone, "BEARER_TOKEN": secret, "KEY_OF": key_of})]
        case "fastly":
            return [FastlyBackend({"SERVICE": cdn.service, "TOKEN": secret, "KEY_OF": key_of})]
        case "cloudfront":
            if find_spec("boto3") is None:
                raise PurgeError(f"this needs {say_not_installed('boto3', 'cloudfront')}")
            return [CloudfrontBackend({"DISTRIBUTION_ID": cdn.distribution})]
        case "http":
            return [HTTPBackend({"LOCATION": url}) for url in cdn.urls]


def _check(reply: requests.Response) -> None:
    if reply.status_code != 200:
        raise PurgeError(f"it answered {reply.status_code}: {reply.text[:200]}")


@contextmanager
def _failures_raised() -> Iterator[None]:
    """Wagtail's backends log what fails, and go on."""
    said: list[str] = []

    class Notes(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if not (isinstance(record.args, tuple) and any(each in _NOT_KEPT for each in record.args)):
                said.append(record.getMessage())

    logger, notes = logging.getLogger(_LOGGER), Notes(logging.ERROR)
    was_passed_on, logger.propagate = logger.propagate, False
    logger.addHandler(notes)
    try:
        yield
    except PurgeError:
        raise
    except Exception as error:  # each library has errors of its own
        raise PurgeError(f"{type(error).__name__}: {error}") from error
    finally:
        logger.removeHandler(notes)
        logger.propagate = was_passed_on
    if said:
        raise PurgeError(said[0] if len(said) == 1 else f"{said[0]} (and {len(said) - 1} more)")


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Wagtail's HTTPBackend waits for ever otherwise."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(seconds)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)
