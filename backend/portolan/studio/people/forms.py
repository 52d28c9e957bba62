"""Forms of an account, with a table of its roles for each site."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from django import forms
from django.contrib.auth.models import Group, User
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from wagtail.users.forms import UserCreationForm, UserEditForm

from ...accounts.addresses import is_taken
from ...domain.roles import TEXTS, Role, RoleText, SiteRole, parse_site_role
from ...rights.held import roles_of
from ..site_names import site_name
from .giving import list_site_roles, say_where, set_roles
from .looking_after import may_give

_TAKEN: Final = _("Another account has this address.")


def check_address(email: str, user: User | None) -> None:
    """Raise ValidationError if the address cannot be this account's."""
    try:
        if is_taken(email, apart_from=user):
            raise forms.ValidationError(_TAKEN)
    except ValueError:
        raise forms.ValidationError(gettext("This is not an e-mail address. Enter it as name@domain.")) from None


class Cell(NamedTuple):
    value: str
    label: str
    is_ticked: bool


class RolesTable(forms.CheckboxSelectMultiple):
    """A line for each site, a column for each role."""

    template_name = "studio/people/roles_table.html"

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        ticked = {str(each) for each in value or ()}
        rows: dict[str, dict[Role, Cell]] = {}
        for text, label in self.choices:
            held = parse_site_role(str(text))
            rows.setdefault(held.site, {})[held.role] = Cell(str(text), str(label), str(text) in ticked)
        context["columns"] = [RoleText(*map(gettext, TEXTS[role])) for role in Role]
        context["rows"] = [
            (site_name(site) if site else gettext("All sites"), [cells.get(role) for role in Role])
            for site, cells in rows.items()
        ]
        return context


_ORDER: Final = ("first_name", "last_name", "email", "username", "roles", "groups", "is_superuser", "is_active")
"""Wagtail lists its form's fields in a set, so their order varies."""


class _WithRoles(forms.ModelForm[Any]):
    """Form with roles. The user may also be in other groups of the company, which superusers assign."""

    for_user: Any
    fields: dict[str, Any]

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        check_address(email, self.instance)
        return email

    def _add_roles(self) -> None:
        viewer = self.for_user
        offered = [held for held in list_site_roles() if may_give(viewer, held)]
        held = set(roles_of(self.instance)) if self.instance.pk else set()
        self._out_of_reach = held - set(offered)
        self.fields["roles"] = forms.MultipleChoiceField(
            label=gettext("Roles"),
            required=False,
            choices=[
                (
                    str(each),
                    f"{gettext(TEXTS[each.role].name)}, {say_where(each)}",
                )
                for each in offered
            ],
            initial=[str(each) for each in held],
            widget=RolesTable,
        )
        if viewer.is_superuser:
            self.fields["groups"].label = gettext("Groups of your own")
            self.fields["groups"].queryset = Group.objects.filter(site_role=None)
        else:
            del self.fields["groups"]
            self.fields.pop("is_superuser", None)
        self.order_fields(_ORDER)

    def _wanted(self) -> Iterable[SiteRole]:
        return self._out_of_reach | {parse_site_role(text) for text in self.cleaned_data["roles"]}

    def _save_m2m(self) -> None:
        """Save the groups. Django would remove roles, because they are groups outside the form's list."""
        roles = Group.objects.filter(site_role__isnull=False, user=self.instance)
        kept = list(roles)
        super()._save_m2m()  # type: ignore[misc]
        self.instance.groups.add(*kept)
        set_roles(self.instance, self._wanted(), self.for_user)


class InviteForm(_WithRoles, UserCreationForm):
    """Form without a password. The owner chooses one."""

    password_enabled = False

    def __init__(self, *args: Any, for_user: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.for_user = for_user
        self._add_roles()

    def save(self, commit: bool = True) -> Any:
        self.instance.set_unusable_password()
        return super().save(commit)


class PersonForm(_WithRoles, UserEditForm):
    def __init__(self, *args: Any, for_user: Any = None, **kwargs: Any) -> None:
        self.for_user = for_user
        super().__init__(*args, **kwargs)
        self._add_roles()
        if self.instance == for_user:
            del self.fields["email"]  # changed under Account → Signing in, where a new address is confirmed
            if not for_user.is_superuser:
                del self.fields["roles"]  # people must not extend their own rights

    @property
    def password_enabled(self) -> bool:
        return bool(self.instance != self.for_user and super().password_enabled)

    def _wanted(self) -> Iterable[SiteRole]:
        return super()._wanted() if "roles" in self.fields else roles_of(self.instance)
