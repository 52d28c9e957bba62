import django.db.models.deletion
from django.db import migrations, models


def copy_rows(apps, schema_editor):
    """Copy the rows of pages, which were the only local versions."""
    rows = list(apps.get_model("content", "LocalVersion").objects.all())
    if not rows:
        return
    pages, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(app_label="wagtailcore", model="page")
    new = apps.get_model("content", "NewLocalVersion")
    new.objects.bulk_create(
        new(
            content_type_id=pages.pk,
            object_id=row.page_id,
            source_id=row.source_id,
            fields=row.fields,
            blocks=row.blocks,
            kept=row.kept,
            refused=row.refused,
        )
        for row in rows
    )
    schema_editor.connection.check_constraints()  # PostgreSQL refuses to rename a table with checks to come


class Migration(migrations.Migration):
    """Let any object be a local version. The former table is in no released version, so it goes at once."""

    dependencies = [
        ("contenttypes", "0002_remove_content_type_name"),
        ("content", "0022_local_versions"),
    ]

    operations = [
        migrations.CreateModel(
            name="NewLocalVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("object_id", models.PositiveBigIntegerField()),
                ("source_id", models.PositiveBigIntegerField(db_index=True, verbose_name="source")),
                ("fields", models.JSONField(default=dict)),
                ("blocks", models.JSONField(default=list)),
                ("kept", models.JSONField(default=list)),
                ("refused", models.TextField(blank=True)),
                (
                    "content_type",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="contenttypes.contenttype"
                    ),
                ),
            ],
            options={"verbose_name": "local version"},
        ),
        migrations.RunPython(copy_rows, migrations.RunPython.noop),
        migrations.DeleteModel("LocalVersion"),
        migrations.RenameModel("NewLocalVersion", "LocalVersion"),
        migrations.AddConstraint(
            "LocalVersion", models.UniqueConstraint(fields=("content_type", "object_id"), name="one_local_version")
        ),
    ]
