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
"""A text that is translated when it is shown."""
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
    ("start",): _("To begin"),
    ("team",): _("Team"),
    ("price",): _("Price range shown"),
    ("step",): _("Sent or left at step"),
}
ORIGIN: Final[dict[Place, Text]] = {
    ("pageUrl",): _("Page of the form"),
    ("firstVisitUrl",): _("First visit, ever"),
    ("sessionEntryUrl",): _("First page of this visit"),
    ("adClick",): _("Ad click"),
    ("country",): _("Visitor's country"),
    ("secondsOpen",): _("Form was open for"),
    ("privacyAccepted",): _("Privacy policy accepted"),
}
HIDDEN: Final[dict[Place, Text]] = {
    ("website",): _("Field that people do not see"),
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
    flags.HONEYPOT: _("A field that people do not see was filled in, as programs do"),
    flags.OVER_LIMIT: _("Its sender, or the sender's network, sent more forms than people do"),
    flags.NO_CAPTCHA: _("Sent without a solved captcha"),
    flags.CAPTCHA_UNREADABLE: _("Its captcha is none that the form gives"),
    flags.CAPTCHA_EXPIRED: _("The captcha was solved too long before"),
    flags.CAPTCHA_UNANSWERED: _("The captcha's provider did not answer, so nobody knows whether it was solved"),
    flags.CAPTCHA_LOW_SCORE: _("The captcha's provider takes its sender for a program"),
    flags.CAPTCHA_REUSED: _("The same solved captcha came with another lead before"),
    flags.TOO_QUICK: _("Filled in and sent within two seconds"),
    flags.LINKS: _("The message has three links or more"),
    flags.LINK_MARKUP: _("The message has links in a markup that people do not type"),
    flags.LINK_IN_NAME: _("There is a web address where a name belongs"),
    flags.FILE_WITH_VIRUS: _("The antivirus has found a virus in a file: do not open it"),
    flags.UNCHECKED_FILE: _("The antivirus did not answer, so nobody knows whether its files are clean"),
    flags.DEMO: _("Demo content"),
    flags.ODD_PHONE: _("The phone number does not look like one"),
    flags.FOREIGN_PAGE: _("Says it was sent from a page that is on none of our sites"),
}

STATES: Final = {
    Lead.State.OPEN: _("Open"),
    Lead.State.QUARANTINED: _("Quarantined"),
    Lead.State.SPAM: _("Spam"),
    Lead.State.DONE: _("Done"),
}
STATE_HINTS: Final = {
    Lead.State.QUARANTINED: _(
        "It looks like spam, it is one of very many forms of one sender, or its files may not be safe. It is sent to nobody "
        "until you or a colleague decide."
    ),
    Lead.State.SPAM: _("Nothing more of it is handed on."),
}
PARTIAL: Final = _("Partial submission")
PARTIAL_HINT: Final = _(
    "The visitor filled this in, accepted the privacy policy and left without sending it. It is handed on to nobody. If the "
    "form is sent after all, that lead takes the place of this one."
)
CAPTCHA: Final = {
    Lead.CaptchaStatus.VERIFIED: _("Solved and verified"),
    Lead.CaptchaStatus.UNVERIFIED: _("Not verified"),
}
DELIVERY_STATES: Final = {
    Delivery.State.PENDING: _("Waiting"),
    Delivery.State.HELD: _("Held"),
    Delivery.State.DELIVERED: _("Delivered"),
    Delivery.State.DEAD: _("Given up"),
}


class Line(NamedTuple):
    label: str
    value: str


def describe_flags(codes: list[str]) -> list[str]:
    return [str(FLAGS.get(code, code)) for code in codes]


def describe_form(form: str) -> str:
    return str(FORMS.get(form, form))


def value_at(fields: Any, place: Place) -> Any:
    """The value at a place in the lead; None if there is none. Unknown fields may have any form."""
    found = fields
    for step in place:
        found = found.get(step) if isinstance(found, Mapping) else None
    return found


def text_at(fields: Any, place: Place) -> str:
    """The value as people read it; empty where there is none."""
    value = value_at(fields, place)
    if value is None or value == [] or value == "":
        return ""
    write = _WRITERS.get(place)
    return write(value) if write else _plain(value)


def lines_of(fields: Any, places: Mapping[Place, str]) -> list[Line]:
    """The lines that have a value, in the order of ``places``."""
    found = ((str(label), text_at(fields, place)) for place, label in places.items())
    return [Line(label, value) for label, value in found if value]


def unknown_lines(fields: Any) -> list[Line]:
    """Return the lines of fields that our forms lack. A visitor chose their names, so they are marked as names and
    cannot imitate ours."""
    return [
        Line(gettext("Field “{name}”").format(name=join_key(place)), _plain(value))
        for place, value in _leaves(fields, ())
        if not _is_known(place)
    ]


def _is_known(place: Place) -> bool:
    # members of a list or an object have labels of their own; here is only what those leave out
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
    return f"{member.get('count', 1)} × {who or gettext('anybody')}"


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


_WRITERS: Final[dict[Place, Callable[[Any], str]]] = {
    ("form",): lambda value: describe_form(str(value)),
    ("team",): _team,
    ("start",): lambda value: str(STARTS.get(str(value), str(value))),
    ("price",): _price,
    ("adClick",): _ad_click,
    ("country",): lambda value: name_country(str(value)),
    ("secondsOpen",): _seconds,
}
