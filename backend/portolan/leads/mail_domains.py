"""Check by DNS whether a domain accepts mail. Nothing is logged, because a domain is half an address."""

import hashlib
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.core.cache import cache
from dns.exception import DNSException
from dns.nameserver import Do53Nameserver
from dns.rdatatype import RdataType
from dns.resolver import NXDOMAIN, NoAnswer, Resolver

from ..domain.name_servers import NameServer
from ..schemas.email_verdict import EmailReason

LONGEST_S: Final = 2.0
"""For all queries together."""
_MOST_AT_ONCE: Final = 16
_KEPT_S: Final[Mapping[EmailReason, int]] = {
    "ok": 24 * 3600,
    "domain-unknown": 3600,
    "domain-takes-no-mail": 3600,
    "unknown": 30,
}

_asking = threading.BoundedSemaphore(_MOST_AT_ONCE)


def ask_domain(domain: str, servers: Sequence[NameServer]) -> EmailReason:
    """Return ``ok``, ``domain-unknown``, ``domain-takes-no-mail``, or ``unknown`` without a reply within two seconds.

    ``domain`` is in ASCII. Without ``servers``, the machine's own are used. Results are cached.
    """
    key = f"mail-domain:{hashlib.sha256(domain.lower().encode()).hexdigest()[:32]}"
    known: EmailReason | None = cache.get(key)
    if known is not None:
        return known
    ends = time.monotonic() + LONGEST_S
    if not _asking.acquire(timeout=LONGEST_S / 2):
        return "unknown"
    try:
        reason = _ask(domain, servers, ends)
    finally:
        _asking.release()
    cache.set(key, reason, _KEPT_S[reason])
    return reason


def _ask(domain: str, servers: Sequence[NameServer], ends: float) -> EmailReason:
    try:
        resolver = _resolver(servers)
        try:
            hosts = _look_up(resolver, domain, RdataType.MX, ends)
        except NXDOMAIN:
            # A name server without a network says this about every name, so check that it resolves the root.
            return "domain-unknown" if _look_up(resolver, "", RdataType.NS, ends) else "unknown"
        if hosts is not None:
            # A single empty record means that the domain accepts no mail (RFC 7505).
            return "ok" if any(str(host.exchange) != "." for host in hosts) else "domain-takes-no-mail"
        for kind in (RdataType.A, RdataType.AAAA):  # a domain without MX is its own mail host (RFC 5321, 5.1)
            if _look_up(resolver, domain, kind, ends) is not None:
                return "ok"
    except (DNSException, OSError, ValueError):  # no server, no reply in time, or an invalid one
        return "unknown"
    return "domain-takes-no-mail"


def _look_up(resolver: Resolver, domain: str, kind: RdataType, ends: float) -> Iterable[Any] | None:
    """Return the records of a kind, or ``None`` if there are none."""
    try:
        return resolver.resolve(f"{domain}.", kind, lifetime=max(ends - time.monotonic(), 0.001))
    except NoAnswer:
        return None


def _resolver(servers: Sequence[NameServer]) -> Resolver:
    resolver = Resolver(configure=not servers)
    if servers:
        resolver.nameservers = [Do53Nameserver(server.address, server.port) for server in servers]
    return resolver
