"""What a form sends, merged into a draft that may have changed since the form was shown: nothing typed is lost.

A form sends what it showed along with what it holds. A field that was left alone keeps what the draft has now; one that
two windows changed keeps what was saved first, and the other text is kept beside it as a `Conflict`.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from ratebook.reports.draft import MOST_PLAYERS, MOST_ROUNDS, Conflict, DraftPlayer, DraftSection, renumbered
from ratebook.reports.other_sides import with_other_sides

_CELL = re.compile(r"p(?P<row>[0-9]{1,6})-(?P<what>seat|id|name|r(?P<played>[0-9]{1,2}))", re.ASCII)
SEAT = "seat"
"""Ending of what a form says of the number that a row has."""


class Merged(NamedTuple):
    """Texts of fields after a merge.

    Attributes:
        texts: what the draft has now.
        news: fields that another window changed since the form was shown.
        conflicts: what was typed into fields that another window changed to something else.
    """

    texts: dict[str, str]
    news: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()


class MergedSection(NamedTuple):
    """A section after a merge, and the fields that another window changed since the form was shown."""

    section: DraftSection
    news: tuple[str, ...] = ()


def merged(current: Mapping[str, str], typed: Mapping[str, str], seen: Mapping[str, str] | None) -> Merged:
    """Return texts with what was *typed* into a form that had *seen* others; None: it saw those of now.

    >>> merged({"a": "1", "b": "2"}, {"a": "", "b": "3"}, {"a": "", "b": "2"})
    Merged(texts={'a': '1', 'b': '3'}, news=('a',), conflicts=())
    >>> merged({"a": "1"}, {"a": "2"}, {"a": ""}).conflicts
    (Conflict(field='a', typed='2'),)
    """
    texts, news, conflicts = dict(current), list[str](), list[Conflict]()
    for name, text in typed.items():
        now = current.get(name, "")
        before = now if seen is None else seen.get(name, "")
        if text == now:
            continue
        if text == before:
            news.append(name)
        elif before == now:
            texts[name] = text
        else:
            conflicts.append(Conflict(name, text))
    return Merged(texts, tuple(news), tuple(conflicts))


def fields_of(section: DraftSection) -> dict[str, str]:
    """Return what the form of a section shows, by the names of its fields; `SEAT` are the numbers of the rows."""
    fields = dict(section.texts)
    for player in section.players:
        row = f"p{player.row}-"
        fields |= {f"{row}{SEAT}": str(player.seat), f"{row}id": player.id, f"{row}name": player.name}
        fields |= {f"{row}r{played}": text for played, text in enumerate(player.cells, start=1)}
    return {name: text for name, text in fields.items() if text}


def merged_section(
    before: DraftSection, typed: Mapping[str, str], seen: Mapping[str, str] | None
) -> MergedSection:
    """Return a section with what was typed into its form; what the form did not send stays as it is.

    A row or a round that another window removed comes back where something was typed into it.
    """
    renamed = _new_seats(before, seen)
    if renamed and seen is not None:
        typed, seen = ({**texts, **_renumbered(texts, renamed)} for texts in (typed, seen))
    section = _with_what_was_removed(before, typed, seen or {})
    rows = {player.row for player in section.players}
    fields = {name: text for name, text in typed.items() if _row_of(name) in {None, *rows}}
    merge = merged(fields_of(section), fields, seen)
    players = tuple(_with_fields(player, section.rounds, merge.texts) for player in section.players)
    texts = {name: text for name, text in merge.texts.items() if _row_of(name) is None}
    typed_fields = {conflict.field for conflict in merge.conflicts}
    older = tuple(each for each in section.conflicts if each.field not in typed_fields)
    changed = section._replace(texts=texts, players=players, conflicts=(*older, *merge.conflicts))
    return MergedSection(with_other_sides(before, changed), merge.news)


def decided(section: DraftSection, field: str, *, take: bool) -> DraftSection:
    """Return a section in which a conflict is over; what it kept aside is taken, or goes."""
    conflict = next((each for each in section.conflicts if each.field == field), None)
    if conflict is None:
        return section
    section = section._replace(conflicts=tuple(each for each in section.conflicts if each is not conflict))
    return merged_section(section, {field: conflict.typed}, None).section if take else section


def _row_of(name: str) -> int | None:
    match = _CELL.fullmatch(name)
    return None if match is None else int(match["row"])


def _new_seats(section: DraftSection, seen: Mapping[str, str] | None) -> dict[int, int]:
    """Return the numbers that rows have now by those that the form showed, where they differ."""
    shown = {player: (seen or {}).get(f"p{player.row}-{SEAT}", "") for player in section.players}
    return {
        int(seat): player.seat
        for player, seat in shown.items()
        if seat.isascii() and seat.isdecimal() and int(seat) != player.seat
    }


def _renumbered(texts: Mapping[str, str], seats: Mapping[int, int]) -> dict[str, str]:
    matches = {name: _CELL.fullmatch(name) for name in texts}
    return {
        name: renumbered(texts[name], seats)
        for name, match in matches.items()
        if match is not None and match["played"]
    }


def _with_what_was_removed(
    section: DraftSection, typed: Mapping[str, str], seen: Mapping[str, str]
) -> DraftSection:
    changed = [
        match
        for name, text in typed.items()
        if text != seen.get(name, "") and (match := _CELL.fullmatch(name))
    ]
    rounds = max([section.rounds, *(int(match["played"] or 0) for match in changed)])
    if rounds > section.rounds:
        section = section.with_rounds(min(rounds, MOST_ROUNDS))
    rows = {player.row for player in section.players}
    for row in sorted({int(match["row"]) for match in changed} - rows):
        seat = seen.get(f"p{row}-{SEAT}", "")
        # A row that the section never had is no one's.
        if seat.isdecimal() and len(section.players) < MOST_PLAYERS:
            section = _with_row(section, row, int(seat), seen)
    return section


def _with_row(section: DraftSection, row: int, seat: int, seen: Mapping[str, str]) -> DraftSection:
    """Return a section with a row that was removed, as a form showed it, at its number if that is free."""
    shown = _with_fields(DraftPlayer(seat if seat <= MOST_PLAYERS else 0, key=row), section.rounds, seen)
    return section.with_player(shown)


def _with_fields(player: DraftPlayer, rounds: int, fields: Mapping[str, str]) -> DraftPlayer:
    row = f"p{player.row}-"
    cells = tuple(fields.get(f"{row}r{played}", "") for played in range(1, rounds + 1))
    return player._replace(id=fields.get(f"{row}id", ""), name=fields.get(f"{row}name", ""), cells=cells)
