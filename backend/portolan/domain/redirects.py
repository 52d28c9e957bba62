"""Redirects: what a site answers at an address that has no page. One rule for publisher, edge and export.

They come from two sources. A **former address** is one that a page once had: it leads to where that page is now. An
editor's **rule** says where one address, or all addresses below one (``/old/*``), lead. In the order of who decides: a
page, a rule for exactly this address, a former address whose page is still on the site, the rule with the longest
wildcard, a former address whose page is gone.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final, Literal, NamedTuple
from unicodedata import normalize
from urllib.parse import quote, unquote

from .content_api import API_PREFIX
from .letters import compose
from .media_addresses import MEDIA
from .routes import normalise_path

WILDCARD: Final = "/*"
"""At the end of a rule's address: all that is below it, and itself. At the end of its target: what stood there is carried
over."""
PERMANENT: Final = 301
TEMPORARY: Final = 302
GONE: Final = 410
NOT_IN_BUILDS: Final = (MEDIA, API_PREFIX)
"""Prefixes of what a site answers without a file of its build."""

_SOURCE: Final = re.compile(r"/(?!/)(?:[^\x00-\x1f\x7f\\?#]*[^/\x00-\x1f\x7f\\?#])?")
_TARGET: Final = re.compile(r"(?:/(?![/\\])|https?://[^/\\?#@]+(?=[/?#]|$))[!-\[\]-~]*")
"""A path of the same site or a web address, in ASCII without spaces and backslashes: safe in a header."""
_INDEX: Final = "/index.html"
_MOST_STEPS: Final = 10
_PROBE: Final = "/\x00"
"""Stands for whatever a visitor may write below a wildcard. No address has this character."""


class Redirect(NamedTuple):
    """What is answered in place of a page."""

    status: int
    """``PERMANENT``, ``TEMPORARY`` or ``GONE``."""
    target: str
    """A path of the same site, with query and anchor where it has them, or a web address. Empty where the address is
    gone."""


class Rule(NamedTuple):
    """An editor's redirect whose page is resolved."""

    source: str
    """As ``spell`` writes it, or with ``WILDCARD`` at its end."""
    redirect: Redirect


class RuleProblem(NamedTuple):
    """A rule that cannot be followed."""

    source: str
    target: str
    what: Literal["loop", "missing"]


class RedirectTable:
    """The redirects of one build, as its manifest has them."""

    def __init__(self, redirects: Mapping[str, Redirect]) -> None:
        self._redirects = redirects

    @cached_property
    def _has_wildcards(self) -> bool:
        """Found when it is first needed: a publish makes a table of each site, and most are never asked."""
        return any(source.endswith(WILDCARD) for source in self._redirects)

    def find(self, path: str, is_there: Callable[[str], bool]) -> Redirect | None:
        """What is answered at a path without a file. It takes one step: the target never redirects again, and is on the
        site where ``is_there`` says so. None if there is nothing to say.

        What a visitor has written below a wildcard is escaped, so it becomes neither another host nor a query.
        """
        if not self._redirects:
            return None
        found = self._find(path, is_there)
        return self._find(path.removesuffix(_INDEX), is_there) if found is None and path.endswith(_INDEX) else found

    def _find(self, path: str, is_there: Callable[[str], bool]) -> Redirect | None:
        status = PERMANENT
        for _ in range(_MOST_STEPS):
            found = next((self._redirects[each] for each in spellings(path) if each in self._redirects), None)
            carried = False
            if found is None and self._has_wildcards:
                above = (source for each in spellings(path) for source in wildcards_above(each))
                source = next((source for source in above if source in self._redirects), "")
                found = self._redirects.get(source)
                if found and (carried := found.target.endswith(WILDCARD)):
                    found = Redirect(found.status, carry(found.target, source, path))
            if found is None:
                return None
            status = max(status, found.status)
            own = own_path(found.target) if carried else None
            if own is None or is_there(own):
                return Redirect(status, found.target)
            path = own
        return None


def resolve_redirects(
    is_there: Callable[[str], bool], former: Mapping[str, str | None], rules: Iterable[Rule]
) -> tuple[dict[str, Redirect], list[RuleProblem]]:
    """The redirects of a site, each of one hop, and the rules that are left out because they cannot be followed.

    ``is_there`` knows the paths of the site's pages and files. ``former`` says for every former address where its page is
    now, or None if it is nowhere.
    """
    given = {rule.source: rule for rule in rules}
    problems: list[RuleProblem] = []
    while found := list(_Resolver(is_there, former, given).problems()):  # another rule may have led to one with a flaw
        problems += found
        for problem in found:
            del given[problem.source]
    return _Resolver(is_there, former, given).table(), problems


class _Loop(Exception):
    pass


class _Resolver:
    def __init__(
        self, is_there: Callable[[str], bool], former: Mapping[str, str | None], rules: Mapping[str, Rule]
    ) -> None:
        self._is_there = is_there
        self._former = former
        self._rules = rules

    def problems(self) -> Iterator[RuleProblem]:
        for source, rule in self._rules.items():
            if self._is_there(source):
                continue
            try:
                if not is_sound(source, rule.redirect) or self._of_rule(rule) is None:
                    yield RuleProblem(source, rule.redirect.target, "missing")
            except _Loop:
                yield RuleProblem(source, rule.redirect.target, "loop")

    def table(self) -> dict[str, Redirect]:
        """A rule of the content of an older version may not be sound. A former address that is none leads nowhere."""
        asked = sorted(path for path in self._rules.keys() | self._former.keys() if not self._is_there(path))
        found = ((path, self._of_path(path)) for path in asked)
        return {path: redirect for path, redirect in found if redirect and is_sound(path, redirect)}

    def _of_path(self, path: str) -> Redirect | None:
        rule = self._rules.get(path)
        return self._of_rule(rule) if rule else self._at(path, frozenset())

    def _of_rule(self, rule: Rule) -> Redirect | None:
        """What the manifest has for a rule."""
        if not rule.redirect.target.endswith(WILDCARD):
            return self._follow(rule, rule.redirect.target, frozenset())
        # Where the rest leads, only a request tells. Here it is tried whether it comes to an end.
        self._follow(
            rule, carry(rule.redirect.target, rule.source, rule.source.removesuffix(WILDCARD) + _PROBE), frozenset()
        )
        return rule.redirect

    def _at(self, path: str, seen: frozenset[str]) -> Redirect | None:
        """What is answered at a path that has no page; None if nothing is known of it."""
        if rule := self._rules.get(path):
            return self._follow(rule, rule.redirect.target, seen)
        if new := self._former.get(path):
            return Redirect(PERMANENT, new)
        source = next((source for source in wildcards_above(path) if source in self._rules), None)
        if source is not None:
            rule = self._rules[source]
            target = rule.redirect.target
            found = self._follow(rule, carry(target, source, path) if target.endswith(WILDCARD) else target, seen)
            if found:
                return found
        return Redirect(GONE, "") if path in self._former else None

    def _follow(self, rule: Rule, target: str, seen: frozenset[str]) -> Redirect | None:
        if rule.source in seen:
            raise _Loop
        status = rule.redirect.status
        own = own_path(target)
        if status == GONE or own is None:
            return Redirect(status, target)
        for path in (own, spell(own)):
            if self._is_there(path):
                return Redirect(status, quote(path) + "".join(re.split("(?=[?#])", target, maxsplit=1)[1:]))
        onward = self._at(spell(own), seen | {rule.source})
        if onward is None or onward.status == GONE:
            return onward
        return Redirect(max(status, onward.status), _join(onward.target, target))


def is_sound(source: str, redirect: Redirect) -> bool:
    """Whether a build may have a redirect: from a path, to a path of the same site or a web address."""
    if not _SOURCE.fullmatch(source.removesuffix(WILDCARD)):
        return False
    if redirect.status in (PERMANENT, TEMPORARY):
        return bool(_TARGET.fullmatch(redirect.target))
    return redirect.status == GONE and not redirect.target


def spell(path: str) -> str:
    """Return the spelling under which a redirect is stored: no slash at its end, lower case, composed letters."""
    return compose(normalise_path(path).lower())


def spellings(path: str) -> tuple[str, ...]:
    """Return the spellings under which the redirect of a path may be stored. Earlier versions did not compose letters."""
    composed = spell(path)
    return (composed,) if composed.isascii() else (composed, normalize("NFD", composed))


def wildcards_above(path: str) -> Iterator[str]:
    """Wildcards that cover a path, the longest first. None covers a whole site."""
    while path != "/" and path:
        yield path + WILDCARD
        path = path.rpartition("/")[0]


def own_path(target: str) -> str | None:
    """The path of a target on the same site, as pages have it. None for a web address."""
    if not target.startswith("/") or target.startswith("//"):
        return None
    return normalise_path(unquote(target.partition("#")[0].partition("?")[0]))


def carry(target: str, source: str, path: str) -> str:
    """The target with what stands at ``path`` below the wildcard ``source``, escaped.

    >>> carry("/new/*", "/old/*", "/old/a b")
    '/new/a%20b'
    >>> carry("https://example.com/*", "/old/*", "/Old//evil.com/X")
    'https://example.com/evil.com/X'
    """
    below = normalise_path(path).split("/")[source.count("/") :]
    rest = "".join(f"/{quote(segment, safe='')}" for segment in below)
    base = target.removesuffix(WILDCARD)
    return base + (rest.lower() if base.startswith("/") or not base else rest) or "/"


def add_query(target: str, query: str) -> str:
    """The target with one more query, before its anchor.

    >>> add_query("/new?a=1#part", "b=2")
    '/new?a=1&b=2#part'
    """
    if not query:
        return target
    base, hash, anchor = target.partition("#")
    return f"{base}{'&' if '?' in base else '?'}{query}{hash}{anchor}"


def _join(onward: str, target: str) -> str:
    """Where a redirect leads whose target redirects to ``onward``: its query and anchor stay with it."""
    base, _, anchor = target.partition("#")
    joined = add_query(onward, base.partition("?")[2])
    return f"{joined.partition('#')[0]}#{anchor}" if anchor else joined
