"""International dialling prefixes by country without the plus sign, for the phone field of forms.

They are from libphonenumber. Its 23 MB are only needed to write contract/, which brings the prefixes to the browser.
"""

from collections.abc import Mapping
from typing import Final

from portolan.domain.countries import COUNTRIES

_ADMINISTERED: Final[Mapping[str, str]] = {
    "aq": "672", "bv": "47", "gs": "500", "hm": "672", "pn": "64", "tf": "262", "um": "1",
}  # fmt: skip
"""Territories without their own prefix, with that of their administration."""


def build_phone_prefixes() -> dict[str, str]:
    """Return the prefixes by ISO 3166-1 alpha-2 code in lower case."""
    from phonenumbers import COUNTRY_CODE_TO_REGION_CODE  # a package of the tests

    found = {region.lower(): str(code) for code, regions in COUNTRY_CODE_TO_REGION_CODE.items() for region in regions}
    return {country: found.get(country) or _ADMINISTERED[country] for country in sorted(COUNTRIES)}
