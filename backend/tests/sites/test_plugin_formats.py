"""Stored data of plugins' earlier versions, upgraded when read."""

import sys
from pathlib import Path
from typing import Any

import pytest

from portolan.sites.plugin_formats import NewerPlugin, PluginFormats, load_formats, raise_plugin_parts


def with_note(value: Any) -> Any:
    value["note"] = ""
    return value


def without_text(value: Any) -> Any:
    return {name: kept for name, kept in value.items() if name != "text"}


FORMATS = PluginFormats({"map": [with_note, without_text]}, {"branch": [with_note]})


def page(**more: Any) -> Any:
    blocks = [{"type": "map", "text": "x"}, {"type": "stats", "text": "x"}]
    return {"template": "branch", "blocks": blocks, "fields": {"city": "Kiel"}, **more}


@pytest.mark.parametrize(
    ("stored", "block", "fields"),
    [
        ({}, {"type": "map", "note": ""}, {"city": "Kiel", "note": ""}),
        ({"block_formats": {"map": 2}}, {"type": "map"}, {"city": "Kiel", "note": ""}),
        ({"block_formats": {"map": 3}, "fields_format": 2}, {"type": "map", "text": "x"}, {"city": "Kiel"}),
    ],
)
def test_each_part_is_raised_from_its_own_format(stored: dict[str, Any], block: Any, fields: Any) -> None:
    raised = raise_plugin_parts(page(**stored), FORMATS)
    assert raised["blocks"] == [block, {"type": "stats", "text": "x"}]
    assert raised["fields"] == fields
    assert (FORMATS.of_block("map"), FORMATS.of_block("stats"), FORMATS.of_page_type("branch")) == (3, 1, 2)


@pytest.mark.parametrize("stored", [{"block_formats": {"map": 4}}, {"fields_format": 3}])
def test_a_newer_one_is_refused(stored: dict[str, Any]) -> None:
    with pytest.raises(NewerPlugin):
        raise_plugin_parts(page(**stored), FORMATS)
    with pytest.raises(NewerPlugin):
        raise_plugin_parts(page(**stored), PluginFormats({}, {}))


def test_pages_without_anything_of_plugins_stay_the_very_same() -> None:
    body: Any = {"template": "home", "blocks": [{"type": "stats"}]}
    assert raise_plugin_parts(body, PluginFormats({}, {})) is body
    assert body["blocks"] == [{"type": "stats"}]


def test_steps_stand_in_the_plugin_and_need_nothing_of_django(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("aaa_plugin", "BLOCKS = {'map': [dict]}\n"), ("bbb_plugin", None)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").touch()
        if text:
            (folder / "formats.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    assert load_formats(("aaa_plugin", "bbb_plugin")) == PluginFormats({"map": [dict]}, {})
    for name in [name for name in sys.modules if name.startswith(("aaa_plugin", "bbb_plugin"))]:
        del sys.modules[name]
