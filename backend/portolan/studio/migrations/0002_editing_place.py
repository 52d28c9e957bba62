import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("studio", "0001_deleted_pages"),
        ("wagtailadmin", "0005_editingsession_is_editing"),
    ]

    operations = [
        migrations.CreateModel(
            name="EditingPlace",
            fields=[
                (
                    "session",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="place",
                        serialize=False,
                        to="wagtailadmin.editingsession",
                    ),
                ),
                ("at", models.CharField(max_length=64)),
            ],
            options={"verbose_name": "place of an editor"},
        ),
    ]
