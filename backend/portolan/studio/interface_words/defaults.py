"""Read the default texts of the interface from the web build, and find those of a site."""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.conf import settings

from ...content.export import inherited_site
from ...content.interface_words import InterfaceWords
from ...content.quoted import quoted
from ...content.site_records import load_site_roots
from ...domain.interface_words import Text, forms_of

_FILE: Final = "interface-texts.json"
"""Written by `web/scripts/interface-texts.ts`."""
_ENGLISH: Final = "en"


class Texts(NamedTuple):
    """The file in the web build."""

    english: Mapping[str, Text]
    languages: Mapping[str, Mapping[str, Text]]
    """Translations by language tag."""
    plurals: Mapping[str, Mapping[str, float]]
    """Plural categories by language, each with an example."""
    places: Mapping[str, list[str]]
    """Folders with code that uses a text, by key."""

    def of_language(self, tag: str) -> dict[str, Text]:
        """Return the texts that the renderer uses for a language (`findCatalog` in `web/src/locales/catalog.ts`)."""
        language = tag.partition("-")[0]
        found = next((name for name in sorted(self.languages) if name.partition("-")[0] == language), "")
        return {**self.english, **(self.languages.get(tag) or self.languages.get(found) or {})}

    def examples(self, tag: str) -> Mapping[str, float]:
        """Return the plural categories of a language, each with a number of this category."""
        return self.plurals.get(tag.partition("-")[0]) or self.plurals[_ENGLISH]


class SiteDefaults(NamedTuple):
    """The texts that a site shows if it has no words of its own."""

    texts: Mapping[str, Text]
    inherited: frozenset[str]
    """Keys of texts from the site it inherits from."""
    source: str
    """Name of the site it inherits from; empty if it has none."""
    examples: Mapping[str, float]


def load_texts() -> Texts | None:
    """Return the texts of the web build; None if its file is missing."""
    file = Path(settings.WEB_DIST) / _FILE
    try:
        return _read(file, file.stat().st_mtime_ns)
    except (OSError, ValueError):
        return None


@lru_cache(maxsize=2)
def _read(file: Path, changed: int) -> Texts:
    found: dict[str, Any] = json.loads(file.read_bytes())
    return Texts(found["texts"], found["languages"], found["plurals"], found["places"])


def find_defaults(site: str, texts: Texts) -> SiteDefaults:
    """Return the defaults of a site: the web build's texts, below the words of the site it inherits from."""
    rules = settings.SITES_REGISTRY.sites[site]
    source, roots = inherited_site(site), load_site_roots()
    row = None
    if source and source in roots:
        row = InterfaceWords.objects.filter(live=True, site_id=roots[source].wagtail_site_id).first()
    known = texts.of_language(rules.language)
    inherited = {key: word["text"] for key, word in row.words.items() if key in known} if row else {}
    name = settings.SITES_REGISTRY.sites[source].name if source else ""
    return SiteDefaults({**known, **inherited}, frozenset(inherited), name, texts.examples(rules.language))


def name_word(key: str, category: str = "") -> str:
    """Return the name of a word for editors: its English text, and its plural category."""
    texts = load_texts()
    english = texts.english.get(key) if texts else None
    name = quoted(forms_of(english).get("other") or str(english)) if english else key
    return f"{name} ({category})" if category else name
