"""Malformed requests, byte by byte, to the running product: each gets an answer, never a 500."""

import json
import socket

import pytest

from .faults import LONGEST_WAIT_S
from .product import Product

HOST = b"Host: localhost:%d\r\nConnection: close\r\n"

PROBLEMS = {
    "a header of 64 kB": (b"GET /api/content/offices", b"X-Anything: " + b"x" * 65_536, 431, "headers-too-large"),
    "a language of 64 kB": (b"GET /api/content/offices", b"Accept-Language: " + b"x" * 65_536, 431, "headers-too-large"),
    "a country of 64 kB": (b"GET /api/content/events", b"Country-Code: " + b"x" * 65_536, 431, "headers-too-large"),
    "an address of 16 kB": (b"GET /api/content/offices/" + b"x" * 16_384, b"", 400, "bad-request"),
    "NUL in the path": (b"GET /api/content/offices/%00", b"", 400, "bad-request"),
    "no UTF-8 in the path": (b"GET /api/content/offices/%ff%fe", b"", 400, "bad-request"),
    "a way up": (b"GET /api/content/../../etc/passwd", b"", 400, "bad-request"),
    "NUL in the query": (b"GET /api/content/news/pagination?page=%00", b"", 422, "invalid-value"),
    "no UTF-8 in the query": (b"GET /api/content/news/pagination?page=%ff", b"", 422, "invalid-value"),
    "no UTF-8 in a header": (b"GET /api/content/events", b"Country-Code: \xff\xfe", 422, "invalid-value"),
    "an unknown version": (b"GET /api/content/offices", b"Api-Version: v4", 400, "unsupported-version"),
    "an unknown method": (b"BREW /api/content/offices", b"", 405, "method-not-allowed"),
    "a method for proxies": (b"TRACE /api/content/offices", b"", 405, "method-not-allowed"),
    "no host of ours": (b"GET /api/content/offices", b"Host: evil.example", 400, "bad-request"),
    "JSON garbage": (b"POST /api/content/offices", b"Content-Type: application/json\r\nContent-Length: 5\r\n\r\n{{{{{", 405, "method-not-allowed"),
    "multipart garbage": (
        b"POST /api/integration/form-data",
        b"Integration: site\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 40\r\n\r\n" + b"--x\r\n" * 8,
        400,
        "malformed-body",
    ),
    "chunks that are none": (b"POST /api/integration/form-data", b"Integration: site\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400, "bad-request"),
    "chunks that are none, to a read, which reads none": (b"GET /api/content/offices/nowhere", b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", 404, "unknown-office"),
    "garbage counted as a view": (b"PUT /api/integration/articles/views/none", b"Content-Length: 3\r\n\r\n{{{", 404, "unknown-article"),
}  # fmt: skip


def ask(product: Product, request: bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body; the server closes the connection."""
    with socket.create_connection(("127.0.0.1", product.port), LONGEST_WAIT_S) as connection:
        connection.settimeout(LONGEST_WAIT_S)
        connection.sendall(request)
        answer = b""
        while part := connection.recv(65_536):
            answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return int(status.split()[1]), headers, body


@pytest.mark.parametrize("case", PROBLEMS)
def test_is_a_problem_with_a_code(product: Product, case: str) -> None:
    line, rest, status, code = PROBLEMS[case]
    request = b"%s HTTP/1.1\r\n%s%s%s" % (line, HOST % product.port, rest, b"" if b"\r\n\r\n" in rest else b"\r\n\r\n")
    answered, headers, body = ask(product, request)
    assert (answered, headers["content-type"]) == (status, "application/problem+json"), body
    problem = json.loads(body)
    assert (problem["status"], problem["code"]) == (status, code)
    assert headers["api-version"] == "v5"
    assert headers.get("access-control-allow-origin") == "*" or b"/integration/" in line
    assert len(body) < 2048


@pytest.mark.parametrize(
    "request_",
    [
        b"GET /api/content/offices/\x00 HTTP/1.1\r\n",
        b"GET /api/content/offices/\xff HTTP/1.1\r\n",
        b"GET /api/content/offices HTTP/1.1\r\nCountry-Code: \x00\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET /api/content/offices HTTP/9.9\r\n",
    ],
)
def test_what_is_no_http_is_refused_by_the_server_itself(product: Product, request_: bytes) -> None:
    status, _, body = ask(product, request_ + HOST % product.port + b"\r\n")
    assert status in (400, 505)
    assert body == b""


def test_clients_that_leave_in_the_middle_leave_nothing_behind(product: Product) -> None:
    head = b"POST /api/integration/form-data HTTP/1.1\r\n" + HOST % product.port
    head += b"Integration: site\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 5000\r\n\r\n--x\r\n"
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", product.port)) as connection:
            connection.sendall(head)
    assert product.get("en", "/api/content/offices").status_code == 200
    assert "Traceback" not in (product.var_dir / "demo.log").read_text()
