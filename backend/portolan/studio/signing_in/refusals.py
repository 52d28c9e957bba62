"""Tell a person how long to wait after too many attempts. A plain page, so that an attack costs little."""

import math

from django.http import HttpResponse
from django.utils.html import escape
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ...accounts.throttle import TooManyTries
from ...edge.plain_replies import build_page

_TITLE = _("Too many attempts to sign in")


def refuse(error: TooManyTries) -> HttpResponse:
    text = say_how_long(error)
    body = f'<p>{escape(text)}</p><p><a href="">{gettext("Back to sign-in")}</a></p>'
    page = build_page(429, str(_TITLE), body, language=get_language())
    reply = HttpResponse(page.body["body"], status=429)
    for name, value in page.start["headers"]:
        reply[name.decode()] = value.decode()
    reply["Retry-After"] = str(error.wait_s)
    return reply


def say_how_long(error: TooManyTries) -> str:
    """Return the text. It is the same for every name, so it does not reveal whether an account exists."""
    minutes = math.ceil(error.wait_s / 60)
    until = ngettext("{count} minute", "{count} minutes", minutes).format(count=minutes)
    elsewhere = ""
    if error.from_anywhere:
        elsewhere = gettext(
            " From a network where you signed in recently, such as your office or home, you can sign in at once."
        )
    return gettext(
        "Sign-in is blocked for now. Try again in {until}.{elsewhere} If you forgot your password or cannot wait, ask an "
        "administrator of the studio to unlock your name or to give you a new password."
    ).format(until=until, elsewhere=elsewhere)
