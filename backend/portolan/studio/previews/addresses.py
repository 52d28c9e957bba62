"""The sites' addresses in a preview. To whatever draws pages, previews are one more environment: other origins, closed to search
engines, without service worker and without the scripts of others.

Pages are drawn with a stand-in for the secret, so that all who look at the same share one drawing; ``with_secret`` puts it in.
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
    """The address of a page of a site in a preview."""
    return f"{_scheme()}://{name_preview_host(secret, site, settings.PREVIEW_DOMAIN)}{path}"


def preview_sources() -> str:
    """All hosts of previews, as a content policy names them; empty where there are none."""
    return f"{_scheme()}://*.{settings.PREVIEW_DOMAIN}" if settings.PREVIEW_DOMAIN else ""


def _scheme() -> str:
    return urlsplit(settings.WAGTAILADMIN_BASE_URL).scheme


class _Settings:
    """A registry as a key: the very same object."""

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
