"""nginx with a cache before a running edge, set up exactly as in docs/deploy/cdn.md: two visitors from two countries,
an edit, a purge."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from portolan.builds.hosts import build_hosts, write_hosts
from portolan.sites.load import read_registry
from portolan_dev.ports import free_port

from ..builds.conftest import Build, build, root
from ..processes import wait_until
from ..web_servers import PURGE, Answer, ask, need_nginx, nginx, running

__all__ = ["build", "root"]

ROOT = Path(__file__).parents[3]
SECTION = (ROOT / "docs/deploy/cdn.md").read_text().partition("\n## nginx\n")[2]
HTTP, SERVER = re.findall(r"```nginx\n(.*?)```", SECTION, re.DOTALL)
TEXT: Final = "".join(f"<p>Berth {number * 7919 % 1000}</p>" for number in range(100))
GERMAN, FRENCH = "127.0.0.2", "127.0.0.3"
FRONT = '\n[[cdns]]\nname = "front"\nkind = "http"\ncountry = "cdn"\nenvironments = ["local"]\nurls = ["http://127.0.0.1:{port}"]\n'


class Front(NamedTuple):
    port: int
    edge: int

    def ask(self, path: str = "/", source: str = GERMAN, **headers: str) -> Answer:
        return ask(self.port, path, f"localhost:{self.port}", source, **headers)

    def state(self, path: str, **headers: str) -> str:
        return self.ask(path, **headers).headers.get("x-cache-status", "")


@pytest.fixture
def front(root: Path, build: Build, tmp_path: Path) -> Iterator[Front]:
    port, edge = free_port(), free_port()
    registry = tmp_path / "sites.toml"
    registry.write_text((ROOT / "sites.toml").read_text() + FRONT.format(port=port))
    write_hosts(root, build_hosts(read_registry(registry), "local", port))
    build("a", {"/": f"home {TEXT}", "/about-us": f"about {TEXT}", "/404.html": f"missing {TEXT}"})
    (tmp_path / "countries").write_text(f"{GERMAN}/32 de;\n{FRENCH}/32 fr;\n")
    names = {
        "/var/cache/nginx/portolan": str(tmp_path / "cache"),
        "/etc/nginx/portolan-countries.conf": str(tmp_path / "countries"),
        "http://127.0.0.1:8000": f"http://127.0.0.1:{edge}",
    }
    text = f"{HTTP}\nserver {{\n    listen 127.0.0.1:{port};\n{SERVER}\n}}\n"
    for name, own in names.items():
        assert name in text
        text = text.replace(name, own)
    environment = {
        **os.environ,
        "PORTOLAN_VAR_DIR": str(root.parent),
        "PORTOLAN_SITES_FILE": str(registry),
        "PORTOLAN_PORT": str(port),
        "PORTOLAN_TRUSTED_PROXIES": "127.0.0.1",
    }
    command = [sys.executable, "-c", "from portolan.commands.main import main; main()"]
    with (
        running([*command, "edge", "--port", str(edge)], edge, tmp_path / "edge.log", environment),
        nginx(tmp_path / "nginx", text, port, [PURGE]),
        running([*command, "purge", "--watch"], None, tmp_path / "purge.log", environment),
    ):
        wait_until((root / "purged.json").exists, (tmp_path / "purge.log").read_text)  # it has dropped everything once
        yield Front(port, edge)


@need_nginx(PURGE)
def test_two_countries_one_copy_and_an_edit_that_is_seen_at_once(front: Front, build: Build) -> None:
    german, french = front.ask(source=GERMAN, accept_encoding="br"), front.ask(source=FRENCH, accept_encoding="br")
    assert (german.headers["x-cache-status"], french.headers["x-cache-status"]) == ("MISS", "HIT")
    assert german.body == french.body
    assert german.headers["content-encoding"] == french.headers["content-encoding"] == "br"
    cookies = [answer.headers["set-cookie"] for answer in (german, french)]
    assert [cookie.partition(";")[0] for cookie in cookies] == ["country_code=de", "country_code=fr"]
    assert "set-cookie" not in front.ask(source=FRENCH, cookie="country_code=fr").headers
    assert "set-cookie" not in ask(front.edge, "/", f"localhost:{front.port}").headers
    assert not {"surrogate-key", "surrogate-control", "x-accel-expires"} & french.headers.keys()
    for coding in ("gzip", ""):
        assert [front.state("/", accept_encoding=coding) for _ in range(2)][1] == "HIT"

    assert [front.state("/about-us") for _ in range(2)] == ["MISS", "HIT"]
    for asked in ("/?utm_source=x", "/nowhere", "/about-us/", "/api/news"):
        assert "HIT" not in {front.state(asked) for _ in range(2)}, asked

    build("b", {"/": f"home 2 {TEXT}", "/about-us": f"about {TEXT}", "/404.html": f"missing {TEXT}"})
    wait_until(lambda: b"home 2" in front.ask().body)
    assert front.state("/about-us") == "HIT"
    for coding in ("br", "gzip"):  # all copies of the page are new
        fresh = front.ask(accept_encoding=coding)
        assert fresh.headers["etag"].split("-")[0] != german.headers["etag"].split("-")[0]
