"""Text pasted from word processors keeps exactly its own bold and italics. The clipboard is the browser's own."""

import json
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect

from .editing import editing, log_in
from .faults import wait_until
from .product import Product

PAGE = "/about-us"
DOCS = """<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-5e3a9f0e-7fff-2d4b"><p dir="ltr"
style="line-height:1.38;margin-top:0pt;margin-bottom:0pt;"><span style="font-size:11pt;font-family:Arial,sans-serif;color:#000000;
background-color:transparent;font-weight:400;font-style:normal;text-decoration:none;white-space:pre-wrap;">Plain, </span><span
style="font-size:11pt;font-weight:700;font-style:normal;">bold</span><span style="font-weight:400;font-style:normal;"> and </span><span
style="font-weight:400;font-style:italic;">slanted</span><span style="font-weight:400;">.</span></p></b>"""
WORD_ONLINE = """<div class="OutlineElement Ltr"><p class="Paragraph" style="font-weight: normal; font-style: normal;"><span
data-contrast="auto" class="TextRun" style="font-weight: normal;"><span class="NormalTextRun">Plain, </span></span><span class="TextRun"
style="font-weight: bold;"><span class="NormalTextRun">bold</span></span><span class="TextRun" style="font-weight: normal;"> and </span><span
class="TextRun" style="font-style: italic;">slanted</span><span class="TextRun">.</span></p></div>"""
WORD = """<html xmlns:w="urn:schemas-microsoft-com:office:word"><body lang=EN-GB><!--StartFragment--><p class=MsoNormal
style='margin-bottom:0cm'>Plain, <b style='mso-bidi-font-weight:normal'>bold</b> and <i style='mso-bidi-font-style:normal'>slanted</i>.</p>
<!--EndFragment--></body></html>"""
PAGES = """<p style="margin: 0px; font: 11px 'Helvetica Neue'"><span style="font: 11px 'Helvetica Neue'">Plain, </span><span
style="font: bold 11px 'Helvetica Neue'">bold</span> and <span style="font: italic 600px/1.2 serif">slanted</span>.</p>"""
OUTLOOK = """<div style="font-family:Aptos;font-size:12pt">Plain, <b>bold</b> and <i>slanted</i>.</div>"""
HEADING = """<b style="font-weight:normal" id="docs-internal-guid-1"><h2 style="font-weight:700"><span style="font-weight:700">A heading</span></h2></b>"""


def test_weight_and_slant_of_pasted_text_are_kept(product: Product, browser: Browser) -> None:
    with (
        editing(product) as editor,
        browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce") as context,
    ):
        page = context.new_page()
        log_in(page, product)
        page.goto(editor.keep(PAGE))
        field = add_text(page)
        for source in (DOCS, WORD_ONLINE, WORD, PAGES, OUTLOOK):
            [line] = paste(page, field, source)
            assert line["text"].replace("\xa0", " ") == "Plain, bold and slanted.", source
            assert styles(line) == {"BOLD": "bold", "ITALIC": "slanted"}, source
        [heading] = paste(page, field, HEADING)
        assert (heading["text"], styles(heading)) == ("A heading", {})


def add_text(page: Page) -> Locator:
    """A new block of text at the end, and the editor in it."""
    add = page.locator("#panel-child-content-body-section .c-sf-add-button").last
    add.click()
    page.get_by_role("option", name="Text", exact=True).first.click()
    block = page.locator("[data-streamfield-child]").last
    expect(block.locator("[contenteditable=true]").first).to_be_visible()
    return block.locator("[data-draftail-editor-wrapper]").first


def paste(page: Page, field: Locator, source: str) -> list[dict[str, Any]]:
    """Over all that is there. Returns the editor's lines."""
    page.evaluate(
        """(html) => document.addEventListener("copy", (event) => {
            event.clipboardData.setData("text/html", html);
            event.clipboardData.setData("text/plain", "plain text");
            event.preventDefault();
            event.stopImmediatePropagation();
        }, { capture: true, once: true })""",
        source,
    )
    text = field.locator("[contenteditable=true]")
    text.click()
    page.keyboard.press("Control+A")
    page.keyboard.press("Control+C")
    page.keyboard.press("Delete")
    wait_until(lambda: stored_lines(field) == [], "the field is empty")
    page.keyboard.press("Control+V")
    wait_until(lambda: stored_lines(field) != [], "the form has what is pasted")
    return stored_lines(field)


def stored_lines(field: Locator) -> list[dict[str, Any]]:
    stored = field.locator("xpath=ancestor::*[.//input[@type='hidden' and contains(@name,'html')]][1]")
    value = json.loads(stored.locator("input[type=hidden][name*=html]").first.input_value() or "null") or {}
    return [line for line in value.get("blocks", []) if line["text"].strip()]


def styles(line: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in line["inlineStyleRanges"]:
        words = line["text"][each["offset"] : each["offset"] + each["length"]]
        found[each["style"]] = found.get(each["style"], "") + words
    return found
