"""Choose the site that answers an API request (decisions: Content API). The only module that chooses."""

from collections.abc import Iterator, Mapping
from typing import Final

from .content_api import FALLBACK_SITE

LONGEST_HEADER: Final = 1000
"""Characters. A browser's header is a tenth of this; longer headers are ignored."""
MOST_RANGES: Final = 32
"""Number of ranges read from one header."""
_DEFAULT_QUALITY: Final = 1.0


class SiteLanguages:
    """Choose a site from a request. The cost is the same for any header, because this runs on the edge's event loop."""

    def __init__(self, languages: Mapping[str, str]) -> None:
        """``languages`` maps site keys to language tags in the order of the site configuration; at least one."""
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
        """Return the site for a request: by its language, else its host, else the specification's default.

        If several sites have the language, the host's site wins, else the first in the site configuration.
        """
        found = self.by_language(accept_language)
        if found is None:
            return host_site or self._fallback
        is_key = accept_language.strip().lower() == found
        is_same = host_site is not None and self._tags.get(host_site) == self._tags[found]
        return host_site if host_site and is_same and not is_key else found

    def by_language(self, header: str) -> str | None:
        """Return the key of the site that a header names, or None.

        The header is one site key or a language list. A site key counts only alone, as our client sends it: in a list,
        ``uk`` is Ukrainian.

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
        """Yield the tags to look up for a header, the most wanted first (RFC 4647, lookup).

        Each range is followed by its shorter forms, without the last subtags. No tag has more subtags than our longest
        one.
        """
        if len(header) > LONGEST_HEADER:
            return
        for wanted in _in_order(header):
            subtags = wanted.split("-", self._most_subtags)[: self._most_subtags]
            for count in range(len(subtags), 0, -1):
                yield "-".join(subtags[:count])


def _in_order(header: str) -> list[str]:
    """Return the header's language ranges, the most wanted first, without those refused by q=0."""
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
