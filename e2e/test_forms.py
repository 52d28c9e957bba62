"""Forms (spec §3, §5, §7; docs/architecture.md), from a browser to a stored lead. Component tests check fields, steps, price,
draft and failures: ``web/src/features/lead-form``.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from .faults import wait_until
from .island_runtimes import CHOSEN, run_islands_with
from .product import Product

CHOICE = "%7B%22ad_storage%22%3Atrue%2C%22analytics_storage%22%3Atrue%7D"
PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"


class Form(NamedTuple):
    site: str
    path: str
    name: str


CONTACT = Form("en", "/contact-us", "contact")
ARABIC_CONTACT = Form("ae", "/contact-us", "contact")
ESTIMATE = Form("en", "/estimate", "estimate")

Opens = Callable[..., "Visit"]


class Visit:
    """A form on a page, and a visitor's actions in it. ``mark`` is in the message and identifies the lead."""

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
        # React has loaded the form and keeps its values: a visitor fills in the form only then.
        wait_until(lambda: self.mark in self.page.evaluate("JSON.stringify(sessionStorage)"), "the draft is kept")


@contextmanager
def visiting_forms(browser: Browser, product: Product) -> Iterator[Opens]:
    """``open_form(form, **options)``: visits of one test."""
    contexts: list[BrowserContext] = []

    def open_form(form: Form, **options: Any) -> Visit:
        workers = {} if CHOSEN == "react" else {"service_workers": "block"}
        context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **workers, **options}
        )
        run_islands_with(context, CHOSEN)
        contexts.append(context)
        origin = product.origin(form.site)
        context.add_cookies([{"name": "consent_status", "value": CHOICE, "url": origin}])
        page = context.new_page()
        page.goto(origin + form.path)
        return Visit(page, form)

    yield open_form
    for context in contexts:
        context.close()


@pytest.fixture
def opens(browser: Browser, product: Product) -> Iterator[Opens]:
    with visiting_forms(browser, product) as open_form:
        yield open_form


def leads(product: Product, mark: str) -> list[dict[str, Any]]:
    """Leads whose message has the mark."""
    rows = product.ask("SELECT * FROM leads_lead WHERE CAST(fields AS text) LIKE %s", f"%{mark}%")
    files = "SELECT name FROM leads_leadfile WHERE lead_id = %s ORDER BY position"
    return [
        {
            **row,
            "fields": json.loads(row["fields"]),
            "files": [file["name"] for file in product.ask(files, row["id"])],
        }
        for row in rows
    ]


@pytest.mark.parametrize("form", (ARABIC_CONTACT, ESTIMATE), ids=("contact-ae", "estimate-en"))
def test_a_form_is_sent_and_says_thanks(form: Form, opens: Opens, product: Product) -> None:
    visit = opens(form)
    solved: list[object] = []
    visit.page.on("worker", lambda worker: worker.on("close", lambda ended: solved.append(ended)))
    visit.fill()
    visit.field("contact[phone]").fill("+49 30 901820")
    visit.field("attachments").set_input_files(
        [{"name": "plan.pdf", "mimeType": "application/octet-stream", "buffer": PDF}]
    )
    expect(visit.form.locator("li bdi")).to_have_text(["plan.pdf"])
    wait_until(lambda: bool(visit.page.title() and solved), "the captcha is solved")  # asking lets the browser tell
    visit.go_on.click()
    expect(visit.thanks).to_be_visible()
    expect(visit.thanks).to_be_focused()
    expect(visit.form).to_be_hidden()
    [lead] = leads(product, visit.mark)
    assert (lead["site"], lead["form"], lead["captcha_status"]) == (form.site, form.name, "verified")
    assert lead["files"] == ["plan.pdf"]
    fields = lead["fields"]
    assert fields["pageUrl"] == product.origin(form.site) + form.path
    assert fields["contact"]["phone"] == "+49 30 901820"
    assert fields["privacyAccepted"] is True and fields["secondsOpen"] > 0
    assert fields["firstVisitUrl"] and fields["sessionEntryUrl"]
    if form.name == "estimate":
        assert (fields["step"], fields["months"]) == (4, 6)
        assert fields["team"] == [{"role": "back-end", "seniority": "middle", "count": 3}]
        assert fields["price"]["to"] > fields["price"]["from"] > 0
        assert fields["price"]["currency"] == "USD"


def test_a_form_that_is_left_is_kept_as_a_partial_submission(opens: Opens, product: Product) -> None:
    visit = opens(CONTACT)
    visit.fill()
    page = visit.page

    def begun() -> list[bool]:
        return [bool(lead["is_begun"]) for lead in leads(product, visit.mark)]

    page.goto(product.origin("en") + "/about-us")
    wait_until(lambda: begun() == [True], lambda: f"one that was begun, and not {begun()}")
    page.goto(product.origin("en") + CONTACT.path)
    expect(visit.field("message")).to_have_value(re.compile(visit.mark))
    visit.go_on.click()
    expect(visit.thanks).to_be_visible()
    assert begun() == [False]


def test_offline_it_is_kept_and_sent_once(opens: Opens, product: Product) -> None:
    visit = opens(CONTACT)
    visit.fill()
    visit.page.context.set_offline(True)
    visit.go_on.click()
    expect(visit.root.locator("[data-kept]")).to_be_focused()
    assert leads(product, visit.mark) == []
    visit.page.context.set_offline(False)
    expect(visit.thanks).to_be_focused()
    assert len(leads(product, visit.mark)) == 1


def test_without_scripts_it_is_a_plain_post(opens: Opens, product: Product) -> None:
    visit = opens(ESTIMATE, java_script_enabled=False)
    for key in ("service", "team", "schedule", "contact"):
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
    assert (lead["site"], lead["form"], lead["files"]) == ("en", "estimate", ["plan.pdf"])
    assert len(lead["fields"]["services"]) == 2
