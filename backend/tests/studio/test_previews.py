"""Previews on hosts of their own: their content, audience and expiry, and comments by guests."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from wagtail.models import Comment

from portolan.content.change_sets.holding import add
from portolan.content.change_sets.models import ChangeSet
from portolan.content.models import FooterSettings, LegalPage, MenuSettings, ServicePage, SiteImage
from portolan.content.pages.event import EventPage
from portolan.content.pages.listing import ListingPage
from portolan.content.site_records import SiteRecord
from portolan.domain.change_sets import State
from portolan.domain.previews import SECRET_LENGTH, Shown
from portolan.releases.create import create_release
from portolan.releases.models import PendingChange, Release
from portolan.releases.rehearse_date import rehearse_until
from portolan.studio import drawing
from portolan.studio.previews.models import Preview, PreviewComment
from portolan.studio.previews.secret import make_link, own_secret
from portolan_dev.contract.examples import PICTURES

from ..conftest import publish_page
from ..shared_content import ensure, shared

STUDIO = {"Host": "studio.localhost"}
DOMAIN = "preview.localhost:8000"


@pytest.fixture(autouse=True)
def artist() -> Iterator[None]:
    cache.clear()
    yield
    drawing.stop()


@shared("previewed_pages", on="sites")
def make_previewed_pages(media: Path) -> int:
    """Make a live page with a draft, another page with a draft, and all that a site needs."""
    site = SiteRecord.objects.get(key="en").wagtail_site
    contact = publish_page(site.root_page, LegalPage, "contact-us", title="Contact us")
    link = [{"type": "link", "value": {"title": "Write to us", "page": contact.pk}}]
    MenuSettings.objects.create(site=site, contact=link)
    FooterSettings.objects.create(site=site, offices_link=link)
    page = publish_page(site.root_page, ServicePage, "web", title="Web", body=[hero("Old words")])
    create_release("test", timezone.now().date())
    draft(page, [hero("New words")])
    draft(contact, [hero("Nobody may see this")])
    return int(page.pk)


@pytest.fixture
def previewed_pages(sites) -> int:
    return ensure("previewed_pages")


@pytest.fixture
def contact(previewed_pages):
    return LegalPage.objects.get(slug="contact-us", alias_of=None)


@pytest.fixture
def web(previewed_pages):
    return ServicePage.objects.get(pk=previewed_pages).get_latest_revision_as_object()


def hero(title: str) -> dict[str, Any]:
    return {"type": "hero", "value": {"title": title}, "id": "b1"}


def event(**more: Any) -> EventPage:
    cover = SiteImage.objects.create(title="Cranes", file="c.png", width=8, height=8, published=PICTURES["2"])
    return EventPage(title="Fair", slug="fair", summary="Come.", cover=cover, **more)


def draft(page, body) -> None:
    page.body = body
    page.save_revision()


def link_to(shown: Shown, subject: Any, by: Any = None) -> str:
    return make_link(shown, str(subject), "en", "/", "For the agency", 14, by)[1]


def host(secret: str, site: str = "en") -> dict[str, str]:
    return {"Host": f"{secret}-{site}.{DOMAIN}"}


def get(secret: str, path: str = "/", site: str = "en", **more: Any) -> Any:
    return Client().get(path, **{"headers": host(secret, site), **more})


def write(secret: str, **values: str) -> Any:
    body = {"name": "Zoë", "text": "Is that so?", "path": "/web", "block": "b1", **values}
    named = host(secret)
    headers = {**named, "Origin": f"http://{named['Host']}"}
    return Client().post("/__preview/comments", orjson.dumps(body), "application/json", headers=headers)


def test_a_link_to_a_draft_shows_the_page_in_the_visitors_front_end(web):
    pending = PendingChange.objects.count()
    secret = link_to(Shown.PAGE, web.pk)
    reply = get(secret, "/web")
    html = reply.content.decode()
    assert (reply.status_code, reply["Content-Language"]) == (200, "en")
    assert "New words" in html and "Old words" not in html
    assert re.search(r"<script\b", html), "with its scripts"
    assert 'data-block="b1"' in html, "what comments stand at"
    assert f'href="http://{host(secret)["Host"]}/web"' in html, "the page's own address is the preview's"
    assert "portolanpreview" not in html
    for name, value in {
        "X-Robots-Tag": "noindex, nofollow, noarchive",
        "Cache-Control": "no-store",
        "Referrer-Policy": "same-origin",
    }.items():
        assert reply[name] == value
    assert "Set-Cookie" not in reply
    policy = dict(part.partition(" ")[::2] for part in reply["Content-Security-Policy"].split("; "))
    assert policy["frame-ancestors"] == "http://studio.localhost:8000"
    (nonce,) = re.findall(r'<script src="/__preview/bar.js" nonce="([^"]+)"', html)
    assert f"'nonce-{nonce}'" in policy["script-src"]
    assert PendingChange.objects.count() == pending, "nothing is on its way"


def test_page_data_and_shared_data_go_with_the_page(web):
    secret = link_to(Shown.PAGE, web.pk)
    data = orjson.loads(get(secret, "/page-data/web/page-data.json").content)
    assert "New words" in data["html"]
    shared = get(secret, f"/page-data/sq/d/{data['shared']}.json")
    assert orjson.loads(shared.content)["runtime"] == {
        "deferredScripts": [],
        "webVitals": False,
        "serviceWorker": False,
    }
    assert orjson.loads(get(secret, "/page-data/app-data.json").content) == {"buildHash": data["build"]}
    assert get(secret, "/robots.txt").content.endswith(b"\nDisallow:\n")
    (style,) = set(re.findall(r'href="(/assets/[^"]+\.css)"', get(secret, "/web").content.decode()))
    assert get(secret, style).status_code == 200
    assert get(secret, "/sw.js").status_code == get(secret, "/sitemap.xml").status_code == 404


def test_a_link_to_one_thing_reaches_no_other_draft(web):
    secret = link_to(Shown.PAGE, web.pk)
    assert "Nobody may see this" not in get(secret, "/contact-us").content.decode()
    number = Release.objects.get().number
    old = get(link_to(Shown.RELEASE, number), "/web").content.decode()
    assert "Old words" in old and "New words" not in old


@pytest.mark.parametrize(
    "path",
    ["/admin/", "/admin/login/", "/static/studio/studio.css", "/documents/1/x.pdf", "/media/original_images/a.png"],
)
def test_nothing_of_the_studio_is_on_the_hosts_of_previews(admin_client, web, path):
    secret = link_to(Shown.PAGE, web.pk)
    reply = admin_client.get(path, headers=host(secret))
    assert reply.status_code == 404
    assert "Set-Cookie" not in reply


@pytest.mark.parametrize(
    "name",
    [
        "a" * SECRET_LENGTH + "-en",  # a guess
        "-en",
        "x-en",
        "{secret}",
        "{secret}-xx",
        "{secret}-en.x",
        "www.{secret}-en",
        "{SECRET}1-en",
    ],
)
def test_who_does_not_know_the_secret_sees_nothing(web, name):
    secret = link_to(Shown.PAGE, web.pk)
    label = name.format(secret=secret, SECRET=secret)
    reply = Client().get("/web", headers={"Host": f"{label}.{DOMAIN}"})
    assert reply.status_code == 404
    assert b"words" not in reply.content


def test_the_database_opens_nothing(web):
    secret = link_to(Shown.PAGE, web.pk)
    assert secret not in Preview.objects.get().secret
    assert get(Preview.objects.get().secret[:SECRET_LENGTH], "/web").status_code == 404


def test_a_link_ends_at_its_time_and_when_it_is_reverted(admin_client, web):
    late, back = link_to(Shown.PAGE, web.pk), link_to(Shown.PAGE, web.pk)
    first, second = Preview.objects.order_by("pk")
    Preview.objects.filter(pk=first.pk).update(ends_at=timezone.now() - timedelta(seconds=1))
    assert admin_client.post(f"/admin/preview/links/{second.pk}/revoke/", headers=STUDIO).status_code == 302
    for secret, said in ((late, "The link was valid until"), (back, "has revoked this link")):
        for path in ("/web", "/api/content/offices", "/page-data/web/page-data.json", "/media/pictures/x/y.png"):
            reply = get(secret, path)
            assert reply.status_code == 410
            assert said in reply.content.decode()
        assert write(secret).status_code == 410


def test_the_studios_own_previews_end_with_the_account(web, django_user_model):
    user = django_user_model.objects.create_user("anna")
    secret = own_secret(Shown.PAGE, str(web.pk), user)
    assert own_secret(Shown.PAGE, str(web.pk), user) == secret, "browsers keep what they loaded"
    assert get(secret, "/web").status_code == 200
    assert write(secret).status_code == 403, "who is signed in comments in the studio"
    django_user_model.objects.update(is_active=False)
    assert get(secret, "/web").status_code == 404


def test_a_change_set_is_shown_as_it_would_go_live(homes, web, add_page):
    spring = ChangeSet.objects.create(name="Spring")
    add(spring, web)
    terms = add_page(homes["en"], LegalPage, "terms", title="Our terms")
    create_release("test", timezone.now().date())
    taken_down = add(spring, terms, what="unpublish")
    secret = link_to(Shown.CHANGE_SET, spring.pk)
    assert "New words" in get(secret, "/web").content.decode()
    assert get(secret, "/terms").status_code == 410, "it is taken down"
    taken_down.delete()
    assert "Our terms" in get(secret, "/terms").content.decode()
    draft(web, [hero("Newer words")])
    assert "Newer words" in get(secret, "/web").content.decode(), "the draft as it is now"
    ChangeSet.objects.update(state=State.DROPPED.value)
    assert get(secret, "/web").status_code == 410


def test_a_date_shows_what_is_due_until_then_and_goes_by_that_clock(homes, web, add_page, settings):
    at = timezone.now() + timedelta(days=400)
    web.go_live_at = at - timedelta(hours=1)
    web.save_revision().publish()
    listing = add_page(homes["en"], ListingPage, "events", title="Events")
    fair = event(start=at.date() - timedelta(days=30))
    listing.add_child(instance=fair)
    fair.save_revision().publish()
    create_release("test", timezone.now().date())
    key = ("en", "event", str(fair.translation_key))
    found = rehearse_until(at)
    assert found.bodies[key]["value"]["past"] is True
    assert found.bodies[("", "figures", "company")]["year"] == str(at.year)
    web.refresh_from_db()
    assert web.latest_revision.approved_go_live_at, "it is still to come"
    secret = link_to(Shown.DATE, at.isoformat())
    assert "New words" in get(secret, "/web").content.decode()
    before = link_to(Shown.DATE, (at - timedelta(days=1)).isoformat())
    assert "Old words" in get(before, "/web").content.decode()


def test_the_api_says_what_the_preview_shows_and_takes_nothing(web, homes, add_page):
    listing = add_page(homes["en"], ListingPage, "events", title="Events")
    fair = event(start=date(2030, 1, 1), live=False)
    listing.add_child(instance=fair)
    fair.save_revision()
    create_release("test", timezone.now().date())
    secret = link_to(Shown.PAGE, fair.pk)
    reply = get(secret, "/api/content/events")
    assert "Fair" in reply.content.decode(), reply.content
    assert reply["Cache-Control"] == "no-store"
    refused = Client().post("/api/integration/form-data", b"x", "text/plain", headers=host(secret))
    assert refused.status_code == 403
    assert "preview" in refused.json()["detail"]
    assert Client().post("/__consent", b"{}", "application/json", headers=host(secret)).status_code == 204
    assert b"forms send nothing" in Client().post("/__form", b"x", "text/plain", headers=host(secret)).content


def test_a_comment_lands_on_the_field(web):
    secret = link_to(Shown.PAGE, web.pk)
    assert write(secret, text="<script>alert(1)</script> \u202eIs that so?").json()["said"].startswith("Thank you")
    comment = Comment.objects.get()
    assert (comment.page_id, comment.contentpath) == (web.pk, "body.b1.title")
    assert comment.text == "Zoë, with the link “For the agency”: <script>alert(1)</script> Is that so?"
    assert not comment.user.is_active and not comment.user.has_usable_password()
    row = PreviewComment.objects.get()
    assert (row.name, row.path, row.about, row.comment) == ("Zoë", "/web", "Hero: New words", comment)


@pytest.mark.parametrize(
    ("values", "contentpath"),
    [({"block": ""}, "title"), ({"block": "no-such"}, "title"), ({"path": "/nowhere"}, None)],
)
def test_a_comment_on_less_than_a_block_stands_at_the_page_or_the_link(web, values, contentpath):
    assert write(link_to(Shown.PAGE, web.pk), **values).status_code == 200
    assert [comment.contentpath for comment in Comment.objects.all()] == ([contentpath] if contentpath else [])
    assert PreviewComment.objects.count() == 1


def test_comments_are_throttled_and_limited(web):
    secret = link_to(Shown.PAGE, web.pk)
    assert [write(secret, text=f"No {n}").status_code for n in range(6)] == [200] * 5 + [429]
    cache.clear()
    assert write(secret, name=" \u202e ").status_code == 400
    assert write(secret, text="x" * 3000).status_code == 200
    assert len(PreviewComment.objects.last().text) == 2000
    assert write(secret, text="x" * 5000).status_code == 400


def test_comments_come_from_the_preview_itself_alone(web):
    secret = link_to(Shown.PAGE, web.pk)
    body = orjson.dumps({"name": "Eve", "text": "x", "path": "/web"})
    for origin in ("https://evil.example", "null", ""):
        headers = {**host(secret), **({"Origin": origin} if origin else {})}
        reply = Client().post("/__preview/comments", body, "application/json", headers=headers)
        assert reply.status_code == 403
    assert not Comment.objects.exists()


@pytest.mark.parametrize("path", ["/\\evil.example", "/%2Fevil.example", "/%2F%2Fevil.example", "/web//"])
def test_no_address_leads_to_another_host(web, path):
    reply = get(link_to(Shown.PAGE, web.pk), path)
    assert reply.status_code in (301, 404)
    assert reply.get("Location", "/").startswith("/") and not reply.get("Location", "/").startswith("//")


def test_the_studio_shows_chosen_sites_side_by_side(admin_client, web):
    reply = admin_client.get(
        "/admin/preview/",
        {"shown": "page", "subject": web.pk, "sites": ["en", "de"], "widths": ["360", "768"]},
        headers=STUDIO,
    )
    frames = re.findall(
        r'<iframe src="http://([a-z2-7]{26})-(en|de)\.preview\.localhost:8000(/[^"]*)" width="(\d+)"',
        reply.content.decode(),
    )
    assert [frame[1:] for frame in frames] == [
        ("en", "/web", "360"), ("en", "/web", "768"), ("de", "/", "360"), ("de", "/", "768")
    ]  # fmt: skip
    assert "frame-src 'self' http://*.preview.localhost:8000;" in reply["Content-Security-Policy"]
    assert get(frames[0][0], "/web").status_code == 200


def test_a_link_is_made_in_the_studio_and_shown_once(admin_client, web):
    sent = {"shown": "page", "subject": web.pk, "site": "en", "path": "/web", "note": "Agency", "days": 3}
    reply = admin_client.post("/admin/preview/share/", sent, headers=STUDIO)
    (secret,) = re.findall(r'value="http://([a-z2-7]{26})-en\.preview\.localhost:8000/web"', reply.content.decode())
    assert get(secret, "/web").status_code == 200
    row = Preview.objects.get()
    assert timedelta(days=2.9) < row.ends_at - timezone.now() < timedelta(days=3)
    write(secret)
    listed = admin_client.get("/admin/preview/links/", headers=STUDIO).content.decode()
    assert "Agency" in listed and "Is that so?" in listed and secret not in listed


def test_without_a_host_for_previews_the_studio_says_what_to_set(admin_client, web, settings):
    secret = link_to(Shown.PAGE, web.pk)
    settings.PREVIEW_DOMAIN = ""
    assert b"PORTOLAN_PREVIEW_HOST" in admin_client.get("/admin/preview/", headers=STUDIO).content
    assert get(secret, "/web").status_code in (400, 404)


def test_dates_of_links_are_read_as_they_are_written(admin_client, web):
    at = datetime(2030, 12, 3, 8, tzinfo=UTC)
    reply = admin_client.get("/admin/preview/", {"shown": "date", "at": at.isoformat()}, headers=STUDIO)
    assert b"All sites on 3 Dec 2030, " in reply.content


@pytest.mark.parametrize(
    ("browser", "says"),
    [
        ("de-AT,de;q=0.9", ('lang="de"', "Diese Vorschau ist beendet", "widerrufen")),
        ("pl,en;q=0.5", ('lang="en"', "This preview has ended", "has revoked")),
    ],
)
def test_a_preview_that_is_over_says_so_in_the_readers_language(web, browser, says):
    secret = link_to(Shown.PAGE, web.pk)
    Preview.objects.update(revoked_at=timezone.now())
    page = get(secret, "/web", headers={**host(secret), "Accept-Language": browser}).content.decode()
    assert all(said in page for said in says), page
    gone = get("a" * SECRET_LENGTH, headers={**host("a" * SECRET_LENGTH), "Accept-Language": browser})
    assert gone.status_code == 404 and says[0] in gone.content.decode()
    style = get("a" * SECRET_LENGTH, "/__preview/bar.css")
    assert (style.status_code, style["Content-Type"]) == (200, "text/css; charset=utf-8")


def test_the_bar_of_a_link_speaks_the_readers_language(web):
    secret = link_to(Shown.PAGE, web.pk)
    headers = {**host(secret), "Accept-Language": "de"}
    bar = get(secret, "/__preview/about?path=/web", headers=headers).json()
    assert (bar["language"], bar["words"]["send"]) == ("de", "Senden")
    assert "{until}" in bar["said"] and "For the agency: Der Entwurf von" in bar["said"]
