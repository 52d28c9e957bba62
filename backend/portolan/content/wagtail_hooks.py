"""Register content in the studio."""

from wagtail import hooks
from wagtail.snippets.models import register_snippet

from .log_actions import name_actions
from .rich_text_links import register_page_links
from .viewsets.case_studies import ClientsViewSetGroup
from .viewsets.company import CompanyViewSetGroup
from .viewsets.deleting import refuse_deletion
from .viewsets.stories import StoriesViewSetGroup
from .viewsets.videos import VideosViewSetGroup

for group in (CompanyViewSetGroup, ClientsViewSetGroup, VideosViewSetGroup):
    register_snippet(group)
hooks.register("before_delete_snippet", refuse_deletion)
hooks.register("register_log_actions", name_actions)
hooks.register("register_rich_text_features", register_page_links, order=100)
hooks.register("register_admin_viewset", StoriesViewSetGroup)
