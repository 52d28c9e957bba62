from playwright.sync_api import Browser, Page, expect
from .editing import NOTE_WATCH, editing, log_in
from .product import Product

def test_look(product: Product, browser: Browser) -> None:
    with browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce") as context:
        page = context.new_page()
        page.add_init_script(NOTE_WATCH)
        log_in(page, product)
        rows = product.ask("SELECT l.object_id, c.model, l.kept FROM content_localversion l JOIN django_content_type c ON c.id=l.content_type_id")
        print([dict(r) for r in rows])
        for name, list_ in (("footers", "footer"), ("rate-cards", "rates")):
            page.goto(f"{product.studio}/admin/{name}/")
            page.screenshot(path=f"/tmp/w/a-{list_}-list.png")
            page.locator("[data-site-setting=uk] a").first.click()
            page.wait_for_load_state("networkidle")
            page.screenshot(path=f"/tmp/w/a-{list_}.png", full_page=True)
            page.set_viewport_size({"width": 390, "height": 900})
            page.screenshot(path=f"/tmp/w/a-{list_}-390.png", full_page=True)
            page.set_viewport_size({"width": 1440, "height": 1000})
