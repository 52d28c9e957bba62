"""``_headers`` and ``_redirects``, within the limits of Cloudflare Pages."""

from collections.abc import Mapping
from pathlib import Path

from portolan.builds.hosts import build_hosts
from portolan.builds.manifest import File, Manifest
from portolan.domain.redirects import Redirect
from portolan.export.answers import Answers, read_answers
from portolan.export.netlify import find_excess, write_headers, write_redirects
from portolan.sites.load import load_registry

HOSTS = build_hosts(load_registry(Path(__file__).parents[3] / "sites.toml"), "production", 8000)
REDIRECTS = {
    "/about": Redirect(301, "/about-us"),
    "/team": Redirect(302, "/about-us?from=team#team"),
    "/closed": Redirect(410, ""),
    "/blog/*": Redirect(301, "/services/*"),
    "/blog/x/*": Redirect(302, "https://x.example/*"),
    "/c'est (1)": Redirect(301, "/"),
}


def answers(redirects: Mapping[str, Redirect] = REDIRECTS, policy: str = "default-src 'self'") -> Answers:
    manifest = Manifest(
        site="en", build="a", release=1, web="web", created="2026-03-01T12:00:00+00:00",
        html_headers={"Content-Security-Policy": policy},
        files={"/": File("0" * 32, "text/html; charset=utf-8", 1)}, redirects=redirects,
    )  # fmt: skip
    return read_answers(manifest, HOSTS.sites["en"], HOSTS.origins["en"])


def test_an_address_stands_before_a_wildcard_and_the_longest_first() -> None:
    assert write_redirects(answers()).splitlines() == [
        "/c%27est%20(1) / 301",
        "/closed /404.html 410",
        "/about /about-us 301",
        "/team /about-us?from=team#team 302",
        "/blog/x/* https://x.example/:splat 302",
        "/blog/* /services/:splat 301",
    ]


def test_no_two_rules_that_fit_one_path_name_the_same_header() -> None:
    """Such rules are joined, and most headers may not have two values."""
    rules: dict[str, list[str]] = {}
    for line in write_headers(answers()).splitlines():
        if line.startswith("/"):
            rules[line] = []
        else:
            rules[[*rules][-1]].append(line.partition(":")[0].strip())
    assert {"content-security-policy", "strict-transport-security", "x-frame-options"} <= {*rules["/*"]}
    for path, names in rules.items():
        assert path == "/*" or not {*names} & {*rules["/*"]}
    assert "  cache-control: public, max-age=31536000, immutable" in write_headers(answers())


def test_what_cloudflare_pages_would_leave_out_is_said() -> None:
    assert find_excess(answers()) == []
    many = {f"/old-{number}": Redirect(301, "/") for number in range(2001)}
    assert "reads 2000 and 100" in find_excess(answers(many))[0]
    wild = {f"/old-{number}/*": Redirect(301, "/") for number in range(101)}
    assert "101 with a wildcard" in find_excess(answers(wild))[0]
    assert "redirect of more than 1000" in find_excess(answers({"/x": Redirect(301, "/" + "x" * 1000)}))[0]
    assert "header of more than 2000" in find_excess(answers(policy="x" * 2000))[0]
