"""A header after the visitor's first touch, which loads the menu's script."""

from playwright.sync_api import Page, expect

READY = "[data-tabs][data-ready]"
"""What the menu's script leaves behind."""


def touch_header(page: Page) -> None:
    """Hover with a resting pointer, because single events are lost before the script listens."""
    page.locator("header[data-header] a").first.hover()
    expect(page.locator(READY).first).to_be_attached()
