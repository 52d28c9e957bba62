"""Headers, query parameters and path parts of several operations, as types that validate themselves."""

from itertools import groupby
from typing import Annotated, Any, Final

from ninja.params.models import Header, Path, Query
from pydantic import AfterValidator, WithJsonSchema

from ..domain.countries import COUNTRIES


def _check_country(value: str) -> str:
    code = value.strip().lower()
    if code not in COUNTRIES:
        raise ValueError(
            f"{value!r} is not a country. Send a code of ISO 3166-1 with two letters, such as de, or leave it out."
        )
    return code


def _country_pattern() -> str:
    """Return a pattern of all country codes in upper or lower case, which documents the check above."""
    parts = []
    for first, codes in groupby(sorted(COUNTRIES), key=lambda code: code[0]):
        second = "".join(code[1].upper() + code[1] for code in codes)
        parts.append(f"[{first.upper()}{first}][{second}]")
    return f"^(?:{'|'.join(parts)})$"


_COUNTRY: Final = WithJsonSchema({"type": "string", "pattern": _country_pattern()})
_Country = Annotated[str, AfterValidator(_check_country), _COUNTRY]

CountryHeader = Annotated[
    _Country | None,
    _COUNTRY,
    Header(
        None,
        alias="Country-Code",
        description="The visitor's country, ISO 3166-1 alpha-2 in any case. Other values return 422.",
        example="de",
    ),
]
CountryQuery = Annotated[
    _Country | None,
    _COUNTRY,
    Query(
        None,
        alias="countryCode",
        description="The visitor's country, ISO 3166-1 alpha-2 in any case. Other values return 422.",
        example="de",
    ),
]

_PAGE_KEY: Final[dict[str, Any]] = {
    "alias": "Page-Key",
    "example": "services/web-development",
}
_PAGE_KEY_TEXT: Final = "A page by its path without the leading slash, `home` for `/`. Unknown keys return 404."

PageKeyHeader = Annotated[str, Header(..., description=_PAGE_KEY_TEXT, **_PAGE_KEY)]
OptionalPageKeyHeader = Annotated[
    str | None,
    WithJsonSchema({"type": "string"}),
    Header(None, description=f"{_PAGE_KEY_TEXT} Without it: the items of all pages.", **_PAGE_KEY),
]


def id_path(noun: str, example: str) -> Any:
    """Return the ``{id}`` of a path."""
    return Path(..., description=f"Id of {noun}, from a list.", example=example)
