"""Define the groups of countries that rules use, by ISO 3166-1 alpha-2 code in lower case, with sources."""

from collections.abc import Mapping
from typing import Final

EU: Final = frozenset("at be bg cy cz de dk ee es fi fr gr hr hu ie it lt lu lv mt nl pl pt ro se si sk".split())
"""Member states of the European Union. Source: european-union.europa.eu, "EU countries", 27 since 2020-02-01."""

EEA: Final = EU | frozenset({"is", "li", "no"})
"""The European Economic Area: the EU, Iceland, Liechtenstein, Norway. Source: Agreement on the EEA, efta.int."""

CIS: Final = frozenset("am az by kg kz md ru tj tm uz".split())
"""The Commonwealth of Independent States as the site's rules mean it: with Turkmenistan, without Ukraine.
Source: docs/decisions/0001, "Visitor's country"."""

ARABIC: Final = frozenset("ae bh dj dz eg iq jo km kw lb ly ma mr om ps qa sa sd so sy tn ye".split())
"""Countries where Arabic is an official language: members of the League of Arab States, 22.
Source: leagueofarabstates.net, "Member states"."""

GROUPS: Final[Mapping[str, frozenset[str]]] = {"eu": EU, "eea": EEA, "cis": CIS, "arabic": ARABIC}
"""By their names in the contract."""


def find_neighbours(country: str) -> frozenset[str]:
    """Return the other countries of all groups that contain ``country``."""
    return frozenset().union(*(group for group in GROUPS.values() if country in group)) - {country}
