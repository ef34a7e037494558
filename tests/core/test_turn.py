"""The loop of a turn: every path ends once, and in what the rules say."""

import pytest
from attrs import evolve
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from returns.pipeline import is_successful

from maelstrom.core.candidate import Candidate
from maelstrom.core.digest import digest
from maelstrom.core.errors import (
    AbortedError,
    HistoryError,
    InternalError,
    Issue,
    ParseError,
    ProviderError,
    SessionBusyError,
)
from maelstrom.core.healed import Repair
from maelstrom.core.history import SCHEMA_VERSION
from maelstrom.core.layout import GridLayout
from maelstrom.core.reflow import reflow
from maelstrom.core.request import ChartResize, Dimensions, Instance
from maelstrom.core.retry import RetryPolicy
from maelstrom.core.turn import advance, start
from maelstrom.core.turn_events import (
    Aborted,
    Crashed,
    Finish,
    HistoryFailed,
    HistoryLoaded,
    HoldSession,
    LoadHistory,
    Plan,
    PlanFailed,
    Planned,
    RecordFailed,
    RecordTurn,
    SessionHeld,
    SessionRefused,
    TurnRecorded,
    TurnSettings,
)
from maelstrom.core.wire import decode_output, encode_message, encode_output
from tests.core.turn_samples import (
    BLANK,
    BY_SEVERITY,
    CALL,
    GOOD,
    LOST,
    LOW,
    MEDIUM,
    TIMEOUT,
    candidate,
    message,
    position,
)

AWAY = HistoryError("unavailable", "load", "away")
CONFLICT = HistoryError("conflict", "append", "another turn")
CORRUPT = HistoryError("corrupt", "load", "broken")
BUSY = SessionBusyError(1_000, "busy")
SIGNAL = AbortedError("signal", "stop")
DEADLINE = AbortedError("deadline", "late")
SHUTDOWN = AbortedError("shutdown", "closing")
WITH_HISTORY = TurnSettings(history=True)
REQUIRED = TurnSettings(history=True, history_required=True)


def play(events, asked=None, turn_settings=WITH_HISTORY):
    """Drive a turn with these events; the commands that it gave, Finish last."""
    state, command = start(asked or message(), turn_settings, 1)
    commands = [command]
    for event in events:
        assert not isinstance(command, Finish)
        state, command = advance(state, event)
        commands.append(command)
    return commands


def end(commands):
    """The result of a turn that is over."""
    assert isinstance(commands[-1], Finish), commands[-1]
    return commands[-1].result


HELD = SessionHeld(2)
EMPTY = HistoryLoaded(None, (), 0, 3)
BEGUN = (HELD, EMPTY)


def planned(proposal, at=5):
    """The planner proposed this."""
    return Planned(proposal, (CALL,), at)


# ---------------------------------------------------------------- the way through


def test_a_turn_from_end_to_end():
    """Hold, load, plan, record, finish; the output answers the message."""
    commands = play([*BEGUN, planned(GOOD), TurnRecorded(9)])
    kinds = [HoldSession, LoadHistory, Plan, RecordTurn, Finish]
    assert [type(command) for command in commands] == kinds
    output = end(commands).unwrap()
    assert (output.session_id, output.id, output.timestamp) == ("s1", "m1", 5)
    assert output.payload.request_id == "m1"
    assert output.payload.user_message == "Here you are."
    assert output.payload.layout.positions[0].position.row == 1
    diagnostics = commands[-1].diagnostics
    assert (diagnostics.started, diagnostics.finished) == (1, 9)
    assert (diagnostics.decision, diagnostics.served) == ("served", 1)
    assert diagnostics.attempts[0].calls == (CALL,)
    assert diagnostics.output == output


def test_without_a_history_there_is_nothing_to_load_or_record():
    """The loop goes from the session to the planner, and from there to the end."""
    commands = play([HELD, planned(GOOD)], turn_settings=TurnSettings())
    assert [type(command) for command in commands] == [HoldSession, Plan, Finish]
    assert is_successful(end(commands))


def test_a_message_that_breaks_the_protocol_finishes_at_once():
    """No lock, no history, no model."""
    commands = play([], asked=b"{")
    assert end(commands).failure().issues[0].code == "malformed_json"
    assert commands[-1].diagnostics.message is None


def test_a_message_made_by_hand_is_checked_too():
    """An EngineMessage passes the same rules as its JSON."""
    good = message()
    again = Instance("notes-1", "notes", "list")
    doubled = evolve(good.payload, instances=(*good.payload.instances, again))
    failure = end(play([], asked=evolve(good, payload=doubled))).failure()
    assert failure.issues[0].code == "duplicate_id"
    assert (failure.session_id, failure.id) == ("s1", "m1")


def test_a_mapping_and_its_text_are_the_same_message():
    """What is asked does not depend on how it was written."""
    (first,) = play([], asked=encode_message(message()))
    assert first == HoldSession("s1")


def test_a_session_that_is_busy():
    """SessionBusyError, with the ids of the message."""
    failure = end(play([SessionRefused(BUSY, 2)])).failure()
    assert failure == evolve(BUSY, session_id="s1", id="m1")


# ---------------------------------------------------------------- replay


def recorded(proposal=GOOD, asked=None, at=5):
    """The turn that is recorded where this is proposed."""
    command = play([*BEGUN, planned(proposal, at)], asked)[-1]
    assert isinstance(command, RecordTurn)
    return command.turn


def test_a_message_sent_again_is_answered_from_the_record():
    """No model call, and an output that is equal to the byte."""
    first = end(play([*BEGUN, planned(MEDIUM), planned(GOOD), TurnRecorded(9)]))
    turn = play([*BEGUN, planned(MEDIUM), planned(GOOD)])[-1].turn
    commands = play([HELD, HistoryLoaded(turn, (), 7, 50)])
    assert end(commands) == first
    assert encode_output(end(commands).unwrap()) == encode_output(first.unwrap())
    assert commands[-1].diagnostics.decision == "replayed"


def test_meta_is_no_part_of_what_is_asked():
    """The same payload with other meta replays."""
    turn = recorded()
    again = evolve(message(), meta={"trace": 1}, timestamp=0)
    assert is_successful(end(play([HELD, HistoryLoaded(turn, (), 1, 50)], again)))


def test_an_id_that_asked_for_something_else_is_refused():
    """duplicate_id at the id, before any model call."""
    other = message(intent="Something else")
    failure = end(play([HELD, HistoryLoaded(recorded(), (), 1, 9)], other)).failure()
    (issue,) = failure.issues
    assert (issue.path, issue.code) == (("id",), "duplicate_id")
    assert isinstance(issue, Issue)
    assert (failure.session_id, failure.id) == ("s1", "m1")


def test_what_a_record_holds():
    """The healed answer, what the chart is after it, and how it came about."""
    plan = [{"instanceId": "notes-1", "action": "fold"}]
    turn = recorded(
        candidate(position("notes-1"), position("clock-1", 3, 5, 1, 1), plan=plan)
    )
    assert (turn.schema, turn.seq, turn.request_id) == (SCHEMA_VERSION, 1, "m1")
    assert turn.digest == digest(message().payload)
    assert (turn.timestamp, turn.severity, turn.attempts) == (5, "none", 1)
    assert turn.reasons == message().payload.context.update_reasons
    assert [entry.action for entry in turn.execution_plan] == ["fold"]
    assert turn.after.instances[0] == Instance("notes-1", "notes", "folded")
    assert turn.after.dimensions == Dimensions(6, 4)


def test_a_turn_follows_the_newest_one():
    """It is recorded at the sequence number that was read, whatever is still held."""
    command = play([HELD, HistoryLoaded(None, (), 41, 3), planned(GOOD)])[-1]
    assert (command.turn.seq, command.expected_seq) == (42, 41)


def test_the_window_reaches_the_planner():
    """The newest turns, oldest first, whole blocks of five."""
    turns = tuple(evolve(recorded(), seq=n, request_id=f"m{n}") for n in range(3, 17))
    commands = play([HELD, HistoryLoaded(None, turns, 16, 3)])
    assert commands[1].limit == 14
    assert [turn.seq for turn in commands[-1].history] == [11, 12, 13, 14, 15, 16]


# ---------------------------------------------------------------- a history that fails


def test_a_load_that_fails_costs_the_memory_alone():
    """Where history is not required the turn goes on, unrecorded."""
    commands = play([HELD, HistoryFailed(AWAY, 3), planned(GOOD)])
    assert is_successful(end(commands))
    assert commands[-1].diagnostics.notes == ("history_not_loaded",)


def test_an_append_that_fails_costs_the_memory_alone():
    """The answer is returned all the same."""
    commands = play([*BEGUN, planned(GOOD), RecordFailed(AWAY, 9)])
    assert is_successful(end(commands))
    assert commands[-1].diagnostics.notes == ("turn_not_recorded",)


@pytest.mark.parametrize("error", [AWAY, CORRUPT, CONFLICT])
def test_a_history_that_is_required(error):
    """A failure of the load or of the append ends the turn."""
    loading = play([HELD, HistoryFailed(error, 3)], turn_settings=REQUIRED)
    recording = play([*BEGUN, planned(GOOD), RecordFailed(error, 9)], None, REQUIRED)
    for commands in (loading, recording):
        assert end(commands).failure() == evolve(error, session_id="s1", id="m1")
    assert recording[-1].diagnostics.output is None


def test_a_conflict_always_ends_the_turn():
    """Two turns never both follow the same turn, required or not."""
    failure = end(play([*BEGUN, planned(GOOD), RecordFailed(CONFLICT, 9)])).failure()
    assert failure.kind == "conflict"
    assert failure.retryable


# ---------------------------------------------------------------- attempts


def test_a_retry_is_told_what_was_wrong():
    """The number of the attempt, and the distinct faults of the one before."""
    again = play([*BEGUN, planned(MEDIUM)])[-1]
    assert (again.attempt, again.feedback.attempt) == (2, 2)
    assert [item.reason for item in again.feedback.items] == ["action_not_valid"]
    assert again.request == message().payload


@pytest.mark.parametrize(
    "ends",
    [
        PlanFailed(TIMEOUT, (), 6),
        Aborted(DEADLINE, 6, calls=(CALL,)),
        Crashed("plan", 6),
        planned(BLANK, 6),
    ],
)
def test_a_retry_that_fails_leaves_the_earlier_answer(ends):
    """An error, the deadline, a crash or a blank message: attempt 1 serves."""
    commands = play([*BEGUN, planned(MEDIUM), ends, TurnRecorded(9)])
    output = end(commands).unwrap()
    assert output.payload.user_message == "Medium."
    assert output.timestamp == 6
    assert commands[-1].diagnostics.served == 1
    assert commands[-1].diagnostics.attempts[1].error is not None


@pytest.mark.parametrize(
    ("ends", "wanted"),
    [
        (PlanFailed(TIMEOUT, (), 6), ProviderError),
        (Aborted(DEADLINE, 6), AbortedError),
        (Crashed("plan", 6), InternalError),
        (planned(BLANK, 6), ParseError),
    ],
)
def test_an_error_on_the_first_attempt_is_the_result(ends, wanted):
    """Only planners that retry or fall back change that."""
    commands = play([*BEGUN, ends])
    assert type(end(commands).failure()) is wanted
    assert commands[-1].diagnostics.decision == "failed"


@pytest.mark.parametrize("error", [SIGNAL, SHUTDOWN])
def test_a_signal_ends_the_turn_whatever_there_is(error):
    """The caller does not want the answer any more; the attempt is kept on file."""
    commands = play([*BEGUN, planned(MEDIUM), Aborted(error, 6, calls=(CALL,))])
    assert end(commands).failure().cause == error.cause
    assert len(commands[-1].diagnostics.attempts) == 2


@pytest.mark.parametrize(
    "ends", [planned(LOST, 6), PlanFailed(TIMEOUT, (), 6), Aborted(DEADLINE, 6)]
)
def test_nothing_recoverable_does_not_blank_the_chart(ends):
    """The chart is reflowed, with an empty plan and a message of our own."""
    commands = play([*BEGUN, planned(LOST), ends, TurnRecorded(9)])
    payload = end(commands).unwrap().payload
    assert payload.layout == reflow(message().payload)
    assert payload.execution_plan == ()
    assert payload.user_message == WITH_HISTORY.fallback_message
    assert commands[-1].diagnostics.decision == "reflowed"
    assert commands[-2].turn.severity == "unrecoverable"


def test_nothing_recoverable_may_be_served_as_it_is():
    """With `empty` the user gets what survived, as the model worded it."""
    bare = evolve(WITH_HISTORY, on_unrecoverable="empty")
    events = [*BEGUN, planned(LOST), planned(LOST), TurnRecorded(9)]
    payload = end(play(events, turn_settings=bare)).unwrap().payload
    assert payload.layout == GridLayout()
    assert payload.user_message == "All is lost."


def test_repairs_of_reading_come_before_those_of_healing():
    """A candidate brings its own; healing adds to them."""
    read = Repair("fence_removed", (), None)
    broken = position("notes-1")
    broken["size"]["width"] = "2"
    proposal = evolve(candidate(broken), repairs=(read,))
    healed = play([*BEGUN, planned(proposal), TurnRecorded(9)])[-1].diagnostics
    reasons = [repair.reason for repair in healed.attempts[0].healed.repairs]
    assert reasons == ["fence_removed", "number_coerced"]


@pytest.mark.parametrize(
    "broken",
    [
        Candidate(None, (), {}, "Hello"),
        Candidate("why", (), {}, 3),
        Candidate("why", None, {}, "Hello"),
        Candidate("why", (), {}, "Hello", None),
    ],
)
def test_a_candidate_that_is_none(broken):
    """A planner's own bug is InternalError, not the model's fault."""
    failure = end(play([*BEGUN, planned(broken)])).failure()
    assert (type(failure), failure.stage) == (InternalError, "plan")


def test_texts_of_any_planner_can_be_written():
    """Lone surrogates in them become U+FFFD."""
    proposal = evolve(GOOD, user_message="a\ud800", rationale="b\udfff")
    payload = end(play([*BEGUN, planned(proposal), TurnRecorded(9)])).unwrap().payload
    assert (payload.user_message, payload.rationale) == ("a\ufffd", "b\ufffd")


def test_a_resize_parks_what_it_leaves_out():
    """What the record says of the chart after it is what a client makes of it."""
    asked = message(reasons=(ChartResize(),))
    turn = recorded(candidate(position("clock-1", 0, 0, 1, 1)), asked)
    assert [one.instance_id for one in turn.after.instances] == ["notes-1", "clock-1"]


# ---------------------------------------------------------------- what does not fit


def test_an_event_that_does_not_fit():
    """InternalError(stage="turn"): a bug of the interpreter, not a hang."""
    failure = end(play([planned(GOOD)])).failure()
    assert (type(failure), failure.stage) == (InternalError, "turn")


def test_nothing_aborts_a_record_that_has_begun():
    """An interpreter that says so all the same has a bug."""
    failure = end(play([*BEGUN, planned(GOOD), Aborted(SIGNAL, 9)])).failure()
    assert failure.stage == "turn"


@pytest.mark.parametrize("done", [(), (HELD,), (*BEGUN, planned(LOW))])
def test_a_plug_in_that_crashes(done):
    """Its stage is named; what it raised is in the log alone."""
    failure = end(play([*done, Crashed("somewhere", 9)])).failure()
    assert failure.stage == "somewhere"


def test_a_turn_that_is_over_stays_so():
    """Any event after the end gives the same end again."""
    state, command = start("[]", TurnSettings())
    assert advance(state, HELD) == (state, command)


# ---------------------------------------------------------------- the law of the loop

FITTING = {
    HoldSession: (SessionHeld, SessionRefused, Aborted, Crashed),
    LoadHistory: (HistoryLoaded, HistoryFailed, Aborted, Crashed),
    Plan: (Planned, PlanFailed, Aborted, Crashed),
    RecordTurn: (TurnRecorded, RecordFailed, Crashed),
}

_at = st.integers(0, 2**53 - 1)
_calls = st.sampled_from(((), (CALL,)))
_aborts = st.builds(Aborted, st.sampled_from((SIGNAL, DEADLINE, SHUTDOWN)), _at)
_faults = st.sampled_from((AWAY, CORRUPT, CONFLICT))
_found = st.sampled_from((recorded(), evolve(recorded(), digest="0" * 64)))
_events = st.one_of(
    st.builds(SessionHeld, _at),
    st.builds(SessionRefused, st.just(BUSY), _at),
    st.builds(HistoryLoaded, st.none(), st.just(()), st.integers(0, 9), _at),
    st.builds(HistoryLoaded, _found, st.just(()), st.integers(1, 9), _at),
    st.builds(HistoryFailed, _faults, _at),
    st.builds(Planned, st.sampled_from((*BY_SEVERITY.values(), BLANK)), _calls, _at),
    st.builds(PlanFailed, st.sampled_from((TIMEOUT, DEADLINE)), _calls, _at),
    st.builds(TurnRecorded, _at),
    st.builds(RecordFailed, _faults, _at),
    _aborts,
    st.builds(Crashed, st.just("somewhere"), _at),
)


class AnyTurn(RuleBasedStateMachine):
    """Whatever is told to the loop, in whatever order, it ends once and in time."""

    @initialize(
        retries=st.integers(0, 3),
        history=st.booleans(),
        required=st.booleans(),
        empty=st.booleans(),
    )
    def begin(self, retries, history, required, empty):
        self.settings = TurnSettings(
            retry=RetryPolicy(max=retries),
            history=history,
            history_required=history and required,
            on_unrecoverable="empty" if empty else "reflow",
        )
        self.state, command = start(message(), self.settings, 1)
        self.commands = [command]
        self.events = []

    def running(self):
        return not isinstance(self.commands[-1], Finish)

    @precondition(running)
    @rule(event=_events)
    def any_event(self, event):
        self.tell(event)

    @precondition(running)
    @rule(data=st.data())
    def fitting_event(self, data):
        kinds = FITTING[type(self.commands[-1])]
        self.tell(data.draw(_events.filter(lambda event: isinstance(event, kinds))))

    @precondition(lambda self: not self.running())
    @rule(event=_events)
    def after_the_end(self, event):
        assert advance(self.state, event) == (self.state, self.commands[-1])

    def tell(self, event):
        awaited = self.commands[-1]
        again = advance(self.state, event)
        self.state, command = advance(self.state, event)
        assert again == (self.state, command)
        self.commands.append(command)
        self.events.append(event)
        fits = isinstance(event, FITTING[type(awaited)])
        if not fits:
            assert command.result.failure().stage == "turn"
        self.check(event, command)

    def check(self, event, command):
        kinds = [type(one) for one in self.commands]
        assert len(kinds) <= 5 + self.settings.retry.max
        assert kinds.count(Plan) <= 1 + self.settings.retry.max
        assert kinds.count(HoldSession) == 1
        assert kinds.count(LoadHistory) <= self.settings.history
        assert kinds.count(RecordTurn) <= self.settings.history
        if isinstance(command, Plan):
            assert (command.attempt > 1) == (command.feedback is not None)
        if isinstance(command, Finish):
            self.check_end(event, command)

    def check_end(self, event, finish):
        diagnostics = finish.diagnostics
        assert diagnostics.finished == event.at
        if not is_successful(finish.result):
            failure = finish.result.failure()
            assert (failure.session_id, failure.id) == ("s1", "m1")
            assert (diagnostics.error, diagnostics.output) == (failure, None)
            assert diagnostics.decision == "failed"
            return
        output = finish.result.unwrap()
        assert diagnostics.output == output
        assert diagnostics.error is None
        assert decode_output(encode_output(output)).unwrap() == output
        if self.settings.history_required and diagnostics.decision != "replayed":
            assert isinstance(event, TurnRecorded)
        aborts = [one for one in self.events if isinstance(one, Aborted)]
        assert all(one.error.cause == "deadline" for one in aborts)


AnyTurn.TestCase.settings = settings(stateful_step_count=10)
TestAnyTurn = pytest.mark.law(AnyTurn.TestCase)
