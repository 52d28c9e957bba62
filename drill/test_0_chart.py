"""The Helm chart, rendered by Helm and held against Kubernetes' own schemas; the units, by systemd's own check."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from .disk import INSTALLED
from .documents import ROOT
from .machine import Machine
from .tools import HELM, PACKAGES
from .world import World

CHART = ROOT / "deploy" / "helm" / "portolan"
VERSIONS = ("1.29", "1.33", "1.37")
"""Of Kubernetes: the oldest that somebody still sells, and the newest."""


@pytest.fixture(autouse=True)
def schemas(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", [*sys.path, str(PACKAGES)])
    yield


def render(*options: str) -> list[dict[str, Any]]:
    subprocess.run([HELM, "lint", "--strict", CHART, *options], check=True, capture_output=True)
    done = subprocess.run([HELM, "template", "acme", CHART, *options], check=True, capture_output=True, text=True)
    return [document for document in yaml.safe_load_all(done.stdout) if document]


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--set", "ingress.hosts={acme.example,studio.acme.example}"),
        (
            "--set",
            "roles.edge.replicas=5",
            "--set",
            "media.storageClass=nfs",
            "--set",
            "environment.PORTOLAN_METRICS=0.0.0.0:9464",
        ),
        ("--set", "publisherGroups={outlets,north-west}"),
        ("--set", "ingress.hosts={acme.example}", "--set", "previews.host=acme-preview.example"),
    ],
)
def test_the_chart_is_what_kubernetes_takes(options: tuple[str, ...]) -> None:
    import kubernetes_validate

    documents = render(*options)
    for document in documents:
        for version in VERSIONS:
            kubernetes_validate.validate(document, version, strict=True)
    names = [(document["kind"], document["metadata"]["name"]) for document in documents]
    assert len(names) == len(set(names))


def test_previews_have_their_wildcard_in_the_ingress_and_in_every_role() -> None:
    documents = render("--set", "ingress.hosts={acme.example}", "--set", "previews.host=acme-preview.example")
    (ingress,) = [document["spec"] for document in documents if document["kind"] == "Ingress"]
    assert [rule["host"] for rule in ingress["rules"]] == ["acme.example", "*.acme-preview.example"]
    assert [(each["hosts"], each["secretName"]) for each in ingress["tls"]] == [
        (["acme.example"], "portolan-tls"),
        (["*.acme-preview.example"], "portolan-preview-tls"),
    ]
    for document in documents:
        if document["kind"] == "StatefulSet":
            (container,) = document["spec"]["template"]["spec"]["containers"]
            assert {"name": "PORTOLAN_PREVIEW_HOST", "value": "acme-preview.example"} in container["env"]


def test_services_lead_to_pods_and_pods_to_services() -> None:
    documents = render("--set", "ingress.hosts={acme.example}", "--set", "publisherGroups={outlets}")
    services = {each["metadata"]["name"]: each["spec"] for each in documents if each["kind"] == "Service"}
    sets = [each["spec"] for each in documents if each["kind"] == "StatefulSet"]
    for each in sets:
        service = services[each["serviceName"]]
        assert service["selector"] == each["template"]["metadata"]["labels"]
        (container,) = each["template"]["spec"]["containers"]
        assert [port["containerPort"] for port in container["ports"]] == [port["port"] for port in service["ports"]]
        urls = {variable["value"] for variable in container["env"] if variable["name"].endswith("_URL")}
        assert {url.partition("//")[2].partition(":")[0] for url in urls} <= services.keys()
    (ingress,) = [each["spec"] for each in documents if each["kind"] == "Ingress"]
    (path,) = ingress["rules"][0]["http"]["paths"]
    assert path["backend"]["service"]["name"] in services


def test_each_group_has_a_publisher_of_its_own() -> None:
    documents = render("--set", "publisherGroups={outlets}")
    sets = {
        each["metadata"]["name"]: each["spec"]["template"]["spec"]
        for each in documents
        if each["kind"] == "StatefulSet"
    }
    (shared,), (own,) = (sets[name]["containers"] for name in ("portolan-publisher", "portolan-publisher-outlets"))
    assert own["args"] == [*shared["args"], "--group", "outlets"]


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="needs systemd-analyze, of Debian's package systemd"
)
def test_systemd_takes_the_units(world: World) -> None:
    spare = Machine("units", "10.0.0.61", (INSTALLED,))
    try:
        said = spare.run("systemd-analyze verify /etc/systemd/system/portolan*.service 2>&1 | grep portolan || true")
        assert said == ""
    finally:
        spare.remove()
