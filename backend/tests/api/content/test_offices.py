import pytest

from ..conftest import assert_problem


def office(key: str, **values: object) -> dict[str, object]:
    return {
        "id": key,
        "city": key.capitalize(),
        "address": "1 Pier, {company}",
        "phone": "+1 214-555-0140",
        "category": {"name": "Hub", "icon": "anchor"},
        "country": "us",
        "lat": 1.5,
        "lng": 2.0,
        "sets": ["default"],
        "hours": "",
        "opened": None,
        **values,
    }


@pytest.fixture
def offices(snapshot):
    snapshot(
        {
            ("", "figures", "company"): {"company": "Brightmoor"},
            ("en", "office", "dallas"): {"order": 2, "value": office("dallas")},
            ("en", "office", "london"): {"order": 1, "value": office("london")},
            ("de", "office", "dallas"): {"order": 2, "value": office("dallas", city="Dallas (Texas)")},
        }
    )


def test_lists_offices_in_the_companys_order(offices, get):
    response = get("/api/content/offices", Accept_Language="en")
    assert response.status_code == 200
    assert list(response.json()) == ["items"]
    assert [item["id"] for item in response.json()["items"]] == ["london", "dallas"]


def test_an_office_is_whole_and_its_placeholders_are_filled(offices, get):
    assert get("/api/content/offices/dallas", Accept_Language="en").json() == office(
        "dallas", address="1 Pier, Brightmoor"
    )


def test_each_site_has_its_own_words(offices, get):
    assert get("/api/content/offices/dallas", Accept_Language="de").json()["city"] == "Dallas (Texas)"


def test_an_unknown_office_is_404(offices, get):
    assert_problem(get("/api/content/offices/atlantis", Accept_Language="en"), 404, "unknown-office")
    assert_problem(get("/api/content/offices/london", Accept_Language="de"), 404, "unknown-office")


def test_shows_the_newest_release(offices, snapshot, get):
    snapshot({("en", "office", "dallas"): {"order": 1, "value": office("dallas", address="2 Pier")}})
    items = get("/api/content/offices", Accept_Language="en").json()["items"]
    assert [(item["id"], item["address"]) for item in items] == [("dallas", "2 Pier")]


def test_before_the_first_release_the_api_says_so(db, get):
    assert_problem(get("/api/content/offices"), 503, "nothing-published")
