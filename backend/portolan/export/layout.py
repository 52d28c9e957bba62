"""The file names of a site's pages in an exported tree."""

from typing import Final, NamedTuple

from ..domain.routes import html_file


class Layout(NamedTuple):
    ending: str
    """Appended to a page's path."""
    nginx: str
    """The file that nginx tries for a page."""
    caddy: str
    """The file that Caddy tries."""

    def name(self, path: str) -> str:
        """Return the file of an HTML page.

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
"""For hosts that serve ``/about-us`` from ``about-us.html`` and would otherwise redirect to ``/about-us/``."""
PATHS: Final = Layout("", "$uri", "{path}")
"""For object stores: they have no folders, so a page's object can have its exact path. In a file system, a file
``/services`` and a folder ``/services/`` cannot both exist."""
