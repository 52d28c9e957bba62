"""What the server knows of consent to cookies: where choices are sent, and whose law wants them made first."""

from typing import Final

from .country_groups import EEA

CONSENT_PATH: Final = "/__consent"
"""Browsers send choices here, on the site's own origin. No part of the content API."""

LARGEST_CHOICE: Final = 1024
"""Bytes of a choice's body. One takes about 170."""

ASKED_FIRST: Final = EEA | {"gb"}
"""Countries where nothing but what a site needs may be stored before a visitor agrees: directive 2002/58/EC, article 5(3), and
the UK's PECR, regulation 6. Those of docs/privacy.md that the product warns about."""
