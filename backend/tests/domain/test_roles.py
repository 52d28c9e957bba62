import pytest

from portolan.domain.roles import ACTIONS, TEXTS, Action, Role, SiteRole, actions_of, name_group, parse_site_role


def test_each_role_has_actions_and_words():
    assert set(ACTIONS) == set(TEXTS) == set(Role)
    assert ACTIONS[Role.ADMINISTRATOR] == set(Action)


@pytest.mark.parametrize(
    ("lesser", "greater"),
    [
        (Role.READER, Role.TRANSLATOR),
        (Role.TRANSLATOR, Role.EDITOR),
        (Role.EDITOR, Role.PUBLISHER),
        (Role.PUBLISHER, Role.ADMINISTRATOR),
        (Role.LEAD_HANDLER, Role.ADMINISTRATOR),
    ],
)
def test_who_may_more_may_all_that_others_may(lesser, greater):
    assert ACTIONS[lesser] < ACTIONS[greater]


def test_what_concerns_all_sites_comes_with_a_role_on_all_sites_alone():
    assert Action.ERASE_LEADS in actions_of(SiteRole(Role.LEAD_HANDLER, ""))
    assert Action.ERASE_LEADS not in actions_of(SiteRole(Role.LEAD_HANDLER, "de"))
    assert Action.SEE_RECORDS not in actions_of(SiteRole(Role.ADMINISTRATOR, "de"))
    assert Action.ADMINISTER in actions_of(SiteRole(Role.ADMINISTRATOR, "de"))


@pytest.mark.parametrize("text", ["editor:de", "editor", "lead-handler:uk"])
def test_is_read_as_it_is_written(text):
    assert str(parse_site_role(text)) == text


def test_a_role_that_there_is_not():
    with pytest.raises(ValueError, match="boss"):
        parse_site_role("boss:de")


def test_groups_are_named_plainly():
    assert name_group(SiteRole(Role.EDITOR, "de"), "Deutschland") == "Editors · Deutschland"
    assert name_group(SiteRole(Role.LEAD_HANDLER, ""), "") == "Lead handlers · all sites"
