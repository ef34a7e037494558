"""The engine in a Django project of one file; the view alone is what yours needs.

Run it: django-admin runserver --pythonpath . --settings examples.django_app
"""

import atexit

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.http import require_POST

from maelstrom.adapters.respond import respond
from maelstrom.effects import SyncEngine, create_engine, keyword_planner

DEBUG = True
SECRET_KEY = "for the example alone"  # noqa: S105  no secret is kept by it
ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
ROOT_URLCONF = "examples.django_app"
MIDDLEWARE = ["django.middleware.common.CommonMiddleware"]

engine = create_engine(planner=keyword_planner())
threads = SyncEngine(engine)
atexit.register(threads.close)


@require_POST
def messages(request: HttpRequest) -> HttpResponse:
    """A turn: an EngineMessage in, an EngineOutput or an error out."""
    sent = request.body
    status, headers, body = threads.run(lambda: respond(engine, sent))
    return HttpResponse(body, status=status, headers=dict(headers))


urlpatterns = [path("messages", messages)]
