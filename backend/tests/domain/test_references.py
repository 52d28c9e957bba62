"""References in frozen content: each form, its value, and the problem if the target is missing."""

from typing import Any

import pytest

from portolan.domain.references import (
    PageTarget,
    Reference,
    UnresolvedReference,
    find_references,
    find_unresolved,
    resolve,
)

DOCUMENT = {"url": "/media/a.pdf", "kind": "pdf", "size": 9}
PICTURE = {"width": 10, "height": 5, "vector": "/media/a.svg"}


def whole(title: str, href: str, **more: Any) -> dict[str, Any]:
    return {"title": title, "href": href, "external": False, "site": None, "hreflang": None} | more


class Chart:
    """A lookup with a page here, a page on the international site, an image, a document and two offices."""

    def page(self, key: str) -> PageTarget | None:
        return {
            "here": PageTarget("/about-us"),
            "there": PageTarget("https://brightmoor.example/contact-us", "en", "en"),
        }.get(key)

    def picture(self, key: str) -> dict[str, Any] | None:
        return PICTURE if key == "7" else None

    def document(self, key: str) -> dict[str, Any] | None:
        return DOCUMENT if key == "3" else None

    def items(self, kind: str) -> list[Any]:
        return (
            [{"id": "dallas", "city": "Dallas"}, {"id": "baku", "city": "Baku, {company}"}] if kind == "office" else []
        )

    def placed(self, kind: str) -> list[Any]:
        return self.items(kind)[1:]

    def own_page(self) -> str | None:
        return "dallas"

    def placeholder(self, name: str) -> str | None:
        return {"age": "19", "company": "Brightmoor", "partners": "Keel & Sons"}.get(name)

    def is_external(self, url: str) -> bool:
        return not url.startswith(("mailto:", "tel:", "https://brightmoor.example"))


@pytest.mark.parametrize(
    ("frozen", "value"),
    [
        pytest.param("no braces", "no braces", id="plain text"),
        pytest.param("{age} years of {company}", "19 years of Brightmoor", id="placeholders"),
        pytest.param(
            {"$page": "here", "title": "About {company}", "anchor": "offices"},
            whole("About Brightmoor", "/about-us#offices"),
            id="own page with anchor",
        ),
        pytest.param(
            {"$page": "there", "title": "Contact", "anchor": None},
            whole("Contact", "https://brightmoor.example/contact-us", site="en", hreflang="en"),
            id="page of another site",
        ),
        pytest.param(
            {"$url": "https://chart.example", "title": "Chart"},
            whole("Chart", "https://chart.example", external=True),
            id="external address",
        ),
        pytest.param(
            {"$url": "mailto:a@brightmoor.example", "title": "Write"},
            whole("Write", "mailto:a@brightmoor.example"),
            id="mail address",
        ),
        pytest.param({"$picture": 7, "alt": "A {age}"}, {**PICTURE, "alt": "A 19"}, id="picture"),
        pytest.param({"$document": 3}, DOCUMENT, id="document"),
        pytest.param(
            {"$items": "office"},
            [{"id": "dallas", "city": "Dallas"}, {"id": "baku", "city": "Baku, Brightmoor"}],
            id="collection, with placeholders of its own",
        ),
        pytest.param(
            {"$items": "office", "first": 1}, [{"id": "dallas", "city": "Dallas"}], id="first of a collection"
        ),
        pytest.param(
            {"$items": "office", "first": 1, "each": "id", "pick": "id"}, ["dallas", "baku"], id="first of each"
        ),
        pytest.param({"$items": "office", "first": 9, "pick": "id"}, ["dallas", "baku"], id="more than there are"),
        pytest.param({"$items": "office", "first": None, "pick": "id"}, ["dallas", "baku"], id="without a limit"),
        pytest.param(
            {"$items": "office", "choose": ["others"], "first": 1, "pick": "id"}, ["baku"], id="all but its own"
        ),
        pytest.param({"$items": "office", "choose": ["placed"], "pick": "id"}, ["baku"], id="those placed on its page"),
        pytest.param({"$items": "office", "pick": "city"}, ["Dallas", "Baku, Brightmoor"], id="one field of each"),
        pytest.param(
            {"$items": "office", "pick": ["id"]}, [{"id": "dallas"}, {"id": "baku"}], id="some fields of each"
        ),
        pytest.param({"$items": "phone", "first": 3, "pick": "city"}, [], id="an empty collection"),
        pytest.param({"$count": "office"}, 2, id="count of a collection"),
        pytest.param(
            {"$html": '<p>{age} <a data-page="here" data-anchor="offices">x</a> <a data-page="there">y</a></p>'},
            '<p>19 <a href="/about-us#offices">x</a> <a href="https://brightmoor.example/contact-us" hreflang="en">y</a></p>',
            id="rich text with links to pages",
        ),
        pytest.param(
            {"$html": '<a href="https://chart.example">x</a><a href="tel:+49">y</a>'},
            '<a href="https://chart.example" target="_blank" rel="nofollow noopener">x</a><a href="tel:+49">y</a>',
            id="rich text with external link",
        ),
        pytest.param({"$verbatim": "f'{age}'"}, "f'{age}'", id="a text whose braces are its own"),
        pytest.param({"$html": "<p>{partners}</p>"}, "<p>Keel &amp; Sons</p>", id="placeholder in rich text"),
        pytest.param({"a": [1, None, {"b": "{age}"}]}, {"a": [1, None, {"b": "19"}]}, id="anything nested"),
    ],
)
def test_a_reference_becomes_its_value(frozen: Any, value: Any) -> None:
    assert resolve(frozen, Chart()) == value


@pytest.mark.parametrize(
    ("frozen", "reference", "location"),
    [
        ({"blocks": [{"link": {"$page": "gone", "title": "x"}}]}, Reference("page", "gone"), "blocks.0.link"),
        ({"hero": {"$picture": 8, "alt": ""}}, Reference("picture", "8"), "hero"),
        ({"document": {"$document": 4}}, Reference("document", "4"), "document"),
        ({"cards": ["ok", "{wages}"]}, Reference("placeholder", "wages"), "cards.1"),
        ({"text": {"$html": '<a data-page="gone">x</a>'}}, Reference("page", "gone"), "text"),
    ],
)
def test_a_reference_to_nothing_names_itself_and_its_place(frozen: Any, reference: Reference, location: str) -> None:
    with pytest.raises(UnresolvedReference) as caught:
        resolve(frozen, Chart())
    assert (caught.value.reference, caught.value.location) == (reference, location)


def test_everything_that_leads_nowhere_is_found_at_once() -> None:
    body = {
        "title": "{nobody} at {company}",
        "html": {"$html": '<a data-page="gone">a</a> <a data-page="here">b</a> <a data-page="lost">c</a>'},
        "cards": [
            {"link": {"$page": "gone", "title": "x"}},
            {"img": {"$picture": "8", "alt": ""}},
            {"$verbatim": "{x}"},
        ],
        "offices": {"$items": "office"},
    }
    assert [(error.reference, error.location) for error in find_unresolved(body, Chart())] == [
        (Reference("placeholder", "nobody"), "title"),
        (Reference("page", "gone"), "html"),
        (Reference("page", "lost"), "html"),
        (Reference("page", "gone"), "cards.0.link"),
        (Reference("picture", "8"), "cards.1.img"),
    ]


def test_every_reference_of_a_body_is_found() -> None:
    body = {
        "title": "{age}",
        "blocks": [
            {"link": {"$page": "here", "title": "{company}"}, "picture": {"$picture": 7, "alt": ""}},
            {
                "offices": {"$items": "office"},
                "total": {"$count": "review"},
                "text": {"$html": '<a data-page="there">x {age}</a>'},
                "code": {"$verbatim": "{company}"},
                "document": {"$document": 3},
            },
        ],
    }
    assert list(find_references(body)) == [
        Reference("placeholder", "age"),
        Reference("page", "here"),
        Reference("placeholder", "company"),
        Reference("picture", "7"),
        Reference("items", "office"),
        Reference("items", "review"),
        Reference("page", "there"),
        Reference("placeholder", "age"),
        Reference("document", "3"),
    ]
