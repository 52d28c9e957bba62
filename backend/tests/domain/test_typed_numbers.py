"""Numbers as people write them: the same table tests the browser's rule."""

import json
from typing import Any, Final

import pytest

from portolan.config.project import ROOT
from portolan.domain.typed_numbers import plain_number, plain_phone

CASES: Final[dict[str, Any]] = json.loads((ROOT / "testing" / "typed-numbers.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("typed", "plain"), CASES["plain"])
def test_a_number_becomes_plain(typed: str, plain: str) -> None:
    assert plain_number(typed) == plain


@pytest.mark.parametrize(("typed", "plain"), CASES["phones"])
def test_a_phone_number_becomes_plain_or_is_none(typed: str, plain: str | None) -> None:
    assert plain_phone(typed) == plain
