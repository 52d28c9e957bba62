"""A translation service on loopback that speaks as DeepL does and writes all words in capitals."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

KEY = "key-of-tests:fx"


class Service:
    """``answer`` makes the reply of each text; ``status`` refuses all requests."""

    def __init__(self) -> None:
        self.answer: Callable[[str], str] = capitals
        self.status = 200
        self.requests: list[dict[str, Any]] = []
        self.url = ""

    @property
    def texts(self) -> list[str]:
        return [text for request in self.requests for text in request["text"]]


def capitals(text: str) -> str:
    return re.sub(r"(<[^>]*>|&\w+;)|([^<&]+)", lambda found: found[1] or found[2].upper(), text)


@contextmanager
def running() -> Iterator[Service]:
    service = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            is_ours = self.headers["Authorization"] == f"DeepL-Auth-Key {KEY}"
            service.requests.append(body)
            found = [
                {"detected_source_language": "EN", "billed_characters": len(text), "text": service.answer(text)}
                for text in body["text"]
            ]
            reply = json.dumps({"translations": found}).encode()
            self.send_response(service.status if is_ours else 403)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    service.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
