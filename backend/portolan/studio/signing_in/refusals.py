"""What somebody is told who has to wait before trying again. A plain page: it has to cost nothing while somebody guesses."""

import math

from django.http import HttpResponse
from django.utils.html import escape
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ...accounts.throttle import TooManyTries
from ...edge.plain_replies import build_page

_TITLE = _("Too many tries to sign in")


def refuse(error: TooManyTries) -> HttpResponse:
    text = say_how_long(error)
    body = f'<p>{escape(text)}</p><p><a href="">{gettext("Back to signing in")}</a></p>'
    page = build_page(429, str(_TITLE), body, language=get_language())
    reply = HttpResponse(page.body["body"], status=429)
    for name, value in page.start["headers"]:
        reply[name.decode()] = value.decode()
    reply["Retry-After"] = str(error.wait_s)
    return reply


def say_how_long(error: TooManyTries) -> str:
    """The same for every name, so that it does not say whether there is such an account."""
    minutes = math.ceil(error.wait_s / 60)
    until = ngettext("{count} minute", "{count} minutes", minutes).format(count=minutes)
    elsewhere = ""
    if error.from_anywhere:
        elsewhere = gettext(" Where you have signed in lately, in your office or at home, you are let in at once.")
    return gettext(
        "Wait {until}, then try again.{elsewhere} If you do not know your password any more, or cannot wait, ask an "
        "administrator of the studio: they can let you in and give you a new one."
    ).format(until=until, elsewhere=elsewhere)
