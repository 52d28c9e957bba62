"""Logging of processes: lines for people, or JSON documents for programs."""

import logging
import logging.config
from typing import Any, Final, Literal

from .request_id import current

LogFormat = Literal["text", "json"]

_LEVELS: Final[dict[str, Any]] = {
    "portolan": {"level": "INFO"},
    "django": {"handlers": [], "level": "WARNING"},  # Django's own handlers would send mail and print a second time
    "django.security.DisallowedHost": {"handlers": [], "propagate": False},  # answered with 400; bots cause it all day
    "django.request": {"level": "ERROR"},  # without the 404s of visitors
    "psycopg.pool": {"level": "ERROR"},  # without each connection attempt; the caller reports failures
}
_role = "portolan"


def set_role(role: str) -> None:
    """Set the name of this process in log lines."""
    global _role
    _role = role


def logging_settings(form: LogFormat) -> dict[str, Any]:
    """Return settings for ``logging.config.dictConfig``."""
    formatter = (
        {"()": json_formatter}
        if form == "json"
        else {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": formatter},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": _LEVELS,
    }


def configure_logs(form: LogFormat) -> None:
    logging.config.dictConfig(logging_settings(form))


def server_settings(form: LogFormat) -> dict[str, Any] | None:
    """Return settings for the server's own lines, or None to keep its format."""
    if form == "text":
        return None
    return {
        "formatters": {"line": {"()": json_formatter}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "loggers": {"_granian": {"handlers": ["stderr"], "level": "INFO", "propagate": False}},
    }


def json_formatter() -> logging.Formatter:
    """Return a formatter that writes one JSON document a line.

    Fields: ``timestamp`` (ISO, UTC), ``level``, ``logger``, ``role``, ``event``, ``request_id`` of the present request,
    extra fields, and ``exception``.
    """
    import structlog

    def add_context(_logger: Any, _name: str, event: Any) -> Any:
        event["role"] = _role
        if id := event.get("request_id") or current.get():
            event["request_id"] = id
        return event

    shared: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        add_context,
        structlog.processors.format_exc_info,
    ]
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.JSONRenderer(ensure_ascii=False, default=str),
        ],
    )
