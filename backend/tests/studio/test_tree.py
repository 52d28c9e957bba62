"""The tree of pages: unfolded down to a page, loaded in parts, dragged to another place, and forbidden moves."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from wagtail.models import Page

from portolan.content.models import AboutPage, FolderPage, ServicePage
from portolan.domain.roles import Role, SiteRole
from portolan.studio import explorer
from portolan.studio.permissions import sync_role_group
from portolan.studio.tree import nodes

pytestmark = pytest.mark.django_db


@pytest.fixture
def pages(homes: Any, add_page: Any) -> dict[str, Any]:
    page_types = {"a": ServicePage, "b": FolderPage, "c": ServicePage}
    made = {slug: add_page(homes["de"], page_type, slug, title=slug.title()) for slug, page_type in page_types.items()}
    made["inner"] = add_page(made["b"], ServicePage, "inner", title="Inner")
    return made


@pytest.fixture
def kai(client: Client) -> User:
    user = User.objects.create_user("kai")
    user.groups.add(sync_role_group(SiteRole(Role.PUBLISHER, "de")))
    client.force_login(user)
    client.defaults["HTTP_HOST"] = "studio.localhost"
    return user


def _titles(children: Any) -> list[Any]:
    return [(node.title, _titles(node.children)) if node.children else node.title for node in children.nodes]


def test_is_unfolded_down_to_a_page(pages: Any, homes: Any, kai: User, client: Client) -> None:
    screen = client.get("/admin/tree/")
    assert _titles(screen.context["children"]) == ["A", "B", "C"]
    opened = client.get(f"/admin/tree/?open={pages['inner'].pk}")
    assert _titles(opened.context["children"]) == ["A", ("B", ["Inner"]), "C"]
    assert client.get("/admin/tree/en/").status_code == 302  # not one's own: Wagtail's sentence
    assert client.get(f"/admin/tree/?open={homes['en'].pk}").status_code == 404
    assert client.get(f"/admin/tree/below/{homes['en'].pk}/").status_code == 404
    below = client.get(f"/admin/tree/below/{pages['b'].pk}/").content.decode()
    assert "Inner" in below and "<html" not in below


def test_many_pages_come_in_parts(pages: Any, homes: Any, kai: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "AT_ONCE", 2)
    first = nodes.read_children(kai, homes["de"])
    assert (_titles(first), first.next, first.more) == (["A", "B"], 2, 1)
    rest = nodes.read_children(kai, homes["de"], first.next or 0)
    assert (_titles(rest), rest.next) == (["C"], None)
    assert not rest.nodes[0].is_first and rest.nodes[0].is_last
    there = nodes.read_children(kai, homes["de"], way=[pages["c"].pk])
    assert (_titles(there), there.last_before) == (["C"], pages["b"].pk)


def test_a_dropped_page_shows_what_follows_and_then_moves(pages: Any, kai: User, client: Client) -> None:
    address = f"/admin/tree/place/{pages['a'].pk}/{pages['b'].pk}/?before={pages['inner'].pk}"
    asked = client.get(address).content.decode()
    assert "moves below “B”" in asked and "before “Inner”" in asked
    pages["a"].refresh_from_db()
    assert pages["a"].get_parent().slug == "de"
    assert client.post(address).url == f"/admin/tree/?open={pages['a'].pk}"
    assert [page.slug for page in type(pages["b"]).objects.get(pk=pages["b"].pk).get_children()] == ["a", "inner"]
    for parent, said in ((pages["inner"], "cannot move below itself"), (pages["c"], "cannot be below “C”")):
        back = client.get(f"/admin/tree/place/{pages['b'].pk}/{parent.pk}/", follow=True)
        assert said in back.content.decode()
        asked = client.get(f"/admin/tree/place/{pages['b'].pk}/{parent.pk}/", headers={"Accept": "text/plain"})
        assert asked.status_code == 409
        assert said in asked.content.decode(), "for the script, which shows it at the line"


def test_pages_change_places(pages: Any, homes: Any, kai: User, client: Client) -> None:
    def order(**given: Any) -> str:
        client.post("/admin/tree/order/", given)
        home = type(homes["de"]).objects.get(pk=homes["de"].pk)
        return "".join(page.slug for page in home.get_children())

    assert order(up=pages["c"].pk) == "acb"
    assert order(down=pages["a"].pk) == "cab"
    assert order(up=pages["c"].pk) == "cab"
    assert order(page=pages["b"].pk, before=pages["c"].pk) == "bca"
    assert order(page=pages["b"].pk, before="") == "cab"


def test_who_may_not_move_has_no_button_and_no_way(
    pages: Any, homes: Any, add_page: Any, client: Client, kai: User
) -> None:
    add_page(homes["en"], AboutPage, "about", title="About")
    reader = User.objects.create_user("rea")
    reader.groups.add(sync_role_group(SiteRole(Role.READER, "de")))
    client.force_login(reader)
    screen = client.get("/admin/tree/")
    assert screen.status_code == 200 and 'draggable="true"' not in screen.content.decode()
    assert client.post("/admin/tree/order/", {"up": pages["c"].pk}).status_code == 302
    said = client.get(f"/admin/tree/place/{pages['a'].pk}/{pages['b'].pk}/", follow=True).content.decode()
    assert "You may not move" in said
    client.force_login(User.objects.create_user("nobody"))
    assert client.get("/admin/tree/").status_code == 302


def test_a_page_among_many_changes_places_with_those_between_alone(
    pages: Any, homes: Any, add_page: Any, kai: User, client: Client
) -> None:
    def move(**given: Any) -> int:
        with CaptureQueriesContext(connection) as queries:
            client.post("/admin/tree/order/", given)
        return sum("UPDATE" in query["sql"] and '"path"' in query["sql"] for query in queries.captured_queries)

    for number in range(5):
        add_page(homes["de"], ServicePage, f"more-{number}")
    assert move(down=pages["a"].pk) == 3, "one aside, the other, and back"
    home = type(homes["de"]).objects.get(pk=homes["de"].pk)
    assert [page.slug for page in home.get_children()][:3] == ["b", "a", "c"]
    assert [page.slug for page in type(pages["b"]).objects.get(pk=pages["b"].pk).get_children()] == ["inner"]
    assert Page.find_problems() == ([], [], [], [], [])


def test_of_too_many_pages_the_tree_is_where_they_are_ordered(
    pages: Any, homes: Any, kai: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"/admin/pages/{homes['de'].pk}/?ordering=ord"
    assert "data-controller" in client.get(address).content.decode()
    monkeypatch.setattr(explorer, "MOST", 2)
    assert client.get(address.removesuffix("?ordering=ord")).status_code == 200
    answer = client.get(address, follow=True)
    assert answer.redirect_chain == [(f"/admin/tree/?open={homes['de'].pk}", 302)]
    assert "has 3 child pages" in answer.content.decode()
