"""The source of the visitor's country, which is the only fact about a visitor that changes a reply."""

import logging
from pathlib import Path
from typing import Any

import pytest
from mmdb_writer import MMDBWriter
from netaddr import IPSet

from portolan.builds.hosts import build_hosts, host_of, write_hosts
from portolan.edge.clients import Clients
from portolan.edge.country import CountryFile, VisitorCountry, read_country

from ..builds.conftest import Build
from .conftest import EN, REGISTRY, Harbour, echo, pages

PROXY, VISITOR = "10.0.0.1", "203.0.113.9"


def write_database(path: Path, networks: dict[str, str]) -> Path:
    writer = MMDBWriter(ip_version=6, ipv4_compatible=True, database_type="Countries")
    for network, country in networks.items():
        writer.insert_network(IPSet([network]), {"country": {"iso_code": country}})
    draft = path.with_suffix(".new")
    writer.to_db_file(str(draft))
    draft.rename(path)
    return path


@pytest.fixture
def database(tmp_path: Path) -> Path:
    networks = {"203.0.113.0/24": "DE", "198.51.100.0/24": "FR", "2001:db8::/32": "KZ", "192.0.2.0/24": "XX"}
    return write_database(tmp_path / "countries.mmdb", networks)


def scope(client: str = VISITOR, query: str = "", scheme: str = "http", **headers: str) -> dict[str, Any]:
    fields = [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()]
    return {"client": (client, 1), "query_string": query.encode(), "scheme": scheme, "headers": fields}


@pytest.mark.parametrize(
    ("said", "country"),
    [
        ("de", "de"),
        (" GB ", "gb"),
        ("UK", "gb"),
        ("XX", None),
        ("T1", None),
        ("", None),
        ("<script>", None),
        ("zz", None),
    ],
)
def test_only_countries_are_countries(said: str, country: str | None) -> None:
    assert read_country(said) == country


@pytest.mark.parametrize(
    ("request_", "country"),
    [
        (scope(), "de"),
        (scope("2001:db8::1"), "kz"),
        (scope("::ffff:203.0.113.9"), "de"),
        (scope("192.0.2.1"), None),
        (scope("127.0.0.1"), None),
        (scope("not an address"), None),
        (scope(cookie="country_code=fr"), None),
        (scope(cookie="a=b; country_code=zz"), "de"),
        (scope(cf_ipcountry="PL"), "de"),
        (scope(PROXY, cf_ipcountry="PL"), "pl"),
        (scope(PROXY, cf_ipcountry="XX", x_forwarded_for="198.51.100.7"), None),
        (scope(PROXY, x_forwarded_for="198.51.100.7"), "fr"),
        (scope(query="country=az"), "az"),
        (scope(query="country=az", cookie="country_code=fr"), "az"),
        (scope(query="country=zz"), "de"),
    ],
)
def test_the_first_that_knows_decides(database: Path, request_: dict[str, Any], country: str | None) -> None:
    rules = VisitorCountry(Clients(["10.0.0.0/8"]), "CF-IPCountry", CountryFile(database), override=True)
    found = rules.set_cookie(request_, secure=False)
    assert (found.split(b";")[0].decode() if found else None) == (f"country_code={country}" if country else None)


def test_production_takes_no_country_from_the_address(database: Path) -> None:
    rules = VisitorCountry(Clients(), "", None, override=False)
    assert rules.set_cookie(scope(query="country=az"), secure=False) is None


def test_the_cookie_is_short_lived_and_readable_by_scripts(database: Path) -> None:
    rules = VisitorCountry(Clients(), "", CountryFile(database), override=False)
    plain = b"country_code=de; Max-Age=86400; Path=/; SameSite=Lax"
    assert rules.set_cookie(scope(), secure=False) == plain
    assert rules.set_cookie(scope(), secure=True) == plain + b"; Secure"


@pytest.mark.parametrize(
    "cookie", ["a=b; country_code=fr", "country_code=fr", "a=b;country_code=fr;c=d", "a=b; \tcountry_code= fr"]
)
def test_a_country_among_other_cookies_is_found(database: Path, cookie: str) -> None:
    rules = VisitorCountry(Clients(), "", CountryFile(database), override=False)
    assert rules.set_cookie(scope(cookie=cookie), secure=False) is None


@pytest.mark.parametrize("cookie", ["xcountry_code=fr", "country_codes=fr", "a=country_code=fr", ";" * 100_000])
def test_another_cookie_is_no_country(database: Path, cookie: str) -> None:
    rules = VisitorCountry(Clients(), "", CountryFile(database), override=False)
    assert rules.set_cookie(scope(cookie=cookie), secure=False) is not None


def test_a_new_file_is_taken_up_and_a_broken_one_is_not(database: Path, caplog: pytest.LogCaptureFixture) -> None:
    now = 0.0
    file = CountryFile(database, lambda: now)
    assert file.country(VISITOR) == "de"
    now += 61
    write_database(database, {"203.0.113.0/24": "PL"})
    assert file.country(VISITOR) == "pl"
    database.unlink()
    database.write_bytes(b"no database")
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            now += 61
            assert file.country(VISITOR) == "pl"
    assert len(caplog.records) == 1
    assert VISITOR not in caplog.text
    now += 61
    write_database(database, {"203.0.113.0/24": "FR"})
    assert file.country(VISITOR) == "fr"


def test_a_file_that_is_not_there_hurts_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = CountryFile(tmp_path / "missing.mmdb")
    assert file.country(VISITOR) is None
    assert "missing.mmdb" in caplog.text


def test_pages_set_it_and_the_bytes_are_the_same_for_everybody(harbour: Harbour) -> None:
    served = Harbour(harbour.root, harbour.media, harbour.build, lambda: echo, country_override=True)
    countries = ("de", "gb", "us", "fr", "pl", "ae", "az", "kz", "by", "ru", "ua", "in")
    found = {country: served.ask(f"/about-us?country={country}") for country in countries}
    assert len({page.body for page in found.values()}) == 1
    for country, page in found.items():
        assert page.headers["set-cookie"].startswith(f"country_code={country};")
        assert page.headers["cache-control"] == "private, max-age=0, must-revalidate"
    plain = served.ask("/about-us")
    assert "set-cookie" not in plain.headers
    assert (plain.body, plain.headers["cache-control"]) == (found["de"].body, "public, max-age=0, must-revalidate")
    assert "set-cookie" not in served.ask("/assets/app-1.js?country=de").headers
    missing = served.ask("/nowhere?country=de", EN)
    assert (missing.status, "set-cookie" in missing.headers) == (404, True)
    assert missing.headers["cache-control"].startswith("private")
    head = served.ask("/about-us?country=de", method="HEAD")
    assert (head.body, head.headers) == (b"", found["de"].headers)


def test_a_cache_in_front_keeps_nobodys_country(harbour: Harbour) -> None:
    """Replies that a cache may store have no cookie. Replies with a cookie forbid storing, also for a 304 and its
    stored copy.
    """
    served = Harbour(harbour.root, harbour.media, harbour.build, lambda: echo, country_override=True)
    kept = served.ask("/about-us", cookie="country_code=fr")
    assert ("set-cookie" in kept.headers, kept.headers["cache-control"].split(",")[0]) == (False, "public")
    asked_again = served.ask("/about-us?country=de", if_none_match=kept.headers["etag"])
    assert (asked_again.status, asked_again.body) == (200, kept.body)
    assert asked_again.headers["set-cookie"].startswith("country_code=de;")
    assert asked_again.headers["cache-control"] == "private, max-age=0, must-revalidate"
    known = served.ask("/about-us?country=de", if_none_match=kept.headers["etag"], cookie="country_code=de")
    assert (known.status, "set-cookie" in known.headers) == (304, False)
    assert known.headers["cache-control"] == kept.headers["cache-control"]


def test_the_cookie_is_secure_where_visitors_know_the_site_by_https(root: Path, media: Path, build: Build) -> None:
    """Also if a proxy in front ends TLS and forwards by http."""
    write_hosts(root, build_hosts(REGISTRY, "production", 8000))
    served = Harbour(root, media, build, lambda: echo, country_override=True)
    served.build("a", pages("en"), site="en")
    host = host_of(REGISTRY.sites["en"].origin("production", 8000))
    for scheme in ("http", "https"):
        assert served.ask("/?country=de", host, scheme=scheme).headers["set-cookie"].endswith("; Secure")


def test_by_http_it_is_not_secure(harbour: Harbour) -> None:
    served = Harbour(harbour.root, harbour.media, harbour.build, lambda: echo, country_override=True)
    assert "Secure" not in served.ask("/?country=de").headers["set-cookie"]
