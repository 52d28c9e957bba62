"""From page to page without a document: address, history, focus, speech, scroll, the loading bar (spec §4, §9).

Tests are named by the rows of `docs/page-runtime.md`.
"""

from typing import Any

import pytest
from playwright.sync_api import expect

from .faults import Faults, wait_until
from .product import Product
from .tabs import CLICKED, NewTab, Tab, data_of, heading

ABOUT = "/about-us"
CONTACT = "/contact-us"
TARGET = f"{ABOUT}{CLICKED}#principles"
BOTH = pytest.mark.parametrize("site", ("en", "ae"))


def scroll_of(tab: Tab) -> int:
    height: float = tab.page.evaluate("scrollY")
    return round(height)


def scroll_to(tab: Tab, height: int) -> None:
    tab.page.evaluate("height => scrollTo({ top: height, behavior: 'instant' })", height)
    wait_until(lambda: scroll_of(tab) == height, f"scrolled to {height}")


def expect_scroll(tab: Tab, height: int) -> None:
    wait_until(lambda: abs(scroll_of(tab) - height) <= 1, lambda: f"scrolled to {height}, is at {scroll_of(tab)}")


def test_the_head_is_the_other_pages(tab: Tab, product: Product) -> None:
    read_head = """() => ({
        title: document.title,
        meta: [...document.querySelectorAll('meta[name=description],meta[name=robots],meta[property^="og:"]')]
            .map((meta) => [meta.getAttribute('name') ?? meta.getAttribute('property'), meta.content]).sort(),
        links: [...document.querySelectorAll('link[rel=canonical],link[rel=alternate]')]
            .map((link) => [link.rel, link.hreflang, link.href]).sort(),
        current: [...new Set([...document.querySelectorAll('[aria-current=page]')].map((link) => link.pathname))],
        header: document.querySelector('[data-header]').hasAttribute('data-transparent'),
        switcher: [...document.querySelectorAll('[data-switcher] a')].map((link) => link.href),
        template: document.querySelector('main').dataset.template,
    })"""
    for path in (ABOUT, "/project-cases", "/", CONTACT):
        tab.open(path)
        loaded = tab.page.evaluate(read_head)
        tab.open("/events")
        tab.page.evaluate("path => { navigation.navigate(path) }", path)
        tab.expect_shown(path, heading(product, path))
        assert tab.page.evaluate(read_head) == loaded
        assert tab.same_document


def test_g25_a_page_has_one_address(tab: Tab, product: Product) -> None:
    tab.open("/")
    tab.follow(f"/about-us/{CLICKED}#principles")
    tab.expect_shown(TARGET, heading(product, ABOUT))
    assert tab.same_document


def test_g25_a_document_has_one_address_too(tab: Tab, product: Product) -> None:
    tab.page.goto(f"{tab.origin}/about-us/{CLICKED}#principles")
    tab.expect_shown(TARGET, heading(product, ABOUT))


def test_g26_two_names_are_global_one_for_tags_and_one_for_people(tab: Tab) -> None:
    names = "Object.keys(window)"
    tab.page.goto(tab.origin + "/robots.txt")
    without = set(tab.page.evaluate(names))
    tab.open("/")
    tab.follow(ABOUT)
    tab.expect_at(ABOUT)
    of_others = {"sameDocument", "portolanDemo"}  # the test's, and the deferred scripts' that follow the change of page
    assert set(tab.page.evaluate(names)) - without - of_others <= {"dataLayer", "portolan"}


@BOTH
def test_g30_g50_the_bar_comes_after_a_second_and_goes_with_the_page(
    new_tab: NewTab, product: Product, faults: Faults, site: str
) -> None:
    tab = new_tab(site)
    clock = tab.page.clock
    clock.install()
    tab.open("/")
    clock.pause_at(tab.page.evaluate("Date.now() + 60000"))
    with faults.hold(data_of(ABOUT)):
        tab.follow(ABOUT)
        faults.wait_for(data_of(ABOUT))
        clock.run_for(990)
        expect(tab.bar).to_be_hidden()
        clock.run_for(30)
        expect(tab.bar).to_be_visible()
        spoken = tab.page.locator("[data-announcer]")
        expect(spoken).to_have_text(tab.bar.get_attribute("data-loading") or "?")
        assert tab.bar.evaluate("bar => getComputedStyle(bar).getPropertyValue('--loaded')") == "0.08"
    tab.expect_shown(ABOUT, heading(product, ABOUT, site))
    expect(tab.bar).to_be_hidden()


def test_g51_the_bar_moves_on_every_200_ms_and_never_arrives_by_itself(tab: Tab, faults: Faults) -> None:
    clock = tab.page.clock
    clock.install()
    tab.open("/")
    clock.pause_at(tab.page.evaluate("Date.now() + 60000"))

    def drawn() -> float:
        return float(tab.bar.evaluate("bar => bar.style.getPropertyValue('--loaded')"))

    with faults.hold(data_of(ABOUT)):
        tab.follow(ABOUT)
        faults.wait_for(data_of(ABOUT))
        clock.run_for(1000)
        steps = [drawn()]
        for _ in range(6):
            clock.run_for(200)
            steps.append(drawn())
        assert steps == pytest.approx([0.08, 0.18, 0.28, 0.32, 0.36, 0.40, 0.44])
        clock.run_for(9000)
        assert 0.44 < drawn() < 1
        box, page = tab.bar.bounding_box(), tab.page.viewport_size
        assert box
        assert page
        assert (round(box["x"]), round(box["y"])) == (0, 0)
        painted = tab.bar.evaluate("bar => getComputedStyle(bar).backgroundColor")
        brand = tab.page.evaluate(
            """() => {
                const probe = document.body.appendChild(document.createElement('i'));
                probe.style.backgroundColor = '#ffdb00';
                const colour = getComputedStyle(probe).backgroundColor;
                probe.remove();
                return colour;
            }"""
        )
        assert painted == brand
    tab.expect_at(ABOUT)


def test_g30_another_link_begins_the_second_anew(tab: Tab, product: Product, faults: Faults) -> None:
    clock = tab.page.clock
    clock.install()
    tab.open("/")
    clock.pause_at(tab.page.evaluate("Date.now() + 60000"))
    with faults.hold(data_of(ABOUT)), faults.hold(data_of(CONTACT)):
        tab.follow(ABOUT)
        faults.wait_for(data_of(ABOUT))
        clock.run_for(900)
        tab.follow(CONTACT)
        faults.wait_for(data_of(CONTACT))
        clock.run_for(900)
        expect(tab.bar).to_be_hidden()
        clock.run_for(150)
        expect(tab.bar).to_be_visible()
    tab.expect_shown(CONTACT, heading(product, CONTACT))
    expect(tab.bar).to_be_hidden()
    assert tab.same_document


def test_a_page_that_comes_too_late_does_not_replace_the_one_asked_for_since(
    tab: Tab, product: Product, faults: Faults
) -> None:
    tab.open("/")
    with faults.hold(data_of(ABOUT)):
        tab.follow(ABOUT)
        faults.wait_for(data_of(ABOUT))
        tab.follow(CONTACT)
        tab.expect_shown(CONTACT, heading(product, CONTACT))
    with tab.page.expect_event("response"):
        tab.page.evaluate("fetch('/robots.txt').then((answer) => answer.text())")
    tab.expect_shown(CONTACT, heading(product, CONTACT))
    assert tab.page.evaluate("history.length") == 3  # about:blank, home, contact


@pytest.mark.parametrize("key", ("Control", "Shift", "Meta"))
def test_g31_a_click_with_a_modifier_key_is_the_browsers(tab: Tab, product: Product, faults: Faults, key: Any) -> None:
    tab.open("/")
    link = tab.link(TARGET)
    if key == "Meta":  # no new tab on this system, and not ours either
        tab.page.keyboard.down("Meta")
        link.click()
        tab.page.keyboard.up("Meta")
        tab.expect_at(TARGET)
        return
    with tab.context.expect_page() as opened:
        link.click(modifiers=[key])
    expect(opened.value).to_have_url(tab.origin + TARGET)
    tab.expect_shown("/", heading(product, "/"))
    assert tab.documents(ABOUT) == 1
    assert faults.count(data_of(ABOUT)) == 0


@pytest.mark.parametrize("attribute", (("target", "_blank"), ("download", "")), ids=("target", "download"))
def test_g31_a_link_that_says_otherwise_is_the_browsers(
    tab: Tab, product: Product, faults: Faults, attribute: tuple[str, str]
) -> None:
    tab.open("/")
    link = tab.link(ABOUT)
    link.evaluate("(link, [name, value]) => link.setAttribute(name, value)", list(attribute))
    if attribute[0] == "target":
        with tab.context.expect_page() as opened:
            link.click()
        expect(opened.value).to_have_url(tab.origin + ABOUT)
    else:
        with tab.page.expect_download():
            link.click()
    tab.expect_shown("/", heading(product, "/"))
    assert tab.same_document
    assert faults.count(data_of(ABOUT)) == 0


def test_g31_a_click_somebody_has_answered_leads_nowhere(tab: Tab, product: Product, faults: Faults) -> None:
    tab.open("/")
    tab.link(ABOUT).evaluate("link => link.addEventListener('click', (event) => event.preventDefault())")
    tab.page.locator("footer [data-way]").click()
    tab.expect_shown("/", heading(product, "/"))
    assert faults.count(data_of(ABOUT)) == 0


def test_g31_files_are_the_browsers(tab: Tab, faults: Faults) -> None:
    tab.open("/")
    tab.follow("/robots.txt?x")
    tab.expect_at("/robots.txt?x")
    assert not tab.same_document
    assert not faults.count("/page-data/robots.txt/.*")


def test_g31_the_same_address_again_adds_nothing_to_the_history(tab: Tab, product: Product) -> None:
    tab.open("/")
    tab.follow(TARGET)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    length = tab.page.evaluate("history.length")
    tab.follow(f"{ABOUT}{CLICKED}")
    tab.expect_at(f"{ABOUT}{CLICKED}")
    tab.follow(f"{ABOUT}{CLICKED}")
    tab.expect_shown(f"{ABOUT}{CLICKED}", heading(product, ABOUT))
    assert tab.same_document
    assert tab.page.evaluate("history.length") == length + 1


def test_an_anchor_of_the_page_is_no_change_of_page(tab: Tab, product: Product, faults: Faults) -> None:
    tab.open(f"{ABOUT}{CLICKED}")
    scroll_to(tab, 0)
    tab.follow(TARGET)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    wait_until(lambda: scroll_of(tab) > 0, "scrolled to the section")
    assert faults.count(data_of(ABOUT)) == 0
    assert tab.same_document
    tab.page.go_back()
    tab.expect_at(f"{ABOUT}{CLICKED}")
    assert tab.same_document


@pytest.mark.parametrize(("site", "sentence"), (("en", "Navigated to {}"), ("ae", "تم الانتقال إلى {}")))
def test_g40_the_new_page_is_announced_in_the_sites_language(
    new_tab: NewTab, product: Product, site: str, sentence: str
) -> None:
    tab = new_tab(site)
    tab.open("/")
    tab.follow(ABOUT)
    spoken = tab.page.locator("[data-announcer]")
    expect(spoken).to_have_text(sentence.format(heading(product, ABOUT, site)))
    assert spoken.get_attribute("role") == "status" or spoken.get_attribute("aria-live")
    tab.page.go_back()
    expect(spoken).to_have_text(sentence.format(heading(product, "/", site)))
    assert tab.same_document


@BOTH
def test_focus_stands_where_reading_begins(new_tab: NewTab, product: Product, site: str) -> None:
    tab = new_tab(site)
    tab.open("/")
    tab.follow(ABOUT)
    tab.expect_shown(ABOUT, heading(product, ABOUT, site))
    expect(tab.page.locator("main")).to_be_focused()
    tab.follow(f"{CONTACT}")
    tab.expect_at(CONTACT)
    tab.follow(TARGET)
    expect(tab.page.locator("#principles")).to_be_focused()
    expect(tab.page.locator("#principles")).to_be_in_viewport()
    tab.page.keyboard.press("Tab")
    after = tab.page.evaluate(
        """() => {
            const section = document.getElementById('principles');
            const place = section.compareDocumentPosition(document.activeElement);
            return Boolean(place & (Node.DOCUMENT_POSITION_CONTAINED_BY | Node.DOCUMENT_POSITION_FOLLOWING));
        }"""
    )
    assert after


@pytest.mark.parametrize("motion", (True, False), ids=("with transitions", "still"))
def test_g41_g74_scroll_is_kept_for_each_page_and_a_hash_wins(new_tab: NewTab, product: Product, motion: bool) -> None:
    tab = new_tab(motion=motion)
    tab.open(ABOUT)
    scroll_to(tab, 900)
    tab.follow(CONTACT)
    tab.expect_shown(CONTACT, heading(product, CONTACT))
    expect_scroll(tab, 0)
    scroll_to(tab, 200)
    tab.page.go_back()
    tab.expect_shown(ABOUT, heading(product, ABOUT))
    expect_scroll(tab, 900)
    tab.page.go_forward()
    tab.expect_shown(CONTACT, heading(product, CONTACT))
    expect_scroll(tab, 200)
    tab.follow(TARGET)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    wait_until(
        lambda: abs(tab.page.evaluate("document.getElementById('principles').getBoundingClientRect().top")) < 200,
        "the section is at the top",
    )
    assert abs(scroll_of(tab) - 900) > 1
    tab.follow(f"{CONTACT}?again")
    tab.expect_at(f"{CONTACT}?again")
    expect_scroll(tab, 0)
    assert tab.same_document


def test_g41_scroll_is_kept_over_a_document(tab: Tab, product: Product) -> None:
    tab.open(ABOUT)
    scroll_to(tab, 900)
    tab.follow(CONTACT)
    tab.expect_shown(CONTACT, heading(product, CONTACT))
    tab.page.reload()
    tab.mark()
    tab.page.go_back()
    tab.expect_shown(ABOUT, heading(product, ABOUT))
    expect_scroll(tab, 900)


def test_g70_a_page_that_fails_leaves_the_address_and_the_history(tab: Tab, product: Product, faults: Faults) -> None:
    tab.page.clock.install()
    tab.open(f"/{CLICKED}")
    length = tab.page.evaluate("history.length")
    faults.add(data_of(ABOUT), cut_after=0)
    tab.follow(TARGET)
    tab.pass_pauses(data_of(ABOUT), 4)
    expect(tab.alert).to_be_visible()
    tab.expect_shown(f"/{CLICKED}", heading(product, "/"))
    assert tab.page.evaluate("history.length") == length
    assert tab.page.evaluate("navigation.currentEntry.url") == f"{tab.origin}/{CLICKED}"


def test_g70_a_full_load_happens_though_the_navigation_was_ours(tab: Tab, product: Product, faults: Faults) -> None:
    tab.open("/")
    length = tab.page.evaluate("history.length")
    faults.add(data_of(ABOUT), status=404)
    tab.follow(TARGET)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    wait_until(lambda: not tab.same_document, "a document of its own")
    assert tab.documents(ABOUT) == 1
    assert tab.page.evaluate("history.length") == length + 1
    tab.page.go_back()
    tab.expect_shown("/", heading(product, "/"))


def test_g71_the_runtimes_own_focus_wakes_no_island(tab: Tab, product: Product, faults: Faults) -> None:
    tab.open("/")
    tab.follow(TARGET)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    expect(tab.page.locator("#principles")).to_be_focused()
    tab.page.wait_for_load_state("networkidle")
    assert tab.page.locator("[data-awake]").count() == 0
    assert faults.count(r"/assets/hydrate-.*\.js") == 0


def test_g72_the_click_that_wakes_an_island_of_a_page_that_came_is_not_lost(tab: Tab, faults: Faults) -> None:
    tab.open("/")
    tab.follow(ABOUT)
    choices = tab.page.locator("main [role=group]").get_by_role("button")
    with faults.hold(r"/assets/office-filter-.*\.js"):
        choices.nth(1).click()
        faults.wait_for(r"/assets/office-filter-.*\.js")
        expect(choices.nth(1)).not_to_have_attribute("aria-pressed", "true")
    expect(choices.nth(1)).to_have_attribute("aria-pressed", "true")
    tab.follow(CONTACT)
    tab.expect_at(CONTACT)
    tab.page.go_back()
    expect(choices.first).to_have_attribute("aria-pressed", "true")
    choices.nth(2).click()
    expect(choices.nth(2)).to_have_attribute("aria-pressed", "true")
    assert tab.same_document


@pytest.mark.parametrize("motion", (True, False), ids=("with transitions", "still"))
def test_g74_quick_changes_of_page_leave_the_last_one_whole(new_tab: NewTab, product: Product, motion: bool) -> None:
    tab = new_tab(motion=motion)
    tab.open("/")
    addresses = (ABOUT, CONTACT, "/events", "/project-cases", TARGET)
    for address in addresses:
        tab.follow(address)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    expect(tab.page.locator("#principles")).to_be_focused()
    expect(tab.page.locator("#principles")).to_be_in_viewport()
    assert tab.page.title() == tab.page.evaluate(
        "fetch('/page-data/about-us/page-data.json').then((answer) => answer.json()).then(({ head }) => head.title)"
    )
    assert tab.same_document


def test_g74_back_and_forth_quickly(new_tab: NewTab, product: Product) -> None:
    tab = new_tab(motion=True)
    tab.open("/")
    for path in (ABOUT, CONTACT, "/events"):
        tab.follow(path)
        tab.expect_shown(path, heading(product, path))
    tab.page.evaluate("() => { history.back(); history.back(); history.forward(); }")
    wait_until(lambda: tab.heading.inner_text() == heading(product, tab.address), "address and page agree")
    tab.page.evaluate(
        "() => new Promise((done) => { navigation.traverseTo(navigation.entries()[0].key).finished.then(done, done) })"
    )
    wait_until(lambda: tab.address == "/" and tab.heading.inner_text() == heading(product, "/"), "home again")
    assert tab.same_document


@BOTH
def test_g75_the_frame_stays_and_says_where_one_is(new_tab: NewTab, product: Product, site: str) -> None:
    tab = new_tab(site)
    tab.open("/")
    tab.page.evaluate("() => { window.frame = [document.querySelector('header'), document.querySelector('footer')] }")
    for path in (ABOUT, CONTACT, "/services/web-development"):
        tab.page.evaluate(
            "path => { window.way = document.createElement('a'); way.href = path; document.body.append(way); way.click() }",
            path,
        )
        tab.expect_shown(path, heading(product, path, site))
        current = tab.page.locator("footer [aria-current=page]").evaluate_all(
            "links => links.map((link) => link.getAttribute('href'))"
        )
        assert set(current) == {path}
    kept = tab.page.evaluate(
        "frame[0] === document.querySelector('header') && frame[1] === document.querySelector('footer')"
    )
    assert kept


def test_menus_close_with_the_page_they_were_opened_on(tab: Tab, product: Product) -> None:
    tab.page.set_viewport_size({"width": 420, "height": 800})
    tab.open("/")
    tab.page.locator("[data-burger]").click()
    menu = tab.page.locator("[popover]:popover-open, dialog[open]").first
    expect(menu).to_be_visible()
    tab.follow(ABOUT)
    tab.expect_shown(ABOUT, heading(product, ABOUT))
    expect(tab.page.locator("[popover]:popover-open, dialog[open]")).to_have_count(0)
    scroll_to(tab, 300)


def test_without_the_navigation_api_links_are_links(new_tab: NewTab, product: Product, faults: Faults) -> None:
    tab = new_tab()
    tab.context.add_init_script("delete Window.prototype.navigation; delete window.navigation")
    tab.open("/")
    assert tab.page.evaluate("'navigation' in window") is False
    tab.follow(TARGET)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    assert not tab.same_document
    assert faults.count(data_of(ABOUT)) == 0


def test_a_mouse_a_keyboard_and_a_finger_follow_links_alike(new_tab: NewTab, product: Product) -> None:
    tab = new_tab()
    tab.open("/")
    tab.point_and_follow(TARGET)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    tab.link("/events?x").focus()
    tab.page.keyboard.press("Enter")
    tab.expect_shown("/events?x", heading(product, "/events"))
    assert tab.same_document


@pytest.mark.parametrize("fragment", ("#50%", "#%E0%A4%A", "#:~:text=port", "#nowhere", "#"))
def test_a_hash_that_names_nothing_is_kept_and_does_no_harm(tab: Tab, product: Product, fragment: str) -> None:
    tab.open("/")
    tab.follow(f"{ABOUT}{CLICKED}{fragment}")
    expect(tab.heading).to_have_text(heading(product, ABOUT))
    expect(tab.page.locator("main")).to_be_focused()
    expect(tab.page.locator("[data-announcer]")).to_contain_text(heading(product, ABOUT))
    assert tab.page.url.startswith(f"{tab.origin}{ABOUT}{CLICKED}")
    assert tab.same_document


def test_a_heading_is_announced_to_the_letter(tab: Tab, faults: Faults) -> None:
    faults.add(data_of(ABOUT), edit=lambda data: {**data, "html": "<h1>Save $&amp; a day, $$ a year</h1>"})
    tab.open("/")
    tab.follow(ABOUT)
    expect(tab.page.locator("[data-announcer]")).to_have_text("Navigated to Save $& a day, $$ a year")


def test_another_spelling_of_an_address_leads_to_the_page(tab: Tab, product: Product) -> None:
    tab.open("/")
    tab.follow(f"/About-Us{CLICKED}#principles")
    tab.expect_shown(TARGET, heading(product, ABOUT))
    assert tab.documents("/About-Us") == 1


def test_a_filter_of_a_page_that_came_goes_back_and_forth(tab: Tab, product: Product) -> None:
    tab.open("/")
    tab.follow("/project-cases")
    tab.expect_shown("/project-cases", heading(product, "/project-cases"))
    rows = tab.page.locator("main li[data-id]").filter(visible=True)
    everything = rows.count()
    choice = tab.page.locator("a[href^='?technology=']").first
    address = f"/project-cases{choice.get_attribute('href')}"
    choice.click()
    tab.expect_at(address)
    wait_until(lambda: 0 < rows.count() < everything, "narrowed")
    fewer = rows.count()
    tab.page.go_back()
    tab.expect_at("/project-cases")
    expect(rows).to_have_count(everything)
    tab.page.go_forward()
    tab.expect_at(address)
    expect(rows).to_have_count(fewer)
    tab.follow(ABOUT)
    tab.expect_shown(ABOUT, heading(product, ABOUT))
    tab.page.go_back()
    tab.expect_at(address)
    expect(rows).to_have_count(fewer)
    assert tab.same_document


def test_an_article_that_came_is_counted_once(tab: Tab, product: Product, faults: Faults) -> None:
    path = min(address for address in product.live()["en"].files if address.startswith("/company/insights/"))
    tab.open("/")
    tab.follow(path)
    tab.expect_shown(path, heading(product, path))
    faults.wait_for("/api/integration/articles/.*", method="PUT")
    tab.follow(ABOUT)
    tab.expect_shown(ABOUT, heading(product, ABOUT))
    assert faults.count("/api/integration/articles/.*", method="PUT") == 1


@BOTH
def test_the_switcher_of_a_page_that_came_leads_to_its_translation(
    new_tab: NewTab, product: Product, site: str
) -> None:
    tab = new_tab(site)
    tab.open("/")
    tab.follow(ABOUT)
    tab.expect_shown(ABOUT, heading(product, ABOUT, site))
    switcher = tab.page.locator("[data-switcher]")
    switcher.locator("summary").click()
    expect(switcher).to_have_attribute("open", "")
    assert switcher.locator("a[hreflang='de']").get_attribute("href") == product.origin("de") + ABOUT
    expect(tab.page.locator("[data-switcher-place] [data-awake]")).to_be_attached()
    tab.page.keyboard.press("Escape")
    expect(switcher).not_to_have_attribute("open", "")
