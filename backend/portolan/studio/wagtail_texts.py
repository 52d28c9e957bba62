"""Translate texts for each reader that Wagtail translates only once, when loaded."""

from typing import Final

from django.utils.translation import gettext_lazy, gettext_noop
from wagtail.admin.viewsets.chooser import ChooserViewSet
from wagtail.snippets.views import snippets

_CHOOSERS: Final = {
    "choose_one_text": "Choose",
    "choose_another_text": "Choose another",
    "edit_item_text": "Edit",
    "search_tab_label": "Search",
    "create_action_label": "Create",
}
"""English texts of Wagtail's catalogue."""

BETTER_SAID: Final = (gettext_noop("%(time_period)s ago"), gettext_noop("%(time_period)s ago by %(user_display_name)s"))
"""Texts that our catalogue replaces: Wagtail's German has only *2 Stunden* for past times."""


def connect() -> None:
    """Patch Wagtail. Call it before snippets are registered, because their screens copy the texts."""
    for name, text in _CHOOSERS.items():
        setattr(ChooserViewSet, name, gettext_lazy(text))
    snippets._ = gettext_lazy
