"""The message after publishing, with the delivery status.

The browser updates it until visitors of each site get the published version. Its key is the published object, because
the release may not exist yet.
"""

from typing import Any, Final, NamedTuple

from django.contrib import messages as django_messages
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.http import require_POST
from wagtail.admin import messages
from wagtail.models import Page

from ..content.changes import keys_of
from ..delivery_status.site_state import State
from .blocked import say_why_blocked
from .delivery_status import Travel, ask_unless_just_asked, find_travel
from .pins import say_pins
from .publish_status import find_publish_status
from .release_rights import may_see_release
from .time_zones import zone_for
from .version_history import find_last_release, find_subject, is_on_its_way, query_of

_ON_THE_WAY: Final = (State.RELEASED, State.RENDERED)


class Told(NamedTuple):
    level: str
    """``success``, ``info`` or ``warning``, as Wagtail names messages."""
    said: str
    travel: Travel | None
    """``None`` until a release has it."""
    is_settled: bool
    """True if no further change is expected."""


def note_published(request: HttpRequest) -> None:
    """Mark the request as having published. Called by Wagtail's hooks."""
    request.has_published = True  # type: ignore[attr-defined]


def was_published(request: HttpRequest) -> bool:
    return getattr(request, "has_published", False)


def say(request: HttpRequest, thing: Any) -> None:
    """Add the message for an object that was just published."""
    told = tell(thing, request.user)
    getattr(messages, told.level)(request, draw(told, thing, request.user))


def tell(thing: Any, user: User | AnonymousUser) -> Told:
    """Describe the status of an object's last publish, all parts at the same moment."""
    title = thing.title if isinstance(thing, Page) else str(thing)
    is_early = is_on_its_way(thing)  # read first: if False, the release exists
    number = None if is_early else find_last_release(thing)
    travel = find_travel(number) if number else None
    is_unknown = number is not None and travel is None
    status = find_publish_status()
    rows = travel.rows if travel else []
    if pinned := say_pins({key.site for key in keys_of(thing)}, zone_for(user)):
        return Told(
            "warning", gettext("“{title}” is saved. {pinned}").format(title=title, pinned=pinned), travel, False
        )
    if isinstance(thing, Page) and (blocked := say_why_blocked(thing)):
        said = gettext("“{title}” is saved, but visitors do not see this version yet. {blocked}")
        return Told("warning", said.format(title=title, blocked=blocked), travel, True)
    if status.is_failure:
        return Told(
            "warning", gettext("“{title}” is saved. {text}").format(title=title, text=status.text), travel, False
        )
    if is_early or is_unknown or any(row.state in _ON_THE_WAY for row in rows):
        return Told("info", gettext("“{title}” is saved and is going live.").format(title=title), travel, False)
    if status.state == "blocked" and not isinstance(thing, Page):
        return Told(
            "warning", gettext("“{title}” is saved. {text}").format(title=title, text=status.text), travel, True
        )
    is_settled = travel.is_settled if travel else True
    return Told("success", gettext("“{title}” is live.").format(title=title), travel, is_settled)


def draw(told: Told, thing: Any, user: User | AnonymousUser) -> SafeString:
    query = query_of(thing)
    number = told.travel.number if told.travel else None
    context = {
        "told": told,
        "url": f"{reverse('studio_follow')}?{query}" if query else "",
        "live_url": thing.get_url() if isinstance(thing, Page) and told.level == "success" else "",
        "delivery_url": reverse("studio_release", args=[number]) if number and may_see_release(user, number) else "",
    }
    return render_to_string("studio/published.html", context)


@require_POST
def follow(request: HttpRequest) -> HttpResponse:
    """Return the current message. Check the sites, as the delivery status does."""
    thing: Any = find_subject(request).thing
    if thing is None:
        return HttpResponse(status=404)
    if isinstance(thing, Page):
        thing = thing.specific  # for its own URL
    number = None if is_on_its_way(thing) else find_last_release(thing)
    if number:
        ask_unless_just_asked(number)
    reply = HttpResponse(draw(tell(thing, request.user), thing, request.user))
    reply["Cache-Control"] = "no-store"
    return reply


def take_messages(request: HttpRequest) -> list[dict[str, str]]:
    """Return the messages of this request for a script. Other screens do not show them again."""
    found = django_messages.get_messages(request)
    return [{"level": str(message.level_tag), "html": str(message)} for message in found]


URLS: Final[list[URLPattern]] = [path("releases/follow/", follow, name="studio_follow")]
