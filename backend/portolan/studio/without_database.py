"""Show a short text if the database is unavailable, damaged, or of another version."""

import logging
import sys
from html import escape
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.utils.translation import get_language, gettext
from django.views.defaults import server_error

from ..content.media_away import MediaAway
from ..edge.plain_replies import build_page
from ..releases.database_errors import DatabaseTrouble, find_trouble
from ..releases.database_version import NewerDatabase, OlderDatabase
from ..releases.formats import NewerFormat
from ..releases.upgrade_lock import UpgradeIsAtWork

_RELOAD_S: Final = 5
_MOST_TRIES: Final = 12
_TRIES: Final = "studio-tries"
"""Cookie with the number of reloads of the page. It is deleted when the page works again."""

logger = logging.getLogger(__name__)


def show_failure(request: HttpRequest) -> HttpResponse | HttpResponseServerError:
    """Show the error page. This is Django's ``handler500``."""
    error = sys.exc_info()[1]
    trouble = (find_trouble(error) or _find_media_away(error)) if error else None
    if trouble is None:
        return server_error(request)
    reads = request.method in ("GET", "HEAD")
    title, why = _title(error, trouble)
    passes = reads and not _is_damaged(trouble)
    tries = _count_tries(request)
    reloads = passes and tries < _MOST_TRIES
    goes_on = gettext("This page retries automatically.") if reloads else ""
    if passes and not reloads:
        goes_on = gettext("This page tried {count} times and has stopped. Reload it in a few minutes.").format(
            count=tries
        )
    elif not reads:
        goes_on = gettext(
            "Your last input is not saved. Go back in your browser, where it is still in the form, and send it "
            "again later."
        )
    reply = build_page(
        503,
        title,
        gettext(
            "<p>{why}The published sites are not affected. {goes_on}</p><p>The output of <code>portolan "
            "serve</code> shows the reason.</p>"
        ).format(why=escape(why), goes_on=escape(goes_on)),
        reload_s=_RELOAD_S if reloads else 0,
        language=get_language(),
    )
    logger.error("%s %s could not be answered: %s", request.method, request.path, trouble)
    response = HttpResponse(reply.body["body"], status=reply.start["status"])
    for name, value in reply.start["headers"]:
        response[name.decode()] = value.decode()
    if reloads:
        response.set_cookie(
            _TRIES,
            str(tries + 1),
            max_age=3 * _RELOAD_S,
            path=request.path,
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django would add the whole trace, each time
    return response


def _count_tries(request: HttpRequest) -> int:
    said = request.COOKIES.get(_TRIES, "")
    return int(said) if said in map(str, range(_MOST_TRIES + 1)) else 0


def _find_media_away(error: BaseException | None) -> MediaAway | None:
    while error is not None and not isinstance(error, MediaAway):
        error = error.__cause__ or error.__context__
    return error


def _is_damaged(trouble: DatabaseTrouble | MediaAway) -> bool:
    return isinstance(trouble, DatabaseTrouble) and trouble.is_damaged


def _title(error: BaseException | None, trouble: DatabaseTrouble | MediaAway) -> tuple[str, str]:
    """Return the title and the first sentence."""
    if _find_media_away(error):
        return gettext("The studio cannot reach its files"), ""
    if _is_damaged(trouble):
        return gettext("The studio's database is damaged"), gettext(
            "Tell an administrator: the database has to be restored from a backup. "
        )
    match error:
        case UpgradeIsAtWork():
            return gettext("The studio is being upgraded"), gettext("That takes a minute or two. ")
        case NewerDatabase() | NewerFormat():
            return (
                gettext("The studio has to be restarted"),
                gettext("Its database was upgraded, but the studio still runs the previous version. "),
            )
        case OlderDatabase():
            return gettext("The studio waits for an upgrade"), gettext(
                "A new version is running, but its database is not upgraded yet. "
            )
    return gettext("The studio cannot reach its database"), ""
