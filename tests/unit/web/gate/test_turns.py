"""An account waits for itself alone, and not for ever."""

from __future__ import annotations

from threading import Event, Semaphore

import anyio
import pytest
from anyio.from_thread import start_blocking_portal
from litestar.exceptions import TooManyRequestsException

from ratebook.web.gate.turns import MOST_OF_ACCOUNT, AccountTurns
from support.hang_guard import HANG_GUARD


def test_an_account_has_one_turn_at_a_time_and_others_have_theirs() -> None:
    begun, goes_on, done = Semaphore(0), Event(), []

    def held(account: int) -> None:
        begun.release()
        assert goes_on.wait(HANG_GUARD)
        done.append(account)

    async def ask() -> None:
        turns = AccountTurns()
        async with anyio.create_task_group() as group:
            for _ in range(MOST_OF_ACCOUNT):
                group.start_soon(turns.take, 1, lambda: held(1))
            await anyio.to_thread.run_sync(begun.acquire)
            with pytest.raises(TooManyRequestsException) as refused:
                await turns.take(1, lambda: held(1))
            assert refused.value.headers == {"retry-after": "5"}
            group.start_soon(turns.take, 2, lambda: held(2))
            await anyio.to_thread.run_sync(begun.acquire)
            assert not begun.acquire(blocking=False)
            goes_on.set()
        assert await turns.take(1, lambda: "again") == "again"

    with start_blocking_portal() as portal:
        portal.call(ask)
    assert sorted(done) == [1] * MOST_OF_ACCOUNT + [2]


def test_work_that_fails_leaves_its_turn_to_the_next() -> None:
    async def ask() -> None:
        turns = AccountTurns()
        for _ in range(MOST_OF_ACCOUNT + 1):
            with pytest.raises(ZeroDivisionError):
                await turns.take(1, lambda: 1 // 0)

    with start_blocking_portal() as portal:
        portal.call(ask)
