"""Resolve redirects: the response for a URL without a page. Shared by publisher, edge and export.

Redirects have two sources. A **former address** is an old URL of a page and redirects to the page's current URL. An
editor's
**rule** redirects one URL, or all URLs below one (``/old/*``). Order of priority:

1. a page

2. a rule for exactly this URL

3. a former address whose page is still on the site

4. the rule with the longest wildcard

5. a former address whose page is gone
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
"""At the end of a rule's source: this path and all paths below it. At the end of its target: the rest of the path is
kept."""
PERMANENT: Final = 301
TEMPORARY: Final = 302
GONE: Final = 410
NOT_IN_BUILDS: Final = (MEDIA, API_PREFIX)
"""Prefixes of paths that a site serves without a file of its build."""

_SOURCE: Final = re.compile(r"/(?!/)(?:[^\x00-\x1f\x7f\\?#]*[^/\x00-\x1f\x7f\\?#])?")
_TARGET: Final = re.compile(r"(?:/(?![/\\])|https?://[^/\\?#@]+(?=[/?#]|$))[!-\[\]-~]*")
"""A path of the same site or a web address, in ASCII without spaces and backslashes: safe in a header."""
_INDEX: Final = "/index.html"
_MOST_STEPS: Final = 10
_PROBE: Final = "/\x00"
"""Placeholder for the rest of a path below a wildcard. URLs never contain this character."""


class Redirect(NamedTuple):
    """The response in place of a page."""

    status: int
    """``PERMANENT``, ``TEMPORARY`` or ``GONE``."""
    target: str
    """Path on the same site, with query and anchor if any, or a web address. Empty if the URL is gone."""


class Rule(NamedTuple):
    """An editor's redirect with its page resolved."""

    source: str
    """As ``spell`` writes it, or with ``WILDCARD`` at its end."""
    redirect: Redirect


class RuleProblem(NamedTuple):
    """A rule that cannot be applied."""

    source: str
    target: str
    what: Literal["loop", "missing"]


class RedirectTable:
    """The redirects of one build, from its manifest."""

    def __init__(self, redirects: Mapping[str, Redirect]) -> None:
        self._redirects = redirects

    @cached_property
    def _has_wildcards(self) -> bool:
        """Computed on first use, because a publish creates a table for each site and rarely reads it."""
        return any(source.endswith(WILDCARD) for source in self._redirects)

    def find(self, path: str, is_there: Callable[[str], bool]) -> Redirect | None:
        """Return the redirect of a path that has no file.

        It takes one step: the target does not redirect, and is on the site if ``is_there`` accepts it. The part below a
        wildcard is escaped, so that a visitor cannot turn it into another host or a query.
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
    """Return the redirects of a site, each of one hop, and the rules left out because they cannot be applied.

    ``is_there`` accepts the paths of the site's pages and files. ``former`` maps each former address to the page's
    current path, or to None if the page is gone.
    """
    given = {rule.source: rule for rule in rules}
    problems: list[RuleProblem] = []
    while found := list(
        _Resolver(is_there, former, given).problems()
    ):  # a rule may depend on one that was just removed
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
        """Skip unsound redirects, which content of older versions may have, and former addresses without a target."""
        asked = sorted(path for path in self._rules.keys() | self._former.keys() if not self._is_there(path))
        found = ((path, self._of_path(path)) for path in asked)
        return {path: redirect for path, redirect in found if redirect and is_sound(path, redirect)}

    def _of_path(self, path: str) -> Redirect | None:
        rule = self._rules.get(path)
        return self._of_rule(rule) if rule else self._at(path, frozenset())

    def _of_rule(self, rule: Rule) -> Redirect | None:
        """Return the manifest's redirect for a rule."""
        if not rule.redirect.target.endswith(WILDCARD):
            return self._follow(rule, rule.redirect.target, frozenset())
        # The final target depends on the request. Here a placeholder only tests that following ends.
        self._follow(
            rule, carry(rule.redirect.target, rule.source, rule.source.removesuffix(WILDCARD) + _PROBE), frozenset()
        )
        return rule.redirect

    def _at(self, path: str, seen: frozenset[str]) -> Redirect | None:
        """Return the redirect of a path that has no page."""
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
    """Return whether a build may contain a redirect: from a path to a path of the same site or a web address."""
    if not _SOURCE.fullmatch(source.removesuffix(WILDCARD)):
        return False
    if redirect.status in (PERMANENT, TEMPORARY):
        return bool(_TARGET.fullmatch(redirect.target))
    return redirect.status == GONE and not redirect.target


def spell(path: str) -> str:
    """Return the spelling under which a redirect is stored: without a slash at the end, lower case, composed
    letters."""
    return compose(normalise_path(path).lower())


def spellings(path: str) -> tuple[str, ...]:
    """Return the spellings under which the redirect of a path may be stored. Earlier versions did not compose
    letters."""
    composed = spell(path)
    return (composed,) if composed.isascii() else (composed, normalize("NFD", composed))


def wildcards_above(path: str) -> Iterator[str]:
    """Yield the wildcards that cover a path, the longest first. None covers a whole site."""
    while path != "/" and path:
        yield path + WILDCARD
        path = path.rpartition("/")[0]


def own_path(target: str) -> str | None:
    """Return the path of a target on the same site, as pages have it. None for a web address."""
    if not target.startswith("/") or target.startswith("//"):
        return None
    return normalise_path(unquote(target.partition("#")[0].partition("?")[0]))


def carry(target: str, source: str, path: str) -> str:
    """Return the target plus the rest of ``path`` below the wildcard ``source``, escaped.

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
    """Return the target with one more query, before its anchor.

    >>> add_query("/new?a=1#part", "b=2")
    '/new?a=1&b=2#part'
    """
    if not query:
        return target
    base, hash, anchor = target.partition("#")
    return f"{base}{'&' if '?' in base else '?'}{query}{hash}{anchor}"


def _join(onward: str, target: str) -> str:
    """Return ``onward``, the target of ``target``'s own redirect, with the query and anchor of ``target``."""
    base, _, anchor = target.partition("#")
    joined = add_query(onward, base.partition("?")[2])
    return f"{joined.partition('#')[0]}#{anchor}" if anchor else joined
