"""Find pages whose plugin is not in the site configuration. Plain SQL, because it runs without Django."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

import orjson

from ..domain.snapshot_bodies import PageBody
from .database_version import KNOWN
from .reader import ReleaseReader

MISSING_MEND: Final = "Add the plugin to sites.toml, or unpublish its pages: `portolan build --take-missing-offline`."


def count_pages_of_missing_plugins(reader: ReleaseReader, plugins: Iterable[str]) -> Mapping[str, int]:
    """Return the number of pages by the last part of the plugin's package name, without deleted pages."""
    here = {*KNOWN, *(name.rpartition(".")[2] for name in plugins)}
    return {app: count for app, count in reader.count_pages_by_app().items() if app not in here}


def say_missing_plugins(missing: Mapping[str, int]) -> str:
    counts = ", ".join(f"{count} of {app}" for app, count in sorted(missing.items()))
    return f"Some pages belong to plugins that are not in sites.toml ({counts}). Visitors see their last version. They cannot be edited."


def find_lost_blocks(reader: ReleaseReader, sites: Iterable[str], known: Collection[str] | None) -> dict[str, str]:
    """Return, by type, blocks of the newest release that are not ``known``, with the first page that contains one."""
    newest = reader.latest()
    found: dict[str, str] = {}
    if newest is None or known is None:
        return found
    for site in sites:
        for item in reader.collection(newest, site, "page"):
            body: PageBody = orjson.loads(item.body)
            for block in body["blocks"]:
                if block["type"] not in known:
                    found.setdefault(block["type"], f"{site}, “{body['title']}” ({body['path']})")
    return found
