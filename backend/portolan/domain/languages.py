"""Which site's content answers an ``Accept-Language`` (decisions: Content API)."""

from collections.abc import Iterable, Iterator, Mapping

_DEFAULT_QUALITY = 1.0


def choose_site_by_language(header: str, languages: Mapping[str, str]) -> str | None:
    """Key of the site a header asks for: a site key by itself, else an ordinary language list. None if none fits.

    ``languages`` maps site keys to language tags, in the registry's order. Site keys count only alone, as our own
    client sends them: inside a list ``uk`` is Ukrainian.

    >>> sites = {"en": "en", "uk": "en-GB", "de": "de-DE", "kz": "ru-KZ"}
    >>> choose_site_by_language("uk", sites)
    'uk'
    >>> choose_site_by_language("de-AT,de;q=0.9,en;q=0.8", sites)
    'de'
    """
    alone = header.strip().lower()
    if alone in languages:
        return alone
    tags: dict[str, str] = {}
    for key, tag in languages.items():
        tags.setdefault(tag.lower(), key)
    for wanted in _in_order(header):
        for prefix in _shortened(wanted):
            if prefix in tags:
                return tags[prefix]
            if found := _first_below(prefix, languages):
                return found
    return None


def _in_order(header: str) -> Iterable[str]:
    """Language ranges of the header, the most wanted first; those refused with q=0 left out."""
    ranges = []
    for part in header.lower().split(","):
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


def _shortened(tag: str) -> Iterator[str]:
    """The range and what is left of it, subtag by subtag from the end (RFC 4647, lookup)."""
    subtags = tag.split("-")
    while subtags:
        yield "-".join(subtags)
        subtags.pop()
        if subtags and len(subtags[-1]) == 1:
            subtags.pop()


def _first_below(prefix: str, languages: Mapping[str, str]) -> str | None:
    """The first site whose language is a regional form of ``prefix``."""
    return next((key for key, tag in languages.items() if tag.lower().startswith(f"{prefix}-")), None)
