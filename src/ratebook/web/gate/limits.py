"""How often programs and browsers may ask, counted in memory (docs/decisions/0031-limits-of-requests.md).

Each subject has a bucket of requests that fills at a steady rate, so that whoever asks once in the time between two of
them is never refused. A whole bucket is a minute's worth; after a day's worth it holds one request, until the next day.
"""

import math
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

from anyio import to_thread
from litestar.connection import ASGIConnection
from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from ratebook.findings import Place, finding
from ratebook.web.api.problems import PREFIX as PROGRAMS
from ratebook.web.api.problems import RefusedRequest
from ratebook.web.caching import FROM_MEMORY
from ratebook.web.gate.programs import find_program
from ratebook.web.gate.visitors import network_of, visitor_in
from ratebook.web.routing import KEPT, NEEDS, Needs
from ratebook.web.site import Site

MINUTE, DAY = 60.0, 86_400.0
MOST_SUBJECTS = 50_000
"""Those longest silent are forgotten beyond it: their buckets are full again."""
CHEAP = 0.25
"""What an answer counts that was not made anew."""
KEPT_STATUS = 304


class Rate(NamedTuple):
    """How many requests a subject may make in a minute, and how many in a day before bursts end; 0: any."""

    minute: int
    day: int = 0

    @property
    def policy(self) -> str:
        """Return it as a header says it (draft-ietf-httpapi-ratelimit-headers-10, section 3)."""
        day = f', "day";q={self.day};w={DAY:.0f}' if self.day else ""
        return f'"minute";q={self.minute};w={MINUTE:.0f}{day}'


class ServerLimits(NamedTuple):
    """The limits of a server.

    Attributes:
        now: gives seconds that never go back.
        anonymous: of an address (of IPv6 a network of 64 bits) that asks the interface for programs.
        token: of a token.
        pages: of an address that reads public pages, and of an account that has signed in.
    """

    now: Callable[[], float]
    anonymous: Rate
    token: Rate
    pages: Rate


USUAL_DAY = 5_000
USUAL = 60
MORE = 10
"""Requests of an address in a day and in a minute; with a token, and for pages, so many times as many in a minute."""


def limits_of(now: Callable[[], float], minute: int = USUAL) -> ServerLimits:
    """Return the limits of a server at which an address may ask so often in a minute."""
    return ServerLimits(
        now, Rate(minute, USUAL_DAY * minute // USUAL), Rate(MORE * minute), Rate(MORE * minute)
    )


class Left(NamedTuple):
    """What a subject may ask after a request: how many requests at once, and in how many seconds the next, and all."""

    allowed: bool
    requests: int
    next_in: float
    all_in: float


class _Bucket(NamedTuple):
    level: float
    at: float
    day: int
    today: float


class Buckets:
    """What each subject has left."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._buckets: dict[str, _Bucket] = {}
        self._lock = Lock()

    def take(self, subject: str, rate: Rate) -> Left:
        """Count a request, if it is allowed, and return what is left."""
        with self._lock:
            bucket = self._filled(subject, rate)
            allowed = bucket.level >= 1.0
            if allowed:
                bucket = bucket._replace(level=bucket.level - 1.0, today=bucket.today + 1.0)
            self._keep(subject, bucket)
            per_second = rate.minute / MINUTE
            return Left(
                allowed,
                int(bucket.level),
                max(0.0, (1.0 - bucket.level) / per_second),
                (_size(rate, bucket.today) - bucket.level) / per_second,
            )

    def give_back(self, subject: str, rate: Rate, share: float) -> None:
        """Give back a *share* of a request that cost less."""
        with self._lock:
            bucket = self._filled(subject, rate)
            level = min(_size(rate, bucket.today), bucket.level + share)
            self._keep(subject, bucket._replace(level=level, today=bucket.today - share))

    def _filled(self, subject: str, rate: Rate) -> _Bucket:
        now = self._now()
        day = int(now // DAY)
        bucket = self._buckets.pop(subject, None)
        if bucket is None:
            return _Bucket(float(rate.minute), now, day, 0.0)
        today = bucket.today if bucket.day == day else 0.0
        level = bucket.level + (now - bucket.at) * rate.minute / MINUTE
        return _Bucket(min(level, _size(rate, today)), now, day, today)

    def _keep(self, subject: str, bucket: _Bucket) -> None:
        # The dictionary is in the order of the last requests.
        self._buckets[subject] = bucket
        if len(self._buckets) > MOST_SUBJECTS:
            del self._buckets[next(iter(self._buckets))]


def _size(rate: Rate, today: float) -> float:
    return 1.0 if rate.day and today >= rate.day else float(rate.minute)


class Limited(ASGIMiddleware):
    """Refuses who asks too often, with what is left in the headers of every answer to a program."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self._buckets = Buckets(limits.now)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Answer by *next_app*, or refuse."""
        if scope["type"] != ScopeType.HTTP:
            await next_app(scope, receive, send)
            return
        for_program = scope["path"].startswith(PROGRAMS)
        unlimited = Needs(scope["route_handler"].opt.get(NEEDS, Needs.NOBODY)) is Needs.NOBODY
        public = KEPT in scope["route_handler"].opt
        if scope["method"] == "OPTIONS" or (unlimited and not (for_program or public)):
            await next_app(scope, receive, send)
            return
        subject, rate = await self._who(scope, for_program=for_program, public=public)
        allowance = self._buckets.take(subject, rate)
        headers = {
            "ratelimit-policy": rate.policy,
            "ratelimit": f'"minute";r={allowance.requests};t={math.ceil(allowance.all_in)}',
        }
        if not allowance.allowed:
            wait = max(1, math.ceil(allowance.next_in))
            raise RefusedRequest(
                429,
                finding("api-requests-too-many", Place(subject=scope["path"]), wait=wait),
                {**headers, "retry-after": str(wait)},
            )

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                if for_program:
                    MutableScopeHeaders.from_message(message).update(headers)
                if message["status"] == KEPT_STATUS or scope["state"].get(FROM_MEMORY):
                    self._buckets.give_back(subject, rate, 1.0 - CHEAP)
            await send(message)

        await next_app(scope, receive, counted)

    async def _who(self, scope: HTTPScope, *, for_program: bool, public: bool) -> tuple[str, Rate]:
        """Return as whom a request is counted, and how often that may ask."""
        client = scope["client"]
        network = network_of(client[0] if client else "")
        if not (for_program or public):
            visitor = await visitor_in(ASGIConnection(scope))
            if visitor is not None:
                return f"account {visitor.account.id}", self._limits.pages
        if not for_program:
            return f"pages {network}", self._limits.pages
        authorization = Headers.from_scope(scope).get("authorization", "")
        site: Site = scope["litestar_app"].state.site
        if authorization and site.gate is not None:
            program = await to_thread.run_sync(find_program, site.gate, authorization)
            if program is not None:
                return f"token {program.token.id}", self._limits.token
        return network, self._limits.anonymous
