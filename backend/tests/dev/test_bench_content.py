"""Content for measuring builds: it must equal the peers' exactly, and be publishable."""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import jsonschema_rs
import pytest

from portolan.config.project import ROOT
from portolan.domain.references import find_references
from portolan.domain.routes import is_page_path
from portolan.releases.formats import current_format
from portolan.sites.load import load_registry
from portolan_dev.bench.contents import CONTENTS, divide, media_names
from portolan_dev.bench.items import Item
from portolan_dev.bench.peers.content import FEWEST_PAGES, write_site
from portolan_dev.bench.registry import site_keys, write_registry

PAGES = 60
OF_THE_KIT = "9f4e310c9ed443e1cbd0559382dcdf16"
"""Digest of the output of the peers' kit for 60 pages and seed 7: its site.json and its pages, in order."""


def test_a_seed_gives_what_the_peers_kit_makes_of_it() -> None:
    site = write_site(0, PAGES)
    text = "\n".join(json.dumps(value) for value in (site.frame, *site.pages))
    assert sha256(text.encode()).hexdigest()[:32] == OF_THE_KIT


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return list(CONTENTS["peers"].items(["en", "saa"], 2 * PAGES))


def errors_of(item: Item) -> Iterator[str]:
    folder = ROOT / "contract" / "frozen"
    form = f"{item.kind}.{current_format(item.kind)}"
    parts = [(f"{form}.json", item.body)]
    if item.kind == "page":
        parts += [(f"{form}/{block['type']}.json", block) for block in item.body["blocks"]]
    for name, value in parts:
        schema = json.loads((folder / name).read_text(encoding="utf-8"))
        yield from (f"{item.key}: {error.message}" for error in jsonschema_rs.validator_for(schema).iter_errors(value))


def test_the_peers_content_is_frozen_as_our_schemas_say(items: list[Item]) -> None:
    some = [item for item in items if item.kind != "page"] + [item for item in items if item.kind == "page"][::9]
    blocks = {block["type"] for item in some if item.kind == "page" for block in item.body["blocks"]}
    assert len(blocks) == 9
    assert [error for item in some for error in errors_of(item)] == []


def test_no_two_items_are_one() -> None:
    names = [item[:3] for item in CONTENTS["peers"].items(["en"], 600)]  # including numbers like those of error pages
    assert len(set(names)) == len(names)


def test_the_peers_content_leads_to_what_is_there(items: list[Item]) -> None:
    for site in ("en", "saa"):
        pages = {item.key: item.body["path"] for item in items if (item.site, item.kind) == (site, "page")}
        pictures = {item.key for item in items if item.kind == "picture"}
        assert len(set(pages.values())) == len(pages) == PAGES + 6
        assert all(is_page_path(path) for path in pages.values())
        there = {"page": pages.keys(), "picture": pictures}
        for item in items:
            if item.site == site:
                assert all(reference.key in there[reference.kind] for reference in find_references(item.body))
        assert CONTENTS["peers"].edited(site, PAGES, PAGES) in pages


def test_pages_are_divided_among_the_sites() -> None:
    assert divide(100, 8) == [13, 13, 13, 13, 12, 12, 12, 12]
    own = [item for item in CONTENTS["own"].items(["en", "saa"], 2 * FEWEST_PAGES) if item.kind == "page"]
    assert [item.site for item in own].count("en") == len(own) / 2 == FEWEST_PAGES


def test_pictures_name_their_files() -> None:
    names = list(media_names(CONTENTS["peers"].pictures()))
    assert {"p01-mobile.webp", "p12-desktop2X.avif", "logo.svg"} <= set(names)


@pytest.mark.parametrize("count", [1, 8, 100])
def test_a_registry_of_so_many_sites(count: int, tmp_path: Path) -> None:
    file = tmp_path / "sites.toml"
    source = (ROOT / "sites.toml").read_text(encoding="utf-8")
    file.write_text(write_registry(source, site_keys(count)), encoding="utf-8")
    registry = load_registry(file)
    assert len(registry.sites) == count
    assert registry.sites_granting_unasked() == []
