"""The daily work of a company on its machines: leads with files, documents, edits, and reverts."""

import re
import time

from .supervisor import wait_until
from .visitors import Browser, lead_id
from .world import PDF, SITES, STUDIO, Editor, World

EDGES = {"web1": "127.0.0.1", "web2": "10.0.0.12"}


def serves_everywhere(
    world: World, text: str, path: str = "/contact-us", site: str = "acme.example"
) -> dict[str, float]:
    """When each edge by itself serves a page with this text: the clock of the epoch."""
    found: dict[str, float] = {}

    def look() -> bool:
        for name, host in EDGES.items():
            if name not in found and text in world.machines[name].ask(host, 8000, path, site).text:
                found[name] = time.time()
        return len(found) == len(EDGES)

    def pointers() -> str:
        return "; ".join(
            f"{name}: {world.machines[name].path('/var/lib/portolan/builds/live.json').read_text()}"
            for name in ("web1", "web2", "publisher1", "publisher2")
            if name in world.machines
        )

    wait_until(look, lambda: f"{text} is on both edges. {pointers()}")
    return found


def sign_in(world: World) -> Browser:
    """The administrator."""
    browser = world.browser(2)
    form = browser.ask("GET", f"{STUDIO}/admin/login/")
    assert form.status == 200
    sent = {"username": world.login["user"], "password": world.login["password"], "next": "/admin/"}
    answer = submit(browser, "/admin/login/", sent)
    assert answer == 302, answer
    return browser


def submit(browser: Browser, path: str, fields: dict[str, str], file: tuple[str, str, bytes] | None = None) -> int:
    parts = {**fields, "csrfmiddlewaretoken": browser.cookies["__Host-csrftoken"]}
    body = b"".join(
        f'--drill\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in parts.items()
    )
    if file:
        head = f'--drill\r\nContent-Disposition: form-data; name="{file[0]}"; filename="{file[1]}"\r\nContent-Type: application/pdf\r\n\r\n'
        body += head.encode() + file[2] + b"\r\n"
    headers = {"Content-Type": "multipart/form-data; boundary=drill", "Referer": f"{STUDIO}{path}", "Origin": STUDIO}
    return browser.ask("POST", f"{STUDIO}{path}", body + b"--drill--\r\n", headers).status


def test_a_lead_with_a_file_is_in_the_studio_and_delivered_from_another_disk(world: World) -> None:
    form = world.form("Edsger Dijkstra", files={"paper.pdf": PDF})
    began = time.monotonic()
    answer = form.send()
    assert answer.status == 201
    wait_until(lambda: form.address in world.mail(), "the lead is delivered")
    (message,) = world.mail()[form.address]
    (attachment,) = message.iter_attachments()
    assert attachment.get_content() == PDF
    world.note(f"a lead with a file, from the form to the mailbox, over three disks: {time.monotonic() - began:.1f} s")
    browser = sign_in(world)
    inbox = browser.ask("GET", f"{STUDIO}/admin/leads/").body.decode()
    assert "Edsger Dijkstra" in inbox
    lead = f"/admin/leads/{lead_id(answer)}/"
    assert lead in inbox
    detail = browser.ask("GET", f"{STUDIO}{lead}").body.decode()
    (file,) = re.findall(rf'href="({lead}files/[^"]+)"', detail)
    assert browser.ask("GET", f"{STUDIO}{file}").body == PDF, "the file that another machine took"


def test_a_document_is_uploaded_and_both_edges_serve_it(world: World) -> None:
    browser = sign_in(world)
    assert browser.ask("GET", f"{STUDIO}/admin/documents/add/").status == 200
    fields = {"title": "Handover", "collection": "1"}
    assert submit(browser, "/admin/documents/add/", fields, ("file", "handover.pdf", PDF)) == 302
    editor = Editor(world.machines["studio"])
    saved = editor.offer("Handover")
    editor.end()
    live = serves_everywhere(world, "/media/documents/", "/about-us")
    page = world.machines["web2"].ask("10.0.0.12", 8000, "/about-us", "acme.example").text
    address = re.findall(r'"(/media/documents/[^"]+)"', page)[0]
    for name, host in EDGES.items():
        assert world.machines[name].ask(host, 8000, address, "acme.example").body == PDF, name
    world.note("a document, from its page's save to each edge: " + in_seconds(live, saved))


def test_an_edit_is_live_on_both_edges(world: World) -> None:
    editor = Editor(world.machines["studio"])
    took = []
    for number in range(8):
        saved = editor.change_phone(f"+44 20 7946 7{number:03}")
        took.append({name: at - saved for name, at in serves_everywhere(world, f"7946 7{number:03}").items()})
    editor.end()
    for name in EDGES:
        seconds = sorted(each[name] for each in took)
        world.note(
            f"an edit, from its save to {name}: {seconds[0]:.2f} to {seconds[-1]:.2f} s, median {seconds[4]:.2f}"
        )


def test_the_sites_go_back_and_on(world: World) -> None:
    publisher = world.machines["publisher1"]
    began = time.time()
    publisher.run("portolan rollback")
    back = serves_everywhere(world, "7946 7006")
    went_back = time.time()
    publisher.run("portolan resume")
    on = serves_everywhere(world, "7946 7007")
    world.note("rollback to each edge: " + in_seconds(back, began) + "; resume: " + in_seconds(on, went_back))
    assert all(world.browser().ask("GET", f"{site}/contact-us").status == 200 for site in SITES)


def in_seconds(found: dict[str, float], since: float) -> str:
    return ", ".join(f"{name} {at - since:.1f} s" for name, at in sorted(found.items()))
