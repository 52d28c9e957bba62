"""What somebody is told who has to wait before trying again."""

import math
from typing import Any, Final

from django.http import HttpRequest
from django.template.response import TemplateResponse

from ...accounts.throttle import TooManyTries

CROWDED: Final = (
    "Many people are signing in just now, and passwords are checked one after the other. Try again in a few seconds."
)
CROWDED_S: Final = 5


def say_how_long(error: TooManyTries) -> str:
    """The same for every name, so that it does not say whether there is such an account."""
    minutes = math.ceil(error.wait_s / 60)
    until = "a minute" if minutes == 1 else f"{minutes} minutes"
    elsewhere = (
        " Where you have signed in lately, from your office or your home, you are let in at once."
        if error.from_anywhere
        else ""
    )
    return (
        f"Too many tries to sign in. Wait {until}, then try again.{elsewhere} If you do not know your password any more, or "
        "cannot wait, ask an administrator of the studio: they can let you in and give you a new one."
    )


def refuse(
    request: HttpRequest, template: str, context: dict[str, Any], error: TooManyTries | None
) -> TemplateResponse:
    """429 for somebody who has tried too often; without ``error`` 503, because too many sign in at once."""
    text = say_how_long(error) if error else CROWDED
    reply = TemplateResponse(request, template, {**context, "refusal": text}, status=429 if error else 503)
    reply["Retry-After"] = str(error.wait_s if error else CROWDED_S)
    reply["Cache-Control"] = "no-store"
    return reply
