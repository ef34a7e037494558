"""The OpenTelemetry instrument, against the real SDK with exporters in memory."""

import asyncio
import subprocess
import sys

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode
from returns.result import Failure, Success

from maelstrom.adapters.otel import otel
from maelstrom.core.completion import Completion, ModelCall, Usage
from maelstrom.core.errors import ProviderError
from maelstrom.core.prompt import Prompt
from maelstrom.effects.telemetry import MODEL_CALLED, model_called


class Telemetry:
    """An instrument, and what it exported."""

    def __init__(self):
        self._spans = InMemorySpanExporter()
        self._metrics = InMemoryMetricReader()
        self.tracers = TracerProvider()
        self.tracers.add_span_processor(SimpleSpanProcessor(self._spans))
        self.instrument = otel(
            tracer_provider=self.tracers,
            meter_provider=MeterProvider([self._metrics]),
        )

    @property
    def spans(self):
        """The finished spans by name."""
        return {span.name: span for span in self._spans.get_finished_spans()}

    @property
    def points(self):
        """The points of each metric by its name."""
        data = self._metrics.get_metrics_data()
        return {
            metric.name: metric.data.data_points
            for resource in (data.resource_metrics if data else ())
            for scope in resource.scope_metrics
            for metric in scope.metrics
        }


def call(error=None):
    """A call of a model as the planner reports it."""
    completion = Completion("SECRET", "m-1", "r-1", usage=Usage(100, 20, 60, None))
    done = completion if error is None else None
    return ModelCall("anthropic", "m", Prompt((), ()), 250, done, error)


def run(telemetry, stage):
    """One run of a stage in its span."""
    return asyncio.run(telemetry.instrument.stage("plan", stage)(1, None))


def test_a_stage_is_a_span():
    """The span bears the stage's name; the result passes through untouched."""

    async def stage(value, context):
        return Success((value, context))

    telemetry = Telemetry()
    assert run(telemetry, stage) == Success((1, None))

    (span,) = telemetry.spans.values()
    assert span.name == "maelstrom.stage plan"
    assert span.attributes == {"maelstrom.stage": "plan"}
    assert span.status.status_code is StatusCode.UNSET


def test_stages_nest():
    """A stage that runs within another is its child, events stand on the inner one."""
    telemetry = Telemetry()

    async def inner(value, context):
        telemetry.instrument.event("maelstrom.turn.healed", {"maelstrom.attempt": 1})
        return Success(value)

    async def outer(value, context):
        return await telemetry.instrument.stage("inner", inner)(value, context)

    run(telemetry, outer)

    child = telemetry.spans["maelstrom.stage inner"]
    parent = telemetry.spans["maelstrom.stage plan"]
    assert child.parent.span_id == parent.context.span_id
    assert [event.name for event in child.events] == ["maelstrom.turn.healed"]
    assert parent.events == ()


def test_a_failed_stage_marks_its_span():
    """An error of a stage is the span's, by its type alone."""
    error = ProviderError("timeout", "anthropic", "SECRET")

    async def stage(value, context):
        return Failure(error)

    telemetry = Telemetry()
    assert run(telemetry, stage) == Failure(error)

    (span,) = telemetry.spans.values()
    assert span.status.status_code is StatusCode.ERROR
    assert span.attributes["error.type"] == "provider_error.timeout"
    assert "SECRET" not in span.to_json()


@pytest.mark.parametrize("raised", [RuntimeError("SECRET"), asyncio.CancelledError()])
def test_a_raising_stage_ends_its_span(raised):
    """What a stage raises passes on; the span ends, and says the class alone."""

    async def stage(value, context):
        raise raised

    telemetry = Telemetry()
    with pytest.raises(type(raised)):
        run(telemetry, stage)

    (span,) = telemetry.spans.values()
    assert span.attributes["error.type"] == type(raised).__name__
    assert "SECRET" not in span.to_json()


def test_an_event_stands_on_the_apps_span():
    """Where the app has a span, events join it, attributes and all."""
    telemetry = Telemetry()
    with telemetry.tracers.get_tracer("app").start_as_current_span("request"):
        telemetry.instrument.event(
            "maelstrom.turn.started", {"maelstrom.reasons": ("a",)}
        )

    (event,) = telemetry.spans["request"].events
    assert event.name == "maelstrom.turn.started"
    assert event.attributes == {"maelstrom.reasons": ("a",)}


def test_an_event_without_a_span_is_not_lost():
    """Where there is no span, the event makes one of no length."""
    telemetry = Telemetry()
    telemetry.instrument.event("maelstrom.turn.started", {"maelstrom.reasons": ("a",)})

    span = telemetry.spans["maelstrom.turn.started"]
    assert span.attributes == {"maelstrom.reasons": ("a",)}
    assert span.start_time == span.end_time


def test_a_model_call_is_counted():
    """Tokens and seconds of a call go to the histograms of the conventions."""
    telemetry = Telemetry()
    telemetry.instrument.event(MODEL_CALLED, model_called(call()))

    tokens = telemetry.points["gen_ai.client.token.usage"]
    dimensions = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.request.model": "m",
        "gen_ai.response.model": "m-1",
    }
    assert {point.attributes["gen_ai.token.type"]: point.sum for point in tokens} == {
        "input": 100,
        "output": 20,
    }
    (seconds,) = telemetry.points["gen_ai.client.operation.duration"]
    assert (seconds.sum, dict(seconds.attributes)) == (0.25, dimensions)
    attributes = telemetry.spans[MODEL_CALLED].attributes
    assert attributes["gen_ai.usage.cache_read.input_tokens"] == 60
    assert attributes["gen_ai.response.finish_reasons"] == ("stop",)


def test_a_failed_call_has_a_duration_and_no_tokens():
    """A call that failed is timed under its error's type."""
    telemetry = Telemetry()
    error = ProviderError("overloaded", "anthropic", "busy")
    telemetry.instrument.event(MODEL_CALLED, model_called(call(error)))

    assert "gen_ai.client.token.usage" not in telemetry.points
    (seconds,) = telemetry.points["gen_ai.client.operation.duration"]
    assert seconds.attributes["error.type"] == "provider_error.overloaded"


def test_it_works_without_an_sdk():
    """With the API alone, which does nothing, the instrument does nothing too."""
    instrument = otel()

    async def stage(value, context):
        instrument.event(MODEL_CALLED, {"gen_ai.usage.input_tokens": 1})
        return Success(value)

    assert asyncio.run(instrument.stage("plan", stage)(1, None)) == Success(1)


def test_a_missing_extra_names_the_pip_command():
    """Where OpenTelemetry is not installed, ImportError says what to install."""
    script = (
        f"import sys; sys.path[:0] = {sys.path!r}\n"
        "sys.modules['opentelemetry.trace'] = None\n"
        "from maelstrom.adapters.otel import otel\n"
        "try: otel()\n"
        "except ImportError as error: print(error)\n"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "pip install 'maelstrom-engine[otel]'" in done.stdout
