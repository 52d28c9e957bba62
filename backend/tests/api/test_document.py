import re
from typing import Any

import pytest

from portolan.api.document import build_document
from portolan.domain.content_api import READS

DOCUMENT = build_document()
OPERATIONS = {
    operation["operationId"]: (path, method, operation)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}


def follow(node: dict[str, Any]) -> dict[str, Any]:
    """Return the target of a reference."""
    while "$ref" in node:
        _, *steps = node["$ref"].split("/")
        node = DOCUMENT
        for step in steps:
            node = node[step]
    return node


SPECIFIED = """
    GET content/certificates list_certificates
    GET content/cvs list_cvs
    GET content/events list_events
    GET content/events/pages list_event_pages
    GET content/filter/{facet}/{value} list_filtered_projects
    GET content/insights-shorts list_insight_shorts
    GET content/insights-video list_insight_videos
    GET content/news list_news
    GET content/news/pagination paginate_news
    GET content/news/{id} read_news
    GET content/offices list_offices
    GET content/offices/{id} read_office
    GET content/phones list_phones
    GET content/projects/cards list_project_cards
    GET content/projects/full-cards list_full_project_cards
    GET content/projects/galleries list_project_galleries
    GET content/projects/map list_project_places
    GET content/projects/pages list_project_pages
    GET content/projects/related/{facet}/{slug} list_related_projects
    GET content/projects/top list_top_projects
    GET content/redirects list_redirects
    GET content/reviews list_reviews
    GET content/reviews/testimonial/pagination paginate_testimonials
    GET content/reviews/{id} read_review
    GET integration/articles/blueprints/views/{id} read_blueprint_views
    GET integration/articles/views list_article_views
    GET integration/validation/email validate_email
    POST integration/form-data submit_form
    PUT integration/articles/views/{id} add_article_view
"""
"""Section 7 of the specification, our own ``content/redirects``, and the names of the operations."""


def test_the_operations_are_those_of_the_specification():
    found = {(method.upper(), path.removeprefix("/api/"), name) for name, (path, method, _) in OPERATIONS.items()}
    assert found == {tuple(line.split()) for line in SPECIFIED.strip().splitlines()}


def test_there_is_an_operation_for_every_read_with_its_headers_and_query():
    assert READS
    for read in READS:
        operation = DOCUMENT["paths"][f"/api/{read.path}"]["get"]
        found: dict[str, list[str]] = {"path": [], "query": [], "header": []}
        for parameter in map(follow, operation["parameters"]):
            found[parameter["in"]].append(parameter["name"])
        assert found["path"] == re.findall(r"\{(\w+)\}", read.path)
        assert set(found["query"]) == set(read.query)
        assert set(found["header"]) == {"Api-Version", "Accept-Language", "If-None-Match", *read.headers}


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_says_all_there_is_to_know(name):
    operation = OPERATIONS[name][2]
    assert re.fullmatch(r"(list|read|paginate|add|validate|submit)_[a-z_]+", name)
    assert operation["summary"]
    assert operation["description"]
    assert operation["tags"]
    for parameter in map(follow, operation["parameters"]):
        assert parameter["description"], parameter["name"]
        assert "example" in parameter, parameter["name"]
    assert {"400", "429", "431", "500", "503"} <= set(operation["responses"])
    for status, response in operation["responses"].items():
        response = follow(response)
        assert response["description"]
        if status == "304":
            continue
        assert {"Api-Version", "Content-Language", "Cross-Origin-Resource-Policy"} <= set(response["headers"]), status
        (content,) = response["content"].values()
        examples = [content["example"]] if "example" in content else [e["value"] for e in content["examples"].values()]
        assert examples
        if int(status) >= 400:
            assert {example["status"] for example in examples} == {int(status)}
            assert list(content["examples"]) == [example["code"] for example in examples]
            assert not any(re.search(r"[{}]", example["detail"]) for example in examples)
    assert operation["x-codeSamples"][0]["source"].startswith("curl")


def test_what_a_path_names_may_be_missing():
    found = {path: set(operation["responses"]) for path, _, operation in OPERATIONS.values() if "{" in path}
    assert found
    assert [path for path, statuses in found.items() if "404" not in statuses] == []


def test_every_reference_leads_somewhere():
    references = re.findall(r"'(#/components/[^']+)'", str(DOCUMENT))
    assert references
    for reference in references:
        assert follow({"$ref": reference})


def test_every_link_leads_to_an_operation_and_its_parameters():
    links = [
        link for _, _, op in OPERATIONS.values() for link in op["responses"].get("200", {}).get("links", {}).values()
    ]
    assert links
    for link in links:
        _, _, target = OPERATIONS[link["operationId"]]
        assert set(link["parameters"]) <= {parameter["name"] for parameter in map(follow, target["parameters"])}


def test_every_tag_is_described():
    used = {tag for _, _, operation in OPERATIONS.values() for tag in operation["tags"]}
    assert used == {tag["name"] for tag in DOCUMENT["tags"]}


def test_replies_are_described_in_wire_names_and_whole():
    schemas = DOCUMENT["components"]["schemas"]
    assert set(schemas["NewsItem"]["required"]) == {"id", "title", "summary", "previewImage", "date", "link"}
    assert set(schemas["Problem"]["required"]) == {"type", "title", "status", "code", "detail", "errors"}
    assert "``" not in str(DOCUMENT)
