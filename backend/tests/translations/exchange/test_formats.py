"""XLIFF and PO: our own files come back as they were, those of other tools are read, and bad ones are refused."""

import re
from pathlib import Path

import pytest

from portolan.translations.exchange.files import LARGEST, check_languages, format_of, read_file
from portolan.translations.exchange.inline import join
from portolan.translations.exchange.po import write_po
from portolan.translations.exchange.units import FileRefused, Languages, PageUnits, Unit, mark_of
from portolan.translations.exchange.xliff_writer import write_xliff

from .texts import HARD, KEY, LANGUAGES, pages, texts_of

SAMPLES = Path(__file__).parent / "samples"


@pytest.fixture(params=["xliff", "po"])
def exported(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    file = tmp_path / f"de.{request.param}"
    write = write_po if request.param == "po" else write_xliff
    file.write_text("".join(write(LANGUAGES, pages())), encoding="utf-8", newline="")
    return file


def test_every_text_comes_back_byte_for_byte(exported: Path) -> None:
    languages, returned = read_file(exported)
    assert languages == LANGUAGES
    assert {unit.page for unit in returned} == {KEY}
    assert texts_of(returned) == HARD
    assert [unit.target_was for unit in returned] == [mark_of(target) for _, _, target in HARD.values()]


def test_a_text_is_finished_only_if_it_was_done(tmp_path: Path) -> None:
    units = [Unit("a", "plain", "A", "B", is_done=True), Unit("b", "plain", "A", "B"), Unit("c", "plain", "A", "")]
    for write in (write_xliff, write_po):
        file = tmp_path / ("x.po" if write is write_po else "x.xlf")
        file.write_text("".join(write(LANGUAGES, [PageUnits(KEY, "/", "Home", units)])), encoding="utf-8")
        _, returned = read_file(file)
        assert [unit.is_finished and bool(unit.target) for unit in returned] == [True, False, False]


def test_xliff_protects_tags_and_placeholders() -> None:
    written = "".join(write_xliff(LANGUAGES, pages()))
    source = re.findall(r"<source>(.*?)</source>", written, re.DOTALL)[5]
    target = re.findall(r"<target>(.*?)</target>", written, re.DOTALL)[5]
    assert re.sub(r' (type|subType|can\w+|dataRef\w*|disp|equiv)="[^"]*"', "", source) == (
        '<pc id="1">A <pc id="2">bold <pc id="3">link</pc></pc> &amp; more.</pc><ph id="4"/>'
    )
    # The same code has the same id in both, also where its text differs.
    assert re.findall(r'<p[ch] id="(\d+)"', target) == ["1", "3", "2", "4"]
    assert 'type="link" canDelete="no" canCopy="no"' in source
    assert (
        '<ph id="1" type="ui" subType="xlf:var" canDelete="no" equiv="{company}" disp="{company}" dataRef="d1"/>'
        in written
    )
    assert '<note category="page">Web &amp; more</note>' in written
    assert '<note category="field">Label of title</note>' in written


def test_po_names_the_page_and_the_field() -> None:
    written = write_po(LANGUAGES, pages())
    assert "#. Web & more: Label of title" in written
    assert "#: /services/web" in written
    assert f'msgctxt "{KEY}/title"' in written
    assert "python-brace-format" in written
    assert written.count("fuzzy") == sum(1 for _, _, target in HARD.values() if target)


# Written by hand after the specifications, in the manner of the tools named in the files.
TAKEN = {
    "title": "Webentwicklung",
    "seo_title": "Webteams von {company}",
    "body/h/title": "Wir bauen {offices} Dinge & mehr",
    "body/t/html": '<p>Ein <b>fetter <a linktype="page" id="3">Link</a></b>.</p><p>Zwei &lt; drei.</p>',
}


@pytest.mark.parametrize("name", [file.name for file in sorted(SAMPLES.iterdir())])
def test_files_of_other_tools_are_taken(name: str) -> None:
    languages, returned = read_file(SAMPLES / name)
    check_languages(languages, LANGUAGES)
    taken = {
        unit.path: join(unit.target, "rich" if unit.path.endswith("html") else "plain")
        for unit in returned
        if unit.target and unit.is_finished
    }
    assert taken == TAKEN
    assert {unit.path for unit in returned} - taken.keys() == {"search_description", "body/h/text"}
    assert {unit.page for unit in returned} == {KEY}


UNIT = '<unit id="title"><segment><source>A</source><target>{}</target></segment></unit>'


def _xliff(body: str, head: str = "", version: str = "2.1") -> str:
    return (
        f'<?xml version="1.0"?>{head}<xliff version="{version}" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" '
        f'trgLang="de"><file id="de.{KEY}">{body}</file></xliff>'
    )


BOMB = "<!DOCTYPE x [" + '<!ENTITY a "ha">' + "".join(f'<!ENTITY a{n} "{"&a;" * 10}">' for n in range(9)) + "]>"
DEEP = "<pc id='1' dataRefStart='d' dataRefEnd='d'>"


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("x.xlf", _xliff(UNIT.format("&a8;"), BOMB), "document type declaration"),
        (
            "x.xlf",
            _xliff(UNIT.format("&f;"), '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>'),
            "document type",
        ),
        ("x.xlf", _xliff("", '<!DOCTYPE x SYSTEM "http://a.example/x.dtd">'), "document type declaration"),
        ("x.xlf", _xliff(UNIT.format("A"))[:-20], "damaged"),
        ("x.xlf", "", "damaged"),
        ("x.xlf", "\x00\x01", "damaged"),
        ("x.xlf", "<html/>", "not XLIFF 2.0 or 2.1 but <html>"),
        ("x.xlf", _xliff("", version="1.2"), "but XLIFF 1.2"),
        ("x.xlf", '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"/>', "but XLIFF 1.2"),
        ("x.xlf", _xliff(UNIT.format("A")).replace(str(KEY), "f1"), "no page of ours"),
        ("x.xlf", _xliff(UNIT.format('<ph id="1" dataRef="d1"/>')), "lost the original data of the inline element '1'"),
        ("x.xlf", _xliff(UNIT.format('<ph id="7"/>')), "lost the original data of the inline element '7'"),
        ("x.xlf", _xliff(UNIT.format("<g>A</g>")), "an element <g>"),
        ("x.xlf", _xliff(UNIT.format('<cp hex="zz"/>')), "no character 'zz'"),
        ("x.xlf", _xliff(UNIT.format(DEEP * 10_000)), "more than 64 elements inside each other"),
        ("x.po", 'msgctxt "x"\nmsgid "A"\nmsgstr "B"\n', "no page of ours"),
        ("x.po", 'msgid "A"\nmsgstr "B"\n', "its msgctxt is None"),
        ("x.po", 'msgid "A"\nnonsense\n', "damaged: Syntax error in po file"),
        ("x.po", "", "no texts"),
        ("x.po", 'msgid ""\n' + '"a"\n' * 10_001 + 'msgstr "b"\n', "more than 10,000 lines"),
        ("x.xlf", _xliff(""), "no texts"),
        ("x.po", b'msgid "A"\nmsgstr "\xff"\n', "not in UTF-8"),
    ],
)
def test_broken_and_hostile_files_are_refused(tmp_path: Path, name: str, content: str | bytes, why: str) -> None:
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(FileRefused) as raised:
        read_file(file)
    assert why in str(raised.value)
    assert "Nothing was imported." in str(raised.value)
    assert str(tmp_path) not in str(raised.value)


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    file = tmp_path / "x.xlf"
    with file.open("wb") as stream:
        stream.truncate(LARGEST + 1)  # a sparse file, which takes no space
    with pytest.raises(FileRefused, match="more than 64 MB"):
        read_file(file)


@pytest.mark.parametrize(
    ("found", "refused"),
    [
        (("en", "de"), ""),
        (("en-GB", "de_AT"), ""),
        (("", "de"), ""),
        (("en", "fr"), "translated into fr"),
        (("en", ""), "translated into no named language"),
        (("pl", "de"), "translated from pl"),
    ],
)
def test_the_languages_must_be_those_of_the_site(found: tuple[str, str], refused: str) -> None:
    if not refused:
        check_languages(Languages(*found, "de"), LANGUAGES)
        return
    with pytest.raises(FileRefused, match=refused):
        check_languages(Languages(*found, "de"), LANGUAGES)


def test_the_format_is_seen_from_the_name_or_the_beginning(tmp_path: Path) -> None:
    unnamed = tmp_path / "file"
    assert [format_of(tmp_path / name) for name in ("a.PO", "a.pot", "a.xlf", "new")] == ["po", "po", "xliff", "xliff"]
    unnamed.write_bytes(b"\xef\xbb\xbf\n<xliff/>")
    assert format_of(unnamed) == "xliff"
    unnamed.write_text('msgid ""')
    assert format_of(unnamed) == "po"
