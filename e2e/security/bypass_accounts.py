"""Make live content of three sites and the accounts of ``test_bypass`` in an installation, and print the accounts'
sessions and the URLs of the studio's screens: ``python -m e2e.security.bypass_accounts``.
"""

import json
from typing import Final

from portolan.config.start_django import start_django
from portolan_dev.studio_screens import find_examples, list_screens

ROLES: Final = {"editor": ("editor",), "elsewhere": ("editor", "publisher:en"), "reviewed": ("publisher",)}


def main() -> None:
    start_django()
    from django.conf import settings
    from django.contrib.auth import get_user_model
    from django.test import Client

    from portolan.domain.roles import parse_site_role
    from portolan.studio.permissions import sync_role_group
    from tests import conftest
    from tests.studio.going_live.world import make_world

    conftest.make_sites(settings.MEDIA_ROOT)
    world = make_world(get_user_model().objects.create_user("owner"))
    people = {}
    for name, roles in ROLES.items():
        user = get_user_model().objects.create_user(name)
        user.groups.set([sync_role_group(parse_site_role(role)) for role in roles])
        client = Client()
        client.force_login(user)
        people[name] = {"user": user.pk, "session": client.cookies[settings.SESSION_COOKIE_NAME].value}
    screens = [screen.address for screen in list_screens(find_examples()) if not screen.missing]
    print(json.dumps({"people": people, "world": world._asdict(), "screens": screens}))


if __name__ == "__main__":
    main()
