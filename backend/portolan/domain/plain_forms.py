"""Handle forms that browsers send without our scripts: their path, and the redirect of the visitor."""

import re
from typing import Final

FORM_PATH: Final = "/__form"
"""Browsers post forms here, on the site's own origin. Not part of the content API, whose headers a form cannot send."""

DONE_PARAMETER: Final = "done"
"""Query parameter with the ID of the element that thanks the visitor."""

PAGE_PARAMETER: Final = "page"
"""Query parameter with the path of the page that contains the form. A rejected form is shown again at the form's own
URL."""

_ID: Final = re.compile(r"[a-z0-9_-]{1,60}", re.ASCII)


def done_location(path: str, done: str) -> str:
    """Return the redirect target after an accepted form: the page's thanks, which are visible while the URL has their
    ID.

    >>> done_location("/contact-us", "b1_form-sent"), done_location("/contact-us", "javascript:x")
    ('/contact-us#b1_form-sent', '/contact-us')
    """
    return f"{path}#{done}" if _ID.fullmatch(done) else path
