"""hosts.json: the site of each host.

Written from the site configuration; the edge reads only this file.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import orjson

from ..domain.cdn import CdnRules
from ..schemas.codes import Environment
from ..sites.cdn import rules_of
from ..sites.registry import Registry, Site
from .disk import make_folder, sync_folder, write_whole
from .sealed import number_of, require_believed, seal, without_seal, write_out
from .signing import NO_KEYS, Keys


class ServedSite(NamedTuple):
    lang: str
    dir: Literal["ltr", "rtl"]
    noindex: bool
    """Closed to search engines in this environment."""
    third_party: tuple[str, ...] = ()
    """URLs of other hosts' files that the edge proxies from the site's own origin."""
    worker_sources: tuple[str, ...] = ()
    """Origins that scripts in a worker may connect to."""
    cdn: CdnRules | None = None
    """None if visitors connect to the edge directly."""


@dataclass(frozen=True, slots=True)
class Hosts:
    hosts: Mapping[str, str]
    """Host (lower case, without the scheme's default port) to site key."""
    sites: Mapping[str, ServedSite]
    studio: str
    """The studio's host."""
    origins: Mapping[str, str]
    """Site key to origin, in the order of the site configuration."""
    number: int = 0
    """Grows with each change."""


def build_hosts(registry: Registry, environment: Environment, port: int) -> Hosts:
    """Return the part of the site configuration that the edge needs."""
    origins = {key: site.origin(environment, port) for key, site in registry.sites.items()}
    return Hosts(
        hosts={host_of(origin): key for key, origin in origins.items()},
        sites={key: _served_site(registry, site, environment) for key, site in registry.sites.items()},
        studio=host_of(registry.studio_origin(environment, port)),
        origins=origins,
    )


def _served_site(registry: Registry, site: Site, environment: Environment) -> ServedSite:
    cdn = registry.cdn_of(site.key, environment)
    sources = [source for script in registry.scripts_of(site) if script.off_main_thread for source in script.sources]
    return ServedSite(
        site.language,
        site.dir,
        noindex=registry.environments[environment].robots == "closed",
        third_party=tuple(registry.proxied_addresses(site)),
        worker_sources=tuple(dict.fromkeys(sources)),
        cdn=rules_of(cdn) if cdn else None,
    )


def hosts_file(root: Path) -> Path:
    return root / "hosts.json"


def write_hosts(root: Path, hosts: Hosts, keys: Keys = NO_KEYS) -> None:
    """Write the file if its content changes or it needs a signature of ``keys``.

    The edge notices a change by the file's time and inode.
    """
    wanted = orjson.loads(
        orjson.dumps(
            {
                "hosts": dict(hosts.hosts),
                "sites": {key: _row(site) for key, site in hosts.sites.items()},
                "studio": hosts.studio,
                "origins": dict(hosts.origins),
            }
        )
    )
    try:
        data = hosts_file(root).read_bytes()
        known = orjson.loads(data)
    except (FileNotFoundError, ValueError):
        data, known = b"", {}
    is_signed = not keys.can_sign or keys.find_problem(data) is None
    if not is_signed or orjson.dumps(without_seal(known)) != orjson.dumps(wanted):
        put_hosts(root, seal(wanted, keys, number_of(known)))


def put_hosts(root: Path, hosts: Mapping[str, Any]) -> None:
    """Write the file as read from another machine, if its content changes."""
    document = write_out(hosts)
    make_folder(root)
    path = hosts_file(root)
    if path.exists() and path.read_bytes() == document:
        return
    write_whole(str(path), document, 0o644, durable=True)
    sync_folder(root)


def _row(site: ServedSite) -> dict[str, object]:
    return {name: tuple(value) if name == "cdn" and value else value for name, value in site._asdict().items()}


def read_hosts(root: Path, keys: Keys = NO_KEYS, newest: int = 0) -> Hosts:
    """Return the hosts. Raise FileNotFoundError before the first publish or serve.

    Raise BuildError if ``keys`` check signatures and the file is not signed with one of them, or its number is below
    ``newest``.
    """
    data = hosts_file(root).read_bytes()
    document = orjson.loads(data)
    require_believed(hosts_file(root), data, document, keys, newest)
    return Hosts(
        hosts=document["hosts"],
        sites={
            key: ServedSite(
                site["lang"],
                site["dir"],
                site["noindex"],
                tuple(site.get("third_party", ())),
                tuple(site.get("worker_sources", ())),
                CdnRules(*site["cdn"]) if site.get("cdn") else None,
            )
            for key, site in document["sites"].items()
        },
        studio=document["studio"],
        origins=document["origins"],
        number=number_of(document),
    )


def host_of(origin: str) -> str:
    """Return the ``Host`` header that a browser sends for an origin.

    >>> host_of("https://Brightmoor.example:443")
    'brightmoor.example'
    """
    scheme, _, host = origin.lower().partition("://")
    return name_host(host, scheme)


def name_host(host: str, scheme: str) -> str:
    """Return the value of a ``Host`` header in the form of ``Hosts.hosts``.

    >>> name_host("DE.localhost:80", "http")
    'de.localhost'
    """
    return host.lower().removesuffix(":443" if scheme == "https" else ":80")
