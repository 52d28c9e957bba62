"""What the demo's files say in HTML is HTML as the studio's editor writes it: else the form of that page cannot be opened."""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from wagtail.admin.rich_text.converters.contentstate import ContentstateConverter

from portolan.config.project import ROOT
from portolan.content.rich_text import FEATURES

RICH_TEXT = re.compile(r"\s*<(?!svg|\?)")
FILES = sorted((ROOT / "fixtures" / "demo").rglob("*.toml"))


def find_rich_texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if RICH_TEXT.match(value):
            yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from find_rich_texts(each)


def test_the_editor_can_open_every_rich_text_of_the_demo() -> None:
    converter = ContentstateConverter(features=FEATURES)
    texts = {text: file for file in FILES for text in find_rich_texts(tomllib.loads(file.read_text()))}
    assert len(texts) > 500
    refused = {}
    for text, file in texts.items():
        try:
            converter.from_database_format(text)
        except AssertionError as error:
            refused[file.name, text[:80]] = str(error)
    assert refused == {}


def test_an_element_that_is_left_open_is_refused() -> None:
    with pytest.raises(AssertionError, match="expected br"):
        ContentstateConverter(features=FEATURES).from_database_format("<p>Berlin<br>Deutschland</p>")
