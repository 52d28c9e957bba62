import pytest

from portolan.domain import svg
from portolan.domain.picture_losses import Loss
from portolan.domain.svg import UnsafeSvgError, clean_svg

OPEN = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 8 8">'


def cleaned(inside: str) -> str:
    """Return the inside of a drawing after cleaning."""
    text = clean_svg(f"{OPEN}{inside}</svg>".encode()).data.decode()
    return text[text.index(">") + 1 :].removesuffix("</svg>") if "</svg>" in text else ""


@pytest.mark.parametrize(
    "drawing",
    [
        '<path d="M0 0h8" fill="url(#a)" />',
        '<defs><linearGradient id="a"><stop offset="0" stop-color="#fff" /></linearGradient></defs>',
        "<style>.a{fill:#020d1c}</style>",
        '<g transform="scale(2)"><circle r="1" style="fill:red" /></g>',
        '<image href="data:image/png;base64,iVBORw0KGgo=" width="1" height="1" />',
        "<title>Coast</title>",
        '<rect fill="url( \'#a\' )" filter="url(#b)" mask="url(#c)" style="clip-path:url(#d);fill:rgb(1,2,3)" />',
        "<style>@media (min-width:1px){.a:not(.b){transform:rotate(3deg)}}@keyframes k{to{opacity:calc(1/2)}}</style>",
        '<g aria-label="Sales (2026)" data-name="f" />',
        '<path d="M0 0" transform="translate (1 2)scale(2)" />',
        '<use xlink:href="#a" />',
    ],
)
def test_keeps_drawing(drawing: str) -> None:
    assert cleaned(drawing) == drawing


@pytest.mark.parametrize(
    ("attack", "left"),
    [
        ("<script>alert(1)</script>", ""),
        ("<g><script xmlns='http://www.w3.org/1999/xhtml'>x</script></g>", "<g />"),
        ("<foreignObject><body xmlns='http://www.w3.org/1999/xhtml'><p>x</p></body></foreignObject>", ""),
        ('<rect onload="x()" onClick="y()" width="1" />', '<rect width="1" />'),
        ('<a href="javascript:x"><rect /></a>', ""),
        ('<use href="https://evil.example/x.svg#a" />', "<use />"),
        ('<use xlink:href="//evil.example/x.svg#a" />', "<use />"),
        ('<image href="https://evil.example/track.png" />', "<image />"),
        ('<image href="data:image/svg+xml;base64,PHN2Zz4=" />', "<image />"),
        ('<rect fill="url(https://evil.example/x)" />', "<rect />"),
        ('<rect style="background:url(//evil.example)" />', "<rect />"),
        ("<style>@import 'https://evil.example/x.css';</style>", "<style />"),
        ("<style>a{b:u\\72l(//evil.example)}</style>", "<style />"),
        ("<style>@font-face{font-family:f;src:url(//evil.example/f)}</style>", "<style />"),
        ("<style>a{fill:red}b{fill:IMAGE-SET('https://evil.example' 1x)}</style>", "<style>a{fill:red}</style>"),
        ("<style><g />@import 'https://evil.example'</style>", "<style />"),
        ("<style>@namespace x 'https://evil.example';</style>", "<style />"),
        ("<style>a{b:url(#c)url(https://evil.example)}</style>", "<style />"),
        ("<style>a{b:url('#c' url(https://evil.example))}</style>", "<style />"),
        *(
            (f'<rect {place}="{css}" width="1" />', '<rect width="1" />')
            for place in ("style", "fill", "mask", "filter", "cursor", "data-x")
            for css in (
                "image-set('https://evil.example' 1x)",
                "-webkit-image-set(url(https://evil.example) 1x)",
                "image('https://evil.example')",
                "src('https://evil.example')",
                "cross-fade(url(https://evil.example),red)",
                "paint(x)",
                "element(#x)",
                "expression(x)",
                "url(data:image/svg+xml,x#a)",
                "url(x.svg#a)",
                "url(&#10;https://evil.example#a)",
                "@import 'https://evil.example'",
            )
        ),
        ('<g xml:base="https://evil.example/"><use href="#a" /></g>', '<g><use href="#a" /></g>'),
        (
            '<image src="https://evil.example" srcset="https://evil.example 1x" ping="https://evil.example" />',
            "<image />",
        ),
        ('<image href="data:image/png;base64,AA==\n;//evil.example" />', "<image />"),
        ('<feImage href="https://evil.example" />', ""),
        ("<discard /><handler /><listener /><animateTransform /><mpath href='#a' /><audio src='x' /><video />", ""),
        ("<?xml-stylesheet href='https://evil.example'?><g />", "<g />"),
        ("<!-- x --><g />", "<g />"),
        ("<script><g><rect /></g></script><g />", "<g />"),
        ('<set attributeName="href" to="javascript:x" />', ""),
        ('<animate attributeName="href" values="javascript:x" />', ""),
        ("<iframe src='x' />", ""),
    ],
)
def test_drops_what_runs_loads_or_leads_away(attack: str, left: str) -> None:
    assert cleaned(attack) == left


def test_cleaning_twice_gives_the_same_bytes() -> None:
    style = "<style>@import 'x';/* @import */.a{fill:red;src:url(x)}@media print{.b{c:url(x)}.d{e:f}}</style>"
    once = clean_svg(f'{OPEN}{style}<g onclick="x"><use xlink:href="#a"/></g></svg>'.encode()).data
    assert clean_svg(once).data == once


@pytest.mark.parametrize(
    "data",
    [
        b"not xml",
        b"<html><body/></html>",
        b'<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg">&b;</svg>',
        b'<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg">&x;</svg>',
        b'<!DOCTYPE svg SYSTEM "https://evil.example/x.dtd"><svg xmlns="http://www.w3.org/2000/svg">&x;</svg>',
        b"",
        b"\x00" * 9,
        b"<svg",
        b'<?xml version="1.0" encoding="nonsense"?><svg/>',
        b"\x1f\x8b\x08",
    ],
)
def test_refuses_what_is_no_drawing(data: bytes) -> None:
    with pytest.raises(UnsafeSvgError, match="SVG"):
        clean_svg(data)


def _nested(depth: int) -> str:
    """Return an SVG in which each level uses the level below ten times."""
    levels = (f'<g id="l{n}">' + f'<use href="#l{n - 1}"/>' * 10 + "</g>" for n in range(1, depth))
    return '<g id="l0"><path d="M0 0"/></g>' + "".join(levels)


@pytest.mark.parametrize(
    ("inside", "said"),
    [
        ("<g/>" * svg.MOST_ELEMENTS, "20,000 elements"),
        ("<script>" + "<g/>" * svg.MOST_ELEMENTS + "</script>", "20,000 elements"),
        ("<g>" * svg.DEEPEST, "100 levels"),
        ("<g>" * 5000, "100 levels"),
        ("<g " + " ".join(f'a{n}=""' for n in range(101)) + "/>", "100 attributes"),
        ("<title>" + "x" * svg.MOST_BYTES + "</title>", "5,242,880 bytes"),
        (_nested(7), "500,000 elements to draw"),
        (_nested(1500), "500,000 elements to draw"),
        (_nested(7).replace("use href=", "use xlink:href="), "500,000 elements to draw"),
        (_nested(7).replace('use href="#', 'rect fill="url(#').replace('"/>', ')"/>').replace("M0 0)", "M0 0"), "elements to draw"),
    ],
)  # fmt: skip
def test_refuses_drawings_that_are_too_large(inside: str, said: str) -> None:
    with pytest.raises(UnsafeSvgError, match=said):
        clean_svg(f"{OPEN}{inside}</svg>".encode())


def test_stops_reading_where_there_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading stops before the end of an element, so a larger file takes equal time."""
    ended: list[str] = []
    monkeypatch.setattr(svg._CleanTree, "end", lambda tree, tag: ended.append(tag))
    with pytest.raises(UnsafeSvgError):
        clean_svg(f"{OPEN}{'<g/>' * 300_000}</svg>".encode())
    assert len(ended) < svg.MOST_ELEMENTS


@pytest.mark.parametrize(
    "inside",
    [
        _nested(5),
        '<g id="a"><use href="#a" /></g>',
        '<g id="a"><use href="#b" /></g><g id="b"><use href="#a" /></g>',
        '<use href="#nowhere" />',
        "".join(f'<g id="c{n}"><use href="#c{n + 1}" /></g>' for n in range(400)),
    ],
)
def test_keeps_references_that_do_not_multiply(inside: str) -> None:
    assert clean_svg(f"{OPEN}{inside}</svg>".encode()).data.count(b"<use") == inside.count("<use")


def test_the_message_is_said_in_the_editor_s_language() -> None:
    with pytest.raises(UnsafeSvgError) as caught:
        clean_svg(b"<html/>")
    assert caught.value.say(str.upper).startswith("THIS FILE IS NOT AN SVG DRAWING")


@pytest.mark.parametrize(
    ("inside", "losses"),
    [
        ("<style>@import url(x);.a{fill:red}</style>", {Loss.FONTS}),
        ("<style>@font-face{font-family:A;src:url(x)}</style>", {Loss.FONTS}),
        ("<style>.a{fill:url(x)}</style>", set()),
        ('<rect><animate attributeName="x" to="3" /></rect><g><set attributeName="x" to="3" /></g>', {Loss.MOTION}),
        ("<foreignObject><p>x</p></foreignObject>", {Loss.HTML}),
        ('<image href="photo.jpg" />', {Loss.LINKED}),
        ('<image xlink:href="https://a.example/photo.jpg" />', {Loss.LINKED}),
        ('<image href="data:image/png;base64,iVBORw0KGgo=" /><script>x</script><path onclick="x" />', set()),
    ],
)
def test_reports_what_visitors_will_not_see(inside: str, losses: set[Loss]) -> None:
    assert clean_svg(f"{OPEN}{inside}</svg>".encode()).losses == losses
