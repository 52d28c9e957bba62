"""Two-factor authentication in a browser: an authenticator app is set up and used, then a passkey replaces both factors."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyotp
from playwright.sync_api import Browser, Page, expect

from .axe import find_violations
from .editing import sign_in
from .product import Product
from .test_signing_in import SCREENS, give_password


def test_a_code_then_a_passkey(product: Product, browser: Browser) -> None:
    """The demo's editor has neither method before the test, and both are removed after it."""
    with browser.new_context(viewport=SCREENS[0], reduced_motion="reduce") as context:
        page = context.new_page()
        sign_in(page, product)
        with removed_afterwards(product):
            secret, codes = set_up_app(page, product)
            sign_out(page)
            give_password(page, product)
            expect(page.get_by_role("heading", name="Second factor")).to_be_visible()
            see_well(page)
            give_code(page, codes[0])
            expect(page.get_by_text("recovery code is used up; 9 left")).to_be_visible()
            with authenticator(page):
                page.goto(f"{product.studio}/admin/login/set-up/")
                page.get_by_role("button", name="Add a passkey").click()
                expect(page.get_by_role("cell", name=re.compile("^Passkey"))).to_be_visible()
                sign_out(page)
                page.get_by_role("button", name="Use a passkey").click()
                expect(page).to_have_url(f"{product.studio}/admin/")
                sign_out(page)
                give_password(page, product)
                page.get_by_role("button", name="Use a passkey").click()
                expect(page).to_have_url(f"{product.studio}/admin/")
                show_who_sits_there(page, product)
                sign_out(page)
            give_password(page, product)
            give_code(page, next_code(secret))
            expect(page).to_have_url(f"{product.studio}/admin/")


def show_who_sits_there(page: Page, product: Product) -> None:
    """Confirm the identity with the passkey, which then shows the requested change."""
    own = f"{product.studio}/admin/account/signing-in"
    page.goto(f"{own}/confirm/?next=/admin/account/signing-in/password/")
    expect(page.get_by_label("Your password")).to_be_visible()
    see_well(page)
    page.get_by_role("button", name="Use a passkey").click()
    expect(page).to_have_url(f"{own}/password/")
    see_well(page)
    page.goto(f"{own}/address/")
    see_well(page)


def set_up_app(page: Page, product: Product) -> tuple[str, list[str]]:
    page.goto(f"{product.studio}/admin/account/signing-in/")
    page.get_by_role("link", name="Set up two-factor authentication").click()
    expect(page.locator(".studio-qr svg")).to_be_visible()
    see_well(page)
    page.get_by_text("Without a camera").click()
    secret = page.locator("details code").inner_text().replace(" ", "")
    page.get_by_label("Code from your app").fill("000000")
    page.get_by_role("button", name="Set up app").click()
    expect(page.get_by_role("alert").filter(has_text="This code is wrong")).to_be_visible()
    page.get_by_label("Code from your app").fill(pyotp.TOTP(secret).now())
    page.get_by_role("button", name="Set up app").click()
    page.get_by_role("button", name="Create ten codes").click()
    shown = page.locator(".studio-codes code")
    expect(shown).to_have_count(10)
    see_well(page)
    codes = shown.all_inner_texts()
    page.get_by_role("link", name="I have saved them").click()
    expect(page.get_by_text("You have 10 recovery codes left.")).to_be_visible()
    see_well(page)
    return secret, codes


def see_well(page: Page) -> None:
    """Axe finds no problem, and the page fits a wide and a narrow screen."""
    for screen in SCREENS:
        page.set_viewport_size(screen)  # type: ignore[arg-type]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{page.url} at {screen}"
    page.set_viewport_size(SCREENS[0])  # type: ignore[arg-type]
    assert find_violations(page, "main") == []


def sign_out(page: Page) -> None:
    page.evaluate(
        """async () => {
            const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value
                ?? JSON.parse(document.querySelector("#wagtail-config").textContent).CSRF_TOKEN;
            await fetch("/admin/logout/", { method: "POST", headers: { "X-CSRFToken": token } });
        }"""
    )
    page.goto(re.sub("(/admin/).*", r"\1", page.url))
    expect(page.get_by_label("Username")).to_be_visible()


def give_code(page: Page, code: str) -> None:
    page.get_by_label("Code from your app").fill(code)
    page.get_by_role("button", name="Sign in").click()


def next_code(secret: str) -> str:
    """Return the next code. The studio accepts it early and refuses the current one, which set up the app."""
    return pyotp.TOTP(secret).at(int(time.time()) + 30)


@contextmanager
def authenticator(page: Page) -> Iterator[None]:
    """One of Chromium's own making, whose holder has always just shown a finger."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    options |= {"isUserVerified": True, "automaticPresenceSimulation": True}
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    try:
        yield
    finally:
        devtools.send("WebAuthn.disable")


@contextmanager
def removed_afterwards(product: Product) -> Iterator[None]:
    """The other journeys sign in as the same editor."""
    try:
        yield
    finally:
        run_users(product, "reset-second-factor", product.login["user"])
        run_users(product, "unlock", product.login["user"])
        product.session.clear()  # it was signed out everywhere


def run_users(product: Product, *arguments: str) -> None:
    portolan = Path(sys.executable).parent / "portolan"
    subprocess.run([portolan, "users", *arguments], env=product.environment, check=True)
