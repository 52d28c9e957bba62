"""Normalise and compare e-mail addresses. One mailbox has one spelling here.

Accounts are strict (``store_address``), so that two cannot share a mailbox. Addresses that visitors typed are compared as they
are (``fold_address``): browsers send a domain in ASCII, and people ask for it as they write it.
"""

from contextlib import suppress
from functools import lru_cache

import idna

from ..schemas.visible_text import trim
from .letters import compose, fold


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


def fold_address(text: str) -> str:
    """Return a form that is equal for all spellings of one mailbox; of any text, an address or not.

    >>> fold_address(" Info@Müller-Söhne.de "), fold_address("INFO@xn--mller-shne-kcb9d.de.")
    ('info@xn--mller-shne-kcb9d.de', 'info@xn--mller-shne-kcb9d.de')
    """
    local, at, domain = compose(trim(text)).rpartition("@")
    domain = domain.removesuffix(".")
    if not domain.isascii():
        with suppress(idna.IDNAError):
            domain = idna.encode(domain, uts46=True).decode()
    return f"{local}{at}{domain}".casefold()


def searched_address(text: str) -> str:
    """Return the text in which a search looks for a part of an address: with its domain in ASCII and in letters, folded."""
    address = fold_address(text)
    local, at, domain = address.rpartition("@")
    return fold(f"{address}\n{local}{at}{_read_domain(domain)}" if "xn--" in domain else address)


@lru_cache(maxsize=1024)
def _read_domain(domain: str) -> str:
    with suppress(idna.IDNAError):
        return idna.decode(domain)
    return domain
