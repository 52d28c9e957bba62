"""Forms of images and documents.

If a user may not change a live file, saving creates a new file with the changes. It goes live when the user chooses it
on a page and publishes the page.
"""

from pathlib import PurePath
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.files.base import ContentFile
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from wagtail.actions.create import CreateAction
from wagtail.admin import messages
from wagtail.admin.auth import require_admin_access
from wagtail.documents.models import Document
from wagtail.documents.views.documents import EditView as DocumentEditView
from wagtail.documents.views.documents import IndexView as DocumentsView
from wagtail.images.views.images import EditView as PictureEditView
from wagtail.images.views.images import IndexView as PicturesView
from wagtail.permissions import policy_registry

from ...content.in_order import NamesInOrder
from ...content.picture_files import EncodedPicture
from ...content.pictures import SiteImage
from ...domain.picture_losses import describe_losses
from .live import LiveFilePolicy, may_change, sites_showing

_STUDIO_ONLY: Final = frozenset({"tags"})
"""Fields that only the studio shows."""
_DERIVED: Final = {"published": dict, "published_from": str}
"""Fields that are derived again from the uploaded file."""


class _SaveAsNewFile:
    """Mixin for Wagtail's view of a file's form."""

    request: HttpRequest
    permission_policy: LiveFilePolicy
    form: Any
    object: Any
    made: Any = None
    """The new file, if one was created."""

    def get_object(self, queryset: Any = None) -> Any:
        file: Any = self.model._default_manager.filter(pk=self.kwargs[self.pk_url_kwarg]).first()  # type: ignore[attr-defined]
        if file is None or self.permission_policy.user_has_permission_for_instance(self.request.user, "change", file):
            return super().get_object(queryset)  # type: ignore[misc]
        if not self.permission_policy.may_open(self.request.user, file):
            raise PermissionDenied
        return file

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        answer: HttpResponse = super().get(request, *args, **kwargs)  # type: ignore[misc]
        if not may_change(request.user, self.object):
            messages.info(request, _describe_effect(self.object))
        return answer

    def save_instance(self) -> Any:
        changed = set(self.form.changed_data) - _STUDIO_ONLY
        if not changed or may_change(self.request.user, type(self.object)._default_manager.get(pk=self.object.pk)):
            return super().save_instance()  # type: ignore[misc]
        return self.save_as_new()

    def save_as_new(self, upload: ContentFile[bytes] | None = None) -> Any:
        """Save the form as a new file. ``upload``: its content, to replace the form's and the stored content."""
        self.made = _detach(self.form, self.request.user, upload)
        CreateAction(self.made, user=self.request.user, form=self.form).execute(skip_permission_checks=True)
        return self.made

    def get_success_message(self) -> Any:
        if self.made is None:
            return super().get_success_message()  # type: ignore[misc]
        return _describe_new_file(self.made)


def _detach(form: Any, user: Any, upload: ContentFile[bytes] | None) -> Any:
    """Turn the form's instance into a new file with its own bytes, so that removing one file leaves the other."""
    file = form.instance
    stored = type(file)._default_manager.get(pk=file.pk)
    if upload is not None:
        file.file = upload
        file._set_image_file_metadata()
    elif "file" not in form.changed_data:
        with stored.file.storage.open(stored.file.name, "rb") as upload:
            file.file = ContentFile(upload.read(), name=PurePath(stored.file.name).name)
    file.pk, file._state.adding, file.uploaded_by_user = None, True, user
    for name, empty in _DERIVED.items():
        if hasattr(file, name):
            setattr(file, name, empty())
    form.original_file = None  # otherwise Wagtail removes it when another file replaces it
    return file


def _describe_effect(file: Any) -> str:
    names = _name_sites(file)
    if isinstance(file, SiteImage):
        text = gettext(
            "Visitors see this image on {sites}. You may not publish there without a review. If you save changes, the studio creates "
            "a new image. This image does not change."
        )
    else:
        text = gettext(
            "Visitors see this document on {sites}. You may not publish there without a review. If you save changes, the studio creates "
            "a new document. This document does not change."
        )
    return text.format(sites=names)


def _describe_new_file(file: Any) -> str:
    if isinstance(file, SiteImage):
        text = gettext(
            "Saved as a new image “{title}”. Visitors still see the previous image. To replace it, choose the new image on each "
            "page, then publish the pages or send them to review."
        )
    else:
        text = gettext(
            "Saved as a new document “{title}”. Visitors still see the previous document. To replace it, choose the new document "
            "on each page, then publish the pages or send them to review."
        )
    return text.format(title=file.title)


def _name_sites(file: Any) -> str:
    return ", ".join(settings.SITES_REGISTRY.sites[key].name for key in sorted(sites_showing(file)))


class EditPicture(_SaveAsNewFile, PictureEditView):
    def save_instance(self) -> Any:
        if self.form.cropped:
            return self._save_cropped(self.form.cropped)
        saved = super().save_instance()
        if "file" in self.form.changed_data and saved.losses:
            messages.warning(self.request, describe_losses(saved.losses, gettext))
        return saved

    def _save_cropped(self, cropped: EncodedPicture) -> Any:
        picture: SiteImage = self.form.instance
        ((ending, content),) = cropped.files.items()
        if "title" not in self.form.changed_data:
            picture.title = gettext("{title} (cropped)").format(title=picture.title)[:255]
        picture.focal_point_x = picture.focal_point_y = picture.focal_point_width = picture.focal_point_height = None
        return self.save_as_new(ContentFile(content, name=PurePath(picture.file.name).stem + ending))


class EditDocument(_SaveAsNewFile, DocumentEditView):
    pass


class PictureList(NamesInOrder, PicturesView):
    pass


class DocumentList(NamesInOrder, DocumentsView):
    pass


def urls() -> list[URLPattern]:
    """Return the URL patterns. Put them before Wagtail's, which have the same URLs."""
    lists = [
        path(
            f"{folder}/{'results/' if only else ''}",
            never_cache(require_admin_access(view.as_view(results_only=only))),
            name=f"studio_{folder}{'_results' if only else ''}",
        )
        for folder, view in (("images", PictureList), ("documents", DocumentList))
        for only in (False, True)
    ]
    return [
        *lists,
        path("images/<int:image_id>/", never_cache(require_admin_access(EditPicture.as_view())), name="studio_picture"),
        path(
            "documents/edit/<int:document_id>/",
            never_cache(require_admin_access(EditDocument.as_view())),
            name="studio_document",
        ),
    ]


def may_open(user: Any, file: Any) -> bool:
    """Return True if the user may open the form of an image or document."""
    policy = policy_registry.get(file) if isinstance(file, SiteImage | Document) else None
    return isinstance(policy, LiveFilePolicy) and policy.may_open(user, file)
