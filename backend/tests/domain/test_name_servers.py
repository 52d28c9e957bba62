import pytest

from portolan.domain.name_servers import read_name_server


@pytest.mark.parametrize(
    ("text", "server"),
    [
        ("192.0.2.1", ("192.0.2.1", 53)),
        ("192.0.2.1:5353", ("192.0.2.1", 5353)),
        ("2001:db8::1", ("2001:db8::1", 53)),
        ("[2001:db8::1]", ("2001:db8::1", 53)),
        ("[2001:db8::1]:5353", ("2001:db8::1", 5353)),
    ],
)
def test_a_name_server_is_an_address_and_perhaps_a_port(text: str, server: tuple[str, int]) -> None:
    assert read_name_server(text) == server


@pytest.mark.parametrize(
    "text", ["", "dns.example", "192.0.2.1:", "192.0.2.1:0", "192.0.2.1:65536", "192.0.2.1:x", ":53"]
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"address|port"):
        read_name_server(text)
