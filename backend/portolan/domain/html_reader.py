"""Read HTML with Python's parser in time that grows with its length, on every supported version of Python."""

import re
from html.parser import HTMLParser
from typing import Final

_OPENS: Final = re.compile(r"<[A-Za-z/!?]")
_LONG_NUMBER: Final = re.compile(r"&#([0-9]{9,})")


class HtmlReader(HTMLParser):
    """Override the handlers of HTMLParser and call `read` once.

    Older versions of Python search for the end of each unclosed tag or comment again and again. They raise
    AssertionError for ``<![x]>``, and ValueError for a character reference with thousands of digits.
    """

    def read(self, html: str) -> None:
        """Parse all of `html`. Positions refer to `html`."""
        self.feed(_LONG_NUMBER.sub(_as_hex, _drop_unclosed(html)))
        self.close()

    def parse_html_declaration(self, i: int) -> int:
        """Parse as browsers do: every declaration except a comment and the doctype ends at the next ``>``."""
        if self.rawdata.startswith("<![", i):
            return self.parse_bogus_comment(i)
        return super().parse_html_declaration(i)


def _drop_unclosed(html: str) -> str:
    """Return `html` up to an unclosed comment or tag. Browsers do not show it either."""
    comment = html.find("<!--", html.rfind("-->") + 1)
    if comment >= 0:
        html = html[:comment]
    tag = _OPENS.search(html, html.rfind(">") + 1)
    return html[: tag.start()] if tag else html


def _as_hex(number: re.Match[str]) -> str:
    """Return a reference of the same length that is beyond Unicode too. Python rejects very long decimals."""
    return f"&#x{'f' * (len(number[1]) - 1)}"
