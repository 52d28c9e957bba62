import pytest

from portolan.domain.svg import UnsafeSvgError, clean_svg

OPEN = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 8 8">'


def cleaned(inside: str) -> str:
    """What is left of the inside of a drawing."""
    text = clean_svg(f"{OPEN}{inside}</svg>".encode()).decode()
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
        ("<style>@import 'https://evil.example/x.css';</style>", ""),
        ("<style>a{b:u\\72l(//evil.example)}</style>", ""),
        ('<set attributeName="href" to="javascript:x" />', ""),
        ('<animate attributeName="href" values="javascript:x" />', ""),
        ("<iframe src='x' />", ""),
    ],
)
def test_drops_what_runs_loads_or_leads_away(attack: str, left: str) -> None:
    assert cleaned(attack) == left


def test_cleaning_twice_gives_the_same_bytes() -> None:
    once = clean_svg(f'{OPEN}<g onclick="x"><use xlink:href="#a"/></g></svg>'.encode())
    assert clean_svg(once) == once


@pytest.mark.parametrize(
    "data",
    [
        b"not xml",
        b"<html><body/></html>",
        b'<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg">&b;</svg>',
        b'<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg">&x;</svg>',
    ],
)
def test_refuses_what_is_no_drawing(data: bytes) -> None:
    with pytest.raises(UnsafeSvgError, match="SVG"):
        clean_svg(data)
