"""The engine in a Flask app. Run it: flask --app examples.flask_app run."""

import atexit

from flask import Flask, Response, request

from maelstrom.adapters.respond import respond
from maelstrom.effects import SyncEngine, create_engine, keyword_planner

engine = create_engine(planner=keyword_planner())
threads = SyncEngine(engine)
atexit.register(threads.close)
app = Flask(__name__)


@app.post("/messages")
def messages() -> Response:
    """A turn: an EngineMessage in, an EngineOutput or an error out."""
    sent = request.get_data()
    status, headers, body = threads.run(lambda: respond(engine, sent))
    return Response(body, status, dict(headers))
