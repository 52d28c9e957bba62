"""A page with every block keeps every byte on its way through a file. The whole demo: `e2e/long_translations.py`."""

from pathlib import Path

import pytest

from portolan.content.blocks import BLOCKS
from portolan.content.pages.service import ServicePage
from portolan.translations.exchange.files import read_file
from portolan.translations.exchange.inline import join
from portolan.translations.exchange.po import write_po
from portolan.translations.exchange.units import PageUnits, Unit
from portolan.translations.exchange.xliff_writer import write_xliff
from portolan.translations.segments import read_segments, with_segments

from .texts import KEY, LANGUAGES


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["de.xlf", "de.po"])
def test_writing_back_every_text_changes_no_byte(tmp_path: Path, name: str) -> None:
    raw = [
        {"type": block.type_name(), "id": f"{block.type_name()}-{example}", "value": value}
        for block in BLOCKS
        for example, value in block.EXAMPLES.items()
    ]
    page = ServicePage(title="Web", body=raw)
    segments = read_segments(page)
    units = [Unit(segment.path, segment.kind, segment.text, segment.text) for segment in segments]
    file = tmp_path / name
    written = (write_po if name.endswith("po") else write_xliff)(LANGUAGES, [PageUnits(KEY, "/web", "Web", units)])
    file.write_text("".join(written), encoding="utf-8")
    _, returned = read_file(file)
    kinds = {segment.path: segment.kind for segment in segments}
    texts = {unit.path: join(unit.target, kinds[unit.path]) for unit in returned}
    assert len(texts) == len(segments) > 3 * len(BLOCKS)
    before = page.body.get_prep_value()
    with_segments(page, dict.fromkeys(texts, "?"))
    assert page.body.get_prep_value() != before
    with_segments(page, texts)
    assert page.body.get_prep_value() == before
