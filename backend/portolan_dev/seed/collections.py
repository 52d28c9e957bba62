"""Entries of collections: shared fields from ``collections/<name>.toml``, translations from ``<site>/collections/<name>.toml``.

Which fields there are is read off the models (``model_fields``): a new collection needs nothing here.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction

from portolan.content.collections import COLLECTIONS
from portolan.content.collections.base import Entry, TranslatedEntry, Translation
from portolan.content.collections.offices import Office
from portolan.content.site_records import SiteRecord

from .fixtures import Fixture, Fixtures
from .model_fields import ModelField, is_same, own_fields, put_values, read_values
from .problems import FixtureProblem, flatten
from .report import Outcome, SeedReport, was_edited_by_a_person
from .streams import StreamBuilder, Targets

FILES: Final[Mapping[str, type[Entry]]] = {
    f"{kind}s": model for kind, model in COLLECTIONS.items() if model is not Office
}
"""Collections by the name of their files. Offices have a format of their own."""

_TranslationByLocale = Mapping[int, tuple[Fixture, Mapping[str, Any]]]
"""Values of a translation, with the file they stand in."""


def needs_pages(model: type[Entry]) -> bool:
    """Whether its entries are placed on pages: then they are loaded after these, the others before them."""
    return "pages" in own_fields(model)


class CollectionLoader:
    """Loads one collection. Entries stand in the order of the file."""

    def __init__(
        self, name: str, fixtures: Fixtures, targets: Targets, report: SeedReport, problems: list[FixtureProblem]
    ) -> None:
        self._name = name
        self._model: Any = FILES[name]
        self._shared = fixtures.collections[name]
        self._translations = {
            key: site.collections[name] for key, site in fixtures.sites.items() if name in site.collections
        }
        self._targets = targets
        self._report = report
        self._problems = problems
        self._locales = dict(SiteRecord.objects.values_list("key", "locale_id"))
        self._kind = str(self._model._meta.verbose_name_plural)
        self._fields = own_fields(self._model)
        is_translated = issubclass(self._model, TranslatedEntry)
        self._translation_model: type[Translation] | None = (
            self._model._meta.get_field("translations").related_model if is_translated else None
        )
        self._translation_fields = own_fields(self._translation_model) if self._translation_model else {}

    def load(self) -> None:
        before = len(self._problems)
        entries = list(enumerate(self._shared.data))
        failed = []
        for order, key in entries:
            self._report.begin(self._kind, key)
            if not self._load(order, key):
                failed.append((order, key))
        # What one entry has to give up before another can take it may stand below: the place of the default phone, say.
        del self._problems[before:]
        for order, key in failed:
            self._load(order, key)

    def _load(self, order: int, key: str) -> bool:
        """False where there is something to fix, which the problems say."""
        before = len(self._problems)
        shared = self._read(self._shared, self._fields, key)
        translations = {
            self._locales[site]: (fixture, self._read(fixture, self._translation_fields, key))
            for site, fixture in self._translations.items()
            if key in fixture.data
        }
        if self._translation_model and not translations:
            file = f"<site>/collections/{self._name}.toml"
            self._complain(
                self._shared, key, f"no site has a translation of it, so none would show it; add one to {file}"
            )
        if len(self._problems) > before:
            return False
        entry = self._model.objects.filter(key=key).first()
        if entry and entry.sort_order == order and self._is_same(entry, shared, translations):
            self._report.note(self._kind, Outcome.UNCHANGED)
        elif entry and was_edited_by_a_person(entry):
            self._report.note(self._kind, Outcome.KEPT)
        else:
            outcome = Outcome.CHANGED if entry else Outcome.CREATED
            entry = entry or self._model(key=key)
            entry.sort_order = order
            self._save(entry, shared, translations)
            if len(self._problems) > before:
                return False
            self._report.note(self._kind, outcome)
        return True

    def _is_same(self, entry: Any, shared: Mapping[str, Any], translations: _TranslationByLocale) -> bool:
        rows = {row.locale_id: row for row in entry.translations.all()} if self._translation_model else {}
        return (
            is_same(self._fields, entry, shared)
            and rows.keys() == translations.keys()
            and all(
                is_same(self._translation_fields, rows[locale], values) for locale, (_, values) in translations.items()
            )
        )

    def _save(self, entry: Any, shared: Mapping[str, Any], translations: _TranslationByLocale) -> None:
        before = len(self._problems)
        with self._complaints(self._shared, entry.key):
            put_values(self._fields, entry, shared)
        rows = []
        for locale, (fixture, values) in translations.items():
            assert self._translation_model
            row: Any = self._translation_model(locale_id=locale)
            with self._complaints(fixture, entry.key):
                put_values(self._translation_fields, row, values)
                row.full_clean(exclude={"entry"})
            rows.append(row)
        if self._translation_model:
            entry.translations = rows
        with self._complaints(self._shared, entry.key):
            entry.full_clean()
            if len(self._problems) == before:
                with transaction.atomic():
                    entry.save()

    def _read(self, fixture: Fixture, fields: Mapping[str, ModelField], key: str) -> dict[str, Any]:
        def complain(field: str, message: str) -> None:
            self._complain(fixture, field, message)

        return read_values(
            fields, fixture.data[key], key, StreamBuilder(self._targets, fixture.file.as_posix(), complain)
        )

    @contextmanager
    def _complaints(self, fixture: Fixture, key: str) -> Iterator[None]:
        """What the block refuses becomes a problem of this entry in this file."""
        try:
            yield
        except ValidationError as error:
            for field, text in flatten(error):
                self._complain(fixture, f"{key}.{field.removeprefix('is_')}" if field else key, text)

    def _complain(self, fixture: Fixture, field: str, message: str) -> None:
        self._problems.append(FixtureProblem(fixture.file, field, message))
