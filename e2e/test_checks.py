"""A case study without a hero: its form links to the problem next to the button. It is published once that is fixed, and all typed text
is kept."""

import re
from collections.abc import Callable

from playwright.sync_api import Browser, Page, Request, Route, expect

from .axe import find_violations
from .editing import NOTE_WATCH, editing, expect_published, log_in, wait_until_watched
from .faults import wait_until
from .product import Product

CASE = "/project-cases/northwind-port-authority"
CHECK = re.compile("/check/$")
EDIT = re.compile("/edit/$")
TYPED = "Every ship is seen two hours before it is there."
HEADING = "Two hours ahead of every ship"
NOTE_SUBMIT = """() => {
    const { setTimeout } = window;
    window.setTimeout = (run, after, ...given) => (after === 10000 ? 0 : setTimeout(run, after, ...given));
    addEventListener("submit", () => setTimeout(() => { window.isSubmitted = true; }), true);
}"""
"""The form waits 10 s for a draft that is not answered: here, until it is."""
BLOCKS = "#panel-child-content-body-section [data-streamfield-child]:not([data-streamfield-child] *)"


def test_what_would_be_blocked_is_said_fixed_and_then_live(product: Product, browser: Browser) -> None:
    with (
        editing(product) as editor,
        browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce") as context,
    ):
        form = editor.keep(CASE)
        page = context.new_page()
        page.add_init_script(NOTE_WATCH)
        log_in(page, product)
        page.goto(form)
        to_fix = page.locator("[data-to-fix]")
        expect(to_fix).to_have_attribute("data-to-fix", "0")
        slow_checks: list[Route] = []

        def take_hero_away() -> None:
            page.get_by_label("Summary").fill(TYPED)
            page.locator(BLOCKS).first.get_by_role("button", name="Delete").first.click()
            expect(to_fix).to_have_attribute("data-to-fix", "1")
            expect(to_fix.get_by_role("status")).to_have_text(re.compile("^1 problem"))
            context.route(CHECK, lambda route: slow_checks.append(route))

        publish_while_a_draft_is_saved(page, take_hero_away)
        expect(page.locator(".messages")).to_contain_text("is not published: 1 problem")
        # The list opens by itself, even where the first answer comes after the refused form was saved as a draft.
        expect(page.locator("[data-edit-form]")).not_to_have_attribute("data-w-unsaved-force-value", "true")
        wait_until(lambda: bool(page.evaluate("true") and slow_checks), "the form is checked")
        for route in slow_checks:
            route.continue_()
        context.unroute(CHECK)
        expect(page.get_by_label("Summary")).to_have_value(TYPED)
        assert TYPED not in product.get("en", "/project-cases").text
        told = to_fix.get_by_role("link", name=re.compile("This page has 0 main headings"))
        expect(told).to_be_visible()
        assert find_violations(page, ".studio-to-fix") == []
        page.set_viewport_size({"width": 960, "height": 1000})
        box = page.locator(".studio-to-fix__list").bounding_box()
        assert box and box["x"] + box["width"] <= 960, "nothing of the list is cut off"
        page.set_viewport_size({"width": 1440, "height": 1000})
        told.click()
        expect(page.locator("#panel-child-content-body-section .c-sf-add-button").first).to_be_focused()

        page.keyboard.press("Enter")
        page.get_by_role("option", name="Hero").click()
        expect(to_fix).to_have_attribute("data-to-fix", "1")
        to_fix.get_by_role("button", name="1 problem").click()
        to_fix.get_by_role("link", name="Block 1 (Hero), Title: This field is required.").click()
        page.keyboard.type(HEADING)
        expect(to_fix).to_have_attribute("data-to-fix", "0")
        publish(page)
        expect_published(page)
        wait_until(lambda: HEADING in product.get("en", CASE).text, "the page is live as it was mended")


def publish(page: Page) -> None:
    """The button works at the first press."""
    page.get_by_role("button", name=re.compile("^Publish")).first.click()


def publish_while_a_draft_is_saved(page: Page, change: Callable[[], None]) -> None:
    """``change`` makes Wagtail save a draft by itself; the studio has not answered that when *Publish* is pressed. Were both
    sent, the form that comes back would be older than the newest draft, and the next press would ask about a conflict."""
    held: list[Route] = []
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if publishes(request) else None)
    page.route(EDIT, lambda route: held.append(route) if saves_itself(route.request) else route.continue_())
    wait_until_watched(page)
    page.evaluate(NOTE_SUBMIT)
    with page.expect_request(saves_itself):
        change()
    publish(page)
    wait_until(lambda: page.evaluate("window.isSubmitted"), "the form is submitted")
    page.evaluate("fetch(location.href, { method: 'HEAD' }).then(() => true)")  # requests are heard in their order
    assert sent == [], "the form waits until the draft is saved"
    held.pop().continue_()
    page.unroute(EDIT)


def publishes(request: Request) -> bool:
    return request.method == "POST" and b"action-publish" in (request.post_data_buffer or b"")


def saves_itself(request: Request) -> bool:
    return request.method == "POST" and "application/json" in request.headers.get("accept", "")
