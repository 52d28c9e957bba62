"""Which IP addresses are of the public internet, in any spelling and through any gateway."""

import pytest

from portolan.domain.public_addresses import is_public_address

PUBLIC = ["93.184.215.14", "8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450:4001:800::200e", "::ffff:8.8.8.8"]

NOT_PUBLIC = [
    *("127.0.0.1", "127.0.0.2", "127.255.255.254", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1"),
    *("0.0.0.0", "0.1.2.3", "::", "255.255.255.255"),
    *("10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1", "::ffff:10.0.0.1"),
    *("169.254.169.254", "fe80::1", "fe80::1%eth0", "::ffff:a9fe:a9fe"),
    *("fd00:ec2::254", "fc00::1", "fec0::1"),
    *("64:ff9b::a9fe:a9fe", "64:ff9b::8.8.8.8", "64:ff9b:1::1"),
    *("2002:a9fe:a9fe::", "2002:7f00:1::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "::a9fe:a9fe"),
    *("192.88.99.1", "192.0.0.8", "192.0.0.170", "192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1"),
    *("2001:db8::1", "100::1"),
    *("224.0.0.1", "239.255.255.250", "ff02::1", "ff0e::1", "240.0.0.1"),
    *("", "localhost", "127.1", "2130706433", "0x7f.1", "①②⑦.0.0.1", "example.com", "8.8.8.8.", " 8.8.8.8", "[::1]"),
]


@pytest.mark.parametrize("address", PUBLIC)
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public_address(address)


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_whatever_leads_to_ourselves_or_our_network_is_not(address: str) -> None:
    assert not is_public_address(address)
