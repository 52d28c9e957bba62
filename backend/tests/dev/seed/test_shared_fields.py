from typing import Any

import pytest

from portolan_dev.seed.shared_fields import with_shared_fields

COVER = {"picture": "cover-lumen", "alt": "A ward at night"}
PLAIN = {"picture": "cover-lumen", "alt": ""}


def complete(own: dict[str, Any], original: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    complaints: list[str] = []
    return with_shared_fields(own, original, lambda field, words: complaints.append(f"{field}: {words}")), complaints


@pytest.mark.parametrize(
    ("own", "original", "expected"),
    [
        ({}, {"client": "Lumen", "pages": ["/"], "lat": 1.5}, {"client": "Lumen", "pages": ["/"], "lat": 1.5}),
        ({"client": "Lumen GmbH"}, {"client": "Lumen"}, {"client": "Lumen GmbH"}),
        ({"rank": 1}, {}, {"rank": 1}),
        ({}, {"summary": "Texts", "city": "London", "results": [{"value": "1", "caption": "x"}]}, {}),
        ({"cover": {"alt": "Nachts"}}, {"cover": COVER}, {"cover": {"picture": "cover-lumen", "alt": "Nachts"}}),
        ({"cover": {"picture": "mark", "alt": "x"}}, {"cover": COVER}, {"cover": {"picture": "mark", "alt": "x"}}),
        ({}, {"preview": PLAIN}, {"preview": PLAIN}),
        ({"cover": PLAIN}, {}, {"cover": PLAIN}),
        (
            {"gallery": [{"alt": "eins"}, {"picture": "mark", "alt": "zwei"}, {"picture": "x", "alt": "drei"}]},
            {"gallery": [COVER, COVER]},
            {
                "gallery": [
                    {"picture": "cover-lumen", "alt": "eins"},
                    {"picture": "mark", "alt": "zwei"},
                    {"picture": "x", "alt": "drei"},
                ]
            },
        ),
        ({"gallery": []}, {"gallery": [COVER]}, {"gallery": []}),
        ({}, {"gallery": [PLAIN]}, {"gallery": [PLAIN]}),
        (
            {"cover": "mark", "gallery": "mark"},
            {"cover": COVER, "gallery": [COVER]},
            {"cover": "mark", "gallery": "mark"},
        ),
        ({"gallery": ["mark"]}, {"gallery": ["mark"]}, {"gallery": ["mark"]}),
    ],
)
def test_shared_fields_are_taken_and_texts_are_not(own, original, expected):
    assert complete(own, original) == (expected, [])


@pytest.mark.parametrize("field", ["cover", "preview"])
def test_a_picture_that_says_something_must_say_it_in_this_language(field):
    _, complaints = complete({}, {field: COVER})
    assert complaints == [f'{field}: is missing: say in this language what the picture shows, {{ alt = "…" }}']


def test_so_must_a_gallery():
    _, complaints = complete({}, {"gallery": [COVER]})
    assert [line[:30] for line in complaints] == ["gallery: is missing: say in th"]
