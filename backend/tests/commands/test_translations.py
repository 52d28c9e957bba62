"""``portolan translations``: texts go out to translators, and come back as drafts."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from django.contrib.auth.models import User

from portolan.commands.translations import command
from portolan.content.change_sets.holding import add
from portolan.content.change_sets.models import ChangeSet
from portolan.content.pages.home import HomePage
from portolan.content.pages.listing import ListingPage
from portolan.content.pages.service import ServicePage
from portolan.content.site_records import SiteRecord
from portolan.domain.roles import Role, SiteRole
from portolan.studio.people.giving import set_roles
from portolan.translations.models import Translation
from portolan.translations.tracking import confirm_page

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

DESCRIPTION = "A description that is long enough to be shown in full below a title."
BODY = [
    {"type": "hero", "id": "h", "value": {"tone": "navy", "title": "We build for {company}", "eyebrow": "Web"}},
    {
        "type": "rich_text",
        "id": "t",
        "value": {"html": '<p>See <a href="https://a.example/">us</a> &amp; <b>more</b>.</p>'},
    },
    {
        "type": "marquee",
        "id": "m",
        "value": {"words": [{"type": "item", "id": "1", "value": "one"}, {"type": "item", "id": "2", "value": "two"}]},
    },
]
GERMAN: dict[str, str] = {
    "We build for {company}": "Wir bauen für {company}",
    "See ": "Siehe ",
    ">us<": ">uns<",
    "one": "eins",
}


def run(*arguments: Any) -> Result:
    result = CliRunner().invoke(command, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def source(homes: Mapping[str, HomePage], add_page: Callable[..., Any]) -> ServicePage:
    page: ServicePage = add_page(
        homes["en"], ServicePage, "web", title="Web", body=BODY, search_description=DESCRIPTION
    )
    return page


@pytest.fixture
def german(source: ServicePage, sites: Mapping[str, SiteRecord]) -> ServicePage:
    """A published translation, whose blocks have other IDs."""
    page = source.copy_for_translation(sites["de"].locale)
    page = ServicePage.objects.get(pk=page.pk)
    raw = [{**block, "id": f"de-{block['id']}"} for block in page.body.raw_data]
    raw[0] = {**raw[0], "value": {"tone": "navy", "title": "Wir bauen für {company}"}}
    page.body = page.body.stream_block.to_python(raw)
    page.title = "Netz"
    page.save_revision().publish()
    return ServicePage.objects.get(pk=page.pk)


@pytest.fixture
def ada() -> User:
    user = User.objects.create_user("ada")
    set_roles(user, [SiteRole(Role.EDITOR, "de")], None)
    return User.objects.get(pk=user.pk)


@pytest.fixture(params=["xlf", "po"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / f"de.{request.param}"


def export(file: Path, *arguments: Any) -> Result:
    result = run("export", "--site", "de", *arguments, file)
    assert result.exit_code == 0, result.output
    return result


def translate(file: Path, translations: Mapping[str, str]) -> None:
    """Translate texts in the file as a tool would: copy the source and mark it as done."""
    lines = []
    for line in file.read_text(encoding="utf-8").split("\n"):
        if "<segment" in line:
            head, _, rest = line.partition("<source>")
            text = rest.partition("</source>")[0]
            new = _replaced(text, translations)
            if new != text:
                head = head.replace("initial", "translated")
                line = f"{head}<source>{text}</source><target>{new}</target></segment>"
        lines.append(line)
    text = "\n".join(lines)
    if file.suffix == ".po":
        text = "\n\n".join(_translated_entry(entry, translations) for entry in text.split("\n\n"))
    file.write_text(text, encoding="utf-8")


def _translated_entry(entry: str, translations: Mapping[str, str]) -> str:
    head, _, rest = entry.partition('msgid "')
    text = rest.partition('"\nmsgstr')[0]
    new = _replaced(text, translations)
    if new == text or "msgctxt" not in head:
        return entry
    return f'{head.replace("#, fuzzy, ", "#, ").replace("#, fuzzy", "#,")}msgid "{text}"\nmsgstr "{new}"\n'


def _replaced(text: str, translations: Mapping[str, str]) -> str:
    for source, target in translations.items():
        code = '<ph id="1"'
        if code in text and "{company}" in source:
            before, _, _ = source.partition("{")
            text = text.replace(before, target.partition("{")[0])
        else:
            text = text.replace(source, target)
    return text


def draft_of(page: ServicePage) -> ServicePage:
    draft: ServicePage = ServicePage.objects.get(pk=page.pk).get_latest_revision_as_object()
    return draft


def test_a_missing_page_is_created_as_a_draft(
    source: ServicePage, sites: Mapping[str, SiteRecord], ada: User, file: Path
) -> None:
    exported = export(file)
    assert "Wrote 2 pages with" in exported.output  # the home page too
    translate(file, GERMAN)
    result = run("import", "--as", "Ada", file)
    assert result.exit_code == 0, result.output
    assert "Wrote 3 texts into 1 draft, 1 of them a new page." in result.output
    page = ServicePage.objects.get(translation_key=source.translation_key, locale=sites["de"].locale)
    assert not page.live
    draft = draft_of(page)
    assert draft.latest_revision.user == ada
    hero, text, words = draft.body.raw_data
    assert hero["value"]["title"] == "Wir bauen für {company}"
    assert text["value"]["html"] == '<p>Siehe <a href="https://a.example/">uns</a> &amp; <b>more</b>.</p>'
    assert [item["value"] for item in words["value"]["words"]] == ["eins", "two"]


def test_nothing_comes_of_a_file_that_nobody_translated(source: ServicePage, ada: User, file: Path) -> None:
    export(file)
    result = run("import", "--as", "ada", file)
    assert result.exit_code == 0
    assert "Wrote 0 texts into 0 drafts, 0 of them new pages. Unchanged: 0." in result.output
    assert ServicePage.objects.count() == 1 + ServicePage.objects.filter(alias_of=source).count()


def test_translations_become_a_draft_of_the_page(
    source: ServicePage, german: ServicePage, ada: User, file: Path
) -> None:
    export(file, "--page", "/web/")
    translate(file, GERMAN)
    before = german.body.get_prep_value()
    result = run("import", "--as", "ada", file)
    assert result.exit_code == 0, result.output
    assert "Wrote 2 texts into 1 draft" in result.output
    assert "Unchanged: 4. Not translated or not finished: 1." in result.output
    page = ServicePage.objects.get(pk=german.pk)
    assert page.live
    assert page.has_unpublished_changes
    assert page.body.get_prep_value() == before  # nothing went live
    draft = draft_of(german)
    assert draft.title == "Netz"
    assert [block["id"] for block in draft.body.raw_data] == ["de-h", "de-t", "de-m"]
    assert draft.body.raw_data[1]["value"]["html"].startswith("<p>Siehe <a href=")


def test_a_text_changed_since_the_export_stays(source: ServicePage, german: ServicePage, ada: User, file: Path) -> None:
    Translation.objects.all().update(base=None)  # so that its texts are to be translated again
    export(file, "--page", "/web")
    translate(file, {"We build for {company}": "Wir entwickeln für {company}", "one": "eins"})
    page = draft_of(german)
    page.body = page.body.stream_block.to_python(
        [{**page.body.raw_data[0], "value": {"title": "Hier entsteht"}}, *list(page.body.raw_data)[1:]]
    )
    page.save_revision()
    result = run("import", "--as", "ada", file)
    assert result.exit_code == 1
    assert "/web, Block 1 (Hero), Title: the text on the site was changed since the export." in result.output
    draft = draft_of(german)
    assert draft.body.raw_data[0]["value"]["title"] == "Hier entsteht"
    assert draft.body.raw_data[2]["value"]["words"][0]["value"] == "eins"
    assert run("import", "--as", "ada", "--overwrite", file).exit_code == 0
    assert draft_of(german).body.raw_data[0]["value"]["title"] == "Wir entwickeln für {company}"


def test_a_newer_source_is_reported_and_the_translation_stays_outdated(
    source: ServicePage, sites: Mapping[str, SiteRecord], ada: User, file: Path
) -> None:
    export(file)
    translate(file, GERMAN)
    source.body = source.body.stream_block.to_python([{**BODY[0], "value": {"title": "We make"}}, *BODY[1:]])
    source.save_revision().publish()
    result = run("import", "--as", "ada", file)
    assert result.exit_code == 0, result.output
    assert (
        "/web: Block 1 (Hero), Title: the source was changed since the export. The translation is outdated."
        in result.output
    )
    assert Translation.objects.get(translation_key=source.translation_key, site="de").base is None
    page = ServicePage.objects.get(translation_key=source.translation_key, locale=sites["de"].locale)
    assert draft_of(page).body.raw_data[0]["value"]["title"] == "Wir bauen für {company}"


def test_an_export_is_limited_to_missing_or_outdated_pages(
    source: ServicePage, german: ServicePage, add_page: Callable[..., Any], homes: Mapping[str, HomePage], file: Path
) -> None:
    confirm_page(german)
    add_page(homes["en"], ServicePage, "apps", title="Apps", body=BODY)
    export(file, "--only", "missing")
    assert "/apps" in file.read_text()
    assert '"/web"' not in file.read_text()
    assert "#: /web\n" not in file.read_text()
    confirm_page(homes["de"])
    assert run("export", "--site", "de", "--only", "outdated", file).exit_code == 1
    source.title = "The web"
    source.save_revision().publish()
    export(file, "--only", "outdated")
    written = file.read_text()
    assert "The web" in written
    assert "/apps" not in written
    # Only the changed text is to be translated, and the one that the translation lacks.
    assert (written.count('state="initial"'), written.count("fuzzy")) == ((2, 0) if file.suffix == ".xlf" else (0, 1))


def test_drafts_of_a_change_set_are_exported_before_they_are_live(source: ServicePage, ada: User, file: Path) -> None:
    change_set = ChangeSet.objects.create(name="Spring", owner=ada)
    source.title = "Spring web"
    source.save_revision()
    add(change_set, source)
    export(file, "--set", change_set.pk)
    assert "Spring web" in file.read_text()
    translate(file, {"Spring web": "Frühlingsnetz"})
    result = run("import", "--as", "ada", file)
    assert "Wrote 1 text into 1 draft" in result.output
    assert "outdated" not in result.output


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("<b>", "<script>", "it contains <script>"),
        ("https://a.example/", "https://evil.example/", 'it contains <a href="https://evil.example/">'),
        ("</b>", "", "a tag of its translation has no end"),
        ("Siehe", "{siehe}", "Unknown placeholder {siehe}"),
    ],
)
def test_a_translation_cannot_bring_in_other_tags_or_links(
    source: ServicePage, german: ServicePage, ada: User, tmp_path: Path, before: str, after: str, why: str
) -> None:
    file = tmp_path / "de.po"
    export(file, "--page", "/web")
    translate(file, {"See ": "Siehe "})
    head, _, target = file.read_text().partition("Siehe")
    file.write_text(head + ("Siehe" + target).replace(before, after, 1))
    result = run("import", "--as", "ada", file)
    assert result.exit_code == 1
    assert why in result.output
    assert not ServicePage.objects.get(pk=german.pk).has_unpublished_changes


def test_a_lost_placeholder_is_reported(source: ServicePage, german: ServicePage, ada: User, tmp_path: Path) -> None:
    file = tmp_path / "de.po"
    Translation.objects.all().update(base=None)
    export(file, "--page", "/web")
    translate(file, {"We build for {company}": "Wir bauen"})
    result = run("import", "--as", "ada", file)
    assert result.exit_code == 0
    assert "/web: Block 1 (Hero), Title: the translation lacks {company}." in result.output


def test_blocks_that_one_side_lacks_are_reported(
    source: ServicePage, german: ServicePage, ada: User, file: Path
) -> None:
    export(file, "--page", "/web")
    translate(file, {"one": "eins", "two": "zwei", "See ": "Siehe "})
    german.body = german.body.stream_block.to_python(list(german.body.raw_data)[:2])
    german.save_revision()
    source.body = source.body.stream_block.to_python([BODY[0], BODY[2]])
    source.save_revision().publish()
    result = run("import", "--as", "ada", file)
    assert result.exit_code == 1
    assert "/web, Block 2 (Marquee), Words 1: the translation has no such block." in result.output
    assert "/web, body/t/html: the source page lacks this text." in result.output


def test_missing_blocks_and_items_are_copied_on_request(
    source: ServicePage, german: ServicePage, ada: User, file: Path
) -> None:
    export(file, "--page", "/web")
    translate(file, {"one": "eins", "two": "zwei", "See ": "Siehe "})
    hero, _, words = german.body.raw_data
    words["value"]["words"] = [{"type": "item", "id": "2", "value": "two"}]
    german.body = german.body.stream_block.to_python([hero, words])
    german.save_revision()
    result = run("import", "--as", "ada", "--add-blocks", file)
    assert result.exit_code == 0, result.output
    assert "/web: Block 2 (Text), Text: copied from the source." in result.output
    hero, text, words = draft_of(german).body.raw_data
    assert [hero["id"], text["id"], words["id"]] == ["de-h", "t", "de-m"]
    assert text["value"]["html"].startswith("<p>Siehe ")
    assert [(item["id"], item["value"]) for item in words["value"]["words"]] == [("1", "eins"), ("2", "zwei")]


def test_a_copied_block_is_kept_if_its_translation_equals_the_source(
    source: ServicePage, german: ServicePage, ada: User, tmp_path: Path
) -> None:
    file = tmp_path / "de.xlf"
    german.body = german.body.stream_block.to_python(list(german.body.raw_data)[:2])
    german.save_revision()
    export(file, "--page", "/web")
    same = "<source>one</source><target>one</target>"
    file.write_text(file.read_text().replace('initial"><source>one</source>', f'final">{same}'))
    result = run("import", "--as", "ada", "--add-blocks", file)
    assert "Wrote 0 texts into 1 draft" in result.output
    assert [block["id"] for block in draft_of(german).body.raw_data] == ["de-h", "de-t", "m"]


def test_the_rights_of_the_named_person_count(
    source: ServicePage, german: ServicePage, add_page: Callable[..., Any], homes: Mapping[str, HomePage], file: Path
) -> None:
    add_page(homes["en"], ServicePage, "apps", title="Apps")
    export(file)
    translate(file, {**GERMAN, "Apps": "Apps von uns"})
    User.objects.create_user("eve")
    result = run("import", "--as", "eve", file)
    assert result.exit_code == 1
    assert "/web: eve may not edit the page on the site de." in result.output
    assert "/apps: eve may not create pages on the site de." in result.output
    translator = User.objects.create_user("tom")
    set_roles(translator, [SiteRole(Role.TRANSLATOR, "de")], None)
    result = run("import", "--as", "tom", file)
    assert "/apps: tom may not create pages on the site de." in result.output
    assert draft_of(german).latest_revision.user == translator


def test_locked_pages_live_copies_and_missing_parents_are_left_out(
    source: ServicePage,
    german: ServicePage,
    add_page: Callable[..., Any],
    homes: Mapping[str, HomePage],
    ada: User,
    file: Path,
) -> None:
    above = add_page(homes["en"], ListingPage, "all", title="All pages")
    add_page(above, ServicePage, "apps", title="Apps")
    export(file)
    translate(file, {**GERMAN, "Apps": "Apps von uns"})
    other = User.objects.create_user("other")
    german.locked, german.locked_by = True, other
    german.save()
    result = run("import", "--as", "ada", file)
    assert "/all/apps: its parent page does not exist on the site de." in result.output
    assert "/web: it is locked" in result.output
    german.refresh_from_db()
    german.locked = False
    german.alias_of = source
    german.save()
    assert "/web: the site de shows a live copy of it." in run("import", "--as", "ada", file).output
    again = run("export", "--site", "de", "--page", "/web", file)
    assert again.exit_code == 1
    assert "/web is a live copy on the site de, so it has no texts of its own." in again.output


def test_what_does_not_exist_is_named(source: ServicePage, ada: User, file: Path) -> None:
    for arguments, why in [
        (("--site", "xx"), "There is no site 'xx'. Sites: en, "),
        (("--site", "en"), "The pages of the site en have no source to translate."),
        (("--site", "de", "--page", "/nowhere"), "There is no page /nowhere on site en."),
        (("--site", "de", "--set", "999"), "There is no change set 999."),
    ]:
        result = run("export", *arguments, file)
        assert result.exit_code == 1
        assert why in result.output
        assert not file.exists()
    export(file)
    assert "There is no active account nobody." in run("import", "--as", "nobody", file).output
    assert "The file is for the site de, not uk." in run("import", "--as", "ada", "--site", "uk", file).output
    file.write_text(file.read_text().replace('trgLang="de', 'trgLang="fr').replace("Language: de", "Language: fr"))
    assert (
        "The file is translated into fr-DE, and the site de needs de-DE." in run("import", "--as", "ada", file).output
    )
