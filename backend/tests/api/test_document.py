import re

from portolan.api.document import build_paths


def test_every_operation_has_an_id_of_verb_and_noun_and_says_what_it_needs():
    paths, components = build_paths()
    operations = [operation for item in paths.values() for operation in item.values()]
    assert len({operation["operationId"] for operation in operations}) == len(operations)
    for operation in operations:
        assert re.fullmatch(r"(list|read|count|check|send|submit)_[a-z_]+", operation["operationId"])
        assert {"$ref": "#/components/parameters/ApiVersion"} in operation["parameters"]
        assert {"$ref": "#/components/parameters/AcceptLanguage"} in operation["parameters"]
        assert {"200", "400", "default"} <= set(operation["responses"])
    assert {"ApiVersion", "AcceptLanguage"} <= set(components["parameters"])


def test_every_reference_leads_somewhere():
    paths, components = build_paths()
    for kind, name in re.findall(r"#/components/(\w+)/(\w+)", str([paths, components])):
        assert name in components[kind]


def test_replies_are_described_in_wire_names():
    _, components = build_paths()
    assert set(components["schemas"]["Problem"]["properties"]) >= {"type", "status", "code", "detail"}
    assert components["schemas"]["Office"]["required"]
