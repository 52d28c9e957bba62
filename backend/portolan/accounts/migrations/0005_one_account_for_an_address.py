import logging

from django.db import migrations

from portolan.domain.email_addresses import store_address

_log = logging.getLogger(__name__)


def give_each_address_one_account(apps, schema_editor):
    """Keep a shared address only on the oldest of its accounts.

    Accounts do not sign in by address, so this decides only which account gets the mail.
    """
    User = apps.get_model("auth", "User")
    first = {}
    for user in User.objects.exclude(email="").order_by("pk"):
        try:
            email = store_address(user.email)
        except ValueError:
            email = user.email
        other = first.setdefault(email.lower(), user.username)
        if other != user.username:
            email = ""
            _log.warning(
                "The accounts %s and %s had the same e-mail address. %s has none now. If the address is theirs, run: "
                "portolan users set-address",
                other, user.username, user.username,
            )  # fmt: skip
        if email != user.email:
            User.objects.filter(pk=user.pk).update(email=email)


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_addresses_and_provider_accounts'),
    ]

    operations = [
        migrations.RunPython(give_each_address_one_account, migrations.RunPython.noop),
        migrations.RunSQL(
            "CREATE UNIQUE INDEX accounts_address_of_one ON auth_user (lower(email)) WHERE email <> ''",
            "DROP INDEX accounts_address_of_one",
        ),
    ]
