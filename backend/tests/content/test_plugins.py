"""Blocks and page types from packages that the site configuration names."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from portolan.content.blocks import BLOCKS
from portolan.content.blocks.stats import StatsBlock
from portolan.content.pages import OWN_PAGE_TYPES
from portolan.content.pages.article import ArticlePage
from portolan.content.pages.home import HomePage
from portolan.content.plugins import PluginError, find_plugin_apps, find_plugin_blocks, find_plugin_page_types

Part = Callable[..., ModuleType]


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Part]:
    """Add a module with these values to the package acme_plugin."""
    folder = tmp_path / "acme_plugin"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)

    def part(name: str, **values: object) -> ModuleType:
        (folder / f"{name}.py").touch()
        module = ModuleType(f"acme_plugin.{name}")
        vars(module).update(values)
        monkeypatch.setitem(sys.modules, f"acme_plugin.{name}", module)
        return module

    yield part
    for name in [name for name in sys.modules if name.startswith("acme_plugin")]:
        del sys.modules[name]


def told(find: Callable[[], object]) -> str:
    with pytest.raises(PluginError) as caught:
        list(find())  # type: ignore[call-overload]
    return str(caught.value)


def test_the_blocks_of_all_of_them(plugin: Part) -> None:
    assert list(find_plugin_blocks(["acme_plugin"], ())) == []
    plugin("blocks", BLOCKS=[StatsBlock])
    assert list(find_plugin_blocks(["acme_plugin"], ())) == [StatsBlock]
    assert list(find_plugin_blocks([], BLOCKS)) == []


def test_blocks_that_cannot_be_used_are_told(plugin: Part) -> None:
    blocks = plugin("blocks")
    assert "Python cannot find" in told(lambda: find_plugin_blocks(["not_there"], BLOCKS))
    assert "has no BLOCKS" in told(lambda: find_plugin_blocks(["acme_plugin"], BLOCKS))
    vars(blocks)["BLOCKS"] = ["stats"]
    assert "'stats', which is not a SiteBlock" in told(lambda: find_plugin_blocks(["acme_plugin"], BLOCKS))
    vars(blocks)["BLOCKS"] = [StatsBlock]
    assert "has a block 'stats', which the product has too" in told(lambda: find_plugin_blocks(["acme_plugin"], BLOCKS))


def test_a_plugin_is_an_app_of_a_name_of_its_own(plugin: Part) -> None:
    assert find_plugin_apps(["acme_plugin"], ["portolan.content"]) == ["acme_plugin"]
    assert "both have the app label 'acme_plugin'" in told(
        lambda: find_plugin_apps(["acme_plugin"], ["other.acme_plugin"])
    )
    assert "Python cannot find" in told(lambda: find_plugin_apps(["acme.not_there"], []))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, "belongs to the Django app 'content'"),
        ({"page_type": "Branch"}, "'Branch' cannot be the name of a page type"),
        ({"page_type": "b" * 41}, "cannot be the name of a page type"),
        ({"header": "none"}, "header is 'none'"),
        ({"Fields": dict}, "Fields is not a portolan.schemas.base.Schema"),
    ],
)
def test_a_family_that_cannot_be_used_is_told(
    plugin: Part, monkeypatch: pytest.MonkeyPatch, changed: dict[str, object], said: str
) -> None:
    monkeypatch.setattr(HomePage, "__module__", "acme_plugin.home")
    if changed and "page_type" not in changed:
        monkeypatch.setattr(HomePage._meta, "app_label", "acme_plugin")
    for name, value in changed.items():
        monkeypatch.setattr(HomePage, name, value)
    plugin("models", HomePage=HomePage)
    assert said in told(lambda: find_plugin_page_types(["acme_plugin"], ()))


def test_two_families_of_one_name_are_told(plugin: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    plugin("models", HomePage=HomePage, ArticlePage=ArticlePage)
    assert list(find_plugin_page_types(["acme_plugin"], OWN_PAGE_TYPES)) == []  # imported only
    monkeypatch.setattr(HomePage, "__module__", "acme_plugin.home")
    monkeypatch.setattr(HomePage._meta, "app_label", "acme_plugin")
    assert list(find_plugin_page_types(["acme_plugin"], ())) == [HomePage]
    assert "has a page type 'home', which the product has too" in told(
        lambda: find_plugin_page_types(["acme_plugin"], OWN_PAGE_TYPES)
    )
    monkeypatch.setattr(ArticlePage._meta, "model_name", "homepage")
    assert "has a page class 'homepage', which the product has too" in told(
        lambda: find_plugin_page_types(["acme_plugin"], (ArticlePage,))
    )


def test_a_family_with_a_card_is_refused(plugin: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ArticlePage, "__module__", "acme_plugin.article")
    plugin("models", ArticlePage=ArticlePage)
    assert "only the product's page types" in told(lambda: find_plugin_page_types(["acme_plugin"], ()))
