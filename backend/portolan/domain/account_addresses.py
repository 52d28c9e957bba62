"""Normalise and compare e-mail addresses of accounts.

One mailbox has one spelling here, so that two accounts cannot share it.
"""

import idna


def store_address(text: str) -> str:
    """Return the address with its domain in ASCII and lower case. Raise ValueError.

    >>> store_address(" Ada@Müller.Example ")
    'Ada@xn--mller-kva.example'
    """
    local, at, domain = text.strip().rpartition("@")
    if not (local and at and domain) or len(text) > 254:
        raise ValueError("This is not an e-mail address.")
    # Some letters outside ASCII fold to ASCII letters ("ſ" to "s"), which belong to a different mailbox.
    if not local.isascii():
        raise ValueError("Write the part before the @ in letters without accents.")
    if not domain.isascii():
        try:
            domain = idna.encode(domain, uts46=True).decode()
        except idna.IDNAError:
            raise ValueError("The part after the @ is not a domain.") from None
    return f"{local}@{domain.lower()}"


def compare_address(text: str) -> str:
    """Return a form that is equal for all spellings of one mailbox. Raise ValueError."""
    return store_address(text).lower()
