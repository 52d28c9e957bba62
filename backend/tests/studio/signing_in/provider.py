"""A provider of OpenID Connect on the loopback. Tests can change its replies."""

import base64
import hashlib
import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey

from ...processes import LIMIT_S

CLIENT, SECRET = "studio", "of this test alone"


class FakeProvider:
    def __init__(self) -> None:
        self.key = ECKey.generate_key("P-256", {"kid": "first"})
        self.claims: dict[str, Any] = {"email": "ada@brightmoor.example", "email_verified": True}
        self.spoil: Callable[[dict[str, Any]], dict[str, Any]] = lambda claims: claims
        self.sign: Callable[[dict[str, Any]], str] = lambda claims: jwt.encode(
            {"alg": "ES256", "kid": self.key.kid}, claims, self.key
        )
        self.says: dict[str, Any] = {}
        """Changes of its metadata."""
        self.given: dict[str, dict[str, str]] = {}
        """Parameters of the requests, by code."""
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                answer = {"/.well-known/openid-configuration": provider.describe, "/keys": provider.keys}[self.path]
                self._send(200, answer())

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self._send(*provider.exchange(dict(parse_qsl(body)), self.headers["Authorization"] or ""))

            def _send(self, status: int, document: dict[str, Any]) -> None:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(json.dumps(document).encode())

            def log_message(self, *_: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    def end(self) -> None:
        self._server.shutdown()
        self._thread.join(LIMIT_S)
        self._server.server_close()

    def describe(self) -> dict[str, Any]:
        known = {"issuer": self.issuer, "authorization_endpoint": f"{self.issuer}/authorize"}
        return {**known, "token_endpoint": f"{self.issuer}/token", "jwks_uri": f"{self.issuer}/keys", **self.says}

    def keys(self) -> dict[str, Any]:
        return {"keys": [self.key.as_dict(private=False)]}

    def visit(self, url: str) -> dict[str, str]:
        """Sign in at the provider as a user. Return the parameters of the redirect to the studio."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        assert url.startswith(f"{self.issuer}/authorize?")
        assert (asked["client_id"], asked["response_type"], asked["scope"]) == (CLIENT, "code", "openid email")
        code = f"code-{len(self.given)}"
        self.given[code] = asked
        return {"code": code, "state": asked["state"]}

    def exchange(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        asked = self.given.pop(form["code"], None)
        proof = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        known = base64.b64decode(authorization.removeprefix("Basic ")).decode()
        if (
            asked is None
            or proof != asked["code_challenge"]
            or known != f"{CLIENT}:{SECRET}"
            or form["redirect_uri"] != asked["redirect_uri"]
        ):
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "sub": "1", "iat": now, "exp": now + 60, "nonce": asked["nonce"]}
        signed = self.sign(self.spoil({**claims, **self.claims}))
        return 200, {"access_token": "of no use", "token_type": "Bearer", "id_token": signed}
