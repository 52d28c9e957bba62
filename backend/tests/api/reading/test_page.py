import re
from html.parser import HTMLParser

import pytest

from portolan.api.reading.inline_markdown import inline_markdown, paragraphs
from portolan.api.reading.outline import Noun, Outline
from portolan.api.reading.page import page_bytes, render_page

PAGE = page_bytes().decode()


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.add(name)
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src"):
                self.links.append(value)


@pytest.fixture(scope="module")
def reader() -> Reader:
    reader = Reader()
    reader.feed(PAGE)
    return reader


def test_every_link_leads_somewhere_on_the_page_or_the_own_origin(reader):
    assert len(reader.ids) == len(set(reader.ids))
    assert reader.links
    for link in reader.links:
        assert link in ("/api/docs.css", "/api/openapi.json", "data:,") or link.removeprefix("#") in reader.ids, link


def test_a_strict_policy_has_nothing_to_refuse(reader):
    assert not reader.tags & {"script", "style", "iframe", "img"}
    assert "href" in reader.attributes, "they are read"
    assert "style" not in reader.attributes
    assert not any(name.startswith("on") for name in reader.attributes)


def test_examples_stand_on_the_page():
    assert "curl &quot;$ORIGIN/api/content/news/pagination?page=2&amp;perPage=9&quot;" in PAGE
    assert "&quot;code&quot;: &quot;unknown-page-key&quot;" in PAGE
    assert not re.search(r"\{\{|\{%|None</", PAGE)


def test_text_is_marked_up_and_never_markup():
    assert (
        inline_markdown("Send `a<b` **now** & <i>") == "Send <code>a&lt;b</code> <strong>now</strong> &amp; &lt;i&gt;"
    )
    assert paragraphs("One\ntwo.\n\nThree.") == ["One\ntwo.", "Three."]


def test_what_the_document_says_cannot_be_markup():
    evil = "<script>1</script>"
    page = render_page(Outline(evil, evil, evil, [Noun("n", evil, [])], [], [], [], []))
    assert "<script" not in page
