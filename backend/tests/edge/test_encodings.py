import pytest

from portolan.edge.encodings import Coding, accepted_codings


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (b"", (None,)),
        (b"gzip, deflate, br, zstd", ("br", "gzip", None)),
        (b"gzip", ("gzip", None)),
        (b"GZIP;Q=0.5", ("gzip", None)),
        (b"x-gzip", ("gzip", None)),
        (b"br;q=0", (None,)),
        (b"br;q=0, *", ("gzip", None)),
        (b"*", ("br", "gzip", None)),
        (b"*;q=0", (None,)),
        (b"br;q=0.5, gzip;q=0.9", ("gzip", "br", None)),
        (b"gzip;q=0.3, *;q=0.8", ("br", "gzip", None)),
        (b"gzip;q=0.5, identity", (None, "gzip")),
        (b"br;q=0.5, identity;q=0.5", ("br", None)),
        (b"identity;q=0, br", ("br", None)),
        (b"br;q=nonsense", (None,)),
        (b"br;q=7", ("br", None)),
        (b"deflate, zstd", (None,)),
        (b",,;;, br ;q=1", ("br", None)),
        (b"\xff\xfe", (None,)),
        (b"br," * 40_000, (None,)),
    ],
)
def test_weights_are_honoured(header: bytes, expected: tuple[Coding, ...]) -> None:
    assert accepted_codings(header) == expected
