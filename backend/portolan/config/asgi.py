"""Django as an ASGI application, to be put behind the edge."""

import os
import warnings

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portolan.config.settings")
# The studio's static files are small and read whole in a thread: nothing is gained by streaming them.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")

application = get_asgi_application()
