"""Twenty tasks of an editor in the studio, with the clicks and keys that each takes.

They run on the demo's content in this order. Later tasks revert changes of earlier ones.
"""

import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

_PUBLISHED: Final = re.compile(r"is live|is saved and on its way|is on its way to visitors|has been published")
_PUBLISH: Final = re.compile("^Publish|^Replace")
_TRIES_MS: Final = 500


class Hand:
    """Acts as an editor and counts clicks. Waits for each element."""

    def __init__(self, page: "Page", studio: str) -> None:
        self.page = page
        self.studio = studio
        self.clicks = 0

    def click(self, what: "Locator") -> None:
        self.clicks += 1
        what.click()

    def open(self, name: str | re.Pattern[str], within: str = "body") -> None:
        """Click a link."""
        self.click(self.page.locator(within).get_by_role("link", name=name).first)

    def press(self, name: str | re.Pattern[str], within: str = "body") -> None:
        """Click a button."""
        self.click(self.page.locator(within).get_by_role("button", name=name).first)

    def type(self, what: "Locator", text: str) -> None:
        """Fill a field: one click; the keys are not counted."""
        self.clicks += 1
        what.fill(text)

    def choose(self, what: "Locator", label: str) -> None:
        self.clicks += 2
        what.select_option(label=label)

    def key(self, name: str) -> None:
        self.clicks += 1
        self.page.keyboard.press(name)

    def go(self, path: str) -> None:
        """Open an entry of the menu on the left: one click, or two in a group."""
        self.clicks += 1
        self.page.goto(self.studio + path)

    def see(self, text: str | re.Pattern[str], where: str = "body") -> None:
        self.page.locator(where).get_by_text(text).first.wait_for()

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        end = time.monotonic() + 20
        while not is_so():
            if time.monotonic() > end:
                raise TimeoutError
            self.page.wait_for_timeout(_TRIES_MS / 10)


class Task(NamedTuple):
    name: str
    do: Callable[[Hand], None]


_CONTACT: Final = "#id_title"
_TITLE: Final = "Kontakt am Donnerstag"
_SET: Final = "Contact in autumn"


def _find(hand: Hand, words: str, link: str | re.Pattern[str]) -> None:
    """Search on the dashboard and open a result."""
    hand.type(hand.page.locator("main input[type=search], main input[name=q]").first, words)
    hand.key("Enter")
    hand.open(link, "main")


def _home(hand: Hand) -> None:
    hand.go("/admin/")


def _see_what_waits(hand: Hand) -> None:
    _home(hand)
    hand.page.locator("[data-home=waiting]").get_by_role("listitem").first.wait_for()


def _open_contact(hand: Hand) -> None:
    _home(hand)
    _find(hand, "Kontakt", re.compile("^Kontakt"))
    hand.page.locator(_CONTACT).wait_for()


def _publish_heading(hand: Hand) -> None:
    hand.type(hand.page.locator(_CONTACT), _TITLE)
    hand.press(_PUBLISH, "footer")
    hand.see(_PUBLISHED, ".messages")


def _see_delivery_status(hand: Hand) -> None:
    hand.open("Delivery status", ".messages")
    hand.page.locator("[data-delivery-site=de][data-state=verified]").wait_for()


def _revert(hand: Hand) -> None:
    hand.open("Revert its changes", "main")
    hand.press(re.compile("^Revert"), "main")
    hand.see(re.compile("is reverted|is as it was"), ".messages")


def _find_what_lacks(hand: Hand) -> None:
    """Remove a case study's first block, and follow the link to the place for a new one."""
    _home(hand)
    _find(hand, "Northwind Port Authority", re.compile("Northwind|port", re.IGNORECASE))
    block = hand.page.locator("#panel-child-content-body-section [data-streamfield-child]").first
    hand.click(block.get_by_role("button", name="Delete").first)
    hand.page.locator("[data-to-fix='1']").wait_for()
    hand.press("1 problem", "[data-to-fix]")
    hand.open(re.compile("main heading"), "[data-to-fix]")
    hand.page.locator("#panel-child-content-body-section .c-sf-add-button:focus").wait_for()


def _change_phone(hand: Hand) -> None:
    hand.go("/admin/snippets/content/office/")
    hand.open("Berlin", "main")
    hand.type(hand.page.locator("#id_phone"), "+49 30 555 01 99")
    hand.press(_PUBLISH, "footer")
    hand.see(_PUBLISHED, ".messages")


def _rename_menu_item(hand: Hand) -> None:
    hand.go("/admin/menus/")
    hand.open("Deutschland", "main")
    item = hand.page.locator("[data-streamfield-child]").first
    hand.click(item.locator("[data-panel-toggle]").first)
    hand.type(item.locator("input[name$='-value-title']").first, "Leistungsschau")
    hand.press("More actions", "footer")
    hand.press("Save draft", "footer")
    hand.see(re.compile("updated|saved"), ".messages")


def _preview_menu(hand: Hand) -> None:
    hand.press("Toggle preview")
    hand.page.frame_locator("iframe#w-preview-iframe").get_by_text("Leistungsschau").first.wait_for(state="attached")


def _publish_menu(hand: Hand) -> None:
    hand.press(_PUBLISH, "footer")
    hand.see(_PUBLISHED, ".messages")


def _undo_newest(hand: Hand) -> None:
    hand.go("/admin/releases/")
    hand.click(hand.page.get_by_role("row").nth(1).get_by_role("link").first)
    _revert(hand)


def _add_redirect(hand: Hand) -> None:
    hand.go("/admin/redirects/")
    hand.open("Add redirect", "main")
    hand.type(hand.page.locator("#id_source"), f"/fair-{time.time_ns()}")
    hand.type(hand.page.locator("#id_address"), "/contact-us")
    hand.press(_PUBLISH, "footer")
    hand.see(_PUBLISHED, ".messages")


def _add_to_set(hand: Hand, words: str, title: str, button: str) -> None:
    _home(hand)
    _find(hand, words, re.compile(f"^{words}"))
    hand.type(hand.page.locator(_CONTACT), title)
    hand.press("More actions", "footer")
    hand.press(button, "footer")


def _begin_set(hand: Hand) -> None:
    _add_to_set(hand, "Kontakt", _TITLE, "Save to a change set…")
    hand.type(hand.page.get_by_label("Name of a new one"), _SET)
    hand.press("Add", "main")
    hand.see("is saved in the change set", ".messages")


def _join_set(hand: Hand) -> None:
    _add_to_set(hand, "Kontakt", "Kontakt jesienią", f"Save to “{_SET}”")
    hand.see("is saved in the change set", ".messages")


def _publish_set(hand: Hand) -> None:
    hand.go("/admin/changes/")
    hand.open(_SET, "main")
    hand.press("Publish now", "main")
    hand.see(_PUBLISHED, ".messages")


def _take_set_back(hand: Hand) -> None:
    hand.open(re.compile("^Revert"), "main")
    hand.press(re.compile("^Revert"), "main")
    hand.see("is reverted", ".messages")


def _look_at_calendar(hand: Hand) -> None:
    hand.go("/admin/calendar/")
    hand.see(_SET, "main")


def _note_at_lead(hand: Hand) -> None:
    hand.go("/admin/leads/")
    hand.open(re.compile("Skerry Line"), "main")
    hand.type(hand.page.locator("main textarea").first, "Called, wants an offer by Friday.")
    hand.press(re.compile("note", re.IGNORECASE), "main")
    hand.see("Called, wants an offer by Friday.", "main")


def _assign_lead(hand: Hand) -> None:
    hand.press("To me", "main")
    hand.page.locator("#assignee option:checked", has_text="Demo editor").wait_for(state="attached")


TASKS: Final = (
    Task("see the waiting changes", _see_what_waits),
    Task("find the German contact page by a word and open it", _open_contact),
    Task("change its heading, live", _publish_heading),
    Task("see that visitors have it", _see_delivery_status),
    Task("revert it", _revert),
    Task("see the problem of a case study and go to it", _find_what_lacks),
    Task("change an office's phone on all sites, live", _change_phone),
    Task("see that in its release and revert it", _undo_newest),
    Task("rename an item of the German menu, as a draft", _rename_menu_item),
    Task("see it on the page", _preview_menu),
    Task("publish it", _publish_menu),
    Task("revert that", _undo_newest),
    Task("add a redirect, live", _add_redirect),
    Task("create a change set with one page", _begin_set),
    Task("add another page", _join_set),
    Task("publish the change set", _publish_set),
    Task("revert the change set", _take_set_back),
    Task("find it in the calendar", _look_at_calendar),
    Task("add a note to a lead", _note_at_lead),
    Task("assign the lead to yourself", _assign_lead),
)
