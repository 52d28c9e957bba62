"""Palettes of brands: their colours, with every contrast of the product's own palette."""

from typing import Any

import orjson
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from portolan.config.project import ROOT
from portolan.domain.contrast import SHAPES, TEXT, contrast
from portolan.publisher.palette import LEAST, build_palette
from portolan.sites.brand import Colours

COLOUR = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")
DARK = st.tuples(*[st.integers(0, 40)] * 3).map(lambda rgb: "#{:02x}{:02x}{:02x}".format(*rgb))


@pytest.fixture(scope="module")
def grounds() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = orjson.loads((ROOT / "web/dist/server/assets.json").read_bytes())["palette"]
    return found


@settings(max_examples=40, deadline=None)
@given(accent=COLOUR, ground=DARK)
def test_everything_can_be_read_in_any_colours_that_a_brand_may_have(
    grounds: list[dict[str, Any]], accent: str, ground: str
) -> None:
    try:
        wanted = Colours(accent=accent, ground=ground)
    except ValidationError:
        reject()
    found = build_palette(grounds, wanted, Colours())
    assert [each.keys() for each in found] == [each.keys() for each in grounds]
    for each in found:
        colours = each["colours"]
        for name, least in LEAST.items():
            for under in ("--ground", "--raised"):
                if name in colours and under in colours:
                    assert contrast(colours[name], colours[under]) >= least, (each["selector"], name, under)
    root = found[0]["colours"]
    assert (root["--signal"], found[1]["colours"]["--ground"]) == (accent, ground)
    assert contrast(root["--on-signal"], root["--signal"]) >= TEXT
    assert contrast(root["--signal"], ground) >= SHAPES


def test_the_products_own_colours_give_its_own_palette(grounds: list[dict[str, Any]]) -> None:
    assert build_palette(grounds, Colours(), Colours()) == grounds


def test_greys_take_the_ground_s_hue(grounds: list[dict[str, Any]]) -> None:
    green = build_palette(grounds, Colours(accent="#35d0a5", ground="#0a1f1a"), Colours())[1]["colours"]
    grey = build_palette(grounds, Colours(accent="#ffffff", ground="#111111"), Colours())[1]["colours"]
    assert int(green["--text"][3:5], 16) > int(green["--text"][1:3], 16)
    assert len({grey["--text"][at : at + 2] for at in (1, 3, 5)}) == 1
