import pytest
from django.core.exceptions import ValidationError
from wagtail.rich_text import RichText

from portolan.content.rules import (
    check_anchor,
    check_block_anchor,
    check_links,
    check_placeholders,
    check_url,
    find_unusable_anchors,
)


@pytest.mark.parametrize(
    "text", ["", None, "{company} and {age}", "a { 1 } c", "{}", "x = {1: 2}", RichText("<p>{year}</p>")]
)
def test_accepts_known_placeholders_and_ordinary_braces(text: object) -> None:
    check_placeholders(text)


@pytest.mark.parametrize("text", ["{foo}", "{Company}", "{ company }", "{emp-loyees}", RichText("<p>{foo}</p>")])
def test_names_the_placeholder_that_does_not_exist(text: object) -> None:
    with pytest.raises(ValidationError, match=r"Unknown placeholder.*\{company\}"):
        check_placeholders(text)


@pytest.mark.parametrize("url", ["javascript:alert(1)", "ftp://x.example", "www.x.example", "//x.example"])
def test_refuses_an_address_that_is_none(url: str) -> None:
    with pytest.raises(ValidationError, match="is not a valid link"):
        check_url(url)


@pytest.mark.django_db
def test_refuses_to_have_an_own_page_typed() -> None:
    with pytest.raises(ValidationError, match="Choose the page"):
        check_url("/about-us")
    check_url("/media/documents/terms.pdf")


def test_checks_the_links_inside_a_text() -> None:
    check_links(RichText('<a linktype="page" id="1">x</a> <a href="https://x.example">y</a>'))
    with pytest.raises(ValidationError, match="is not a valid link"):
        check_links(RichText('<p><a href="javascript:alert(1)">x</a></p>'))


@pytest.mark.parametrize("anchor", ["Offices", "#offices", "our offices", "1st"])
def test_refuses_an_anchor_that_is_none(anchor: str) -> None:
    with pytest.raises(ValidationError, match="anchor"):
        check_anchor(anchor)


@pytest.mark.parametrize("anchor", ["islands", "navigation", "top"])
def test_refuses_an_anchor_that_the_page_uses_itself(anchor: str) -> None:
    with pytest.raises(ValidationError, match=f"such as our-{anchor}"):
        check_block_anchor(anchor)
    check_block_anchor(f"our-{anchor}")


@pytest.mark.parametrize(
    ("blocks", "unusable"),
    [
        ([{"anchor": "a"}, {"anchor": ""}, {}, {"anchor": "b"}], {}),
        ([{"anchor": "a"}, {}, {"anchor": "a"}], {2: 0}),
        ([{"anchor": "a", "tabs": ["x", "y"]}, {"anchor": "a-2"}, {"anchor": "a-3"}], {1: 0}),
        ([{"anchor": "a-1"}, {"anchor": "a", "tabs": ["x", "y"]}], {1: 0}),
        ([{"anchor": "main"}], {0: None}),
    ],
)
def test_each_anchor_leads_to_one_place(blocks: list[dict[str, object]], unusable: dict[int, int | None]) -> None:
    assert find_unusable_anchors(blocks) == unusable
