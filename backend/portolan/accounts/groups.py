"""Synchronise a user's groups with the groups at the single sign-on provider."""

import logging
from collections.abc import Collection, Mapping

from django.contrib.auth.models import Group, User
from django.db import transaction

_log = logging.getLogger(__name__)


def follow_groups(user: User, ours: Mapping[str, str], theirs: Collection[str]) -> None:
    """Add and remove the groups in ``ours`` according to ``theirs``. Other groups stay.

    ``ours``: the studio's group by the provider's group. ``theirs``: the user's groups at the provider.
    """
    if not ours:
        return
    wanted = {ours[name] for name in theirs if name in ours}
    with transaction.atomic():
        groups = {group.name: group for group in Group.objects.filter(name__in=set(ours.values()))}
        had = {*user.groups.filter(name__in=groups).values_list("name", flat=True)}
        user.groups.remove(*(groups[name] for name in had - wanted))
        user.groups.add(*(groups[name] for name in wanted & groups.keys() - had))
    if missing := set(ours.values()) - groups.keys():
        _log.error("PORTOLAN_OIDC_GROUPS names groups that are missing in the studio: %s", ", ".join(sorted(missing)))
    if had != wanted & groups.keys():
        _log.info("Groups of account %s from its provider: %s", user.pk, ", ".join(sorted(wanted)) or "none")
