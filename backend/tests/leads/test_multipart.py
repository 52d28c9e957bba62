import json

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from portolan.leads.multipart import FormValue, build_form, join_key, split_key
from portolan.leads.refusals import INVALID_VALUE, LeadRefused


@pytest.mark.parametrize(
    ("fields", "form"),
    [
        ([], {}),
        ([("message", "a")], {"message": "a"}),
        ([("contact[name]", "a"), ("contact[email]", "b")], {"contact": {"name": "a", "email": "b"}}),
        ([("services[1]", "b"), ("services[0]", "a")], {"services": ["a", "b"]}),
        (
            [("team[0][role]", "a"), ("team[1][role]", "b"), ("team[0][count]", "2")],
            {"team": [{"role": "a", "count": "2"}, {"role": "b"}]},
        ),
        ([("a[0][0][x][0]", "1")], {"a": [[{"x": ["1"]}]]}),
        ([("a[01]", "1"), ("a[x-y z]", "2")], {"a": {"01": "1", "x-y z": "2"}}),
        ([("__proto__[isAdmin]", "1"), ("constructor", "2")], {"__proto__": {"isAdmin": "1"}, "constructor": "2"}),
        ([("ключ[имя]", "1")], {"ключ": {"имя": "1"}}),
    ],
)
def test_indexed_keys_become_nested_values(fields: list[tuple[str, str]], form: dict[str, FormValue]) -> None:
    assert build_form(fields) == form


@pytest.mark.parametrize(
    ("keys", "named", "reason"),
    [
        ([""], "", "not a field name"),
        (["[a]"], "[a]", "not a field name"),
        (["a[]"], "a[]", "not a field name"),
        (["a[b"], "a[b", "not a field name"),
        (["a]b["], "a]b[", "not a field name"),
        (["a[b]c"], "a[b]c", "not a field name"),
        (["a[[b]]"], "a[[b]]", "not a field name"),
        (["a" * 201], "a" * 100 + "…", "not a field name"),
        (["a[b][c][d][e][f]"], "a[b][c][d][e][f]", "deeper than 5"),
        (["a" + "[b]" * 50], "a" + "[b]" * 33 + "…", "deeper than 5"),
        (["a[51]"], "a[51]", "beyond 50"),
        (["a[999999999]"], "a[999999999]", "beyond 50"),
        (["a[" + "9" * 190 + "]"], "a[" + "9" * 98 + "…", "beyond 50"),
        (["a", "a"], "a", "twice"),
        (["a[0]", "a[0]"], "a[0]", "twice"),
        (["a", "a[b]"], "a[b]", "a value and a group"),
        (["a[b]", "a"], "a", "a value and a group"),
        (["a[b][c]", "a[b]"], "a[b]", "a value and a group"),
        (["a[0]", "a[b]"], "a[b]", "a value and a group"),
        (["a[b]", "a[0]"], "a[0]", "a value and a group"),
        (["a[0][x]", "a[b][x]"], "a[b][x]", "a value and a group"),
        (["a[1]"], "a", "gaps"),
        (["a[0]", "a[2]"], "a", "gaps"),
        (["a[0][b][1]"], "a[0][b]", "gaps"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_named(keys: list[str], named: str, reason: str) -> None:
    with pytest.raises(LeadRefused) as refused:
        build_form([(key, "CANARY") for key in keys])
    assert refused.value.code == INVALID_VALUE
    (error,) = refused.value.errors
    assert error.field == named
    assert reason in error.message
    assert "CANARY" not in repr(refused.value) + error.message


def test_an_index_of_fifty_is_the_last() -> None:
    assert build_form((f"a[{index}]", "1") for index in range(51)) == {"a": ["1"] * 51}


values = st.recursive(
    st.text(max_size=5),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=4)
        | st.dictionaries(st.from_regex(r"[a-z_][a-z_-]{0,8}", fullmatch=True), inner, min_size=1, max_size=4)
    ),
    max_leaves=20,
)


@settings(deadline=None, max_examples=40)
@given(st.dictionaries(st.from_regex(r"[a-z_][a-z_-]{0,8}", fullmatch=True), values, max_size=5))
def test_what_a_browser_takes_apart_is_put_together_again(form: dict[str, FormValue]) -> None:
    fields: list[tuple[str, str]] = []

    def take_apart(steps: list[str | int], value: FormValue) -> None:
        if isinstance(value, str):
            fields.append((join_key(steps), value))
        else:
            for step, child in enumerate(value) if isinstance(value, list) else value.items():
                take_apart([*steps, step], child)

    for name, value in form.items():
        take_apart([name], value)
    assume(all(split_or_none(key) for key, _ in fields))
    assert build_form(reversed(fields)) == form


def split_or_none(key: str) -> list[str | int] | None:
    try:
        return split_key(key)
    except LeadRefused:
        return None


@settings(deadline=None)
@given(st.lists(st.tuples(st.text("ab[]012_", max_size=12), st.text(max_size=3)), max_size=8))
def test_any_keys_are_a_form_or_are_refused(fields: list[tuple[str, str]]) -> None:
    try:
        form = build_form(fields)
    except LeadRefused as refused:
        assert refused.errors
    else:
        json.dumps(form)
