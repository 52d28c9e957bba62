"""Which URLs belong to our sites."""

import pytest

from portolan.publisher.addresses import Addresses


@pytest.mark.parametrize(
    ("url", "external"),
    [
        ("http://localhost:8000/about-us", False),
        ("http://de.localhost:8000", False),
        ("HTTP://DE.localhost:8000/x", False),
        ("https://people.brightmoor.example/jobs", True),
        ("https://elsewhere.example", True),
        ("http://localhost:9000", True),
        ("mailto:hello@brightmoor.example", False),
        ("tel:+44", False),
    ],
)
def test_knows_what_is_external(addresses: Addresses, url: str, external: bool) -> None:
    assert addresses.is_external(url) is external


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("http://de.localhost:8000/a/b?c#d", ("de", "/a/b?c#d")),
        ("http://de.localhost:8000", ("de", "/")),
        ("http://de.localhost:8000#top", ("de", "#top")),
        ("http://other.example/a", None),
    ],
)
def test_locates_absolute_addresses(addresses: Addresses, url: str, found: tuple[str, str] | None) -> None:
    assert addresses.locate(url) == found
