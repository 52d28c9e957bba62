import io

import pytest
from django.core.management import call_command
from wagtail import blocks

from portolan.content.blocks import BLOCKS
from portolan.content.blocks.base import LineBlock
from portolan.content.fields import BlocksField, BodyField
from portolan.content.models import HomePage


def test_migrations_know_nothing_of_blocks() -> None:
    _, path, args, kwargs = HomePage._meta.get_field("body").deconstruct()
    assert (path, args) == ("portolan.content.fields.BodyField", [[]])
    assert set(kwargs) == {"blank", "verbose_name"}


def test_a_clone_keeps_its_blocks_and_limits() -> None:
    field = BlocksField([("line", LineBlock())], max_num=1, blank=True)
    field.set_attributes_from_name("lines")
    copy = field.clone()
    assert list(copy.stream_block.child_blocks) == ["line"]
    assert copy.stream_block.meta.max_num == 1


@pytest.mark.django_db
def test_a_new_block_needs_no_migration(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = HomePage._meta.get_field("body").stream_block
    monkeypatch.setitem(stream.child_blocks, "novelty", blocks.CharBlock())
    call_command("makemigrations", "content", check=True, dry_run=True, verbosity=0, stdout=io.StringIO())


def test_a_body_offers_every_block() -> None:
    assert list(BodyField().stream_block.child_blocks) == [block.type_name() for block in BLOCKS]
