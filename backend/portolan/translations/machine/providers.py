"""Connect to the translation service of the environment: DeepL by its library, or a LibreTranslate server."""

from collections.abc import Sequence
from typing import Final, Protocol

import orjson
from django.conf import settings

from ...domain.words import say_not_installed
from ...outgoing.network import FetchError
from ...outgoing.post import Poster
from .protect import BLOCK, EMPTY, INLINE

DEEPL: Final = "deepl"
_TIME_S: Final = 30
_LARGEST_REPLY: Final = 1 << 20
_VARIANTS: Final = frozenset({"EN-GB", "EN-US", "PT-BR", "PT-PT"})
_USUAL: Final = {"EN": "EN-GB", "PT": "PT-PT"}


class NoTranslation(Exception):
    """The service translated nothing. The message has the reason and the fix, and no secret."""


class Provider(Protocol):
    name: str

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """Translate texts of ``protect`` between two language tags, in one request. Raise NoTranslation."""
        ...


def is_configured() -> bool:
    return bool(settings.MACHINE_TRANSLATION)


def open_provider() -> Provider:
    """Raise NoTranslation if none is configured."""
    service, key = settings.MACHINE_TRANSLATION, settings.MACHINE_TRANSLATION_KEY
    if not service:
        raise NoTranslation(
            "Machine translation is off. Nothing was translated. Set PORTOLAN_MACHINE_TRANSLATION on the server."
        )
    return DeepL(key) if service == DEEPL else LibreTranslate(service, key)


class DeepL:
    name = "DeepL"

    def __init__(self, key: str, url: str | None = None) -> None:
        """``url`` is for tests. By default, the key decides between DeepL's two servers."""
        try:
            import deepl
        except ModuleNotFoundError:
            raise NoTranslation(f"Machine translation needs {say_not_installed('deepl', 'deepl')}.") from None
        deepl.http_client.max_network_retries = 1
        self._errors = deepl.exceptions
        self._client = deepl.DeepLClient(key, server_url=url, send_platform_info=False)

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        errors = self._errors
        try:
            found = self._client.translate_text(
                list(texts),
                source_lang=source.partition("-")[0].upper(),
                target_lang=_deepl_target(target),
                tag_handling="xml",
                outline_detection=False,
                preserve_formatting=True,
                splitting_tags=[BLOCK],
                non_splitting_tags=[INLINE, EMPTY],
            )
        except errors.QuotaExceededException:
            raise _quota(self.name) from None
        except errors.AuthorizationException:
            raise _key_refused(self.name) from None
        except errors.TooManyRequestsException:
            raise _busy(self.name) from None
        except errors.ConnectionException:
            raise _silent(self.name) from None
        except (errors.DeepLException, ValueError, LookupError, TypeError):
            raise _unusable(self.name, source, target) from None
        return [one.text for one in found] if isinstance(found, list) else [found.text]


class LibreTranslate:
    name = "LibreTranslate"

    def __init__(self, url: str, key: str, poster: Poster | None = None) -> None:
        """``poster`` is for tests."""
        self._url = f"{url.rstrip('/')}/translate"
        self._key = key
        self._poster = poster or Poster()

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        values = {
            "q": list(texts),
            "source": source.partition("-")[0].lower(),
            "target": target.partition("-")[0].lower(),
            "format": "html",
            **({"api_key": self._key} if self._key else {}),
        }
        headers = {"content-type": "application/json"}
        try:
            answer = self._poster.post(self._url, orjson.dumps(values), headers, _TIME_S, _LARGEST_REPLY)
        except FetchError as error:
            raise NoTranslation(f"{error} Nothing more was translated. Try again later.") from None
        if answer.status == 403:
            raise _key_refused(self.name)
        if answer.status == 429:
            raise _busy(self.name)
        try:
            found = orjson.loads(answer.body)["translatedText"]
        except (ValueError, LookupError, TypeError):
            found = None
        if answer.status != 200 or not isinstance(found, list) or not all(isinstance(one, str) for one in found):
            raise _unusable(self.name, source, target)
        return found


def _deepl_target(tag: str) -> str:
    wanted = tag.upper()
    primary = wanted.partition("-")[0]
    return wanted if wanted in _VARIANTS else _USUAL.get(primary, primary)


def _quota(name: str) -> NoTranslation:
    return NoTranslation(
        f"The quota of {name} is used up. Nothing more was translated. Raise the limit there, or wait for the next period."
    )


def _key_refused(name: str) -> NoTranslation:
    return NoTranslation(
        f"{name} refused the key. Nothing was translated. Correct PORTOLAN_MACHINE_TRANSLATION_KEY on the server."
    )


def _busy(name: str) -> NoTranslation:
    return NoTranslation(f"{name} has too many requests now. Nothing more was translated. Try again in a minute.")


def _silent(name: str) -> NoTranslation:
    return NoTranslation(f"{name} does not respond. Nothing more was translated. Try again later.")


def _unusable(name: str, source: str, target: str) -> NoTranslation:
    return NoTranslation(
        f"{name} cannot translate from {source} to {target}, or sent an unusable reply. Nothing more was translated. "
        "Check at the provider whether it supports both languages."
    )
