"""Which site's content answers a request of the API (decisions: Content API). Only this module chooses one."""

from collections.abc import Iterator, Mapping
from typing import Final

from .content_api import FALLBACK_SITE

LONGEST_HEADER: Final = 1000
"""Characters. Browsers send a tenth of that; a longer header is ignored."""
MOST_RANGES: Final = 32
"""Of one header, the first ones."""
_DEFAULT_QUALITY: Final = 1.0


class SiteLanguages:
    """Chooses a site by what a request says. Costs the same for any header: it is asked on the edge's event loop."""

    def __init__(self, languages: Mapping[str, str]) -> None:
        """``languages`` maps site keys to language tags, in the registry's order; there is one at least."""
        by_tag: dict[str, str] = {}
        by_prefix: dict[str, str] = {}
        for key, tag in languages.items():
            subtags = tag.lower().split("-")
            by_tag.setdefault("-".join(subtags), key)
            for count in range(1, len(subtags)):
                by_prefix.setdefault("-".join(subtags[:count]), key)
        self._tags = {key: tag.lower() for key, tag in languages.items()}
        self._by_range = {**by_prefix, **by_tag}
        self._most_subtags = max(tag.count("-") + 1 for tag in languages.values())
        self._fallback = FALLBACK_SITE if FALLBACK_SITE in languages else next(iter(languages))

    def choose(self, accept_language: str, host_site: str | None) -> str:
        """The site a request means: by its language, else by its host, else the specification's own. Of several sites in
        the language it is the host's, else the registry's first.
        """
        found = self.by_language(accept_language)
        if found is None:
            return host_site or self._fallback
        is_key = accept_language.strip().lower() == found
        is_same = host_site is not None and self._tags.get(host_site) == self._tags[found]
        return host_site if host_site and is_same and not is_key else found

    def by_language(self, header: str) -> str | None:
        """Key of the site a header asks for: a site key by itself, else an ordinary language list. None if none fits.

        Site keys count only alone, as our own client sends them: inside a list ``uk`` is Ukrainian.

        >>> sites = SiteLanguages({"en": "en", "uk": "en-GB", "de": "de-DE", "kz": "ru-KZ"})
        >>> sites.by_language("uk"), sites.by_language("de-AT,de;q=0.9,en;q=0.8")
        ('uk', 'de')
        """
        if len(header) > LONGEST_HEADER:
            return None
        alone = header.strip().lower()
        if alone in self._tags:
            return alone
        return next((self._by_range[tag] for tag in self.candidates(header) if tag in self._by_range), None)

    def candidates(self, header: str) -> Iterator[str]:
        """What is looked up for a header, one by one: its ranges, the most wanted first, and what is left of each,
        subtag by subtag from the end (RFC 4647, lookup). None of ours has more subtags than the longest of our tags.
        """
        if len(header) > LONGEST_HEADER:
            return
        for wanted in _in_order(header):
            subtags = wanted.split("-", self._most_subtags)[: self._most_subtags]
            for count in range(len(subtags), 0, -1):
                yield "-".join(subtags[:count])


def _in_order(header: str) -> list[str]:
    """Language ranges of the header, the most wanted first; those refused with q=0 left out."""
    ranges = []
    for part in header.lower().split(",", MOST_RANGES)[:MOST_RANGES]:
        tag, _, rest = part.strip().partition(";")
        quality = _quality(rest)
        if tag and quality > 0:
            ranges.append((-quality, tag.strip()))
    return [tag for _, tag in sorted(ranges, key=lambda pair: pair[0])]


def _quality(parameters: str) -> float:
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return _DEFAULT_QUALITY
