"""The requests to each kind of CDN: over HTTP, to a server that records them."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import requests
from pydantic import TypeAdapter

from portolan.cdn.backends import PurgeError, purge
from portolan.domain.cdn import page_key
from portolan.sites.cdn import CdnSettings

SITES = {"https://brightmoor.example": "en", "https://de.brightmoor.example": "de"}
URLS = ["https://brightmoor.example/about-us", "https://de.brightmoor.example/%D1%83", "https://brightmoor.example/*"]
KEYS = [page_key("en", "/about-us"), page_key("de", "/у"), "en"]


class Provider:
    def __init__(self) -> None:
        self.asked: list[tuple[str, str, dict[str, str], bytes]] = []
        self.status, self.body = 200, b'{"success": true}'
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def note(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                provider.asked.append((self.command, self.path, headers, body))
                self.send_response(provider.status)
                self.send_header("content-length", str(len(provider.body)))
                self.end_headers()
                self.wfile.write(provider.body)

            do_PURGE = do_POST = note

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """Receive the requests to all providers' hosts."""
    made = Provider()
    thread = threading.Thread(target=made.server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    post = requests.post

    def post_here(url: str, **more: Any) -> requests.Response:
        for host in ("https://api.cloudflare.com", "https://api.fastly.com"):
            url = url.replace(host, made.url)
        return post(url, **more)

    monkeypatch.setattr(requests, "post", post_here)
    monkeypatch.setenv("AWS_ENDPOINT_URL_CLOUDFRONT", made.url)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION"):
        monkeypatch.setenv(name, "test")
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()


def cdn(kind: str, **values: Any) -> Any:
    return TypeAdapter[Any](CdnSettings).validate_python({"name": "front", "kind": kind, "country": "cdn", **values})


def cloudflare() -> Any:
    return cdn("cloudflare", zone="0" * 32, secret_env="CDN_TOKEN")


def test_cloudflare_is_given_tags(provider: Provider) -> None:
    purge(cloudflare(), "secret", SITES, URLS)
    ((method, path, headers, body),) = provider.asked
    assert (method, path) == ("POST", f"/client/v4/zones/{'0' * 32}/purge_cache")
    assert headers["authorization"] == "Bearer secret"
    assert json.loads(body) == {"tags": KEYS}


def test_cloudflare_takes_a_hundred_at_a_time(provider: Provider) -> None:
    purge(cloudflare(), "secret", SITES, [f"https://brightmoor.example/{number}" for number in range(250)])
    assert [len(json.loads(body)["tags"]) for *_, body in provider.asked] == [100, 100, 50]


def test_fastly_is_given_keys(provider: Provider) -> None:
    purge(cdn("fastly", service="SU1Z0isxPaozGVKXdv0eY", secret_env="CDN_TOKEN"), "secret", SITES, URLS)
    ((method, path, headers, _),) = provider.asked
    assert (method, path) == ("POST", "/service/SU1Z0isxPaozGVKXdv0eY/purge")
    assert (headers["fastly-key"], headers["surrogate-key"].split()) == ("secret", KEYS)


def test_cloudfront_is_given_paths(provider: Provider) -> None:
    provider.status, provider.body = 201, b"<Invalidation><Id>I1</Id></Invalidation>"
    purge(cdn("cloudfront", distribution="EDFDVBD6EXAMPLE"), "", SITES, URLS)
    ((method, path, _, body),) = provider.asked
    assert (method, path) == ("POST", "/2020-05-31/distribution/EDFDVBD6EXAMPLE/invalidation")
    assert all(item in body for item in (b"<Path>/about-us</Path>", b"<Path>/*</Path>", b"<Quantity>3</Quantity>"))


def test_a_proxy_is_asked_by_host_and_path(provider: Provider) -> None:
    purge(cdn("http", urls=[provider.url, provider.url]), "", SITES, URLS)
    said = [(method, headers["host"], path) for method, path, headers, _ in provider.asked]
    one = [
        ("PURGE", "brightmoor.example", "/about-us"),
        ("PURGE", "de.brightmoor.example", "/%D1%83"),
        ("PURGE", "brightmoor.example", "/*"),
    ]
    assert said == one * 2


def test_what_a_proxy_has_not_kept_is_no_failure(provider: Provider) -> None:
    provider.status = 404
    purge(cdn("http", urls=[provider.url]), "", SITES, URLS)
    assert len(provider.asked) == len(URLS)


@pytest.mark.parametrize("kind", ["cloudflare", "fastly", "cloudfront", "http"])
def test_a_refusal_is_a_failure_that_says_what_was_answered(
    provider: Provider, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    provider.status, provider.body = 403, b"not allowed"
    known: dict[str, Any] = {
        "cloudflare": {"zone": "0" * 32, "secret_env": "CDN_TOKEN"},
        "fastly": {"service": "SU1Z0isxPaozGVKXdv0eY", "secret_env": "CDN_TOKEN"},
        "cloudfront": {"distribution": "EDFDVBD6EXAMPLE"},
        "http": {"urls": [provider.url]},
    }
    with pytest.raises(PurgeError, match=r"403|ParserError|not allowed"):
        purge(cdn(kind, **known[kind]), "secret", SITES, URLS[:1])


def test_cloudflare_may_refuse_with_200(provider: Provider) -> None:
    provider.body = b'{"success": false, "errors": [{"message": "Invalid zone"}]}'
    with pytest.raises(PurgeError, match="Invalid zone"):
        purge(cloudflare(), "secret", SITES, URLS)


def test_a_proxy_that_is_away_is_a_failure() -> None:
    with pytest.raises(PurgeError, match="URLError"):
        purge(cdn("http", urls=["http://127.0.0.1:1"]), "", SITES, URLS[:1])
