import pytest
from django.conf import settings
from django.test import Client

from portolan.api.cors import REQUEST_HEADERS
from portolan.domain.content_api import READS

from .content.release_items import build_release

OWN = settings.SITE_ORIGINS["de"]
STRANGER = "https://elsewhere.example"
PATH = "/api/content/offices"
VIEWS = "/api/integration/articles/views"


@pytest.fixture(autouse=True)
def release(snapshot):
    snapshot(build_release())


def preflight(client: Client, path: str, origin: str, method: str = "GET"):
    headers = {
        "Host": "localhost",
        "Origin": origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "api-version, accept-language, content-type, country-code",
    }
    return client.options(path, headers=headers)


@pytest.mark.parametrize("origin", [OWN, STRANGER, "null", ""])
def test_any_page_may_read_and_the_reply_is_the_same_for_all(get, origin):
    reply = get(PATH, Origin=origin)
    assert reply["Access-Control-Allow-Origin"] == "*"
    assert "Origin" not in reply["Vary"]
    assert "Access-Control-Allow-Credentials" not in reply
    assert reply["ETag"] == get(PATH)["ETag"]


def test_refusals_can_be_read_too(get):
    for path, headers in ((f"{PATH}/none", {}), (PATH, {"Api_Version": "v4"}), ("/api/none", {})):
        assert get(path, Origin=STRANGER, **headers)["Access-Control-Allow-Origin"] == "*"


def test_what_tells_of_persons_is_for_our_own_sites(get):
    for path in (VIEWS, "/api/integration/none"):
        own, stranger, nobody = get(path, Origin=OWN), get(path, Origin=STRANGER), get(path)
        assert own["Access-Control-Allow-Origin"] == OWN
        assert "Access-Control-Allow-Origin" not in stranger
        assert "Access-Control-Allow-Origin" not in nobody
        for reply in (own, stranger, nobody):
            assert "Origin" in reply["Vary"]
            assert "Access-Control-Allow-Credentials" not in reply


@pytest.mark.parametrize("origin", settings.SITE_ORIGINS.values())
def test_every_site_is_one_of_ours(get, origin):
    assert get(VIEWS, Origin=origin)["Access-Control-Allow-Origin"] == origin


def test_a_name_that_begins_like_ours_is_a_strangers(get):
    for origin in (f"{OWN}.evil.example", f"https://evil.example/{OWN}", OWN.upper(), f"{OWN}/"):
        assert "Access-Control-Allow-Origin" not in get(VIEWS, Origin=origin)


def test_a_browser_is_told_what_it_may_send(client):
    reply = preflight(client, PATH, STRANGER)
    assert (reply.status_code, reply.content) == (204, b"")
    assert reply["Access-Control-Allow-Origin"] == "*"
    assert reply["Access-Control-Allow-Methods"] == reply["Allow"] == "GET, HEAD, OPTIONS"
    allowed = {name.strip().lower() for name in reply["Access-Control-Allow-Headers"].split(",")}
    assert {"api-version", "accept-language", "content-type", "cross-origin-resource-policy"} <= allowed
    assert {header.lower() for read in READS for header in read.headers} <= allowed
    assert {"email-validation", "integration", "idempotency-key"} <= allowed
    assert int(reply["Access-Control-Max-Age"]) > 0
    assert sorted(REQUEST_HEADERS) == list(REQUEST_HEADERS)


def test_a_preflight_needs_no_version_and_finds_every_read(client):
    for read in READS:
        assert preflight(client, f"/api/{read.path.replace('{', '').replace('}', '')}", OWN).status_code == 204


def test_options_without_a_preflight_names_the_methods(client):
    reply = client.options(PATH, headers={"Host": "localhost"})
    assert (reply.status_code, reply["Allow"]) == (204, "GET, HEAD, OPTIONS")
    assert "Access-Control-Allow-Methods" not in reply


def test_a_preflight_of_nothing_is_refused(client):
    assert preflight(client, "/api/none", OWN).status_code == 404


def test_a_page_may_read_the_headers_it_needs(get):
    exposed = get(PATH)["Access-Control-Expose-Headers"]
    assert {"Api-Version", "Content-Language", "ETag", "Retry-After"} <= set(exposed.split(", "))
