"""Forms that a browser sends without our scripts: their address, and where the visitor is redirected."""

import re
from typing import Final

FORM_PATH: Final = "/__form"
"""Posts of forms come here, on the site's own origin. No part of the content API, whose headers a form cannot send."""

DONE_PARAMETER: Final = "done"
"""Names the element of the page that says thanks."""

PAGE_PARAMETER: Final = "page"
"""Path of the page the form stands on, where it was sent back: its own address is that of the form then."""

_ID: Final = re.compile(r"[a-z0-9_-]{1,60}", re.ASCII)


def done_location(path: str, done: str) -> str:
    """Where the visitor is redirected after an accepted form: to the page's thanks, which are shown while the address
    has their id.

    >>> done_location("/contact-us", "b1_form-sent"), done_location("/contact-us", "javascript:x")
    ('/contact-us#b1_form-sent', '/contact-us')
    """
    return f"{path}#{done}" if _ID.fullmatch(done) else path
