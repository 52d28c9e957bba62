"""The edge and the API read each header and parameter alike. The edge stores the reply that Django gives to the same
request, so requests with equal keys have equal replies. `make soak` draws 5,000 requests.
"""

import os
from collections.abc import Callable
from io import BytesIO
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlsplit

import pytest
from django.conf import settings as django_settings
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from portolan.config.asgi import Handler
from portolan.domain.content_api import READS
from portolan.edge.api_requests import ApiKey, ApiRequests

from .content.release_items import build_release

EXAMPLES: Final = int(os.environ.get("PORTOLAN_READINGS", "30"))
ORIGINS: Final = django_settings.SITE_ORIGINS
LANGUAGES: Final = {key: site.language for key, site in django_settings.SITES_REGISTRY.sites.items()}
FACETS: Final = {"facet": ["technology", "industry", "x"], "value": ["react", "health"], "slug": ["p-one", "p-two"]}
GO_BY_SOMETHING: Final = [read for read in READS if read.headers or read.query]
IDS: Final = ["dallas", "n-03", "r-01", "nothing", "a b", "ü"]
VALUES: Final = {
    "accept-language": [
        "de",
        "de-AT,en;q=0.5",
        "ae",
        "uk",
        "en;q=0, de",
        "xx",
        "*",
        "",
        " DE ",
        "de-" + "x-" * 600,
        "\xff",
    ],
    "api-version": ["v5"],
    "country-code": ["de", "DE", " De ", "AE", "uk", "d e", "", "zz", "\xe4"],
    "page-key": ["home", "HOME", " home", "services/x", "", "\xfc"],
    "accept_language": ["de"],
    "country_code": ["ae"],
    "x-forwarded-host": ["de.localhost:8000"],
    "x-http-method-override": ["POST"],
    "cookie": ["country_code=de"],
    "accept": ["text/html"],
}
PARAMETERS: Final = {
    "page": ["1", "2", "002", "%202", "+2", "%32", "-1", "", "x", "9" * 12, "2_0", "%D9%A2"],
    "perPage": ["3", "03", "0", "1000"],
    "more": ["true", "1", "0", ""],
    "countryCode": ["DE", "de", "%20de", "xx"],
    "utm": ["x"],
    "page[]": ["2"],
}


EDGE: Final = ApiRequests(LANGUAGES)


class Drawn(NamedTuple):
    site: str
    path: str
    query: str
    headers: list[tuple[bytes, bytes]]

    @property
    def scope(self) -> dict[str, Any]:
        origin = urlsplit(ORIGINS[self.site])
        return {
            "type": "http",
            "method": "GET",
            "scheme": origin.scheme,
            "path": self.path,
            "raw_path": quote(self.path).encode(),
            "query_string": self.query.encode(),
            "headers": [(b"host", origin.netloc.encode()), *self.headers],
            "client": ("203.0.113.7", 1),
        }

    @property
    def key(self) -> ApiKey | None:
        """Return the edge's cache key; None if the edge sends the request to Django unchanged."""
        return EDGE.key(self.scope, EDGE.site(self.scope, self.site), self.path)


@st.composite
def requests(draw: st.DrawFn) -> Drawn:
    """Draw mostly the fields that the read uses, often twice."""
    read = draw(st.sampled_from(GO_BY_SOMETHING if draw(st.booleans()) else READS))
    parts = [
        draw(st.sampled_from(FACETS.get(part.strip("{}"), IDS))) if "{" in part else part
        for part in read.path.split("/")
    ]
    names = ["accept-language", *(name.lower() for name in read.headers)] * 3 + sorted(VALUES)
    headers = [
        (name, draw(st.sampled_from(VALUES[name]))) for name in draw(st.lists(st.sampled_from(names), max_size=3))
    ]
    names = [*read.query] * 4 + sorted(PARAMETERS)
    query = [
        f"{name}={draw(st.sampled_from(PARAMETERS[name]))}"
        for name in draw(st.lists(st.sampled_from(names), max_size=2))
    ]
    return Drawn(
        draw(st.sampled_from(["en", "de", "ae", "uk"])),
        "/api/" + "/".join(parts),
        "&".join(query),
        [(name.encode(), value.encode("latin-1")) for name, value in headers],
    )


@pytest.fixture
def ask() -> Callable[[Any], tuple[int, str, str, bytes]]:
    handler = Handler()

    def answer(scope: Any) -> tuple[int, str, str, bytes]:
        request, refusal = handler.create_request(scope, BytesIO())
        response: Any = handler.get_response(request) if request else refusal
        return response.status_code, response["Content-Language"], response["Vary"], b"".join(response)

    return answer


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@example(Drawn("en", "/api/content/offices", "", [(b"accept-language", b"de"), (b"accept-language", b"en;q=0")]))
@example(Drawn("en", "/api/content/events", "", [(b"country-code", b"d e"), (b"accept_language", b"de")]))
@example(Drawn("en", "/api/content/events", "", [(b"country-code", b"ae"), (b"country-code", b"de")]))
@example(Drawn("de", "/api/content/reviews", "", [(b"page-key", b" home")]))
@example(Drawn("en", "/api/content/news/pagination", "page=002&perPage=%203", []))
@example(Drawn("en", "/api/content/reviews/testimonial/pagination", "countryCode=%20DE&more=1", []))
@given(requests().filter(lambda drawn: drawn.key is not None))
def test_django_gives_by_itself_what_the_edge_would_keep(
    ask: Callable[[Any], tuple[int, str, str, bytes]],
    frozen: None,
    drawn: Drawn,
) -> None:
    assert drawn.key is not None
    assert ask(EDGE.question(drawn.key, ORIGINS[drawn.key.site])) == ask(drawn.scope)


@pytest.fixture
def frozen(snapshot: Any) -> None:
    snapshot(build_release())
