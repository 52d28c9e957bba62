"""Normalise and compare e-mail addresses, so that each mailbox has one spelling.

``store_address`` is strict, for accounts: two accounts cannot share a mailbox. ``fold_address`` accepts any text, for
addresses from visitors: browsers send a domain in ASCII, people search for it as they write it.
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
        raise ValueError("Use only letters without accents before the @.")
    if not domain.isascii():
        try:
            domain = idna.encode(domain, uts46=True).decode()
        except idna.IDNAError:
            raise ValueError("The part after the @ is not a valid domain.") from None
    return f"{local}@{domain.lower()}"


def compare_address(text: str) -> str:
    """Return a form that is equal for all spellings of one mailbox. Raise ValueError."""
    return store_address(text).lower()


def fold_address(text: str) -> str:
    """Return a form that is equal for all spellings of one mailbox. Accepts any text.

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
    """Return the text to search for a part of an address: folded, with the domain both in ASCII and in letters."""
    address = fold_address(text)
    local, at, domain = address.rpartition("@")
    return fold(f"{address}\n{local}{at}{_read_domain(domain)}" if "xn--" in domain else address)


@lru_cache(maxsize=1024)
def _read_domain(domain: str) -> str:
    with suppress(idna.IDNAError):
        return idna.decode(domain)
    return domain
