"""An editor who deletes or unpublishes pages reads how visitors see them now."""

import re
from html import unescape
from types import SimpleNamespace

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse
from django.utils import timezone

from portolan.content.models import MenuSettings, ServicePage
from portolan.domain.redirects import GONE, Redirect
from portolan.releases.create import create_release
from portolan.studio import taken_down

from .test_deleting import editor  # noqa: F401  (fixture)

pytestmark = pytest.mark.django_db
SITES = "International, United Kingdom"


@pytest.fixture
def page(homes, add_page):
    """A page that the menu links to."""
    page = add_page(homes["en"], ServicePage, "web", title="Web")
    button = {"title": "Write", "url": "mailto:a@b.example", "page": None}
    entry = {"title": "Services", "key": "s", "page": page.pk}
    MenuSettings.objects.update_or_create(
        site=homes["en"].get_site(),
        defaults={
            "contact": [{"type": "link", "value": button, "id": "1"}],
            "items": [{"type": "item", "value": entry, "id": "2"}],
        },
    )
    create_release("test", timezone.now().date())
    return page


def take(client, page, how):
    """Return level and text of the messages afterwards."""
    if how == "ticked":
        url = f"/admin/bulk/wagtailcore/page/unpublish/?id={page.pk}&next=/admin/reports/"
    else:
        url = reverse(f"wagtailadmin_pages:{how}", args=[page.pk]) + "?next=/admin/reports/"
    answer = client.post(url, {"next": "/admin/reports/"})
    assert answer.url == reverse("studio_taken_down")
    told = client.get(answer.url)
    assert told.url == "/admin/reports/"
    return [(message.level_tag, words(str(message))) for message in get_messages(told.wsgi_request)]


def words(html):
    """The text of a message, without its markup and buttons."""
    return unescape(re.search(r"data-published-said>(.*?)</span>", html, re.DOTALL)[1])


@pytest.fixture
def visitors_see(monkeypatch):
    def see(files, redirects, is_settled=True, pinned=""):
        live = SimpleNamespace(manifest=lambda site: SimpleNamespace(files=files, redirects=redirects))
        monkeypatch.setattr(taken_down, "LiveSites", lambda root: live)
        status = SimpleNamespace(state="published" if is_settled else "waiting", text="Publishing …")
        monkeypatch.setattr(taken_down, "find_publish_status", lambda: status)
        monkeypatch.setattr(taken_down, "say_pins", lambda sites, zone=None: pinned)

    return see


@pytest.mark.parametrize(
    ("seen", "level", "said"),
    [
        (({}, {"/web": Redirect(GONE, "")}), "success", f"Visitors of {SITES} see that the page is removed."),
        (({}, {"/web": Redirect(301, "/new")}), "success", "2 URLs redirect to another page."),
        (({"/web": 1}, {}, False), "info", f"Visitors of {SITES} still see it for a moment."),
        (({"/web": 1}, {}, True, "Pinned: all."), "warning", f"Visitors of {SITES} still see it. Pinned: all."),
        (({"/web": 1}, {}), "warning", f"Visitors of {SITES} still see it. The site cannot be published"),
    ],
    ids=["gone", "elsewhere", "under way", "pinned", "stopped"],
)
def test_the_message_says_what_visitors_see(editor, page, visitors_see, seen, level, said):  # noqa: F811
    visitors_see(*seen)
    ((shown, text),) = take(editor, page, "delete")
    assert shown == level
    assert text.startswith("“Web” is in the trash and can be restored. ")
    assert said in text


@pytest.mark.parametrize("how", ["unpublish", "ticked"])
def test_so_does_that_of_unpublishing(editor, page, visitors_see, how):  # noqa: F811
    visitors_see({}, {})
    assert [(level, text.partition(" Links")[0]) for level, text in take(editor, page, how)] == [
        ("success", f"“Web” is unpublished. Visitors of {SITES} see that the page is removed.")
    ]


def test_the_message_is_followed_until_no_visitor_sees_the_page(editor, page, visitors_see):  # noqa: F811
    follow = reverse("studio_taken_down_follow")
    assert editor.post(follow).status_code == 404
    visitors_see({"/web": 1}, {}, is_settled=False)
    take(editor, page, "delete")
    assert "still see it" in editor.post(follow).content.decode()
    visitors_see({}, {"/web": Redirect(GONE, "")})
    html = editor.post(follow).content.decode()
    assert "data-settled" in html
    assert f"Visitors of {SITES} see that the page is removed." in words(html)
    assert editor.post(follow).status_code == 404


def test_what_loses_its_link_is_said_before(editor, page):  # noqa: F811
    for action in ("delete", "unpublish"):
        html = editor.get(reverse(f"wagtailadmin_pages:{action}", args=[page.pk])).content.decode()
        assert "Links that are removed" in html
        assert "are blocked" not in html
        assert "Services" in html


def test_nobody_is_led_to_another_host(editor):  # noqa: F811
    session = editor.session
    session["taken-down"] = ["delete", ["Web"], [], "https://evil.example/"]
    session.save()
    assert editor.get(reverse("studio_taken_down")).url == reverse("wagtailadmin_home")
