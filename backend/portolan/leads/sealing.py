"""Encrypt form fields in the database and the spool, if PORTOLAN_LEADS_KEY is set.

Uses Fernet: the first key encrypts, all keys decrypt. Older fields stay readable until ``portolan leads seal`` encrypts
them.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final
from uuid import UUID

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import models
from django.db.models import Q

SEALED: Final = "sealed"
"""The only name in an encrypted object. No form has this name alone, because each has a contact."""
_AT_ONCE: Final = 500

Fields = Mapping[str, Any]


class NoKey(Exception):
    """The fields cannot be decrypted here."""

    def __init__(self) -> None:
        super().__init__(
            "This lead is encrypted with a key that is missing in PORTOLAN_LEADS_KEY. "
            "Add that key after the others, separated by a space."
        )


class Unreadable(dict[str, Any]):
    """Empty fields of a lead whose key is missing. Saving them raises NoKey, so that they never replace the original."""


def new_key() -> str:
    return Fernet.generate_key().decode()


def seal(fields: Fields) -> Fields:
    """Return the fields to store: encrypted if there is a key. Raise NoKey for unreadable fields."""
    if isinstance(fields, Unreadable):
        raise NoKey
    box = _open_box(settings.LEADS_KEYS)
    if box is None or not fields or is_sealed(fields):
        return fields
    return {SEALED: box.encrypt(json.dumps(fields, ensure_ascii=False).encode()).decode()}


def unseal(stored: Fields) -> Fields:
    """Return the decrypted fields. Raise NoKey."""
    if not is_sealed(stored):
        return stored
    box = _open_box(settings.LEADS_KEYS)
    if box is None:
        raise NoKey
    try:
        found: Fields = json.loads(box.decrypt(stored[SEALED]))
    except InvalidToken:
        raise NoKey from None
    return found


def is_sealed(stored: Any) -> bool:
    return isinstance(stored, Mapping) and stored.keys() == {SEALED}


class SealedFields(models.JSONField):
    """JSON that is encrypted when it is saved. Migrations see a ``JSONField``."""

    def deconstruct(self) -> Any:
        name, _, positional, named = super().deconstruct()
        return name, "django.db.models.JSONField", positional, named

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        found = super().from_db_value(value, expression, connection)
        if not is_sealed(found):
            return found
        try:
            return unseal(found)
        except NoKey:
            return Unreadable()

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        return super().get_db_prep_save(seal(value) if isinstance(value, Mapping) else value, connection)


def rows_where(among: "models.QuerySet[Any]", fits: Callable[[Fields], bool]) -> list[UUID]:
    """Return the primary keys of rows whose fields fit. Erased and unreadable rows never fit.

    Rows are read one by one, because databases cannot search encrypted fields, or compare letters as people do.
    """
    rows = among.order_by().exclude(fields={}).values_list("pk", "fields").iterator(_AT_ONCE)
    return [pk for pk, fields in rows if not isinstance(fields, Unreadable) and fits(fields)]


def count_unreadable(model: type[models.Model]) -> int:
    rows = _sealed_rows(model).values_list("fields", flat=True).iterator(_AT_ONCE)
    return sum(isinstance(fields, Unreadable) for fields in rows)


def count_open(model: type[models.Model]) -> int:
    """Return the number of rows with unencrypted fields."""
    return model._default_manager.exclude(fields__has_key=SEALED).exclude(fields={}).count()


def seal_again(model: type[models.Model]) -> Iterator[int]:
    """Encrypt every row with the first key. Yield row counts; may be interrupted. Raise NoKey at an unreadable row."""
    last: Any = None
    while True:
        rows = model._default_manager.exclude(fields={}).order_by("pk")
        some = list((rows if last is None else rows.filter(pk__gt=last)).values_list("pk", "fields")[:_AT_ONCE])
        for pk, fields in some:
            last = pk
            # Rows that were erased meanwhile stay erased.
            model._default_manager.filter(Q(pk=pk) & ~Q(fields={})).update(fields=fields)
        if not some:
            return
        yield len(some)


def _sealed_rows(model: type[models.Model]) -> "models.QuerySet[Any]":
    return model._default_manager.filter(fields__has_key=SEALED).order_by()


@cache
def _open_box(keys: tuple[str, ...]) -> MultiFernet | None:
    return MultiFernet([Fernet(key) for key in keys]) if keys else None
