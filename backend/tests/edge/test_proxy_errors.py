"""The error pages of the shipped nginx.conf have the headers of the edge's own, and tell people how to go on."""

from pathlib import Path

from portolan.edge.common_headers import find_missing
from portolan_dev.ports import free_port

from ..web_servers import ask, need_nginx, nginx, shipped_nginx


@need_nginx()
def test_what_nginx_answers_by_itself_is_as_safe_and_says_what_to_do(tmp_path: Path) -> None:
    port = free_port()
    wanted = {name.decode(): value.decode() for name, value in find_missing(frozenset(), b"text/plain", True)}
    nobody = f"\tserver 127.0.0.1:{free_port()};\n"
    with nginx(tmp_path / "nginx", shipped_nginx(port, nobody), port):
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
