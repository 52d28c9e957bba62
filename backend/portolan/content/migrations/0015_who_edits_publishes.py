"""Give everyone who may change entries, menus, footers, rate cards and redirects the right to publish them.

Without drafts, changes were live at once, so the same people keep this right.
"""

from django.contrib.auth import get_permission_codename
from django.db import migrations

_MODELS = (
    "certificate", "cv", "facetvalue", "footersettings", "insightshort", "insightvideo", "menusettings", "office",
    "officecategory", "phone", "ratecardsettings", "redirect", "review",
)
_ACTIONS = ("publish", "lock", "unlock")


def give_rights(apps, schema_editor):
    ContentType = apps.get_model("contenttypes", "ContentType")
    Permission = apps.get_model("auth", "Permission")
    GroupSitePermission = apps.get_model("wagtailcore", "GroupSitePermission")
    for name in _MODELS:
        model = apps.get_model("content", name)
        content_type = ContentType.objects.filter(app_label="content", model=name).first()
        change = content_type and Permission.objects.filter(
            content_type=content_type, codename=get_permission_codename("change", model._meta)
        ).first()
        if not change:  # a new installation: nobody has a right yet
            continue
        for action in _ACTIONS:
            given, _ = Permission.objects.get_or_create(
                content_type=content_type,
                codename=get_permission_codename(action, model._meta),
                defaults={"name": f"Can {action} {model._meta.verbose_name_raw}"},
            )
            for group in change.group_set.all():
                group.permissions.add(given)
            for user in change.user_set.all():
                user.user_permissions.add(given)
            for row in GroupSitePermission.objects.filter(permission=change):
                GroupSitePermission.objects.get_or_create(group=row.group, site=row.site, permission=given)


class Migration(migrations.Migration):
    dependencies = [
        ("content", "0014_drafts"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [migrations.RunPython(give_rights, migrations.RunPython.noop)]
