"""Which scripts a page has, by its HTML and the web build."""

from pathlib import Path

import orjson
import pytest

from portolan.publisher.page_scripts import find_page_scripts
from portolan.publisher.problem import UsageError

HTML = """<!doctype html><html data-build="web-1"><body><header data-header><div data-tabs></div></header>
<main><div data-tabs="Texts"></div><div data-tabs></div><img data-film="a.webm"><div data-island="lead-form"></div></main>
<footer data-accordion></footer></body></html>"""


def script(name: str, on: str, when: str, *urls: str) -> dict[str, object]:
    return {"name": name, "source": f"src/{name}.ts", "on": on, "when": when, "urls": urls or (f"/assets/{name}.js",)}


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    scripts = [
        script("loader", "", "paint"),
        script("show-tabs", "main [data-tabs]", "load", "/assets/shared.js", "/assets/show-tabs.js"),
        script("watch-progress", "[data-reading-progress]", "load"),
        script("start-menu", "[data-header]", "touch", "/assets/shared.js", "/assets/start-menu.js"),
        script("lead-form", "[data-island=lead-form]", "wake"),
        script("project-filter", "[data-island=project-filter]", "wake"),
    ]
    (tmp_path / "client/assets").mkdir(parents=True)
    for url in {url for each in scripts for url in each["urls"]}:  # type: ignore[attr-defined]
        (tmp_path / f"client{url}").write_text(f"run({url!r});" * 50)
    (tmp_path / "web-build.json").write_bytes(orjson.dumps({"hash": "web-1", "scripts": scripts}))
    return tmp_path


def test_a_page_has_what_its_elements_ask_for(dist: Path) -> None:
    found = find_page_scripts(HTML, dist)
    assert [(each.script.name, each.elements) for each in found.scripts] == [
        ("loader", 0),
        ("show-tabs", 2),
        ("start-menu", 1),
        ("lead-form", 1),
    ]
    assert found.is_of_build


def test_a_file_counts_where_it_comes_first(dist: Path) -> None:
    loader, tabs, menu, _ = find_page_scripts(HTML, dist).scripts
    assert tabs.size > menu.size > 0
    assert find_page_scripts(HTML, dist).untouched == loader.size + tabs.size


def test_a_page_of_another_web_build_is_told(dist: Path) -> None:
    assert not find_page_scripts(HTML.replace("web-1", "web-0"), dist).is_of_build


def test_without_a_web_build_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"run `npm run build` in web/"):
        find_page_scripts(HTML, tmp_path)
