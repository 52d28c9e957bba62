"""The preview in which an editor works: on a phone, and with keyboards that compose words, from right to left."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

from playwright.sync_api import Browser, Locator, Page, Route, expect

from .axe import find_violations
from .editing import NOTE_WATCH, editing, log_in
from .faults import wait_until
from .product import Product
from .test_on_page import CALM, IS_SHOWN, OF_PREVIEW, PAGE, expect_rich_text, open_form


def test_on_a_telephone_the_preview_makes_room_for_a_field_and_comes_back(product: Product, browser: Browser) -> None:
    with (
        editing(product) as editor,
        browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce") as context,
    ):
        page = context.new_page()
        page.add_init_script(NOTE_WATCH)
        log_in(page, product)
        open_form(page, editor.keep(PAGE))
        bar = page.locator("main form > .footer")
        expect(bar.get_by_role("button", name="Publish")).to_be_in_viewport(ratio=1)
        page.locator('[data-side-panel-toggle="preview"]').tap()
        shown = page.frame_locator("#w-preview-iframe")
        heading = shown.get_by_role("heading", name="A small stack,")
        heading.scroll_into_view_if_needed()
        place = place_of(heading)

        heading.tap()
        field = page.locator(":focus")
        expect(field).to_have_value("A small stack, known thoroughly")
        expect(field).to_be_in_viewport()
        assert ends_above(field, bar)
        back = page.get_by_role("button", name="Back to the preview")
        assert find_violations(page, ".studio-way-back") == []
        back.tap()
        expect(back).to_be_hidden()
        wait_until(lambda: place_of(heading) == place, "the preview is where it was")
        expect(shown.locator("[data-chosen]", has=heading)).to_be_attached()

        twice = heading.bounding_box() or {}
        for _ in range(2):
            page.touchscreen.tap(twice["x"] + 20, twice["y"] + 10)
        written = shown.locator("h2[contenteditable]")
        expect(written).to_be_focused()
        page.keyboard.type("A stack for thumbs")
        shown.locator("[data-chosen] h3").first.tap()  # beside it: done with writing, and still here
        expect(written).to_have_count(0)
        expect(shown.get_by_role("heading", name="A stack for thumbs")).to_be_visible()
        expect(page.locator('input[value="A stack for thumbs"], [name$="-value-title"]:focus')).to_have_count(0)

        page.get_by_role("button", name="Add block after").tap()
        expect(page.locator(".w-combobox:visible [role=option]").first).to_be_in_viewport()


def test_what_keyboards_send_is_written_in_place_from_right_to_left(product: Product, browser: Browser) -> None:
    """Input methods that compose a word before they write it, line breaks, pasted text, links."""
    with editing(product) as editor, browser.new_context(**CALM) as context:
        page = context.new_page()
        page.add_init_script(NOTE_WATCH)
        log_in(page, product)
        open_form(page, editor.keep(PAGE, "ae"))
        page.locator('[data-side-panel-toggle="preview"]').click()
        shown = page.frame_locator("#w-preview-iframe")
        method = context.new_cdp_session(page)
        compose = partial(method.send, "Input.imeSetComposition")
        item = shown.locator("main li:has(> strong)").first
        before = item.inner_text()

        item.dblclick(position={"x": 10, "y": 10})
        written = shown.locator("[data-rich-text]")
        expect(written).to_be_focused()
        page.keyboard.press("ControlOrMeta+End")
        compose({"text": "にほ", "selectionStart": 2, "selectionEnd": 2})
        method.send("Input.insertText", {"text": "日本"})
        page.keyboard.press("Shift+Enter")
        compose({"text": "مرح", "selectionStart": 3, "selectionEnd": 3})
        method.send("Input.insertText", {"text": "مرحبا"})
        compose({"text": "given up", "selectionStart": 8, "selectionEnd": 8})
        compose({"text": "", "selectionStart": 0, "selectionEnd": 0})
        expect_line(page, before, f"{before}日本\nمرحبا")

        written.locator("strong").evaluate("each => getSelection().collapse(each.firstChild, 1)")
        compose({"text": "ñ", "selectionStart": 1, "selectionEnd": 1})
        method.send("Input.insertText", {"text": "ñandu"})
        page.keyboard.press("ControlOrMeta+k")
        expect(page.locator(".studio-on-page__said")).to_contain_text("Select the words first.")
        expect(written).to_be_focused()
        written.locator("strong").evaluate(
            "each => getSelection().setBaseAndExtent(each.firstChild, 1, each.firstChild, 6)"
        )
        written.evaluate(PASTE, {"text/html": "<i>emu</i>", "text/plain": "emu"})
        expect_line(page, before, f"{before[0]}emu{before[1:]}日本\nمرحبا")
        bold = written.locator("strong").inner_text()
        page.keyboard.press("Tab")
        expect(written).to_be_focused()
        expect_rich_text(page, "日本", bold=[bold])

        written.evaluate("each => getSelection().setBaseAndExtent(each.lastChild, 1, each.lastChild, 4)")
        chosen = written.evaluate("() => getSelection().toString()")
        shown.locator("html").evaluate("each => { each.id = 'of-before' }")
        page.keyboard.press("ControlOrMeta+k")
        expect(page.locator(".public-DraftEditor-content:focus")).to_be_attached()
        wait_until(lambda: page.evaluate(CHOSEN_IN_FORM) == chosen, "the words are chosen in the form")
        expect(shown.locator("html:not(#of-before) main li", has_text="日本")).to_be_visible()

        page.wait_for_function(IS_SHOWN)
        shown.locator("html").evaluate("each => { each.id = 'of-before' }")
        with preview_on_its_way(page):
            shown.locator("h1").dblclick()
            heading = shown.locator("h1[contenteditable]")
            expect(heading).to_be_focused()
            title = heading.inner_text()
            page.keyboard.press("ControlOrMeta+End")
            compose({"text": "かな", "selectionStart": 2, "selectionEnd": 2})
        heading.evaluate(CONFIRM)
        expect(heading).to_be_focused()
        method.send("Input.insertText", {"text": "仮名"})
        page.keyboard.press("Enter")
        expect(page.locator("[name$='-value-title']").first).to_have_value(f"{title}仮名")
        expect(shown.locator("html:not(#of-before) h1")).to_contain_text("仮名")


@contextmanager
def preview_on_its_way(page: Page) -> Iterator[None]:
    """A newer document of the preview is asked for before the block, and comes at its end."""
    asked: list[Route] = []
    page.route(IN_PREVIEW, lambda route: asked.append(route))
    with page.expect_request(IN_PREVIEW):
        page.evaluate(DRAW_ANEW)
    yield
    with page.expect_request_finished(lambda request: bool(IN_PREVIEW.search(request.url))):
        for route in asked:
            route.continue_()
    page.unroute(IN_PREVIEW)
    page.wait_for_function(IS_DRAWN)


IN_PREVIEW: Final = re.compile("in_preview_panel=true")
DRAW_ANEW: Final = f"() => {{ {OF_PREVIEW}.setPreviewData(); }}"
IS_DRAWN: Final = f"() => {OF_PREVIEW}.updatePromise === null"
PASTE: Final = """(each, texts) => {
    const dataTransfer = new DataTransfer();
    for (const [type, text] of Object.entries(texts)) dataTransfer.setData(type, text);
    each.dispatchEvent(new InputEvent("beforeinput", { inputType: "insertFromPaste", dataTransfer, bubbles: true, cancelable: true }));
}"""
"""As a browser does: the clipboard of one that is driven is not to be had."""
CONFIRM: Final = """each => {
    each.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }));
}"""
"""The key by which an input method is told that the word is right."""
CHOSEN_IN_FORM: Final = """() => {
    const states = [...document.querySelectorAll("input")].filter((each) => each.draftailEditor).map((each) => each.draftailEditor.getEditorState());
    const state = states.find((each) => each.getSelection().getHasFocus());
    const chosen = state?.getSelection();
    return state?.getCurrentContent().getBlockForKey(chosen.getStartKey()).getText().slice(chosen.getStartOffset(), chosen.getEndOffset());
}"""


def expect_line(page: Page, before: str, line: str) -> None:
    """In the form's editor, once it has been told."""
    wait_until(lambda: line in page.evaluate(READ_LINES), f"“{before}” has become {line!r}")


READ_LINES: Final = """() => [...document.querySelectorAll("input")].filter((each) => each.draftailEditor)
    .flatMap(({ value }) => JSON.parse(value).blocks).map(({ text }) => text)"""


def place_of(shown: Locator) -> int:
    box = shown.bounding_box()
    return round(box["y"]) if box else -1


def ends_above(field: Locator, bar: Locator) -> bool:
    """Whether the bar at the screen's foot leaves the whole field to be seen."""
    seen, foot = field.bounding_box(), bar.bounding_box()
    return bool(seen and foot) and seen["y"] + seen["height"] <= foot["y"]
