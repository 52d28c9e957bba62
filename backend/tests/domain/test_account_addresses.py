import pytest

from portolan.domain.account_addresses import compare_address, store_address


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        (" Ada@Müller.Example ", "Ada@xn--mller-kva.example"),
        ("ada@XN--MLLER-KVA.example", "ada@xn--mller-kva.example"),
        ("ada@müller。example", "ada@xn--mller-kva.example"),
        ("a+b@my_host", "a+b@my_host"),
        ('"a@b"@c.example', '"a@b"@c.example'),
    ],
)
def test_one_spelling_is_stored(typed: str, stored: str) -> None:
    assert store_address(typed) == stored
    assert store_address(stored) == stored
    assert compare_address(typed) == stored.lower()


@pytest.mark.parametrize("typed", ["", "ada", "@b.example", "ada@", "ſam@b.example", "a@-ä.example", "a@" + "ä" * 300])
def test_what_is_no_address_is_refused(typed: str) -> None:
    """The letter "ſ" would fold to "s", and the mailbox would be another person's."""
    with pytest.raises(ValueError):
        compare_address(typed)
