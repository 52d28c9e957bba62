"""Correct common typing mistakes in e-mail addresses (spec §5).

Only widely used mail providers are recognised, by name and ending: ``gmial.com``, ``hotmail.con``. In a company's own
domain, only endings that do not exist are corrected.
"""

from collections.abc import Mapping
from typing import Final

PROVIDERS: Final[Mapping[str, tuple[str, ...]]] = {
    # everywhere
    "gmail": ("com",),
    "googlemail": ("com",),
    "outlook": ("com", "de", "fr", "sa"),
    "hotmail": ("com", "co.uk", "de", "fr"),
    "live": ("com", "co.uk", "de", "fr"),
    "msn": ("com",),
    "yahoo": ("com", "co.uk", "de", "fr", "pl"),
    "ymail": ("com",),
    "rocketmail": ("com",),
    "icloud": ("com",),
    "me": ("com",),
    "mac": ("com",),
    "aol": ("com", "de", "fr"),
    "proton": ("me",),
    "protonmail": ("com", "ch"),
    "fastmail": ("com", "fm"),
    "zoho": ("com", "eu"),
    "mail": ("com", "ru", "kz", "de"),
    "email": ("com", "de"),
    "gmx": ("de", "net", "com", "at", "ch"),
    # Germany
    "web": ("de",),
    "t-online": ("de",),
    "freenet": ("de",),
    "posteo": ("de", "net"),
    "arcor": ("de",),
    # the United Kingdom
    "btinternet": ("com",),
    "sky": ("com",),
    "virginmedia": ("com",),
    # France
    "orange": ("fr",),
    "wanadoo": ("fr",),
    "laposte": ("net",),
    "free": ("fr",),
    "sfr": ("fr",),
    # Poland
    "wp": ("pl",),
    "o2": ("pl",),
    "onet": ("pl", "eu"),
    "interia": ("pl", "eu"),
    # Azerbaijan, Kazakhstan and their neighbours
    "yandex": ("ru", "com", "kz"),
    "rambler": ("ru",),
    "inbox": ("ru",),
    "list": ("ru",),
    "bk": ("ru",),
    "box": ("az",),
    # the United Arab Emirates
    "eim": ("ae",),
    "emirates": ("net.ae",),
}
"""Names of mail providers with their endings, the most used first."""

_ENDINGS: Final[Mapping[str, str]] = {
    slip: meant
    for meant, slips in {
        "com": "cim cmo cok comm con conm coom copm cpm ocm vom xom",
        "net": "ent nett nte met",
        "org": "ogr orgg prg rog",
    }.items()
    for slip in slips.split()
}
"""Top-level domains that do not exist, by the intended one."""

_SHORTEST_CORRECTED: Final = 5
"""Shorter provider names are too close to other words (live, line, life)."""
_TWO_SLIPS_FROM: Final = 7


def suggest_address(address: str) -> str | None:
    """Return the whole corrected address, or None if it seems correct."""
    local, at, domain = address.rpartition("@")
    meant = _meant_domain(domain) if at and local.strip() else None
    if meant is None or (meant == domain.lower() and local == local.strip()):
        return None
    return f"{local.strip()}@{meant}"


def _meant_domain(domain: str) -> str | None:
    labels = [label for label in "".join(domain.lower().replace(",", ".").split()).split(".") if label]
    if len(labels) < 2:
        return None
    name, ending = labels[0], ".".join(labels[1:])
    for provider in _providers(name):
        known = PROVIDERS[provider]
        meant = ending if ending in known else _meant_ending(ending, known)
        if meant:
            return f"{provider}.{meant}"
    return ".".join([*labels[:-1], _ENDINGS.get(labels[-1], labels[-1])])


def _providers(name: str) -> list[str]:
    """Return the providers that a name may mean, the likeliest first."""
    if name in PROVIDERS:
        return [name]
    slips = 2 if len(name) >= _TWO_SLIPS_FROM else 1
    near = [
        (distance, provider)
        for provider in PROVIDERS
        if len(provider) >= _SHORTEST_CORRECTED and (distance := edit_distance(name, provider, slips)) <= slips
    ]
    return [provider for _, provider in sorted(near, key=lambda found: found[0])]


def _meant_ending(ending: str, known: tuple[str, ...]) -> str | None:
    """Correct an ending of a provider with ``known`` endings. A provider with several may have more in other countries."""
    corrected = _ENDINGS.get(ending)
    if corrected in known:
        return corrected
    if len(known) == 1 and edit_distance(ending, known[0], 1) <= 1:
        return known[0]
    return None


def edit_distance(one: str, other: str, most: int) -> int:
    """Count letters added, left out, changed or swapped with the next; ``most`` + 1 if there are more than ``most``."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        two_before, before, row = before, row, [i]
        for j, wanted in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, two_before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)
