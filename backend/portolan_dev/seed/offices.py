"""Offices and their categories from ``offices.toml``. Texts are keyed by site; a site without its own reads the default's."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Model

from portolan.content.collections.offices import Office, OfficeCategory, OfficeCategoryTranslation, OfficeTranslation
from portolan.content.site_records import SiteRecord

from .fixtures import Fixture
from .problems import FixtureProblem, flatten
from .report import Outcome, SeedReport, was_edited_by_a_person

_OFFICE_FIELDS: Final = ("country", "phone", "lat", "lng", "sets", "opened")
_TRANSLATED_FIELDS: Final = ("city", "address", "hours")


class OfficeLoader:
    def __init__(self, fixture: Fixture, default_site: str, report: SeedReport, problems: list[FixtureProblem]) -> None:
        self._fixture = fixture
        self._default = default_site
        self._report = report
        self._problems = problems
        self._locales = dict(SiteRecord.objects.values_list("key", "locale_id"))

    def load(self) -> None:
        categories: dict[str, OfficeCategory] = {}
        for key, entry in self._fixture.data["categories"].items():
            category = self._load_category(key, entry)
            if category is not None:
                categories[key] = category
        for order, entry in enumerate(self._fixture.data["offices"]):
            self._load_office(order, entry, categories)

    def _load_category(self, key: str, entry: Mapping[str, Any]) -> OfficeCategory | None:
        place = f"categories.{key}"
        names = self._texts(entry, ("name",), place)
        category = OfficeCategory.objects.filter(key=key).first() or OfficeCategory(key=key)
        wanted = {"icon": entry.get("icon", ""), "name": names.pop(self._default, {}).get("name", "")}
        translations = [(self._locales[site], texts["name"]) for site, texts in names.items()]
        same = translations == list(category.translations.values_list("locale_id", "name")) if category.pk else False
        category_rows = [OfficeCategoryTranslation(locale_id=locale, name=name) for locale, name in translations]
        return self._save(category, wanted, "translations", category_rows, same, place)

    def _load_office(self, order: int, entry: Mapping[str, Any], categories: Mapping[str, OfficeCategory]) -> None:
        key = str(entry.get("key", ""))
        place = f"offices.{order}"
        self._report.begin("offices", key)
        for field in entry.keys() - {"key", "category", *_OFFICE_FIELDS, *_TRANSLATED_FIELDS}:
            self._complain(f"{place}.{field}", "is not a known key; remove it or correct its spelling")
        category = categories.get(entry.get("category", ""))
        if category is None:
            self._complain(f"{place}.category", f"there is no category {entry.get('category')!r} above; add it there")
            return
        translations = self._texts(entry, _TRANSLATED_FIELDS, place)
        own = translations.pop(self._default, {})
        wanted = {field: entry.get(field) for field in _OFFICE_FIELDS}
        wanted |= {field: own.get(field, "") for field in _TRANSLATED_FIELDS}
        wanted |= {"category_id": category.pk, "sort_order": order}
        office = Office.objects.filter(key=key).first() or Office(key=key)
        rows = [OfficeTranslation(locale_id=self._locales[site], **texts) for site, texts in translations.items()]
        wanted_rows = [(row.locale_id, *(getattr(row, field) for field in _TRANSLATED_FIELDS)) for row in rows]
        same = (
            wanted_rows == list(office.translations.values_list("locale_id", *_TRANSLATED_FIELDS))
            if office.pk
            else False
        )
        self._save(office, wanted, "translations", rows, same, place)

    def _save(
        self,
        instance: Any,
        wanted: Mapping[str, Any],
        relation: str,
        rows: Sequence[Model],
        rows_are_same: bool,
        place: str,
    ) -> Any | None:
        kind = str(instance._meta.verbose_name_plural)
        is_new = instance.pk is None
        if not is_new and rows_are_same and all(getattr(instance, name) == value for name, value in wanted.items()):
            self._report.note(kind, Outcome.UNCHANGED)
            return instance
        if not is_new and was_edited_by_a_person(instance):
            self._report.note(kind, Outcome.KEPT)
            return instance
        for name, value in wanted.items():
            setattr(instance, name, value)
        if not (rows_are_same and not is_new):
            setattr(instance, relation, list(rows))
        try:
            instance.full_clean()
            for row in rows:
                row.clean_fields(exclude=[field.name for field in row._meta.fields if field.is_relation])
            with transaction.atomic():
                instance.save()
        except ValidationError as error:
            for field, text in flatten(error):
                self._complain(f"{place}.{field}" if field else place, text)
            return None
        self._report.note(kind, Outcome.CREATED if is_new else Outcome.CHANGED)
        return instance

    def _texts(self, entry: Mapping[str, Any], fields: tuple[str, ...], place: str) -> dict[str, dict[str, str]]:
        """By site what it calls things: ``{"de": {"city": …, "address": …}}``, in the order of sites."""
        found: dict[str, dict[str, str]] = {}
        for field in fields:
            given = entry.get(field, {})
            if not isinstance(given, Mapping):
                self._complain(f"{place}.{field}", f"must have one text per site, as in {field}.{self._default} = …")
                continue
            for site, text in given.items():
                if site in self._locales:
                    found.setdefault(site, {})[field] = text
                else:
                    self._complain(f"{place}.{field}.{site}", "the registry has no site of this key; correct it")
        return {site: found[site] for site in self._locales if site in found}

    def _complain(self, field: str, message: str) -> None:
        self._problems.append(FixtureProblem(self._fixture.file, field, message))
