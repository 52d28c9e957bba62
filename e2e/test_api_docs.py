"""The page that describes the API, under its own policy and without scripts."""

from playwright.sync_api import Browser

from .axe import find_violations
from .product import Product


def test_the_page_breaks_no_policy_and_needs_nobody(product: Product, browser: Browser) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        asked: list[str] = []
        problems: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: problems.append(message.text))
        page.on("requestfailed", lambda request: problems.append(request.url))
        page.goto(f"{product.origin('en')}/api/docs")
        assert page.locator("h1").inner_text() == "Portolan content API"
        assert page.locator("article[id='paginate_news'] pre").first.inner_text().startswith("curl ")
        assert page.locator("header").evaluate("header => getComputedStyle(header).backgroundColor") == "rgb(2, 13, 28)"
        assert {url.removeprefix(product.origin("en")) for url in asked} <= {
            "/api/docs",
            "/api/docs.css",
            "/favicon.ico",
        }
        assert problems == [], problems


def test_everybody_can_read_it(product: Product, browser: Browser) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.goto(f"{product.origin('en')}/api/docs")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.set_viewport_size({"width": 375, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert find_violations(page) == []
