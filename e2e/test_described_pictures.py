"""An editor crops an image, and the new image keeps its description in each language."""

from playwright.sync_api import Browser, Locator, Page, expect

from .editing import log_in
from .product import Product


def test_a_cropped_picture_brings_its_descriptions_where_it_is_chosen(product: Product, browser: Browser) -> None:
    (picture,) = product.ask("SELECT id, title FROM content_siteimage WHERE file LIKE %s", "%/cover-northwind.png")
    (german,) = product.ask("SELECT id FROM wagtailcore_locale WHERE language_code = %s", "de-de")
    (video, *_) = product.ask("SELECT id FROM content_insightvideo ORDER BY id")
    with browser.new_context(viewport={"width": 1400, "height": 1000}, reduced_motion="reduce") as context:
        page = context.new_page()
        log_in(page, product)
        page.goto(f"{product.studio}/admin/images/{picture['id']}/")
        draw_half(page)
        page.get_by_label("Crop: save the selected area").check()
        page.get_by_label("Description (English)").fill("A plan of the quay")
        page.get_by_label("Description (German)").fill("Ein Plan des Kais")
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.locator(".messages")).to_contain_text(f"“{picture['title']} (cropped)” is a new picture")
        before, *_, cropped = product.ask(
            "SELECT id, width, height FROM content_siteimage WHERE title IN (%s, %s) ORDER BY id",
            picture["title"],
            f"{picture['title']} (cropped)",
        )
        for side in ("width", "height"):
            assert abs(cropped[side] - before[side] / 2) <= before[side] / 50

        page.goto(f"{product.studio}/admin/snippets/content/insightvideo/edit/{video['id']}/")
        expect(page.locator("script[data-studio-start]")).to_have_count(0)
        own, translated = description_in(page, "1"), description_in(page, str(german["id"]))
        own.fill("")
        translated.fill("Was eine Redakteurin schrieb")
        change_cover(page, cropped["id"])
        expect(own).to_have_value("A plan of the quay")
        expect(translated).to_have_value("Was eine Redakteurin schrieb")
        translated.fill("")
        change_cover(page, cropped["id"])
        expect(translated).to_have_value("Ein Plan des Kais")


def draw_half(page: Page) -> None:
    """Draw a box half as wide and half as high as the picture."""
    drawn = page.locator(".jcrop-holder .jcrop-tracker").last
    expect(drawn).to_be_visible()
    drawn.scroll_into_view_if_needed()
    box = drawn.bounding_box()
    assert box
    left, top = box["x"] + box["width"] / 4, box["y"] + box["height"] / 4
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move(left + box["width"] / 2, top + box["height"] / 2, steps=5)
    page.mouse.up()


def change_cover(page: Page, picture: int) -> None:
    page.locator("#id_cover-chooser").get_by_role("button", name="Actions").click()
    page.get_by_role("button", name="Change image").click()
    page.locator(f"a[data-chooser-modal-choice][href$='/{picture}/']").click()
    expect(page.locator(".modal-dialog")).to_have_count(0)


def description_in(page: Page, locale: str) -> Locator:
    """Return the field that describes the picture in a language."""
    rows = page.locator("[data-inline-panel-child]:has(select[name$='-locale'])")
    chosen = rows.filter(has=page.locator(f"select[name$='-locale'] option[value='{locale}']:checked"))
    return chosen.locator("[id$='-alt']")
