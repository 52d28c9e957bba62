"""Every site is up in its own language, complete without scripts (spec §1, §2)."""

import re

import pytest
from playwright.sync_api import Browser

from .product import Product

SITES = ("en", "uk", "de", "ae", "az", "kz", "pl", "fr")


@pytest.mark.parametrize("site", SITES)
def test_every_page_answers_in_the_sites_language_and_direction(product: Product, site: str) -> None:
    entry = product.registry.sites[site]
    manifest = product.live()[site]
    documents = [path for path, file in manifest.files.items() if file.content_type.startswith("text/html")]
    pages = [path for path in documents if not path.startswith("/assets/")]
    assert len(pages) >= 8
    titles = set()
    for path in pages:
        answer = product.get(site, path)
        error_page = re.fullmatch(r"/(404|500)\.html", path)
        assert answer.status_code == 200 or error_page, path
        opening = re.search(r"<html[^>]*>", answer.text)
        assert opening, path
        assert f'lang="{entry.language}"' in opening[0], path
        assert f'dir="{entry.dir}"' in opening[0], path
        title = re.search(r"<title>(.+?)</title>", answer.text)
        assert title, path
        titles.add(title[1])
        assert answer.text.count("<h1") == 1, path
    assert len(titles) == len(pages), "each page has a title of its own"


@pytest.mark.parametrize("site", SITES)
def test_a_missing_page_is_a_404_in_the_sites_language(product: Product, site: str) -> None:
    answer = product.get(site, "/no/such/page")
    assert answer.status_code == 404
    assert f'lang="{product.registry.sites[site].language}"' in answer.text


def test_the_trailing_slash_goes_and_the_query_stays(product: Product) -> None:
    answer = product.get("de", "/about-us/?gclid=x", follow_redirects=False)
    assert answer.status_code == 301
    assert answer.headers["location"].endswith("/about-us?gclid=x")


@pytest.mark.parametrize("site", ("en", "ae"))
def test_the_home_page_is_complete_without_scripts(product: Product, browser: Browser, site: str) -> None:
    with browser.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        problems: list[str] = []
        page.on("requestfailed", lambda request: problems.append(request.url))
        page.on("response", lambda reply: problems.append(reply.url) if reply.status >= 400 else None)
        page.goto(product.origin(site) + "/")
        assert page.locator("h1").is_visible()
        assert page.locator("header nav a").count() > 0
        assert page.locator("footer [data-sets] a[href^='tel:']:visible").count() > 0
        direction = page.evaluate("getComputedStyle(document.body).direction")
        assert direction == product.registry.sites[site].dir
        assert problems == []


@pytest.mark.parametrize("site", ("en", "ae"))
@pytest.mark.parametrize("width", (320, 768, 1280))
def test_no_page_scrolls_sideways(product: Product, browser: Browser, site: str, width: int) -> None:
    with browser.new_context(viewport={"width": width, "height": 800}) as context:
        page = context.new_page()
        for path in ("/", "/about-us", "/services/web-development"):
            page.goto(product.origin(site) + path)
            overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert overflow <= 0, f"{path} is {overflow} px too wide at {width}"


def test_pages_break_no_policy_and_log_no_error(product: Product, browser: Browser) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        problems: list[str] = []
        page.on(
            "console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: problems.append(str(error)))
        for site in ("en", "de", "ae"):
            for path in ("/", "/about-us"):
                page.goto(product.origin(site) + path)
                page.mouse.wheel(0, 2000)
                page.locator("h1").click()
                page.wait_for_load_state("networkidle")
        assert problems == []
