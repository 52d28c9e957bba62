"""The form of find and replace."""

from typing import Any, Final

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from ...content.change_sets.models import ChangeSet
from ...content.may import sites_where
from ...content.site_records import load_site_roots
from ...domain.replacing import Replacing
from ...domain.roles import Action
from ..changes.forms import open_sets
from ..site_names import site_name
from .find import Asked

_LONGEST: Final = 200


class ReplaceForm(forms.Form):
    """Form that offers the sites whose texts the user may change."""

    use_required_attribute = False

    q = forms.CharField(label=_("Find"), max_length=_LONGEST)
    replacement = forms.CharField(
        label=_("Replace with"),
        max_length=_LONGEST,
        required=False,
        strip=False,
        help_text=_("Leave empty to delete the found text."),
    )
    whole = forms.BooleanField(label=_("Whole words only"), required=False)
    case = forms.BooleanField(label=_("Match case"), required=False)
    sites = forms.MultipleChoiceField(label=_("Sites"), widget=forms.CheckboxSelectMultiple)
    change_set = forms.ModelChoiceField(
        label=_("Change set"),
        queryset=ChangeSet.objects.none(),
        required=False,
        empty_label=_("New change set"),
        help_text=_("The drafts are added to this change set."),
    )

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.fields["sites"].choices = [(key, site_name(key)) for key in own_sites(user)]  # type: ignore[attr-defined]
        self.fields["change_set"].queryset = open_sets(user)  # type: ignore[attr-defined]

    def asked(self) -> Asked:
        found = self.cleaned_data
        roots = load_site_roots()
        return Asked(
            Replacing(found["q"], found["replacement"], found["whole"], found["case"]),
            {key: roots[key] for key in found["sites"] if key in roots},
            found["change_set"],
            self.user,
        )


def own_sites(user: Any) -> list[str]:
    """Return the keys in the order of the site configuration."""
    own = sites_where(user, Action.TRANSLATE)
    return [key for key in settings.SITES_REGISTRY.sites if key in own]
