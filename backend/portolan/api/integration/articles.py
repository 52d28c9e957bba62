"""Views of articles (spec §7: integration/articles/…). Articles are news and blueprints, in one id space."""

from typing import Annotated, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from ninja import Router

from ...article_views.articles import Articles, read_articles
from ...article_views.counting import add_view, read_all_views, read_views
from ...article_views.visits import is_new_visit
from ...schemas.article import ArticleViews, ArticleViewsList
from ..client_limits import client_of, require_share
from ..examples import BLUEPRINT_ID, NEWS_ID
from ..operations import describe
from ..parameters import id_path
from ..problems import NOTHING_PUBLISHED, ProblemKind

router = Router(tags=["Articles"], by_alias=True)

_EXAMPLE: Final = ArticleViews(id=NEWS_ID, views=1288)
_BLUEPRINT_EXAMPLE: Final = ArticleViews(id=BLUEPRINT_ID, views=311)
UNKNOWN_ARTICLE: Final = ProblemKind(
    404,
    "unknown-article",
    "No site has an article of this id.",
    "There is no article {id!r}. For all articles, see integration/articles/views.",
    {"id": "atlantis"},
)
_ID: Final = id_path("a news item or blueprint", NEWS_ID)
_BLUEPRINT: Final = id_path("a blueprint", BLUEPRINT_ID)


@router.get(
    "/views",
    **describe("list_article_views", "Views of all articles", ArticleViewsList(items=[_EXAMPLE, _BLUEPRINT_EXAMPLE])),
)
def list_article_views(request: HttpRequest, response: HttpResponse) -> ArticleViewsList:
    """Every news item and blueprint of every site, by id. Unread ones have 0. Not cached."""
    ids = _articles().ids()
    response["Cache-Control"] = "no-store"
    return ArticleViewsList(
        items=[ArticleViews(id=id, views=views) for id, views in zip(ids, read_all_views(ids), strict=True)]
    )


@router.get(
    "/blueprints/views/{id}",
    **describe("read_blueprint_views", "Views of one blueprint", _BLUEPRINT_EXAMPLE, UNKNOWN_ARTICLE),
)
def read_blueprint_views(request: HttpRequest, response: HttpResponse, id: Annotated[str, _BLUEPRINT]) -> ArticleViews:
    """0 if it is unread. Not cached."""
    if id not in _articles().blueprints:
        raise UNKNOWN_ARTICLE.because(id=id)
    response["Cache-Control"] = "no-store"
    return ArticleViews(id=id, views=read_views(id))


@router.put("/views/{id}", **describe("add_article_view", "Count one view", _EXAMPLE, UNKNOWN_ARTICLE))
def add_article_view(request: HttpRequest, response: HttpResponse, id: Annotated[str, _ID]) -> ArticleViews:
    """Adds one view and returns the new count, also for concurrent requests. Ignores the body. If the operator has
    configured it, known bots and repeats within 30 minutes add nothing and get the same reply.
    """
    require_share(request, "views")
    if not _articles().has(id):
        raise UNKNOWN_ARTICLE.because(id=id)
    response["Cache-Control"] = "no-store"
    return ArticleViews(id=id, views=add_view(id) if _is_counted(request, id) else read_views(id))


def _articles() -> Articles:
    articles = read_articles()
    if articles is None:
        raise NOTHING_PUBLISHED.because()
    return articles


def _is_counted(request: HttpRequest, article: str) -> bool:
    user_agent = request.headers.get("User-Agent", "")
    return not settings.VIEWS_WITHOUT_REPEATS or is_new_visit(article, client_of(request), user_agent)
