"""Name the path from which browsers load captcha challenges."""

from typing import Final

CAPTCHA_PATH: Final = "/__captcha"
"""On the site's own origin, for which a challenge is valid. Not part of the content API."""
