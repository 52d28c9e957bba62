import django.db.models.deletion
import modelcluster.fields
from django.db import migrations, models

ENTRIES = (
    # old and new model of the rows; model of the entry; its name for people
    ("CertificateWords", "CertificateTranslation", "certificate", "certificate"),
    ("CvWords", "CvTranslation", "cv", "CV"),
    ("FacetWords", "FacetValueTranslation", "facetvalue", "facet value"),
    ("InsightShortWords", "InsightShortTranslation", "insightshort", "short"),
    ("InsightVideoWords", "InsightVideoTranslation", "insightvideo", "insight video"),
    ("ReviewWords", "ReviewTranslation", "review", "review"),
)
OFFICES = (
    ("OfficeText", "OfficeTranslation", "office", "one_office_text_per_locale", "one_office_translation_per_locale"),
    (
        "OfficeCategoryName",
        "OfficeCategoryTranslation",
        "category",
        "one_category_name_per_locale",
        "one_category_translation_per_locale",
    ),
)
PARENTS = {"office": "office", "category": "officecategory"}


def parental_key(model):
    return modelcluster.fields.ParentalKey(
        on_delete=django.db.models.deletion.CASCADE, related_name="translations", to=f"content.{model}"
    )


def rename(before, now, field, parent, old_constraint, new_constraint):
    """Operations that rename a model of translations, its constraint, and its relation. No row changes."""
    unique = models.UniqueConstraint(fields=(field, "locale"), name=new_constraint)
    return [
        migrations.RemoveConstraint(before, old_constraint),
        migrations.RenameModel(before, now),
        migrations.AlterField(now, field, parental_key(parent)),
        migrations.AddConstraint(now, unique),
    ]


def article(name):
    return "an" if name[0] in "aeio" else "a"


class Migration(migrations.Migration):
    """Rename the texts of an entry on a site to "translation" in all collections."""

    dependencies = [("content", "0009_films_of_our_own")]

    operations = [
        *(
            operation
            for before, now, entry, _ in ENTRIES
            for operation in rename(
                before, now, "entry", entry, f"one_{before.lower()}_per_locale", f"one_{now.lower()}_per_locale"
            )
        ),
        *(
            migrations.AlterModelOptions(
                now,
                {
                    "ordering": ("pk",),
                    "abstract": False,
                    "verbose_name": f"translation of {article(name)} {name}",
                    "verbose_name_plural": f"translations of {name}s",
                },
            )
            for _, now, _, name in ENTRIES
        ),
        *(
            operation
            for before, now, field, old, new in OFFICES
            for operation in rename(before, now, field, PARENTS[field], old, new)
        ),
    ]
