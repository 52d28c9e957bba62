"""A visitor's tab with a controlled network, and checks that need no screenshot."""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, expect

from .faults import LONGEST_WAIT_S, Faults, path_of, wait_until
from .product import Product

APP_DATA = "/page-data/app-data.json"
CLICKED = "?gclid=Cj0K&utm_source=mail"
"""What must never get lost on the way: an advertisement's click."""

NewTab = Callable[..., "Tab"]


def data_of(path: str) -> str:
    """Address of a page's data."""
    return f"/page-data/{path.strip('/') or 'index'}/page-data.json"


def heading(product: Product, path: str, site: str = "en") -> str:
    """The heading of a page as it is published."""
    found = re.search(r"<h1[^>]*>(.*?)</h1>", product.get(site, path).text, re.DOTALL)
    assert found, path
    return html.unescape(re.sub(r"<[^>]+>", "", found[1])).strip()


@dataclass
class Tab:
    context: BrowserContext
    page: Page
    faults: Faults
    origin: str
    problems: list[str] = field(default_factory=list)
    """Errors nobody caught."""
    _answered: list[str] = field(default_factory=list)

    @classmethod
    def begin(
        cls,
        browser: Browser,
        product: Product,
        faults: Faults,
        site: str = "en",
        *,
        worker: bool = False,
        motion: bool = False,
        scripts: bool = True,
        saves_data: bool = True,
        answered: bool = True,
        touch: bool = False,
    ) -> Self:
        """A new visitor, who has answered the question about cookies already, and for whom nothing is loaded ahead."""
        origin = product.origin(site).replace(f":{product.port}", f":{faults.port}")
        context = browser.new_context(
            viewport={"width": 1280, "height": 900},
            service_workers="allow" if worker else "block",
            reduced_motion="no-preference" if motion else "reduce",
            java_script_enabled=scripts,
            has_touch=touch,
        )
        if answered:
            saved = "%7B%22ad_storage%22%3Afalse%2C%22analytics_storage%22%3Afalse%7D"
            context.add_cookies([{"name": "consent_status", "value": saved, "url": origin}])
            context.add_init_script("try { localStorage.consentSeen = new Date().toISOString() } catch {}")
        if saves_data:
            context.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
        tab = cls(context, context.new_page(), faults, origin)
        tab.page.on("pageerror", lambda error: tab.problems.append(str(error)))
        tab.page.on("console", tab._hear)
        tab.page.on("response", lambda response: tab._answered.append(urlsplit(response.url).path))
        return tab

    def _hear(self, message: ConsoleMessage) -> None:
        if "Uncaught" in message.text:
            self.problems.append(message.text)

    def open(self, address: str) -> None:
        """Loads the document and waits until the page runtime follows its links."""
        before = self.faults.count(APP_DATA)
        self.page.goto(self.origin + address)
        self.faults.wait_for(APP_DATA, before + 1)
        self.mark()

    def wait_for_runtime(self, path: str) -> None:
        """Wait until the newest document of `path` follows its links.

        Its first request for the live build says so. A count of such requests does not: a click that comes before the
        answer to an earlier one shares that answer.
        """
        documents = self.faults.asked(path, dest="document")
        wait_until(
            lambda: any(request.at > documents[-1].at for request in self.faults.asked(APP_DATA)),
            lambda: f"{APP_DATA} after {documents}; asked: {self.faults.asked(APP_DATA)}",
        )

    def mark(self) -> None:
        """Makes this document known again."""
        self.page.evaluate("window.sameDocument = true")

    @property
    def same_document(self) -> bool:
        same: bool = self.page.evaluate("window.sameDocument === true")
        return same

    def link(self, address: str) -> Locator:
        """Return a link of the footer after setting its URL."""
        self.page.evaluate(
            """href => {
                const known = document.querySelector('footer [data-way]');
                const link = known ?? document.querySelector('footer a[href="/about-us"]');
                link.setAttribute('href', href);
                link.dataset.way = '';
            }""",
            address,
        )
        return self.page.locator("footer [data-way]")

    def follow(self, address: str) -> None:
        """Click without moving the pointer first, which would start a prefetch."""
        self.link(address).dispatch_event("click")

    def point_and_follow(self, address: str) -> None:
        """As a visitor with a mouse does."""
        self.link(address).click()

    def expect_at(self, address: str) -> None:
        """Path, query and hash, all of them."""
        expect(self.page).to_have_url(self.origin + address)

    def expect_shown(self, address: str, heading: str) -> None:
        self.expect_at(address)
        expect(self.heading).to_have_text(heading)

    @property
    def heading(self) -> Locator:
        return self.page.locator("main h1")

    @property
    def template(self) -> Locator:
        return self.page.locator("main[data-template]")

    @property
    def alert(self) -> Locator:
        return self.page.locator("[data-load-alert]")

    @property
    def bar(self) -> Locator:
        return self.page.locator("[data-loading-bar]")

    @property
    def address(self) -> str:
        return path_of(self.page.url)

    def answers(self, path: str) -> int:
        """How many answers from this path have come."""
        self.page.evaluate("0")  # lets the browser tell
        return self._answered.count(path)

    def documents(self, path: str = ".*") -> int:
        """How many documents were loaded."""
        return self.faults.count(path, dest="document")

    def close(self) -> None:
        self.context.close()


def prepare_contexts(browser: Browser, refusals: list[str]) -> None:
    """Note each refusal of a policy in every tab that is opened from here on, and give its actions as long as assertions."""
    begin = browser.new_context

    def hear(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text or "requires 'Trusted" in message.text:
            refusals.append(f"{message.location.get('url')}: {message.text}")

    def begin_heard(**options: Any) -> BrowserContext:
        context = begin(**options)
        context.on("console", hear)
        context.set_default_timeout(LONGEST_WAIT_S * 1000)
        return context

    browser.new_context = begin_heard  # type: ignore[method-assign]
