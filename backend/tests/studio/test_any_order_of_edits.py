"""Random edits of a menu and of the menu that it follows, in any order. Local words stay, and changes are offered."""

from typing import Any, NamedTuple

from django.contrib.contenttypes.models import ContentType
from hypothesis import given, settings
from hypothesis import strategies as some

from portolan.content.local_versions import LocalVersion
from portolan.content.models import MenuSettings
from portolan.domain.inheritance import State
from portolan.studio.local_versions.content import move_base, read, write
from portolan.studio.local_versions.following import merge_into, states_of

KEYS = "abc"


class Edit(NamedTuple):
    is_own: bool
    key: str
    is_deletion: bool


edits = some.lists(some.builds(Edit, some.booleans(), some.sampled_from(KEYS), some.booleans()), max_size=12)


def menu(titles: dict[str, str]) -> MenuSettings:
    raw = [{"type": "item", "value": {"key": key, "title": said}} for key, said in titles.items()]
    return MenuSettings(items=MenuSettings._meta.get_field("items").stream_block.to_python(raw))


def titles(row: MenuSettings) -> dict[str, str]:
    return {each["value"]["key"]: each["value"]["title"] for each in row.items.raw_data}


def take_over(row: LocalVersion, source: MenuSettings, own: MenuSettings) -> Any:
    theirs = read(source)
    found = merge_into(row, own, theirs)
    merged = write(own, found, theirs, read(own))
    move_base(row, theirs, found.conflicts)
    return merged


@settings(max_examples=150, deadline=None)
@given(edits)
def test_no_own_text_is_lost_and_no_change_of_the_source_is_hidden(done: list[Edit]) -> None:
    theirs = dict.fromkeys(KEYS, "first")
    source = own = menu(theirs)
    row = LocalVersion(content_type=ContentType(app_label="content", model="menusettings"))
    move_base(row, read(source), [])
    typed_here: dict[str, str | None] = {}
    """By key: what the site's editors wrote last, None for a deletion."""
    seen: dict[str, str | None] = {}
    """By key: the source's text when the site's editors wrote theirs."""
    for number, (is_own, key, is_deletion) in enumerate(done):
        text = None if is_deletion else f"{'own' if is_own else 'source'} {number}"
        changed = {name: said for name, said in ({**titles(own if is_own else source), key: text}).items() if said}
        if is_own:
            if key in titles(own) or not is_deletion:
                typed_here[key], seen[key] = text, seen.get(key, titles(source).get(key))
            own = menu(changed)
        else:
            source = menu(changed)
            own = take_over(row, source, own)
        shown, original = titles(own), titles(source)
        for name in [name for name in typed_here if shown.get(name) == original.get(name)]:
            del typed_here[name], seen[name]  # both agree, so it follows again
        assert {name: shown.get(name) for name in typed_here} == typed_here, "an own text or deletion stays"
        followed = {name: shown.get(name) for name in KEYS if name not in typed_here}
        assert followed == {name: original.get(name) for name in followed}, "all other texts follow"
        states = states_of(row, source, own)
        for name, before in seen.items():
            if original.get(name) not in (before, typed_here[name]):
                assert states["body", f"items {name}"] is State.CHANGED, "a change of the source is offered"
