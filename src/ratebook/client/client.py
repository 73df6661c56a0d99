"""The client of a server of ratings."""

import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

import httpx

from ratebook.bounded_files import MOST_BYTES, bounded_bytes
from ratebook.client.connection import ServerConnection, Value
from ratebook.client.data_files import DataCopy, mirror_data, no_progress
from ratebook.client.listing import Item, Listing
from ratebook.client.mirror import Mirror
from ratebook.model import System
from ratebook.records.changes import Change
from ratebook.records.data_files import DataManifest
from ratebook.records.events import CrosstableLine, FoundEvent, WholeEvent
from ratebook.records.explanations import Explanation
from ratebook.records.federation import BookSummary, ListSummary, RankingPlace, RatingOfList
from ratebook.records.players import (
    FoundPlayer,
    GameOfPlayer,
    HeadToHead,
    OfficialRating,
    Opponent,
    Player,
    PlayerChange,
    SectionResult,
)
from ratebook.records.reports import ReportPreview, SubmissionStatus

AT_ONCE = 200
"""Items that one request asks for."""


class Client:
    """A server of ratings, asked over HTTP.

    Every method raises `ServerError` where the server refuses or does not answer. What has not changed since the last
    time is not sent again, and a server that asks to wait is given that time, at most two minutes for one answer; the
    logger ``ratebook.client`` says so.

    Args:
        url: of the server, such as ``https://ratings.example.org``.
        token: by which the program acts for an account; None where it only reads what is public.
        transport: what carries the requests; None: the network.
        wait: is called with the seconds that a server asks to wait, and waits them; a program can show them.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        transport: httpx.BaseTransport | None = None,
        wait: Callable[[float], object] = time.sleep,
    ) -> None:
        self._server = ServerConnection(url, token, transport, wait)

    def __enter__(self) -> Self:
        """Return the client, which is closed in the end."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connection."""
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._server.close()

    def book(self) -> BookSummary:
        """Return what is served, and its revision."""
        return self._server.get(BookSummary, "/book")

    def players(self, q: str = "", *, ids: Sequence[str] = ()) -> Listing[FoundPlayer]:
        """Return the players whose names have all parts of *q*, or those of up to a hundred *ids*."""
        return Listing(
            self._server, FoundPlayer, "/players", {"q": q, "ids": ",".join(ids), "limit": AT_ONCE}
        )

    def player(self, player: str) -> Player:
        """Return a player, by an id that may have been merged into another."""
        return self._server.get(Player, _player(player))

    def history(self, player: str, system: System | None = None) -> Listing[SectionResult]:
        """Return what each section did to a player's ratings, the newest first."""
        return self._of_player(player, "history", SectionResult, system, paged=True)

    def games(
        self, player: str, system: System | None = None, *, opponent: str = ""
    ) -> Listing[GameOfPlayer]:
        """Return a player's rated games in a system (OTB Regular, if none is given), the newest first."""
        return Listing(
            self._server, GameOfPlayer, f"{_player(player)}/games", {"system": system, "opponent": opponent}
        )

    def opponents(self, player: str, system: System | None = None) -> Listing[Opponent]:
        """Return whom a player has met in a system (OTB Regular, if none is given), those met most often first."""
        return self._of_player(player, "opponents", Opponent, system)

    def against(self, player: str, other: str) -> Listing[HeadToHead]:
        """Return the score of a player against one other, by system and colour."""
        return Listing(self._server, HeadToHead, f"{_player(player)}/against/{quote(other, safe='')}", {})

    def official_ratings(self, player: str, *, on: date | None = None) -> Listing[OfficialRating]:
        """Return a player's official ratings, the newest first, or those in effect on a day."""
        given = {"on": None if on is None else on.isoformat()}
        return Listing(self._server, OfficialRating, f"{_player(player)}/official-ratings", given)

    def changed_ratings(self, player: str) -> Listing[PlayerChange]:
        """Return the ratings of a player that were changed after they were given, the newest first, and why."""
        return self._of_player(player, "changes", PlayerChange, None, paged=True)

    def explanations(self, player: str, event: str, section: int) -> Listing[Explanation]:
        """Return why a section moved a player's ratings, for each system."""
        path = f"{_player(player)}/explanations/{quote(event, safe='')}/{section}"
        return Listing(self._server, Explanation, path, {})

    def events(self, name: str = "", *, since: date | None = None) -> Listing[FoundEvent]:
        """Return events, the latest first: those whose names have all parts of *name*, or that end since a day."""
        given: dict[str, Value] = {"name": name, "from": None if since is None else since.isoformat()}
        return Listing(self._server, FoundEvent, "/events", {**given, "limit": AT_ONCE})

    def event(self, event: str) -> WholeEvent:
        """Return an event with its sections."""
        return self._server.get(WholeEvent, f"/events/{quote(event, safe='')}")

    def standings(self, event: str, section: int, system: System | None = None) -> Listing[CrosstableLine]:
        """Return the crosstable of a section in a system, or in the first that rates it."""
        path = f"/events/{quote(event, safe='')}/sections/{section}/standings"
        return Listing(self._server, CrosstableLine, path, {"system": system})

    def rankings(
        self, system: System = System.REGULAR, *, state: str = "", age: str = "", most: int = AT_ONCE
    ) -> Listing[RankingPlace]:
        """Return the highest rated players of a system, of a state or an age group such as ``u12`` or ``o65``."""
        given: dict[str, Value] = {"state": state, "age": age, "limit": most}
        return Listing(self._server, RankingPlace, f"/rankings/{system}", given)

    def lists(self) -> Listing[ListSummary]:
        """Return the official lists, the newest first."""
        return Listing(self._server, ListSummary, "/lists", {})

    def list_ratings(self, month: str) -> Listing[RatingOfList]:
        """Return the ratings of the official list of a month such as ``2026-11``."""
        return Listing(
            self._server, RatingOfList, f"/lists/{quote(month, safe='')}/ratings", {"limit": AT_ONCE}
        )

    def changes(self, since_revision: int = 0) -> Listing[Change]:
        """Return what has changed since a revision, each thing once, in the order of revisions."""
        return Listing(self._server, Change, "/changes", {"since_revision": since_revision, "limit": AT_ONCE})

    def mirror(self, path: str | Path | None = None) -> Mirror:
        """Return a copy of all players with their ratings, sections and lists; it stays in the file at *path*."""
        return Mirror(self._server, None if path is None else Path(path))

    def data(self) -> DataManifest:
        """Return which complete tables the server has, and the files in which they are."""
        return self._server.get(DataManifest, "/data")

    def mirror_data(
        self,
        folder: str | Path,
        form: str | None = None,
        progress: Callable[[int, int], object] = no_progress,
    ) -> DataCopy:
        """Copy the complete tables of the server into a folder, and verify them.

        What is there already is kept, and a file that was broken off goes on where it ended. The manifest is
        written last: what it names is complete.

        Args:
            folder: where they go; it is made if it is missing.
            form: ``csv``, ``ndjson`` or ``parquet``; None: the first format that the server has.
            progress: is called with the bytes that are there, and those of the whole copy.

        Raises:
            ServerError: the server refuses or does not answer, or a file is not the one that the manifest names.
            OSError: the folder cannot be written.
        """
        return mirror_data(self._server, self.data(), Path(folder), form, progress)

    def preview(self, report: str | Path | bytes, **unsaid: str | Sequence[str]) -> ReportPreview:
        """Try a report and return its problems, and the ratings that it would give; the preview is kept for a day.

        Args:
            report: its file, or its contents.
            unsaid: what its format does not say, such as ``time_control="G/60;d5"`` or
                ``column=["Wertung=rating"]`` (docs/api.md#with-a-token).
        """
        content, given = _sent(report, unsaid)
        return self._server.post(ReportPreview, "/previews", content, given)

    def submit(self, report: str | Path | bytes, key: str, **unsaid: str | Sequence[str]) -> SubmissionStatus:
        """Send a report to the office, once for each *key*, and return what became of it.

        Args:
            report: its file, or its contents.
            key: a name of this sending, so that it can be sent again where no answer came.
            unsaid: as for `preview`.
        """
        content, given = _sent(report, unsaid)
        return self._server.post(SubmissionStatus, "/submissions", content, given, {"idempotency-key": key})

    def submission(self, number: int) -> SubmissionStatus:
        """Return what became of a report that was sent."""
        return self._server.get(SubmissionStatus, f"/submissions/{number}")

    def _of_player(
        self, player: str, page: str, kind: type[Item], system: System | None, *, paged: bool = False
    ) -> Listing[Item]:
        given = {"system": system, "limit": AT_ONCE if paged else None}
        return Listing(self._server, kind, f"{_player(player)}/{page}", given)


def _player(player: str) -> str:
    return f"/players/{quote(player, safe='')}"


def _sent(
    report: str | Path | bytes, unsaid: dict[str, str | Sequence[str]]
) -> tuple[bytes, dict[str, Value]]:
    if isinstance(report, bytes):
        return report, {**unsaid}
    path = Path(report)
    return bounded_bytes(path, MOST_BYTES), {"file": path.name, **unsaid}
