import re, time
from playwright.sync_api import Browser, expect
from .editing import log_in
from .product import Product
OUT = "/tmp/w/d-shots"

def test_scratch(product: Product, browser: Browser) -> None:
    import os; os.makedirs(OUT, exist_ok=True)
    print(product.ask("SELECT a.url_path, a.translation_key, ct.model FROM wagtailcore_page a JOIN django_content_type ct ON ct.id=a.content_type_id WHERE a.url_path LIKE '/en/%%' AND NOT EXISTS (SELECT 1 FROM wagtailcore_page b WHERE b.translation_key = a.translation_key AND b.url_path LIKE '/ae/%%' AND b.live) AND a.live LIMIT 300"))
    with browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce") as context:
        page = context.new_page()
        log_in(page, product)
        page.goto(f"{product.studio}/admin/translations/without/")
        page.screenshot(path=f"{OUT}/choices-1440.png", full_page=True)
        for site in ("ae", "de", "fr"):
            page.locator(f"select[name='{site}:']").select_option("original")
        page.get_by_role("button", name="Save choices").click()
        t = time.time()
        page.screenshot(path=f"{OUT}/choices-saved-1440.png", full_page=True)
        while time.time() - t < 90:
            manifests = product.live
            count = {s: sum(1 for p, f in manifests[s].files.items() if f.content_type.startswith("text/html")) for s in ("ae", "de", "fr", "en")}
            rows = product.ask("SELECT count(*) AS n FROM releases_releaseroute WHERE fallback IS NOT NULL AND until IS NULL")
            if rows[0]["n"] and count["ae"] > 60 and all(m.release == max(x.release for x in manifests.values()) for k, m in manifests.items() if k in ("ae", "de", "fr")): break
            time.sleep(1)
        print("took", time.time() - t, count, rows)
        print(product.ask("SELECT site, kind, key, problem FROM releases_pendingchange LIMIT 20"))
        found = product.ask("SELECT site, path, template FROM releases_releaseroute WHERE fallback IS NOT NULL AND until IS NULL ORDER BY template, site")
        seen = {}
        for row in found: seen.setdefault((row["site"], row["template"]), row["path"])
        print(seen)
        page.goto(f"{product.studio}/admin/translations/?state=missing")
        page.screenshot(path=f"{OUT}/overview-1440.png")
        page.locator("[data-fallback] .studio-matrix-more").first.or_(page.locator("[data-fallback] a").first).first.click()
        page.screenshot(path=f"{OUT}/details-1440.png", full_page=True)
        page.set_viewport_size({"width": 390, "height": 844})
        page.screenshot(path=f"{OUT}/details-390.png", full_page=True)
        page.goto(f"{product.studio}/admin/translations/without/")
        page.screenshot(path=f"{OUT}/choices-390.png", full_page=True)
    for width in (1440, 390):
        with browser.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce") as context:
            page = context.new_page()
            for (site, template), path in seen.items():
                page.goto(product.origin(site) + path)
                page.wait_for_load_state()
                page.screenshot(path=f"{OUT}/{site}-{template}-{width}.png", full_page=True)
    time.sleep(1)
