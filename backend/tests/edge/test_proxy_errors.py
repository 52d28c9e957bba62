"""What the shipped nginx.conf answers by itself says what the edge's own answers say to browsers, and what to do to people."""

import re
from pathlib import Path

from portolan.edge.common_headers import find_missing
from portolan_dev.ports import free_port

from ..web_servers import ask, need_nginx, nginx

CONF = Path(__file__).parents[3] / "deploy" / "proxy" / "nginx.conf"


def on_loopback(port: int) -> str:
    """Without TLS, and in front of nobody."""
    text = CONF.read_text()
    text = text[: text.index("server {\n\tlisten 80;")]
    for pattern, now in (
        (r"server 127\.0\.0\.1:8000 .*;", f"server 127.0.0.1:{free_port()};"),
        (r"\tlisten 443 ssl http2;\n", f"\tlisten 127.0.0.1:{port};\n"),
        (r"\tlisten \[::\]:443.*\n", ""),
        (r"\tserver_name.*\n", ""),
        (r"\tssl_certificate.*\n", ""),
    ):
        text, count = re.subn(pattern, now, text)
        assert count, f"{CONF.name} has nothing like {pattern} any more"
    return text


@need_nginx()
def test_what_nginx_answers_by_itself_is_as_safe_and_says_what_to_do(tmp_path: Path) -> None:
    port = free_port()
    wanted = {name.decode(): value.decode() for name, value in find_missing(frozenset(), b"text/plain", True)}
    with nginx(tmp_path / "nginx", on_loopback(port), port):
        for path, headers, status, said in (
            ("/", {}, 502, "Wait a few seconds"),
            ("/", {"Content-Length": str(31 << 20)}, 413, "Choose smaller files"),
            ("/-/ready", {}, 403, "Nothing here"),
            (f"/{'x' * 9000}", {}, 414, "too long"),
        ):
            answer = ask(port, path, "a.example", **headers)
            assert (answer.status, answer.headers["content-type"]) == (status, "text/plain; charset=utf-8")
            assert said in answer.body.decode()
            assert answer.headers["cache-control"] == "no-store"
            assert {name: answer.headers.get(name) for name in wanted} == wanted
