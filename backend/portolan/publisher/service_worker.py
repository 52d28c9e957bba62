"""Each site's service worker: the web build's script with settings."""

from typing import Final

import orjson

from ..builds.manifest import File
from .addresses import Addresses
from .web_build import WebBuild

SERVICE_WORKER: Final = "/sw.js"


def build_service_worker(site: str, web: WebBuild, offline: File | None, addresses: Addresses) -> bytes | None:
    """Return the script, or None if the web build lacks it.

    It contains the digest of the offline page. Browsers install a worker again only if its bytes differ, and only then
    fetch that page again. Without an offline page, visitors see their browser's own.
    """
    is_on = addresses.registry.has_service_worker(site)
    script = web.service_workers.get("on" if is_on else "off")
    if script is None or not is_on:
        return script
    return b"self.OFFLINE_PAGE=" + orjson.dumps(offline.digest if offline else "") + b";\n" + script
