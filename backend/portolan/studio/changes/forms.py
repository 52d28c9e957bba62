"""What is asked for: which change set something is saved to, and when a set goes live."""

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
    """Those that this person can add something to, the newest first."""
    return sets_seen_by(user).filter(state=State.OPEN.value)


class ChooseSetForm(forms.Form):
    """An open change set, or the name of a new one."""

    use_required_attribute = False

    change_set = forms.ModelChoiceField(
        label=_("Change set"),
        queryset=ChangeSet.objects.none(),
        required=False,
        empty_label=_("A new one, named below"),
    )
    name = TrimmedField(
        label=_("Name of a new one"), max_length=LONGEST_NAME, required=False, help_text=_("E.g. Prices in spring.")
    )

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["change_set"].queryset = open_sets(user)  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        if not found.get("change_set") and not found.get("name") and not self.errors:
            raise ValidationError({"name": gettext("Choose a change set, or give a new one a name.")})
        return found

    def open(self, user: Any) -> ChangeSet:
        chosen: ChangeSet | None = self.cleaned_data["change_set"]
        return chosen or ChangeSet.objects.create(name=self.cleaned_data["name"], owner=user)


class AddForm(ChooseSetForm):
    what = forms.ChoiceField(
        label=_("What happens to it"),
        choices=[(ChangeSetItem.PUBLISH, _("Its draft goes live")), (ChangeSetItem.UNPUBLISH, _("It is taken down"))],
        widget=forms.RadioSelect,
        initial=ChangeSetItem.PUBLISH,
    )


class NameForm(forms.Form):
    name = TrimmedField(label=_("Name"), max_length=LONGEST_NAME, help_text=_("E.g. Prices in spring."))


class TimeForm(forms.Form):
    """In the editor's own time zone, which is the active one on all screens that are no site's."""

    at = forms.DateTimeField(label=_("Goes live"), widget=moment_input())

    def clean_at(self) -> Any:
        at = self.cleaned_data["at"]
        if at <= timezone.now():
            raise ValidationError(gettext("This has passed. Choose a time that is still to come."))
        return at


class ReasonForm(forms.Form):
    said = forms.CharField(label=_("Why"), max_length=500, required=False, widget=forms.Textarea(attrs={"rows": 2}))
