"""Texts that Wagtail translates once, where it is loaded, into the language of the company's default site: here they are said in that of
whoever reads them.
"""

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
"""In English, as its catalogue knows them: what stands there by now may be of another language."""

BETTER_SAID: Final = (gettext_noop("%(time_period)s ago"), gettext_noop("%(time_period)s ago by %(user_display_name)s"))
"""What our catalogue says instead of Wagtail's: in its German, times that have passed are only *2 Stunden*."""


def connect() -> None:
    """Before snippets are registered: their screens take over what stands there then."""
    for name, text in _CHOOSERS.items():
        setattr(ChooserViewSet, name, gettext_lazy(text))
    snippets._ = gettext_lazy
