"""How processes log: lines for people, or one JSON document a line for programs."""

import logging
import logging.config
from typing import Any, Final, Literal

from .request_id import current

LogFormat = Literal["text", "json"]

_LEVELS: Final[dict[str, Any]] = {
    "portolan": {"level": "INFO"},
    "django": {"handlers": [], "level": "WARNING"},  # Django's own handlers would mail and print a second time
    "django.security.DisallowedHost": {"handlers": [], "propagate": False},  # answered with 400; bots do it all day
    "django.request": {"level": "ERROR"},  # a 404 is the visitor's business
    "psycopg.pool": {"level": "ERROR"},  # each try to connect; what comes of it is said by whoever asked
}
_role = "portolan"


def set_role(role: str) -> None:
    """Which process logs."""
    global _role
    _role = role


def logging_settings(form: LogFormat) -> dict[str, Any]:
    """For ``logging.config.dictConfig``."""
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
    """For the server's own lines, which else look as it has them."""
    if form == "text":
        return None
    return {
        "formatters": {"line": {"()": json_formatter}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "loggers": {"_granian": {"handlers": ["stderr"], "level": "INFO", "propagate": False}},
    }


def json_formatter() -> logging.Formatter:
    """One document a line: ``timestamp`` (ISO, UTC), ``level``, ``logger``, ``role``, ``event``, ``request_id`` of the request
    that is being answered, what else was given, and ``exception``."""
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
