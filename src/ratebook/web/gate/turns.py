"""AccountTurns: what a sender can make expensive has few threads of its own, and an account waits for itself alone."""

import inspect
from asyncio import Lock
from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread
from litestar import Request
from litestar.exceptions import TooManyRequestsException

AT_ONCE = 2
"""Threads for what is expensive; all other requests have others."""
MOST_OF_ACCOUNT = 10
"""Requests of an account that may wait, the one that is worked on among them."""
REQUEST = "request"

Result = TypeVar("Result")


class _Queue:
    """What an account has asked for: one thing at a time is done."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.size = 0


class AccountTurns:
    """Who does expensive work in a server, and who waits; waiting takes no thread."""

    def __init__(self) -> None:
        self._threads = CapacityLimiter(AT_ONCE)
        self._queues: dict[int, _Queue] = {}

    async def take(self, account: int, work: Callable[[], Result]) -> Result:
        """Do *work* for an account when it has its turn.

        Raises:
            TooManyRequestsException: more of its requests wait than may.
        """
        queue = self._queues.setdefault(account, _Queue())
        if queue.size >= MOST_OF_ACCOUNT:
            raise TooManyRequestsException(
                "Send one request at a time: earlier requests of this account are still being processed.",
                headers={"retry-after": "5"},
            )
        queue.size += 1
        try:
            async with queue.lock:
                return await to_thread.run_sync(work, limiter=self._threads)
        finally:
            queue.size -= 1
            if not queue.size:
                del self._queues[account]


def in_turn(handler: Callable[..., Result]) -> Callable[..., Awaitable[Result]]:
    """Return a handler of those who are signed in that waits for its turn, to be declared in place of *handler*."""
    signature = inspect.signature(handler)
    takes_request = REQUEST in signature.parameters

    @wraps(handler)
    async def waiting(**arguments: Any) -> Result:  # noqa: ANN401 - what the handler takes
        request = arguments[REQUEST] if takes_request else arguments.pop(REQUEST)
        turns: AccountTurns = request.app.state.turns
        return await turns.take(request.user.account.id, partial(handler, **arguments))

    if not takes_request:
        of_request = inspect.Parameter(REQUEST, inspect.Parameter.KEYWORD_ONLY)
        parameters = [*signature.parameters.values(), of_request]
        waiting.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        waiting.__annotations__ = {**handler.__annotations__, REQUEST: Request[Any, Any, Any]}
    return waiting
