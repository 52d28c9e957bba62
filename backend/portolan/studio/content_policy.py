"""The content security policy of the studio: no inline scripts and styles.

Wagtail's inline scripts are replaced: widgets carry their options as data, and ``static/studio/start-widgets.js``
starts them. Draftail's style elements get the page's nonce from ``static/studio/nonce-of-styles.js``. Styles that came
as markup have no nonce.

Screens before signing in load no Wagtail scripts, and the browser forbids markup created by scripts.
"""

import json
import secrets
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import wraps
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.html import format_html, json_script
from django.utils.safestring import SafeString
from wagtail.admin.widgets.chooser import BaseChooser

HEADER: Final = "Content-Security-Policy"
_SCRIPTS_AND_STYLES: Final = (
    # The hash is of `return;`, with which the image cropper tests for touch screens.
    "script-src 'self' 'unsafe-hashes' 'sha256-i+qr4lq34KgNHiW62lWi9aInEBwiEOrfCzaNPCvkqD8='",
    "style-src 'self' 'nonce-{nonce}'",
)
_NO_MARKUP_BY_SCRIPTS: Final = (
    "script-src 'self'",
    "style-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
)
_COMMON: Final = (
    "default-src 'none'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
)
_MARK: Final = "scripts_make_no_markup"
_FRAMES: Final = "_frames_also"
_nonce: Final[ContextVar[str]] = ContextVar("nonce")
_View = Callable[..., HttpResponseBase]


class ContentPolicy:
    """Django middleware: sets the studio's policy on pages without one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response
        https = settings.WAGTAILADMIN_BASE_URL.startswith("https:")
        common = [*_COMMON, *(["upgrade-insecure-requests"] if https else [])]
        self._policy = "; ".join([*_SCRIPTS_AND_STYLES, *common])
        self._policy_without_markup = "; ".join([*_NO_MARKUP_BY_SCRIPTS, *common])

    def __call__(self, request: HttpRequest) -> HttpResponse:
        nonce = secrets.token_urlsafe(16)
        before = _nonce.set(nonce)
        try:
            response = self._get_response(request)
        finally:
            _nonce.reset(before)
        if response.get("Content-Type", "").startswith("text/html"):
            policy = (self._policy_without_markup if hasattr(response, _MARK) else self._policy).format(nonce=nonce)
            if more := getattr(response, _FRAMES, ""):
                policy = policy.replace("frame-src 'self'", f"frame-src 'self' {more}")
            response.setdefault(HEADER, policy)
        return response


def without_markup_by_scripts(view: _View) -> _View:
    """Mark a screen without Wagtail's scripts, for Trusted Types. Its template is `studio/signing_in/step_base.html` or
    loads the same scripts.
    """

    @wraps(view)
    def marked(*args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(*args, **kwargs)
        setattr(response, _MARK, True)
        return response

    return marked


def allow_frames(response: HttpResponse, sources: str) -> HttpResponse:
    """Allow a screen to frame other origins, such as previews."""
    setattr(response, _FRAMES, sources)
    return response


def current_nonce() -> str:
    """Return the nonce of the current response."""
    return _nonce.get()


def connect() -> None:
    BaseChooser.render = _render_chooser


def _render_chooser(
    self: Any, name: str, value: Any, attrs: Mapping[str, Any] | None = None, renderer: Any = None
) -> SafeString:
    """Render a chooser as Wagtail does, without its inline script."""
    id = (attrs or {})["id"]
    found = self.get_value_data(value)
    options = self.get_js_init_options(id, name, found)
    html: SafeString = self.render_html(name, found, attrs)
    return format_html("{}{}", html, describe_start(self.js_constructor, id, options))


def describe_start(constructor: str, *arguments: Any) -> SafeString:
    """Return the data element for `static/studio/start-widgets.js`."""
    element = json_script({"start": constructor, "with": [json.dumps(argument) for argument in arguments]})
    return SafeString(element.replace("<script ", "<script data-studio-start ", 1))
