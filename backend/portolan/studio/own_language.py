"""Describe the defaults in *Account* for users without a language or time zone.

Wagtail names the server's. The studio uses the browser's language and the company's time zone (``languages.py``,
``time_zones.py``).
"""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext, gettext_lazy
from wagtail.admin.forms.account import LocalePreferencesForm
from wagtail.admin.views.account import LocaleSettingsPanel


class OwnLanguageForm(LocalePreferencesForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._offer_first("preferred_language", gettext("As in the browser, or English"))
        self._offer_first("current_time_zone", gettext("As set for the company"))
        zone = self.fields.get("current_time_zone")
        if zone:  # the field's script adds it to the first choice
            zone.widget.attrs["data-w-locale-server-time-zone-param"] = settings.SITES_REGISTRY.company.time_zone

    def _offer_first(self, name: str, label: str) -> None:
        field: Any = self.fields.get(name)
        if field:
            field.choices = [("", label), *(choice for choice in field.choices if choice[0])]


def connect() -> None:
    LocaleSettingsPanel.form_class = OwnLanguageForm
    LocaleSettingsPanel.title = gettext_lazy("Language and time zone")
