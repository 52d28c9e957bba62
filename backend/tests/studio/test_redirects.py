"""Redirects in the studio: list and form, CSV export and import, former paths."""

import html
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from wagtail.models import ModelLogEntry

from portolan.content.pages.about import AboutPage
from portolan.content.redirects import Redirect
from portolan.content.site_records import SiteRecord
from portolan.studio.permissions import sync_editors_group
from portolan.studio.redirects.csv_file import UnreadableFile, plan_import

from ..conftest import publish_page

pytestmark = pytest.mark.django_db

LIST, ADD = "/admin/redirects/", "/admin/redirects/add/"
UPLOAD, DOWNLOAD, FORMER = "/admin/redirects/upload/", "/admin/redirects/download/", "/admin/redirects/former/"
HEADINGS = "site,from,to,answer,note\n"


@pytest.fixture
def about(sites: Any) -> AboutPage:
    english = SiteRecord.objects.get(key="en").wagtail_site.root_page.specific
    return publish_page(english, AboutPage, "about-us")


@pytest.fixture
def editor(client: Client, about: AboutPage) -> Client:
    user = get_user_model().objects.create_user("somebody", password="x")
    user.groups.add(sync_editors_group())
    client.force_login(user)
    client.defaults["HTTP_HOST"] = "studio.localhost"
    return client


def upload(client: Client, text: str) -> Any:
    return client.post(UPLOAD, {"file": SimpleUploadedFile("redirects.csv", text.encode())})


def test_an_editor_adds_edits_finds_and_deletes_one(editor: Client, about: AboutPage) -> None:
    fields = {
        "site": "en",
        "source": "/Old/",
        "status": "301",
        "page": about.pk,
        "anchor": "",
        "address": "",
        "note": "",
    }
    assert editor.post(ADD, fields).status_code == 302
    row = Redirect.objects.get()
    assert (row.source, row.page_id) == ("/old", about.pk)
    refused = editor.post(f"{LIST}edit/{row.pk}/", {**fields, "page": "", "address": "/nowhere"})
    assert "There is no page at /nowhere on International, so" in refused.content.decode()
    assert editor.post(f"{LIST}edit/{row.pk}/", {**fields, "status": "302"}).status_code == 302
    found = editor.get(LIST, {"q": "old", "site": "en"}).content.decode()
    assert "“about-us”" in found
    assert "Temporary (302)" in found
    assert "“about-us”" not in editor.get(LIST, {"site": "de"}).content.decode()
    assert editor.post(f"{LIST}delete/{row.pk}/").status_code == 302
    assert [entry.action for entry in ModelLogEntry.objects.order_by("pk")] == [
        "wagtail.create", "wagtail.edit", "wagtail.delete",
    ]  # fmt: skip


def test_a_link_fills_in_the_address(editor: Client) -> None:
    form = editor.get(ADD, {"site": "de", "source": "/old"}).content.decode()
    assert 'value="/old"' in form
    assert '<option value="de" selected>Deutschland</option>' in form
    assert '<option value="">All sites</option>' in form
    assert '<option value="de">Deutschland</option>' in editor.get(LIST).content.decode()


def test_who_may_not_edit_redirects_sees_none(client: Client, about: AboutPage) -> None:
    user = get_user_model().objects.create_user("reader", password="x")
    user.user_permissions.add(Permission.objects.get(codename="access_admin"))
    client.force_login(user)
    for path in (LIST, UPLOAD, DOWNLOAD):
        assert client.get(path, headers={"Host": "studio.localhost"}).status_code in (302, 403)


@pytest.mark.postgres
def test_what_is_downloaded_can_be_uploaded_again(editor: Client, about: AboutPage) -> None:
    Redirect.objects.create(site_id="en", source="/a", page=about, anchor="team", note="=1+1")
    Redirect.objects.create(source="/b/*", address="https://b.example/*", status=302, note='\'+1, "quoted"')
    Redirect.objects.create(site_id="de", source="/c", status=410, note="-x")
    text = editor.get(DOWNLOAD).content.decode()
    assert text.splitlines() == [
        "\ufeffsite,from,to,answer,note",
        "en,/a,/about-us#team,permanent,'=1+1",
        'all,/b/*,https://b.example/*,temporary,"\'\'+1, ""quoted"""',
        "de,/c,,gone,'-x",
    ]
    assert [line.state for line in plan_import(text).lines] == ["same"] * 3
    kept = {row.source: row.note for row in Redirect.objects.all()}
    Redirect.objects.all().delete()
    page = upload(editor, text).context_data
    assert page["counts"] == {"new": 3, "changed": 0, "same": 0, "wrong": 0}
    assert not Redirect.objects.exists(), "looking saves nothing"
    assert editor.post(UPLOAD, {"text": page["text"], "mark": page["plan"].mark}).status_code == 302
    assert {row.source: row.note for row in Redirect.objects.all()} == kept
    assert Redirect.objects.get(source="/a").page_id == about.pk
    assert ModelLogEntry.objects.filter(action="wagtail.create").count() == 3
    assert editor.get(DOWNLOAD).content.decode() == text


def test_a_file_in_german_is_written_and_read_and_one_in_english_too(editor: Client, about: AboutPage) -> None:
    Redirect.objects.create(source="/b/*", address="https://b.example/*", status=302)
    Redirect.objects.create(site_id="de", source="/c", status=410, note="Sommer")
    in_german = {"HTTP_ACCEPT_LANGUAGE": "de"}
    text = editor.get(DOWNLOAD, **in_german).content.decode()
    assert text.splitlines() == [
        "\ufeffWebsite,von,nach,Antwort,Notiz",
        "alle,/b/*,https://b.example/*,vorübergehend,",
        "de,/c,,weg,Sommer",
    ]
    in_english = editor.get(DOWNLOAD).content.decode()
    Redirect.objects.all().delete()
    for language in ("de", "en"):
        for file in (text, in_english):
            sent = {"file": SimpleUploadedFile("list.csv", file.encode())}
            plan = editor.post(UPLOAD, sent, HTTP_ACCEPT_LANGUAGE=language).context_data["plan"]
            assert [(line.redirect.site_id, line.redirect.source, line.redirect.status) for line in plan.of("new")] == [
                (None, "/b/*", 302),
                ("de", "/c", 410),
            ]


def test_a_download_has_what_the_list_shows(editor: Client) -> None:
    Redirect.objects.create(site_id="en", source="/a", status=410)
    Redirect.objects.create(site_id="de", source="/b", status=410)
    assert editor.get(DOWNLOAD, {"site": "de"}).content.decode().split() == [
        "\ufeffsite,from,to,answer,note",
        "de,/b,,gone,",
    ]
    assert "/b" not in editor.get(DOWNLOAD, {"q": "/a"}).content.decode()


@pytest.mark.postgres
def test_every_wrong_line_is_named_and_nothing_of_the_file_is_saved(editor: Client) -> None:
    Redirect.objects.create(site_id="en", source="/known", address="https://x.example/")
    lines = [
        ("en,/fine,/about-us,,", "new", ""),
        ("en,/known,https://y.example/,temporary,", "changed", "https://x.example/, permanent"),
        ("xx,/a,/about-us,,", "wrong", "Unknown site “xx”"),
        ("en,/a,/about-us,sometimes,", "wrong", "Unknown answer “sometimes”"),
        ("en,a,/about-us,,", "wrong", "Start with a slash"),
        ("en,/nowhere,/not-there,,", "wrong", "There is no page at /not-there"),
        ("en,/x,/y,,", "wrong", "This would be a redirect loop"),
        ("en,/y,/x,,", "wrong", "This would be a redirect loop"),
        ("en,/fine/,/about-us,,", "wrong", "/fine is already in line 2"),
        ("en,/late,/later,,", "new", ""),
        ("en,/later,/about-us,,", "new", ""),
        ("en,/more,/about-us,,a,b", "wrong", "has more columns"),
        ("en,/short", "wrong", "Choose a target page"),
    ]
    text = HEADINGS + "".join(f"{line}\n" for line, _, _ in lines)
    found = upload(editor, text).context_data["plan"]
    assert [(line.number, line.state) for line in found.lines] == [
        (number, state) for number, (_, state, _) in enumerate(lines, start=2)
    ]
    for line, (_, _, said) in zip(found.lines, lines, strict=True):
        assert said in line.said
    reply = editor.post(UPLOAD, {"text": text, "mark": found.mark})
    assert reply.status_code == 200
    assert list(Redirect.objects.values_list("source", "address")) == [("/known", "https://x.example/")]


def test_what_was_changed_meanwhile_is_looked_at_again(editor: Client) -> None:
    text = f"{HEADINGS}en,/a,https://new.example/,,\n"
    mark = upload(editor, text).context_data["plan"].mark
    Redirect.objects.create(site_id="en", source="/a", address="https://colleague.example/")
    reply = editor.post(UPLOAD, {"text": text, "mark": mark})
    assert "redirects or pages changed" in reply.content.decode()
    assert Redirect.objects.get().address == "https://colleague.example/"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("\n\n", "empty"),
        ("from\n/a\n", "must contain the column names"),
        ("from,to,colour\n/a,/b,red\n", "must contain the column names"),
        ("from,to,to\n", "must contain the column names"),
        ('from,to\n"/a,/b', "is not a valid CSV"),
        ("from,to\n" + "/a,/b\n" * 2001, "2000 can be imported at once"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(about: AboutPage, text: str, said: str) -> None:
    with pytest.raises(UnreadableFile, match=said):
        plan_import(text)


def test_a_file_as_a_spreadsheet_writes_it_is_read(editor: Client) -> None:
    text = '\ufeffFrom;To\r\n"/a";"/about-us"\r\n;\r\n'
    assert [(line.state, line.fields["from"]) for line in upload(editor, text).context_data["plan"].lines] == [
        ("new", "/a")
    ]


def test_a_file_in_windows_1252_is_read_and_it_is_said(editor: Client) -> None:
    sent = SimpleUploadedFile("x.csv", "from;to;note\n/a;/about-us;Größe".encode("cp1252"))
    reply = editor.post(UPLOAD, {"file": sent})
    assert "read as Windows-1252" in reply.content.decode()
    assert [line.redirect.note for line in reply.context_data["plan"].of("new")] == ["Größe"]


@pytest.mark.parametrize(
    "text",
    [
        'from,to,note\n/a,/about-us,"first\nsecond"\n',
        'from,to,note\r\n/a,/about-us,"first\r\n\r\nsecond"\r\n',
        '\n\nfrom,to,note\n/a,/about-us,"\nfirst second\n"\n',
        "sep=;\r\nfrom;to;note;;\r\n/a;/about-us;first second;;;\r\n;;;;\r\n",
    ],
)
def test_a_note_is_saved_at_once_whatever_its_lines(editor: Client, text: str) -> None:
    page = upload(editor, text)
    area = page.content.decode().split('<textarea name="text" hidden>')[1].split("</textarea>")[0]
    sent = html.unescape(area).removeprefix("\n").replace("\n", "\r\n")  # as browsers do
    reply = editor.post(UPLOAD, {"text": sent, "mark": page.context_data["plan"].mark})
    assert reply.status_code == 302
    assert Redirect.objects.get().note == "first second"
    assert [line.state for line in plan_import(editor.get(DOWNLOAD).content.decode()).lines] == ["same"]


@pytest.mark.postgres
def test_former_addresses_are_listed_with_a_way_to_lead_elsewhere(editor: Client, about: AboutPage) -> None:
    from datetime import date

    from portolan.releases.create import create_release

    create_release("test", date(2026, 11, 21))
    about.slug = "who-we-are"
    about.save_revision().publish()
    release = create_release("test", date(2026, 11, 21))
    assert release is not None
    shown = editor.get(FORMER, {"site": "en"}).content.decode()
    assert "/about-us" in shown
    assert f"until release {release.number}" in shown
    assert f"{ADD}?site=en&amp;source=%2Fabout-us" not in shown  # nothing is published in this test
    assert "They appear here after you move or delete a page" in editor.get(FORMER, {"site": "de"}).content.decode()
    assert "No old URLs match" in editor.get(FORMER, {"site": "en", "q": "x"}).content.decode()
