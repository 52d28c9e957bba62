"""Each country's content is hidden from the others. The test opens every screen, report, list, search and download as a
person of one site, with the URLs of both sites. It looks for words of the other site.

``PORTOLAN_WALK=whole`` is the long form: every screen. The short form opens screens with lists: dashboard, reports,
history, search, exports.
"""

import os
import re
import zipfile
from collections.abc import Iterator, Mapping
from datetime import timedelta
from io import BytesIO
from typing import Any, Final

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone
from wagtail.log_actions import log
from wagtail.models import Page

from portolan.content.change_sets.holding import add
from portolan.content.change_sets.models import ChangeSet
from portolan.content.models import FooterSettings, LegalPage, MenuSettings, Redirect
from portolan.content.site_records import SiteRecord
from portolan.domain.roles import parse_site_role
from portolan.releases.create import create_release
from portolan.studio.deleting import delete_page
from portolan.studio.permissions import sync_role_group

from ...conftest import publish_page
from ..leads.conftest import make_lead
from .screens import Screen, all_screens
from .sending import Sending
from .world import World, opening

pytestmark = pytest.mark.django_db
is_long: Final = os.environ.get("PORTOLAN_WALK") == "whole"
WORD: Final = "zqforeign"
"""A word in all content of the other site."""
LISTS: Final = re.compile(
    r"wagtailadmin_(home|reports:.*|explore.*|api:.*|choose_page.*|pages:(search.*|usage.*|history.*))|.*search.*"
    r"|studio_(calendar|change_sets?|deleted_pages|document|former_addresses|history.*|home_parts|leads?|leads_export|version_history"
    r"|picture|preview|preview_links|redirects_export|releases?|rendering|replace|scheduled|search|sign_ins.*|tree.*)"
    r"|wagtailusers_.*|wagtailsnippets_.*:(list|history).*"
)
EXPORTS: Final = re.compile(
    r"wagtailadmin_reports:.*|studio_leads.*|.*sign_ins.*|studio_consent.*|wagtailsnippets_.*:list"
)
ROLES: Final = ("publisher:de", "lead-handler:de", "administrator:de")


@pytest.fixture
def foreign(live_world: World, admin_user: Any) -> World:
    """Give the international site content with the word. The user of the German site has none."""
    records = {record.key: record for record in SiteRecord.objects.select_related("wagtail_site", "locale")}
    home = Page.objects.get(pk=live_world.pages["en-home"])
    page = publish_page(home, LegalPage, WORD, title=WORD, body=[opening(f"{WORD} text")])
    page.title = f"{WORD} draft"
    page.save_revision(user=admin_user, log_action=True)
    page.go_live_at = timezone.now() + timedelta(days=1)
    page.save_revision(user=admin_user).publish()
    gone = publish_page(home, LegalPage, f"{WORD}-gone", title=f"{WORD} gone")
    create_release(WORD, timezone.now().date())
    delete_page(gone, admin_user)
    create_release("test", timezone.now().date())
    person = get_user_model().objects.create_user(f"{WORD}-person", f"{WORD}@example.com", "x", first_name=WORD)
    person.groups.add(sync_role_group(parse_site_role("publisher:en")))
    log(instance=person, action="wagtail.edit", user=person)
    for row in (*MenuSettings.objects.all(), *FooterSettings.objects.all()):
        if row.site_id == records["en"].wagtail_site_id:
            log(instance=row, action="wagtail.edit", user=person, title=f"{WORD} {row}")
    redirect = Redirect.objects.create(site=records["en"], source=f"/{WORD}-redirect", page=home, note=WORD)
    log(instance=redirect, action="wagtail.create", user=person)
    lead = make_lead(WORD, WORD, f"{WORD}@example.com", WORD, site="en")
    log(instance=lead, action="wagtail.edit", user=person, title=WORD)
    change_set = ChangeSet.objects.create(name=f"{WORD} set", owner=person)
    add(change_set, page, person)
    log(instance=change_set, action="wagtail.edit", user=person)
    return live_world


def of_the_other_site(world: World) -> World:
    """Return the same world, in which the pages of URLs are those of the other site."""
    pages = world.pages
    other = Page.objects.get(slug=WORD, alias_of=None).pk
    moved = {"de": other, "de-home": pages["en-home"], "de-folder": pages["en-folder"], "draft": other}
    return world._replace(
        pages=pages | moved, trash=Page.objects.get(slug=f"{WORD}-gone", alias_of=None).get_parent().pk
    )


def read(reply: Any) -> str:
    data = b"".join(reply.streaming_content) if reply.streaming else reply.content
    if data[:2] == b"PK":
        with zipfile.ZipFile(BytesIO(data)) as book:
            data = b" ".join(book.read(name) for name in book.namelist())
    return data.decode(errors="replace")


def urls(world: World, user: Any) -> Iterator[tuple[Screen, str]]:
    known = set()
    for asked in (world, of_the_other_site(world)):
        sending = Sending(asked, user)
        for screen in all_screens():
            if is_long or LISTS.fullmatch(screen.name):
                for url in sending.urls(screen):
                    for query in queries(screen.name) if "?" not in url else ("",):
                        if url + query not in known:
                            known.add(url + query)
                            yield screen, url + query


def queries(screen: str) -> Iterator[str]:
    yield ""
    if "search" in screen or screen == "studio_leads":
        yield f"?q={WORD}"
    if EXPORTS.fullmatch(screen):
        yield from ("?export=csv", "?export=xlsx")


EXCEPT: Final[Mapping[str, str]] = {
    r"studio_original": "the page that one's own translates or follows, as visitors see it",
    r"wagtailadmin_choose_page.*": "links lead to pages of every site: live ones, by their titles",
    r"studio_change_set_details": "a change set can be given to any colleague, by name",
}
"""Screens that may show words of another site: patterns of their names, and reasons."""


def test_a_person_of_one_site_reads_nothing_of_another(client: Client, foreign: World) -> None:
    user = get_user_model().objects.get(username="owner")
    user.groups.set([sync_role_group(parse_site_role(role)) for role in ROLES])
    client.defaults["HTTP_HOST"] = "studio.localhost"
    client.force_login(user)
    client.raise_request_exception = False
    cookies = client.cookies.output(header="", sep=";")
    found, opened = set(), set()
    for screen, url in urls(foreign, user):
        if any(re.fullmatch(pattern, screen.name) for pattern in EXCEPT):
            continue
        client.cookies.load(cookies)
        reply = client.get(url)
        if reply.status_code != 200:
            continue
        opened.add(screen.name)
        text = re.sub(rf"q={WORD}|value=\"{WORD}\"|“{WORD}”|<em>{WORD}</em>", "", read(reply))  # the search term
        if WORD in text:
            at = text.index(WORD)
            found.add(f"{screen.name} {url}: …{' '.join(text[max(0, at - 120) : at + 60].split())}…")
    assert not found, "\n".join(sorted(found))
    assert opened >= {"wagtailadmin_home", "wagtailadmin_reports:site_history", "studio_search", "studio_deleted_pages"}
