"""The block chooser shows an image of each block."""

from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from PIL import Image

from portolan.content.blocks import BLOCKS
from portolan.studio.block_pictures import picture_of

_MOST_BYTES = 60_000


@pytest.mark.parametrize("block", [block() for block in BLOCKS], ids=lambda block: block.type_name())
def test_every_block_has_a_picture(block) -> None:
    found = finders.find(picture_of(block))
    assert found, "run `make block-pictures`, and commit what it draws"
    assert Path(found).stat().st_size < _MOST_BYTES
    with Image.open(found) as picture:
        assert picture.width == 640
    assert block.is_previewable


def test_the_chooser_shows_it(admin_client: Client) -> None:
    block = BLOCKS[0]()
    reply = admin_client.get(
        f"/admin/block-preview/?id={block.definition_prefix}", headers={"Host": "studio.localhost"}
    )
    assert reply.status_code == 200
    assert f'src="/static/{picture_of(block)}"' in reply.content.decode()
    assert "style-src 'self'" in reply["Content-Security-Policy"]
