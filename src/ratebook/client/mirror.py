"""A copy of what a server shows the public, which follows the book behind it."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from ratebook.client.connection import ServerConnection
from ratebook.client.listing import Listing
from ratebook.records.changes import Change, PlayerNow, SectionNow
from ratebook.records.federation import ListSummary


class MirrorState(msgspec.Struct):
    """What a copy has: players by id, ids that were merged into others, sections, lists, and the revision."""

    revision: int = 0
    players: dict[str, PlayerNow] = {}
    merged: dict[str, str] = {}
    sections: dict[str, SectionNow] = {}
    lists: dict[str, ListSummary] = {}


class Mirror:
    """A copy that follows a server.

    Attributes:
        kept: what it has. Sections are under their event and number, such as ``202611140001/1``.
        path: the file in which it stays; None where it does not.
    """

    def __init__(self, server: ServerConnection, path: Path | None) -> None:
        self._server = server
        self.path = path
        there = path is not None and path.exists()
        self.kept = (
            msgspec.json.decode(path.read_bytes(), type=MirrorState) if path and there else MirrorState()
        )

    def update(self) -> list[Change]:
        """Take what has changed since the last time, and return it; the file is written in the end.

        Raises:
            ServerError: the server refuses, or does not answer; the copy is as it was.
        """
        changes = list(self._changes())
        for one in changes:
            self._take(one)
        if changes:
            self.kept.revision = changes[-1].revision
            self._write()
        return changes

    def _changes(self) -> Iterator[Change]:
        yield from Listing(
            self._server, Change, "/changes", {"since_revision": self.kept.revision, "limit": 200}
        )

    def _take(self, change: Change) -> None:
        state, name = self.kept, change.address.rpartition("/")[2]
        match change.kind:
            case "merge" if change.into is not None:
                state.players.pop(name, None)
                state.merged[name] = change.into
            case "section" if change.section is not None:
                state.sections[f"{change.section.event}/{change.section.number}"] = change.section
            case "list" if change.list is not None:
                state.lists[change.list.month] = change.list
            case _ if change.player is not None:
                state.merged.pop(change.player.id, None)
                state.players[change.player.id] = change.player

    def _write(self) -> None:
        if self.path is None:
            return
        beside = self.path.with_name(self.path.name + ".new")
        beside.write_bytes(msgspec.json.encode(self.kept))
        beside.replace(self.path)
