"""One request in flight, and what becomes of the reasons that wait."""

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from maelstrom.adapters.demo import demo_chart
from maelstrom.core.chart_state import ChartState
from maelstrom.core.outbox import Outbox
from maelstrom.core.request import (
    ChartResize,
    Dimensions,
    Instance,
    UserIntent,
    VesselMutation,
)
from maelstrom.core.wire import decode_request, encode_request


def chart(instances: int = 3) -> ChartState:
    """The example app with some parked notes."""
    state = demo_chart()
    ids = (f"notes-{number}" for number in range(instances))
    notes = tuple(Instance(one, "notes", "list") for one in ids)
    return ChartState(
        dimensions=state.dimensions, vessels=state.vessels, instances=notes
    )


def sent(outbox: Outbox, state: ChartState | None = None):
    """The reasons of the next request, or None."""
    request = outbox.send("m-1", state or chart())[1]
    return request and request.context.update_reasons


def test_nothing_waits_while_nothing_happened():
    """An outbox without reasons sends nothing."""
    assert sent(Outbox()) is None


def test_at_most_one_request_is_in_flight():
    """While an answer is awaited, reasons wait; its arrival frees the slot."""
    outbox, first = Outbox().add(UserIntent("a")).send("m-1", chart())
    waiting = outbox.add(UserIntent("b")).add(UserIntent("c"))

    assert waiting.send("m-2", chart()) == (waiting, None)
    freed, answered = waiting.receive("m-1")
    assert answered == first
    assert sent(freed) == (UserIntent("b"), UserIntent("c"))


def test_a_response_that_is_not_awaited_is_ignored():
    """An answer to another request changes nothing, in flight or not."""
    outbox, _ = Outbox().add(UserIntent("a")).send("m-1", chart())

    assert outbox.receive("m-0") == (outbox, None)
    assert Outbox().receive("m-1") == (Outbox(), None)


def test_an_error_frees_the_slot_and_sends_nothing_again():
    """After an error the next request holds what came later, and that alone."""
    outbox, _ = Outbox().add(UserIntent("a")).send("m-1", chart())

    assert sent(outbox.add(UserIntent("b")).fail("m-1")) == (UserIntent("b"),)


def test_resizes_become_one_with_the_earliest_previous():
    """A drag through many sizes is one resize from where it began."""
    first = ChartResize(Dimensions(20, 10))
    outbox = Outbox().add(first).add(ChartResize(Dimensions(15, 10)))

    assert sent(outbox) == (first,)


def test_a_resize_there_and_back_is_none():
    """Nothing is sent where the chart is as large as before; unknown is not equal."""
    state = chart()

    assert sent(Outbox().add(ChartResize(state.dimensions)), state) is None
    assert sent(Outbox().add(ChartResize()), state) == (ChartResize(),)


def test_mutations_become_one_an_instance_the_latest():
    """What an instance shows now is all there is to say of it."""
    outbox = (
        Outbox()
        .add(VesselMutation("notes-0", "old"))
        .add(VesselMutation("notes-1"))
        .add(VesselMutation("notes-0", "new"))
    )

    assert sent(outbox) == (VesselMutation("notes-1"), VesselMutation("notes-0", "new"))


def test_past_64_reasons_the_oldest_mutations_go():
    """Mutations make room for what the user said, and for newer ones."""
    outbox = Outbox().add(UserIntent("hello"))
    for number in range(70):
        outbox = outbox.add(VesselMutation(f"notes-{number}"))

    reasons = sent(outbox, chart(70))
    assert reasons[0] == UserIntent("hello")
    assert [one.instance_id for one in reasons[1:]] == [
        f"notes-{number}" for number in range(7, 70)
    ]


def test_intents_past_64_wait_for_the_next_request():
    """Nothing that the user said is lost."""
    outbox = Outbox()
    for number in range(66):
        outbox = outbox.add(UserIntent(f"wish {number}"))

    outbox, first = outbox.send("m-1", chart())
    assert len(first.context.update_reasons) == 64
    assert sent(outbox.receive("m-1")[0]) == (
        UserIntent("wish 64"),
        UserIntent("wish 65"),
    )


def test_a_mutation_of_an_instance_that_left_has_nothing_to_say():
    """Its instance gone, a mutation goes: it would be no valid request."""
    assert sent(Outbox().add(VesselMutation("gone"))) is None


class OutboxMachine(RuleBasedStateMachine):
    """Any order of events: one in flight, and every request decodes."""

    def __init__(self):
        super().__init__()
        self.outbox = Outbox()
        self.awaited = None
        self.count = 0
        self.state = chart(8)

    @rule(number=st.integers(0, 9))
    def mutate(self, number):
        self.outbox = self.outbox.add(VesselMutation(f"notes-{number}"))

    @rule(text=st.sampled_from(("a", "b")))
    def intend(self, text):
        self.outbox = self.outbox.add(UserIntent(text))

    @rule(columns=st.integers(1, 3))
    def resize(self, columns):
        before = self.state.dimensions
        self.state = self.state.resized(Dimensions(columns, 2))
        self.outbox = self.outbox.add(ChartResize(before))

    @rule(index=st.integers(0, 7))
    def remove(self, index):
        self.state = self.state.without(f"notes-{index}")

    @rule()
    def send(self):
        self.count += 1
        self.outbox, request = self.outbox.send(f"m-{self.count}", self.state)
        if request is not None:
            assert self.awaited is None
            self.awaited = f"m-{self.count}"
            assert decode_request(encode_request(request)).unwrap() == request
            kinds = [type(one) for one in request.context.update_reasons]
            assert kinds.count(ChartResize) <= 1

    @rule(error=st.booleans())
    def answer(self, error):
        if self.awaited is None:
            return
        if error:
            self.outbox = self.outbox.fail(self.awaited)
        else:
            self.outbox, request = self.outbox.receive(self.awaited)
            assert request is not None
        self.awaited = None

    @invariant()
    def one_in_flight(self):
        flying = self.outbox.in_flight
        assert (flying and flying.request_id) == self.awaited


TestOutboxMachine = OutboxMachine.TestCase
