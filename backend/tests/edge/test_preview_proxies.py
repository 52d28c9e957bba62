"""The shipped nginx.conf and Caddyfile serve previews with a wildcard certificate, and forward the host unchanged."""

import http.client
import re
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import pytest

from portolan.commands.examined import previews
from portolan_dev.ports import free_port

from ..processes import LIMIT_S
from ..web_servers import SHIPPED, need_caddy, need_nginx, nginx, running

DOMAIN = "acme-preview.example"
HOST = f"{'a' * 26}-en.{DOMAIN}"


class Certificate:
    def __init__(self, folder: Path) -> None:
        self.file, self.key = folder / "preview.pem", folder / "preview-key.pem"
        subprocess.run(
            [
                *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=previews"),
                *("-addext", f"subjectAltName=DNS:*.{DOMAIN}", "-keyout", str(self.key), "-out", str(self.file)),
            ],
            check=True,
            capture_output=True,
        )


@pytest.fixture
def certificate(tmp_path: Path) -> Certificate:
    return Certificate(tmp_path)


@pytest.fixture
def edge() -> Iterator[int]:
    """Reply with the request, as the studio's refusal."""

    class Echo(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            said = f"{self.headers['Host']} {self.headers['X-Forwarded-Proto']} {self.path}".encode()
            self.send_response(200 if self.path.startswith("/-/") else 404)
            self.send_header("X-Robots-Tag", "noindex, nofollow, noarchive")
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def ask(port: int, host: str, trusted: Path, path: str = "/") -> tuple[int, str]:
    """Request by TLS and check the certificate for that host."""
    context = ssl.create_default_context(cafile=str(trusted))
    plain = socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S)
    with plain, context.wrap_socket(plain, server_hostname=host) as sealed:
        connection = http.client.HTTPConnection(host)
        connection.sock = sealed
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


WEAK: Final = (
    "AES128-SHA",
    "AES256-GCM-SHA384",
    "ECDHE-RSA-AES128-SHA",
    "ECDHE-RSA-AES256-SHA384",
    "DHE-RSA-AES128-GCM-SHA256",
)
"""Ciphers without forward secrecy, in CBC mode, or with the server's own parameters."""


def shake_hands(port: int, version: ssl.TLSVersion, ciphers: str) -> str:
    """Return the cipher that the proxy accepts. Raise OSError if it accepts none."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.minimum_version = context.maximum_version = version
    context.set_ciphers(f"{ciphers}:@SECLEVEL=0")
    plain = socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S)
    with plain, context.wrap_socket(plain, server_hostname=HOST) as sealed:
        return str((sealed.cipher() or [""])[0])


def check_tls(port: int) -> None:
    assert shake_hands(port, ssl.TLSVersion.TLSv1_3, "ALL").startswith("TLS_")
    good = "ECDHE-RSA-AES256-GCM-SHA384"
    assert shake_hands(port, ssl.TLSVersion.TLSv1_2, ":".join([*WEAK, good])) == good
    for version, ciphers in ((ssl.TLSVersion.TLSv1_1, "ALL"), *((ssl.TLSVersion.TLSv1_2, weak) for weak in WEAK)):
        with pytest.raises(OSError):
            shake_hands(port, version, ciphers)


def check(port: int, certificate: Certificate, monkeypatch: pytest.MonkeyPatch) -> None:
    check_tls(port)
    assert ask(port, HOST, certificate.file) == (404, f"{HOST} https /")
    assert ask(port, HOST, certificate.file, "/-/ready")[0] == 403
    with pytest.raises(ssl.SSLError):
        ask(port, f"deeper.{HOST}", certificate.file)
    url = f"https://{HOST}:{port}/"
    monkeypatch.setattr(socket, "getaddrinfo", _to_loopback(socket.getaddrinfo))
    assert previews.reach_preview(url).what == "certificate", "nobody here knows who signed it"
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.file))
    found = previews.reach_preview(url)
    assert (found.what, found.is_preview) == ("answer", True)
    assert previews.reach_preview(url.replace("//", "//deeper.")).what == "certificate"


def _to_loopback(real):
    return lambda host, *more, **named: real("127.0.0.1" if str(host).endswith(DOMAIN) else host, *more, **named)


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion")
@need_nginx()
def test_nginx(tmp_path: Path, certificate: Certificate, edge: int, monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    text = SHIPPED.read_text()
    text = text[: text.index("server {\n\tlisten 80;")]
    for pattern, now in (
        (r"\tserver 127\.0\.0\.1:8000", f"\tserver 127.0.0.1:{edge}"),
        (r"\tlisten 443 ssl http2;", f"\tlisten 127.0.0.1:{port} ssl http2;"),
        (r"\tlisten \[::\]:443.*\n", ""),
        (r"/etc/ssl/portolan/fullchain.pem", str(certificate.file)),
        (r"/etc/ssl/portolan/privkey.pem", str(certificate.key)),
    ):
        text, count = re.subn(pattern, now, text)
        assert count == 1, pattern
    with nginx(tmp_path / "nginx", text, port):
        check(port, certificate, monkeypatch)


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion")
@need_caddy
def test_caddy(tmp_path: Path, certificate: Certificate, edge: int, monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    text = (SHIPPED.parent / "Caddyfile").read_text()
    before, _, block = text.partition("\n#*.")
    text = before + "\n*." + block.replace("\n#", "\n")
    own = f"{{\n\tadmin off\n\tauto_https off\n\thttps_port {port}\n\tdefault_bind 127.0.0.1\n"
    for was, now in (
        ("{\n\tservers", own + "\tservers"),
        ("acme.example, de.acme.example, studio.acme.example {", f"http://acme.example:{free_port()} {{"),
        ("/etc/ssl/portolan/preview.pem", str(certificate.file)),
        ("/etc/ssl/portolan/preview-key.pem", str(certificate.key)),
        ("{$PORTOLAN_EDGE:127.0.0.1:8000}", f"127.0.0.1:{edge}"),
    ):
        assert text.count(was) == 1, was
        text = text.replace(was, now)
    file = tmp_path / "Caddyfile"
    file.write_text(text)
    home = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "PATH": "/usr/bin"}
    command = ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]
    with running(command, port, tmp_path / "log", home):
        check(port, certificate, monkeypatch)
