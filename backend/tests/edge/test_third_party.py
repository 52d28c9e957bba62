"""The proxy for third parties' scripts, for browsers and attackers."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import brotli
import pytest

from portolan.builds.hosts import build_hosts, hosts_file, read_hosts, write_hosts
from portolan.edge import public_fetch, third_party
from portolan.edge.plain_replies import WRONG_METHOD
from portolan.edge.public_fetch import PublicFetcher
from portolan.edge.third_party import NOT_ALLOWED, UNAVAILABLE, UNREADABLE, ThirdPartyScripts
from portolan.outgoing import network as outgoing
from portolan.outgoing.network import FetchError, PublicNetwork
from portolan.sites.registry import DeferredScript

from ..processes import LIMIT_S
from .conftest import DE, EN, PORT, REGISTRY, STUDIO, Answer, Harbour, echo, pages
from .upstream import (
    OK,
    SCRIPT,
    TAGS,
    Canaries,
    Upstream,
    bomb,
    drip,
    endless,
    head_only,
    in_parts,
    running,
    typed,
)

SCRIPT_URL = f"https://{TAGS}/tag.js"
QUERY_URL = f"https://{TAGS}/tag.js?id=1&x=%2F"


def proxy(url: str) -> str:
    """As browsers write it: `encodeURIComponent`."""
    return "/__third-party-proxy?url=" + quote(url, safe="-_.!~*'()")


class Resolver:
    """Replaces DNS: gives one answer after the other, then repeats the last."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, host: str) -> list[str]:
        self.asked.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@pytest.fixture
def canaries() -> Iterator[Canaries]:
    canaries = Canaries()
    with running(canaries):
        yield canaries
        assert canaries.find_others() == []
        assert canaries.tried == []


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    upstream = Upstream()
    with running(upstream):
        yield upstream


@pytest.fixture
def proxying(harbour: Harbour, monkeypatch: pytest.MonkeyPatch) -> Harbour:
    """A harbour whose international site proxies two paths. Its time limits are out of reach."""
    monkeypatch.setattr(public_fetch, "TOTAL_S", LIMIT_S)
    monkeypatch.setattr(outgoing, "CONNECT_S", LIMIT_S)
    site = REGISTRY.sites["en"].model_copy(update={"third_party_scripts": [SCRIPT_URL, QUERY_URL]})
    registry = REGISTRY.model_copy(update={"sites": {**REGISTRY.sites, "en": site}})
    write_hosts(harbour.root, build_hosts(registry, "local", PORT))
    return harbour


def lead(
    harbour: Harbour, upstream: Upstream, resolver: Resolver | None = None, is_allowed: Callable[[str], bool] = bool
) -> Resolver:
    """Send the edge's requests to those hosts."""
    resolver = resolver or Resolver(["127.0.0.1"])
    network = PublicNetwork(resolver, is_allowed, upstream.port)
    harbour.edge._third_party = ThirdPartyScripts(PublicFetcher(network, upstream.client_tls), lambda: harbour._now)
    return resolver


def lead_to_canaries(harbour: Harbour, canaries: Canaries, resolver: Resolver, *, checked: bool = True) -> None:
    allowed: Callable[[str], bool] = outgoing.is_public_address if checked else bool
    network = PublicNetwork(resolver, allowed, canaries.port)
    connect = network._connect

    async def watched(host: str, *rest: Any) -> Any:
        canaries.tried.append(host)
        return await connect(host, *rest)

    network._connect = watched  # type: ignore[assignment]
    harbour.edge._third_party = ThirdPartyScripts(PublicFetcher(network), lambda: harbour._now)


def is_reply(answer: Answer, reply: third_party.Reply) -> bool:
    headers = {name.decode(): value.decode() for name, value in reply.start["headers"]}
    return (answer.status, answer.headers, answer.body) == (reply.start["status"], headers, reply.body["body"])


def test_an_allowed_file_comes_from_the_sites_own_origin_under_our_own_headers(
    proxying: Harbour, upstream: Upstream
) -> None:
    own = ["Set-Cookie: id=1", "Access-Control-Allow-Origin: *", "Access-Control-Allow-Credentials: true"]
    own += ["Link: </x>; rel=preload", "Refresh: 0; url=/x", "Location: /x", "Server: tags", "Cache-Control: no-store"]
    own += ["Service-Worker-Allowed: /", "SourceMap: /x.map", "ETag: theirs", "X-Own: 1"]
    upstream.answers["/tag.js"] = typed("application/javascript; charset=UTF-8", SCRIPT, *own)
    lead(proxying, upstream)
    answer = proxying.ask(proxy(SCRIPT_URL))
    assert (answer.status, answer.body) == (200, SCRIPT)
    etag = answer.headers.pop("etag")
    assert "theirs" not in etag
    assert answer.headers == {
        "content-type": "text/javascript; charset=utf-8",
        "content-length": str(len(SCRIPT)),
        "cache-control": "public, max-age=600",
        "content-security-policy": "sandbox; default-src 'none'",
        "cross-origin-resource-policy": "same-origin",
        "vary": "accept-encoding",
        "x-content-type-options": "nosniff",
        "x-robots-tag": "noindex",
    }


def test_nothing_of_the_visitor_and_the_site_is_sent_on(proxying: Harbour, upstream: Upstream) -> None:
    lead(proxying, upstream)
    proxying.ask(
        proxy(SCRIPT_URL),
        cookie="consent_status=1",
        authorization="Basic eDp5",
        x_forwarded_for="203.0.113.7",
        forwarded="for=203.0.113.7",
        referer="http://localhost:8000/about-us",
        origin="http://localhost:8000",
        user_agent="Visitor/1",
        accept_language="de",
        range="bytes=0-1",
        dnt="1",
    )
    (head,) = upstream.heads
    assert head.decode().split("\r\n") == [
        "GET /tag.js HTTP/1.1",
        "Host: tags.test",
        "user-agent: Portolan",
        "accept: */*",
        "accept-encoding: gzip",
        "",
        "",
    ]
    assert upstream.names == [TAGS]


def test_the_query_of_an_allowed_address_is_part_of_it(proxying: Harbour, upstream: Upstream) -> None:
    lead(proxying, upstream)
    assert proxying.ask(proxy(QUERY_URL)).status == 200
    assert upstream.heads[0].startswith(b"GET /tag.js?id=1&x=%2F HTTP/1.1\r\n")
    for other in ("?id=2&x=%2F", "?id=1", "?x=%2F&id=1", "?id=1&x=%2f", "?id=1&x=/", "?id=1&x=%2F&y", "?", "/", "#x"):
        assert is_reply(proxying.ask(proxy(SCRIPT_URL + other)), NOT_ALLOWED), other
    assert len(upstream.heads) == 1


def test_compressed_files_are_read_and_sent_compressed(proxying: Harbour, upstream: Upstream) -> None:
    packer = third_party.gzip.compress(SCRIPT)
    upstream.answers["/tag.js"] = typed("text/javascript", packer, "Content-Encoding: gzip")
    lead(proxying, upstream)
    plain = proxying.ask(proxy(SCRIPT_URL))
    assert plain.body == SCRIPT
    small = proxying.ask(proxy(SCRIPT_URL), accept_encoding="gzip, br")
    assert (small.headers["content-encoding"], brotli.decompress(small.body)) == ("br", SCRIPT)
    head = proxying.ask(proxy(SCRIPT_URL), method="HEAD", accept_encoding="gzip, br")
    assert (head.status, head.headers, head.body) == (200, small.headers, b"")
    assert proxying.ask(proxy(SCRIPT_URL), if_none_match=small.headers["etag"]).status == 304
    assert len(upstream.heads) == 1


HOSTILE_403 = [
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://[::]/",
    "http://0/",
    "http://2852039166/",
    "http://0xA9FEA9FE/",
    "http://0251.0376.0251.0376/",
    "http://127.1/",
    "https://127.0.0.1/",
    "http://[::ffff:7f00:1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[fd00:ec2::254]/",
    "http://metadata.google.internal/",
    "http://localhost.:80/",
    "http://localhost:8000/",
    "http://tags.test/tag.js",
    "https://tags.test:22/tag.js",
    "https://tags.test:443/tag.js",
    "https://tags.test@evil.example/tag.js",
    "https://evil.example#@tags.test/tag.js",
    "https://evil.example/?https://tags.test/tag.js",
    "https://tags.test%00.evil.example/tag.js",
    "https://tags.test%2f/tag.js",
    "//evil.example/x",
    "HTTPS://TAGS.TEST./tag.js",
    "HTTPS://tags.test/tag.js",
    "https://tags.test./tag.js",
    "https://tags.test/./tag.js",
    "https://tags.test/x/../tag.js",
    "https://tags.test//tag.js",
    "https://tags.test/tag%2ejs",
    "https://tags.test/tag.js;",
    "https%3A%2F%2Ftags.test%2Ftag.js",
    "file:///etc/passwd",
    "gopher://tags.test/",
    "ftp://tags.test/tag.js",
    "dict://127.0.0.1:11211/stat",
    "jar:https://tags.test/tag.js!/",
    "data:text/javascript,alert(1)",
    "blob:https://tags.test/1",
    "javascript:alert(1)",
    "<script>alert(1)</script>",
]
HOSTILE_400 = [
    "",
    "http://①②⑦.0.0.1/",
    "https://127。0。0。1/",
    "https://allowed\\@tags.test/tag.js",
    "https://tags.test\\@evil.example/tag.js",
    "https://tags.test\t.evil.example/tag.js",
    "https://tags.test/tag.js\r\nX-Injected: 1",
    "https://tags.test/tag.js\0",
    " https://tags.test/tag.js",
    "https://tags.test/tag.js ",
    "https://tägs.test/tag.js",
    "https://tags.test/" + "x" * 10_000,
]


@pytest.mark.parametrize("url", HOSTILE_403)
def test_only_the_very_addresses_of_the_registry_are_passed_on(proxying: Harbour, canaries: Canaries, url: str) -> None:
    resolver = Resolver(["127.0.0.1"])
    lead_to_canaries(proxying, canaries, resolver, checked=False)
    for method in ("GET", "HEAD"):
        answer = proxying.ask(proxy(url), method=method)
        assert (answer.status, answer.body) == (403, b"" if method == "HEAD" else NOT_ALLOWED.body["body"])
    assert is_reply(proxying.ask(proxy(url)), NOT_ALLOWED)
    assert resolver.asked == []


@pytest.mark.parametrize("url", HOSTILE_400)
def test_what_is_no_address_is_not_looked_up(proxying: Harbour, canaries: Canaries, url: str) -> None:
    resolver = Resolver(["127.0.0.1"])
    lead_to_canaries(proxying, canaries, resolver, checked=False)
    assert is_reply(proxying.ask(proxy(url)), UNREADABLE)
    assert resolver.asked == []


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?",
        "?url",
        "?url=",
        "?x=1",
        f"?url={SCRIPT_URL}&url={SCRIPT_URL}",
        f"?url={SCRIPT_URL}&url=https://evil.example/",
        f"?url=https://evil.example/&url={SCRIPT_URL}",
        f"?x=1&url={SCRIPT_URL}",
        f"?url={SCRIPT_URL}&x=1",
        f"?URL={SCRIPT_URL}",
        f"?url[]={SCRIPT_URL}",
        f"?%75rl={SCRIPT_URL}",
        f"?url={SCRIPT_URL}%0d%0aX-Injected:1",
        "?url=%ff%fe",
        "?url=https://tags.test%09/tag.js",
    ],
)
def test_the_query_is_one_address_and_nothing_else(proxying: Harbour, canaries: Canaries, query: str) -> None:
    resolver = Resolver(["127.0.0.1"])
    lead_to_canaries(proxying, canaries, resolver, checked=False)
    assert is_reply(proxying.ask("/__third-party-proxy" + query), UNREADABLE)
    assert resolver.asked == []


PRIVATE = [
    ["127.0.0.1"],
    ["127.0.0.2"],
    ["::1"],
    ["::ffff:127.0.0.1"],
    ["::ffff:7f00:1"],
    ["0.0.0.0"],
    ["::"],
    ["10.0.0.1"],
    ["192.168.1.1"],
    ["169.254.169.254"],
    ["fe80::1%lo"],
    ["fd00:ec2::254"],
    ["64:ff9b::7f00:1"],
    ["2002:7f00:1::"],
    ["93.184.215.14", "127.0.0.1"],
    ["127.0.0.1", "93.184.215.14"],
    ["2606:4700:4700::1111", "::1"],
    [],
]


@pytest.mark.parametrize("addresses", PRIVATE, ids=",".join)
def test_an_allowed_host_that_resolves_into_our_network_is_not_connected_to(
    proxying: Harbour, canaries: Canaries, addresses: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    resolver = Resolver(addresses)
    lead_to_canaries(proxying, canaries, resolver)
    assert is_reply(proxying.ask(proxy(SCRIPT_URL)), NOT_ALLOWED)
    assert resolver.asked == [TAGS]
    assert "is not a public address" in caplog.text


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.1", "2130706433", "0x7f.1", "0", "[::1]"])
def test_the_systems_own_resolver_leads_nowhere_private_either(canaries: Canaries, host: str) -> None:
    fetcher = PublicFetcher(PublicNetwork(port=canaries.port))
    with pytest.raises(FetchError):
        asyncio.run(fetcher.fetch(f"https://{host}/tag.js"))


def test_a_name_is_resolved_once_and_its_second_answer_is_checked_like_the_first(
    proxying: Harbour, upstream: Upstream, canaries: Canaries
) -> None:
    resolver = lead(proxying, upstream, Resolver(["127.0.0.1"], ["127.0.0.2"]), "127.0.0.1".__eq__)
    assert proxying.ask(proxy(SCRIPT_URL)).status == 200
    assert resolver.asked == [TAGS]
    assert is_reply(proxying.ask(proxy(QUERY_URL)), NOT_ALLOWED)
    assert len(upstream.heads) == 1


def test_one_private_address_among_others_is_enough_to_refuse(proxying: Harbour, upstream: Upstream) -> None:
    for addresses in (["127.0.0.1", "10.0.0.1"], ["10.0.0.1", "127.0.0.1"]):
        lead(proxying, upstream, Resolver(addresses), "127.0.0.1".__eq__)
        assert is_reply(proxying.ask(proxy(SCRIPT_URL)), NOT_ALLOWED)
    assert upstream.heads == []


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"])
@pytest.mark.parametrize(
    "target", ["http://127.0.0.1:{port}/", "https://[::1]:{port}/", "//127.0.0.2:{port}/", "/tag.js"]
)
def test_redirects_are_not_followed(
    proxying: Harbour, upstream: Upstream, canaries: Canaries, status: str, target: str
) -> None:
    location = target.format(port=canaries.port)
    upstream.answers["/tag.js"] = head_only(f"Location: {location}", "Content-Length: 0", status=status)
    lead(proxying, upstream)
    assert is_reply(proxying.ask(proxy(SCRIPT_URL)), NOT_ALLOWED)
    assert len(upstream.heads) == 1


DOCUMENT = b"<html xmlns='http://www.w3.org/1999/xhtml'><script>alert(document.domain)</script></html>"


@pytest.mark.parametrize(
    "kind",
    [
        "text/html",
        "text/html; charset=utf-8",
        "TEXT/HTML",
        "application/xhtml+xml",
        "image/svg+xml",
        "application/xml",
        "text/xml",
        "application/rss+xml",
        "text/plain",
        "application/octet-stream",
        "multipart/x-mixed-replace; boundary=x",
        "text/javascript, text/html",
        "text/html; text/javascript",
        "text/javascript; charset=utf-7",
        "",
    ],
)
def test_documents_are_never_passed_on(proxying: Harbour, upstream: Upstream, kind: str) -> None:
    upstream.answers["/tag.js"] = typed(kind, DOCUMENT)
    lead(proxying, upstream)
    assert is_reply(proxying.ask(proxy(SCRIPT_URL)), NOT_ALLOWED)


@pytest.mark.parametrize("lines", [[], ["Content-Type: text/javascript", "Content-Type: text/html"]], ids=str)
def test_a_file_says_its_kind_once(proxying: Harbour, upstream: Upstream, lines: list[str]) -> None:
    upstream.answers["/tag.js"] = head_only("Content-Length: 0", *lines)
    lead(proxying, upstream)
    assert is_reply(proxying.ask(proxy(SCRIPT_URL)), NOT_ALLOWED)


def test_bodies_are_bounded_packed_and_unpacked(proxying: Harbour, upstream: Upstream) -> None:
    largest = b"x" * public_fetch.LARGEST_FILE
    for answer in (
        head_only("Content-Type: text/javascript", "Content-Length: 10737418240"),
        typed("text/javascript", largest + b"x"),
        in_parts(endless),
        in_parts(bomb, "Content-Encoding: gzip"),
    ):
        upstream.answers["/tag.js"] = answer
        lead(proxying, upstream)
        assert is_reply(proxying.ask(proxy(SCRIPT_URL)), NOT_ALLOWED)
    upstream.answers["/tag.js"] = typed("text/javascript", largest)
    lead(proxying, upstream)
    assert proxying.ask(proxy(SCRIPT_URL)).body == largest


@pytest.mark.parametrize("coding", ["br", "deflate", "zstd", "gzip, gzip", "x"])
def test_only_the_compression_that_was_asked_for_is_unpacked(
    proxying: Harbour, upstream: Upstream, coding: str
) -> None:
    upstream.answers["/tag.js"] = typed("text/javascript", brotli.compress(SCRIPT), f"Content-Encoding: {coding}")
    lead(proxying, upstream)
    assert is_reply(proxying.ask(proxy(SCRIPT_URL)), NOT_ALLOWED)


def test_a_host_has_little_time_in_all(proxying: Harbour, upstream: Upstream, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_fetch, "TOTAL_S", 0.4)
    upstream.answers["/tag.js"] = in_parts(drip)
    lead(proxying, upstream)
    assert is_reply(proxying.ask(proxy(SCRIPT_URL)), NOT_ALLOWED)


def test_finding_and_reaching_a_host_has_a_limit_of_its_own(
    proxying: Harbour, upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "CONNECT_S", 0.2)

    class Slow(Resolver):
        async def __call__(self, host: str) -> list[str]:
            await asyncio.Event().wait()  # endless, so a reply shows that the limit ended the wait
            return ["127.0.0.1"]

    lead(proxying, upstream, Slow())
    assert is_reply(proxying.ask(proxy(SCRIPT_URL)), UNAVAILABLE)
    assert upstream.heads == []


def test_a_host_must_prove_its_name(proxying: Harbour) -> None:
    other = Upstream(("evil.test",))
    with running(other):
        lead(proxying, other)
        assert is_reply(proxying.ask(proxy(SCRIPT_URL)), UNAVAILABLE)
    assert other.heads == []


@pytest.mark.parametrize(
    "answer", [head_only("Content-Length: 0", status=f"{status} x") for status in (204, 206, 404, 500)]
)
def test_other_answers_are_not_passed_on(proxying: Harbour, upstream: Upstream, answer: object) -> None:
    upstream.answers["/tag.js"] = answer  # type: ignore[assignment]
    lead(proxying, upstream)
    assert is_reply(proxying.ask(proxy(SCRIPT_URL)), UNAVAILABLE)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GARBAGE\r\n\r\n",
        OK + b"Content-Type: text/javascript\r\nContent-Length: 9\r\n\r\nhalf",
        OK + b"X: " + b"x" * 300_000,
    ],
    ids=["nothing", "garbage", "half", "endless head"],
)
def test_what_breaks_off_or_is_no_http_is_not_passed_on(proxying: Harbour, upstream: Upstream, sent: bytes) -> None:
    async def break_off(writer: asyncio.StreamWriter) -> None:
        writer.write(sent)

    upstream.answers["/tag.js"] = break_off
    lead(proxying, upstream)
    assert is_reply(proxying.ask(proxy(SCRIPT_URL)), UNAVAILABLE)


def test_a_gzip_that_breaks_off_is_not_passed_on(proxying: Harbour, upstream: Upstream) -> None:
    for body in (third_party.gzip.compress(SCRIPT)[:-12], SCRIPT):
        upstream.answers["/tag.js"] = typed("text/javascript", body, "Content-Encoding: gzip")
        lead(proxying, upstream)
        assert is_reply(proxying.ask(proxy(SCRIPT_URL)), UNAVAILABLE)


def test_a_file_can_only_be_read_and_only_on_a_site_that_lists_it(proxying: Harbour, upstream: Upstream) -> None:
    lead(proxying, upstream)
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "CONNECT"):
        assert is_reply(proxying.ask(proxy(SCRIPT_URL), method=method), WRONG_METHOD)
    assert is_reply(proxying.ask(proxy(SCRIPT_URL), DE), NOT_ALLOWED)
    assert proxying.ask(proxy(SCRIPT_URL), "evil.example").status == 421
    assert proxying.ask(proxy(SCRIPT_URL), STUDIO).headers["x-backend"] == "1"
    for path in ("/__third-party-proxy/", "/__third-party-proxy/x", "/__Third-Party-Proxy"):
        assert proxying.ask(f"{path}?url={SCRIPT_URL}").status in (301, 404)
    assert upstream.heads == []
    assert proxying.ask(proxy(SCRIPT_URL), EN).status == 200


def test_a_changed_registry_holds_at_once(proxying: Harbour, upstream: Upstream) -> None:
    lead(proxying, upstream)
    assert proxying.ask(proxy(SCRIPT_URL)).status == 200
    write_hosts(proxying.root, build_hosts(REGISTRY, "local", PORT))
    assert is_reply(proxying.ask(proxy(SCRIPT_URL)), NOT_ALLOWED)


def test_asking_counts_as_asking_the_api(root: Path, media: Path, build: object, harbour: Harbour) -> None:
    limited = Harbour(root, media, build, lambda: echo, api_limit_per_minute=2)  # type: ignore[arg-type]
    statuses = [limited.ask(proxy("https://evil.example/")).status for _ in range(3)]
    assert statuses == [403, 403, 429]


def test_only_the_worker_may_make_code_of_text(harbour: Harbour) -> None:
    script = DeferredScript(
        name="tags", src=SCRIPT_URL, purpose="necessary", off_main_thread=True, sources=["https://count.example"]
    )
    site = REGISTRY.sites["en"].model_copy(update={"deferred_scripts": [script]})
    registry = REGISTRY.model_copy(update={"sites": {**REGISTRY.sites, "en": site}})
    write_hosts(harbour.root, build_hosts(registry, "local", PORT))
    folder = "/assets/partytown-1/debug"
    files = {f"{folder}/{name}": name for name in ("x-ww-sw.js", "x-sandbox-sw.html", "x-sw.js")}
    for key in ("en", "de"):
        harbour.build("b", {**pages(key), **files}, site=key)
    for host, sources in ((EN, " https://count.example"), (DE, "")):
        worker = harbour.ask(f"{folder}/x-ww-sw.js", host).headers
        assert worker["content-security-policy"] == (
            "default-src 'none'; script-src 'self' 'unsafe-eval'; base-uri 'none'; form-action 'none'; "
            f"frame-ancestors 'none'; connect-src 'self'{sources}"
        )
        for name in ("x-sandbox-sw.html", "x-sw.js"):
            headers = harbour.ask(f"{folder}/{name}", host).headers
            assert "unsafe" not in headers["content-security-policy"]
            assert headers["content-security-policy"].endswith("frame-ancestors 'self'")
        assert "unsafe-eval" not in harbour.ask("/assets/app-1.js", host).headers["content-security-policy"]
        assert worker["cache-control"] == "public, max-age=31536000, immutable"


def test_hosts_written_by_an_earlier_version_pass_nothing_on(root: Path) -> None:
    write_hosts(root, build_hosts(REGISTRY, "local", PORT))
    file = hosts_file(root)
    before = read_hosts(root)
    file.write_text(file.read_text().replace('"third_party": []', '"later": 1'))
    assert read_hosts(root).sites == before.sites


class Visitors:
    """Several visitors at once and over time, in one loop."""

    def __init__(self, upstream: Upstream, resolver: Resolver | None = None) -> None:
        self.now = 0.0
        network = PublicNetwork(resolver or Resolver(["127.0.0.1"]), bool, upstream.port)
        self.scripts = ThirdPartyScripts(PublicFetcher(network, upstream.client_tls), lambda: self.now)

    async def ask(self, url: str = SCRIPT_URL) -> tuple[int, bytes]:
        reply = await self.scripts.answer(b"url=" + quote(url).encode(), (SCRIPT_URL, QUERY_URL), (None,))
        return reply.start["status"], reply.body["body"]

    async def settle(self) -> None:
        await asyncio.gather(*self.scripts._flights.values())
        await asyncio.sleep(0)


def test_visitors_who_come_together_share_one_fetch(upstream: Upstream) -> None:
    async def run() -> None:
        visitors = Visitors(upstream)
        asked = [asyncio.create_task(visitors.ask()) for _ in range(20)]
        await asyncio.sleep(0)
        asked[0].cancel()  # the one who came first goes away
        assert set(await asyncio.gather(*asked[1:])) == {(200, SCRIPT)}

    asyncio.run(run())
    assert len(upstream.heads) == 1


def test_a_file_is_fresh_for_ten_minutes_and_then_renewed_while_nobody_waits(upstream: Upstream) -> None:
    async def run() -> None:
        visitors = Visitors(upstream)
        assert await visitors.ask() == (200, SCRIPT)
        upstream.answers["/tag.js"] = typed("text/javascript", b"newer")
        visitors.now = third_party.FRESH_S - 1
        assert await visitors.ask() == (200, SCRIPT)
        assert len(upstream.heads) == 1
        visitors.now = third_party.FRESH_S
        assert await visitors.ask() == (200, SCRIPT)
        await visitors.settle()
        assert await visitors.ask() == (200, b"newer")
        assert len(upstream.heads) == 2

    asyncio.run(run())


def test_a_host_that_fails_is_stood_in_for_by_its_last_file_for_a_day(
    upstream: Upstream, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)

    async def run() -> None:
        visitors = Visitors(upstream)
        assert await visitors.ask() == (200, SCRIPT)
        upstream.answers["/tag.js"] = head_only("Content-Length: 0", status="500 x")
        visitors.now = third_party.STALE_S
        for _ in range(3):  # left alone after the first failure
            assert await visitors.ask() == (200, SCRIPT)
            await visitors.settle()
        assert len(upstream.heads) == 2
        visitors.now += third_party.FAILED_S
        assert (await visitors.ask())[0] == 502
        assert (await visitors.ask())[0] == 502
        assert len(upstream.heads) == 3
        upstream.answers["/tag.js"] = typed("text/javascript", b"back")
        visitors.now += third_party.FAILED_S
        assert await visitors.ask() == (200, b"back")

    asyncio.run(run())
    assert "returned 500" in caplog.text


def test_memory_is_bounded_and_what_was_used_last_stays(upstream: Upstream, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(third_party, "_MOST_BYTES", 3000)
    upstream.answers["/tag.js"] = typed("image/png", b"x" * 2000)

    async def run() -> None:
        visitors = Visitors(upstream)
        for url in (SCRIPT_URL, QUERY_URL, QUERY_URL, SCRIPT_URL):
            assert (await visitors.ask(url))[0] == 200
        assert list(visitors.scripts._kept) == [SCRIPT_URL]
        assert visitors.scripts._room == 1000

    asyncio.run(run())
    assert len(upstream.heads) == 3
