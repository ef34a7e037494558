"""Telemetry through OpenTelemetry: spans of stages, events on them, two histograms.

Theory of operation. A stage of a pipeline is a span ``maelstrom.stage NAME``; an event
is added to the span that is current, so that it stands in the app's own trace, and
where there is none it makes a span of its own, of no length. A model call is counted
besides, by the GenAI conventions: ``gen_ai.client.token.usage`` (tokens, by
``gen_ai.token.type``) and ``gen_ai.client.operation.duration`` (seconds).

Warts. The conventions are not stable yet: names stand here and in
`maelstrom.effects.telemetry`, never imported from their package. Metrics bear few
attributes (`_DIMENSIONS`): ids in them would make a series a call.
"""

import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from returns.pipeline import is_successful
from returns.result import Result

from maelstrom.adapters.extra import require
from maelstrom.core.errors import EngineError
from maelstrom.effects.ports import Attributes, Stage, TurnContext
from maelstrom.effects.telemetry import MODEL_CALLED, error_attributes

__all__ = ["OpenTelemetryInstrument", "otel"]

_MILLISECONDS: Final = "maelstrom.milliseconds"
_DIMENSIONS: Final = (
    "gen_ai.operation.name",
    "gen_ai.provider.name",
    "gen_ai.request.model",
    "gen_ai.response.model",
    "error.type",
)
_TOKENS: Final = MappingProxyType(
    {
        # attribute of the event: gen_ai.token.type
        "gen_ai.usage.input_tokens": "input",
        "gen_ai.usage.output_tokens": "output",
    }
)
# The buckets that the conventions advise: tokens by powers of four, seconds of two.
_TOKEN_BUCKETS: Final = tuple(4**power for power in range(14))
_SECOND_BUCKETS: Final = tuple(0.01 * 2**power for power in range(14))


def otel(
    *, tracer_provider: Any = None, meter_provider: Any = None
) -> "OpenTelemetryInstrument":
    """An `Instrument` that reports to OpenTelemetry.

    Args:
        tracer_provider: otherwise the global one.
        meter_provider: otherwise the global one.

    Raises:
        ImportError: the extra `otel` is not installed.
    """
    return OpenTelemetryInstrument(tracer_provider, meter_provider)


class OpenTelemetryInstrument:
    """What `otel` makes."""

    def __init__(self, tracer_provider: Any, meter_provider: Any) -> None:
        self._trace = require("opentelemetry.trace", "otel")
        metrics = require("opentelemetry.metrics", "otel")
        self._tracer = self._trace.get_tracer(
            "maelstrom", tracer_provider=tracer_provider
        )
        meter = metrics.get_meter("maelstrom", meter_provider=meter_provider)
        self._tokens = meter.create_histogram(
            "gen_ai.client.token.usage",
            unit="{token}",
            description="Tokens of a model call, input and output apart",
            explicit_bucket_boundaries_advisory=_TOKEN_BUCKETS,
        )
        self._seconds = meter.create_histogram(
            "gen_ai.client.operation.duration",
            unit="s",
            description="Time of a model call",
            explicit_bucket_boundaries_advisory=_SECOND_BUCKETS,
        )

    def stage(self, name: str, stage: Stage) -> Stage:
        """The stage in a span; an error or an exception of it is the span's."""

        async def traced(value: Any, context: TurnContext) -> Result[Any, EngineError]:
            with self._tracer.start_as_current_span(
                f"maelstrom.stage {name}",
                attributes={"maelstrom.stage": name},
                record_exception=False,  # its text could hold anything
                set_status_on_exception=False,
            ) as span:
                try:
                    result = await stage(value, context)
                except BaseException as error:
                    self._mark(span, {"error.type": type(error).__name__})
                    raise
                if not is_successful(result):
                    self._mark(span, error_attributes(result.failure()))
                return result

        return traced

    def event(self, name: str, attributes: Attributes) -> None:
        """An event of the current span; a model call is counted too."""
        span = self._trace.get_current_span()
        if span.is_recording():
            span.add_event(name, attributes)
        else:
            now = time.time_ns()
            own = self._tracer.start_span(name, attributes=attributes, start_time=now)
            own.end(now)
        if name == MODEL_CALLED:
            self._count(attributes)

    def _count(self, attributes: Mapping[str, Any]) -> None:
        dimensions = {key: attributes[key] for key in _DIMENSIONS if key in attributes}
        for key, token_type in _TOKENS.items():
            if key in attributes:
                typed = {**dimensions, "gen_ai.token.type": token_type}
                self._tokens.record(attributes[key], typed)
        if _MILLISECONDS in attributes:
            self._seconds.record(attributes[_MILLISECONDS] / 1_000, dimensions)

    def _mark(self, span: Any, error: Attributes) -> None:
        span.set_attributes(error)
        span.set_status(self._trace.StatusCode.ERROR)
