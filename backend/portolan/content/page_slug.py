"""Define the form field for a page's slug. It makes a slug from any title, by the rules of the site's language.

Browser and server use the same rules (``domain.letters``): Wagtail's script while an editor types, the server for the
submitted value.
"""

from typing import Any

from django.core.exceptions import ValidationError
from wagtail.admin.forms.pages import WagtailAdminPageForm
from wagtail.admin.widgets import SlugInput

from ..domain.letters import slug_rules, write_slug
from .rules import check_page_slug


class PageSlugInput(SlugInput):
    """The input for a slug. ``language``: the language tag of the page's site."""

    def __init__(self, language: str, **options: Any) -> None:
        super().__init__(formatters=list(slug_rules(language)), **options)
        self.language = language

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        """Return the slug, made from the title if it is empty, because browsers do not transliterate every script.

        A text without letters and digits is returned unchanged, and validation rejects it.
        """
        typed = super().value_from_datadict(data, files, name) or data.get("title")
        return typed and (write_slug(typed, self.language) or typed)


class TreePageForm(WagtailAdminPageForm):
    """The form of pages and folders."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if field := self.fields.get("slug"):
            attrs = {name: value for name, value in field.widget.attrs.items() if not name.startswith("data-")}
            field.widget = PageSlugInput(self._language(), attrs=attrs)

    def _language(self) -> str:
        """Return the language of the page's site. An unsaved page may have only its parent's."""
        placed = self.instance if self.instance.locale_id else self.parent_page
        locale = placed.locale if placed else self.instance.get_default_locale()
        language: str = locale.language_code
        return language

    def _post_clean(self) -> None:
        """Check for reserved slugs after the model has filled an empty one, and report the error at the slug field."""
        super()._post_clean()
        if self.instance.slug and "slug" not in self.errors:
            try:
                check_page_slug(self.instance.slug, self.parent_page)
            except ValidationError as error:
                self.add_error("slug" if "slug" in self.fields else None, error)
