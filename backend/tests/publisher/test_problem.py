"""What editors read when content cannot go live."""

from portolan.publisher.problem import PublishError, PublishProblem


def problem(path: str, what: str = "links to /x, where there is no page") -> PublishProblem:
    return PublishProblem("de", path, f"Page {path}", what, "choose another target")


def test_names_page_and_fix() -> None:
    assert str(PublishError([problem("/a")])) == (
        "Nothing went live: 1 problem to fix first. What was live still is.\n"
        "  de /a (Page /a): links to /x, where there is no page; choose another target"
    )


def test_says_once_what_many_pages_have_in_common() -> None:
    text = str(PublishError([problem("/b"), problem("/a"), problem("/c"), problem("/a", "has 2 main headings")]))
    assert text.count("links to /x") == 1
    assert "de /a (Page /a): links to /x, where there is no page; choose another target (so do 2 more pages)" in text
    assert "4 problems" in text


def test_long_lists_are_cut() -> None:
    text = str(PublishError([problem(f"/{number}", f"fault {number}") for number in range(30)]))
    assert text.endswith("… and 10 more")
