"""Headers, query parameters and parts of paths that several operations take, as types that check themselves."""

from itertools import groupby
from typing import Annotated, Any, Final

from ninja.params.models import Header, Path, Query
from pydantic import AfterValidator, WithJsonSchema

from ..domain.countries import COUNTRIES


def _check_country(value: str) -> str:
    code = value.strip().lower()
    if code not in COUNTRIES:
        raise ValueError(f"{value!r} is no country. Send two letters of ISO 3166-1, e.g. de, or leave it out.")
    return code


def _country_pattern() -> str:
    """A pattern of all country codes in upper or lower case: tells the document what the check above accepts."""
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
        description="The visitor's country, ISO 3166-1 alpha-2 in any case. Another code is refused with 422.",
        example="de",
    ),
]
CountryQuery = Annotated[
    _Country | None,
    _COUNTRY,
    Query(
        None,
        alias="countryCode",
        description="The visitor's country, ISO 3166-1 alpha-2 in any case. Another code is refused with 422.",
        example="de",
    ),
]

_PAGE_KEY: Final[dict[str, Any]] = {
    "alias": "Page-Key",
    "example": "services/web-development",
}
_PAGE_KEY_TEXT: Final = "A page of the site by its path without the leading slash, `home` for `/`. A key no page of the site has is refused with 404."

PageKeyHeader = Annotated[str, Header(..., description=_PAGE_KEY_TEXT, **_PAGE_KEY)]
OptionalPageKeyHeader = Annotated[
    str | None,
    WithJsonSchema({"type": "string"}),
    Header(None, description=f"{_PAGE_KEY_TEXT} Absent: the items of all pages.", **_PAGE_KEY),
]


def id_path(noun: str, example: str) -> Any:
    """The ``{id}`` of a path."""
    return Path(..., description=f"Id of {noun}, as the lists have it.", example=example)
