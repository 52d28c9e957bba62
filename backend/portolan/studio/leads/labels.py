"""The labels of a lead's fields, flags and states."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ...content.countries import name_country
from ...leads import flags
from ...leads.models import Delivery, Lead
from ...leads.multipart import join_key

Text = Any
"""A text that is translated when it is displayed."""
Step = str | int
Place = tuple[Step, ...]

CONTACT: Final[dict[Place, Text]] = {
    ("contact", "name"): _("Name"),
    ("contact", "company"): _("Company"),
    ("contact", "email"): _("E-mail"),
    ("contact", "phone"): _("Phone"),
}
ENQUIRY: Final[dict[Place, Text]] = {
    ("form",): _("Form"),
    ("message",): _("Message"),
    ("services",): _("Services"),
    ("months",): _("Months"),
    ("start",): _("Start"),
    ("team",): _("Team"),
    ("price",): _("Price range shown"),
    ("step",): _("Last step"),
}
ORIGIN: Final[dict[Place, Text]] = {
    ("pageUrl",): _("Page of the form"),
    ("firstVisitUrl",): _("First page of the first visit"),
    ("sessionEntryUrl",): _("First page of this visit"),
    ("adClick",): _("Ad click"),
    ("country",): _("Visitor's country"),
    ("secondsOpen",): _("Form was open for"),
    ("privacyAccepted",): _("Privacy policy accepted"),
}
HIDDEN: Final[dict[Place, Text]] = {
    ("website",): _("Hidden field"),
}
LABELS: Final = {**CONTACT, **ENQUIRY, **ORIGIN, **HIDDEN}

FORMS: Final = {"contact": _("Contact"), "estimate": _("Estimate")}
STARTS: Final = {
    "now": _("As soon as possible"),
    "quarter": _("Within three months"),
    "later": _("Later"),
    "open": _("Not decided yet"),
}
AD_CLICKS: Final = {
    "gclid": "Google Ads",
    "wbraid": _("Google Ads (app to web)"),
    "gbraid": _("Google Ads (web to app)"),
}

FLAGS: Final = {
    flags.HONEYPOT: _("The hidden field was filled in, so the sender is probably a program"),
    flags.OVER_LIMIT: _("Too many forms from this sender or network"),
    flags.NO_CAPTCHA: _("Sent without a solved captcha"),
    flags.CAPTCHA_UNREADABLE: _("The captcha is not from this form"),
    flags.CAPTCHA_EXPIRED: _("The captcha has expired"),
    flags.CAPTCHA_UNANSWERED: _("The captcha could not be checked, because its provider did not respond"),
    flags.CAPTCHA_LOW_SCORE: _("The captcha's provider rates the sender as a program"),
    flags.CAPTCHA_REUSED: _("The captcha was already used for another lead"),
    flags.TOO_QUICK: _("Filled in and sent within two seconds"),
    flags.LINKS: _("The message has three or more links"),
    flags.LINK_MARKUP: _("The message has links in markup, which people do not type"),
    flags.LINK_IN_NAME: _("The name contains a URL"),
    flags.FILE_WITH_VIRUS: _("The antivirus found a virus in a file. Do not open it."),
    flags.UNCHECKED_FILE: _("The files could not be checked, because the antivirus did not respond"),
    flags.DEMO: _("Demo content"),
    flags.ODD_PHONE: _("The phone number looks invalid"),
    flags.FOREIGN_PAGE: _("The page of the form is not on our sites"),
}

STATES: Final = {
    Lead.State.OPEN: _("Open"),
    Lead.State.QUARANTINED: _("Quarantined"),
    Lead.State.SPAM: _("Spam"),
    Lead.State.DONE: _("Done"),
}
STATE_HINTS: Final = {
    Lead.State.QUARANTINED: _(
        "This lead looks like spam, its sender sent very many forms, or its files may be unsafe. It is delivered only after "
        "you or a colleague decide."
    ),
    Lead.State.SPAM: _("This lead is not delivered."),
}
PARTIAL: Final = _("Partial submission")
PARTIAL_HINT: Final = _(
    "The visitor accepted the privacy policy and left the form without sending it. This lead is not delivered. If the "
    "visitor sends the form later, the new lead replaces this one."
)
CAPTCHA: Final = {
    Lead.CaptchaStatus.VERIFIED: _("Solved and verified"),
    Lead.CaptchaStatus.UNVERIFIED: _("Not verified"),
}
DELIVERY_STATES: Final = {
    Delivery.State.PENDING: _("Waiting"),
    Delivery.State.HELD: _("Blocked"),
    Delivery.State.DELIVERED: _("Delivered"),
    Delivery.State.DEAD: _("Failed"),
}


class Line(NamedTuple):
    label: str
    value: str


def describe_flags(codes: list[str]) -> list[str]:
    return [str(FLAGS.get(code, code)) for code in codes]


def describe_form(form: str) -> str:
    return str(FORMS.get(form, form))


def value_at(fields: Any, place: Place) -> Any:
    """Return the value at ``place`` in the lead, or None. Unknown fields may have any type."""
    found = fields
    for step in place:
        found = found.get(step) if isinstance(found, Mapping) else None
    return found


def text_at(fields: Any, place: Place) -> str:
    """Return the value as text; empty if there is none."""
    value = value_at(fields, place)
    if value is None or value == [] or value == "":
        return ""
    write = _FORMATTERS.get(place)
    return write(value) if write else _plain(value)


def lines_of(fields: Any, places: Mapping[Place, str]) -> list[Line]:
    """Return the lines that have a value, in the order of ``places``."""
    found = ((str(label), text_at(fields, place)) for place, label in places.items())
    return [Line(label, value) for label, value in found if value]


def unknown_lines(fields: Any) -> list[Line]:
    """Return the lines of fields that our forms lack.

    A visitor chose their names, so they are quoted and cannot imitate our labels.
    """
    return [
        Line(gettext("Field “{name}”").format(name=join_key(place)), _plain(value))
        for place, value in _leaves(fields, ())
        if not _is_known(place)
    ]


def _is_known(place: Place) -> bool:
    # Members of a list or an object have their own labels.
    if any(known == place for known in LABELS):
        return True
    if place[0] == "team":
        return len(place) == 3 and place[2] in ("role", "seniority", "count")
    if place[0] == "services":
        return len(place) == 2
    return place in _PARTS


_PARTS: Final = {("price", "from"), ("price", "to"), ("price", "currency"), ("adClick", "type"), ("adClick", "value")}


def _leaves(value: Any, place: Place) -> Iterator[tuple[Place, Any]]:
    if isinstance(value, Mapping):
        for name, child in value.items():
            yield from _leaves(child, (*place, name))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from _leaves(child, (*place, index))
    elif value is not None and value != "":
        yield place, value


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, list):
        return ", ".join(_plain(child) for child in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _team(value: Any) -> str:
    if not isinstance(value, list):
        return _plain(value)
    return "\n".join(_member(member) if isinstance(member, Mapping) else _plain(member) for member in value)


def _member(member: Mapping[str, Any]) -> str:
    who = " ".join(_plain(member[part]) for part in ("seniority", "role") if member.get(part))
    return f"{member.get('count', 1)} × {who or gettext('any role')}"


def _price(value: Any) -> str:
    if not isinstance(value, Mapping):
        return _plain(value)
    lowest, highest = (_amount(value.get(end)) for end in ("from", "to"))
    return (
        gettext("{lowest} to {highest} {currency}")
        .format(lowest=lowest, highest=highest, currency=value.get("currency", ""))
        .strip()
    )


def _amount(value: Any) -> str:
    return f"{value:,.2f}".removesuffix(".00") if isinstance(value, int | float) else "?"


def _ad_click(value: Any) -> str:
    if not isinstance(value, Mapping):
        return _plain(value)
    kind = str(value.get("type", ""))
    return f"{AD_CLICKS.get(kind, kind)}: {value.get('value', '')}"


def _seconds(value: Any) -> str:
    if not isinstance(value, int | float):
        return _plain(value)
    if value < 60:
        return f"{value:.0f} s"
    return f"{value / 60:.0f} min" if value < 3600 else f"{value / 3600:.1f} h"


_FORMATTERS: Final[dict[Place, Callable[[Any], str]]] = {
    ("form",): lambda value: describe_form(str(value)),
    ("team",): _team,
    ("start",): lambda value: str(STARTS.get(str(value), str(value))),
    ("price",): _price,
    ("adClick",): _ad_click,
    ("country",): lambda value: name_country(str(value)),
    ("secondsOpen",): _seconds,
}
