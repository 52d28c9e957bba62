"""Where the pages of a site stand in an exported tree."""

from typing import Final, NamedTuple

from ..domain.routes import html_file


class Layout(NamedTuple):
    is_flat: bool
    nginx: str
    """What nginx tries for a page."""
    caddy: str
    """The same for Caddy."""

    def name(self, path: str) -> str:
        """The file of an HTML page.

        >>> FOLDERS.name("/about-us"), FLAT.name("/about-us"), FLAT.name("/"), FLAT.name("/404.html")
        ('about-us/index.html', 'about-us.html', 'index.html', '404.html')
        """
        if not self.is_flat or path == "/" or path.endswith(".html"):
            return html_file(path)
        return f"{path[1:]}.html"


FOLDERS: Final = Layout(False, "$uri/index.html", "{path}/index.html")
FLAT: Final = Layout(True, "$uri.html", "{path}.html")
"""For hosts that answer ``/about-us`` from ``about-us.html``, and would redirect to ``/about-us/`` otherwise."""
