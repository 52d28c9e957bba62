"""List the reads of the content API (spec §7, GET content/…) whose replies depend only on a release.

The table is the only list of the inputs of a reply, apart from its path. The API writes it into ``Vary``, and the edge
uses it as the cache key, so that other headers and unknown parameters create no second copy.
"""

from typing import Final, NamedTuple

API_PREFIX: Final = "/api/"
API_VERSION: Final = "v5"
FALLBACK_SITE: Final = "ae"
"""The specification's own default for ``Accept-Language``."""
INTEGRATION_PREFIX: Final = f"{API_PREFIX}integration/"
"""Operations below it store something or return values that change all the time. Every other path under ``/api/`` is a
read.
"""
INTAKE_PATH: Final = f"{INTEGRATION_PREFIX}form-data"
"""A form's script sends leads here."""
SITE_IN_SCOPE: Final = "portolan.site"
"""Key in the ASGI scope: the site that the edge has chosen. Unlike a header, no client can set it."""
READ_IN_SCOPE: Final = "portolan.read"
"""Key in the ASGI scope: the request is a read without a body, with at most two query parameters."""
CONTENT_HEADER: Final = "Portolan-Content"
"""Header of a reply from the API to the edge: the state of the site's content that the reply was made from. An API on
another machine may learn of a switch later than the edge. The edge must not cache such a reply for the new state.
"""
LARGEST_HEADERS: Final = 16 << 10
"""Bytes of all request headers together; ample for a URL, a page key and a language list."""


class Read(NamedTuple):
    path: str
    """Below ``/api/``; ``{name}`` stands for one segment."""
    headers: tuple[str, ...] = ()
    """Request headers the reply depends on, in addition to ``Accept-Language`` and ``Api-Version``."""
    query: tuple[str, ...] = ()
    """Query parameters the reply depends on; all others are ignored."""


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
"""By path; a path without a variable comes before one that would also match it."""
