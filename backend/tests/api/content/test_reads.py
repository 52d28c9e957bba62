"""Every read of the API (spec §7), at least one row each: real content, its schema, its order."""

from typing import Any, NamedTuple

import pytest

from portolan.api.document import build_document
from portolan.domain.content_api import READS
from portolan.schemas import review as reviews  # pytest would collect a class named Test…
from portolan.schemas.article import NewsItem, NewsList, NewsPagination
from portolan.schemas.base import Schema
from portolan.schemas.company import CertificateList, CvList, PhoneList
from portolan.schemas.event import EventList
from portolan.schemas.navigation import PageReferenceList, RedirectList
from portolan.schemas.office import Office, OfficeList
from portolan.schemas.project import FullProjectCardList, ProjectCardList, ProjectGalleryList, ProjectPlaceList
from portolan.schemas.video import VideoList

from .release_items import build_release


class Row(NamedTuple):
    read: str
    schema: type[Schema]
    ids: list[str]
    """Ids (keys of pages) in the reply, in order. A single item has only its own."""
    path: str = ""
    headers: dict[str, str] = {}


NEWS = [f"n-{number:02}" for number in range(11, 0, -1)]
REVIEWS = [f"r-{number:02}" for number in range(1, 9)]
GERMANS_FIRST = ["r-05", "r-08", "r-01", "r-02", "r-03", "r-04", "r-06", "r-07"]
PROJECTS = ["p-one", "p-two", "p-three", "p-late"]
FACETS = "content/filter/{facet}/{value}"
RELATED = "content/projects/related/{facet}/{slug}"
TESTIMONIALS = "content/reviews/testimonial/pagination"

ROWS = [
    Row("content/certificates", CertificateList, ["iso"]),
    Row("content/cvs", CvList, ["dev"]),
    Row("content/events", EventList, ["e-us", "e-eg", "e-ae", "e-online", "e-past"]),
    Row("content/events", EventList, ["e-ae", "e-eg", "e-us", "e-online", "e-past"], headers={"Country-Code": "AE"}),
    Row("content/events", EventList, ["e-eg", "e-ae", "e-us", "e-online", "e-past"], headers={"Country-Code": "jo"}),
    Row("content/events", EventList, ["e-us", "e-eg", "e-ae", "e-online", "e-past"], headers={"Country-Code": "nz"}),
    Row(
        "content/events/pages",
        PageReferenceList,
        ["events/e-ae", "events/e-eg", "events/e-online", "events/e-past", "events/e-us"],
    ),
    Row(FACETS, ProjectCardList, ["p-one", "p-two", "p-three"], "content/filter/technology/react"),
    Row(FACETS, ProjectCardList, ["p-one"], "content/filter/industry/health"),
    Row(FACETS, ProjectCardList, [], "content/filter/industry/ports"),
    Row("content/insights-shorts", VideoList, ["s-a"]),
    Row("content/insights-video", VideoList, ["v-b", "v-a"]),
    Row("content/news", NewsList, NEWS),
    Row("content/news/pagination", NewsPagination, NEWS[:9]),
    Row("content/news/pagination", NewsPagination, NEWS[9:], "content/news/pagination?page=2"),
    Row("content/news/pagination", NewsPagination, NEWS[3:6], "content/news/pagination?page=2&perPage=3&other=1"),
    Row("content/news/{id}", NewsItem, ["n-03"], "content/news/n-03"),
    Row("content/offices", OfficeList, ["london", "dallas"]),
    Row("content/offices/{id}", Office, ["dallas"], "content/offices/dallas"),
    Row("content/phones", PhoneList, ["gb", "us"]),
    Row("content/projects/cards", ProjectCardList, ["p-one"], headers={"Page-Key": "home"}),
    Row("content/projects/cards", ProjectCardList, ["p-three"], headers={"Page-Key": "services/web"}),
    Row("content/projects/cards", ProjectCardList, [], headers={"Page-Key": "events/e-us"}),
    Row("content/projects/full-cards", FullProjectCardList, PROJECTS),
    Row("content/projects/galleries", ProjectGalleryList, ["p-two"]),
    Row("content/projects/map", ProjectPlaceList, ["p-one", "p-two"]),
    Row("content/projects/pages", PageReferenceList, [f"project-cases/{n}" for n in ("late", "one", "three", "two")]),
    Row(RELATED, ProjectCardList, ["p-one", "p-two"], "content/projects/related/technology/three"),
    Row(RELATED, ProjectCardList, ["p-two", "p-three"], "content/projects/related/technology/one"),
    Row(RELATED, ProjectCardList, ["p-two", "p-late"], "content/projects/related/service/one"),
    Row(RELATED, ProjectCardList, [], "content/projects/related/industry/one"),
    Row("content/projects/top", ProjectCardList, ["p-one", "p-two", "p-three"]),
    Row("content/redirects", RedirectList, []),
    Row("content/reviews", reviews.ReviewList, REVIEWS),
    Row("content/reviews", reviews.ReviewList, GERMANS_FIRST, headers={"Country-Code": "de"}),
    Row("content/reviews", reviews.ReviewList, ["r-04", "r-05"], headers={"Page-Key": "services/web"}),
    Row(
        "content/reviews",
        reviews.ReviewList,
        ["r-05", "r-04"],
        headers={"Page-Key": "services/web", "Country-Code": "dE"},
    ),
    Row(TESTIMONIALS, reviews.TestimonialPagination, REVIEWS[:6]),
    Row(TESTIMONIALS, reviews.TestimonialPagination, REVIEWS[6:], f"{TESTIMONIALS}?more=6"),
    Row(TESTIMONIALS, reviews.TestimonialPagination, GERMANS_FIRST[:6], f"{TESTIMONIALS}?countryCode=de"),
    Row(TESTIMONIALS, reviews.TestimonialPagination, GERMANS_FIRST[6:], f"{TESTIMONIALS}?countryCode=DE&more=6"),
    Row(TESTIMONIALS, reviews.TestimonialPagination, [], f"{TESTIMONIALS}?more=99"),
    Row("content/reviews/{id}", reviews.Review, ["r-03"], "content/reviews/r-03"),
]


def ids(reply: dict[str, Any]) -> list[str]:
    items = reply.get("items", [reply])
    return [item.get("id") or item["key"] for item in items]


@pytest.fixture
def release(snapshot):
    snapshot(build_release())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.path or row.read)
def test_answers_in_its_schema_and_order(release, get, row):
    reply = get(f"/api/{row.path or row.read}", Accept_Language="en", **row.headers)
    assert reply.status_code == 200, reply.content
    assert reply["Content-Type"] == "application/json; charset=utf-8"
    body = reply.json()
    assert ids(body) == row.ids
    # The schema describes exactly the same bytes.
    assert row.schema.model_validate(body).model_dump(mode="json", by_alias=True) == body
    schema = build_document()["paths"][f"/api/{row.read}"]["get"]["responses"]["200"]["content"]["application/json"]
    assert schema["schema"] == {"$ref": f"#/components/schemas/{row.schema.__name__}"}


def test_there_is_a_row_for_every_read():
    assert {row.read for row in ROWS} == {read.path for read in READS}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.path or row.read)
def test_says_what_it_depends_on_and_what_the_caller_has_is_not_sent_again(release, get, row):
    path = f"/api/{row.path or row.read}"
    reply = get(path, Accept_Language="en", **row.headers)
    read = next(read for read in READS if read.path == row.read)
    vary = [name.strip() for name in reply["Vary"].split(",")]
    assert sorted(vary) == sorted(("Accept-Language", "Api-Version", *read.headers))
    assert reply["Content-Language"] == "en"
    assert reply["Access-Control-Allow-Origin"] == "*"
    again = get(path, Accept_Language="en", If_None_Match=reply["ETag"], **row.headers)
    assert (again.status_code, again.content) == (304, b"")
    for name in ("ETag", "Vary", "Content-Language", "Api-Version", "Cache-Control", "Access-Control-Allow-Origin"):
        assert again[name] == reply[name]


def test_pagination_counts(release, get):
    page = get("/api/content/news/pagination?page=2", Accept_Language="en").json()
    assert {name: page[name] for name in ("page", "perPage", "total", "pages")} == {
        "page": 2,
        "perPage": 9,
        "total": 11,
        "pages": 2,
    }
    first = get(f"/api/{TESTIMONIALS}", Accept_Language="en").json()
    last = get(f"/api/{TESTIMONIALS}?more={first['more']}", Accept_Language="en").json()
    assert (first["total"], first["more"], last["total"], last["more"]) == (8, 6, 8, None)


def test_a_site_without_news_has_an_empty_first_page(release, get):
    page = get("/api/content/news/pagination?page=1&perPage=3", Accept_Language="ae").json()
    assert page == {"items": [], "page": 1, "perPage": 3, "total": 0, "pages": 0}


def test_each_site_has_its_own_content(release, get):
    assert get("/api/content/offices/dallas", Accept_Language="de").json()["city"] == "Dallas (de)"
    assert len(get("/api/content/news", Accept_Language="de").json()["items"]) == 10
    for path in ("certificates", "cvs", "events", "events/pages", "insights-video", "projects/full-cards", "reviews"):
        assert get(f"/api/content/{path}", Accept_Language="ae").json() == {"items": []}, path


def test_references_are_resolved(release, get):
    news = get("/api/content/news/n-03", Accept_Language="en").json()
    assert news["link"] == {
        "title": "News 3", "href": "/company/insights/n-03", "external": False, "site": None, "hreflang": None,
    }  # fmt: skip
    assert news["previewImage"]["mobile"]["webp2X"] == "/media/pictures/a/960.webp"
    assert news["previewImage"]["alt"] == "Cranes of Brightmoor"
    assert get("/api/content/projects/top", Accept_Language="en").json()["items"][0]["summary"] == "For 19 years."
