import pytest

from portolan.content.rich_text import find_page_ids, is_allowed_url, snapshot_html

PAGES = {3: "key-3", 4: "key-4"}


@pytest.mark.parametrize(
    ("stored", "frozen"),
    [
        ('<p data-block-key="a1">Plain &amp; simple</p>', "<p>Plain &amp; simple</p>"),
        ("<p><b>bold</b> <i>italic</i></p>", "<p><strong>bold</strong> <em>italic</em></p>"),
        ("<h2>Two</h2><h3>Three</h3><h4>Four</h4>", "<h2>Two</h2><h3>Three</h3><h4>Four</h4>"),
        ("<ul><li>one</li><li>two<ol><li>deep</li></ol></li></ul>",) * 2,
        ("<p>one<br/>two</p><hr/><p>three</p>", "<p>one<br>two</p><hr><p>three</p>"),
        ("<blockquote>said</blockquote><p><code>x = 1</code></p>",) * 2,
        ('<p><a linktype="page" id="3">own</a></p>', '<p><a data-page="key-3">own</a></p>'),
        (
            '<p><a anchor="offices" id="4" linktype="page">own</a></p>',
            '<p><a data-page="key-4" data-anchor="offices">own</a></p>',
        ),
        ('<p><a linktype="page" id="99">gone</a></p>', '<p><a data-page="deleted-page-99">gone</a></p>'),
        (
            '<p><a href="https://a.example/?b=1&amp;c=2">out</a></p>',
            '<p><a href="https://a.example/?b=1&amp;c=2">out</a></p>',
        ),
        ('<p><a href="mailto:a@b.example">mail</a> <a href="tel:+1">call</a> <a href="#x">here</a></p>',) * 2,
        ("<p></p><p>text</p><p><b></b></p>", "<p>text</p>"),
        ("<p>a\ud83d b\udc00\x00\x08\x7f\tc 😀</p>", "<p>a b\tc 😀</p>"),
        ("<p>{company} has &lt;{age}&gt; years</p>",) * 2,
    ],
)
def test_keeps_what_the_toolbar_offers(stored: str, frozen: str) -> None:
    assert snapshot_html(stored, PAGES) == frozen


@pytest.mark.parametrize(
    ("attack", "frozen"),
    [
        ("<script>alert(1)</script><p>a</p>", "<p>a</p>"),
        ("<p>a<script>alert(1)</p><p>b", "<p>a</p>"),
        ("<p onclick='x()' style='color:red' class='c'>a</p>", "<p>a</p>"),
        ("<img src=x onerror=alert(1)><p>a</p>", "<p>a</p>"),
        ("<svg><script>alert(1)</script><p>in</p></svg><p>a</p>", "<p>a</p>"),
        ("<math><mtext><p>in</p></mtext></math><p>a</p>", "<p>a</p>"),
        ("<iframe src='//evil.example'>x</iframe><p>a</p>", "<p>a</p>"),
        ("<style>p{}</style><p>a</p>", "<p>a</p>"),
        ('<embed embedtype="media" url="https://v.example"/><p>a</p>', "<p>a</p>"),
        ('<embed embedtype="image" id="1" alt="x"><p>a</p>', "<p>a</p>"),
        ('<p><a href="javascript:alert(1)">a</a></p>', "<p>a</p>"),
        ('<p><a href="JaVaScRiPt:alert(1)">a</a></p>', "<p>a</p>"),
        ('<p><a href="java\nscript:alert(1)">a</a></p>', "<p>a</p>"),
        ('<p><a href="&#106;avascript:alert(1)">a</a></p>', "<p>a</p>"),
        ('<p><a href=" javascript:alert(1)">a</a></p>', "<p>a</p>"),
        ('<p><a href="\x01javascript:alert(1)">a</a></p>', "<p>a</p>"),
        ('<p><a href="data:text/html,x">a</a></p>', "<p>a</p>"),
        ('<p><a href="vbscript:x">a</a></p>', "<p>a</p>"),
        ('<p><a href="//evil.example/x">a</a></p>', "<p>a</p>"),
        ('<p><a href="/\\evil.example">a</a></p>', "<p>a</p>"),
        ('<p><a href="http:x">a</a></p>', "<p>a</p>"),
        ('<p><a linktype="document" id="1">a</a></p>', "<p>a</p>"),
        ('<p><a linktype="page" id="3" onclick="x()">a</a></p>', '<p><a data-page="key-3">a</a></p>'),
        ('<p><a linktype="page" id="3" anchor="&quot;><script>">a</a></p>', '<p><a data-page="key-3">a</a></p>'),
        ('<p><a href="https://a.example/&quot;onmouseover=x">a</a></p>',
         '<p><a href="https://a.example/&quot;onmouseover=x">a</a></p>'),
        ('<p><a data-page="key-9">a</a></p>', "<p>a</p>"),
        ("<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",) * 2,
        ("<p><!-- c -->a<![CDATA[x]]></p>", "<p>a</p>"),
        ("<form action='//evil.example'><input><button>x</button></form><p>a</p>", "<p>a</p>"),
        ("<p><b>open <i>never closed", "<p><strong>open <em>never closed</em></strong></p>"),
        ("</p></div><p>a</b></p>", "<p>a</p>"),
        ("<p>a<h2>b</h2>c</p>", "<p>a</p><h2>b</h2>c"),
        ('<a href="https://a.example">x<a href="https://b.example">y</a></a>',
         '<a href="https://a.example">x</a><a href="https://b.example">y</a>'),
    ],
)  # fmt: skip
def test_drops_everything_else(attack: str, frozen: str) -> None:
    assert snapshot_html(attack, PAGES) == frozen


def test_cleaning_twice_changes_nothing() -> None:
    once = snapshot_html(
        '<h2>A</h2><p>b <a href="https://a.example/?x=1&amp;y=2">c</a> &lt;d&gt;</p><ul><li>e</li></ul>', {}
    )
    assert snapshot_html(once, {}) == once


def test_empty_elements_go_however_deep_they_are() -> None:
    assert snapshot_html("<p>" + "<b> <i>" * 20_000 + "</p>", {}) == ""
    assert snapshot_html("<p>x<em> <strong> </strong></em><code> </code></p><li><br></li>", {}) == (
        "<p>x<code> </code></p><li><br></li>"
    )


def test_finds_the_pages_a_text_links_to() -> None:
    stored = '<a linktype="page" id="3">a</a> <a id="7" anchor="x" linktype="page">b</a> <a href="/x" id="9">c</a>'
    assert find_page_ids(stored) == {3, 7}


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("https://a.example", True),
        ("http://a.example/x?y#z", True),
        ("mailto:a@b.example", True),
        ("tel:+49301234", True),
        ("/media/terms.pdf", True),
        ("#offices", True),
        ("https://", False),
        ("mailto:", False),
        ("ftp://a.example", False),
        ("javascript:alert(1)", False),
        ("https://a.example/a b", False),
        ("//a.example", False),
        ("a.example", False),
        ("https://[bad", False),
        ("", False),
    ],
)
def test_knows_where_a_link_may_lead(url: str, allowed: bool) -> None:
    assert is_allowed_url(url) is allowed
