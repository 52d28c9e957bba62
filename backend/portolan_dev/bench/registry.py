"""Write a site configuration with any number of sites for benchmarks. The company is this checkout's."""

import re
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from string import ascii_lowercase
from typing import Final

DEFAULT_SITE: Final = "en"
MOST_SITES: Final = 500
_LISTED: Final = 5
"""Sites that the language switcher lists."""
_GROUP: Final = 100
"""Sites whose pages are translations of each other."""
_SITE: Final = """
[sites.{key}]
{group}language = "{language}"
hreflang = [{hreflang}]
og_locale = "{locale}"
name = "{name}"
endonym = "{name}"
short_label = "{label}"
dir = "ltr"
date_locale = "en-GB"
switcher = {{ shown = true, listed = {listed} }}
country = ""
phone = "visitor"
office_rule = "visitor"
office_sets = ["default"]
consent = {{ theme = "by-country", profile = "spec", policy_version = "1" }}
origins = {{ local = "http://{host}localhost:{{port}}", staging = "https://{host}staging.example", production = "https://{host}company.example" }}
"""


def site_keys(count: int) -> list[str]:
    """Return the default site and others: ``en``, ``saa``, ``sab`` …"""
    others = ("s" + "".join(letters) for letters in product(ascii_lowercase, repeat=2))
    return [DEFAULT_SITE, *(next(others) for _ in range(count - 1))]


def write_registry(source: str, sites: Sequence[str]) -> str:
    """Return the site configuration ``source`` with these sites instead of its own.

    No site has a country, so that all have the same law. All are in English with different tags, which must be
    unique.
    """
    sections = re.split(r"(?m)^(?=\[)", source)
    company = "".join(section for section in sections if not section.startswith("[sites."))
    company = re.sub(r'(?m)^default_site = "[a-z]+"', f'default_site = "{sites[0]}"', company)
    groups = "".join(f"\n[groups.{_group(number)}]\n" for number in range(_GROUP, len(sites), _GROUP))
    return company + groups + "".join(_write_site(key, number) for number, key in enumerate(sites))


def _group(number: int) -> str:
    """Return the group of a site; empty for the main group."""
    return f"g{number // _GROUP}" if number >= _GROUP else ""


def _write_site(key: str, number: int) -> str:
    is_default = number == 0
    region = key[1:].upper()
    return _SITE.format(
        key=key,
        group=f'group = "{_group(number)}"\n' if _group(number) else "",
        language="en" if is_default else f"en-{region}",
        hreflang='"en", "x-default"' if is_default else f'"en-{region.lower()}"',
        locale="en_US" if is_default else f"en_{region}",
        name="English" if is_default else f"English {region}",
        label="EN" if is_default else region,
        listed="true" if number < _LISTED else "false",
        host="" if is_default else f"{key}.",
    )


def write_registry_file(folder: Path, source: Path, sites: Sequence[str]) -> Path:
    file = folder / "sites.toml"
    file.write_text(write_registry(source.read_text(encoding="utf-8"), sites), encoding="utf-8")
    return file
