"""International dialling prefixes by country, for the phone field of forms. Without the plus sign.

They come from libphonenumber. Its 23 MB are needed only where contract/ is written, which carries the prefixes to the
browser.
"""

from collections.abc import Mapping
from typing import Final

from portolan.domain.countries import COUNTRIES

_ADMINISTERED: Final[Mapping[str, str]] = {
    "aq": "672", "bv": "47", "gs": "500", "hm": "672", "pn": "64", "tf": "262", "um": "1",
}  # fmt: skip
"""Territories where nobody is reached by a prefix of their own: that of their administration."""


def build_phone_prefixes() -> dict[str, str]:
    """By ISO 3166-1 alpha-2 code in lower case."""
    from phonenumbers import COUNTRY_CODE_TO_REGION_CODE  # one of the tests' packages

    found = {region.lower(): str(code) for code, regions in COUNTRY_CODE_TO_REGION_CODE.items() for region in regions}
    return {country: found.get(country) or _ADMINISTERED[country] for country in sorted(COUNTRIES)}
