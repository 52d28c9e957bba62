"""An administrator of the running demo, whose editor is none: made by the command, with the password chosen by its link."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

from .product import Product

PASSWORD: Final = "harbour lights at seven"


def add_administrator(page: Page, product: Product, name: str, full_name: str = "") -> None:
    """Signed in on the page afterwards."""
    command = [
        Path(sys.executable).parent / "portolan",
        "users",
        "add",
        name,
        "--superuser",
        "--full-name",
        full_name or name,
    ]
    said = subprocess.run(command, env=product.environment, check=True, capture_output=True, text=True).stdout
    link = re.search(r"http\S+", said)
    assert link, said
    page.goto(link[0])
    choose_password(page)
    sign_in_as(page, product, name)


def choose_password(page: Page) -> None:
    page.locator("[name=new_password1]").fill(PASSWORD)
    page.locator("[name=new_password2]").fill(PASSWORD)
    page.locator("main button[type=submit], form button[type=submit]").first.click()
    page.wait_for_load_state()


def sign_in_as(page: Page, product: Product, name: str) -> None:
    page.goto(product.studio + "/admin/login/")
    page.locator("[name=username]").fill(name)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("[name=password]").press("Enter")
    page.wait_for_function("!location.pathname.endsWith('/login/')")
