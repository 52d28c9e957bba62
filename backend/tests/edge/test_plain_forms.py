"""Forms without scripts pass the edge to the application behind it."""

import json

import pytest

from portolan.edge.limits import LARGEST_BODY, LARGEST_PLAIN_FORM

from .conftest import DE, EN, STUDIO, Harbour

PATH = "/__form"


@pytest.mark.parametrize("host", [EN, DE])
def test_a_form_on_a_sites_host_is_handed_over(harbour: Harbour, host: str) -> None:
    answer = harbour.ask(PATH, host, "POST")
    assert (answer.status, answer.text) == (200, f"POST /__form {host}")


def test_the_studios_host_is_the_studios(harbour: Harbour) -> None:
    assert harbour.ask(PATH, STUDIO, "POST").headers["x-backend"] == "1"


def test_other_paths_that_begin_so_are_as_they_were(harbour: Harbour) -> None:
    assert harbour.ask("/__form/", EN, "POST").status == 405


def test_more_than_a_lead_may_have_is_answered_by_the_page(harbour: Harbour) -> None:
    assert harbour.ask(PATH, EN, "POST", content_length=str(LARGEST_BODY + 1)).status == 200


def test_what_says_that_it_is_larger_than_any_form_is_not_read(harbour: Harbour) -> None:
    answer = harbour.ask(PATH, EN, "POST", content_length=str(LARGEST_PLAIN_FORM + 1))
    assert (answer.status, json.loads(answer.body)["code"]) == (413, "body-too-large")
