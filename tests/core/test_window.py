"""The window of turns that reaches the prompt, and the digest of a request."""

from hashlib import sha256

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from maelstrom.core.digest import digest
from maelstrom.core.history import After, Turn
from maelstrom.core.json_writer import canonical_text, compact_text
from maelstrom.core.layout import GridLayout
from maelstrom.core.prompt_sections import past_answer, past_turn
from maelstrom.core.request import Dimensions, UserIntent
from maelstrom.core.vessel import Variant, Vessel
from maelstrom.core.window import reach, window
from maelstrom.core.wire import decode_message, encode_message, encode_request
from tests.core.turn_samples import message
from tests.core.wire_values import requests

HUGE = 10**9


def turn(seq, words=1):
    """A turn at this place, with an answer of so many words."""
    return Turn(
        seq=seq,
        request_id=f"m{seq}",
        digest="0" * 64,
        timestamp=0,
        reasons=(UserIntent("go"),),
        user_message="word " * words,
        rationale="",
        execution_plan=(),
        layout=GridLayout(),
        after=After((), Dimensions(6, 4), "grid"),
        severity="none",
        attempts=1,
    )


def seqs(turns):
    return [one.seq for one in turns]


def seen(session, most=10, chars=HUGE):
    """The window of a session of so many turns, from what is loaded for it."""
    loaded = tuple(map(turn, range(1, session + 1)))[-reach(most) :]
    return seqs(window(loaded, most, chars))


def size(turns):
    return sum(len(past_turn(one)) + len(past_answer(one)) for one in turns)


def test_the_oldest_leave_in_blocks_of_five():
    """Ten fit; with the eleventh the first five go, and not again until the sixteenth."""
    assert seen(10) == [*range(1, 11)]
    for session in range(11, 16):
        assert seen(session) == [*range(6, session + 1)]
    assert seen(16) == [*range(11, 17)]


@given(st.integers(0, 60), st.integers(0, 12))
def test_it_does_not_matter_how_much_is_loaded(session, most):
    """What is loaded for a window gives the same one as the whole session would."""
    whole = window(tuple(map(turn, range(1, session + 1))), most, HUGE)
    assert seen(session, most) == seqs(whole)


@given(
    st.lists(st.integers(0, 400), max_size=30),
    st.integers(0, 12),
    st.integers(0, 10_000),
)
def test_both_bounds_hold_and_no_block_goes_in_vain(words, most, chars):
    """At most so many turns and characters; one block more would break a bound."""
    turns = tuple(turn(seq, count) for seq, count in enumerate(words, 1))
    kept = window(turns, most, chars)
    assert len(kept) <= most
    assert size(kept) <= chars
    assert kept == turns[len(turns) - len(kept) :]
    gone = len(turns) - len(kept)
    block = max(1, min(5, most))
    assert not gone or not kept or gone % block == 0
    if gone:
        more = turns[(gone - 1) // block * block :]
        assert len(more) > most or size(more) > chars


@given(st.integers(1, 60), st.integers(1, 12))
def test_the_prefix_stays_for_a_block(session, most):
    """From one turn to the next the window starts anew only at the end of a block."""
    now, then = seen(session, most), seen(session + 1, most)
    block = min(5, most)
    assert now[0] == then[0] or (then[0] - 1) % block == 0
    starts = {seen(n, most)[0] for n in range(session, session + block)}
    assert len(starts) <= 2


def test_a_store_that_forgot_the_first_turns():
    """Blocks are counted from the session's first turn, held or not."""
    held = tuple(map(turn, range(4, 16)))
    assert seqs(window(held, 10, HUGE)) == [*range(6, 16)]
    assert seqs(window(held[:6], 10, HUGE)) == [*range(4, 10)]


def test_a_turn_that_is_too_long_alone():
    """Whole blocks only: then there is no window."""
    assert window((turn(1, 5_000),), 10, 100) == ()


@given(requests(), st.integers(0, 5))
def test_the_digest_is_that_of_the_canonical_text(request, others):
    """Whether or not the catalogue was digested before, or others since."""
    text = canonical_text(encode_request(request))
    expected = sha256(text.encode()).hexdigest()
    assert digest(request) == digest(request) == expected
    for number in range(others):
        vessel = Vessel("notes", f"Another {number}", (Variant("list", "All"),))
        digest(evolve(request, vessels=(vessel,)))
    assert digest(request) == expected


def test_the_digest_is_of_what_is_asked():
    """White space, the order of keys and spelled-out defaults change nothing."""
    value = encode_message(message())
    for vessel in value["payload"]["vessels"]:
        for variant in vessel["variants"]:
            variant.setdefault("minSize", {"width": 1, "height": 1})
            variant.setdefault("actions", [])
    turned = {**value, "payload": dict(reversed(value["payload"].items()))}
    again = decode_message(compact_text(turned).replace(",", " ,\n")).unwrap()
    assert digest(again.payload) == digest(message().payload)
    assert len(digest(again.payload)) == 64


def test_another_request_has_another_digest():
    """Whatever differs in the payload shows."""
    first = message().payload
    others = (
        message(intent="Something else").payload,
        evolve(first, vessels=first.vessels[::-1]),
        evolve(first, layout=GridLayout()),
    )
    assert len({digest(one) for one in (first, *others)}) == 4
