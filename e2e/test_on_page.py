"""An editor works in the preview: a click leads to the field, the form marks its block, blocks are moved, copied and deleted
there, a heading is written in its place; and two who write one page lose nothing."""

from playwright.sync_api import Browser, FrameLocator, Page, expect

from .axe import find_violations
from .editing import editing, log_in
from .product import Product

PAGE = "/services/web-development"
WIDE = {"width": 1440, "height": 1000}
TYPED = "Sites that open before the kettle does"


def test_blocks_are_worked_on_in_the_preview(product: Product, browser: Browser) -> None:
    with editing(product) as editor, browser.new_context(viewport=WIDE) as context:
        page = context.new_page()
        log_in(page, product)
        page.goto(editor.keep(PAGE))
        page.locator('[data-side-panel-toggle="preview"]').click()
        shown = page.frame_locator("#w-preview-iframe")
        blocks = shown.locator("[data-block]")
        expect(blocks.nth(1)).to_have_attribute("tabindex", "0", timeout=30_000)
        assert page.locator("[data-streamfield-child] [name$='-folded']").count() > 0, "blocks wait for being opened"

        shown.locator("h1").click()
        field = page.get_by_label("Title", exact=False).and_(page.locator(":focus"))
        expect(field).to_have_value(shown.locator("h1").inner_text().replace("\u00ad", ""))
        expect(blocks.first).to_have_attribute("data-chosen", "")
        tools = page.get_by_role("toolbar", name="Tools of the chosen block")
        assert find_violations(page, ".studio-on-page") == []

        second, third = (blocks.nth(number).get_attribute("data-block") or "" for number in (1, 2))
        blocks.nth(1).press("Enter")
        expect(page.locator(f'[data-contentpath="{second}"] :focus')).to_be_attached()
        tools.get_by_role("button", name="Move down").click()
        expect_order(page, third, second)
        expect(blocks.nth(2)).to_have_attribute("data-block", second, timeout=30_000)

        tools.get_by_role("button", name="Copy, to paste elsewhere").click()
        tools.get_by_role("button", name="Delete").click()
        expect(shown.locator(f'[data-block="{second}"]')).to_have_count(0, timeout=30_000)
        page.get_by_role("button", name="Undo").click()
        expect_order(page, third, second)
        count = len(order(page))
        tools.get_by_role("button", name="Paste after it").click()
        expect(page.locator(".studio-on-page__said")).to_contain_text("is pasted")
        assert len(order(page)) == count + 1

        write_in_place(page, shown)


def write_in_place(page: Page, shown: FrameLocator) -> None:
    shown.locator("h1").dblclick()
    expect(shown.locator("h1[contenteditable]")).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(TYPED)
    page.keyboard.press("Enter")
    expect(page.locator(f'input[value="{TYPED}"], input').and_(page.locator("[name$='-title']")).first).to_have_value(
        TYPED
    )
    expect(shown.locator("h1:not([contenteditable])")).to_contain_text("before the kettle", timeout=30_000)


def order(page: Page) -> list[str]:
    ids: list[str] = page.evaluate("document.getElementById('body-root').rootBlock.children.map((child) => child.id)")
    return ids


def expect_order(page: Page, *ids: str) -> None:
    found = order(page)
    assert [id for id in found if id in ids] == [*ids]
