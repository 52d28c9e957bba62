"""The form of the block, and a page's content in a release."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError

from portolan.domain.references import PageTarget

WORK = {"days": ["mon", "fri"], "opens": "09:00:00", "closes": "18:00:00"}


class Nothing:
    """Content without pages and images."""

    def page(self, key: str) -> PageTarget | None:
        return None

    picture = document = page

    def placeholder(self, name: str) -> str | None:
        return {"company": "Acme Works"}.get(name)

    def is_external(self, url: str) -> bool:
        return True


def test_the_block_is_what_its_schema_says() -> None:
    from portolan_opening_hours.opening_hours import OpeningHoursBlock

    assert OpeningHoursBlock.EXAMPLES
    for raw in OpeningHoursBlock.EXAMPLES.values():
        data = OpeningHoursBlock().to_data(raw, Nothing(), id="x")
        assert data.model_dump(mode="json", by_alias=True)["hours"][0]["opens"] == "09:00"


def test_hours_that_end_before_they_begin_are_refused() -> None:
    from portolan_opening_hours.hours import HoursBlock
    from wagtail.blocks.struct_block import StructBlockValidationError

    block = HoursBlock()
    block.clean(block.to_python(WORK))
    with pytest.raises(StructBlockValidationError) as caught:
        block.clean(block.to_python({**WORK, "closes": "08:00:00"}))
    assert set(caught.value.block_errors) == {"closes"}


def test_a_page_is_frozen_with_its_own_fields(sites: None) -> None:
    from portolan_opening_hours.models import BranchPage

    from portolan.content.export import export_batch
    from portolan.content.items import PAGE, ItemKey
    from portolan.content.pages.home import HomePage

    home = HomePage.objects.get(slug="en")
    page: Any = BranchPage(
        title="London",
        slug="london",
        locale=home.locale,
        summary="Of {company}.",
        address="A\nB",
        time_zone="Europe/Paris",
    )
    page.hours.append(("hours", WORK))
    home.add_child(instance=page)
    page.full_clean()
    page.save_revision().publish()
    key = ItemKey("en", PAGE, str(page.translation_key))
    body: Any = export_batch([key]).bodies[key]
    assert (body["path"], body["template"], body["header"]) == ("/london", "branch", "transparent")
    assert body["fields"] | {"summary": ""} == {
        "summary": "",
        "address": "A\nB",
        "phone": "",
        "email": "",
        "directions": "",
        "picture": None,
        "hours": [{"days": ["mon", "fri"], "opens": "09:00", "closes": "18:00"}],
        "closedOn": [],
        "timeZone": "Europe/Paris",
    }
    page.summary = "Of {nobody}."
    with pytest.raises(ValidationError, match="Unknown placeholder"):
        page.full_clean()


def test_a_page_offers_the_blocks_that_fit_it(sites: None) -> None:
    from portolan_opening_hours.models import BranchPage

    offered = BranchPage._meta.get_field("body").stream_block.child_blocks
    assert "faq" in offered
    assert "hero" not in offered
