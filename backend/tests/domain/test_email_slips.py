import time

import pytest

from portolan.domain.email_slips import PROVIDERS, edit_distance, suggest_address


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("gmial.com", "gmail.com"),
        ("gamil.com", "gmail.com"),
        ("gmal.com", "gmail.com"),
        ("gmaill.com", "gmail.com"),
        ("gmail.con", "gmail.com"),
        ("gmail.co", "gmail.com"),
        ("gmial.con", "gmail.com"),
        ("gmail,com", "gmail.com"),
        ("gmail..com", "gmail.com"),
        ("gmail.com.", "gmail.com"),
        ("GMIAL.COM", "gmail.com"),
        ("hotmial.com", "hotmail.com"),
        ("hotmail.con", "hotmail.com"),
        ("homtial.co.uk", "hotmail.co.uk"),
        ("outlok.de", "outlook.de"),
        ("yaho.fr", "yahoo.fr"),
        ("iclod.com", "icloud.com"),
        ("tonline.de", "t-online.de"),
        ("freenet.dr", "freenet.de"),
        ("laposte.nett", "laposte.net"),
        ("brightmoor.con", "brightmoor.com"),
        ("mail.brightmoor.ogr", "mail.brightmoor.org"),
    ],
)
def test_a_common_slip_is_recognised(typed: str, meant: str) -> None:
    assert suggest_address(f"Jo.Doe+x@{typed}") == f"Jo.Doe+x@{meant}"


@pytest.mark.parametrize(
    "domain",
    [
        *(f"{name}.{ending}" for name, endings in PROVIDERS.items() for ending in endings),
        "Gmail.com",
        "hotmail.es",  # providers have more endings than are listed
        "line.com",
        "brightmoor.example",
        "brightmoor.co",
        "gov.ae",
        "mail.gov.kz",
        "grange.com",
        "почта.рф",
    ],
)
def test_a_good_domain_is_left_alone(domain: str) -> None:
    assert suggest_address(f"jo@{domain}") is None


@pytest.mark.parametrize("address", ["", "@", "jo", "jo@", "@gmial.com", " @gmial.com", "jo@localhost", "jo@.", "jo@,"])
def test_what_is_no_address_gets_no_suggestion(address: str) -> None:
    assert suggest_address(address) is None


def test_spaces_around_the_sign_are_slips_too() -> None:
    assert suggest_address(" jo @ gmial.com ") == "jo@gmail.com"
    assert suggest_address("jo@brightmoor.example ") == suggest_address(" jo@brightmoor.example")
    assert suggest_address("jo@brightmoor.example ") == "jo@brightmoor.example"


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [("", "", 0), ("a", "a", 0), ("ab", "ba", 1), ("abc", "ac", 1), ("ac", "abc", 1), ("abc", "axc", 1), ("", "ab", 2)],
)
def test_distance_counts_a_swap_once(one: str, other: str, distance: int) -> None:
    assert edit_distance(one, other, 2) == distance


def test_distance_stops_counting_where_nobody_asks() -> None:
    assert edit_distance("abcdef", "uvwxyz", 2) == 3
    assert edit_distance("a", "abcdef", 2) == 3


def test_a_long_address_costs_no_time() -> None:
    began = time.thread_time()
    suggest_address("a" * 300 + "@" + "gmail" * 2000 + ".com")
    assert time.thread_time() - began < 0.5
