"""Forms to choose a change set and its time."""

from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ...content.change_sets.models import ChangeSet, ChangeSetItem
from ...content.scheduling import moment_input
from ...content.trimmed import TrimmedField
from ...domain.change_sets import State
from .seeing import sets_seen_by

LONGEST_NAME: Final = 120


def open_sets(user: Any) -> QuerySet[ChangeSet]:
    """Return the change sets to which the user can add items, newest first."""
    return sets_seen_by(user).filter(state=State.OPEN.value)


class ChooseSetForm(forms.Form):
    """Asks for an open change set or the name of a new one."""

    use_required_attribute = False

    change_set = forms.ModelChoiceField(
        label=_("Change set"),
        queryset=ChangeSet.objects.none(),
        required=False,
        empty_label=_("New change set (enter its name below)"),
    )
    name = TrimmedField(
        label=_("Name of the new change set"),
        max_length=LONGEST_NAME,
        required=False,
        help_text=_("E.g. Prices in spring."),
    )

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["change_set"].queryset = open_sets(user)  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        if not found.get("change_set") and not found.get("name") and not self.errors:
            raise ValidationError({"name": gettext("Choose a change set, or enter a name for a new one.")})
        return found

    def open(self, user: Any) -> ChangeSet:
        chosen: ChangeSet | None = self.cleaned_data["change_set"]
        return chosen or ChangeSet.objects.create(name=self.cleaned_data["name"], owner=user)


class AddForm(ChooseSetForm):
    what = forms.ChoiceField(
        label=_("Action"),
        choices=[(ChangeSetItem.PUBLISH, _("Publish the draft")), (ChangeSetItem.UNPUBLISH, _("Unpublish the page"))],
        widget=forms.RadioSelect,
        initial=ChangeSetItem.PUBLISH,
    )


class NameForm(forms.Form):
    name = TrimmedField(label=_("Name"), max_length=LONGEST_NAME, help_text=_("E.g. Prices in spring."))


class TimeForm(forms.Form):
    """Asks for a time in the editor's time zone, which is active on screens that belong to no single site."""

    at = forms.DateTimeField(label=_("Goes live"), widget=moment_input())

    def clean_at(self) -> Any:
        at = self.cleaned_data["at"]
        if at <= timezone.now():
            raise ValidationError(gettext("This time is in the past. Choose a time in the future."))
        return at


class ReasonForm(forms.Form):
    said = forms.CharField(label=_("Why"), max_length=500, required=False, widget=forms.Textarea(attrs={"rows": 2}))
