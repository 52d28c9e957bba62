"""Ticked pages in a list are checked as one publish: blocked ones are named, the rest is published."""

from typing import Any

import pytest
from django.test import Client
from wagtail.models import Page

from portolan.content.errors import SnapshotError
from portolan.content.export import export_items, snapshot_draft
from portolan.content.items import PAGE, ItemKey
from portolan.content.models import ServicePage
from portolan.releases.models import PendingChange, Release
from portolan.studio import drawing
from portolan.studio.checks.together import sift

from .test_draft_check import HOST, artist, contact, hero  # noqa: F401  (fixtures)

pytestmark = pytest.mark.django_db


@pytest.fixture
def drafts(homes: Any, add_page: Any, contact: Any) -> dict[str, Page]:  # noqa: F811
    """Two drafts that link to each other, one that links to an unpublished page, and that page."""
    pages = {name: add_page(homes["en"], ServicePage, name, title=name) for name in ("one", "two", "three", "bare")}
    for page in pages.values():
        page.unpublish()
    Page.objects.filter(slug__in=pages).update(first_published_at=None)

    def draft(name: str, *blocks: dict[str, Any]) -> None:
        page = ServicePage.objects.get(pk=pages[name].pk)
        page.body = list(blocks)
        page.save_revision()

    def link(to: str) -> dict[str, Any]:
        return hero("Linked", actions=[{"title": "There", "page": pages[to].pk}])

    draft("one", link("two"))
    draft("two", link("one"))
    draft("three", link("bare"))
    draft("bare", {"type": "rich_text", "value": {"html": "<p>No heading</p>"}, "id": "t"})
    PendingChange.objects.all().delete()
    return {name: Page.objects.get(pk=page.pk) for name, page in pages.items()}


@pytest.mark.usefixtures("artist")
def test_what_others_bring_is_there_and_what_is_blocked_is_not(drafts):
    releases = Release.objects.count()
    good, blocked = sift([drafts["one"], drafts["two"]])
    assert ([page.slug for page in good], blocked) == (["one", "two"], [])
    assert [page.slug for page in sift([drafts["one"]]).good] == [], "alone its link leads nowhere"
    good, blocked = sift(drafts.values())
    assert [page.slug for page in good] == ["one", "two"]
    said = {page.slug: found[0].text for page, found in blocked}
    assert said["bare"].startswith("This page has 0 main headings")
    assert "links to" in said["three"], "what is left out is no target any more"
    assert not Page.objects.filter(pk__in=[page.pk for page in drafts.values()], live=True).exists()
    assert (PendingChange.objects.count(), Release.objects.count()) == (0, releases), "nothing happened"


@pytest.mark.usefixtures("artist")
def test_a_list_publishes_what_would_go_live_and_names_the_rest(admin_client: Client, drafts):
    ticked = "&".join(f"id={page.pk}" for page in drafts.values())
    url = f"/admin/bulk/wagtailcore/page/publish/?{ticked}&next=/admin/"
    text = admin_client.post(url, headers=HOST, follow=True).content.decode()
    assert "2 pages are saved and are going live." in text
    assert "“bare” is not published: 1 problem. This page has 0 main headings" in text
    assert "“three” is not published: 1 problem." in text
    live = Page.objects.filter(pk__in=[page.pk for page in drafts.values()], live=True)
    assert {page.slug for page in live} == {"one", "two"}


@pytest.mark.usefixtures("artist")
def test_many_pages_are_drawn_together_as_each_is_by_itself(homes, add_page, contact):  # noqa: F811
    """Pages are drawn in groups, with the same result as alone. An error in one leaves the others unchanged."""
    pages = [
        add_page(homes["en"], ServicePage, f"many-{number}", title=f"Many {number}", body=[hero(f"Many {number}")])
        for number in range(2 * drawing._AT_ONCE + 1)
    ]
    keys = [ItemKey("en", PAGE, str(page.translation_key)) for page in pages]
    bodies = export_items(keys)
    broken = hero("Broken")
    broken["value"]["actions"] = [{"title": "There", "page": pages[1].pk}]
    pages[3].body = [broken]
    bodies |= {key: body for key, body in snapshot_draft(pages[3]).items() if key.kind == PAGE}
    del bodies[keys[1]]  # the target of the broken one
    together = dict(zip(bodies, drawing.draw_all(bodies, bodies), strict=True))
    assert isinstance(together.pop(keys[3]), SnapshotError)
    with pytest.raises(SnapshotError):
        drawing.draw(bodies, keys[3])
    assert len(together) == len(keys) - 2
    for key, drawn in together.items():
        alone = drawing.draw(bodies, key)
        assert isinstance(drawn, drawing.Drawing)
        assert (drawn.rendered.html, drawn.content, drawn.shared) == (
            alone.rendered.html,
            alone.content,
            alone.shared,
        )
