"""Every site's origin in one environment, and the absolute URLs of its pages."""

from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from ..domain.routes import normalise_path
from ..schemas.codes import Environment
from ..sites.registry import Registry, Site


class Target(NamedTuple):
    site: str
    path: str
    anchor: str


class Addresses:
    """Origins of all sites in one environment."""

    def __init__(self, registry: Registry, environment: Environment, port: int) -> None:
        self.registry = registry
        self.environment = environment
        self.port = port
        self.closed = registry.environments[environment].robots == "closed"
        self._origins = {key: site.origin(environment, port) for key, site in registry.sites.items()}
        self._sites = {origin: key for key, origin in self._origins.items()}
        groups = {key: registry.alternates_of(key) for key in registry.sites}
        self._alternates = {key: frozenset(other.key for other in others) for key, others in groups.items()}
        self._languages = {key: [other for other in others if other.switcher.listed] for key, others in groups.items()}

    def origin(self, site: str) -> str:
        return self._origins[site]

    def url(self, site: str, path: str) -> str:
        """Return a page's absolute URL, without a trailing slash."""
        return self._origins[site] + ("" if path == "/" else path)

    def locate(self, url: str) -> tuple[str, str] | None:
        """Split an absolute URL on our sites into site and path, reversing ``url``."""
        parts = urlsplit(url)
        site = self._sites.get(f"{parts.scheme}://{parts.netloc}".lower())
        return (site and (site, url[len(parts.scheme) + 3 + len(parts.netloc) :] or "/")) or None

    def target(self, site: str, url: str) -> Target | None:
        """Return the page on one of our sites that a link on ``site`` points to, or None."""
        if url.startswith("/") and not url.startswith("//"):
            where, rest = site, url
        else:
            found = self.locate(url)
            if found is None:
                return None
            where, rest = found
        rest, _, anchor = rest.partition("#")
        return Target(where, normalise_path(unquote(rest.partition("?")[0])), unquote(anchor))

    def is_external(self, url: str) -> bool:
        """Return True for a web address outside our sites.

        The people site counts as outside, a ``mailto:`` does not.
        """
        return urlsplit(url).scheme in ("http", "https") and self.locate(url) is None

    def alternates(self, site: str) -> frozenset[str]:
        """Return the sites in a site's translation group; empty for a removed site.

        Keys, with the site's own.
        """
        return self._alternates.get(site, frozenset())

    def languages(self, site: str) -> list[Site]:
        """Return the group's sites in the language switcher, in configured order."""
        return self._languages[site]

    def site(self, key: str) -> Site:
        return self.registry.sites[key]
