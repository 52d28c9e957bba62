"""Forms (spec §3, §5, §7; docs/architecture.md): both of them, in English and in Arabic, as visitors use them."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from .faults import wait_until
from .product import ROOT, Product

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
INTAKE = "**/api/integration/form-data"
CHOSEN = "%7B%22ad_storage%22%3Atrue%2C%22analytics_storage%22%3Atrue%7D"
PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"


class Form(NamedTuple):
    site: str
    path: str
    name: str


FORMS = [
    Form("en", "/contact-us", "contact"),
    Form("en", "/estimate", "estimate"),
    Form("ae", "/contact-us", "contact"),
    Form("ae", "/contact-us", "estimate"),
]
CONTACTS = [form for form in FORMS if form.name == "contact"]
both = pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.name}-{form.site}")
contacts = pytest.mark.parametrize("form", CONTACTS, ids=lambda form: form.site)

Opens = Callable[..., "Visit"]


class Visit:
    """A form on a page, and what somebody does with it. ``mark`` is in its message: it finds the lead again."""

    def __init__(self, page: Page, form: Form) -> None:
        self.page = page
        self.form = page.locator(f"form[data-form={form.name}]")
        self.root = self.form.locator("xpath=..")
        self.mark = uuid4().hex
        self.name = form.name
        self.logs: list[str] = []

    def field(self, name: str) -> Locator:
        return self.form.locator(f'[name="{name}"]')

    @property
    def go_on(self) -> Locator:
        return self.form.locator("button[type=submit]")

    @property
    def thanks(self) -> Locator:
        return self.root.locator("[data-thanks]")

    @property
    def summary(self) -> Locator:
        return self.form.locator("[data-summary]")

    def step(self, key: str) -> Locator:
        return self.form.locator(f"[data-step={key}]")

    def to_last_step(self) -> None:
        if self.name == "contact":
            return
        self.form.locator("[name=services][value=other]").check()
        self.go_on.click()
        expect(self.step("team")).to_be_visible()
        self.field("team[0][role]").select_option("back-end")
        self.field("team[0][count]").fill("3")
        self.go_on.click()
        expect(self.step("schedule")).to_be_visible()
        self.field("months").fill("6")
        self.go_on.click()
        expect(self.step("contact")).to_be_visible()

    def fill(self) -> None:
        self.to_last_step()
        self.field("contact[name]").fill("Head of Operations")
        self.field("contact[email]").fill("operations@northwind.example")
        self.field("message").fill(f"We move containers. {self.mark}")
        self.field("privacyAccepted").check()


@pytest.fixture
def opens(browser: Browser, product: Product) -> Iterator[Opens]:
    contexts: list[BrowserContext] = []

    def open_form(form: Form, **options: Any) -> Visit:
        context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **options}
        )
        contexts.append(context)
        origin = product.origin(form.site)
        context.add_cookies([{"name": "consent_status", "value": CHOSEN, "url": origin}])
        page = context.new_page()
        page.goto(origin + form.path)
        return Visit(page, form)

    yield open_form
    for context in contexts:
        context.close()


def leads(product: Product, mark: str) -> list[dict[str, Any]]:
    """Leads whose message has the mark."""
    with sqlite3.connect(product.var_dir / "portolan.sqlite3") as database:
        database.row_factory = sqlite3.Row
        rows = database.execute("SELECT * FROM leads_lead WHERE fields LIKE ?", (f"%{mark}%",)).fetchall()
        files = "SELECT name FROM leads_leadfile WHERE lead_id = ? ORDER BY position"
        return [
            {
                **dict(row),
                "fields": json.loads(row["fields"]),
                "files": [name for (name,) in database.execute(files, (row["id"],))],
            }
            for row in rows
        ]


@both
def test_a_form_is_sent_and_says_thanks(form: Form, opens: Opens, product: Product) -> None:
    visit = opens(form)
    visit.fill()
    visit.go_on.click()
    expect(visit.thanks).to_be_visible()
    expect(visit.thanks).to_be_focused()
    expect(visit.form).to_be_hidden()
    [lead] = leads(product, visit.mark)
    assert (lead["site"], lead["form"], lead["captcha_status"]) == (form.site, form.name, "verified")
    fields = lead["fields"]
    assert fields["pageUrl"] == product.origin(form.site) + form.path
    assert fields["privacyAccepted"] is True and fields["secondsOpen"] > 0
    assert fields["firstVisitUrl"] and fields["sessionEntryUrl"]
    if form.name == "estimate":
        assert (fields["step"], fields["months"]) == (4, 6)
        assert fields["team"] == [{"role": "back-end", "seniority": "middle", "count": 3}]
        assert fields["price"]["to"] > fields["price"]["from"] > 0
        assert fields["price"]["currency"] == {"en": "USD", "ae": "AED"}[form.site]
    assert visit.page.evaluate(f"sessionStorage.getItem('formDraft:{form.name}')") is None


def amounts(text: str | None) -> tuple[int, int]:
    low, high = (int(number.replace(",", "")) for number in re.findall(r"\$([0-9,]+)", text or ""))
    return low, high


def test_the_price_follows_everything_that_is_chosen(opens: Opens) -> None:
    visit = opens(FORMS[1])
    price, notes = visit.form.locator("[data-price]"), visit.form.locator("[data-price-notes] li")
    services = visit.field("services")
    expect(price).to_contain_text("for one person")
    expect(notes).to_have_count(4)
    services.first.check()
    expect(price).not_to_contain_text("for one person")
    usual = price.text_content()
    services.first.uncheck()
    visit.form.locator("[value=project-development-services]").check()
    expect(notes.first).to_contain_text("+15%")
    assert price.text_content() != usual
    visit.form.locator("[value=other]").check()
    expect(notes.filter(has_text="Something else: not in the range")).to_have_count(1)
    seen = [amounts(price.text_content())]
    visit.go_on.click()
    roles = visit.form.locator("select[name^=team][name$='[role]']")
    expect(roles).to_have_count(5)
    seen.append(amounts(price.text_content()))
    for _ in range(4):
        visit.form.get_by_role("button", name="Remove row 2").click()
    visit.field("team[0][count]").fill("3")
    expect(notes.filter(has_text="not in your team")).to_have_count(4)
    visit.form.get_by_role("button", name="Back").click()
    visit.form.locator("[value=project-development-services]").uncheck()
    services.first.check()
    visit.go_on.click()
    expect(visit.step("team").locator("[data-step-title]")).to_be_focused()
    expect(roles).to_have_count(1)  # what somebody has chosen stays
    visit.go_on.click()
    visit.field("months").fill("2")
    visit.field("start").nth(1).check()
    expect(price).to_have_text("$51,600 – $72,000 altogether")
    visit.field("start").first.check()
    expect(price).to_have_text("$56,760 – $79,200 altogether")
    visit.field("months").fill("12")
    expect(price).to_have_text("$325,080 – $453,600 altogether")
    (wide, more), (narrow, less) = seen
    assert wide < narrow < less < more


def test_a_row_of_the_team_without_a_role_is_said_and_not_dropped(opens: Opens) -> None:
    visit = opens(FORMS[1])
    visit.form.locator("[value=other]").check()
    visit.go_on.click()
    role, count = visit.field("team[0][role]"), visit.field("team[0][count]")
    count.fill("3")
    visit.go_on.click()
    expect(visit.summary).to_be_focused()
    expect(visit.summary.locator("a")).to_have_text(["Please choose a role, or remove this row."])
    visit.summary.locator("a").click()
    expect(role).to_be_focused()
    expect(role).to_have_attribute("aria-invalid", "true")
    role.select_option("back-end")
    expect(role).not_to_have_attribute("aria-invalid", "true")
    expect(count).to_have_value("3")
    visit.go_on.click()
    expect(visit.step("schedule")).to_be_visible()


@both
def test_what_is_wrong_is_said_and_led_to(form: Form, opens: Opens, product: Product) -> None:
    visit = opens(form)
    visit.to_last_step()
    visit.field("contact[name]").click()
    visit.go_on.click()
    expect(visit.summary).to_be_focused()
    names = ["contact[name]", "contact[email]", *(["message"] if form.name == "contact" else []), "privacyAccepted"]
    expect(visit.summary.locator("a")).to_have_count(len(names))
    for position, name in enumerate(names):
        field = visit.field(name)
        expect(field).to_have_attribute("aria-invalid", "true")
        visit.summary.locator("a").nth(position).click()
        expect(field).to_be_focused()
        said = (field.get_attribute("aria-describedby") or "").split()
        assert (
            visit.page.locator(f"#{said[-1]}").text_content() == visit.summary.locator("a").nth(position).text_content()
        )
    visit.field("contact[email]").fill("operations")
    expect(visit.field("contact[email]")).to_have_attribute("aria-invalid", "true")
    visit.field("contact[email]").fill("operations@northwind.example")
    expect(visit.field("contact[email]")).not_to_have_attribute("aria-invalid", "true")


@contacts
def test_the_address_is_checked_when_the_field_is_left(form: Form, opens: Opens) -> None:
    visit = opens(form)
    email = visit.field("contact[email]")
    for slip in ("operations@gmial.com", "operations@gmail,com"):
        email.fill(slip)
        email.press("Tab")
        suggestion = visit.form.get_by_role("button").filter(has_text="operations@gmail.com")
        suggestion.click()
        expect(email).to_have_value("operations@gmail.com")
        expect(email).to_be_focused()
        expect(email).not_to_have_attribute("aria-invalid", "true")
        expect(suggestion).to_have_count(0)
    verdict = {"valid": False, "reason": "no-mail", "suggestion": None}
    visit.page.route("**/api/integration/validation/email", lambda route: route.fulfill(json=verdict))
    email.fill("operations@nowhere.example")
    email.press("Tab")
    expect(email).to_have_attribute("aria-invalid", "true")


def test_a_check_that_fails_stops_nobody(opens: Opens, product: Product) -> None:
    visit = opens(CONTACTS[0])
    visit.page.route("**/api/integration/validation/email", lambda route: route.abort())
    visit.fill()
    visit.go_on.click()
    expect(visit.thanks).to_be_visible()
    assert len(leads(product, visit.mark)) == 1


@contacts
def test_files_are_listed_removed_and_sent(form: Form, opens: Opens, product: Product) -> None:
    visit = opens(form)
    visit.fill()
    files = visit.field("attachments")
    for name in ("plan.pdf", "sketch.pdf", "tool.exe"):
        content = PDF + name.encode()
        files.set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": content})
    listed = visit.form.locator("li bdi")
    expect(listed).to_have_text(["plan.pdf", "sketch.pdf"])
    expect(visit.form.locator("[data-error-of=attachments]")).to_contain_text("tool.exe")
    visit.form.locator("li").filter(has_text="plan.pdf").get_by_role("button").click()
    expect(listed).to_have_text(["sketch.pdf"])
    visit.go_on.click()
    expect(visit.thanks).to_be_visible()
    assert leads(product, visit.mark)[0]["files"] == ["sketch.pdf"]


def test_a_phone_has_the_visitors_prefix_and_takes_another(opens: Opens, product: Product) -> None:
    visit = opens(CONTACTS[1])
    visit.fill()
    country, phone = visit.form.locator("select").first, visit.field("contact[phone]")
    expect(country).to_have_value("ae")
    phone.fill("+49 30 901820")
    phone.press("Tab")
    expect(country).to_have_value("de")
    expect(phone).to_have_value("30 901820")
    visit.go_on.click()
    expect(visit.thanks).to_be_visible()
    assert leads(product, visit.mark)[0]["fields"]["contact"]["phone"] == "+49 30 901820"


@both
def test_a_draft_is_there_again_after_a_reload(form: Form, opens: Opens, product: Product) -> None:
    visit = opens(form)
    visit.fill()
    page = visit.page
    for come_back in (page.reload, lambda: (page.goto(product.origin(form.site) + "/about-us"), page.go_back())):
        come_back()
        expect(visit.field("message")).to_have_value(re.compile(visit.mark))
        expect(visit.field("contact[name]")).to_have_value("Head of Operations")
    visit.go_on.click()
    expect(visit.thanks).to_be_visible()
    assert len(leads(product, visit.mark)) == 1


@pytest.mark.parametrize("form", [FORMS[0], FORMS[1]], ids=lambda form: form.name)
def test_a_form_that_is_left_is_kept_as_begun_until_it_is_sent(form: Form, opens: Opens, product: Product) -> None:
    visit = opens(form)
    visit.fill()
    page = visit.page

    def begun() -> list[bool]:
        return [bool(lead["is_begun"]) for lead in leads(product, visit.mark)]

    if form.name == "estimate":
        for _ in range(2):
            visit.form.get_by_role("button", name="Back").click()
        with page.expect_response(INTAKE):
            page.locator("footer a[href='/about-us']").first.click()  # the page runtime takes the form away
    else:
        page.goto(product.origin(form.site) + "/about-us")
    wait_until(lambda: begun() == [True], lambda: f"one that was begun, and not {begun()}")
    assert leads(product, visit.mark)[0]["fields"]["step"] == (2 if form.name == "estimate" else 1)
    page.goto(product.origin(form.site) + form.path)
    expect(visit.field("message")).to_have_value(re.compile(visit.mark))
    while not visit.field("privacyAccepted").is_visible():
        visit.go_on.click()
    visit.go_on.click()
    expect(visit.thanks).to_be_visible()
    assert begun() == [False]
    page.goto(product.origin(form.site) + "/about-us")
    assert begun() == [False]


def test_a_form_that_is_left_without_leave_is_sent_nowhere(opens: Opens) -> None:
    visit = opens(FORMS[0])
    visit.fill()
    visit.field("privacyAccepted").uncheck()
    sent: list[str] = []
    visit.page.on("request", lambda request: sent.append(request.url) if "form-data" in request.url else None)
    visit.page.locator("footer a[href='/about-us']").first.click()
    expect(visit.page).to_have_url(re.compile("about-us"))
    visit.page.goto("about:blank")
    assert sent == []


@both
def test_a_server_that_fails_costs_nothing(form: Form, opens: Opens, product: Product) -> None:
    visit = opens(form)
    visit.fill()
    logs: list[str] = []
    visit.page.on("console", lambda message: logs.append(message.text))
    visit.page.route(INTAKE, lambda route: route.fulfill(status=500, body="harbour closed"))
    visit.go_on.click()
    expect(visit.summary).to_be_focused()
    expect(visit.field("message")).to_have_value(re.compile(visit.mark))
    assert any("500: harbour closed" in text for text in logs), logs
    visit.page.unroute(INTAKE)
    visit.go_on.click()
    expect(visit.thanks).to_be_visible()
    assert len(leads(product, visit.mark)) == 1


def test_an_answer_that_is_lost_makes_no_second_lead(opens: Opens, product: Product) -> None:
    visit = opens(CONTACTS[0])
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


def test_what_the_server_does_not_take_is_said_at_its_field(opens: Opens) -> None:
    visit = opens(CONTACTS[0])
    visit.fill()
    errors = [{"field": "contact[email]", "message": "is no e-mail address"}]
    problem = {"status": 422, "code": "invalid-value", "errors": errors}
    visit.page.route(INTAKE, lambda route: route.fulfill(status=422, json=problem))
    visit.go_on.click()
    expect(visit.summary).to_be_focused()
    expect(visit.field("contact[email]")).to_have_attribute("aria-invalid", "true")
    expect(visit.summary.locator("a")).to_have_count(1)


@both
def test_offline_it_is_kept_and_sent_once(form: Form, opens: Opens, product: Product) -> None:
    visit = opens(form)
    visit.fill()
    visit.page.context.set_offline(True)
    visit.go_on.click()
    expect(visit.root.locator("[data-kept]")).to_be_focused()
    assert leads(product, visit.mark) == []
    visit.page.context.set_offline(False)
    expect(visit.thanks).to_be_focused()
    assert len(leads(product, visit.mark)) == 1


def test_what_was_kept_is_sent_from_another_page(opens: Opens, product: Product) -> None:
    visit = opens(CONTACTS[0])
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


@both
def test_a_double_click_sends_one(form: Form, opens: Opens, product: Product) -> None:
    visit = opens(form)
    visit.fill()
    visit.go_on.dblclick()
    expect(visit.thanks).to_be_visible()
    assert len(leads(product, visit.mark)) == 1


SITE_KEY = "a-key-of-the-site"
PROVIDER_SCRIPTS = {
    "recaptcha": """window.grecaptcha = {
        ready: (then) => setTimeout(then, 50),
        execute: async (key, { action }) => `recaptcha ${key} ${action}`,
    };""",
    "turnstile": """window.turnstile = {
        render: (place, { sitekey, action, callback }) => {
            if (!place.isConnected) throw new Error("It is not in the page.");
            setTimeout(callback, 50, `turnstile ${sitekey} ${action}`);
            return "widget";
        },
        remove: (widget) => { window.removed = widget },
    };""",
}


@pytest.mark.parametrize("provider", PROVIDER_SCRIPTS)
def test_a_token_of_another_provider_is_asked_for_at_the_first_focus(
    provider: str, opens: Opens, product: Product
) -> None:
    """Nobody has scrolled: the provider's script comes for the form. What it is asked for stands in the token."""
    form = CONTACTS[0]
    visit = opens(form)
    page, asked = visit.page, list[str]()

    def serve_page(route: Route) -> None:
        answer = route.fetch()
        known = '"provider":"altcha","siteKey":null'
        assert known in answer.text()
        page_with_key = answer.text().replace(known, f'"provider":"{provider}","siteKey":"{SITE_KEY}"')
        route.fulfill(response=answer, body=page_with_key)

    def serve_script(route: Route) -> None:
        asked.append(page.evaluate("document.activeElement.name"))
        route.fulfill(content_type="text/javascript", body=PROVIDER_SCRIPTS[provider])

    page.context.route("**/demo/captcha.js", serve_script)
    page.context.route(f"**{form.path}", serve_page)
    page.reload()
    assert asked == []
    visit.field("contact[name]").focus()
    expect(page.locator('script[data-deferred="captcha"]')).to_have_count(1)
    visit.fill()
    assert asked == ["contact[name]"]
    with page.expect_request(INTAKE) as sent:
        visit.go_on.click()
    assert f'name="captchaToken"\r\n\r\n{provider} {SITE_KEY} submit\r\n' in (sent.value.post_data or "")
    assert page.locator('script[data-deferred="captcha"]').count() == 1
    if provider == "turnstile":
        assert page.evaluate("window.removed") == "widget"


@both
def test_without_scripts_it_is_a_plain_post(form: Form, opens: Opens, product: Product) -> None:
    visit = opens(form, java_script_enabled=False)
    for key in ("service", "team", "schedule", "contact") if form.name == "estimate" else ("contact",):
        expect(visit.step(key)).to_be_visible()
    for service in visit.field("services").all()[:2]:
        service.check()
    visit.field("contact[name]").fill("Head of Operations")
    visit.field("contact[email]").fill("operations@northwind.example")
    visit.field("message").fill(f"Line\n{visit.mark}")
    visit.field("privacyAccepted").check()
    visit.field("attachments").set_input_files(
        [{"name": "tool.exe", "mimeType": "application/octet-stream", "buffer": b"MZ"}]
    )
    visit.go_on.click()
    expect(visit.summary).to_be_visible()
    expect(visit.summary.locator("a")).to_have_count(1)
    expect(visit.field("message")).to_have_value(f"Line\n{visit.mark}")
    expect(visit.field("services").nth(1)).to_be_checked()
    assert leads(product, visit.mark) == []
    visit.field("attachments").set_input_files([{"name": "plan.pdf", "mimeType": "application/pdf", "buffer": PDF}])
    visit.go_on.click()
    expect(visit.thanks).to_be_visible()
    expect(visit.form).to_be_hidden()
    [lead] = leads(product, visit.mark)
    assert (lead["site"], lead["form"], lead["files"]) == (form.site, form.name, ["plan.pdf"])
    assert len(lead["fields"]["services"]) == 2


@both
@pytest.mark.parametrize("width", [375, 1280])
def test_every_step_is_accessible(form: Form, width: int, opens: Opens) -> None:
    visit = opens(form, viewport={"width": width, "height": 900})
    visit.page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = []

    def look(what: str) -> None:
        options = {"runOnly": {"type": "tag", "values": AXE_TAGS}}
        result = visit.page.evaluate("options => axe.run('main', options)", options)
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


def test_the_keyboard_is_enough(opens: Opens, product: Product) -> None:
    visit = opens(CONTACTS[0])
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


def test_a_page_without_a_form_fetches_nothing_of_it(browser: Browser, product: Product) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(product.origin("en") + "/about-us")
    page.mouse.wheel(0, 800)
    page.wait_for_timeout(1500)
    page.goto(product.origin("en") + "/contact-us")
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if "lead-form" in url or "__captcha" in url]
    page.locator("form[data-form=contact] textarea").click()
    page.wait_for_timeout(2000)
    assert [url for url in asked if "lead-form" in url] and [url for url in asked if "__captcha" in url]
    page.close()
