"""Problems are compared, grouped and stored as data, and worded in one place."""

from dataclasses import fields

import pytest

from portolan.domain.problem_texts import PLAIN, say, say_each, say_place, word
from portolan.domain.problems import (
    PROBLEM_DETAILS,
    Block,
    DeadLink,
    EmptyValue,
    GoneLink,
    InvalidValue,
    MissingAnchor,
    MissingFile,
    MissingHome,
    MissingMedia,
    MissingPage,
    NotReciprocal,
    Problem,
    ProblemDetail,
    Reported,
    ReservedPath,
    Subject,
    TakenPath,
    UnapprovedTranslation,
    UnfilledPlaceholder,
    UnknownPlaceholder,
    UntranslatedName,
    UnusableAddress,
    UnusableAnchor,
    UnusualText,
    WrongAlternates,
    WrongHeadings,
    WrongLanguage,
    detail_of,
    gather,
    in_order,
    pack,
    pack_all,
    unpack,
    unpack_all,
)
from portolan.domain.references import DELETED_PAGE, Reference
from portolan.publisher.problem import PublishError

WEB = Subject("de", "page", "web", "Web", "/services/web")
VALUES = {"str": "a", "int": 2, "bool": True, "tuple": ("de", "en"), "Literal": "pages"}


def example(detail: type[ProblemDetail]) -> ProblemDetail:
    make: object = detail
    parameters = {field.name: VALUES[field.type.__name__] for field in fields(detail)}
    assert callable(make)
    made: ProblemDetail = make(**parameters)
    return made


def on(path: str, detail: ProblemDetail | None = None, site: str = "de") -> Problem:
    return Problem(Subject(site, "page", path, f"Page {path}", path), detail or DeadLink("/x"))


@pytest.mark.parametrize(
    ("subject", "place"),
    [
        (Subject("de"), "de"),
        (WEB, "de, “Web” (/services/web)"),
        (
            WEB._replace(block=Block("b1", 3, "rich_text"), field="cards.0.linkList.1"),
            "de, “Web” (/services/web), block 3 (Rich text), cards 1, link list 2",
        ),
        (WEB._replace(field="head.title"), "de, “Web” (/services/web), head, title"),
        (
            Subject("de", "menu", "main", field="items.0.submenu.1.link"),
            "de, header menu, Menu items 1, submenu 2, link",
        ),
        (Subject("de", "footer", "main", field="legal_links.1"), "de, footer, Legal links 2"),
        (
            Subject("de", "project", "web", "Web", "/web", field="previewImage"),
            "de, “Web” (/web), In lists, preview image",
        ),
        (Subject("de", "office", "berlin", "Berlin", field="phone"), "de, office “Berlin”, phone"),
        (Subject("", "picture", "7", "Lost"), "Picture “Lost”"),
    ],
)
def test_a_place_is_said_as_editors_count(subject: Subject, place: str) -> None:
    assert say_place(subject) == place


@pytest.mark.parametrize(
    ("detail", "text"),
    [
        (MissingPage("k"), "links to a page that is not published on this or the international site, so"),
        (
            MissingPage(f"{DELETED_PAGE}7"),
            "links to a page that was deleted, so the link would be broken. Choose another",
        ),
        (UnknownPlaceholder("foo"), "has the unknown placeholder {foo}, so visitors would read the"),
        (EmptyValue("pages"), "is empty, and every page requires it. Fill it in."),
        (EmptyValue("lists"), "is empty, and lists show it. Fill it in."),
        (UntranslatedName("industry", "ports"), "names the industry “ports”, which has no translation for this site"),
        (InvalidValue("too long"), "cannot be published (too long), so no page could show it. Correct the value."),
        (MissingFile("a/b.svg"), "its file (a/b.svg) cannot be read, so pages cannot show it. Put it back"),
        (DeadLink("/x"), "links to /x, where there is no page, so visitors would reach an error page. Choose another"),
        (GoneLink("/x"), "links to /x, which is gone, so visitors would reach an error page. Choose another target."),
        (UnusableAddress("x"), "has the link target “x”, which is not a path or web address, so"),
        (
            MissingMedia("/media/x"),
            "shows /media/x, a file that is not in the media folder, so the page would have a gap",
        ),
        (UnfilledPlaceholder("{x}"), "shows the placeholder {x} unfilled, so visitors would read the braces. Correct"),
        (WrongLanguage("en", "ltr"), "lacks lang=en dir=ltr, so browsers would assume another language"),
        (ReservedPath("/x"), "has the path /x, which the website uses itself, so visitors would get something else"),
        (
            UnusableAnchor("x"),
            "has the anchor “x”, which is already used, so links would open another section. Choose another",
        ),
        (MissingAnchor("/x#y"), "links to /x#y, but that page has no section named “y”"),
        (MissingAnchor("#y"), "links to #y, but the page has no section named “y”"),
        (WrongHeadings(1), "has 1 main heading (h1), and"),
        (WrongHeadings(0), "has 0 main headings (h1), and must have exactly one"),
        (TakenPath("/x", "Other"), "and “Other” have the same path, /x, so"),
        (MissingHome(), "has no home page, and every page links to it. Publish"),
        (
            NotReciprocal("http://a", "http://b", "de", "k", False),
            "http://a links to http://b, which does not exist, so",
        ),
        (
            NotReciprocal("http://a", "http://b", "de", "k", True),
            "http://a links to http://b, which does not link back",
        ),
        (WrongAlternates(()), "(missing: none)"),
        (
            UnapprovedTranslation(1),
            "contains an unapproved machine translation, so it does not go live. Read",
        ),
        (UnapprovedTranslation(3), "contains 3 unapproved machine translations"),
        (
            UnusualText("number-format", "1,000", "1.000", "de-DE", 2),
            "has the number \u20681,000\u2069 (and 2 more in this field), and German writes numbers differently. Write \u20681.000\u2069.",
        ),
        (
            UnusualText("mixed-alphabets", "cи", "", "kk-KZ"),
            "search does not find the word. Type the whole word with one",
        ),
        (
            UnusualText("missing-letters", "Nie", "", "pl-PL"),
            "and Polish needs letters such as ą ć ę ł. Type the letters",
        ),
        (
            UnusualText("foreign-sentence", "We do", "en", "de-DE"),
            "has the sentence “\u2068We do\u2069”, which is in English.",
        ),
    ],
)
def test_a_problem_says_what_why_and_what_to_do(detail: ProblemDetail, text: str) -> None:
    assert text in say(Problem(WEB, detail))
    assert say(Problem(WEB, detail)).startswith("de, “Web” (/services/web): ")


class Names:
    def site(self, key: str) -> str:
        return {"de": "Deutschland"}[key]

    def page(self, key: str) -> str | None:
        return {"k": "Imprint"}.get(key)

    def block(self, type: str) -> str:
        return "Next events"

    def translate(self, text: str) -> str:
        return text


def test_readers_have_names_of_their_own() -> None:
    problem = Problem(WEB._replace(block=Block("b", 1, "event_teasers")), MissingPage("k"))
    assert say(problem, Names()).startswith(
        "Deutschland, “Web” (/services/web), block 1 (Next events): links to “Imprint”, which is not published"
    )


@pytest.mark.parametrize("code", PROBLEM_DETAILS)
def test_every_code_is_stored_and_has_words(code: str) -> None:
    detail = example(PROBLEM_DETAILS[code])
    problem = Problem(WEB._replace(block=Block("b1", 3, "cards"), field="cards.0"), detail)
    assert pack(problem)["code"] == code
    assert unpack(pack(problem)) == problem
    assert unpack_all(pack_all([problem, problem]), WEB[:3]) == [problem, problem]
    if code != Reported.code:
        assert all(word(detail, PLAIN))


def test_codes_are_stable() -> None:
    """Codes are stored: renaming one makes stored problems unreadable."""
    assert set(PROBLEM_DETAILS) == {
        "page-missing", "picture-missing", "document-missing", "placeholder-unknown", "value-empty",
        "name-untranslated", "value-invalid", "file-missing", "site-unknown", "link-dead", "link-gone", "link-lost", "placement-unseen",
        "anchor-missing", "address-unusable", "media-missing", "language-wrong", "headings-wrong",
        "placeholder-unfilled", "alternates-wrong", "translation-not-reciprocal", "rendering-failed", "family-unknown",
        "text-unusual", "translation-unapproved", "block-unknown", "plugin-newer", "path-invalid", "path-reserved", "anchor-unusable", "path-taken", "home-missing", "frame-missing",
        "frame-unusable", "redirect-dead", "redirect-circular", "text-foreign", "text-dummy", "picture-changed", "reported",
    }  # fmt: skip


@pytest.mark.parametrize("text", ["“Web”: is empty. Fill it in.", '[{"code": "of-tomorrow", "subject": {}}]', "[7]"])
def test_what_cannot_be_read_is_a_problem_all_the_same(text: str) -> None:
    (problem,) = unpack_all(text, ("de", "page", "web"))
    assert problem == Problem(Subject("de", "page", "web"), Reported(text))
    assert say(problem) == text
    assert unpack_all(pack_all([problem]), ("de", "page", "web")) == [problem]


def test_no_problem_is_no_text() -> None:
    assert pack_all([]) == ""
    assert unpack_all("", ("de", "page", "web")) == []


@pytest.mark.parametrize(
    "damaged", [None, [], {}, {"code": "link-dead"}, {"code": "x", "subject": {}, "parameters": {}}]
)
def test_what_was_not_stored_by_this_version_is_refused(damaged: object) -> None:
    with pytest.raises(ValueError, match="not a problem that this version can read"):
        unpack(damaged)


def test_a_reference_without_target_is_a_problem_of_its_kind() -> None:
    codes = {kind: detail_of(Reference(kind, "k")).code for kind in ("page", "picture", "document", "placeholder")}
    assert list(codes.values()) == ["page-missing", "picture-missing", "document-missing", "placeholder-unknown"]
    with pytest.raises(ValueError, match="items"):
        detail_of(Reference("items", "office"))


def test_problems_are_in_the_order_of_their_places() -> None:
    second = on("/a")._replace(subject=on("/a").subject._replace(block=Block("y", 2, "text")))
    first = on("/a")._replace(subject=on("/a").subject._replace(block=Block("z", 1, "text")))
    assert in_order([on("/b", site="ae"), second, on("/b"), first]) == [on("/b", site="ae"), first, second, on("/b")]


def test_alike_are_those_of_one_site_and_problem() -> None:
    problems = [on("/b"), on("/a"), on("/a", site="ae"), on("/a", WrongHeadings(2))]
    groups = [{(problem.site, problem.subject.path) for problem in same} for same in gather(problems)]
    assert sorted(map(sorted, groups)) == [[("ae", "/a")], [("de", "/a")], [("de", "/a"), ("de", "/b")]]
    (line, *_) = say_each([on("/b"), on("/a"), on("/c")])
    assert line.startswith("de, “Page /a” (/a): links to /x")
    assert line.endswith("(So do 2 more pages.)")


def test_a_refused_publish_names_each_thing_to_fix() -> None:
    text = str(PublishError([on("/b"), on("/a"), on("/a", WrongHeadings(2))]))
    assert text.startswith("Nothing went live because of 3 problems. The sites are unchanged.\n  de, “Page /a” (/a):")
    assert text.count("links to /x") == 1
    assert "because of 1 problem." in str(PublishError([on("/a")]))


def test_long_lists_are_cut() -> None:
    text = str(PublishError([on(f"/{number}", DeadLink(f"/{number}")) for number in range(30)]))
    assert text.endswith("… and 10 more")
