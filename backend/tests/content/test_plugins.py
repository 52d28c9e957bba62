"""Blocks out of modules that the registry names."""

import sys
from types import ModuleType

import pytest

from portolan.content.blocks import BLOCKS
from portolan.content.blocks.stats import StatsBlock
from portolan.content.plugins import PluginError, find_plugin_blocks


@pytest.fixture
def plugin(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = ModuleType("acme_blocks")
    monkeypatch.setitem(sys.modules, "acme_blocks", module)
    return module


def test_the_blocks_of_all_of_them(plugin: ModuleType) -> None:
    plugin.BLOCKS = [StatsBlock]  # type: ignore[attr-defined]
    assert list(find_plugin_blocks(["acme_blocks"], ())) == [StatsBlock]
    assert list(find_plugin_blocks([], BLOCKS)) == []


def test_what_cannot_be_used_is_told(plugin: ModuleType) -> None:
    def told(*names: str) -> str:
        with pytest.raises(PluginError) as caught:
            list(find_plugin_blocks(names, BLOCKS))
        return str(caught.value)

    assert "The plugin not_there of sites.toml cannot be imported" in told("not_there")
    assert "has no BLOCKS" in told("acme_blocks")
    plugin.BLOCKS = ["stats"]  # type: ignore[attr-defined]
    assert "'stats', which is no SiteBlock" in told("acme_blocks")
    plugin.BLOCKS = [StatsBlock]  # type: ignore[attr-defined]
    assert "has a block 'stats', and so has the product" in told("acme_blocks")
