import pytest

from portolan.domain.svg_styles import DEEPEST, clean_style

FONT = '@font-face{font-family:"A;}";src:url("data:application/font-woff;charset=utf-8;base64,AA{A") format("woff");}'


@pytest.mark.parametrize(
    ("css", "left"),
    [
        (".a{fill:red}", ".a{fill:red}"),
        (FONT + " .a{fill:#FFDB00;}", " .a{fill:#FFDB00;}"),
        ("@import url('https://a.example/css2?family=Inter;1'); .a{fill:red}", " .a{fill:red}"),
        ("@import url(https://a.example/css2?family=Inter;1}); .a{fill:red}", " .a{fill:red}"),
        ("@import 'a.css' screen;.a{fill:red}", ".a{fill:red}"),
        ('@charset "utf-8";.a{fill:red}', ".a{fill:red}"),
        ("/* @import 'a' */.a{fill:red}", " .a{fill:red}"),
        ("@/**/import 'a';.a{fill:red}", ".a{fill:red}"),
        ("@imp/**/ort 'a';.a{fill:red}", ".a{fill:red}"),
        (".a{fill:red;background:url(x);stroke:blue}", ".a{fill:red;stroke:blue}"),
        (".a{background:url(x)}.b{fill:red}", ".b{fill:red}"),
        (f"@media print{{{FONT}.a{{fill:red}}}}", "@media print{.a{fill:red}}"),
        ("@media print{@supports (a:b){.a{b:url(x);fill:red}}}.c{d:e}", "@media print{@supports (a:b){.a{fill:red}}}.c{d:e}"),
        ("@media print{@import 'x';}", ""),
        ("fill:red;filter:image-set('x' 1x);stroke:blue", "fill:red;stroke:blue"),
        ("fill:u\\72l(x);stroke:blue", "stroke:blue"),
        (".a{fill:red}@import", ".a{fill:red}"),
        (".a{fill:red}/* @import", ".a{fill:red} "),
        (".a{b:'@import", ""),
        ("}};@page{margin:0}.a{fill:red}", "}};.a{fill:red}"),
        ("@media print{" * DEEPEST + ".a{b:url(x);c:d}" + "}" * DEEPEST, ""),
    ],
)  # fmt: skip
def test_only_what_may_load_something_is_dropped(css: str, left: str) -> None:
    assert clean_style(css) == left
    assert clean_style(left) == left
