"""News (spec §7: content/news, content/news/pagination, content/news/{id})."""

from datetime import date
from typing import Annotated, Any, Final

from django.http import HttpRequest
from ninja import Router
from ninja.params.models import Query

from ...domain.pagination import MOST_NEWS_PER_PAGE, NEWS_PER_PAGE, cut_page
from ...schemas.article import NewsItem, NewsList, NewsPagination
from ..examples import NEWS_ID, PICTURE, link
from ..operations import describe
from ..parameters import id_path
from ..problems import ProblemKind
from ..release_content import read_content

router = Router(tags=["News"], by_alias=True)

_EXAMPLE: Final = NewsItem(
    id=NEWS_ID,
    title="A harbour that answers back",
    summary="What two years of vessel traffic data taught a port authority.",
    preview_image=PICTURE,
    date=date(2026, 10, 2),
    link=link("A harbour that answers back", "/company/insights/a-harbour-that-answers-back"),
)
_PAGE: Final = NewsPagination(items=[_EXAMPLE], page=2, per_page=9, total=10, pages=2)
_LINKS: Final = {"read_news": {"id": "/items/0/id"}, "add_article_view": {"id": "/items/0/id"}}
UNKNOWN_NEWS: Final = ProblemKind(
    404,
    "unknown-news",
    "The site has no news of this id.",
    "The site has no news {id!r}. For all news, see content/news.",
    {"id": "none"},
)
UNKNOWN_PAGE: Final = ProblemKind(
    404,
    "unknown-page",
    "The list has fewer pages.",
    "There is no page {page}: {total} items make {pages} pages of {per_page}.",
    {"page": 8, "total": 60, "pages": 7, "per_page": 9},
)

PageNumber = Annotated[int, Query(1, ge=1, description="Number of the page, from 1.", example=2)]
PerPage = Annotated[
    int,
    Query(NEWS_PER_PAGE, alias="perPage", ge=1, le=MOST_NEWS_PER_PAGE, description="Items on a page.", example=9),
]


@router.get("", **describe("list_news", "All news", NewsList(items=[_EXAMPLE]), links=_LINKS))
def list_news(request: HttpRequest) -> dict[str, Any]:
    """Newest first; within a day by id."""
    return {"items": read_content(request).items("news")}


@router.get("/pagination", **describe("paginate_news", "News by the page", _PAGE, UNKNOWN_PAGE, links=_LINKS))
def paginate_news(request: HttpRequest, page: PageNumber, per_page: PerPage) -> dict[str, Any]:
    """One page of all news, newest first. The first page of an empty list is empty. Other pages past the last one
    return 404.
    """
    news = read_content(request).items("news")
    cut = cut_page(news, page, per_page)
    if cut is None:
        pages = -(-len(news) // per_page)
        raise UNKNOWN_PAGE.because(page=page, total=len(news), pages=pages, per_page=per_page)
    return {"items": cut.items, "page": page, "perPage": per_page, "total": cut.total, "pages": cut.pages}


@router.get("/{id}", **describe("read_news", "One piece of news", _EXAMPLE, UNKNOWN_NEWS))
def read_news(request: HttpRequest, id: Annotated[str, id_path("a piece of news", NEWS_ID)]) -> Any:
    """By the id in the list, which is the same on every site with the article."""
    news = read_content(request).entry("news", id)
    if news is None:
        raise UNKNOWN_NEWS.because(id=id)
    return news.value
