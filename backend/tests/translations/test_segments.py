from collections.abc import Callable, Mapping
from typing import Any

import pytest

from portolan.content.pages.home import HomePage
from portolan.content.pages.service import ServicePage
from portolan.content.site_records import SiteRecord
from portolan.translations.segments import (
    Segment,
    UnknownPaths,
    count_words,
    digest_of,
    match,
    read_segments,
    with_segments,
)

pytestmark = pytest.mark.django_db  # a page looks up its content type

HERO = {
    "type": "hero",
    "id": "h",
    "value": {
        "tone": "navy",
        "anchor": "top",
        "title": "We build {offices} things",
        "eyebrow": "",
        "actions": [{"type": "item", "id": "a", "value": {"title": "Write", "url": "mailto:a@b.example"}}],
        "picture": {"image": None, "alt": "A harbour"},
    },
}
TEXT = {"type": "rich_text", "id": "t", "value": {"html": '<p>A <a linktype="page" id="3">page</a>.</p>'}}
CODE = {"type": "code", "id": "c", "value": {"code": "a = {b}\n", "language": "python"}}
LIST = {"type": "marquee", "id": "m", "value": {"words": ["one", {"type": "item", "id": "w", "value": "two"}]}}


def page(*body: Any, **fields: Any) -> ServicePage:
    return ServicePage(**{"title": "Web", "slug": "web", "body": list(body), **fields})


def test_texts_have_paths_of_ids_and_a_kind() -> None:
    segments = read_segments(page(HERO, TEXT, CODE, LIST, seo_title="Web teams", search_description="Teams."))
    assert [(segment.path, segment.text, segment.kind) for segment in segments] == [
        ("title", "Web", "plain"),
        ("seo_title", "Web teams", "plain"),
        ("search_description", "Teams.", "plain"),
        ("body/h/title", "We build {offices} things", "plain"),
        ("body/h/actions/a/title", "Write", "plain"),
        ("body/h/picture/alt", "A harbour", "plain"),
        ("body/t/html", '<p>A <a linktype="page" id="3">page</a>.</p>', "rich"),
        ("body/c/code", "a = {b}\n", "verbatim"),
        ("body/c/language", "python", "plain"),
        ("body/m/words/#0", "one", "plain"),
        ("body/m/words/w", "two", "plain"),
    ]
    assert segments[4].place == ("body", "hero", "actions", "item", "title")
    assert segments[4].label == "Block 1 (Hero), Buttons 1, Title"


def test_places_without_a_text_are_listed_on_request() -> None:
    paths = {segment.path for segment in read_segments(page(HERO), with_empty=True)}
    assert {"seo_title", "body/h/eyebrow", "body/h/text"} <= paths
    assert not {"slug", "body/h/anchor", "body/h/actions/a/url"} & paths


def test_sets_texts_and_nothing_else() -> None:
    written = with_segments(page(HERO, TEXT), {"title": "Netz", "body/h/text": "Neu.", "body/h/actions/a/title": "Los"})
    hero, text = written.body.raw_data
    assert written.title == "Netz"
    assert hero["value"]["text"] == "Neu."
    assert hero["value"]["actions"][0] == {
        "type": "item",
        "id": "a",
        "value": {"title": "Los", "url": "mailto:a@b.example"},
    }
    assert text == TEXT


def test_writing_the_same_texts_changes_no_byte() -> None:
    draft = page(HERO, TEXT, CODE, LIST)
    before = draft.body.stream_block.get_prep_value(draft.body)
    with_segments(draft, {segment.path: segment.text for segment in read_segments(draft)})
    assert draft.body.stream_block.get_prep_value(draft.body) == before


def test_an_unknown_path_changes_nothing() -> None:
    draft = page(HERO)
    with pytest.raises(UnknownPaths) as raised:
        with_segments(draft, {"title": "Netz", "body/x/title": "?", "slug": "netz"})
    assert raised.value.paths == ["body/x/title", "slug"]
    assert draft.title == "Web"


def test_blocks_without_an_id_or_with_the_same_id_have_paths_of_their_own() -> None:
    twins = page({**TEXT, "id": None}, TEXT, TEXT)
    assert [segment.path for segment in read_segments(twins)][1:] == ["body/#0/html", "body/t/html", "body/#2/html"]


def test_the_digest_depends_on_paths_and_texts_alone() -> None:
    first, second = Segment("a", "1"), Segment("b", "2", "rich")
    digest = digest_of([first, second])
    assert digest_of([second, Segment("a", "1", "rich"), Segment("c", "")]) == digest
    assert digest_of([first]) != digest
    assert digest_of([first, Segment("b", "3")]) != digest
    assert digest_of([first, Segment("c", "2")]) != digest
    assert digest_of(read_segments(page(HERO, TEXT))) == digest_of(read_segments(page(TEXT, HERO, slug="x")))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("Two words", 2),
        ("<p>Two<br/>words</p><p>more</p>", 3),
        ('A <a href="https://a.example/b">link here</a>.', 3),
        ("a < b and c > d", 5),
        ("don't, well-known, 1,000.5", 3),
        ("Fish &amp; chips", 2),
        ("مرحبا بالعالم", 2),
        ("{years} years — Привет", 3),
    ],
)
def test_counts_words(text: str, words: int) -> None:
    assert count_words(text) == words


def _segments(*places: str) -> list[Segment]:
    """Each place is ``id:type/field``."""
    found = []
    for place in places:
        block, name = place.split("/")
        own, kind = block.split(":")
        found.append(Segment(f"body/{own}/{name}", "x", "plain", ("body", kind, name)))
    return found


@pytest.mark.parametrize(
    ("source", "translation", "pairs"),
    [
        (["a:hero/title"], ["a:hero/title"], {"a": "a"}),
        (["a:hero/title"], ["b:hero/title"], {"a": "b"}),
        (["a:hero/title"], ["b:text/html"], {}),
        (["a:hero/title"], ["a:text/html"], {}),
        (["a:x/t", "b:x/t"], ["b:x/t", "a:x/t"], {"a": "a", "b": "b"}),
        (["a:hero/t", "b:text/t", "c:cards/t"], ["d:hero/t", "e:cards/t"], {"a": "d", "c": "e"}),
        (["a:hero/t", "b:cards/t"], ["d:hero/t", "n:text/t", "e:cards/t"], {"a": "d", "b": "e"}),
        (["a:x/t", "b:x/t", "c:x/t"], ["n:x/t", "b:x/t"], {"a": "n", "b": "b"}),
    ],
)
def test_pairs_blocks_by_id_and_the_others_by_type_and_order(
    source: list[str], translation: list[str], pairs: dict[str, str]
) -> None:
    found = match(_segments(*source), _segments(*translation))
    assert {path.split("/")[1]: other.split("/")[1] for path, other in found.items()} == pairs


def test_a_copy_for_translation_has_the_paths_of_its_source(
    homes: Mapping[str, HomePage], sites: Mapping[str, SiteRecord], add_page: Callable[..., Any]
) -> None:
    source = add_page(homes["en"], ServicePage, "web", title="Web", body=[HERO, TEXT, LIST])
    copy = source.copy_for_translation(sites["de"].locale)
    copy = ServicePage.objects.get(pk=copy.pk)
    assert [segment.path for segment in read_segments(copy)] == [segment.path for segment in read_segments(source)]
