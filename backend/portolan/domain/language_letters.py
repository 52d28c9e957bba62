"""Check the letters of a text: missing accents, ASCII spellings and mixed alphabets.

A rule applies only where readers of the language agree. Names and acronyms stay as they are.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from .letters import fold
from .text_language import find_foreign_language, list_function_words
from .text_places import Correction, find_words, list_words, shorten

NEEDED_LETTERS: Final[Mapping[str, tuple[str, int]]] = {
    "az": ("əğıöüşç", 60),
    "de": ("äöüß", 600),
    "fr": ("éèêàâçîïôùûœë", 250),
    "kk": ("әғқңөұүһі", 50),
    "pl": ("ąćęłńóśźż", 120),
}
"""Letters that a long text of the language needs, and the number of letters from which a text is long."""
_FEWEST_FUNCTION_WORDS: Final = 3
_LEAST_SHARE: Final = 0.1

_SPELLED: Final[Mapping[str, Mapping[str, str]]] = {
    language: dict(pair.split(":", 1) for pair in pairs.split())
    for language, pairs in {
        "az": "ve:və ucun:üçün sirket:şirkət sirketi:şirkəti xidmet:xidmət xidmetler:xidmətlər xidmeti:xidməti "
        "xidmetleri:xidmətləri melumat:məlumat melumatlar:məlumatlar layihe:layihə layiheler:layihələr gore:görə "
        "muasir:müasir hemcinin:həmçinin muddet:müddət muraciet:müraciət elaqe:əlaqə ile:ilə",
        "de": "fuer:für ueber:über koennen:können koennte:könnte muessen:müssen muesste:müsste moeglich:möglich "
        "moeglichkeit:Möglichkeit moeglichkeiten:Möglichkeiten loesung:Lösung loesungen:Lösungen waehrend:während "
        "zurueck:zurück naechste:nächste naechsten:nächsten verfuegbar:verfügbar unterstuetzen:unterstützen "
        "unterstuetzung:Unterstützung geschaeft:Geschäft qualitaet:Qualität wuerde:würde wuerden:würden "
        "waere:wäre haette:hätte hoeher:höher groesse:Größe groesser:größer groesste:größte spaeter:später "
        "taeglich:täglich europaeisch:europäisch europaeische:europäische ausserdem:außerdem ausschliesslich:ausschließlich "
        "schliesslich:schließlich regelmaessig:regelmäßig gemaess:gemäß",
        "fr": "apres:après deja:déjà etes:êtes etre:être tres:très developpement:développement developpeur:développeur "
        "developpeurs:développeurs qualite:qualité securite:sécurité systeme:système systemes:systèmes "
        "probleme:problème problemes:problèmes acces:accès succes:succès numerique:numérique donnees:données "
        "equipe:équipe equipes:équipes societe:société activite:activité interet:intérêt",
        "kk": "жане:және ушин:үшін кызмет:қызмет кызметтер:қызметтер казакстан:Қазақстан барлык:барлық "
        "биздин:біздің сиздин:сіздің болим:бөлім онимдер:өнімдер",
        "pl": "byc:być sie:się ktory:który ktora:która ktore:które ktorych:których rowniez:również takze:także "
        "zespol:zespół zespolu:zespołu wiecej:więcej uslugi:usługi usluga:usługa uslug:usług rozwiazania:rozwiązania "
        "rozwiazanie:rozwiązanie jakosc:jakość mozliwosc:możliwość mozliwosci:możliwości dzieki:dzięki zeby:żeby "
        "przedsiebiorstwo:przedsiębiorstwo bezpieczenstwo:bezpieczeństwo moze:może mozna:można wlasny:własny "
        "wspolpraca:współpraca wspolpracy:współpracy inzynier:inżynier inzynierow:inżynierów",
    }.items()
}
"""Words whose ASCII spelling is no word of the language, each with the right spelling."""
_WITHOUT_SHARP_S: Final = frozenset({"de-CH", "de-LI"})

_LATIN: Final = "AaBCcEeHIiJjKMOoPpSsTXxYyƏəhı"
_CYRILLIC: Final = "АаВСсЕеНІіЈјКМОоРрЅѕТХхУуӘәһі"
_TO_CYRILLIC: Final = dict(zip(_LATIN, _CYRILLIC, strict=True))
_TO_LATIN: Final = {there: here for here, there in _TO_CYRILLIC.items() if here != "ı"}
_LONE_CYRILLIC: Final = {"c": "с", "o": "о", "y": "у"}
"""Latin letters that look like whole words of Russian and Kazakh."""
_ARABIC_PREFIXES: Final = frozenset(
    {"ال", "و", "ب", "ل", "ك", "ف", "وال", "بال", "لل", "كال", "فال", "ول", "وب", "فب", "وبال", "ولل"}
)


def check_letters(text: str, language: str) -> Iterator[Correction]:
    """Yield the corrections of a prepared text in ``language`` (a tag)."""
    own = language.partition("-")[0]
    yield from _find_missing(text, own)
    yield from _find_spellings(text, language)
    yield from _find_mixed(text, own)


def _find_missing(text: str, own: str) -> Iterator[Correction]:
    needed, enough = NEEDED_LETTERS.get(own, ("", 0))
    small = text.lower()
    if not needed or len(text) < enough or any(letter in small for letter in needed):
        return
    words = list_words(small)
    if sum(map(len, words)) < enough or find_foreign_language([text], own):
        return
    known = list_function_words(own, folded=True)
    count = sum(fold(word) in known for word in words)
    if count >= _FEWEST_FUNCTION_WORDS and count >= _LEAST_SHARE * len(words):
        yield Correction("missing-letters", shorten(text))


def _find_spellings(text: str, language: str) -> Iterator[Correction]:
    known = _SPELLED.get(language.partition("-")[0])
    if not known:
        return
    for found in find_words(text):
        word = found[0]
        right = known.get(word.lower())
        if right is None or (word.isupper() and len(word) < 4):
            continue
        if "ß" in right and language in _WITHOUT_SHARP_S:
            continue
        yield Correction("spelling", word, _in_case_of(word, right))


def _in_case_of(word: str, right: str) -> str:
    if word.isupper():
        return right.upper().replace("ẞ", "SS")
    return right[0].upper() + right[1:] if word[0].isupper() else right


def _find_mixed(text: str, own: str) -> Iterator[Correction]:
    is_cyrillic_site = own in ("kk", "ru", "uk", "be")
    for found in find_words(text):
        word = found[0]
        if word.isascii():
            if is_cyrillic_site and word in _LONE_CYRILLIC and _is_between_cyrillic(text, *found.span()):
                rest = text[found.end() : found.end() + 12].partition("\n")[0]
                yield Correction("mixed-alphabets", word + rest, _LONE_CYRILLIC[word] + rest)
            continue
        if (right := correct_alphabet(word, prefers_cyrillic=is_cyrillic_site)) is not None:
            yield Correction("mixed-alphabets", word, right)


def _is_between_cyrillic(text: str, start: int, end: int) -> bool:
    after = text[end : end + 2]
    before = text[max(0, start - 2) : start]
    ends_word = not before or (before[-1] == " " and (len(before) == 1 or _script(before[0]) == "Cyrillic"))
    return ends_word and len(after) == 2 and after[0] in " \u00a0" and _script(after[1]) == "Cyrillic"


def correct_alphabet(word: str, *, prefers_cyrillic: bool) -> str | None:
    """Return the word in one alphabet; ``""`` if that is uncertain; None for a word in one alphabet.

    A foreign name or acronym with a native ending is not mixed: ``DevOpsқа``, ``SAPтан``, ``الـAPI``.

    >>> correct_alphabet("Cистема", prefers_cyrillic=True) == "Система"
    True
    """
    scripts = [script for letter in word if (script := _script(letter))]
    kinds = set(scripts)
    if len(kinds) < 2:
        return None
    switches = sum(left != right for left, right in pairwise(scripts))
    if "Arabic" in kinds:
        prefix = word[: next(n for n, letter in enumerate(word) if _script(letter) not in ("", "Arabic"))]
        is_prefix = switches == 1 and (prefix in _ARABIC_PREFIXES or prefix.rstrip("ـ") in _ARABIC_PREFIXES)
        return None if is_prefix else ""
    counts = {kind: scripts.count(kind) for kind in kinds}
    is_cyrillic = counts["Cyrillic"] > counts["Latin"] or (counts["Cyrillic"] == counts["Latin"] and prefers_cyrillic)
    same = _TO_CYRILLIC if is_cyrillic else _TO_LATIN
    wrong = "Latin" if is_cyrillic else "Cyrillic"
    others = [letter for letter in word if _script(letter) == wrong]
    if switches == 1 and len(others) > 1 and "".join(others).isupper():
        return None
    if all(letter in same for letter in others):
        return "".join(same.get(letter, letter) if _script(letter) == wrong else letter for letter in word)
    return None if switches == 1 else ""


def _script(letter: str) -> str:
    code = ord(letter)
    if code < 0x80 or 0xC0 <= code < 0x250 or code == 0x259 or 0x1E00 <= code < 0x1F00:
        return "Latin" if letter.isalpha() else ""
    if 0x400 <= code < 0x530:
        return "Cyrillic"
    return "Arabic" if 0x620 <= code < 0x700 and letter.isalpha() and code != 0x640 else ""
