"""``portolan users``: manage the studio's accounts with only the database, such as when you cannot sign in."""

from datetime import datetime
from typing import TYPE_CHECKING, Final

import click

from ..config.env import env
from ..config.start_django import start_django, start_django_to_write
from ..domain.moments import stamp
from ..domain.roles import ALL_SITES, Role, SiteRole, parse_site_role

if TYPE_CHECKING:
    from django.contrib.auth.models import User

_ROLES: Final = "ROLE for all sites, or ROLE:SITE, such as editor:de. Roles: " + ", ".join(Role)
_OF_OLD: Final = {"leads": Role.LEAD_HANDLER}
"""Earlier names of roles."""


@click.group()
def command() -> None:
    """Manage studio accounts.

    Needs only the database, so it works while studio and mail server are down.
    """


@command.command("list")
def list_users() -> None:
    """List accounts: roles, second factors, sessions, locks."""
    start_django()
    from django.contrib.auth import get_user_model
    from django.db.models import Count, Q
    from django.utils import timezone

    from ..accounts.throttle import is_locked

    live = Q(studio_sessions__expire_date__gt=timezone.now())
    users = get_user_model().objects.annotate(
        factors=Count("second_factors", distinct=True),
        providers=Count("provider_accounts", distinct=True),
        sessions=Count("studio_sessions", live, distinct=True),
    )
    for user in users.order_by("username"):
        groups = [
            str(group.site_role) if hasattr(group, "site_role") else f"group {group.name}"
            for group in user.groups.select_related("site_role")
        ]
        marks = [
            "superuser" if user.is_superuser else ", ".join(sorted(groups)) or "no role",
            _count(user.factors, "second factor"),
            *(["single sign-on"] if user.providers else []),
            f"last in {_when(user.last_login)}",
            _count(user.sessions, "session"),
            *(["DISABLED"] if not user.is_active else []),
            *(["LOCKED: too many failed sign-ins"] if is_locked(user.username) else []),
            *(["no password yet"] if not user.has_usable_password() else []),
        ]
        click.echo(f"{user.username}  {'; '.join(marks)}")


@command.command("add")
@click.argument("name")
@click.option("--full-name", default="", help="First and last name, as colleagues see them.")
@click.option("--email", default="", help="E-mail address.")
@click.option(
    "--role",
    "roles",
    multiple=True,
    default=("publisher",),
    show_default=True,
    help=f"{_ROLES}. Repeat for more.",
)
@click.option("--superuser", is_flag=True, help="Give every permission, also for groups of your own.")
def add(name: str, full_name: str, email: str, roles: tuple[str, ...], superuser: bool) -> None:
    """Add an account and print a link to choose a password.

    The link works once, for three days.
    """
    start_django_to_write()
    from django.contrib.auth import get_user_model
    from django.core.exceptions import ValidationError

    from ..accounts.provider_accounts import invite
    from ..studio.people.giving import set_roles

    User = get_user_model()
    if User.objects.filter(username__iexact=name).exists():
        raise click.ClickException(f"There is an account {name} already. List all accounts: `portolan users list`")
    _check_address(email)
    first_name, _, last_name = full_name.partition(" ")
    wanted = _read_roles(roles)
    # Scripts rely on this: administrators were superusers before there were roles.
    is_superuser = superuser or SiteRole(Role.ADMINISTRATOR, ALL_SITES) in wanted
    user = User(username=name, first_name=first_name, last_name=last_name, email=email, is_superuser=is_superuser)
    user.set_unusable_password()
    try:
        user.full_clean()
    except ValidationError as error:
        raise click.ClickException(f"This account cannot be created: {' '.join(error.messages)}") from error
    user.save()
    set_roles(user, wanted, None)
    invite(user)
    click.echo(
        f"{name} can sign in after choosing a password. The first person to open this link chooses it:", err=True
    )
    click.echo(_link(user))


@command.command("set-roles")
@click.argument("name")
@click.argument("roles", nargs=-1)
def set_roles_of(name: str, roles: tuple[str, ...]) -> None:
    """Replace the roles of an account.

    Each is ROLE or ROLE:SITE. Without any, all roles are removed. Your own groups stay.
    """
    wanted = _read_roles(roles)
    user = _find(name)
    from ..rights.held import roles_of
    from ..studio.people.giving import set_roles

    set_roles(user, wanted, None)
    click.echo(f"{user.username}: {', '.join(sorted(map(str, roles_of(user)))) or 'no role'}.")


@command.command("set-password")
@click.argument("name")
@click.option("--prompt", is_flag=True, help="Ask for the new password here. Print no link.")
def set_password(name: str, prompt: bool) -> None:
    """Reset a password and print a link to choose another.

    Ends all sessions.
    """
    user = _find(name)
    from ..accounts.endings import sign_out

    if prompt:
        _set(user, click.prompt("New password", hide_input=True, confirmation_prompt=True))
    else:
        user.set_unusable_password()
    user.save()
    sign_out(user)
    if prompt:
        click.echo(f"{user.username} has the new password, and is signed out everywhere.", err=True)
        return
    click.echo(
        f"{user.username} is signed out, and can only sign in with this link. It works once, for three days:",
        err=True,
    )
    click.echo(_link(user))


@command.command("set-address")
@click.argument("name")
@click.argument("email")
def set_address(name: str, email: str) -> None:
    """Set the e-mail address of an account, unconfirmed.

    Make sure that the owner has this address.
    """
    user = _find(name)
    _check_address(email, user)
    from ..accounts.addresses import forget_pending

    user.email = email
    user.save(update_fields=["email"])
    forget_pending(user)
    click.echo(f"{user.username} has the e-mail address {user.email}.")


@command.command("allow-sso")
@click.argument("names", nargs=-1)
@click.option(
    "--everybody", is_flag=True, help="All accounts with an e-mail address, but without a password or passkey."
)
def allow_single_sign_on(names: tuple[str, ...], everybody: bool) -> None:
    """Connect an account at its first single sign-on.

    The e-mail addresses must be equal. Works once, within seven days.

    Check the addresses first: the person who has an address at the provider gets the account. Owners of accounts with a
    password or a passkey connect them under Account, Signing in.
    """
    if bool(names) == everybody:
        raise click.UsageError("Give names, or --everybody.")
    start_django_to_write()
    from django.contrib.auth import get_user_model

    from ..accounts.provider_accounts import invite, may_be_invited

    everyone = get_user_model().objects.order_by("username")
    users = [_find(name) for name in names] or [user for user in everyone if may_be_invited(user)]
    for user in users:
        if not may_be_invited(user):
            raise click.ClickException(
                f"{user.username} has a password or passkey, has no e-mail address, or is disabled. Nothing changed. "
                "Accounts with a password or a passkey connect themselves, under Account, Signing in."
            )
        click.echo(f"{user.username}  {user.email}")
    if everybody and users:
        click.confirm("Does each address belong to its account's owner?", abort=True)
    click.echo(f"{_count(sum(map(invite, users)), 'account')} can be connected by single sign-on within seven days.")


@command.command("disconnect-sso")
@click.argument("name")
def disconnect_single_sign_on(name: str) -> None:
    """Disconnect an account from single sign-on.

    Ends all its sessions.
    """
    user = _find(name)
    from ..accounts.endings import sign_out as end
    from ..accounts.provider_accounts import disconnect

    count = disconnect(user)
    end(user)
    click.echo(
        f"{_count(count, 'account')} of single sign-on disconnected from {user.username}, who is signed out everywhere."
    )


@command.command("disable")
@click.argument("name")
def disable(name: str) -> None:
    """Disable an account and end its sessions.

    Its changes keep its name.
    """
    user = _find(name)
    from django.contrib.auth import get_user_model

    others = get_user_model().objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    if user.is_superuser and not others.exists():
        raise click.ClickException(
            f"{user.username} is the last superuser, the only account that can give rights. Nothing changed. Add another first: "
            "`portolan users add NAME --superuser`"
        )
    user.is_active = False
    user.save()
    click.echo(f"{user.username} is disabled and signed out everywhere.")


@command.command("enable")
@click.argument("name")
def enable(name: str) -> None:
    """Enable a disabled account."""
    user = _find(name)
    user.is_active = True
    user.save()
    click.echo(f"{user.username} can sign in again.")


@command.command("reset-second-factor")
@click.argument("name")
def reset(name: str) -> None:
    """Remove the second factors of an account.

    Removes apps, passkeys and recovery codes, and ends all sessions. The password alone is enough then.
    """
    user = _find(name)
    from ..accounts.endings import reset_second_factor

    count = reset_second_factor(user)
    click.echo(f"{_count(count, 'second factor')} of {user.username} removed. The account is signed out everywhere.")


@command.command("unlock")
@click.argument("name")
def unlock(name: str) -> None:
    """Unlock an account after too many failed logins."""
    start_django_to_write()
    from ..accounts.throttle import unlock as forgive

    click.echo(f"{name} is unlocked: {_count(forgive(name), 'failed sign-in')} cleared.")


@command.command("sign-out")
@click.argument("name", required=False)
@click.option("--everybody", is_flag=True, help="All sessions of the studio.")
def sign_out(name: str | None, everybody: bool) -> None:
    """End the sessions of one account, or all sessions."""
    if bool(name) == everybody:
        raise click.UsageError("Give a name, or --everybody.")
    if everybody:
        start_django_to_write()
        from ..accounts.models import StudioSession

        click.echo(f"{_count(StudioSession.objects.all().delete()[0], 'session')} ended.")
        return
    user = _find(name or "")
    from ..accounts.endings import sign_out as end

    click.echo(f"{_count(end(user), 'session')} of {user.username} ended.")


def _read_roles(texts: tuple[str, ...]) -> set[SiteRole]:
    sites = env().registry.sites
    found = set()
    for text in texts:
        role, colon, site = text.partition(":")
        try:
            held = parse_site_role(f"{_OF_OLD.get(role, role)}{colon}{site}")
        except ValueError:
            raise click.ClickException(f"There is no role {role!r}. Roles: {', '.join(Role)}.") from None
        if held.site not in (ALL_SITES, *sites):
            raise click.ClickException(f"There is no site {site!r}. Sites: {', '.join(sites)}.")
        found.add(held)
    return found


def _find(name: str) -> "User":
    start_django_to_write()
    from django.contrib.auth import get_user_model

    user: User | None = get_user_model().objects.filter(username=name).first()
    if user is None:
        raise click.ClickException(f"There is no account {name}. List all accounts: `portolan users list`")
    return user


def _check_address(email: str, user: "User | None" = None) -> None:
    from ..accounts.addresses import is_taken

    try:
        taken = bool(email) and is_taken(email, apart_from=user)
    except ValueError as error:
        raise click.ClickException(f"{email}: {error} Nothing changed.") from None
    if taken:
        raise click.ClickException(f"Another account has the address {email}. Nothing changed.")


def _set(user: "User", password: str) -> None:
    from django.contrib.auth.password_validation import validate_password
    from django.core.exceptions import ValidationError

    try:
        validate_password(password, user)
    except ValidationError as error:
        raise click.ClickException(" ".join(error.messages)) from error
    user.set_password(password)


def _link(user: "User") -> str:
    from django.conf import settings
    from django.contrib.auth.tokens import default_token_generator
    from django.urls import reverse
    from django.utils.encoding import force_bytes
    from django.utils.http import urlsafe_base64_encode

    parts = [urlsafe_base64_encode(force_bytes(user.pk)), default_token_generator.make_token(user)]
    return f"{settings.WAGTAILADMIN_BASE_URL}{reverse('studio_choose_password', args=parts)}"


def _when(at: datetime | None) -> str:
    return stamp(at) if at else "never"


def _count(count: int, what: str, many: str = "") -> str:
    return f"1 {what}" if count == 1 else f"{count or 'no'} {many or what + 's'}"
