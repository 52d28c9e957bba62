"""Find leads by the filters in the URL and by search."""

from collections.abc import Collection, Sequence
from typing import Any, Final

from django import forms
from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.forms.boundfield import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ...domain.email_addresses import searched_address
from ...domain.letters import fold
from ...domain.roles import ALL_SITES
from ...leads.models import Delivery, Lead
from ...leads.sealing import Fields, rows_where
from ..site_names import site_choices
from .labels import DELIVERY_STATES, FLAGS, FORMS, PARTIAL, STATES, text_at
from .rights import list_colleagues, name_user

ALL: Final = "all"
ERASED: Final = "erased"
ME: Final = "me"
NOBODY: Final = "nobody"
FAILED: Final = "failed"
NONE: Final = "none"
SENT: Final = "sent"
LEFT: Final = "left"

_SEARCHED: Final = (("contact", "name"), ("contact", "company"), ("message",))
_ADDRESS: Final = ("contact", "email")
_AT_HAND: Final = ("q", "site", "assigned")
"""Filters for everyday use. The others are folded to leave room for the leads."""
_HANDED_ON: Final = (Lead.State.OPEN, Lead.State.DONE)

Choices = list[tuple[str, str]]


def _assignees() -> Choices:
    people = [(str(user.pk), name_user(user)) for user in list_colleagues()]
    return [("", gettext("Anyone")), (ME, gettext("Me")), (NOBODY, gettext("Not assigned")), *people]


def _date(label: Any) -> forms.DateField:
    return forms.DateField(label=label, required=False, widget=forms.DateInput({"type": "date"}))


def _choice(label: Any, choices: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, required=False, choices=choices)


class LeadFilter(forms.Form):
    """The filters. If one is invalid, the list shows all leads and the error."""

    use_required_attribute = False

    def __init__(self, data: Any, sites: Collection[str]) -> None:
        """``sites``: keys of the sites to offer."""
        super().__init__(data)
        found = site_choices()
        if ALL_SITES not in sites:
            found = [(key, name) for key, name in found if not key or key in sites]
        self.fields["site"].choices = found  # type: ignore[attr-defined]

    q = forms.CharField(
        label=_("Search"),
        required=False,
        max_length=200,
        widget=forms.TextInput({"type": "search", "placeholder": _("Name, company, e-mail, message")}),
    )
    state = forms.ChoiceField(
        required=False,
        choices=[*STATES.items(), (ALL, _("All")), (ERASED, _("Erased"))],
        widget=forms.HiddenInput,
    )
    site = _choice(_("Site"), site_choices)
    form = _choice(_("Form"), [("", _("All forms")), *FORMS.items()])
    sent = _choice(_("Sent"), [("", _("Sent or not")), (SENT, _("Sent")), (LEFT, PARTIAL)])
    flag = _choice(_("Flag"), [("", _("Any")), (NONE, _("No flag")), *FLAGS.items()])
    delivery = _choice(
        _("Delivery"),
        [("", _("Any")), *DELIVERY_STATES.items(), (FAILED, _("Waiting for retry")), (NONE, _("No deliveries"))],
    )
    assigned = _choice(_("Assigned to"), _assignees)
    since = _date(_("From"))
    until = _date(_("Until"))

    def shown_state(self) -> str:
        """Return the selected state. Default: open leads, because they need work."""
        if not self.is_valid():
            return ALL
        chosen: str = self.cleaned_data["state"]
        return chosen or Lead.State.OPEN

    def is_filtering(self) -> bool:
        return any(value for name, value in self.cleaned_data.items() if name != "state") if self.is_valid() else False

    def at_hand(self) -> list[BoundField]:
        return [self[name] for name in _AT_HAND]

    def folded(self) -> list[BoundField]:
        return [field for field in self.visible_fields() if field.name not in _AT_HAND]

    def opens(self) -> bool:
        """Return True if a folded filter has a value, so that it and its error are visible."""
        return any(field.value() for field in self.folded())

    def find(self, among: QuerySet[Lead], user: AbstractBaseUser) -> QuerySet[Lead]:
        """Return the matching leads, newest first."""
        leads = among.order_by("-created_at", "pk")
        if not self.is_valid():
            return leads.filter(erased_at=None)
        leads = leads.filter(_in_state(self.shown_state()), *self._wanted(user))
        words = [fold(word) for word in self.cleaned_data["q"].split()]
        return leads.filter(pk__in=rows_where(leads, lambda fields: _has(fields, words))) if words else leads

    def _wanted(self, user: AbstractBaseUser) -> list[Any]:
        wanted = self.cleaned_data
        found = [Q(**{name: wanted[name]}) for name in ("site", "form") if wanted[name]]
        if wanted["since"]:
            found.append(Q(created_at__date__gte=wanted["since"]))
        if wanted["until"]:
            found.append(Q(created_at__date__lte=wanted["until"]))
        if wanted["sent"]:
            found.append(Q(is_begun=wanted["sent"] == LEFT))
        if wanted["flag"]:
            found.append(Q(flags=[]) if wanted["flag"] == NONE else _has_flag(wanted["flag"]))
        if wanted["delivery"]:
            found.append(_has_delivery(wanted["delivery"]))
        if wanted["assigned"]:
            found.append(_is_assigned(wanted["assigned"], user))
        return found


def count_states(among: QuerySet[Lead]) -> dict[str, int]:
    """Return the number of leads in each state, without erased leads."""
    rows = among.filter(erased_at=None).order_by().values_list("state").annotate(Count("pk"))
    return dict(rows)


def count_undelivered(among: QuerySet[Lead]) -> int:
    """Return the number of leads with a failed delivery."""
    dead = Delivery.objects.filter(
        lead__in=among, state=Delivery.State.DEAD, lead__erased_at=None, lead__state__in=_HANDED_ON
    )
    return dead.values("lead").distinct().count()


def _in_state(state: str) -> Q:
    if state == ERASED:
        return Q(erased_at__isnull=False)
    living = Q(erased_at=None)
    return living if state == ALL else living & Q(state=state)


def _has_flag(code: str) -> Q:
    """Search the list's text, because SQLite cannot search a JSON list. Codes have no quotation marks."""
    with_flag = Lead.objects.annotate(flags_text=Cast("flags", TextField())).filter(flags_text__contains=f'"{code}"')
    return Q(pk__in=with_flag.order_by().values("pk"))


def _has_delivery(state: str) -> Any:
    deliveries = Delivery.objects.filter(lead=OuterRef("pk"))
    if state == NONE:
        return ~Exists(deliveries)
    if state == FAILED:
        return Exists(deliveries.filter(state=Delivery.State.PENDING, attempts__gt=0).exclude(reason=""))
    return Exists(deliveries.filter(state=state))


def _is_assigned(who: str, user: AbstractBaseUser) -> Q:
    if who == NOBODY:
        return Q(assigned_to=None)
    return Q(assigned_to=user.pk if who == ME else int(who))


def _has(fields: Fields, words: Sequence[str]) -> bool:
    """Return True if each word is in one of the fields. ``words`` are folded."""
    texts = [fold(text_at(fields, place)) for place in _SEARCHED]
    texts.append(searched_address(text_at(fields, _ADDRESS)))
    return all(any(word in text for text in texts) for word in words)
