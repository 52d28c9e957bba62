"""Browser translation: later texts of a page become visible too. Chrome replaces text nodes with elements; so does this script."""

from collections.abc import Callable, Iterator
from typing import get_args

import pytest
from playwright.sync_api import Browser, Page, expect

from .faults import wait_until
from .island_runtimes import Runtime, run_islands_with
from .product import Product

TRANSLATOR = """(() => {
  const LEFT_ALONE = 'script, style, textarea, title, noscript, [translate=no]';
  const done = new WeakSet();
  const translate = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const parent = node.parentElement;
      if (!parent || done.has(parent) || node.data.trim() === '' || parent.closest(LEFT_ALONE)) return;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      for (const font of [outer, inner]) done.add(font);
      inner.append(node.data.replace(/\\S+/g, (word) => `«${word}»`));
      outer.append(inner);
      node.replaceWith(outer);
    } else if (!done.has(node)) for (const child of [...node.childNodes]) translate(child);
  };
  addEventListener('load', () => {
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records)
        if (type === 'characterData') translate(target);
        else for (const node of addedNodes) translate(node);
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
    translate(document.body);
    document.documentElement.classList.add('translated-ltr');
  });
})();"""

LATENCY_MS = 40

Opens = Callable[[str, Runtime], Page]


@pytest.fixture
def opens(browser: Browser, product: Product) -> Iterator[Opens]:
    contexts = []

    def open_translated(path: str, runtime: Runtime) -> Page:
        context = browser.new_context(
            viewport={"width": 1280, "height": 900}, reduced_motion="reduce", service_workers="block"
        )
        contexts.append(context)
        context.add_init_script(TRANSLATOR)
        run_islands_with(context, runtime)
        page = context.new_page()
        line = {"offline": False, "latency": LATENCY_MS, "downloadThroughput": -1, "uploadThroughput": -1}
        context.new_cdp_session(page).send("Network.emulateNetworkConditions", line)
        page.goto(product.origin("en") + path)
        expect(page.locator("html.translated-ltr")).to_be_attached()
        return page

    yield open_translated
    for context in contexts:
        context.close()


@pytest.mark.parametrize("runtime", get_args(Runtime))
def test_a_translated_form_says_what_is_so_now(runtime: Runtime, opens: Opens) -> None:
    page = opens("/estimate", runtime)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    form = page.locator("form[data-form=estimate]")
    price, go_on = form.locator("[data-price]"), form.locator("button[type=submit]")
    form.locator("[name=services][value=other]").check()
    go_on.click()
    count = form.locator("[name='team[0][count]']")
    form.locator("[name='team[0][role]']").select_option("back-end")
    said = {}
    for people in ("2", "4"):
        count.fill(people)
        wait_until(lambda: "«" in price.inner_text() and price.inner_text() not in said.values(), "another price")
        said[people] = price.inner_text()
    count.fill("٢")
    expect(price).to_have_text(said["2"])
    count.fill("none")
    go_on.click()
    error = form.locator("[data-error-of='team[0][count]']")
    expect(error).to_contain_text("«")
    expect(form.locator("[data-summary] a")).to_have_count(1)
    count.fill("3")
    expect(error).to_be_empty()
    add = form.get_by_role("button", name="«role»")
    add.click()
    add.click()
    rows = form.locator("[name$='[role]']")
    expect(rows).to_have_count(3)
    form.locator("[data-step=team] button:has([aria-hidden=true])").nth(1).click()
    form.locator("[data-step=team] button:has([aria-hidden=true])").nth(1).click()
    expect(rows).to_have_count(1)
    go_on.click()
    expect(form.locator("[data-step=schedule]")).to_be_visible()
    assert form.locator("xpath=..").locator("xpath=..").get_attribute("data-awake") == ""
    assert problems == []


@pytest.mark.parametrize("runtime", get_args(Runtime))
def test_a_translated_filter_counts_what_it_shows(runtime: Runtime, opens: Opens) -> None:
    page = opens("/project-cases", runtime)
    status, rows = page.locator("[data-wakes-for]").get_by_role("status"), page.locator("main li[data-id]")
    total = rows.count()
    choice = page.locator("a[href^='?technology=']").first
    shown = choice.locator("span").inner_text().strip("«»")
    choice.click()
    expect(rows.filter(visible=True)).to_have_count(int(shown))
    expect(status).to_contain_text(f"«{shown}»")
    page.locator("a[href='?']").click()
    expect(status).to_contain_text(f"«{total}» «of» «{total}»")
