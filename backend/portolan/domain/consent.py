"""Consent on the server: the address that choices are sent to, and the countries whose law requires consent first."""

from typing import Final

from .country_groups import EEA

CONSENT_PATH: Final = "/__consent"
"""Browsers send choices here, on the site's own origin. No part of the content API."""

LARGEST_CHOICE: Final = 1024
"""Largest body of a choice, in bytes. An ordinary one has about 170."""

CONSENT_COOKIE: Final = "consent_status"
CONSENT_KEPT_MONTHS: Final = 3
"""For so long a choice holds, as in ``web/src/constants.ts``."""

ASKED_FIRST: Final = EEA | {"gb"}
"""Countries where nothing but what a site needs may be stored before a visitor agrees: directive 2002/58/EC, article 5(3), and
the UK's PECR, regulation 6. Those of docs/privacy.md that the product warns about."""
