"""The reads of the content API (spec §7, GET content/…) whose replies depend on a release and on nothing else.

This table is the only place that says what a reply depends on besides its path. The API writes it into ``Vary``, and
the edge uses it as the cache key, so that other headers and unknown parameters make no second copy.
"""

from typing import Final, NamedTuple

API_PREFIX: Final = "/api/"
API_VERSION: Final = "v5"
FALLBACK_SITE: Final = "ae"
"""The specification's own default for ``Accept-Language``."""
INTEGRATION_PREFIX: Final = f"{API_PREFIX}integration/"
"""Operations below it store something or return values that change all the time. Everything else under ``/api/`` is a
read."""
INTAKE_PATH: Final = f"{INTEGRATION_PREFIX}form-data"
"""Where a form's own script sends it."""
SITE_IN_SCOPE: Final = "portolan.site"
"""Key in the ASGI scope: the site that the edge has chosen. Unlike a header, no client can set it."""
READ_IN_SCOPE: Final = "portolan.read"
"""Key in the ASGI scope: the request is a read without a body, and takes a query or two at most."""
CONTENT_HEADER: Final = "Portolan-Content"
"""Header of a reply, from the API to the edge alone: which state of the site's content it was made from. On another machine
the API may hear of a switch later than the edge does, and what it says until then must not be kept as the new state's."""
LARGEST_HEADERS: Final = 16 << 10
"""Bytes of all headers of a request together: an address, a page key and a language list fit many times over."""


class Read(NamedTuple):
    path: str
    """Below ``/api/``; ``{name}`` stands for one segment."""
    headers: tuple[str, ...] = ()
    """Request headers the reply depends on, beside ``Accept-Language`` and ``Api-Version``."""
    query: tuple[str, ...] = ()
    """Query parameters it depends on; all others are ignored."""


READS: Final = (
    Read("content/certificates"),
    Read("content/cvs"),
    Read("content/events", headers=("Country-Code",)),
    Read("content/events/pages"),
    Read("content/filter/{facet}/{value}"),
    Read("content/insights-shorts"),
    Read("content/insights-video"),
    Read("content/news"),
    Read("content/news/pagination", query=("page", "perPage")),
    Read("content/news/{id}"),
    Read("content/offices"),
    Read("content/offices/{id}"),
    Read("content/phones"),
    Read("content/projects/cards", headers=("Page-Key",)),
    Read("content/projects/full-cards"),
    Read("content/projects/galleries"),
    Read("content/projects/map"),
    Read("content/projects/pages"),
    Read("content/projects/related/{facet}/{slug}"),
    Read("content/projects/top"),
    Read("content/redirects"),
    Read("content/reviews", headers=("Page-Key", "Country-Code")),
    Read("content/reviews/testimonial/pagination", query=("countryCode", "more")),
    Read("content/reviews/{id}"),
)
"""By path; a path without a variable comes before one that would match it too."""
