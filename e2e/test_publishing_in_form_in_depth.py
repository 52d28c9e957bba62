"""Publishing in the form while other requests of the same form are on their way, and with the keyboard alone."""

import re

from playwright.sync_api import Browser, Response, expect

from .editing import editing, expect_published
from .faults import wait_until
from .product import Product
from .test_publishing_in_form import PAGE, TITLES, shown

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


def is_publishing(reply: Response) -> bool:
    return "action-publish" in (reply.request.post_data or "")


def find_phone(product: Product) -> str:
    [office] = product.ask("SELECT phone FROM content_office WHERE key = %s", "berlin")
    return str(office["phone"])
