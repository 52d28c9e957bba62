"""URLs of the sites in a preview.

The renderer treats previews as another environment: other origins, closed to search engines, without service worker and
third-party scripts.

Pages are rendered with a placeholder for the secret, so that all previews of the same content share one rendering.
``with_secret`` replaces the placeholder.
"""

from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings

from ...domain.previews import SECRET_LENGTH, name_preview_host
from ...publisher.addresses import Addresses
from ...sites.registry import EnvironmentRules, Registry, Tags

_STAND_IN: Final = "portolanpreviewpreviewhost"
assert len(_STAND_IN) == SECRET_LENGTH


def preview_addresses() -> Addresses:
    return _addresses(_Settings(settings.SITES_REGISTRY), settings.PREVIEW_DOMAIN)


def with_secret(data: bytes, secret: str) -> bytes:
    return data.replace(_STAND_IN.encode(), secret.encode())


def preview_url(secret: str, site: str, path: str = "/") -> str:
    """Return the URL of a page in a preview."""
    return f"{_scheme()}://{name_preview_host(secret, site, settings.PREVIEW_DOMAIN)}{path}"


def preview_sources() -> str:
    """Return all preview hosts as a source of a content policy; empty if previews are off."""
    return f"{_scheme()}://*.{settings.PREVIEW_DOMAIN}" if settings.PREVIEW_DOMAIN else ""


def _scheme() -> str:
    return urlsplit(settings.WAGTAILADMIN_BASE_URL).scheme


class _Settings:
    """Makes a registry a cache key, by identity."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Settings) and other.registry is self.registry

    def __hash__(self) -> int:
        return id(self.registry)


@lru_cache(maxsize=2)
def _addresses(given: _Settings, domain: str) -> Addresses:
    registry, environment = given.registry, settings.ENVIRONMENT
    sites = {
        key: site.model_copy(
            update={
                "origins": {environment: f"{_scheme()}://{name_preview_host(_STAND_IN, key, domain)}"},
                "deferred_scripts": [],
                "third_party_scripts": [],
            }
        )
        for key, site in registry.sites.items()
    }
    changed = {
        "sites": sites,
        "company": registry.company.model_copy(update={"service_worker": "off"}),
        "environments": {environment: EnvironmentRules(robots="closed")},
        "tags": Tags(),
        "cdns": [],
    }
    return Addresses(registry.model_copy(update=changed), environment, settings.PORT)
