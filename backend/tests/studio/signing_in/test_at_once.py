"""Many sign-ins at the same moment."""

import threading

import pytest
from django.contrib.auth.models import User
from django.db import connection

from portolan.accounts.models import SignIn
from portolan.accounts.throttle import TooManyTries, begin
from portolan.domain.sign_in_limits import PASSWORD_LIMITS

PAIR = PASSWORD_LIMITS[0].failures


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("many_connections")
def test_many_at_once_get_no_more_tries_than_one_after_the_other(rf):
    User.objects.create_user("ada")
    begun: list[bool] = []

    def attempt() -> None:
        try:
            begin(rf.post("/", REMOTE_ADDR="192.0.2.9"), "ada")
            begun.append(True)
        except TooManyTries:
            begun.append(False)
        finally:
            connection.close()

    threads = [threading.Thread(target=attempt) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(begun) == 12
    assert sum(begun) <= PAIR
    assert SignIn.objects.filter(result=SignIn.Result.TRYING).count() == sum(begun)
