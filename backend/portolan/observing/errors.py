"""Errors for Sentry: the failure and its place in code, no personal data."""

import logging
from typing import Any, Final

import sentry_sdk
from sentry_sdk.integrations.atexit import AtexitIntegration
from sentry_sdk.integrations.dedupe import DedupeIntegration
from sentry_sdk.integrations.excepthook import ExcepthookIntegration
from sentry_sdk.integrations.logging import LoggingIntegration
from sentry_sdk.integrations.threading import ThreadingIntegration
from sentry_sdk.transport import Transport

from .request_id import current

_KEPT: Final = frozenset(
    ("event_id", "timestamp", "platform", "level", "logger", "logentry", "message", "exception", "threads", "tags",
     "release", "environment", "sdk", "fingerprint", "contexts", "modules")
)  # fmt: skip
_FRAMES: Final = frozenset(("filename", "abs_path", "function", "module", "lineno", "pre_context", "context_line", "post_context", "in_app"))  # fmt: skip


def report_errors(
    dsn: str, role: str, environment: str, version: str, transport: type[Transport] | None = None
) -> None:
    """Report logged errors, and errors that end a thread or the process.

    ``transport``: for tests.

    The library sends no personal data by default (``send_default_pii``, ``data_collection``). ``strip`` removes data
    that it might quote.
    """
    sentry_sdk.init(
        dsn=dsn,
        environment=environment,
        release=version,
        max_request_body_size="never",
        include_local_variables=False,  # they contain leads
        max_breadcrumbs=0,
        auto_session_tracking=False,
        default_integrations=False,  # others send command lines, addresses and queries
        auto_enabling_integrations=False,
        integrations=[
            LoggingIntegration(level=None, event_level=logging.ERROR),
            ExcepthookIntegration(),
            ThreadingIntegration(propagate_scope=False),
            DedupeIntegration(),
            AtexitIntegration(callback=lambda pending, timeout: None),
        ],
        before_send=strip,
        transport=transport,
    )
    sentry_sdk.set_tag("role", role)


def report_failure(what: str) -> None:
    """Report a failure without an exception."""
    sentry_sdk.capture_message(what, "error")


def strip(event: Any, _hint: Any = None) -> Any:
    """Return the permitted part of an event.

    Exception messages may quote a visitor's data, so only types and places are kept. Our own messages quote no data.
    """
    kept = {name: value for name, value in event.items() if name in _KEPT}
    for exception in (kept.get("exception") or {}).get("values", ()):
        exception.pop("value", None)
        exception.pop("mechanism", None)
        for frame in (exception.get("stacktrace") or {}).get("frames", ()):
            for name in [name for name in frame if name not in _FRAMES]:
                del frame[name]
    contexts = kept.get("contexts") or {}
    kept["contexts"] = {name: contexts[name] for name in ("runtime",) if name in contexts}
    if id := current.get():
        kept["tags"] = {**(kept.get("tags") or {}), "request_id": id}
    return kept
