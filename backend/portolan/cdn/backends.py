"""Purges for each kind of CDN: Wagtail's frontend-cache backends, extended.

All take URLs. Backends that purge by key derive the key from the URL.
"""

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
"""A proxy's status for a URL that it has not cached, which is a success."""
_LOGGER: Final = "wagtail.frontendcache"
_FASTLY: Final = "https://api.fastly.com"

MOST_URLS: Final = {"cloudflare": 1000, "fastly": 2560, "cloudfront": 100}
"""With more URLs, the whole site is dropped, which is one request and quicker. CloudFront charges for each path.
Kinds that are not listed, such as proxies, get each URL, because some of them support nothing else."""

KeyOf = Callable[[str], str]


class PurgeError(Exception):
    """A purge failed. The message has the CDN's answer."""


class CloudflareByTag(CloudflareBackend):  # type: ignore[misc]
    """Purges by tag.

    Wagtail's backend purges URLs, for which Cloudflare caches each query apart, and no whole site.
    """

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
    """Purges Fastly by surrogate key, because Wagtail has no backend for it."""

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
    """Drop these URLs from a CDN, with a time limit.

    ``sites``: by origin. Raise PurgeError.
    """
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
        raise PurgeError(f"it returned {reply.status_code}: {reply.text[:200]}")


@contextmanager
def _failures_raised() -> Iterator[None]:
    """Raise PurgeError for failures that Wagtail's backends only log."""
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
    except Exception as error:  # each library has its own errors
        raise PurgeError(f"{type(error).__name__}: {error}") from error
    finally:
        logger.removeHandler(notes)
        logger.propagate = was_passed_on
    if said:
        raise PurgeError(said[0] if len(said) == 1 else f"{said[0]} (and {len(said) - 1} more)")


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Set a timeout, because Wagtail's HTTPBackend has none."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(seconds)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)
