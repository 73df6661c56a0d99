"""A connection to a server: what has not changed is not sent again, and a client that is asked to wait waits.

Nothing that a server says is trusted: answers, waits and listings have an end, and what it says of its errors is text.
"""

import logging
import time
import unicodedata
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

import httpx
import msgspec

from ratebook.wire import Problem

Answer = TypeVar("Answer")
Value: TypeAlias = str | int | Sequence[str] | None
"""Of a parameter; one with several values is given several times."""

logger = logging.getLogger("ratebook.client")

ATTEMPTS = 5
LONGEST_WAIT = 120.0
"""Seconds in all before a request is answered; a server that asks for more is given up."""
WORTH_A_WARNING = 10.0
"""Seconds."""
MOST_BYTES = 32 * 1024 * 1024
"""Of an answer, unpacked; the longest ones of a server have a few."""
GZIP = 16 + zlib.MAX_WBITS
HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Controls, formats such as those that turn text around, and ends of lines and paragraphs."""
MOST_KEPT = 256
NOT_GIVEN = (None, "")
PARTIAL, UNCHANGED, ERRORS = 206, 304, 400
WAITS = (429, 503)
NOT_OF_RATINGS = "This is no answer of a server of ratings"
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


class _Answer(NamedTuple):
    status: int
    reason: str
    headers: httpx.Headers
    content: bytes


class ServerConnection:
    """A connection to the server at *url*, over *transport* or the network, by a *token*; *wait* waits seconds."""

    def __init__(
        self,
        url: str,
        token: str | None,
        transport: httpx.BaseTransport | None,
        wait: Callable[[float], object] = time.sleep,
    ) -> None:
        headers = {"accept-encoding": "gzip"}
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        self._http = httpx.Client(
            base_url=url.rstrip("/") + "/api/v1", headers=headers, transport=transport, timeout=60.0
        )
        self._wait = wait
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def get(self, kind: type[Answer], path: str, parameters: Mapping[str, Value] | None = None) -> Answer:
        """Return what is at a path, asked with the *parameters* that have a value; else a `ServerError`."""
        query = {name: value for name, value in (parameters or {}).items() if value not in NOT_GIVEN}
        address = str(httpx.URL(path, params=query) if query else path)
        cached = self._kept.pop(address, None)
        headers = {} if cached is None else {"if-none-match": cached.tag}
        answer = self._asked("GET", address, headers, None)
        content = cached.content if cached is not None and answer.status == UNCHANGED else answer.content
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
        parameters: Mapping[str, Value],
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send *content* and return the answer; a `ServerError` if the server refuses, or does not answer."""
        query = {name: value for name, value in parameters.items() if value not in NOT_GIVEN}
        whole = {"content-type": "application/octet-stream", **(headers or {})}
        return _read(self._asked("POST", str(httpx.URL(path, params=query)), whole, content).content, kind)

    def stream(self, path: str, first: int, take: Callable[[bool, bytes], object]) -> None:
        """Give *take* the parts of a file from a byte on, each with whether they begin there and not with the file.

        A `ServerError` if the server refuses, does not answer, or breaks off.
        """

        def taken(answer: httpx.Response) -> bytes:
            if answer.headers.get("content-encoding", "identity") != "identity":
                raise no_answer(NOT_OF_RATINGS, path, "It is packed in a way that was not asked for.")
            for part in answer.iter_raw():
                take(answer.status_code == PARTIAL, part)
            return b""

        headers = {"accept-encoding": "identity"} | ({"range": f"bytes={first}-"} if first else {})
        self._asked("GET", path, headers, None, taken)

    def _asked(
        self,
        method: str,
        address: str,
        headers: Mapping[str, str],
        content: bytes | None,
        body: Callable[[httpx.Response], bytes] | None = None,
    ) -> _Answer:
        waited = 0.0
        for attempt in range(1, ATTEMPTS + 1):
            answer = self._sent(method, address, headers, content, body or _body)
            seconds = _wait_of(answer)
            if seconds is None or waited + seconds > LONGEST_WAIT or attempt == ATTEMPTS:
                break
            level = logging.WARNING if seconds >= WORTH_A_WARNING else logging.INFO
            logger.log(level, "waiting %g seconds, as the server asks, for %s %s", seconds, method, address)
            self._wait(seconds)
            waited += seconds
        if answer.status >= ERRORS:
            raise ServerError(answer.status, _problem(answer, address))
        return answer

    def _sent(
        self,
        method: str,
        address: str,
        headers: Mapping[str, str],
        content: bytes | None,
        body: Callable[[httpx.Response], bytes],
    ) -> _Answer:
        try:
            with self._http.stream(method, address, headers=headers, content=content) as answer:
                read = _body if answer.status_code >= ERRORS else body
                return _Answer(answer.status_code, answer.reason_phrase, answer.headers, read(answer))
        except httpx.HTTPError as failure:
            raise no_answer("The server does not answer", address, str(failure)) from failure


def _body(answer: httpx.Response) -> bytes:
    """Return the body of an answer, unpacked part by part, so that none grows beyond what an answer may have."""
    packing = answer.headers.get("content-encoding", "identity")
    if packing not in {"identity", "gzip"}:
        raise no_answer(NOT_OF_RATINGS, str(answer.url), "It is packed in a way that was not asked for.")
    unpacked = zlib.decompressobj(GZIP) if packing == "gzip" else None
    body = bytearray()
    try:
        for part in answer.iter_raw():
            body += part if unpacked is None else unpacked.decompress(part, MOST_BYTES + 1 - len(body))
            if len(body) > MOST_BYTES:
                raise no_answer(NOT_OF_RATINGS, str(answer.url), f"It is longer than {MOST_BYTES:,} bytes.")
    except zlib.error as failure:
        raise no_answer(NOT_OF_RATINGS, str(answer.url), "It cannot be unpacked.") from failure
    return bytes(body)


def no_answer(title: str, address: str, detail: str) -> ServerError:
    """Return the error of an answer that is none; *detail* may have words of the server."""
    shown = "".join("\N{REPLACEMENT CHARACTER}" if is_hidden(one) else one for one in detail)
    return ServerError(0, Problem("about:blank", title, 0, shown, address))


def is_hidden(letter: str) -> bool:
    """Return whether a terminal would not show a character but obey it."""
    return unicodedata.category(letter) in HIDDEN


def _wait_of(answer: _Answer) -> float | None:
    """Return how many seconds a server asks to wait; None where it does not."""
    said = answer.headers.get("retry-after", "")
    return float(said) if answer.status in WAITS and said.isdecimal() else None


def _problem(answer: _Answer, address: str) -> Problem:
    try:
        problem = msgspec.json.decode(answer.content, type=Problem)
    except NO_ANSWER:
        problem = None
    if problem is None or any(
        is_hidden(one) for text in _texts(msgspec.to_builtins(problem)) for one in text
    ):
        return Problem("about:blank", answer.reason, answer.status, "", address)
    return problem


def _texts(value: object) -> Iterator[str]:
    """Yield every text of a problem, those of its findings too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


def _read(content: bytes, kind: type[Answer]) -> Answer:
    try:
        return msgspec.json.decode(content, type=kind)
    except NO_ANSWER as failure:
        raise no_answer(NOT_OF_RATINGS, "", str(failure)) from failure
