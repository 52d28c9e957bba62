"""A header somebody has come to: the menu's script comes with the first touch."""

from playwright.sync_api import Page, expect

READY = "[data-tabs][data-ready]"
"""What the menu's script leaves behind."""


def touch_header(page: Page) -> None:
    """With a pointer that stays where it is: an event without one is lost where no script listens yet."""
    page.locator("header[data-header] a").first.hover()
    expect(page.locator(READY).first).to_be_attached()
