"""Names of columns and answers in a CSV file of redirects.

They are written in the user's language and read in every language of the studio, so colleagues can exchange files.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeVar

from django.utils.translation import override, pgettext

from ...domain.redirects import GONE, PERMANENT, TEMPORARY
from ..languages import WHOLE

_Key = TypeVar("_Key")


def columns() -> dict[str, str]:
    """Return the column names by their English names, in the order of the file."""
    return {
        "site": pgettext("column of a file of redirects", "site"),
        "from": pgettext("column of a file of redirects", "from"),
        "to": pgettext("column of a file of redirects", "to"),
        "answer": pgettext("column of a file of redirects", "answer"),
        "note": pgettext("column of a file of redirects", "note"),
    }


def answers() -> dict[int, str]:
    return {
        PERMANENT: pgettext("answer of a redirect", "permanent"),
        TEMPORARY: pgettext("answer of a redirect", "temporary"),
        GONE: pgettext("answer of a redirect", "gone"),
    }


def all_sites() -> str:
    return pgettext("sites of a redirect", "all")


def read_column(name: str) -> str:
    """Return the English name of a column. Unknown names are returned unchanged."""
    word = name.strip().lower()
    return _columns_in_all_languages().get(word, word)


def read_answer(word: str) -> int | None:
    return _answers_in_all_languages().get(word.lower())


def means_all_sites(word: str) -> bool:
    return word.lower() in _all_in_all_languages()


@cache
def _columns_in_all_languages() -> dict[str, str]:
    return _in_each_language(columns)


@cache
def _answers_in_all_languages() -> dict[str, int]:
    return {"": PERMANENT, **{str(status): status for status in answers()}, **_in_each_language(answers)}


@cache
def _all_in_all_languages() -> frozenset[str]:
    return frozenset({"", "all sites", *_in_each_language(lambda: {"all": all_sites()})})


def _in_each_language(words: Callable[[], Mapping[_Key, str]]) -> dict[str, _Key]:
    found: dict[str, _Key] = {}
    for language in WHOLE:
        with override(language):
            found |= {word.lower(): key for key, word in words().items()}
    return found
