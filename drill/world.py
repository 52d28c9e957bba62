"""The drill's world: machines, their administrators, the sites' visitors, and the measurements."""

import email
import email.policy
import json
import os
import socket
import subprocess
import sys
from email.utils import parseaddr
from typing import Any, Final

import boto3
import trustme

from .disk import DISKS, DRILL
from .machine import Machine, make_network
from .supervisor import Service, Supervisor, wait_until
from .visitors import ADDRESSES, Browser, Form

FRONT: Final = "10.0.0.11"
ADDRESS_OF: Final = {
    "web1": FRONT,
    "web2": "10.0.0.12",
    "web3": "10.0.0.13",
    "api": "10.0.0.21",
    "studio": "10.0.0.22",
    "publisher1": "10.0.0.23",
    "publisher2": "10.0.0.24",
    "delivery": "10.0.0.25",
    "render1": "10.0.0.26",
    "render2": "10.0.0.27",
    "data": "10.0.0.31",
}
OTHERS: Final = "10.0.0.41"
SITES: Final = ("https://acme.example", "https://de.acme.example")
STUDIO: Final = "https://studio.acme.example"
SECRET: Final = "a-secret-that-all-machines-of-the-drill-have-in-common-0123"
PASSWORD: Final = "words-of-the-drill"
PDF: Final = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"
_SAVES: Final = """
import json, sys, time
from django.db import connections
from portolan.content.collections.offices import Office
from portolan.leads.models import Delivery, Lead
from wagtail.documents import get_document_model
from wagtail.models import Page
for line in sys.stdin:
    what = json.loads(line)
    if "phone" in what:
        office = Office.objects.first()
        office.phone = what["phone"]
        office.save()
        answer = time.time()
    elif "document" in what:
        (page,) = [page.specific for page in Page.objects.filter(slug="about-us") if page.specific.title.startswith("About")][:1]
        page.body.append(("download", {**what["block"], "document": get_document_model().objects.get(title=what["document"])}))
        page.save_revision().publish()
        answer = time.time()
    else:
        answer = [
            {
                "id": str(lead.pk),
                "name": lead.fields.get("contact", {}).get("name", ""),
                "files": lead.files.count(),
                "delivered": Delivery.objects.filter(lead=lead, state=Delivery.State.DELIVERED).count(),
            }
            for lead in Lead.objects.all()
        ]
    connections.close_all()
    print(json.dumps(answer), flush=True)
"""


class World:
    def __init__(self) -> None:
        make_network(ADDRESSES)
        self.machines: dict[str, Machine] = {}
        self.supervisors: dict[str, Supervisor] = {}
        self.figures: list[str] = []
        self.login: dict[str, str] = {}
        """The first account's, as its administrator has written it down: no backup has it."""
        self._visitor = 0
        authority = trustme.CA()
        self.authority = str(DISKS / "authority.pem")
        authority.cert_pem.write_to_path(self.authority)
        self.certificate = authority.issue_cert("acme.example", "*.acme.example")
        self._others: list[subprocess.Popen[bytes]] = []
        self.add_others()

    def add(self, name: str) -> Machine:
        machine = self.machines[name] = Machine(name, ADDRESS_OF[name])
        machine.write("/etc/hosts", f"127.0.0.1 localhost\n::1 localhost\n{machine.address} {name}\n")
        machine.write("/etc/resolv.conf", "nameserver 127.0.0.1\n")  # refuses at once: nobody here asks for names
        self.supervisors[name] = Supervisor(machine)
        return machine

    def remove(self, name: str) -> None:
        """The machine and everything on its disk."""
        if name in self.supervisors:
            self.supervisors.pop(name).end()
        self.machines.pop(name).remove()

    def lose(self, name: str) -> None:
        """The machine ends as it is, without a word."""
        self.supervisors.pop(name).lose_power()
        self.machines.pop(name).remove()

    def service(self, machine: str, name: str) -> Service:
        return self.supervisors[machine].services[name]

    def install_certificate(self, machine: Machine) -> None:
        chain = b"".join(each.bytes() for each in self.certificate.cert_chain_pems)
        machine.write("/etc/ssl/portolan/fullchain.pem", chain)
        machine.write("/etc/ssl/portolan/privkey.pem", self.certificate.private_key_pem.bytes())

    def browser(self, number: int = 0, at: str = FRONT) -> Browser:
        return Browser(self.authority, at, ADDRESSES[number])

    def serves(self, url: str = SITES[0], at: str = FRONT) -> bool:
        try:
            return self.browser(at=at).ask("GET", url).status == 200
        except OSError:
            return False

    def form(self, name: str, files: dict[str, bytes] | None = None, site: str = SITES[0]) -> Form:
        """Send a lead as a new visitor."""
        self._visitor = self._visitor % 20 + 1
        return Form(self.browser(9 + self._visitor), site, name, files or {})

    def pages(self) -> list[str]:
        """Addresses of all pages, by the sites' own maps."""
        found = []
        for site in SITES:
            answer = self.browser().ask("GET", f"{site}/sitemap.xml")
            assert answer.status == 200, answer
            found += [part.partition("</loc>")[0] for part in answer.body.decode().split("<loc>")[1:]]
        assert len(found) > 15, found
        return found

    def note(self, line: str) -> None:
        self.figures.append(line)
        print(f"    {line}", flush=True)

    def add_others(self) -> None:
        """Start the services of other vendors: moto's object store in memory, and a mailbox."""
        others = self.machines["others"] = Machine("others", OTHERS, layers=())
        for folder in ("tmp", "new", "cur"):
            others.path(f"/srv/mail/{folder}").mkdir(parents=True)
        mailbox = ["-c", "aiosmtpd.handlers.Mailbox", "/srv/mail"]
        for name, port, command in (
            ("store", 9000, ["moto.server", "-H", OTHERS, "-p", "9000"]),
            ("mail", 25, ["aiosmtpd", "-n", "-l", f"{OTHERS}:25", *mailbox]),
        ):
            with (DRILL / "logs" / f"others-{name}.log").open("wb") as log:
                self._others.append(others.start([sys.executable, "-m", *command], log))
            wait_until(lambda port=port: _listens(OTHERS, port), f"the {name} is up")
        os.environ.update(AWS_ACCESS_KEY_ID="portolan", AWS_SECRET_ACCESS_KEY=PASSWORD, AWS_REGION="us-east-1")
        for bucket in ("acme-portolan", "acme-portolan-leads", "acme-portolan-media"):
            boto3.client("s3", endpoint_url=f"http://{OTHERS}:9000", region_name="us-east-1").create_bucket(
                Bucket=bucket
            )

    def mail(self) -> dict[str, list["email.message.EmailMessage"]]:
        """All that has been received, by the address of who had sent the lead."""
        found: dict[str, list[email.message.EmailMessage]] = {}
        for file in self.machines["others"].path("/srv/mail/new").glob("*"):
            with file.open("rb") as message:
                received = email.message_from_binary_file(message, policy=email.policy.default)
            found.setdefault(parseaddr(received["Reply-To"])[1], []).append(received)
        return found

    def end(self) -> None:
        for name in [*self.machines]:
            if name != "others":
                self.remove(name)
        for process in self._others:
            process.kill()
            process.wait()
        self.machines["others"].remove()


class Editor:
    """An editor on a machine that has the database. Calls the same code as the studio's views."""

    def __init__(self, machine: Machine) -> None:
        self._process = machine.start(
            ["/usr/local/bin/portolan", "django", "shell", "--no-imports", "-c", _SAVES],
            subprocess.PIPE,
            text=True,
            stdin=subprocess.PIPE,
        )
        self.leads()

    def _send(self, what: dict[str, Any]) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            assert self._process.stderr
            raise AssertionError(self._process.stderr.read())
        return json.loads(answer)

    def change_phone(self, phone: str) -> float:
        """Returns when it was saved, by the clock of the epoch."""
        return float(self._send({"phone": phone}))

    def offer(self, document: str) -> float:
        """Link the page about the company to an uploaded document."""
        block = {"tone": "paper", "anchor": "", "title": "To read", "text": "All about us.", "link_title": "Download"}
        return float(self._send({"document": document, "block": block}))

    def leads(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._send({})
        return found

    def end(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(20)
        for stream in (self._process.stdout, self._process.stderr):
            assert stream
            stream.close()


def _listens(address: str, port: int) -> bool:
    try:
        socket.create_connection((address, port), timeout=1).close()
    except OSError:
        return False
    return True
