"""The service worker as each site serves it: the web build's script, and what it must know of the site."""

from typing import Final

import orjson

from ..builds.manifest import File
from .addresses import Addresses
from .web_build import WebBuild

SERVICE_WORKER: Final = "/sw.js"


def build_service_worker(site: str, web: WebBuild, offline: File | None, addresses: Addresses) -> bytes | None:
    """None if the web build has none.

    The script contains the digest of the offline page: a browser installs a worker again only if its bytes differ, and
    only then does it fetch that page again. If the site has no offline page, visitors see their browser's own.
    """
    is_on = addresses.registry.has_service_worker(site)
    script = web.service_workers.get("on" if is_on else "off")
    if script is None or not is_on:
        return script
    return b"self.OFFLINE_PAGE=" + orjson.dumps(offline.digest if offline else "") + b";\n" + script
