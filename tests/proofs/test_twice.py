"""The same message arriving twice at once: one model call, both answers equal."""

import asyncio
from collections import Counter

import pytest

from maelstrom.effects.create import create_engine
from tests.proofs.processes import printed, start_worker
from tests.proofs.turns import answering, check_sound, history, load_all, lock, message
from tests.servers import postgres_running, redis_running

SESSIONS = ("s0", "s1", "s2")


async def send_twice(engines, calls: Counter) -> None:
    for number in range(5):
        sent = message("s", f"m{number}")
        outputs = await asyncio.gather(*(engine.handle(sent) for engine in engines))
        first, *others = (output.unwrap() for output in outputs)
        assert all(other == first for other in others)
        assert calls[f"m{number}"] == 1


def counting(calls: Counter):
    def note(session: str, request: str, step: str) -> None:
        calls[request] += step == "+"

    return answering(0.01, note)


def test_in_one_process(tmp_path):
    """One engine that is sent a message three times at once asks the model once."""

    async def scenario():
        calls: Counter[str] = Counter()
        engine = create_engine(
            planner=counting(calls), history=history(str(tmp_path / "history.db"))
        )
        await send_twice((engine, engine, engine), calls)
        await engine.aclose()

    asyncio.run(scenario())


@pytest.mark.parametrize("running", [redis_running, postgres_running])
def test_in_two_engines(running):
    """Two engines that share a lock and a history give one answer, to the byte."""

    async def scenario(url):
        calls: Counter[str] = Counter()
        engines = [
            create_engine(planner=counting(calls), history=history(url), lock=lock(url))
            for _ in range(2)
        ]
        await send_twice(engines, calls)
        for engine in engines:
            await engine.aclose()

    with running() as server:
        asyncio.run(scenario(server.url))


@pytest.mark.parametrize("running", [redis_running, postgres_running])
def test_in_two_processes(running, tmp_path):
    """Two processes that are sent the same messages ask the model once for each."""
    trace = tmp_path / "trace"
    with running() as server:
        settings = {"history": server.url, "lock": server.url, "trace": str(trace)}
        workers = [
            start_worker(name="w", turns=5, sessions=SESSIONS, **settings)
            for _ in range(2)
        ]
        outputs = [worker.communicate() for worker in workers]
        assert [complaint for _, complaint in outputs] == [b"", b""]
        for session in SESSIONS:
            turns = asyncio.run(load_all(server.url, session))
            for output, _ in outputs:
                check_sound(turns, printed(output, session))
                assert len(printed(output, session)) == len(turns) == 5
    asked = trace.read_text().splitlines()
    assert len(asked) == len(set(asked)) == 5 * len(SESSIONS) * 2
