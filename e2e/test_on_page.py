"""An editor works in the preview, on a phone and with input methods too. A click opens the field, and the form marks its block. Blocks
are moved, copied and deleted there, and headings and rich text are edited in place. Two editors of one page see each other and lose no
text."""

import re
from collections.abc import Sequence
from typing import Any, Final

from playwright.sync_api import Browser, FrameLocator, Locator, Page, expect

from .administrators import add_administrator
from .axe import find_violations
from .editing import NOTE_WATCH, editing, log_in, wait_until_watched
from .faults import wait_until
from .product import Product

PAGE = "/services/web-development"
CALM: Final[dict[str, Any]] = {"viewport": {"width": 1440, "height": 1000}, "reduced_motion": "reduce"}
TYPED = "Sites that open before the kettle does"


def test_blocks_are_worked_on_in_the_preview(product: Product, browser: Browser) -> None:
    with editing(product) as editor, browser.new_context(**CALM) as context:
        page = context.new_page()
        page.add_init_script(NOTE_WATCH)
        log_in(page, product)
        page.goto(editor.keep(PAGE))
        page.locator('[data-side-panel-toggle="preview"]').click()
        shown = page.frame_locator("#w-preview-iframe")
        blocks = shown.locator("[data-block]")
        expect(blocks.nth(1)).to_have_attribute("tabindex", "0")
        assert page.locator("[data-streamfield-child] [name$='-folded']").count() > 0, "blocks wait for being opened"
        at_first = blocks.count()

        shown.locator("h1").click()
        field = page.get_by_label("Title", exact=False).and_(page.locator(":focus"))
        expect(field).to_have_value(shown.locator("h1").inner_text().replace("\u00ad", ""))
        expect(blocks.first).to_have_attribute("data-chosen", "")
        tools = page.get_by_role("toolbar", name="Tools of the selected block")
        assert find_violations(page, ".studio-on-page") == []

        second, third = (blocks.nth(number).get_attribute("data-block") or "" for number in (1, 2))
        blocks.nth(1).press("Enter")
        expect(page.locator(f'[data-contentpath="{second}"] :focus')).to_be_attached()
        tools.get_by_role("button", name="Move down").click()
        expect_order(page, third, second)
        expect(blocks.nth(2)).to_have_attribute("data-block", second)

        tools.get_by_role("button", name="Copy block").click()
        tools.get_by_role("button", name="Delete").click()
        expect(shown.locator(f'[data-block="{second}"]')).to_have_count(0)
        page.get_by_role("button", name="Undo").click()
        expect_order(page, third, second)
        count = len(order(page))
        tools.get_by_role("button", name="Paste after").click()
        expect(page.locator(".studio-on-page__said")).to_contain_text("is pasted")
        assert len(order(page)) == count + 1
        # An editor who types while the preview is redrawn has to start again.
        expect(blocks).to_have_count(at_first + 1)

        write_in_place(page, shown)
        write_rich_text_in_place(page, shown)


def test_two_who_write_one_page_see_each_other_and_lose_nothing(product: Product, browser: Browser) -> None:
    with (
        editing(product) as editor,
        browser.new_context(**CALM) as hers,
        browser.new_context(**CALM) as other,
    ):
        page, miras = hers.new_page(), other.new_page()
        log_in(page, product)
        add_administrator(miras, product, "mira", "Mira Neu")
        form = editor.keep(PAGE)
        for each in (page, miras):
            each.add_init_script(NOTE_WATCH)
            open_form(each, form)
        cards, _, stack = order(page)[1:4]

        type_title(miras, stack, "A small stack, known by heart")
        type_title(page, cards, "What we like to build", is_saved=False)
        at_stack = page.locator(f'[data-contentpath="{stack}"] .studio-presence')
        expect(at_stack).to_have_text("Mira Neu is here")
        page.locator('[data-side-panel-toggle="preview"]').click()
        shown = page.frame_locator("#w-preview-iframe")
        expect(shown.locator(f'[data-block="{stack}"]')).to_have_attribute("data-presence", "Mira Neu is here")
        title_of(page, stack).focus()
        expect(at_stack).to_have_text("Mira Neu is here too")

        said = save_over(page, "Mira Neu saved a new version")
        expect(said).to_contain_text("Your version now includes those changes: Block 4")
        expect(title_of(page, cards)).to_have_value("What we like to build")
        expect(title_of(page, stack)).to_have_value("A small stack, known by heart")

        open_form(miras, form)
        wait_until_watched(page)
        type_title(page, cards, "What we build best")
        type_title(miras, cards, "What we build most", is_saved=False)
        save_over(miras, "saved a new version")
        choices = miras.locator("[data-merge='1']")
        expect(choices).to_contain_text("What we build best")
        expect(choices).to_contain_text("What we build most")
        assert find_violations(miras, "[data-merge]") == []
        choices.get_by_role("radio", name="Yours").check()
        save(miras)
        expect(miras.locator(".messages")).to_contain_text("has been updated")
        open_form(page, form)
        expect(title_of(page, cards)).to_have_value("What we build most")
        expect(title_of(page, stack)).to_have_value("A small stack, known by heart")


OF_PREVIEW: Final = """wagtail.app.getControllerForElementAndIdentifier(document.querySelector('[data-controller~="w-preview"]'), "w-preview")"""
OF_FORM: Final = (
    """wagtail.app.getControllerForElementAndIdentifier(document.querySelector('[data-edit-form]'), "w-unsaved")"""
)


def open_form(page: Page, address: str) -> None:
    page.goto(address)
    wait_until_watched(page)


def title_of(page: Page, block: str) -> Locator:
    """Of a block that is opened for it."""
    own = page.locator(f'[data-contentpath="{block}"]')
    toggle = own.locator("[data-panel-toggle]").first
    if toggle.get_attribute("aria-expanded") == "false":
        toggle.click()
    return own.locator("[name$='-value-title']").first


def type_title(page: Page, block: str, title: str, *, is_saved: bool = True) -> None:
    """Until it has saved itself, or was refused because the other has saved meanwhile."""
    field = title_of(page, block)
    with page.expect_response(lambda answer: answer.url == page.url and answer.request.method == "POST") as saved:
        field.fill(title)
    assert saved.value.ok == is_saved


def save(page: Page) -> None:
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("button", name="Save draft").click()


def save_over(page: Page, warned: str) -> Locator:
    """Return the message after it, for an editor who saw a warning before."""
    save(page)
    dialog = page.locator("#w-save-confirmation-dialog")
    expect(dialog).to_contain_text(warned)
    expect(dialog).to_contain_text(re.compile(r"Saving merges the changes of .+ with yours\."))
    dialog.get_by_role("button", name="Save draft").click()
    return page.locator(".messages")


def write_rich_text_in_place(page: Page, shown: FrameLocator) -> None:
    """Edit words and bold of a list item, and words of a link; continue other text in the form."""
    written = shown.locator("[data-rich-text]")
    said = page.locator(".studio-on-page__said")
    shown.locator("li", has_text="A budget in bytes.").dblclick()
    expect(written).to_be_focused()
    assert find_violations(page, ".studio-on-page") == []
    page.keyboard.press("ControlOrMeta+End")
    page.keyboard.type(" No exceptions")
    page.keyboard.press("Shift+ControlOrMeta+ArrowLeft")
    page.keyboard.press("ControlOrMeta+b")
    page.keyboard.press("Tab")
    expect(written).to_contain_text("HTML first.")
    page.keyboard.type("Spoiled")
    page.keyboard.press("Escape")
    expect(said).to_contain_text("Your edit is undone.")
    expect_rich_text(page, "A budget in bytes.", bold=["A budget in bytes.", "exceptions"])
    expect_rich_text(page, "HTML first.", bold=["HTML first."])
    page.wait_for_function(IS_SHOWN)
    expect(shown.locator("li strong", has_text="exceptions")).to_be_attached()

    answer = shown.locator("main details", has=shown.locator("a")).first
    answer.evaluate("each => { each.open = true }")
    link = answer.locator("a").first
    words = link.inner_text()
    link.dblclick()
    expect(written).to_be_focused()
    written.locator("a").evaluate("each => getSelection().collapse(each.firstChild, 3)")
    page.keyboard.type("longer ")
    page.keyboard.press("Enter")
    expect(page.locator("[contenteditable]:focus")).to_contain_text(words[:3])
    expect(said).to_contain_text("Paragraphs start in the form.")
    longer = f"{words[:3]}longer "
    expect_rich_text(page, longer, links=[longer])


IS_SHOWN: Final = f"""() => {{
    const {{ updatePromise, staleValue }} = {OF_PREVIEW};
    const {{ formData, previousFormData }} = {OF_FORM};
    return !updatePromise && !staleValue && formData === previousFormData && timersLeft.size === 0;
}}"""
"""The preview shows the form as it is, and nothing that redraws it is due: a block that is opened in it stays open."""

READ_RICH_TEXT: Final = """words => {
    const raws = [...document.querySelectorAll('input')].filter((input) => input.draftailEditor).map(({ value }) => JSON.parse(value));
    const found = raws.flatMap(({ blocks }) => blocks).find(({ text }) => text.includes(words));
    const cut = (ranges) => ranges.map(({ offset, length }) => found.text.slice(offset, offset + length));
    return found && { bold: cut(found.inlineStyleRanges), links: cut(found.entityRanges) };
}"""


def expect_rich_text(page: Page, words: str, *, bold: Sequence[str] = (), links: Sequence[str] = ()) -> None:
    """Of the line with these words, in the form's editor."""
    wanted = {"bold": [*bold], "links": [*links]}
    wait_until(lambda: page.evaluate(READ_RICH_TEXT, words) == wanted, f"“{words}” in the form is {wanted}")


def write_in_place(page: Page, shown: FrameLocator) -> None:
    shown.locator("h1").dblclick()
    expect(shown.locator("h1[contenteditable]")).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(TYPED)
    page.keyboard.press("Enter")
    expect(page.locator(f'input[value="{TYPED}"], input').and_(page.locator("[name$='-title']")).first).to_have_value(
        TYPED
    )
    expect(shown.locator("h1:not([contenteditable])")).to_contain_text("before the kettle")


def order(page: Page) -> list[str]:
    ids: list[str] = page.evaluate("document.getElementById('body-root').rootBlock.children.map((child) => child.id)")
    return ids


def expect_order(page: Page, *ids: str) -> None:
    found = order(page)
    assert [id for id in found if id in ids] == [*ids]
