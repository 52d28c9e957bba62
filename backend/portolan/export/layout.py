"""Where the pages of a site stand in an exported tree."""

from typing import Final, NamedTuple

from ..domain.routes import html_file


class Layout(NamedTuple):
    ending: str
    """What follows a page's path."""
    nginx: str
    """What nginx tries for a page."""
    caddy: str
    """The same for Caddy."""

    def name(self, path: str) -> str:
        """The file of an HTML page.

        >>> FOLDERS.name("/about-us"), FLAT.name("/about-us"), FLAT.name("/"), FLAT.name("/404.html")
        ('about-us/index.html', 'about-us.html', 'index.html', '404.html')
        >>> PATHS.name("/about-us"), PATHS.name("/"), PATHS.name("/404.html")
        ('about-us', 'index.html', '404.html')
        """
        return html_file(path) if path == "/" or path.endswith(".html") else path[1:] + self.ending

    @property
    def is_flat(self) -> bool:
        return self != FOLDERS


FOLDERS: Final = Layout("/index.html", "$uri/index.html", "{path}/index.html")
FLAT: Final = Layout(".html", "$uri.html", "{path}.html")
"""For hosts that answer ``/about-us`` from ``about-us.html``, and would redirect to ``/about-us/`` otherwise."""
PATHS: Final = Layout("", "$uri", "{path}")
"""For object stores: they know no folders, and a page's object can have its very path. In a file system ``/services`` could
not stand beside ``/services/web``."""
