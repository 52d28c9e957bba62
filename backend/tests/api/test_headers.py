import pytest

from .conftest import assert_problem
from .content.test_offices import office

PATH = "/api/content/offices"


@pytest.fixture(autouse=True)
def release(snapshot):
    snapshot(
        {
            (key, "office", "x"): {"order": 0, "value": office("x", city=key, address="1 Pier")}
            for key in ("en", "de", "ae", "uk")
        }
    )


def served_site(response):
    (item,) = response.json()["items"]
    return item["city"]


@pytest.mark.parametrize(
    ("accept_language", "host", "site", "language"),
    [
        ("de", "en", "de", "de-DE"),
        ("ae", "en", "ae", "ar-AE"),
        ("de-AT,en;q=0.5", "en", "de", "de-DE"),
        ("", "de", "de", "de-DE"),
        ("", "en", "en", "en"),
        ("", "studio", "ae", "ar-AE"),
        ("ja", "de", "de", "de-DE"),
        ("uk", "en", "uk", "en-GB"),
    ],
)
def test_the_language_chooses_the_site_else_the_host_else_ae(get, accept_language, host, site, language):
    response = get(PATH, host, **({"Accept_Language": accept_language} if accept_language else {}))
    assert served_site(response) == site
    assert response["Content-Language"] == language


def test_every_reply_says_what_it_depends_on_and_may_be_used_anywhere(get):
    for response in (get(PATH), get(f"{PATH}/none"), get("/api/nothing"), get(PATH, Api_Version="v4")):
        assert {name.strip() for name in response["Vary"].split(",")} >= {"Accept-Language", "Api-Version"}
        assert response["Api-Version"] == "v5"
        assert response["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert response["Content-Language"]


def test_v5_is_meant_where_no_version_is_sent(get):
    assert get(PATH).status_code == get(PATH, Api_Version="v5").status_code == 200


@pytest.mark.parametrize("version", ["v4", "5", "", "V5"])
def test_another_version_is_refused(get, version):
    problem = assert_problem(get(PATH, Api_Version=version), 400, "unsupported-version")
    assert "v5" in problem["detail"]


def test_what_the_caller_has_is_not_sent_again(get):
    first = get(PATH, Accept_Language="en")
    assert first["Cache-Control"] == "public, max-age=0, must-revalidate"
    for condition in (first["ETag"], f"W/{first['ETag']}", f'"other", {first["ETag"]}', "*"):
        again = get(PATH, Accept_Language="en", If_None_Match=condition)
        assert (again.status_code, again.content) == (304, b"")
        assert again["ETag"] == first["ETag"]
        assert again["Content-Language"] == "en"
        assert "Accept-Language" in again["Vary"]


def test_another_sites_answer_has_another_etag(get):
    first = get(PATH, Accept_Language="en")
    assert get(PATH, Accept_Language="de", If_None_Match=first["ETag"]).status_code == 200


def test_head_answers_as_get_without_a_body(client, get):
    whole = get(PATH, Accept_Language="en")
    response = client.head(PATH, headers={"Host": "localhost", "Accept-Language": "en"})
    assert (response.status_code, response.content) == (200, b"")
    assert response["ETag"] == whole["ETag"]
    assert response["Content-Length"] == str(len(whole.content))


def test_other_paths_pass_untouched(get):
    response = get("/admin/login/", "studio")
    assert "Api-Version" not in response
    assert "Cross-Origin-Resource-Policy" not in response
