from typing import Any

import pytest

from portolan.edge.clients import Clients


def scope(address: str | None, *forwarded: str) -> dict[str, Any]:
    client = (address, 5000) if address else None
    return {"client": client, "headers": [(b"x-forwarded-for", value.encode()) for value in forwarded]}


@pytest.mark.parametrize(
    ("proxies", "connected", "forwarded", "found"),
    [
        ([], "203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
        (["10.0.0.0/8"], "203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
        (["10.0.0.0/8"], "10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        (["10.0.0.0/8"], "10.0.0.1", ["1.1.1.1, 198.51.100.1, 10.0.0.2"], "198.51.100.1"),
        (["10.0.0.0/8"], "10.0.0.1", ["1.1.1.1", "198.51.100.1"], "198.51.100.1"),
        (["10.0.0.0/8"], "10.0.0.1", ["nonsense"], "10.0.0.1"),
        (["10.0.0.0/8"], "10.0.0.1", [], "10.0.0.1"),
        (["10.0.0.0/8"], "10.0.0.1", [",".join(["10.9.9.9"] * 10_000) + ", 198.51.100.1"], "198.51.100.1"),
        (["10.0.0.0/8"], "10.0.0.1", ["1.1.1.1," + "10.9.9.9," * 19 + "10.0.0.3"], "10.9.9.9"),
        (["10.0.0.0/8"], "10.0.0.1", ["1.1.1.1," + "10.9.9.9," * 18 + "10.0.0.3"], "1.1.1.1"),
        (["::1/128"], "::1", ["2001:db8::7"], "2001:db8::7"),
        (["10.0.0.0/8"], None, ["198.51.100.1"], ""),
    ],
)
def test_only_trusted_proxies_are_believed(
    proxies: list[str], connected: str | None, forwarded: list[str], found: str
) -> None:
    assert Clients(proxies).address(scope(connected, *forwarded)) == found


@pytest.mark.parametrize(
    ("proxies", "connected", "said", "found"),
    [
        (["10.0.0.0/8"], "10.0.0.1", "https", "https"),
        (["10.0.0.0/8"], "10.0.0.1", "HTTPS", "https"),
        (["10.0.0.0/8"], "10.0.0.1", "gopher", "http"),
        (["10.0.0.0/8"], "10.0.0.1", None, "http"),
        (["10.0.0.0/8"], "203.0.113.9", "https", "http"),
        ([], "10.0.0.1", "https", "http"),
        (["10.0.0.0/8"], None, "https", "http"),
    ],
)
def test_only_they_say_by_which_protocol_visitors_come(
    proxies: list[str], connected: str | None, said: str | None, found: str
) -> None:
    request = scope(connected) | {"scheme": "http"}
    request["headers"] += [(b"x-forwarded-proto", said.encode())] if said else []
    assert Clients(proxies).scheme(request) == found
