"""Name the path for cookie choices and the countries that require consent first."""

from typing import Final

from .country_groups import EEA

CONSENT_PATH: Final = "/__consent"
"""Browsers send choices here, on the site's own origin. Not part of the content API."""

LARGEST_CHOICE: Final = 1024
"""Largest body of a choice, in bytes. An ordinary one has about 170."""

CONSENT_COOKIE: Final = "consent_status"
CONSENT_KEPT_MONTHS: Final = 3
"""Months for which a choice is valid, as in ``web/src/constants.ts``."""

ASKED_FIRST: Final = EEA | {"gb"}
"""Countries where a site may store only necessary data before the visitor agrees.

Sources: directive 2002/58/EC, article 5(3), and the UK's PECR, regulation 6. docs/privacy.md names these countries.
"""
