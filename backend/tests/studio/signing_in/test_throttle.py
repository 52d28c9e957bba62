"""Limits on sign-in attempts: which accounts they slow down, and the messages."""

import threading

import pytest
from django.test import Client

from portolan.accounts import hashing
from portolan.accounts.models import SignIn
from portolan.accounts.throttle import is_locked, unlock
from portolan.domain.sign_in_limits import PASSWORD_LIMITS

from .conftest import is_in, sign_in

PAIR, CLIENT, NAME = (limit.failures for limit in PASSWORD_LIMITS)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sites")]


def guess(client: Client, times: int, name: str = "ada") -> list[int]:
    return [sign_in(client, "wrong", name).status_code for _ in range(times)]


def test_after_five_wrong_passwords_not_even_the_right_one_is_looked_at(ada, browser, clock):
    client = browser()
    assert guess(client, PAIR) == [200] * PAIR
    clock.pass_by(seconds=60)
    reply = sign_in(client)
    assert reply.status_code == 429
    assert reply["Retry-After"] == str(15 * 60 - 60)
    assert "Try again in 14 minutes." in reply.content.decode()
    assert "ask an administrator" in reply.content.decode()
    clock.pass_by(minutes=14)
    assert sign_in(client).status_code == 302
    assert is_in(client)


def test_it_says_nothing_of_whether_there_is_such_an_account(ada, browser):
    known, unknown = browser("192.0.2.1"), browser("192.0.2.2")
    for client, name in ((known, "ada"), (unknown, "nobody")):
        guess(client, PAIR, name)
    said = [sign_in(client, name=name) for client, name in ((known, "ada"), (unknown, "nobody"))]
    assert [reply.status_code for reply in said] == [429, 429]
    assert said[0].content == said[1].content
    known, unknown = (sign_in(browser("192.0.2.3"), "wrong", name) for name in ("ada", "nobody"))
    assert known.context["form"].non_field_errors() == unknown.context["form"].non_field_errors()


def test_an_attacker_elsewhere_locks_nobody_out_who_has_been_here(ada, browser, clock):
    home, away = browser("198.51.100.1"), browser("198.51.100.2")
    sign_in(home)
    clock.pass_by(days=20)
    for number in range(NAME // PAIR):
        guess(browser(f"203.0.113.{number}"), PAIR)
    assert sign_in(home).status_code == 302
    reply = sign_in(away)
    assert reply.status_code == 429
    assert "From a network where you signed in recently" in reply.content.decode()
    clock.pass_by(hours=1)
    assert sign_in(away).status_code == 302


def test_one_client_cannot_go_through_names(browser):
    client = browser()
    tried = [guess(client, 1, f"name{number}")[0] for number in range(CLIENT + 1)]
    assert tried == [200] * CLIENT + [429]


def test_a_network_of_ipv6_is_one_client(ada, browser):
    for number in range(PAIR):
        guess(browser(f"2001:db8::{number + 1}"), 1)
    assert sign_in(browser("2001:db8::ffff")).status_code == 429
    assert sign_in(browser("2001:db8:0:1::1")).status_code == 302


def test_a_name_is_the_same_however_it_is_written(ada, browser):
    for name in ("ada", "ADA", " ada", "Ada", "aDa"):
        guess(browser(), 1, name)
    assert sign_in(browser()).status_code == 429


def test_success_forgives_what_was_mistyped_there(ada, browser, clock):
    client = browser()
    for _ in range(4):
        guess(client, PAIR - 1)
        clock.pass_by(seconds=1)
        assert sign_in(client).status_code == 302
        client.post("/admin/logout/")
        clock.pass_by(seconds=1)


def test_a_flood_writes_few_rows(ada, browser):
    guess(browser(), PAIR + 20)
    assert SignIn.objects.count() == PAIR + 1


def test_an_administrator_can_let_somebody_try_again(ada, browser):
    client = browser()
    guess(client, PAIR + 1)
    assert is_locked("ADA")
    assert unlock("Ada") == PAIR + 1
    assert not is_locked("ada")
    assert sign_in(client).status_code == 302


def test_passwords_are_hashed_one_after_the_other(monkeypatch):
    """Only one password is hashed at a time."""
    meets: list[int] = []
    inside = 0
    lock = threading.Lock()

    def hash_alone(self, password, salt, iterations=None):
        nonlocal inside
        with lock:
            inside += 1
            meets.append(inside)
        with lock:
            inside -= 1
        return threading.current_thread().name

    monkeypatch.setattr(hashing.PBKDF2PasswordHasher, "encode", hash_alone)
    names: list[str] = []
    threads = [
        threading.Thread(target=lambda: names.append(hashing.PatientHasher().encode("password", "salt")))
        for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert meets == [1] * 20
    assert set(names) == {"passwords_0"}
