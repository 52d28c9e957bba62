import pytest

from portolan.edge.redirects import choose_redirect, location

PAGES = frozenset({"/", "/about-us", "/services/web-development", "/404.html"})


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/about-us/", "/about-us"),
        ("/about-us//", "/about-us"),
        ("//about-us", "/about-us"),
        ("/About-Us", "/about-us"),
        ("/ABOUT-US/", "/about-us"),
        ("/about-us/index.html", "/about-us"),
        ("/index.html", "/"),
        ("//", "/"),
        ("/services//web-development/", "/services/web-development"),
        ("/about-us", None),
        ("/nowhere/", None),
        ("/nowhere", None),
        ("//evil.com", None),
        ("//evil.com/", None),
        ("/\\evil.com/", None),
        ("///evil.com/%2f..", None),
        ("/https://evil.com/", None),
        ("/about-us\r\nSet-Cookie: x=1/", None),
    ],
)
def test_other_spellings_of_a_page_lead_to_it(path: str, page: str | None) -> None:
    assert choose_redirect(path, PAGES.__contains__) == page


@pytest.mark.parametrize("page", sorted(PAGES))
def test_one_hop_is_enough(page: str) -> None:
    for spelling in (f"{page}/", f"/{page}", f"{page}/index.html", page.upper()):
        target = choose_redirect(spelling, PAGES.__contains__)
        assert target is None or choose_redirect(target, PAGES.__contains__) is None


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (b"", b"/about-us"),
        (b"utm_source=x&gclid=1", b"/about-us?utm_source=x&gclid=1"),
        (b"a=%0d%0aSet-Cookie:x", b"/about-us?a=%0d%0aSet-Cookie:x"),
        (b"a=\r\nSet-Cookie: x=1", b"/about-us?a=%0D%0ASet-Cookie:%20x=1"),
        (b"a=\xfc\x00", b"/about-us?a=%FC%00"),
    ],
)
def test_query_survives_and_adds_no_header(query: bytes, expected: bytes) -> None:
    assert location("/about-us", query) == expected


def test_a_query_that_nobody_needs_is_left_behind() -> None:
    assert location("/about-us", b"a=" + b"x" * 8000) == b"/about-us?a=" + b"x" * 8000
    assert location("/about-us", b"\xff" * 60_000) == b"/about-us"
