"""Words of the interface: texts of buttons, forms and notices that editors changed for a site.

The defaults are the PO files in `web/src/locales`. A site shows its own words, then those of the site it inherits from.
"""

from typing import Any, ClassVar, Self

from django.db import models
from django.utils.translation import gettext_lazy as _
from wagtail.admin.panels import FieldPanel, Panel
from wagtail.contrib.settings.models import register_setting

from ..domain.interface_words import Text
from ..domain.snapshot_bodies import WordsBody
from .schedule_panel import SchedulePanel
from .site_setting import SiteSetting
from .snapshot import TranslationKeys


@register_setting
class InterfaceWords(SiteSetting):
    begins_as_copy = False

    words = models.JSONField(_("words"), default=dict, blank=True)
    """By key: ``text`` (or plural forms by category), and ``base``, the default that it replaced."""

    panels: ClassVar[list[Panel]] = [FieldPanel("words"), SchedulePanel(expires=False)]

    class Meta:
        verbose_name = _("interface words")
        verbose_name_plural = _("interface words")

    def is_filled(self) -> bool:
        return bool(self.words)

    def raw(self) -> list[Any]:
        """Return an empty list, because words never link to pages."""
        return []

    def over(self, inherited: Self | None) -> Self:
        if inherited is None:
            return self
        return type(self)(site_id=self.site_id, words={**inherited.words, **self.words})

    def snapshot(self, pages: TranslationKeys) -> WordsBody:
        return {"words": {key: _verbatim(word["text"]) for key, word in sorted(self.words.items())}}


def _verbatim(text: Text) -> Any:
    """Return the text as a value in a body: its placeholders are filled by the renderer, not by the release."""
    return {"$verbatim": text} if isinstance(text, str) else {name: _verbatim(form) for name, form in text.items()}
