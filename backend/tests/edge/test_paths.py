import pytest

from portolan.edge.paths import LONGEST_PATH, decode_path, read_path


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        (b"/", "/"),
        (b"/about-us", "/about-us"),
        (b"/a%20b", "/a b"),
        (b"/%D1%83", "/у"),
        (b"/a..b/c.", "/a..b/c."),
        (b"//evil.com/", "//evil.com/"),
        (b"/%252e%252e/", "/%2e%2e/"),
        (b"/....//x", "/....//x"),
    ],
)
def test_is_decoded_once(raw: bytes, path: str) -> None:
    assert decode_path(raw) == path
    assert read_path({"raw_path": raw}) == read_path({"raw_path": raw}) == path


@pytest.mark.parametrize(
    "raw",
    [
        b"/../etc/passwd",
        b"/a/..",
        b"/./a",
        b"/..%2f..%2fetc/passwd",
        b"/%2e%2e/etc/passwd",
        b"/%2E./etc",
        b"/..\\etc",
        b"/..%5cetc",
        b"/a\\..\\b",
        b"/..;/admin",
        b"/%c0%ae%c0%ae/etc",
        b"/%00",
        b"/a%0d%0aSet-Cookie:x=1",
        b"/\x7f",
        b"*",
        b"",
        b"http://evil.com/",
        b"/" + b"a" * LONGEST_PATH,
        b"/" + b"%61" * 4000,
    ],
)
def test_what_can_mean_nothing_of_ours_is_refused(raw: bytes) -> None:
    assert decode_path(raw) is None


def test_servers_without_the_raw_path_are_served_too() -> None:
    assert read_path({"path": "/about-us"}) == "/about-us"
