"""Detect a text that is clearly in another language than its readers', by its function words.

Every longer text needs function words; names, figures and code have none. In doubt, no language is returned.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from .letters import fold
from .words import mark

_WORD: Final = re.compile(r"[^\W\d_]+")
_FEWEST_WORDS: Final = 8
_LEAST_SHARE: Final = 0.2
"""Minimum share of function words. Running text has a third or more, a list of terms almost none."""
_TIMES_MORE: Final = 4
"""There must be this many times more than of the readers' language, because many texts contain quotations and terms."""

_NAMES: Final[Mapping[str, str]] = {
    "ar": mark("Arabic"),
    "az": mark("Azerbaijani"),
    "de": mark("German"),
    "en": mark("English"),
    "es": mark("Spanish"),
    "fr": mark("French"),
    "it": mark("Italian"),
    "kk": mark("Kazakh"),
    "nl": mark("Dutch"),
    "pl": mark("Polish"),
    "pt": mark("Portuguese"),
    "ru": mark("Russian"),
}
_WORDS: Final[Mapping[str, frozenset[str]]] = {
    language: frozenset(words.split())
    for language, words in {
        "ar": "في من على إلى عن مع هذا هذه التي الذي ما لا أن إن كان أو ثم كل بعد قبل بين عند حتى لم لن قد وهو وهي هو هي كما أي ولا وفي ومن",
        "az": "və bu ilə üçün bir da də ki var olan olaraq daha hər bizim biz siz sizin onlar nə edir olur kimi ən həm amma lakin sonra əvvəl yalnız çox",
        "de": "der die das den dem des und ist sind war wird werden wir sie ihr ihre ihren es ein eine einen einer einem eines nicht auch mit für von im zu zum "
        "zur auf bei als aus nach wie oder aber wenn dass sich durch über unter vor uns unser unsere hat haben kann können mehr nur noch was",
        "en": "the and of to is are was were be been a an that this these those it its in on for with as at by from or not we our you your they their have has had "
        "will can which who what how when more than into about all one but if so do does only there",
        "es": "el la los las de del y que en un una por con para su sus es son fue como más pero se lo al no nuestro nuestra nuestros este esta o entre sin sobre "
        "también cuando desde hasta muy",
        "fr": "le la les de des du et est sont un une en dans pour par sur avec que qui ne pas nous vous ils elle il ce cette ces se sa son ses leur leurs au aux "
        "plus mais ou où notre nos votre vos être comme sans tout",
        "it": "il lo la i gli le di del della dei delle e è che in un una per con su non si da al alla più come ma nostro nostra nostri questo questa sono anche o "
        "dal dalla nel nella",
        "kk": "және мен пен бен үшін бұл осы сол бір біз сіз біздің сіздің олар оның ол бар жоқ емес да де та те болып болады болды бойынша туралы арқылы "
        "кейін дейін әр әрбір барлық ең тек немесе бірақ егер қалай не өз өзінің өзіңіз сондай ретінде",
        "nl": "de het een en van in is zijn dat die op te voor met aan niet ook door bij naar uit of maar als wij we ons onze uw u jullie wordt worden deze dit kan "
        "meer over om er nog",
        "pl": "i w we z ze na do nie się jest są to że jak dla od po przez o oraz lub ale który która które których tego tej tym jego ich nas nasz nasza nasze "
        "jednak także tylko już może aby co być był",
        "pt": "o a os as de do da dos das e que em um uma por com para não se no na nos nas é são mais mas como ao seu sua seus nosso nossa este esta ou entre sem "
        "também quando até",
        "ru": "и в во не на с со что это как к ко по из у от за для о об при или но а мы вы они он она оно наш наша наши ваш вас нас их его её который которая "
        "которые чтобы если есть был были быть уже только также до так",
    }.items()
}


def name_language(tag: str) -> str:
    """Return the English name of a language, or the tag if there is no name.

    >>> name_language("de-AT"), name_language("tr")
    ('German', 'tr')
    """
    return _NAMES.get(_primary(tag), tag)


@lru_cache
def list_function_words(language: str, *, folded: bool = False) -> frozenset[str]:
    """Return the function words of a language; empty for an unlisted one. ``folded``: without accents."""
    words = _WORDS.get(_primary(language), frozenset())
    return frozenset(map(fold, words)) if folded else words


def find_foreign_language(texts: Iterable[str], language: str) -> str | None:
    """Return the other language that one of these texts, or all together, are clearly in.

    Return None for texts that are in the language of the tag, short, mixed, or in an unlisted language.

    >>> find_foreign_language(["We build the software that ports and clinics work with, and we run it."], "de-DE")
    'en'
    >>> find_foreign_language(["Kubernetes, Terraform, PostgreSQL, Kafka, Grafana, Python, Rust, Go, TypeScript"], "de-DE")
    """
    own = _primary(language)
    if own not in _WORDS:
        return None
    each = [_WORD.findall(text.lower()) for text in texts]
    found = (_judge(words, own) for words in (*each, [word for words in each for word in words]))
    return next(filter(None, found), None)


def _judge(words: list[str], own: str) -> str | None:
    if len(words) < _FEWEST_WORDS:
        return None
    shares = {other: sum(word in known for word in words) / len(words) for other, known in _WORDS.items()}
    best = max(shares, key=lambda other: shares[other])
    return best if shares[best] >= _LEAST_SHARE and shares[best] >= _TIMES_MORE * shares[own] else None


def _primary(tag: str) -> str:
    return tag.partition("-")[0].lower()
