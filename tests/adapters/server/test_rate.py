"""How often a subject may ask."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from maelstrom.adapters.server import create_app
from maelstrom.adapters.server import rate as rate_module
from maelstrom.adapters.server.rate import RateLimit
from tests.adapters.server.kit import client, engine, message, post


def test_a_subject_asks_twenty_times_and_waits():
    """The burst is spent turn by turn; then it is 429, with the wait, for that one."""

    async def scenario():
        app = create_app(engine(), per_minute=1)  # none comes back while this runs
        async with client(app) as alice, client(app, peer="127.0.0.2") as bob:
            await post(alice)  # counted against the address: nobody knew her
            codes = [(await post(alice, message(request=f"{n}"))) for n in range(21)]
            return codes, await post(bob)

    answers, bob = asyncio.run(scenario())

    assert [one.status_code for one in answers] == [200] * 20 + [429]
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 60
    assert answers[-1].json()["type"] == "rate_limited"
    assert 0 < answers[-1].json()["retryAfterMs"] <= 60_000
    assert bob.status_code == 200


def test_without_a_cookie_the_address_is_counted():
    """Forgetting the cookie gives no further turns, and refusals give no cookie."""

    async def scenario():
        app = create_app(engine(), burst=3)
        codes = []
        for n in range(5):
            async with client(app) as stranger:
                codes.append(await post(stranger, message(request=f"{n}")))
        async with client(app, peer="127.0.0.9") as other:
            return codes, await post(other)

    answers, other = asyncio.run(scenario())

    assert [one.status_code for one in answers] == [200] * 3 + [429] * 2
    assert "set-cookie" not in answers[-1].headers
    assert other.status_code == 200


def test_a_subject_named_like_an_address_is_not_it():
    """Subjects of the app and addresses are counted apart."""

    async def scenario():
        app = create_app(engine(), burst=1, authorize=lambda *_: "127.0.0.1")
        async with client(app) as browser:
            return [(await post(browser)).status_code for _ in range(2)]

    assert asyncio.run(scenario()) == [200, 429]


@given(
    st.floats(1, 600),
    st.integers(1, 30),
    st.lists(st.floats(0, 20), min_size=1, max_size=60),
)
def test_never_more_than_burst_and_flow(per_minute, burst, pauses):
    """In any stretch from the start no more is granted than burst and flow allow."""
    now = 0.0
    limit = RateLimit(per_minute, burst, lambda: now)
    granted = 0
    for pause in pauses:
        now += pause
        wait = limit.wait("s")
        granted += not wait
        assert granted <= burst + now * per_minute / 60 + 1e-6
        if wait:
            now += wait * (1 + 1e-9)
            assert limit.wait("s") == 0.0
            granted += 1


def test_buckets_are_forgotten(monkeypatch):
    """Full ones go when they are full, and the oldest where there are too many."""
    monkeypatch.setattr(rate_module, "MOST_SUBJECTS", 3)
    now = 0.0
    limit = RateLimit(60, 2, lambda: now)
    for n in range(10):
        limit.wait(f"{n}")
    assert len(limit._buckets) == 3

    now = 5.0
    limit.wait("late")
    assert list(limit._buckets) == ["late"]
