"""Test that no content bypasses the publish checks (``content/going_live.py``). The test sends all data that the studio
accepts, as people who may not publish, who may publish elsewhere, or who may publish where a reviewer has to.

URLs come from the URL resolver, forms from the screens, bulk actions and snippets from Wagtail's registries. A new
screen is therefore tested, unless it is named here with a reason. ``PORTOLAN_WALK=whole`` is the long form. It tests
every account, and a superuser without rules. Each of the superuser's screens has to put a change live, except those
named as harmless.
"""

import os
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from portolan.commands.main import COMMANDS
from portolan.content.site_records import SiteRecord
from portolan.domain.roles import parse_site_role
from portolan.studio.permissions import sync_role_group

from .walk import REQUEST, Attempt, Effect, find_screens, walk_everything
from .world import World

pytestmark = pytest.mark.django_db
is_long: Final = os.environ.get("PORTOLAN_WALK") == "whole"
only_long: Final = pytest.mark.skipif(not is_long, reason="only in the long form: PORTOLAN_WALK=whole")

HARMLESS: Final[Mapping[str, str]] = {
    r"api:.*|api/.*|\{\}|__(form|consent|captcha)": "what visitors send: leads, choices, counts",
    r"assets/.*|media/.*|wagtaildocs_(serve|authenticate_with_password)|admin/\^.*|.*_(sprite|javascript_catalog|error_test)": "files",
    r"wagtailimages:(preview|generate_url|url_generator.*)|wagtailembeds:.*": "shows a picture, or embeds nothing",
    r"wagtailadmin_(login|logout|account|password_reset.*)|wagtailusers_.*|studio_(accept_invitation|address|back_from_elsewhere|choose_password|confirm(_.*)?|disconnect|forget_address|new_passkey_.*|password|passkey_.*|person_signing_in|recovery_codes|remove_factor|second_step|set_up|sign_in_elsewhere|sign_out_elsewhere|signing_in|who)": "people and their rights: test_people, test_roles",
    r"studio_leads?(_.*)?": "leads",
    r"wagtailadmin_(collections|workflows):.*|wagtailsites:.*|studio_review_rules": "for superusers alone, who look after the installation",
    r"wagtailsettings:.*|admin/snippets/content/redirect/.*|admin/reports/releases/.*|wagtailsnippets_.*:usage": "leads to another screen",
    r".*usage/.*|.*:(usage|history.*|revisions_(index|view|compare)|workflow_(history.*|preview)|type_use.*|search.*|choose_parent|add_subpage|view_draft)": "shows something",
    r".*wagtailadmin_(explore.*|choose_page.*|tag_.*|editing_sessions:.*|dismissibles|block_preview)|.*:(move)|wagtailimages_chooser:select_format": "shows something, or chooses it",
    r"publish_status|studio_(anchors|calendar|consent.*|deleted_pages|documents(_results)?|follow|former_addresses|handbook.*|history.*|home_parts|images(_results)?|version_history|look|original|page_address|picture_description|redirects_export|release|releases|rendering|scheduled|search|sign_ins.*|taken_down|taken_down_follow|travel|tree|tree_children|tree_of_site)": "shows something",
    r"studio_preview.*|.*:preview_on_(add|edit)|studio_check_.*": "shows a draft, or what is wrong with it",
    r"studio_(local_version|switch_inheritance)": "saves a draft, or which texts of a local version follow its source",
    r".*:(lock|unlock)": "keeps others from editing",
    r".*:(workflow_action|collect_workflow_action_data|confirm_workflow_cancellation)": "Wagtail's workflows are switched off",
    r"wagtailsnippetchoosers_.*": "has no form that makes an entry",
    r"(wagtailimages|wagtaildocs):(add|add_multiple|create_multiple.*|delete_upload_multiple)|(wagtailimages|wagtaildocs)_chooser:create": "adds a file that nothing shows yet",
    r"simple_translation:.*|.*:begin|studio_replace|studio_translations_(create|machine|import.*)": "makes drafts",
    r"studio_translate": "saves a draft, and marks translations as up to date",
    r"studio_glossary(_export|_import)?": "keeps terms for translators",
    r"studio_translations?(_export|_change)?": "shows or assigns translations, and marks them as up to date",
    r"studio_countries|studio_country(_add|_remove|_start)?": "makes drafts of a new site, which goes live by a change set",
    r"studio_change_set(s|_add|_details|_keep|_move|_remove)?": "changes what is in a change set, which goes live by its steps",
    r".*:revisions_unschedule": "keeps a draft from going live",
    r"studio_empty_deleted_pages": "removes what is on no site",
    r"wagtailadmin_pages:set_privacy": "is about pages that Wagtail serves itself, and it serves none",
    r"wagtailadmin_pages:convert_alias": "makes a live copy a page of its own, with the same content",
    r"wagtailadmin_pages:set_page_position|studio_tree_order": "the order of pages is in no release",
}
"""Screens that never put content live: patterns of their names, and reasons."""
EXEMPT: Final[Mapping[str, str]] = {
    "studio_show_again": "everybody goes back at once: for who may publish on every site, held until somebody resumes",
    "studio_resume": "follows the newest release again: for who may publish on every site",
    "studio_revert": "only what visitors saw right before comes back: an error has to go quicker than it came",
    "studio_change_set_revert": "the same of a change set",
    "studio_fallbacks": "shows pages that are live on their source and has no draft: for who may publish on the site",
    "studio_translations_original": "the same for single pages",
    "reorder": "the order of entries has no draft, and no words: for who may publish on every site",
}
"""Screens that put content live without a reviewer although the site has one: ends of their names, and reasons."""
SILENT: Final[Mapping[str, str]] = {
    "wagtailadmin_api:pages:action": "the studio has taken these actions out",
    "menusettings:unpublish": "a site cannot be without a menu",
    "office:add": "wants more than the walk knows; its view is that of phone:add and review:add",
    "office:reorder": "there is one office; its view is that of phone:reorder",
    "officecategory:add": "shown by offices alone, which have others",
    "officecategory:delete": "offices have it",
    "officecategory:unpublish": "offices have it",
}
"""Screens that could put content live, but do not in this test: ends of their names, and reasons."""

BY_OPERATORS: Final[Mapping[str, str]] = {
    "publish": "releases what editors have published through the gate",
    "publisher": "the same, for as long as it runs",
    "serve": "runs a publisher",
    "upgrade": "publishes what was live, in the formats of this version",
    "restore": "puts live what a backup had live",
    "rollback": "shows an earlier release, held until somebody resumes",
    "resume": "follows the newest release again",
    "follow": "serves what a publisher elsewhere has put live",
    "sites": "a site of the configuration gets its home page",
    "releases": "freezes content anew that was published",
    "django": "passes on to the commands of Django and Wagtail",
}
"""Commands that can change live content, and how. They check no user: a shell on the server gives access to the
database."""
COMMANDS_OF_NO_CONTENT: Final = frozenset(
    {"api", "backup", "build", "consent", "doctor", "edge", "explain", "export", "history", "init", "leads", "new"}
    | {"purge", "retention", "sign", "studio", "translations", "users", "verify"}
)
"""Commands that put nothing live. ``translations`` writes drafts. ``api`` and ``studio`` serve the screens that this test sends to."""


class Account(NamedTuple):
    roles: tuple[str, ...]
    publishes_on: frozenset[str] = frozenset()
    """Sites where this person may put content live alone."""
    is_superuser: bool = False
    is_reviewed: bool = True
    """True if a reviewer publishes on the German site."""

    def is_exempt(self, screen: str) -> bool:
        may_publish = self.is_reviewed and bool(self.publishes_on)
        return may_publish and any(screen.endswith(end) for end in EXEMPT)


ELSEWHERE: Final = frozenset({"en", "uk"})
"""The British site inherits from the international site: live copies and menus follow."""
ACCOUNTS: Final = {
    "editor of one site": Account(("editor:de",)),
    "editor of all sites": Account(("editor",)),
    "publisher of another site": Account(("editor", "publisher:en"), ELSEWHERE, is_reviewed=False),
    "publisher where a reviewer publishes": Account(("publisher",), ELSEWHERE),
    "superuser where a reviewer publishes": Account((), ELSEWHERE, is_superuser=True),
}
IN_SHORT: Final = ("publisher of another site", "publisher where a reviewer publishes")
"""Accounts of the short form. The other accounts may do less than these, or the same."""


def is_harmless(screen: str) -> bool:
    return any(re.fullmatch(pattern, screen) for pattern in HARMLESS)


def sign_in(client: Client, account: Account) -> Any:
    user = get_user_model().objects.get(username="owner")
    user.groups.set([sync_role_group(parse_site_role(role)) for role in account.roles])
    user.is_superuser = account.is_superuser
    user.save()
    SiteRecord.objects.filter(key="de").update(is_reviewed=account.is_reviewed)
    client.defaults["HTTP_HOST"] = "studio.localhost"
    client.force_login(user)
    return user


def is_allowed(effect: Effect, attempt: Attempt, account: Account, approved: int) -> bool:
    """Return True if the account may cause the effect. ``approved``: the change set that another person has approved."""
    if effect.site in account.publishes_on:
        return True
    if not account.is_reviewed or not account.publishes_on:
        return False
    return account.is_exempt(attempt.screen) or effect.is_removal or f"/changes/{approved}/" in attempt.url


@pytest.mark.parametrize("name", [name for name in ACCOUNTS if is_long or name in IN_SHORT])
def test_nothing_goes_live_past_the_gate(client: Client, live_world: World, name: str) -> None:
    account, found, seen = ACCOUNTS[name], set(), set()
    user = sign_in(client, account)

    def is_left_out(screen: str) -> bool:
        return is_harmless(screen) or (not is_long and account.is_exempt(screen))

    for attempt in walk_everything(live_world, client, user, is_left_out, is_long):
        for effect in attempt.effects:
            seen.add(attempt.screen)
            if not is_allowed(effect, attempt, account, live_world.sets["de approved"]):
                found.add(f"{attempt.screen}: {effect.what} on {effect.site or 'all sites'} ({attempt.url})")
    assert not found, f"{name}: went live without the gate:\n" + "\n".join(sorted(found))
    if account.publishes_on:  # guards against requests that fail for other reasons
        assert seen >= {
            "wagtailsnippets_content_menusettings:edit",
            "studio_redirects_import",
            "studio_change_set_step",
        }


def test_every_harmless_screen_is_there() -> None:
    names = find_screens()
    gone = [pattern for pattern in HARMLESS if not any(re.fullmatch(pattern, name) for name in names)]
    assert not gone, f"No screen has one of these names any more: {gone}"


@only_long
def test_what_is_named_harmless_is_and_all_else_puts_something_live(client: Client, live_world: World) -> None:
    user = sign_in(client, Account((), is_superuser=True, is_reviewed=False))
    effects: dict[str, set[Effect]] = {}
    for attempt in walk_everything(live_world, client, user, lambda screen: False):
        effects.setdefault(attempt.screen, set()).update(attempt.effects)
    wrong = {screen for screen, found in effects.items() if is_harmless(screen) and found}
    assert not wrong, f"Named harmless, but these put something live: {wrong}"
    silent = {screen for screen in effects if not is_harmless(screen) and not effects[screen]}
    silent = {screen for screen in silent if not any(screen.endswith(end) for end in SILENT)}
    assert not silent, f"Say what to send there (sending.py), or why it puts nothing live (HARMLESS): {silent}"
    assert any(effect.what == REQUEST for effect in effects["studio_show_again"])


def test_every_command_is_known_to_change_what_is_live_or_not() -> None:
    assert sorted([*BY_OPERATORS, *COMMANDS_OF_NO_CONTENT]) == sorted(COMMANDS), "name a new one in one of the two"
