"""Rules that hold for every block. A block has tests of its own only for its particulars."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic.alias_generators import to_camel
from wagtail.documents.models import Document
from wagtail.models import Page

from portolan.content import blocks
from portolan.content.blocks import BLOCKS
from portolan.content.blocks.base import SiteBlock
from portolan.content.collections.facets import FacetValue
from portolan.content.fields import BodyStream
from portolan.content.models import LegalPage, SiteImage
from portolan_dev.contract.examples import DOCUMENTS, PAGE_KEYS, PAGES, PICTURES, ExampleLookup

from ...shared_content import ensure, shared

_PARTS = {"__init__", "base", "company_list", "form"}


_EXAMPLES = [
    pytest.param(block, raw, id=f"{block.type_name()}.{name}")
    for block in BLOCKS
    for name, raw in block.EXAMPLES.items()
]


@pytest.fixture
def examples_world(db: None) -> None:
    """Pages, images and documents with the ids in the examples, and one facet value."""
    ensure("examples_world")


@shared("examples_world")
def make_examples_world(media: Path) -> None:
    root = Page.get_first_root_node()
    for id in set(PAGES) - set(Page.objects.values_list("pk", flat=True)):
        root.refresh_from_db()
        root.add_child(instance=LegalPage(pk=id, title=f"Example {id}", slug=f"example-{id}"))
    pictures = [SiteImage(pk=int(id), title=id, file=f"{id}.png", width=8, height=8) for id in PICTURES]
    SiteImage.objects.bulk_create(pictures)
    FacetValue.objects.create(key="healthcare", facet="industry")
    Document.objects.bulk_create(
        [Document(pk=int(id), title=id, file=f"{id}.{file['kind']}") for id, file in DOCUMENTS.items()]
    )


def test_every_block_file_is_listed() -> None:
    files = {file.stem for file in Path(blocks.__file__).parent.glob("*.py")} - _PARTS
    assert files == {block.type_name() for block in BLOCKS}
    assert [block.__module__.rpartition(".")[2] for block in BLOCKS] == [block.type_name() for block in BLOCKS]


@pytest.mark.parametrize(("block", "raw"), _EXAMPLES)
def test_example_becomes_its_schema(block: type[SiteBlock], raw: dict[str, Any]) -> None:
    data = block().to_data(raw, ExampleLookup(), id="x", pages=PAGE_KEYS)
    assert isinstance(data, block.Data)
    assert data.type == block.type_name()


@pytest.mark.parametrize(("block", "raw"), _EXAMPLES)
def test_example_passes_the_editors_validation(
    block: type[SiteBlock], raw: dict[str, Any], examples_world: None
) -> None:
    form = block()
    form.clean(form.to_python(raw))


@pytest.mark.parametrize(("block", "raw"), _EXAMPLES)
def test_what_the_editor_saves_freezes_like_the_example(
    block: type[SiteBlock], raw: dict[str, Any], examples_world: None
) -> None:
    form = block()
    saved = json.loads(json.dumps(form.get_prep_value(form.to_python(raw))))
    assert form.snapshot(saved, "x", PAGE_KEYS) == form.snapshot(raw, "x", PAGE_KEYS)


@pytest.mark.parametrize(("block", "raw"), _EXAMPLES)
def test_frozen_block_has_every_field_of_its_schema(block: type[SiteBlock], raw: dict[str, Any]) -> None:
    frozen = block().snapshot(raw, "x", PAGE_KEYS)
    assert set(frozen) == {to_camel(name) for name in block.Data.model_fields}


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.type_name())
def test_block_starts_on_the_ground_its_schema_names(block: type[SiteBlock]) -> None:
    assert block().get_default()["tone"] == block.Data.model_fields["tone"].default


def test_freezing_reads_no_database() -> None:
    """Queries are forbidden in this test."""
    body = [{"type": b.type_name(), "id": "1", "value": raw} for b in BLOCKS for raw in b.EXAMPLES.values()]
    stream = BodyStream()
    for child in body:
        stream.child_blocks[child["type"]].snapshot(child["value"], child["id"], PAGE_KEYS)


def test_a_field_added_later_has_its_default() -> None:
    hero = next(block for block in BLOCKS if block.type_name() == "hero")()
    assert hero.snapshot({"title": "Old"}, "x", {}) == {
        "id": "x",
        "type": "hero",
        "tone": "navy",
        "anchor": None,
        "eyebrow": "",
        "title": "Old",
        "text": "",
        "actions": [],
        "phones": [],
        "picture": None,
        "film": None,
    }
