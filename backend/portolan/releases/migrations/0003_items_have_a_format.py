from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("releases", "0002_pending_changes_name_their_author"),
    ]

    operations = [
        migrations.AddField(
            model_name="releaseitem",
            name="format",
            field=models.PositiveSmallIntegerField(default=1),
        ),
    ]
