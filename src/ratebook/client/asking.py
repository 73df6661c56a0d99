"""Asking a server: what it has not changed is not sent again, and who is told to wait waits."""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias, TypeVar

import httpx
import msgspec

from ratebook.wire import Problem

Answer = TypeVar("Answer")
Value: TypeAlias = str | int | None

ATTEMPTS = 5
LONGEST_WAIT = 120.0
"""Seconds; a server that asks for more is given up."""
MOST_KEPT = 256
UNCHANGED, ERRORS = 304, 400
WAITS = (429, 503)
NO_ANSWER = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)
"""What msgspec raises for an answer that is none: for wrong bytes and deep nesting, errors of Python."""


class ServerError(Exception):
    """A server did not do what it was asked.

    Attributes:
        status: of the answer; 0 where there was none.
        problem: what it said, with the code, the remedy and the findings.
    """

    def __init__(self, status: int, problem: Problem) -> None:
        super().__init__(" ".join(part for part in (problem.detail or problem.title, problem.remedy) if part))
        self.status = status
        self.problem = problem

    @property
    def code(self) -> str:
        """Return the code of the finding (docs/findings.md); empty where there is none."""
        return self.problem.code


class _Kept(NamedTuple):
    tag: str
    content: bytes


class Asking:
    """A connection to a server.

    Args:
        url: of the server, such as ``https://ratings.example.org``.
        token: by which the program acts for an account.
        transport: what carries the requests; None: the network.
        wait: waits so many seconds.
    """

    def __init__(
        self,
        url: str,
        token: str | None,
        transport: httpx.BaseTransport | None,
        wait: Callable[[float], object] = time.sleep,
    ) -> None:
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        self._http = httpx.Client(
            base_url=url.rstrip("/") + "/api/v1", headers=headers, transport=transport, timeout=60.0
        )
        self._wait = wait
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def get(self, kind: type[Answer], path: str, given: Mapping[str, Value] | None = None) -> Answer:
        """Return what is at a path, asked with what is *given* and not None.

        Raises:
            ServerError: the server refuses, or does not answer.
        """
        asked = {name: value for name, value in (given or {}).items() if value not in {None, ""}}
        address = str(httpx.URL(path, params=asked) if asked else path)
        kept = self._kept.pop(address, None)
        headers = {} if kept is None else {"if-none-match": kept.tag}
        answer = self._asked("GET", address, headers, None)
        content = kept.content if kept is not None and answer.status_code == UNCHANGED else answer.content
        if "etag" in answer.headers:
            self._kept[address] = _Kept(answer.headers["etag"], content)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return _read(content, kind)

    def post(
        self,
        kind: type[Answer],
        path: str,
        content: bytes,
        given: Mapping[str, Value],
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send *content* and return the answer.

        Raises:
            ServerError: the server refuses, or does not answer.
        """
        asked = {name: value for name, value in given.items() if value not in {None, ""}}
        whole = {"content-type": "application/octet-stream", **(headers or {})}
        return _read(self._asked("POST", str(httpx.URL(path, params=asked)), whole, content).content, kind)

    def _asked(
        self, method: str, address: str, headers: Mapping[str, str], content: bytes | None
    ) -> httpx.Response:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                answer = self._http.request(method, address, headers=headers, content=content)
            except httpx.HTTPError as failure:
                said = Problem("about:blank", "The server does not answer", 0, str(failure), address)
                raise ServerError(0, said) from failure
            seconds = _wait_of(answer)
            if seconds is None or attempt == ATTEMPTS:
                break
            self._wait(seconds)
        if answer.status_code >= ERRORS:
            raise ServerError(answer.status_code, _problem(answer, address))
        return answer


def _wait_of(answer: httpx.Response) -> float | None:
    """Return how many seconds a server asks to wait; None where it does not, or for too long."""
    said = answer.headers.get("retry-after", "")
    if answer.status_code not in WAITS or not said.isdecimal():
        return None
    return float(said) if float(said) <= LONGEST_WAIT else None


def _problem(answer: httpx.Response, address: str) -> Problem:
    try:
        return msgspec.json.decode(answer.content, type=Problem)
    except NO_ANSWER:
        return Problem("about:blank", answer.reason_phrase, answer.status_code, "", address)


def _read(content: bytes, kind: type[Answer]) -> Answer:
    try:
        return msgspec.json.decode(content, type=kind)
    except NO_ANSWER as failure:
        said = Problem("about:blank", "This is no answer of a server of ratings", 0, str(failure), "")
        raise ServerError(0, said) from failure
