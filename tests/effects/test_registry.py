"""The registry: definitions checked at the start, handlers called with typed values."""

import asyncio

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.core.client import Effect
from maelstrom.core.request import Dimensions
from maelstrom.core.vessel import Action, Size, Variant, Vessel
from maelstrom.effects.config_error import ConfigError
from maelstrom.effects.params_class import params_of
from maelstrom.effects.registry import Call, Registry


@attrs.frozen
class Location:
    city: str = attrs.field(validator=attrs.validators.max_len(8))


WEATHER = Vessel(
    "weather",
    "The weather",
    (
        Variant(
            "now",
            "Right now",
            actions=(
                Action("setLocation", "Another place", params=params_of(Location)),
                Action("refresh", "Ask again"),
                Action("open", "The coming days", to="days"),
            ),
        ),
        Variant("days", "The coming days", actions=(Action("close", "Now", to="now"),)),
    ),
)


def _effect(action, params=None, variant="now"):
    return Effect("weather-1", action, params, vessel_id="weather", variant=variant)


def _dispatch(registry, *effects):
    return asyncio.run(registry.dispatch(effects))


def test_a_handler_is_given_its_class():
    """Parameters arrive as the class that the handler was registered with."""
    registry = Registry([WEATHER])
    calls = []
    registry.on("weather", "setLocation", params=Location)(calls.append)

    assert _dispatch(registry, _effect("setLocation", {"city": "Oslo"})) == ()
    assert calls == [
        Call(
            "weather-1",
            "setLocation",
            Location("Oslo"),
            vessel_id="weather",
            variant="now",
        )
    ]


def test_handlers_are_sync_or_async_and_run_in_order():
    """One is awaited before the next is called."""
    registry = Registry([WEATHER])
    log = []

    @registry.on("weather", "refresh")
    async def refresh(call):
        log.append("refreshing")
        await asyncio.sleep(0)
        log.append("refreshed")

    @registry.on("weather", "setLocation")
    def set_location(call):
        log.append(call.params)

    effects = (_effect("refresh"), _effect("setLocation", {"city": "Rome"}))
    assert _dispatch(registry, *effects) == ()
    assert log == ["refreshing", "refreshed", {"city": "Rome"}]


@given(st.lists(st.booleans(), max_size=8))
def test_where_one_raises_the_rest_run(faults):
    """Each effect is tried once, in order; exactly those that raised come back."""
    registry = Registry([WEATHER])
    seen = []

    @registry.on("weather", "setLocation", params=Location)
    def set_location(call):
        seen.append(call.params.city)
        if call.params.city.startswith("bad"):
            raise LookupError(call.params.city)

    cities = [f"{'bad' if bad else 'good'}{n}" for n, bad in enumerate(faults)]
    failures = _dispatch(
        registry, *(_effect("setLocation", {"city": city}) for city in cities)
    )

    assert seen == cities
    assert [failure.message for failure in failures] == [
        f"LookupError: {city}" for city in cities if city.startswith("bad")
    ]
    assert all(isinstance(failure.error, LookupError) for failure in failures)


def test_what_the_class_refuses_comes_back():
    """The handler is not called, and the failure says why."""
    registry = Registry([WEATHER])
    registry.on("weather", "setLocation", params=Location)(pytest.fail)

    (failure,) = _dispatch(registry, _effect("setLocation", {"city": "Reykjavik"}))

    assert failure.kind == "invalid_params"
    assert "city" in failure.message


def test_an_action_that_moves_needs_no_handler_and_another_does():
    """`apply` has moved the instance; an action that would do nothing is told."""
    registry = Registry([WEATHER])

    assert _dispatch(registry, _effect("open")) == ()
    (failure,) = _dispatch(registry, _effect("refresh"))
    assert (failure.kind, failure.effect.action) == ("no_handler", "refresh")
    assert registry.unhandled() == ("weather.now.setLocation", "weather.now.refresh")


def test_a_cancel_passes():
    """What is no Exception is not swallowed."""
    registry = Registry([WEATHER])

    @registry.on("weather", "refresh")
    async def refresh(call):
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        _dispatch(registry, _effect("refresh"))


def test_registrations_are_checked():
    """An unknown action, a second handler and another class are refused at once."""

    @attrs.frozen
    class Other:
        town: str

    registry = Registry([WEATHER])
    registry.on("weather", "refresh")(print)
    for wrong in (
        lambda: registry.on("weather", "reload"),
        lambda: registry.on("wether", "refresh"),
        lambda: registry.on("weather", "refresh"),
        lambda: registry.on("weather", "setLocation", params=Other),
        lambda: registry.on("weather", "setLocation")("no function"),
        lambda: registry.on("weather", "setLocation")(lambda: None),
    ):
        with pytest.raises(ConfigError):
            wrong()


def test_an_unknown_name_is_told_the_known_ones():
    """A misspelling is seen at once; of many names the first are enough."""
    many = [Vessel(f"v{number}", f"{number}", WEATHER.variants) for number in range(9)]
    for vessels, names, words in (
        ([WEATHER], ("wether", "refresh"), "no such vessel, but 'weather'"),
        ([WEATHER], ("weather", "reload"), "no such action, but"),
        ([], ("weather", "reload"), "no such vessel, but none"),
        (many, ("v", "reload"), "'v7', ..."),
    ):
        with pytest.raises(ConfigError) as caught:
            Registry(vessels).on(*names)
        assert words in caught.value.message


def test_vessels_are_checked_at_the_start():
    """What the engine would refuse is raised; advice is kept."""
    with pytest.raises(ConfigError) as caught:
        Registry([WEATHER, WEATHER])
    assert caught.value.field == "vessels.1.id"
    with pytest.raises(ConfigError, match="must be a list of Vessel, not Vessel"):
        Registry(WEATHER)

    wide = Vessel("wide", "Wide", (Variant("only", "Only", min_size=Size(9, 1)),))
    registry = Registry([wide], dimensions=Dimensions(8, 8))
    assert [finding.code for finding in registry.findings] == ["min_size_over_chart"]
