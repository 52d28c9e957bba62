"""Define the base of collection entries: a permanent key, a position, translations, and the stored item.

An entry exists once for all sites. Shared fields are on the entry, translations in rows of their own, one for each site
with a different text. A site without a translation hides the entry, so that visitors read only their site's language.
Offices are the exception.
"""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final, TypeVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from modelcluster.fields import ParentalKey
from modelcluster.models import ClusterableModel
from modelsearch.tasks import insert_or_update_object_task
from wagtail.admin.forms import WagtailAdminModelForm
from wagtail.admin.panels import FieldPanel, FieldRowPanel, InlinePanel, Panel
from wagtail.models import Locale, Page
from wagtail.search import index

from ...domain.snapshot_bodies import EntryBody, JsonObject
from ...schemas.base import Schema
from ..drafts import ROW_STATE, Drafted
from ..entry_rights import keep_to_own_sites
from ..rules import check_placeholders

_T = TypeVar("_T", bound="Translation")

PICTURE_MODEL: Final = "content.SiteImage"

check_key: Final = RegexValidator(
    r"^[a-z0-9][a-z0-9-]*$", _("Use lower-case letters, digits and hyphens, e.g. dallas.")
)
check_phone: Final = RegexValidator(
    r"^\+[0-9][0-9 ().-]{5,28}$", _("Enter the number with its country code, e.g. +1 214-555-0140.")
)


def key_panel(example: str) -> FieldPanel:
    return FieldPanel(
        "key",
        help_text=format_lazy(_("A short permanent name that visitors do not see, e.g. {example}."), example=example),
    )


def translations_panel(first: str, *others: str) -> InlinePanel:
    """Return the inline rows of an entry's translations, each with these fields."""
    return InlinePanel(
        "translations",
        panels=[FieldRowPanel([FieldPanel("locale"), FieldPanel(first)]), *map(FieldPanel, others)],
        heading=_("Translations by site"),
        label=_("site"),
        help_text=_(
            "A site shows the entry only if it has a translation here. A site that inherits content from another site uses "
            "that site's translation."
        ),
        min_num=1,
    )


class EntryForm(WagtailAdminModelForm):
    """The form of an entry. Its key is the entry's ID in the content API and is entered only once."""

    kept: ClassVar[list[str]] = []
    """Fields that this person may not change."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk and "key" in self.fields:
            self.fields["key"].disabled = True
        if self.for_user is not None:
            keep_to_own_sites(self, self.for_user)

    def clean(self) -> dict[str, Any] | None:
        """Also validate the fields in ``kept``, because they are published with the rest."""
        cleaned: dict[str, Any] | None = super().clean()
        if self.kept:
            others = [field.name for field in self.instance._meta.fields if field.name not in self.kept]
            try:
                self.instance.clean_fields(exclude=others)
            except ValidationError as error:
                wrong = "; ".join(f"{name}: {' '.join(said)}" for name, said in error.message_dict.items())
                self.add_error(
                    None,
                    gettext(
                        "A shared field of this entry has an error, so the entry cannot be published ({wrong}). Ask an editor "
                        "with rights on all sites to correct it."
                    ).format(wrong=wrong),
                )
        return cleaned


class Entry(Drafted, index.Indexed, ClusterableModel):
    """An entry of a collection. ``kind`` is the kind of its items in releases."""

    kind: ClassVar[str]
    schema: ClassVar[type[Schema]]
    """The schema of its items' ``value`` after references are resolved."""
    is_on_chosen_sites: ClassVar[bool] = False
    """True if only sites with a translation, and sites that inherit from them, show the entry."""
    related: ClassVar[tuple[str, ...]] = ()
    """Relations that ``snapshot`` reads, for ``prefetch_related``. An export then needs a fixed number of queries."""

    key = models.CharField(max_length=80, unique=True, validators=[check_key], help_text=_("Never changes."))
    key.required_on_save = True  # type: ignore[attr-defined]  # unique, so two drafts without a value would conflict
    sort_order = models.IntegerField(_("order"), blank=True, editable=False)
    """The order of entries everywhere. Editors drag entries to change it; a new entry comes last."""

    base_form_class = EntryForm
    sort_order_field = "sort_order"
    of_the_row = ("key", "sort_order")

    search_fields: ClassVar[list[index.BaseField]] = [
        index.AutocompleteField("key"),
        index.FilterField("id"),
        index.FilterField("sort_order"),
    ]

    class Meta:
        abstract = True
        ordering = ("sort_order", "key")

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.sort_order is None:
            last = type(self).objects.aggregate(order=models.Max("sort_order"))["order"]
            self.sort_order = 0 if last is None else last + 1
        super().save(*args, **kwargs)

    def snapshot(self, locales: Sequence[int]) -> EntryBody | None:
        """Return the entry's item on a site that reads ``locales``, in order of preference; None if the site lacks
        it."""
        raise NotImplementedError


def search_translations(*fields: str) -> index.RelatedFields:
    """Return the search fields that find an entry by its translations in the studio."""
    return index.RelatedFields(
        "translations", [field(name) for name in fields for field in (index.SearchField, index.AutocompleteField)]
    )


class TranslatedEntry(Entry):
    """An entry that a site shows only in its own translation, or in that of the site it inherits from.

    ``translations`` are its rows of :class:`Translation`.
    """

    is_on_chosen_sites = True
    related: ClassVar[tuple[str, ...]] = ("translations__locale",)
    translations: Any

    class Meta(Entry.Meta):
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Index the entry again, because Wagtail indexes it before its translations are saved."""
        super().save(*args, **kwargs)
        if not ROW_STATE.issuperset(kwargs.get("update_fields") or ("",)):
            insert_or_update_object_task.enqueue(self._meta.app_label, self._meta.model_name, str(self.pk))

    def snapshot(self, locales: Sequence[int]) -> EntryBody | None:
        translation = choose_translation(self.translations.all(), locales)
        return item(self.sort_order, self.snapshot_value(translation), self.pages()) if translation else None

    def snapshot_value(self, translation: Any) -> dict[str, Any]:
        """Return the published value in this translation as JSON, with images as references.

        The checks of release items validate it against the schema and report an invalid entry by its name.
        """
        raise NotImplementedError

    def pages(self) -> Iterable[Page]:
        """Return the pages that the entry is assigned to."""
        return ()

    def studio_translation(self) -> Any:
        """Return the translation for lists in the studio: the default site's, else any."""
        rows = list(self.translations.all())
        default = [row for row in rows if row.locale.language_code == settings.LANGUAGE_CODE]
        return next(iter([*default, *rows]), None)


class Translation(models.Model):
    """Texts of an entry on one site. A subclass adds the texts and ``entry``, its ``ParentalKey``."""

    entry: ParentalKey
    locale_id: int
    locale = models.ForeignKey(Locale, on_delete=models.CASCADE, related_name="+", verbose_name=_("site"))

    class Meta:
        abstract = True
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("entry", "locale"), name="one_%(class)s_per_locale"),)

    def __str__(self) -> str:
        return str(self.locale)

    def clean(self) -> None:
        super().clean()
        problems = {}
        for field in self._meta.fields:
            if isinstance(field, models.CharField | models.TextField):
                try:
                    check_placeholders(getattr(self, field.name))
                except ValidationError as error:
                    problems[field.name] = error
        if problems:
            raise ValidationError(problems)


class Placement(models.Model):
    """A page that shows an entry, with its translations. A subclass adds ``entry``, its ``ParentalKey``."""

    entry: ParentalKey
    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="+")

    panels: ClassVar[list[Panel]] = [FieldPanel("page")]

    class Meta:
        abstract = True
        ordering = ("pk",)

    def __str__(self) -> str:
        return str(self.page)


def choose_translation(translations: Iterable[_T], locales: Sequence[int]) -> _T | None:
    """Return the translation for the first of ``locales`` that has one."""
    found = {row.locale_id: row for row in translations}
    return next((found[locale] for locale in locales if locale in found), None)


def item(order: int, value: JsonObject, pages: Iterable[Page] = ()) -> EntryBody:
    """Return the body of a release item. ``pages``: the pages it is assigned to, stored by translation key."""
    placed = sorted({str(page.translation_key) for page in pages})
    body = EntryBody(order=order, value=value)
    if placed:
        body["pages"] = placed
    return body


def document(document_id: int | None) -> dict[str, Any] | None:
    """Return a reference to a document, or None."""
    return {"$document": str(document_id)} if document_id else None


def picture(image_id: int | None, alt: str) -> dict[str, Any] | None:
    """Return a reference to an image (``domain.references``), or None."""
    return {"$picture": str(image_id), "alt": alt} if image_id else None
