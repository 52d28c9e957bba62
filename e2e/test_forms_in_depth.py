"""Forms with slips, lost answers, another page, the keyboard and axe (spec §3, §5, §7)."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route, expect

from .faults import wait_until
from .product import ROOT, Product
from .test_forms import ARABIC_CONTACT, CONTACT, ESTIMATE, Form, Opens, leads, visiting_forms

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
INTAKE = "**/api/integration/form-data"


@pytest.fixture
def opens(browser: Browser, product: Product) -> Iterator[Opens]:
    with visiting_forms(browser, product) as open_form:
        yield open_form


def test_an_address_with_a_slip_can_be_put_right(opens: Opens) -> None:
    visit = opens(CONTACT)
    email = visit.field("contact[email]")
    email.fill("operations@gmial.com")
    email.press("Tab")
    suggestion = visit.form.get_by_role("button").filter(has_text="operations@gmail.com")
    suggestion.click()
    expect(email).to_have_value("operations@gmail.com")
    expect(email).to_be_focused()
    expect(suggestion).to_have_count(0)


def test_an_answer_that_is_lost_makes_no_second_lead(opens: Opens, product: Product) -> None:
    visit = opens(CONTACT)
    visit.fill()

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    visit.page.route(INTAKE, lose)
    visit.go_on.click()
    expect(visit.summary).to_be_focused()
    visit.page.unroute(INTAKE)
    visit.go_on.click()
    expect(visit.thanks).to_be_visible()
    assert len(leads(product, visit.mark)) == 1


def test_what_was_kept_is_sent_from_another_page(opens: Opens, product: Product) -> None:
    visit = opens(CONTACT)
    visit.fill()
    context = visit.page.context
    context.set_offline(True)
    visit.go_on.click()
    expect(visit.root.locator("[data-kept]")).to_be_visible()
    visit.page.close()
    context.set_offline(False)
    page = context.new_page()
    with page.expect_response(INTAKE) as answer:
        page.goto(product.origin("en") + "/about-us")
    assert answer.value.status == 201
    assert len(leads(product, visit.mark)) == 1
    databases = "indexedDB.databases().then(all => all.map(({name}) => name))"
    wait_until(lambda: "leads" not in page.evaluate(databases), lambda: f"no leads in {page.evaluate(databases)}")


def test_the_keyboard_is_enough(opens: Opens, product: Product) -> None:
    visit = opens(CONTACT)
    page = visit.page
    visit.field("contact[name]").focus()
    page.keyboard.type("Head of Operations")
    page.keyboard.press("Tab")
    page.keyboard.type("operations@northwind.example")
    page.keyboard.press("Tab")  # company
    page.keyboard.press("Tab")  # country
    page.keyboard.press("Tab")  # phone
    page.keyboard.press("Tab")
    expect(visit.field("services").first).to_be_focused()
    page.keyboard.press("Space")
    for _ in range(visit.field("services").count()):
        page.keyboard.press("Tab")
    expect(visit.field("message")).to_be_focused()
    page.keyboard.type(f"By keys. {visit.mark}")
    page.keyboard.press("Tab")
    expect(visit.field("attachments")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")  # the privacy policy's link
    page.keyboard.press("Tab")
    expect(visit.go_on).to_be_focused()
    page.keyboard.press("Enter")
    expect(visit.thanks).to_be_focused()
    [lead] = leads(product, visit.mark)
    assert lead["fields"]["services"] == ["custom-software-development"]


@pytest.mark.parametrize(("form", "width"), [(ESTIMATE, 375), (ARABIC_CONTACT, 1280)], ids=["estimate", "contact-ae"])
def test_every_step_is_accessible(form: Form, width: int, opens: Opens) -> None:
    visit = opens(form, viewport={"width": width, "height": 900})
    visit.page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = []

    def look(what: str) -> None:
        options = {"runOnly": {"type": "tag", "values": AXE_TAGS}}
        result = visit.page.evaluate("options => axe.run('form[data-form]', options)", options)
        found.extend(f"{what} {item['id']}: {[n['html'] for n in item['nodes']][:2]}" for item in result["violations"])
        assert visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{what} is too wide"

    visit.field("website").evaluate("field => field.form.scrollIntoView()")
    if form.name == "estimate":
        visit.field("services").first.check()
        look("service")
        visit.go_on.click()
        expect(visit.step("team")).to_be_visible()
        visit.field("team[0][count]").fill("x")
        visit.go_on.click()
        expect(visit.summary).to_be_focused()
        look("team")
        visit.field("team[0][count]").fill("1")
        visit.go_on.click()
        expect(visit.step("schedule")).to_be_visible()
        look("schedule")
        visit.go_on.click()
    expect(visit.step("contact")).to_be_visible()
    visit.field("contact[name]").click()
    visit.go_on.click()
    expect(visit.summary).to_be_focused()
    look("contact")
    assert found == []
