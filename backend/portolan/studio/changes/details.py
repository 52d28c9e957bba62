"""Edit the name, purpose and owner of a change set."""

from typing import Any, Final

from django import forms
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from wagtail.admin import messages
from wagtail.log_actions import log

from ...content.change_sets.models import ChangeSet, ChangeSetNotice
from ...content.in_order import order_names
from ...content.trimmed import TrimmedField
from ...domain.change_sets import Step, why_not
from ...releases.waking import wake_delivery
from ..authors import name_of
from .forms import LONGEST_NAME, ChooseSetForm
from .rights import may_see, person, standing_of
from .seeing import find_set

DETAILS: Final = "portolan.change_set.details"
ASSIGNED: Final = "portolan.change_set.assigned"


class PersonField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """Offers people who work on content."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(queryset=get_user_model().objects.none(), required=False, **kwargs)

    def find_people(self) -> None:
        """Find the people. Call it once for each form, because it reads many tables."""
        people = get_user_model().objects.filter(is_active=True).order_by("first_name", "last_name", "pk")
        active = order_names(people, get_language() or "")
        self.queryset = active.filter(pk__in=[one.pk for one in active if may_see(one)])

    def label_from_instance(self, obj: Any) -> str:
        return name_of(obj)


class AssignForm(ChooseSetForm):
    """Asks for a change set and its owner."""

    owner = PersonField(
        label=gettext_lazy("Assign to"),
        empty_label=gettext_lazy("no one else"),
        help_text=gettext_lazy("The owner puts the change set live and gets an e-mail about it."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["owner"].find_people()  # type: ignore[attr-defined]

    def open(self, user: Any) -> ChangeSet:
        change_set = super().open(user)
        if owner := self.cleaned_data["owner"]:
            assign(change_set, owner, user)
        return change_set


class DetailsForm(forms.Form):
    name = TrimmedField(label=gettext_lazy("Name"), max_length=LONGEST_NAME)
    note = forms.CharField(
        label=gettext_lazy("Purpose"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("For colleagues: the planned change, the reason, and the reviewer."),
    )
    owner = PersonField(
        label=gettext_lazy("Owner"),
        empty_label=gettext_lazy("No owner"),
        help_text=gettext_lazy("The owner puts the change set live. A new owner gets an e-mail."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["owner"].find_people()  # type: ignore[attr-defined]


def edit_details(request: HttpRequest, id: int) -> HttpResponse:
    user = person(request)
    change_set = find_set(user, id)
    if said := why_not(change_set.at, Step.CHANGE, standing_of(user, change_set), needs_review=False):
        if request.method == "POST":
            raise PermissionDenied(said)
        messages.error(request, said)
        return redirect("studio_change_set", id)
    known = {"name": change_set.name, "note": change_set.note, "owner": change_set.owner_id}
    form = DetailsForm(request.POST or None, initial=known)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        with transaction.atomic():
            if {"name", "note"} & set(form.changed_data):
                change_set.name, change_set.note = given["name"].strip(), given["note"].strip()
                change_set.save(update_fields=["name", "note"])
                log(instance=change_set, action=DETAILS, user=user, title=change_set.name)
            if "owner" in form.changed_data:
                assign(change_set, given["owner"], user)
        messages.success(request, _("“%(name)s” is saved.") % {"name": change_set})
        return redirect("studio_change_set", id)
    return TemplateResponse(request, "studio/changes/details.html", {"form": form, "change_set": change_set})


def assign(change_set: ChangeSet, owner: Any, by: Any) -> None:
    """Set the owner, log it, and notify the new owner."""
    if change_set.owner_id == (owner.pk if owner else None):
        return
    with transaction.atomic():
        change_set.owner = owner
        change_set.save(update_fields=["owner"])
        log(
            instance=change_set,
            action=ASSIGNED,
            user=by,
            title=change_set.name,
            data={"to": name_of(owner) if owner else ""},
        )
        if owner and owner.pk != by.pk:
            said = _("%(who)s has assigned the change set “%(name)s” to you.") % {
                "who": name_of(by),
                "name": change_set,
            }
            ChangeSetNotice.objects.create(change_set=change_set, to=owner, said=said)
            transaction.on_commit(wake_delivery, robust=True)
