"""Where browsers get what a captcha is solved with."""

from typing import Final

CAPTCHA_PATH: Final = "/__captcha"
"""On the site's own origin, which the challenge is good for. No part of the content API."""
