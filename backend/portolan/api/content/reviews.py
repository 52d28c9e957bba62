"""Reviews (spec §7: content/reviews, content/reviews/{id}, content/reviews/testimonial/pagination)."""

from typing import Annotated, Any, Final

from django.http import HttpRequest
from ninja import Router
from ninja.params.models import Query

from ...domain.country_order import put_country_first
from ...domain.pagination import TESTIMONIALS_PER_PAGE, take_more
from ...schemas.review import Review, ReviewList, TestimonialPagination
from ..examples import DRAWING
from ..operations import describe
from ..parameters import CountryHeader, CountryQuery, OptionalPageKeyHeader, id_path
from ..problems import ProblemKind
from ..release_content import read_content
from .placement import MOVED_PAGE_KEY, UNKNOWN_PAGE_KEY, entries_on_page

router = Router(tags=["Reviews"], by_alias=True)

_EXAMPLE: Final = Review(
    id="northwind-vts",
    person="Head of Vessel Traffic",
    role="Vessel traffic services",
    company="Northwind Port Authority",
    country="gb",
    score=5.0,
    text="They moved the whole control room to the new system in one night, and nobody had to shout.",
    logo=DRAWING,
)
_TESTIMONIALS: Final = TestimonialPagination(items=[_EXAMPLE], total=13, more=12)
_LINKS: Final = {"read_review": {"id": "/items/0/id"}}
UNKNOWN_REVIEW: Final = ProblemKind(
    404,
    "unknown-review",
    "The site has no review of this id.",
    "The site has no review {id!r}. For all reviews, see content/reviews.",
    {"id": "none"},
)

More = Annotated[int, Query(0, ge=0, description="Number of reviews that are already shown.", example=6)]


@router.get(
    "",
    **describe(
        "list_reviews",
        "Reviews, of one page or of all",
        ReviewList(items=[_EXAMPLE]),
        UNKNOWN_PAGE_KEY,
        MOVED_PAGE_KEY,
        links=_LINKS,
    ),
)
def list_reviews(request: HttpRequest, page_key: OptionalPageKeyHeader, country: CountryHeader) -> dict[str, Any]:
    """Reviews that editors placed on the page `Page-Key`, or all without that header. Those of `Country-Code` come first,
    each group in the editors' order.
    """
    content = read_content(request)
    entries = content.entries("review") if page_key is None else entries_on_page(content, "review", page_key)
    return {"items": put_country_first([entry.value for entry in entries], country, _country)}


@router.get(
    "/testimonial/pagination",
    **describe(
        "paginate_testimonials",
        "Reviews, six at a time",
        _TESTIMONIALS,
        links=_LINKS | {"paginate_testimonials": {"more": "/more"}},
    ),
)
def paginate_testimonials(request: HttpRequest, country: CountryQuery, more: More) -> dict[str, Any]:
    """The six reviews after the first `more`. Those of `countryCode` come first, each group in the editors' order. Send
    `more` of the reply for the next ones; it is null after the last.
    """
    reviews = put_country_first(read_content(request).items("review"), country, _country)
    return take_more(reviews, more, TESTIMONIALS_PER_PAGE)._asdict()


@router.get("/{id}", **describe("read_review", "One review", _EXAMPLE, UNKNOWN_REVIEW))
def read_review(request: HttpRequest, id: Annotated[str, id_path("a review", "northwind-vts")]) -> Any:
    """By the id in the list."""
    review = read_content(request).entry("review", id)
    if review is None:
        raise UNKNOWN_REVIEW.because(id=id)
    return review.value


def _country(review: dict[str, Any]) -> str:
    country: str = review["country"]
    return country
