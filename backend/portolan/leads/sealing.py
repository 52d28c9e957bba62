"""What people write in forms is encrypted in the database and in the spool, where there is a key (``PORTOLAN_LEADS_KEY``): by
Fernet, of which the first key encrypts and all of them decrypt. What was stored before there was a key stays readable, and is
sealed by ``portolan leads seal``.
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
"""The one name of an object that has been sealed. No form has it alone: each has a contact."""
_AT_ONCE: Final = 500

Fields = Mapping[str, Any]


class NoKey(Exception):
    """What was sealed cannot be read here. The message says what to do."""

    def __init__(self) -> None:
        super().__init__(
            "What people wrote in this lead is encrypted, and none of the keys in PORTOLAN_LEADS_KEY is the one it was encrypted "
            "with. Add that key behind the others, with a space between."
        )


class Unreadable(dict[str, Any]):
    """The fields of a lead whose key is not here: none. They cannot be saved, so that nothing takes the place of what was sent."""


def new_key() -> str:
    return Fernet.generate_key().decode()


def seal(fields: Fields) -> Fields:
    """As they are to be stored: as they are, where there is no key or nothing to hide. Raises NoKey for fields that could not
    be read."""
    if isinstance(fields, Unreadable):
        raise NoKey
    box = _open_box(settings.LEADS_KEYS)
    if box is None or not fields or is_sealed(fields):
        return fields
    return {SEALED: box.encrypt(json.dumps(fields, ensure_ascii=False).encode()).decode()}


def unseal(stored: Fields) -> Fields:
    """Raises NoKey."""
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
    """JSON that is sealed on its way into the database. For migrations it is a ``JSONField``, as its column is."""

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
    """Return the primary keys of those rows whose fields fit, sealed or not. Erased rows and those whose key is missing do not.

    Rows are read one after the other: no database can look into a sealed one, or compares letters as people do.
    """
    rows = among.order_by().exclude(fields={}).values_list("pk", "fields").iterator(_AT_ONCE)
    return [pk for pk, fields in rows if not isinstance(fields, Unreadable) and fits(fields)]


def count_unreadable(model: type[models.Model]) -> int:
    rows = _sealed_rows(model).values_list("fields", flat=True).iterator(_AT_ONCE)
    return sum(isinstance(fields, Unreadable) for fields in rows)


def count_open(model: type[models.Model]) -> int:
    """Rows that are not sealed though there is something in them."""
    return model._default_manager.exclude(fields__has_key=SEALED).exclude(fields={}).count()


def seal_again(model: type[models.Model]) -> Iterator[int]:
    """Have every row sealed with the first key. Yields how many there were, now and then; it may be interrupted. Raises NoKey
    at the first one that cannot be read."""
    last: Any = None
    while True:
        rows = model._default_manager.exclude(fields={}).order_by("pk")
        some = list((rows if last is None else rows.filter(pk__gt=last)).values_list("pk", "fields")[:_AT_ONCE])
        for pk, fields in some:
            last = pk
            # One that was erased meanwhile stays erased.
            model._default_manager.filter(Q(pk=pk) & ~Q(fields={})).update(fields=fields)
        if not some:
            return
        yield len(some)


def _sealed_rows(model: type[models.Model]) -> "models.QuerySet[Any]":
    return model._default_manager.filter(fields__has_key=SEALED).order_by()


@cache
def _open_box(keys: tuple[str, ...]) -> MultiFernet | None:
    return MultiFernet([Fernet(key) for key in keys]) if keys else None
