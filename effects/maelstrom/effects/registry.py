"""The app's side of actions: which of its functions runs when the engine decides one.

Theory: the client's `apply` gives the effects of a response, in order; `dispatch` calls
the handler of each, one after the other, for a later one may rest on an earlier. A
handler that raises stops nobody: the rest run, and the failures come back as values. An
action that only moves its instance to another variant needs no handler, for `apply` has
moved it.

A handler that blocks blocks the event loop: make it async and hand the work to a thread.
"""

from collections.abc import Callable, Iterable
from inspect import isawaitable
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar, overload

from attrs import field, frozen
from returns.pipeline import is_successful
from returns.result import Result, Success

from maelstrom.core.client import Effect
from maelstrom.core.json_value import Json
from maelstrom.core.quoting import quoted
from maelstrom.core.request import Dimensions
from maelstrom.core.vessel import Action, Vessel
from maelstrom.effects.arity import takes
from maelstrom.effects.check_vessels import Finding, check_vessels
from maelstrom.effects.config_error import ConfigError, misfit
from maelstrom.effects.params_class import ParamsError, params_as, params_of

__all__ = ["Call", "HandlerFailure", "Registry"]

P = TypeVar("P")
H = TypeVar("H", bound=Callable[[Any], object])

_NAMED: Final = 8
"""Ids that an error names: enough to see one's own mistake."""


@frozen
class Call(Generic[P]):
    """What a handler is told: the action, on which instance, with what.

    ``variant`` is the one that the instance was in when the action was taken; ``params``
    is of the class that the handler was registered with, or JSON, None where the action
    takes none.
    """

    instance_id: str
    action: str
    params: P
    vessel_id: str = field(kw_only=True)
    variant: str = field(kw_only=True)


Handler: TypeAlias = Callable[[Call[P]], object]


@frozen
class HandlerFailure:
    """One effect that did not run; the others did.

    ``kind`` is `raised`, `invalid_params` (the class refused what the schema let pass)
    or `no_handler` (an action that moves nothing, and that no function handles).
    ``error`` is the exception that was raised, None for the other kinds.
    """

    effect: Effect
    kind: Literal["raised", "invalid_params", "no_handler"]
    message: str
    error: Exception | None = field(default=None, eq=False, kw_only=True)


@frozen
class _Handled:
    call: Callable[[Any], object]
    read: Callable[[Json], Result[Any, ParamsError]]


class Registry:
    """An app's vessels, and the functions behind their actions.

    Args:
        vessels: All that the app registers.
        dimensions: The chart's usual size, for findings about what does not fit it.

    Raises:
        ConfigError: The engine would refuse the vessels; the first finding says why.

    >>> from maelstrom.core.vessel import Variant
    >>> beep = Action("beep", "Make a sound")
    >>> bell = Vessel("bell", "A bell", (Variant("still", "At rest", actions=(beep,)),))
    >>> registry = Registry([bell])
    >>> @registry.on("bell", "beep")
    ... def ring(call: Call[Json]) -> None:
    ...     print(call.instance_id, "rings")
    >>> import asyncio
    >>> effect = Effect("bell-1", "beep", vessel_id="bell", variant="still")
    >>> asyncio.run(registry.dispatch([effect]))
    bell-1 rings
    ()
    """

    def __init__(
        self, vessels: Iterable[Vessel], *, dimensions: Dimensions | None = None
    ) -> None:
        if not isinstance(vessels, Iterable):
            raise misfit("vessels", "a list of Vessel", vessels)
        self.vessels = tuple(vessels)
        self.findings: tuple[Finding, ...] = check_vessels(self.vessels, dimensions)
        """What `check_vessels` advises; what it refuses is raised."""
        for finding in self.findings:
            if finding.fatal:
                raise ConfigError(finding.where, finding.message)
        self._handlers: dict[tuple[str, str], _Handled] = {}

    @overload
    def on(
        self, vessel_id: str, action_id: str, *, params: type[P]
    ) -> Callable[[Callable[[Call[P]], Any]], Callable[[Call[P]], Any]]: ...

    @overload
    def on(
        self, vessel_id: str, action_id: str
    ) -> Callable[[Callable[[Call[Json]], Any]], Callable[[Call[Json]], Any]]: ...

    def on(
        self, vessel_id: str, action_id: str, *, params: type[Any] | None = None
    ) -> Callable[[H], H]:
        """Register the decorated function, sync or async, for an action of a vessel.

        It handles the action in each variant that has it.

        Args:
            vessel_id: The vessel's id.
            action_id: The action's id.
            params: The class that `params_of` made the action's schema of; None to be
                given the parameters as JSON.

        Raises:
            ConfigError: The vessel has no such action, its schema is not the class's,
                another function handles it already, or the function does not take
                one argument.
        """
        where = f"{vessel_id}.{action_id}"
        found = self._actions(vessel_id, action_id)
        if not found:
            raise ConfigError(where, self._unknown(vessel_id))
        if (vessel_id, action_id) in self._handlers:
            raise ConfigError(where, "another function handles it already")
        if params is not None and any(
            action.params != params_of(params) for action in found
        ):
            words = f"its params are not params_of({params.__name__})"
            raise ConfigError(where, words)

        def register(handler: H) -> H:
            if not takes(handler, 1):
                raise misfit(where, "handled by a function of one Call", handler)
            self._handlers[vessel_id, action_id] = _Handled(handler, _reader(params))
            return handler

        return register

    def unhandled(self) -> tuple[str, ...]:
        """The actions that would do nothing: no handler, and no variant to go to.

        Assert that it is empty in a test, once all handlers are registered.
        """
        return tuple(
            f"{vessel.id}.{variant.id}.{action.id}"
            for vessel in self.vessels
            for variant in vessel.variants
            for action in variant.actions
            if action.to is None and (vessel.id, action.id) not in self._handlers
        )

    async def dispatch(self, effects: Iterable[Effect]) -> tuple[HandlerFailure, ...]:
        """Run the handlers of `applied.effects`, in order; what failed comes back.

        Nothing is raised but CancelledError and what else is no Exception.
        """
        failures: list[HandlerFailure] = []
        for effect in effects:
            failure = await self._run(effect)
            if failure is not None:
                failures.append(failure)
        return tuple(failures)

    async def _run(self, effect: Effect) -> HandlerFailure | None:
        handled = self._handlers.get((effect.vessel_id, effect.action))
        if handled is None:
            return None if self._moves(effect) else _no_handler(effect)
        read = handled.read(effect.params)
        if not is_successful(read):
            return HandlerFailure(effect, "invalid_params", read.failure().reason)
        call = Call(
            effect.instance_id,
            effect.action,
            read.unwrap(),
            vessel_id=effect.vessel_id,
            variant=effect.variant,
        )
        try:
            outcome = handled.call(call)
            if isawaitable(outcome):
                await outcome
        except Exception as error:  # noqa: BLE001  the app's own function
            words = f"{type(error).__name__}: {error}"
            return HandlerFailure(effect, "raised", words, error=error)
        return None

    def _moves(self, effect: Effect) -> bool:
        """Whether the action leads to a variant, which `apply` has seen to."""
        found = self._actions(effect.vessel_id, effect.action, effect.variant)
        return any(action.to is not None for action in found)

    def _unknown(self, vessel_id: str) -> str:
        """Why the vessel, or else its action, is not there."""
        vessels = {vessel.id: vessel for vessel in self.vessels}
        if vessel_id not in vessels:
            return _there_are("vessel", vessels)
        variants = vessels[vessel_id].variants
        return _there_are(
            "action", (action.id for each in variants for action in each.actions)
        )

    def _actions(
        self, vessel_id: str, action_id: str, variant_id: str | None = None
    ) -> list[Action]:
        return [
            action
            for vessel in self.vessels
            if vessel.id == vessel_id
            for variant in vessel.variants
            if variant_id is None or variant.id == variant_id
            for action in variant.actions
            if action.id == action_id
        ]


def _there_are(what: str, ids: Iterable[str]) -> str:
    """That an id is none of these, the first of which are named."""
    known = list(dict.fromkeys(ids))
    named = ", ".join(map(quoted, known[:_NAMED]))
    more = ", ..." if len(known) > _NAMED else ""
    return f"there is no such {what}, but {named or 'none'}{more}"


def _no_handler(effect: Effect) -> HandlerFailure:
    return HandlerFailure(effect, "no_handler", "no function handles it")


def _reader(params: type[Any] | None) -> Callable[[Json], Result[Any, ParamsError]]:
    if params is None:
        return Success
    return lambda value: params_as(params, value)
