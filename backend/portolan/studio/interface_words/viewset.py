"""List the sites with their interface words, and show the form of each."""

from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _
from wagtail.admin.panels import ObjectList

from ...content.interface_words import InterfaceWords
from ...domain.inheritance import State
from ...domain.interface_words import state_of
from ..site_settings.rows import SettingRow, list_rows
from ..site_settings.viewset import SettingIndexView, SettingViewSet
from .defaults import Texts, find_defaults, load_texts
from .form import WordsForm


class SiteRow(NamedTuple):
    row: SettingRow
    language: str
    lang: str
    own: int
    """Number of live own words."""
    changed: int
    """Number of own words whose default has changed since."""
    inherited: int
    """Number of words from the site it inherits from."""
    source: str


class WordsIndexView(SettingIndexView):
    """List the sites by language, with the number of their own words."""

    def get(self, request: HttpRequest) -> HttpResponse:
        texts = load_texts()
        context = {
            "rows": [_describe(row, texts) for row in list_rows(self.model, request.user)] if texts else [],
            "has_texts": texts is not None,
            "icon": self.header_icon,
            "edit": self.edit_url_name,
            "begin": f"{self.index_url_name.rpartition(':')[0]}:begin",
        }
        return TemplateResponse(request, self.template_name, context)


def _describe(row: SettingRow, texts: Texts) -> SiteRow:
    site = settings.SITES_REGISTRY.sites[row.key]
    words: dict[str, Any] = row.own.words if row.is_shown else {}
    defaults = find_defaults(row.key, texts)
    states = [state_of(word, defaults.texts[key]) for key, word in words.items() if key in defaults.texts]
    inherited = len(defaults.inherited - words.keys())
    return SiteRow(
        row, site.endonym, site.language, len(states), states.count(State.CHANGED), inherited, defaults.source
    )


class WordsViewSet(SettingViewSet):
    model = InterfaceWords
    icon = "openquote"
    base_url_path = "interface-words"
    menu_label = _("Interface words")
    add_to_settings_menu = True
    index_view_class = WordsIndexView
    index_template_name = "studio/interface_words/list.html"
    edit_handler = ObjectList(InterfaceWords.panels, base_form_class=WordsForm)
