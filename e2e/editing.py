"""Save pages as an editor, from a process on the demo's database; and sign in to the studio."""

import json
import re
import subprocess
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

from playwright.sync_api import Page, expect

from tests.processes import started

from .faults import BETWEEN_LOOKS_S, LONGEST_WAIT_S, wait_until
from .product import WHOLE_RUN_S, Product

_PUBLISHED: Final = re.compile(r"is live\.|is saved and is going live")
"""What the studio says of a page that was published: on a busy machine it cannot know yet."""

NOTE_WATCH: Final = """
document.addEventListener('w-unsaved:watch-edits', () => { window.isWatched = true });
window.timersLeft = new Set();
const { setTimeout, clearTimeout } = window;
window.setTimeout = (run, after, ...given) => {
    const timer = setTimeout((...passed) => { timersLeft.delete(timer); run(...passed); }, after, ...given);
    if (after >= 500 && after <= 2000) timersLeft.add(timer);
    return timer;
};
window.clearTimeout = (timer) => { timersLeft.delete(timer); clearTimeout(timer); };
"""
"""Keeps which of Wagtail's timers are running: 2 s until it takes a form as loaded, about 500 ms before it saves or shows a change."""
_IS_WATCHED: Final = "() => window.isWatched && timersLeft.size === 0"
"""Wagtail takes the form for unchanged as it is at the end of such a timer, of which there may be two: text that was typed
before that is no change to it."""

SAVES = """
import json, sys
from portolan.config.start_django import start_django
start_django()
from wagtail.models import Page, Revision
from portolan.content.collections.offices import Office
from portolan.content.site_records import load_site_roots
from portolan.releases.author import acting_as
from portolan.studio.authors import name_of

def find_page(path, site):
    roots = load_site_roots()
    return Page.objects.get(url_path=roots[site].root_url_path + (path.strip('/') + '/' if path != '/' else '')).specific

for line in sys.stdin:
    what = json.loads(line)
    if 'office' in what:
        office = Office.objects.get(key=what['office'])
        answer, office.phone = office.phone, what['phone']
        office.save()
    elif 'draft' in what:
        draft = find_page(what['draft'], what['site']).get_latest_revision()
        with acting_as(name_of(draft.user)):
            answer = draft.publish()
    elif 'revision' in what:
        answer = Revision.objects.get(pk=what['revision']).publish()
    else:
        page = find_page(what['path'], what['site'])
        if 'field' in what:
            answer = getattr(page, what['field'])
            setattr(page, what['field'], what['value'])
            page.save_revision().publish()
        else:
            answer = page.pk, page.save_revision().pk
    print(json.dumps(answer), flush=True)
"""


class Editor:
    """Save pages and offices. The previous content is restored at the end."""

    def __init__(self, product: Product, process: "subprocess.Popen[str]") -> None:
        self._product = product
        self._process = process
        self._before: list[dict[str, Any]] = []
        self._changed: set[tuple[str, str]] = set()
        """Sites and addresses of what was saved."""

    def change(self, path: str, field: str, value: Any, site: str = "en") -> None:
        """Save a page with a new value of one field."""
        page = {"path": path, "site": site, "field": field}
        self._changed.add((site, path))
        self._before.append({**page, "value": self._send({**page, "value": value})})

    def keep(self, path: str, site: str = "en") -> str:
        """Return the URL of the page's form. The page is restored to its present state at the end."""
        self._changed.add((site, path))
        page, revision = self._send({"path": path, "site": site})
        self._before.append({"revision": revision})
        return f"{self._product.studio}/admin/pages/{page}/edit/"

    def publish_draft(self, path: str, site: str = "en") -> None:
        """Publish a draft as its owner, without publish checks, as a schedule does."""
        self._send({"draft": path, "site": site})

    def change_phone(self, office: str, phone: str) -> None:
        self._changed |= {(site, "/") for site in self._product.registry.sites}
        before = self._send({"office": office, "phone": phone})
        self._before.append({"office": office, "phone": before})

    def put_back(self) -> None:
        for what in reversed(self._before):
            self._send(what)
        self._before.clear()
        self.wait_until_live()

    def wait_until_live(self) -> None:
        wait_until_live(self._product, self._changed)

    def _send(self, what: dict[str, Any]) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, f"{what} could not be saved"
        return json.loads(answer)


def wait_until_live(product: Product, changed: Collection[tuple[str, str]]) -> None:
    """Wait until all saved changes are live or blocked, and visitors get the changed pages."""
    reader = product.open_reader()
    try:
        wait_until(
            lambda: not reader.is_pending() and set(product.live_pointer().releases.values()) == {reader.latest()},
            "all that was saved is live",
        )
    finally:
        reader.close()
    builds = product.live()
    with product.client() as get:

        def is_served(site: str, path: str) -> bool:
            file, answer = builds[site].file(path), get(site, path)
            if file is None:
                return answer.status_code in (301, 404, 410)
            return answer.status_code == 200 and file.digest[:16] in answer.headers["etag"]

        # A server checks the live builds fifty times a second and then reads the new one.
        for site, path in changed:
            wait_until(partial(is_served, site, path), f"{path} of {site} is served as it is live")


@contextmanager
def editing(product: Product) -> Iterator[Editor]:
    editor = Editor(product, _saver(product))
    try:
        yield editor
    finally:
        editor.put_back()


def _saver(product: Product) -> "subprocess.Popen[str]":
    """Return one process for all journeys, because loading its code takes seconds of processor time."""
    if product.saver is None or product.saver.poll() is not None:
        saver = started(
            [sys.executable, "-c", SAVES],
            WHOLE_RUN_S,
            env=product.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        product.saver = product.with_it.enter_context(saver)
    return product.saver


def wait_until_watched(page: Page) -> None:
    """Wait until Wagtail sees changes to the form that was loaded. Needs `NOTE_WATCH` as an init script.

    A change that is typed earlier is part of the state which Wagtail compares with.
    """
    page.wait_for_function(_IS_WATCHED, polling=BETWEEN_LOOKS_S * 1000, timeout=LONGEST_WAIT_S * 1000)


def expect_published(page: Page) -> None:
    """The form stays open and shows the delivery status of the published changes."""
    expect(page.locator("[data-published-said]")).to_contain_text(_PUBLISHED)
    expect(page.locator("form[data-edit-form]")).to_be_attached()


def log_in(page: Page, product: Product) -> None:
    """As the demo's editor, into a studio that is not open yet. All have the session of the first who signed in: to sign in is the
    matter of `test_signing_in.py`."""
    if product.session:
        page.context.add_cookies(product.session)
        return
    sign_in(page, product)
    product.session = [*page.context.cookies(product.studio)]


def sign_in(page: Page, product: Product) -> None:
    """With name and password, and a session of one's own."""
    page.goto(product.studio + "/")
    page.get_by_label("Username").fill(product.login["user"])
    page.get_by_label("Password").fill(product.login["password"])
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#wagtail-sidebar, [data-wagtail-sidebar]").first).to_be_attached()
