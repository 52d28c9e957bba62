import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("studio", "0002_editing_place"),
        ("wagtailcore", "0098_apitoken"),
    ]

    operations = [
        migrations.CreateModel(
            name="FormSave",
            fields=[
                (
                    "revision",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="wagtailcore.revision",
                    ),
                ),
                ("form", models.CharField(db_index=True, max_length=32)),
                ("saved_at", models.DateTimeField()),
            ],
            options={
                "verbose_name": "save of a form",
            },
        ),
    ]
