import pytest

from portolan.domain.email_addresses import compare_address, fold_address, searched_address, store_address


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


@pytest.mark.parametrize(
    "typed",
    [
        "info@müller-söhne.de",
        "Info@Müller-Söhne.DE",
        "info@xn--mller-shne-kcb9d.de",
        "INFO@XN--MLLER-SHNE-KCB9D.DE.",
        "\u200b info@mu\u0308ller-so\u0308hne.de\ufeff",
    ],
)
def test_addresses_of_one_mailbox_are_equal(typed: str) -> None:
    assert fold_address(typed) == "info@xn--mller-shne-kcb9d.de"
    assert "info@muller-sohne.de" in searched_address(typed)
    assert "kcb9d" in searched_address(typed)


@pytest.mark.parametrize(
    "typed", ["", "@", "a@", "nobody", "a@b@c", "a@-ä.example", "a@" + "ä" * 300, "xn--\u0fff@xn--"]
)
def test_any_text_can_be_compared(typed: str) -> None:
    assert fold_address(fold_address(typed)) == fold_address(typed)
    searched_address(typed)
