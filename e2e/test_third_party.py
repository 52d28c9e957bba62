"""A third party's script in a worker: fetched through the site's own proxy, with no thread, policy or address of the page's."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page

from backend.tests.edge.upstream import Canaries, Upstream, running, typed
from portolan.sites.load import load_registry
from portolan_dev.ports import free_port

from .conftest import CHROMIUM, CHROMIUM_FLAGS
from .faults import LONGEST_WAIT_S, wait_until
from .product import Product, answers, write_project
from .seeded import ROOT, UNCOMPRESSED, copy_to
from .tabs import APP_DATA

pytestmark = pytest.mark.one_worker  # a demo of its own

TAG = b"""
const root = document.documentElement;
root.setAttribute('data-tag-runs', typeof DedicatedWorkerGlobalScope + ' ' + document.title.length);
root.setAttribute('data-tag-source', document.currentScript.src);
window.dataLayer = window.dataLayer || [];
window.dataLayer.push = (entry) => root.setAttribute('data-tag-heard', entry.event);
for (const name of ['more', 'unlisted']) {
  const script = document.createElement('script');
  script.src = 'https://tags.test/' + name + '.js';
  script.onerror = () => root.setAttribute('data-tag-missed', name);
  document.head.appendChild(script);
}
new Image().src = 'https://elsewhere.test/pixel.gif';
navigator.sendBeacon('https://elsewhere.test/beacon', 'x');
fetch('https://elsewhere.test/collect', {mode: 'no-cors'}).catch(() => root.setAttribute('data-tag-refused', 'fetch'));
"""
PROXIED = "/__third-party-proxy?url=https%3A%2F%2Ftags.test%2F"
MORE = b"document.documentElement.setAttribute('data-tag-more', 'ran');"
SECTION = """
[[sites.en.deferred_scripts]]
name = "tags"
src = "https://tags.test/tag.js"
purpose = "necessary"
off_main_thread = true
"""


@pytest.fixture(scope="module")
def upstream() -> Iterator[Upstream]:
    upstream = Upstream()
    for name, body in (("tag", TAG), ("more", MORE), ("unlisted", MORE)):
        upstream.answers[f"/{name}.js"] = typed("text/javascript", body)
    with running(upstream):
        yield upstream


@pytest.fixture(scope="module")
def canaries() -> Iterator[Canaries]:
    """Servers that record the browser's requests to other host names."""
    canaries = Canaries()
    with running(canaries):
        yield canaries


@pytest.fixture(scope="module")
def tagged(seeded: Path, upstream: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """The demo with a third party's script on the international site, and on no other."""
    folder = tmp_path_factory.mktemp("tagged")
    sites = (ROOT / "sites.toml").read_text(encoding="utf-8")
    before, _, after = sites.partition("[sites.uk]\n")
    allowed = 'third_party_scripts = ["https://tags.test/more.js"]\n'
    file = folder / "sites.toml"
    write_project(folder, f"{before.rstrip()}\n{allowed}{SECTION}\n[sites.uk]\n{after}")
    copy_to(folder, seeded)
    port = free_port()
    environment = {
        **os.environ,
        "PORTOLAN_SITES_FILE": str(file),
        "PORTOLAN_VAR_DIR": str(folder),
        "PORTOLAN_PORT": str(port),
    }
    commands = Path(sys.executable).parent
    publish = [commands / "portolan", "publish", "--site", "en", "--site", "de", *UNCOMPRESSED]
    subprocess.run(publish, env=environment, check=True, stdin=subprocess.DEVNULL)
    authority = folder / "authority.pem"
    authority.write_bytes(upstream.authority)
    environment |= {
        "BUILDS": str(folder / "builds"),
        "UPSTREAM_PORT": str(upstream.port),
        "UPSTREAM_AUTHORITY": str(authority),
    }
    granian = [commands / "granian", "--interface", "asgi", "--port", str(port), "e2e.edge_beside_hosts:application"]
    with _serve(granian, environment, port):
        yield Product(folder, port, load_registry(file))


@contextmanager
def _serve(command: list[str | Path], environment: dict[str, str], port: int) -> Iterator[None]:
    process = subprocess.Popen(command, env=environment, cwd=ROOT, stdin=subprocess.DEVNULL)
    try:
        wait_until(
            lambda: answers(f"http://127.0.0.1:{port}/", host=f"localhost:{port}") or process.poll() is not None,
            "the edge is up",
        )
        assert process.poll() is None, "the edge ended while it was coming up"
        yield
    finally:
        process.terminate()
        process.wait(LONGEST_WAIT_S)


@pytest.fixture(scope="module")
def lost(browser: Browser, canaries: Canaries) -> Iterator[Browser]:
    """A browser for which every other host is the canaries' address. (`browser` first: its Playwright is the one there is.)"""
    flag = f"--host-resolver-rules=MAP *.test 127.0.0.1:{canaries.port}"
    lost = browser.browser_type.launch(executable_path=CHROMIUM, args=[*CHROMIUM_FLAGS, flag])
    yield lost
    lost.close()


def open_page(browser: Browser, product: Product, site: str = "en") -> Page:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    with page.expect_response(f"**{APP_DATA}"):  # by then the page runtime is there, and listens
        page.goto(f"{product.origin(site)}/")
    return page


def scroll(page: Page) -> None:
    page.mouse.move(600, 400)
    page.mouse.wheel(0, 600)


def test_it_runs_in_a_worker_and_reaches_the_page_through_it(
    tagged: Product, lost: Browser, upstream: Upstream, canaries: Canaries
) -> None:
    page = open_page(lost, tagged)
    root = page.locator("html")
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    assert upstream.heads == []
    assert "partytown" not in page.content()

    scroll(page)
    page.wait_for_selector("html[data-tag-runs]", state="attached")
    page.wait_for_selector("html[data-tag-more]", state="attached")
    assert root.get_attribute("data-tag-runs") == f"function {len(page.title())}"
    assert root.get_attribute("data-tag-source") == f"{tagged.origin('en')}{PROXIED}tag.js"
    assert page.evaluate("() => 'DedicatedWorkerGlobalScope' in window") is False
    (frame,) = [frame for frame in page.frames if "partytown" in frame.url]
    assert frame.url.startswith(tagged.origin("en"))
    box = page.locator("iframe[src*=partytown]").bounding_box()
    assert box is None or (box["width"], box["height"]) == (0, 0)

    page.evaluate("() => window.dataLayer.push({event: 'offer-opened'})")
    page.wait_for_selector("html[data-tag-heard='offer-opened']", state="attached")
    assert page.evaluate("() => window.dataLayer.some(({event}) => event === 'offer-opened')")

    page.wait_for_selector("html[data-tag-refused='fetch']", state="attached")
    page.wait_for_selector("html[data-tag-missed='unlisted']", state="attached")
    assert sorted(head.split(b" ")[1] for head in upstream.heads) == [b"/more.js", b"/tag.js"]
    assert canaries.find_others() == []
    of_page = [error for error in errors if "elsewhere.test" not in error and "unlisted.js" not in error]
    assert of_page == []
    page.context.close()


def test_those_canaries_would_sing(lost: Browser, canaries: Canaries) -> None:
    before = len(canaries.clients)
    page = lost.new_page()
    with pytest.raises(Error):
        page.goto("http://elsewhere.test/")
    wait_until(lambda: len(canaries.clients) > before, "it has connected")
    page.close()


def test_no_page_may_do_what_the_worker_may(tagged: Product) -> None:
    policies = {site: tagged.get(site, "/").headers["content-security-policy"] for site in tagged.live()}
    assert not [site for site, policy in policies.items() if "unsafe" in policy or "blob:" in policy]
    framing = {site: directive(policy, "frame-src") for site, policy in policies.items()}
    assert framing.pop("en") == "https://www.youtube-nocookie.com 'self'"
    assert set(framing.values()) == {"https://www.youtube-nocookie.com"}
    folder = f"/assets/{next(iter((ROOT / 'web/dist/client/assets').glob('partytown-*'))).name}"
    worker = tagged.get("en", f"{folder}/debug/partytown-ww-sw.js").headers
    assert directive(worker["content-security-policy"], "connect-src") == "'self'"
    assert directive(worker["content-security-policy"], "script-src") == "'self' 'unsafe-eval'"
    sandbox = tagged.get("en", f"{folder}/debug/partytown-sandbox-sw.html").headers
    assert directive(sandbox["content-security-policy"], "script-src") == "'self'"


def directive(policy: str, name: str) -> str:
    (found,) = [each for each in policy.split("; ") if each.startswith(f"{name} ")]
    return found.removeprefix(f"{name} ")


def test_a_site_without_such_a_script_loads_nothing_of_it(tagged: Product, lost: Browser) -> None:
    page = open_page(lost, tagged, "de")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_event("requestfinished", lambda request: "/demo/" in request.url):  # those it has are there
        scroll(page)
    page.wait_for_selector("script[data-deferred]", state="attached")
    assert asked
    assert not [url for url in asked if "partytown" in url or "off-main-thread" in url or "proxy" in url]
    page.context.close()
