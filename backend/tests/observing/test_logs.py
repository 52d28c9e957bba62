"""Logs for programs: one document a line."""

import io
import json
import logging

from portolan.observing.event import Event
from portolan.observing.logs import json_formatter, logging_settings, server_settings
from portolan.observing.request_id import current


def test_a_line_is_one_document_with_what_was_given() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(json_formatter())
    log = logging.Logger("portolan.test")
    log.addHandler(handler)
    token = current.set("id-of-the-request")
    try:
        log.warning("Two\nlines of %s", "Ä", extra={"site": "de"})
        try:
            raise ValueError("broken")
        except ValueError:
            log.exception("It failed")
    finally:
        current.reset(token)
    log.info("Outside of a request")
    first, second, third = (json.loads(line) for line in stream.getvalue().splitlines())
    assert first.pop("timestamp").endswith("Z")
    assert first == {
        "event": "Two\nlines of Ä",
        "level": "warning",
        "logger": "portolan.test",
        "site": "de",
        "role": "portolan",
        "request_id": "id-of-the-request",
    }
    assert "ValueError: broken" in second["exception"]
    assert "request_id" not in third


def test_text_is_as_it_always_was() -> None:
    settings = logging_settings("text")
    assert settings["formatters"]["line"] == {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}
    assert server_settings("text") is None


def test_what_nobody_watches_is_told_to_nobody() -> None:
    happened: Event[[int]] = Event()
    heard: list[int] = []
    happened(1)
    assert not happened
    happened.watch(heard.append)
    happened(2)
    assert happened and heard == [2]
    happened.forget(heard.append)
    happened(3)
    assert heard == [2]
