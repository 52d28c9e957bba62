"""Forms to choose a preview and to create a link."""

from datetime import UTC
from typing import Any, Final

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ...content.change_sets.models import ChangeSet
from ...content.scheduling import moment_input
from ...domain.change_sets import HOLDS
from ...domain.previews import LIFETIMES, USUAL_LIFETIME, Shown
from ...domain.routes import normalise_path
from ..changes.seeing import sets_seen_by
from .words import say_shown

WIDTHS: Final = (360, 768, 1280)
_USUAL_WIDTHS: Final = ("360", "1280")
_DRAFTS: Final = (Shown.PAGE, Shown.ENTRY)


class PreviewForm(forms.Form):
    """Asks for the content of a preview. ``subject`` is used for drafts, the other fields for the other choices."""

    use_required_attribute = False

    shown = forms.ChoiceField(label=_("Content"))
    subject = forms.CharField(required=False, widget=forms.HiddenInput, max_length=255)
    change_set = forms.ModelChoiceField(
        label=_("Change set"), queryset=ChangeSet.objects.none(), required=False, empty_label=_("None")
    )
    at = forms.DateTimeField(label=_("Date and time"), required=False, widget=moment_input())
    release = forms.IntegerField(label=_("Release"), required=False, min_value=1, max_value=2**31 - 2)
    path = forms.CharField(label=_("URL"), required=False, max_length=2048, initial="/")
    sites = forms.MultipleChoiceField(label=_("Sites"), required=False, widget=forms.CheckboxSelectMultiple)
    widths = forms.MultipleChoiceField(
        label=_("Widths"),
        required=False,
        choices=[(str(width), f"{width} px") for width in WIDTHS],
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["change_set"].queryset = ChangeSet.objects.filter(state__in=HOLDS)
        offered = sets_seen_by(user).filter(state__in=HOLDS)  # ``may_preview`` refuses other sets
        fields["change_set"].widget.choices = [("", _("None")), *((row.pk, str(row)) for row in offered)]
        fields["sites"].choices = [(key, site.name) for key, site in settings.SITES_REGISTRY.sites.items()]
        choices: list[tuple[str, Any]] = [
            (Shown.CHANGE_SET.value, _("A change set")),
            (Shown.DATE.value, _("All sites on a date")),
            (Shown.RELEASE.value, _("All sites in a release")),
        ]
        shown, subject = self.data.get("shown", ""), self.data.get("subject", "")
        if shown in _DRAFTS and subject:
            choices.insert(0, (shown, say_shown(Shown(shown), subject)))
        fields["shown"].choices = choices

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        shown = found.get("shown", "")
        if shown and not self.errors and not _subject_of(found):
            field = {Shown.CHANGE_SET: "change_set", Shown.DATE: "at", Shown.RELEASE: "release"}.get(
                Shown(shown), "shown"
            )
            self.add_error(field, _("Choose one."))
        path = (found.get("path") or "/").partition("?")[0]
        found["path"] = normalise_path(path if path.startswith("/") else f"/{path}")
        found["widths"] = [int(width) for width in found.get("widths") or _USUAL_WIDTHS]
        return found

    @property
    def chosen(self) -> tuple[Shown, str]:
        return Shown(self.cleaned_data["shown"]), _subject_of(self.cleaned_data)


class LinkForm(forms.Form):
    use_required_attribute = False

    note = forms.CharField(
        label=_("Note for the recipients"),
        max_length=120,
        help_text=_("E.g. Prices in spring, for the agency."),
    )
    days = forms.TypedChoiceField(
        label=_("Valid for"),
        coerce=int,
        choices=[(days, _("1 day") if days == 1 else _("{} days").format(days)) for days in LIFETIMES],
        initial=USUAL_LIFETIME,
    )


def _subject_of(found: dict[str, Any]) -> str:
    shown = Shown(found["shown"])
    if shown in _DRAFTS:
        return str(found.get("subject") or "")
    if shown is Shown.CHANGE_SET:
        return str(found["change_set"].pk) if found.get("change_set") else ""
    if shown is Shown.DATE:
        at = found.get("at")
        return timezone.localtime(at, UTC).isoformat() if at else ""
    return str(found.get("release") or "")
