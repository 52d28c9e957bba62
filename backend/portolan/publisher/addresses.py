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
        """Absolute address of a page; never with a trailing slash."""
        return self._origins[site] + ("" if path == "/" else path)

    def locate(self, url: str) -> tuple[str, str] | None:
        """Splits an absolute URL on one of our sites into the site and the rest: the reverse of ``url``."""
        parts = urlsplit(url)
        site = self._sites.get(f"{parts.scheme}://{parts.netloc}".lower())
        return (site and (site, url[len(parts.scheme) + 3 + len(parts.netloc) :] or "/")) or None

    def target(self, site: str, url: str) -> Target | None:
        """The page on one of our sites that a link on ``site`` leads to."""
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
        """Whether a web address belongs to somebody else: neither ours nor a ``mailto:``. The people site is not ours."""
        return urlsplit(url).scheme in ("http", "https") and self.locate(url) is None

    def alternates(self, site: str) -> frozenset[str]:
        """Keys of the sites whose pages are alternates of this one's, with itself. None for one that left the registry."""
        return self._alternates.get(site, frozenset())

    def languages(self, site: str) -> list[Site]:
        """Those of them that its language switcher lists, in the registry's order."""
        return self._languages[site]

    def site(self, key: str) -> Site:
        return self.registry.sites[key]
