"""Pages for users of the studio while Django is unavailable, in the studio's languages."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from starlette.types import Scope

from ..domain.languages import SiteLanguages
from .plain_replies import build_page
from .replies import Reply

_ENGLISH: Final = "en"
_LANGUAGES: Final = SiteLanguages({_ENGLISH: _ENGLISH, "de": "de"})


class Words(NamedTuple):
    title: str
    body: str
    """HTML."""


class SpokenPage:
    """A page in several languages. A browser gets its preferred one, else English."""

    def __init__(self, status: int, words: Mapping[str, Words]) -> None:
        self._replies = {
            language: build_page(status, title, body, language=language) for language, (title, body) in words.items()
        }

    def for_reader(self, scope: Scope) -> Reply:
        header = next((value for name, value in scope["headers"] if name == b"accept-language"), b"").decode("latin-1")
        wanted = (tag for tag in _LANGUAGES.candidates(header) if tag in self._replies)
        return self._replies[next(wanted, _ENGLISH)]


STUDIO_UNAVAILABLE: Final = SpokenPage(
    503,
    {
        "en": Words(
            "The studio is not available",
            "<p>The published sites are not affected. Your input stays in the form while you can go back to it. Try "
            "again in a moment. For the reason, see the output of <code>portolan serve</code>, or of "
            "<code>portolan edge</code> and <code>portolan studio</code>.</p>",
        ),
        "de": Words(
            "Das Studio ist nicht erreichbar",
            "<p>Die veröffentlichten Websites sind nicht betroffen. Ihre Eingaben bleiben im Formular, solange Sie dorthin "
            "zurückgehen können. Versuchen Sie es gleich noch einmal. Den Grund finden Sie in der Ausgabe von "
            "<code>portolan serve</code> oder von <code>portolan edge</code> und <code>portolan studio</code>.</p>",
        ),
    },
)
