"""Django as an ASGI application, to be put behind the edge."""

import warnings

from django.core.asgi import get_asgi_application

from .start_django import use_settings

use_settings()
# The studio's static files are small and read whole in a thread: nothing is gained by streaming them.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")

application = get_asgi_application()
