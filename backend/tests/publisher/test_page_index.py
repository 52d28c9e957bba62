"""The index of a build's pages matches the pages, however it was made."""

from hypothesis import given
from hypothesis import strategies as st

from portolan.builds.overlay import Overlay
from portolan.publisher.addresses import Addresses
from portolan.publisher.build_inputs import FRAME, BuildInputs, KnownPage
from portolan.publisher.page_index import PageIndex
from portolan.sites.registry import Registry

PATHS = ("/", "/a", "/b", "/c")
LINKS = ("/a#x", "/a#y", "/b?q#x", "http://de.localhost:8000/a", "http://de.localhost:8000/b#x")
PAGES = st.builds(
    KnownPage,
    st.sampled_from(("", "1", "2")),
    st.sampled_from(("", "/assets/sharing-1.jpg", "/assets/sharing-2.jpg")),
    st.just(""),
    st.lists(st.sampled_from(LINKS), unique=True).map(tuple),
)


BUILDS = st.tuples(st.dictionaries(st.sampled_from(PATHS), PAGES), st.frozensets(st.sampled_from(LINKS)))


@given(st.lists(BUILDS, min_size=1, max_size=6), st.booleans())
def test_says_what_the_pages_say(
    registry: Registry, builds: list[tuple[dict[str, KnownPage], frozenset[str]]], is_shared: bool
) -> None:
    addresses = Addresses(registry, "local", 8000)
    shown: Overlay[str, KnownPage] = Overlay()
    index = PageIndex("en", None, addresses)
    for pages, of_frame in builds:
        shown = Overlay(shown if is_shared else None)
        for path in PATHS:
            shown.pop(path, None)
        shown.update(pages)
        index.move_to(BuildInputs("", 1, "", "", "", "", frame_links=of_frame, pages=shown))
    assert index.to_try == {path for path, page in pages.items() if not page.content}
    assert index.links == {url for page in pages.values() for url in page.links} | of_frame
    for url in LINKS:
        assert index.with_link(url) == {path for path, page in pages.items() if url in page.links} | (
            {FRAME} if url in of_frame else set()
        )
    for name in ("/assets/sharing-1.jpg", "/assets/sharing-2.jpg"):
        assert index.with_picture(name) == {path for path, page in pages.items() if page.picture == name}
    for touched in ({"en": {"/a"}}, {"de": {"/b"}}, {"de": {*PATHS}, "en": {*PATHS}}, {}):
        expected = {
            (target.site, url)
            for url in index.links
            if (target := addresses.target("en", url)) and target.path in touched.get(target.site, ())
        }
        found = list(index.links_into(touched))
        assert sorted(found) == sorted(expected)
