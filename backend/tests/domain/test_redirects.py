from collections.abc import Mapping

import pytest

from portolan.domain.redirects import Redirect, RedirectTable, Rule, RuleProblem, resolve_redirects

PAGES = frozenset({"/", "/about-us", "/services/web", "/new/a", "/new/b%"})
GONE = Redirect(410, "")


def rule(source: str, target: str, status: int = 301) -> Rule:
    return Rule(source, Redirect(status, target))


def resolve(*rules: Rule, **former: str | None) -> tuple[dict[str, Redirect], list[RuleProblem]]:
    return resolve_redirects(PAGES.__contains__, {f"/{name}": target for name, target in former.items()}, rules)


@pytest.mark.parametrize(
    ("rules", "former", "expected"),
    [
        # a former path redirects to its page, or is gone
        ([], {"about": "/about-us"}, {"/about": Redirect(301, "/about-us")}),
        ([], {"about": None}, {"/about": GONE}),
        ([], {"new/a": "/about-us"}, {}),  # a page is there
        # an editor's rule
        ([rule("/team", "/about-us#team")], {}, {"/team": Redirect(301, "/about-us#team")}),
        ([rule("/shop", "https://shop.example/x?a=1", 302)], {}, {"/shop": Redirect(302, "https://shop.example/x?a=1")}),
        ([rule("/shop", "", 410)], {}, {"/shop": GONE}),
        ([rule("/about-us", "/")], {}, {}),  # a page beats it
        ([rule("/about", "/services/web")], {"about": "/about-us"}, {"/about": Redirect(301, "/services/web")}),
        ([rule("/about", "", 410)], {"about": "/about-us"}, {"/about": GONE}),
        # one hop
        (
            [rule("/a", "/b"), rule("/b", "/c", 302), rule("/c", "/about-us")],
            {},
            {"/a": Redirect(302, "/about-us"), "/b": Redirect(302, "/about-us"), "/c": Redirect(301, "/about-us")},
        ),
        (
            [rule("/a", "/about?x=1#part")],
            {"about": "/about-us"},
            {"/a": Redirect(301, "/about-us?x=1#part"), "/about": Redirect(301, "/about-us")},
        ),
        (
            [rule("/a", "/b#mine"), rule("/b", "/about-us?y=2#theirs"), rule("/c", "/b?z=3")],
            {},
            {
                "/a": Redirect(301, "/about-us?y=2#mine"),
                "/b": Redirect(301, "/about-us?y=2#theirs"),
                "/c": Redirect(301, "/about-us?y=2&z=3#theirs"),
            },
        ),
        ([rule("/a", "/about")], {"about": None}, {"/a": GONE, "/about": GONE}),
        ([rule("/a", "/About/")], {"about": "/about-us"}, {"/a": Redirect(301, "/about-us"), "/about": Redirect(301, "/about-us")}),
        ([rule("/a", "/About-Us/?x=1#part")], {}, {"/a": Redirect(301, "/about-us?x=1#part")}),
        # wildcards: the longest first, after exact ones. They win over gone paths, but not over a moved page.
        (
            [rule("/old/*", "/new/*"), rule("/old/x/*", "/about-us"), rule("/old/x/1", "/")],
            {"old/a": None, "old/b": None, "old/x/2": None, "old/x/1": None, "old/c": "/services/web"},
            {
                "/old/*": Redirect(301, "/new/*"),
                "/old/x/*": Redirect(301, "/about-us"),
                "/old/x/1": Redirect(301, "/"),
                "/old/a": Redirect(301, "/new/a"),
                "/old/b": GONE,
                "/old/x/2": Redirect(301, "/about-us"),
                "/old/c": Redirect(301, "/services/web"),
            },
        ),
        ([rule("/a", "/old/a"), rule("/old/*", "/new/*", 302)], {}, {"/a": Redirect(302, "/new/a"), "/old/*": Redirect(302, "/new/*")}),
        ([rule("/old/*", "/about")], {"about": "/about-us"}, {"/old/*": Redirect(301, "/about-us"), "/about": Redirect(301, "/about-us")}),
    ],
)  # fmt: skip
def test_every_address_takes_one_hop(
    rules: list[Rule], former: Mapping[str, str | None], expected: dict[str, Redirect]
) -> None:
    assert resolve(*rules, **former)[0] == expected


@pytest.mark.parametrize(
    ("rules", "problems"),
    [
        ([rule("/a", "/b"), rule("/b", "/a")], [("/a", "loop"), ("/b", "loop")]),
        ([rule("/a", "/a")], [("/a", "loop")]),
        ([rule("/a", "/nowhere")], [("/a", "missing")]),
        ([rule("/a", "/b"), rule("/b", "/nowhere")], [("/a", "missing"), ("/b", "missing")]),
        ([rule("/a/*", "/a/b/*")], [("/a/*", "loop")]),
        ([rule("/a/*", "/b/*"), rule("/b/*", "/a/x/*")], [("/a/*", "loop"), ("/b/*", "loop")]),
        ([rule("/a/*", "/b"), rule("/b", "/a/1")], [("/a/*", "loop"), ("/b", "loop")]),
        ([rule("/a/*", "/b/*"), rule("/b/*", "https://b.example/*")], []),
        ([rule("/a", "javascript:alert(1)")], [("/a", "missing")]),
        ([rule("/a", "//evil.com")], [("/a", "missing")]),
        ([rule("/a?b", "/")], [("/a?b", "missing")]),
        ([rule("/a", "", 200)], [("/a", "missing")]),
        ([rule("/about-us", "/nowhere")], []),  # a page is there, so the redirect is unused
    ],
)
def test_rules_that_cannot_be_followed_are_left_out(rules: list[Rule], problems: list[tuple[str, str]]) -> None:
    table, found = resolve(*rules)
    assert sorted((problem.source, problem.what) for problem in found) == problems
    assert not table.keys() & {source for source, _ in problems}


def test_where_a_rule_is_left_out_the_former_address_still_leads() -> None:
    assert resolve(rule("/about", "/about"), about="/about-us")[0] == {"/about": Redirect(301, "/about-us")}


TABLE = {
    "/about": Redirect(301, "/about-us"),
    "/gone": GONE,
    "/old/*": Redirect(301, "/new/*"),
    "/old/x/*": Redirect(302, "/about-us#x"),
    "/shop/*": Redirect(301, "https://shop.example/*"),
    "/up/*": Redirect(301, "/*"),
    "/chain/*": Redirect(302, "/old/*"),
    "/ring/*": Redirect(301, "/ring/a/*"),
    "/caf\u00e9": Redirect(301, "/about-us"),
    "/u\u0308ber": Redirect(301, "/about-us"),  # as earlier versions stored pasted text
    "/\u00fcber/*": Redirect(301, "/new/*"),
}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/about", Redirect(301, "/about-us")),
        ("/About/", Redirect(301, "/about-us")),
        ("//about", Redirect(301, "/about-us")),
        ("/about/index.html", Redirect(301, "/about-us")),
        ("/gone", GONE),
        ("/nowhere", None),
        ("/old/a", Redirect(301, "/new/a")),
        ("/old/A/", Redirect(301, "/new/a")),
        ("/old/nowhere", None),  # redirects to missing pages are dropped
        ("/old", None),
        ("/older/a", None),
        ("/old/x/y", Redirect(302, "/about-us#x")),
        ("/old/x", Redirect(302, "/about-us#x")),
        ("/shop/A/b", Redirect(301, "https://shop.example/A/b")),
        ("/shop", Redirect(301, "https://shop.example")),
        ("/shop//evil.com", Redirect(301, "https://shop.example/evil.com")),
        ("/shop/@evil.com", Redirect(301, "https://shop.example/%40evil.com")),
        ("/shop/a b?c#d", Redirect(301, "https://shop.example/a%20b%3Fc%23d")),
        ("/up//evil.com", None),
        ("/up/\\evil.com", None),
        ("/up/about-us", Redirect(301, "/about-us")),
        ("/up", Redirect(301, "/")),
        ("/chain/a", Redirect(302, "/new/a")),
        ("/ring/b", None),
        ("/caf\u00e9", Redirect(301, "/about-us")),
        ("/CAFE\u0301/", Redirect(301, "/about-us")),
        ("/\u00fcber", Redirect(301, "/about-us")),
        ("/U\u0308ber", Redirect(301, "/about-us")),
        ("/u\u0308ber/a", Redirect(301, "/new/a")),
    ],
)
def test_an_address_is_found_in_one_look(path: str, expected: Redirect | None) -> None:
    assert RedirectTable(TABLE).find(path, PAGES.__contains__) == expected


def test_what_is_carried_over_never_leaves_the_target_host() -> None:
    table = RedirectTable({"/up/*": Redirect(301, "/*"), "/x/*": Redirect(301, "https://x.example/*")})
    for rest in ("//evil.com", "/\\evil.com", "/%2f%2fevil.com", "/@evil.com", "/..//evil.com", "/https://evil.com"):
        for source, start in (("/up", "/"), ("/x", "https://x.example/")):
            found = table.find(source + rest, lambda own: True)
            assert found is not None
            assert found.target.startswith(start)
            assert not found.target.startswith(("//", "/\\"))
