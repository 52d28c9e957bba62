"""A model's own fields as fixtures write them: their keys, what a given value means, what is stored now.

All of it is read off the models: a new field of a collection or of a page family needs nothing here.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Protocol

from django.core.exceptions import ValidationError
from django.db import models
from modelcluster.fields import ParentalKey
from wagtail import blocks
from wagtail.documents.models import AbstractDocument
from wagtail.fields import StreamField

from portolan.content.collections.base import Entry, Placement
from portolan.content.pictures import SiteImage

from .problems import flatten
from .streams import StreamBuilder, clean_stream, plain_stream

_ALT: Final = "_alt"
_BOOKKEEPING: Final = frozenset({"id", "key", "sort_order", "entry", "locale", "translations"})
"""Fields that a fixture says by its place, or that loaders look after."""


class ModelField(Protocol):
    """One key of a fixture. ``read`` and ``stored`` give values that can be compared."""

    key: str

    def read(self, given: Any, place: str, builder: StreamBuilder) -> Any:
        """What ``given`` means; the field's default where it is None. Complaints go to the builder."""

    def stored(self, instance: Any) -> Any: ...

    def put(self, instance: Any, value: Any) -> None:
        """Give ``instance`` what was read. Raises ValidationError where the editor's form would."""


def own_fields(model: type[models.Model], without: Iterable[str] = ()) -> Mapping[str, ModelField]:
    """The model's fields by their keys in fixtures. ``without``: names of fields that are somebody else's."""
    skipped = {*_BOOKKEEPING, *without}
    fields = [field for field in model._meta.get_fields() if field.name not in skipped]
    names = {field.name for field in fields}
    made = [_make(field, names) for field in fields if not _is_alt(field.name, names)]
    return {field.key: field for field in made if field}


def read_values(
    fields: Mapping[str, ModelField], given: Mapping[str, Any], place: str, builder: StreamBuilder
) -> dict[str, Any]:
    """A value for each field, as far as what is ``given`` can be understood."""
    for key in given.keys() - fields.keys():
        known = f"there are {', '.join(fields)}" if fields else "there are none here"
        builder.complain(_join(place, key), f"is not a known key; {known}")
    return {key: field.read(given.get(key), _join(place, key), builder) for key, field in fields.items()}


def put_values(fields: Mapping[str, ModelField], instance: Any, values: Mapping[str, Any]) -> None:
    for key, value in values.items():
        fields[key].put(instance, value)


def is_same(fields: Mapping[str, ModelField], instance: Any, values: Mapping[str, Any]) -> bool:
    return all(fields[key].stored(instance) == value for key, value in values.items())


def _make(field: Any, names: set[str]) -> ModelField | None:
    if isinstance(field, models.ManyToOneRel) and isinstance(field.field, ParentalKey):
        if issubclass(field.related_model, Placement):
            return _Placements(field.name, field.related_model)
        return _Rows(field.name, field.related_model, field.field.name)
    if isinstance(field, models.ManyToManyField):
        return _Chosen(field) if issubclass(field.related_model, Entry) else None
    if isinstance(field, models.ForeignKey) and issubclass(field.related_model, SiteImage):
        return _DescribedPicture(field.name) if field.name + _ALT in names else _Picture(field.name)
    if isinstance(field, models.ForeignKey) and issubclass(field.related_model, AbstractDocument):
        return _Document(field.name)
    if isinstance(field, StreamField):
        return _Stream(field)
    return _Plain(field) if isinstance(field, models.Field) and field.concrete and not field.is_relation else None


def _is_alt(name: str, names: set[str]) -> bool:
    return name.endswith(_ALT) and name.removesuffix(_ALT) in names


def _join(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


class _Plain:
    def __init__(self, field: Any) -> None:
        self.key = field.name.removeprefix("is_")
        self._field = field

    def read(self, given: Any, place: str, builder: StreamBuilder) -> Any:
        if given is None:
            return self._field.get_default()
        try:
            return self._field.to_python(given)
        except ValidationError as error:
            builder.complain(place, " ".join(error.messages))
            return None

    def stored(self, instance: Any) -> Any:
        return getattr(instance, self._field.attname)

    def put(self, instance: Any, value: Any) -> None:
        setattr(instance, self._field.attname, value)


class _Picture:
    """A picture by its name in ``pictures.toml``."""

    def __init__(self, name: str) -> None:
        self.key = name

    def read(self, given: Any, place: str, builder: StreamBuilder) -> Any:
        return None if given is None else builder.picture(given, place)

    def stored(self, instance: Any) -> Any:
        return getattr(instance, f"{self.key}_id")

    def put(self, instance: Any, value: Any) -> None:
        setattr(instance, f"{self.key}_id", value)


class _Document(_Picture):
    """A document by the name of its file in ``documents/``."""

    def read(self, given: Any, place: str, builder: StreamBuilder) -> Any:
        return None if given is None else builder.document(given, place)


class _DescribedPicture:
    """A picture and what it shows: ``{ picture = "…", alt = "…" }``."""

    def __init__(self, name: str) -> None:
        self.key = name

    def read(self, given: Any, place: str, builder: StreamBuilder) -> Any:
        found = {"image": None, "alt": ""} if given is None else builder.described_picture(given, place)
        return found["image"], found["alt"]

    def stored(self, instance: Any) -> Any:
        return getattr(instance, f"{self.key}_id"), getattr(instance, self.key + _ALT)

    def put(self, instance: Any, value: Any) -> None:
        image, alt = value
        setattr(instance, f"{self.key}_id", image)
        setattr(instance, self.key + _ALT, alt)


class _Chosen:
    """Entries of a collection by their keys."""

    def __init__(self, field: Any) -> None:
        self.key = field.name
        self._model: type[Entry] = field.related_model
        self._allowed = field.get_limit_choices_to()
        self._known: dict[str, Entry] | None = None

    def read(self, given: Any, place: str, builder: StreamBuilder) -> Any:
        if not _is_list_of_texts(given or []):
            builder.complain(place, f'must be a list of keys, as in {self.key} = ["…"]')
            return []
        known = self._entries()
        for key in given or ():
            if key not in known:
                file = f"collections/{self._model.kind}s.toml"
                builder.complain(
                    place, f"{key!r} is none of the {self.key} in {file}; add it there, or correct the key"
                )
        return sorted(known[key].pk for key in given or () if key in known)

    def stored(self, instance: Any) -> Any:
        return sorted(entry.pk for entry in getattr(instance, self.key).all())

    def put(self, instance: Any, value: Any) -> None:
        setattr(instance, self.key, [entry for entry in self._entries().values() if entry.pk in value])

    def _entries(self) -> Mapping[str, Entry]:
        if self._known is None:
            self._known = {entry.key: entry for entry in self._model.objects.filter(**self._allowed)}
        return self._known


class _Stream:
    """A stream of one kind of block, as a list of tables."""

    def __init__(self, field: Any) -> None:
        self.key = field.name
        self._block: blocks.StreamBlock = field.stream_block
        (self._type,) = self._block.child_blocks

    def read(self, given: Any, place: str, builder: StreamBuilder) -> Any:
        entries = given or []
        if not _is_list_of_tables(entries):
            builder.complain(place, f"must be a list of tables, as in {self.key} = [{{ … }}]")
            return []
        raw = builder.stream(self._block, [{"type": self._type, **entry} for entry in entries], place)
        return plain_stream(self._block.to_python(raw))

    def stored(self, instance: Any) -> Any:
        return plain_stream(getattr(instance, self.key))

    def put(self, instance: Any, value: Any) -> None:
        stream = self._block.to_python(value)
        clean_stream(self.key, stream)
        setattr(instance, self.key, stream)


class _Placements:
    """Pages by their paths on the default site, in the fixture's order."""

    key = "pages"

    def __init__(self, name: str, model: type[Placement]) -> None:
        self._name = name
        self._model = model

    def read(self, given: Any, place: str, builder: StreamBuilder) -> Any:
        if not _is_list_of_texts(given or []):
            builder.complain(place, 'must be a list of paths, as in pages = ["/", "/about-us"]')
            return []
        return [builder.original_page(path, place) for path in dict.fromkeys(given or ())]

    def stored(self, instance: Any) -> Any:
        return [row.page_id for row in getattr(instance, self._name).all()]

    def put(self, instance: Any, value: Any) -> None:
        setattr(instance, self._name, [self._model(page_id=page) for page in value])


class _Rows:
    """Rows of a model of their own that belong to the instance, as a list of tables."""

    def __init__(self, name: str, model: type[models.Model], parent: str) -> None:
        self.key = name
        self._model = model
        self._parent = parent
        self._fields = own_fields(model, without={parent})

    def read(self, given: Any, place: str, builder: StreamBuilder) -> Any:
        if not _is_list_of_tables(given or []):
            builder.complain(place, f"must be a list of tables, each begun with [[{self.key}]]")
            return []
        return [read_values(self._fields, row, f"{place}.{index}", builder) for index, row in enumerate(given or ())]

    def stored(self, instance: Any) -> Any:
        rows = getattr(instance, self.key).all()
        return [{key: field.stored(row) for key, field in self._fields.items()} for row in rows]

    def put(self, instance: Any, value: Any) -> None:
        rows = [self._model() for _ in value]
        problems: dict[str, list[str]] = {}
        for index, (row, values) in enumerate(zip(rows, value, strict=True)):
            put_values(self._fields, row, values)
            try:
                row.full_clean(exclude={self._parent})
            except ValidationError as error:
                for name, text in flatten(error, f"{self.key}.{index}"):
                    problems.setdefault(name, []).append(text)
        if problems:
            raise ValidationError(problems)
        setattr(instance, self.key, rows)


def _is_list_of_tables(given: Any) -> bool:
    return isinstance(given, list) and all(isinstance(entry, Mapping) for entry in given)


def _is_list_of_texts(given: Any) -> bool:
    return isinstance(given, list) and all(isinstance(text, str) for text in given)
