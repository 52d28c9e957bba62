"""The main path: a phone number changed by hand in the studio stands on every site that shows it, and nowhere else a byte changes."""

import time

from playwright.sync_api import Browser, Page

from portolan.builds.manifest import Manifest
from portolan.builds.store import ContentStore

from .editing import expect_published, log_in
from .faults import wait_until
from .product import Product

NEW_PHONE = "+49 30 23125 999"


def test_an_offices_new_phone_number_is_live_on_each_site_that_shows_it_and_nothing_else_changes(
    product: Product, browser: Browser
) -> None:
    before = product.live()
    with browser.new_context(viewport={"width": 1280, "height": 1000}, reduced_motion="reduce") as context:
        page = context.new_page()
        log_in(page, product)
        old_phone = _change_phone(page, product, city="Berlin", phone=NEW_PHONE)
    saved = time.monotonic()
    shown = {site: _files_with(product, manifest, old_phone) for site, manifest in before.items()}
    showing = {site for site, files in shown.items() if files}
    assert "de" in showing
    assert len(showing) < len(before) or all(len(shown[site]) < len(before[site].files) for site in before)

    wait_until(
        lambda: all(product.live()[site].build != before[site].build for site in showing),
        "the new number is live",
    )
    print(f"\nlive on {len(showing)} sites {time.monotonic() - saved:.2f} s after the studio confirmed the save")

    after = product.live()
    for site, manifest in after.items():
        assert _files_with(product, manifest, old_phone) == set(), site
        changed = {
            path for path in manifest.files.keys() | before[site].files.keys()
            if manifest.files.get(path) != before[site].files.get(path)
        }  # fmt: skip
        shared_data = {path for path in changed if path.startswith("/page-data/sq/d/")}
        its_page_data = {path for path in changed if path.endswith("/page-data.json")} if shared_data else set()
        unexplained = changed - shown[site] - shared_data - its_page_data - {"/sitemap.xml", "/sw.js"}
        assert unexplained == set(), f"{site}: {sorted(unexplained)}"
        if site not in showing:
            assert changed == set(), site
    answer = product.get("de", "/about-us")
    assert NEW_PHONE in answer.text
    assert old_phone not in answer.text


def _change_phone(page: Page, product: Product, city: str, phone: str) -> str:
    page.goto(product.studio + "/admin/snippets/content/office/")
    page.get_by_role("link", name=city, exact=False).first.click()
    field = page.locator("input[name='phone']")
    old_phone = field.input_value()
    field.fill(phone)
    page.get_by_role("button", name="Publish").first.click()
    expect_published(page)
    return old_phone


def _files_with(product: Product, manifest: Manifest, text: str) -> set[str]:
    """Return the URLs of a build whose bytes contain ``text``. Files kept only for open tabs are left out."""
    store = ContentStore(product.var_dir / "builds")
    found = set()
    for path, file in manifest.files.items():
        if path.startswith(("/assets/", "/page-data/sq/d/")):
            continue
        if text.encode() in (store.read(file.digest) or b""):
            found.add(path)
    return found
