"""Pages whose plugin the registry does not name: it was taken out, or never came to this machine. Plain SQL, because it is asked
where Django is not loaded."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

import orjson

from ..domain.frozen_bodies import PageBody
from .database_version import KNOWN
from .reader import ReleaseReader

MISSING_MEND: Final = (
    "Name the plugin in sites.toml again, or take the pages off the sites: `portolan build --take-missing-offline`."
)


def count_pages_of_missing_plugins(reader: ReleaseReader, plugins: Iterable[str]) -> Mapping[str, int]:
    """By name of the plugin's package (the last part of it), those that nobody has deleted."""
    here = {*KNOWN, *(name.rpartition(".")[2] for name in plugins)}
    return {app: count for app, count in reader.count_pages_by_app().items() if app not in here}


def say_missing_plugins(missing: Mapping[str, int]) -> str:
    counts = ", ".join(f"{count} of {app}" for app, count in sorted(missing.items()))
    return f"There are pages of plugins that sites.toml does not name ({counts}): visitors see what they saw, nobody can change them."


def find_lost_blocks(reader: ReleaseReader, sites: Iterable[str], known: Collection[str] | None) -> dict[str, str]:
    """By type, blocks of the newest release that are not ``known``, and the first page that has one."""
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
