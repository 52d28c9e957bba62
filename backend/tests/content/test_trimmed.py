"""Texts without visible characters count as missing, and invisible characters are cut off the ends of others."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from wagtail.blocks import Block
from wagtail.test.utils.form_data import nested_form_data, streamfield

from portolan.content.blocks.base import LineBlock, ParagraphBlock
from portolan.content.models import LegalPage, OfficeCategory
from portolan.content.navigation.menu import KeyBlock
from portolan.studio.changes.forms import NameForm

STUDIO = {"Host": "studio.localhost"}
NOTHING = pytest.mark.parametrize(
    "nothing", ["\u200b", "\u3164", "\u2800", "\u00a0\u00ad", "\ufeff\u200d", "\u202a\u202c"]
)


def save(client: Client, parent: Any, **fields: str) -> Any:
    form = {"title": "Imprint", "slug": "imprint", "seo_title": "", "search_description": "", "body": streamfield([])}
    url = f"/admin/pages/add/content/legalpage/{parent.pk}/"
    return client.post(url, nested_form_data({**form, **fields}), headers=STUDIO)


@NOTHING
@pytest.mark.django_db
def test_a_required_text_that_shows_nothing_is_missing(homes: Any, admin_client: Client, nothing: str) -> None:
    assert save(admin_client, homes["en"], title=nothing).context["form"].errors == {
        "title": ["This field is required."]
    }
    entry = OfficeCategory.snippet_viewset.get_form_class()  # type: ignore[attr-defined]
    assert entry({"name": nothing, "key": "hq"}).errors["name"] == ["This field is required."]
    assert NameForm({"name": nothing}).errors == {"name": ["This field is required."]}
    for block in (LineBlock(), ParagraphBlock(), KeyBlock()):
        with pytest.raises(ValidationError, match="required"):
            block.clean(typed(block, nothing))


@pytest.mark.django_db
def test_what_shows_nothing_is_cut_off_the_ends(homes: Any, admin_client: Client) -> None:
    assert save(admin_client, homes["en"], title="\u200bImprint\u00a0", seo_title="\u3164").status_code == 302
    page = LegalPage.objects.get()
    assert (page.title, page.seo_title) == ("Imprint", "")
    block = LineBlock()
    assert block.clean(typed(block, " \ufeffمی\u200cخواهم\u2069 ")) == "می\u200cخواهم"
    assert LineBlock(required=False).clean("\u3164") == ""
    copied = {"new_title": "\u3164", "new_slug": "copy", "new_parent_page": homes["en"].pk}
    reply = admin_client.post(f"/admin/pages/{page.pk}/copy/", copied, headers=STUDIO)
    assert reply.context["form"].errors == {"new_title": ["This field is required."]}


def typed(block: Block, text: str) -> Any:
    return block.value_from_datadict({"text": text}, {}, "text")
