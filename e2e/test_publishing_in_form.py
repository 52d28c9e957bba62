"""An editor publishes and stays in the form at the same place. The delivery status appears next to the button, however long the release
takes. The keyboard gets there too."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, Response, expect

from portolan.publisher.lock import publish_lock

from .axe import find_violations
from .editing import NOTE_WATCH, editing, expect_published, log_in, wait_until_watched
from .faults import wait_until
from .product import Product

PAGE = "/services/web-development"
TITLES = ("Web development by Friday", "Web development by Monday")
MOST_TABS = 10
PHONES = ("+49 30 23125 111", "+49 30 23125 222", "+49 30 23125 333")
PING_FIRST = """() => {
    const session = document.querySelector("form.w-editing-sessions");
    const ping = async () => {
        const answered = new Promise((resolve) => {
            for (const name of ["w-swap:success", "w-swap:error"]) session.addEventListener(name, resolve, { once: true });
        });
        window.studioForm.controllerOf(session, "w-session").ping();
        if (session.dataset.wSwapLoadingValue === "true") await answered;
    };
    const { fetch } = window;
    window.fetch = async (url, options) => {
        const reply = await fetch(url, options);
        if (options?.body instanceof FormData && options.body.has("action-publish")) await ping();
        return reply;
    };
}"""
"""The answer to *Publish* comes after that of a ping which was sent once everything was saved."""
LOOK_DURING_PUBLISH = """() => {
    const { url } = document.querySelector("script[src*=still-signed-in]").dataset;
    const token = document.querySelector("form[data-edit-form] [name=csrfmiddlewaretoken]"), before = token.value;
    const publish = Promise.withResolvers();
    document.addEventListener("w-autosave:save", () => { window.savesSincePublish += 1; });
    const { fetch } = window;
    window.fetch = async (to, options) => {
        if (to === url) {
            await publish.promise;
            return fetch(to, { ...options, signal: null });
        }
        if (!(options?.body instanceof FormData && options.body.has("action-publish"))) return fetch(to, options);
        publish.resolve();
        const reply = await fetch(to, options);
        window.savesSincePublish = 0;
        while (token.value === before) await new Promise((resolve) => setTimeout(resolve, 10));
        return reply;
    };
}"""
"""The answer to *Publish* comes after the look at the session has given the form another token."""


def test_publishing_keeps_the_form_and_follows_a_release_that_takes_its_time(
    product: Product, browser: Browser
) -> None:
    with editing(product) as editor, shown(browser, product, editor.keep(PAGE)) as page:
        said, sites = page.locator("[data-published-said]"), page.locator(".studio-published-box [data-delivery-site]")
        open_last_block(page)
        page.evaluate("window.isSameDocument = true; scrollTo(0, document.body.scrollHeight)")
        before = page.evaluate("scrollY")
        with publish_lock(product.var_dir / "builds"):  # nothing goes live meanwhile, and nothing after it is frozen
            press_publish(page, TITLES[0])
            expect(said).to_have_text(f"“{TITLES[0]}” is saved and is going live.")
            expect(sites.first).to_have_attribute("data-state", "released")
            press_publish(page, TITLES[1])
            expect(said).to_have_text(f"“{TITLES[1]}” is saved and is going live.")
            expect(sites).to_have_count(0)
        expect(said).to_have_text(f"“{TITLES[1]}” is live.")
        expect(sites.first).to_have_attribute("data-state", "verified")
        expect(
            page.locator(".studio-published-box [data-state=frozen], .studio-published-box [data-state=rendered]")
        ).to_have_count(0)
        assert page.evaluate("window.isSameDocument"), "the form was not loaded again"
        assert page.evaluate("scrollY") == before
        expect(page.locator("[data-streamfield-child]").last.locator("[data-panel-toggle]").first).to_have_attribute(
            "aria-expanded", "true"
        )
        assert TITLES[1] in product.get("en", PAGE).text
        assert find_violations(page, ".studio-published-box") == []

        live = live_revision(product)
        page.locator("#id_title").fill("Web development, a draft")
        expect(page.locator("#w-autosave-indicator")).to_have_attribute("data-w-autosave-state-value", "saved")
        wait_until(lambda: newest_revision(product) != live, "the draft is a revision of its own")
        assert live_revision(product) == live, "what is published is not written over"


def test_a_ping_while_an_entry_is_published_does_not_hold_the_next_press_back(
    product: Product, browser: Browser
) -> None:
    """Wagtail would take the new version for another window's, and open a question at the next press."""
    [office] = product.ask("SELECT id FROM content_office WHERE key = %s", "berlin")
    form = f"{product.studio}/admin/snippets/content/office/edit/{office['id']}/"
    with editing(product) as editor:
        editor.change_phone("berlin", PHONES[0])
        with shown(browser, product, form) as page:
            page.evaluate(PING_FIRST)
            for phone in PHONES[1:]:
                page.locator("input[name=phone]").fill(phone)
                with page.expect_response(is_publishing) as reply:
                    page.keyboard.press("ControlOrMeta+Alt+KeyP")
                assert reply.value.json()["success"]
                expect_published(page)
                expect(page.get_by_role("button", name=re.compile("^Publish")).first).to_be_enabled()
        wait_until(lambda: find_phone(product) == PHONES[-1], "the second press has published")


def test_a_look_at_the_session_during_a_publish_leaves_no_draft(product: Product, browser: Browser) -> None:
    """The first key pressed in a form starts the look, and its answer replaces the form's token: the content stays the same."""
    with editing(product) as editor, shown(browser, product, editor.keep(PAGE)) as page:
        page.evaluate(LOOK_DURING_PUBLISH)
        page.locator("#id_title").fill(TITLES[0])
        page.keyboard.press("ControlOrMeta+Alt+KeyP")
        expect_published(page)
        assert page.evaluate("window.savesSincePublish") == 0


def test_the_keyboard_reaches_publish_and_has_a_shortcut(product: Product, browser: Browser) -> None:
    with editing(product) as editor, shown(browser, product, editor.keep(PAGE)) as page:
        page.evaluate("document.activeElement?.blur?.()")
        for _ in range(MOST_TABS):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.textContent").strip() == "Skip to save and publish buttons":
                break
        page.keyboard.press("Enter")
        focused = page.locator(":focus")
        expect(focused).to_have_attribute("name", "action-publish")
        page.locator("#id_title").fill(TITLES[0])
        page.keyboard.press("ControlOrMeta+Alt+KeyP")
        expect_published(page)
        page.locator("body").evaluate("body => body.ownerDocument.activeElement.blur()")
        page.keyboard.press("?")
        dialog = page.locator("#keyboard-shortcuts-dialog")
        expect(dialog.get_by_role("row", name=re.compile("Publish"))).to_contain_text("Ctrl + Alt + p")


@contextmanager
def shown(browser: Browser, product: Product, form: str) -> Iterator[Page]:
    with browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce") as context:
        page = context.new_page()
        page.add_init_script(NOTE_WATCH)
        log_in(page, product)
        page.goto(form)
        wait_until_watched(page)
        yield page


def open_last_block(page: Page) -> None:
    toggle = page.locator("[data-streamfield-child]").last.locator("[data-panel-toggle]").first
    if toggle.get_attribute("aria-expanded") == "false":
        toggle.click()
    expect(toggle).to_have_attribute("aria-expanded", "true")


def press_publish(page: Page, title: str) -> None:
    page.locator("#id_title").evaluate(
        "(field, title) => { field.value = title; field.dispatchEvent(new Event('input', { bubbles: true })) }", title
    )
    button = page.get_by_role("button", name=re.compile("^Publish")).first
    expect(button).to_be_enabled()
    button.evaluate("button => button.click()")  # a real one would scroll to it


def is_publishing(reply: Response) -> bool:
    return "action-publish" in (reply.request.post_data or "")


def find_phone(product: Product) -> str:
    [office] = product.ask("SELECT phone FROM content_office WHERE key = %s", "berlin")
    return str(office["phone"])


def live_revision(product: Product) -> int:
    return find(product, "live_revision_id")


def newest_revision(product: Product) -> int:
    return find(product, "latest_revision_id")


def find(product: Product, column: str) -> int:
    [page] = product.ask(f"SELECT {column} AS found FROM wagtailcore_page WHERE url_path LIKE %s", f"%/en{PAGE}/")
    return int(page["found"])
