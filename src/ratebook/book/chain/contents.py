"""What each link of the chain vouches for: a row of a table with the rows that belong to it, as one text.

The text is JSON without spaces: the row, then a list for each table that belongs to it, whose rows are sorted as text.
A row has its columns by name, without those that are empty: a column that a later version adds changes no text. Days
are written as ``2026-11-14``, and a negative zero as zero, since SQLite keeps no sign of it.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from enum import StrEnum
from json.encoder import encode_basestring_ascii
from typing import Any

from sqlalchemy import BindParameter, Column, Connection, Table, bindparam, select

from ratebook.book import schema

AT_ONCE = 500
"""Subjects in one statement."""


class Linked(StrEnum):
    """What a link can be about."""

    AUDIT = "audit"
    BOOK = "book"
    DECISION = "decision"
    EVENT = "event"
    LIST = "list"
    MARK = "mark"
    MEMBER = "member"
    POSTING = "posting"
    RULEBOOK = "rulebook"
    RULES = "rules"
    RUN = "run"
    SECTION = "section"
    SUBMISSION = "submission"


class _Part:
    """Columns of a table, by name, whose rows belong to a subject by one of them, the *holder*."""

    def __init__(self, holder: Column[Any], columns: Iterable[Column[Any]]) -> None:
        self.holder = holder
        self._columns = sorted(columns, key=lambda column: column.name)
        self._names = [f'"{column.name}":' for column in self._columns]
        self._query = select(holder, *self._columns).where(holder.in_(_KEYS))

    def texts(self, connection: Connection, keys: Sequence[object]) -> dict[object, list[str]]:
        """Return the rows as text, by what they belong to."""
        names = self._names
        text_of = {**_TEXTS, float: _Floats().__getitem__}
        texts: dict[object, list[str]] = {}
        for key, *values in connection.execute(self._query, {"keys": keys}).all():
            content = ",".join(
                [
                    name + text_of.get(type(value), _JSON.encode)(value)
                    for name, value in zip(names, values, strict=True)
                    if value is not None
                ]
            )
            texts.setdefault(key, []).append(f"{{{content}}}")
        return texts


class _Floats(dict[float, str]):
    """Floats as text; of the eleven in a row of the ledger, four differ from those of rows beside it."""

    def __missing__(self, value: float) -> str:
        text = self[value] = repr(value + 0.0)
        return text


_JSON = json.JSONEncoder(separators=(",", ":"), default=date.isoformat)
# As it makes them, in half of the time that an encoder of its own takes for a row.
_TEXTS: dict[type, Callable[[Any], str]] = {
    int: repr,
    str: encode_basestring_ascii,
    bool: {False: "false", True: "true"}.__getitem__,
    date: '"{}"'.format,
}
_KEYS: BindParameter[list[object]] = bindparam("keys", expanding=True)


def _part(holder: Column[Any], *without: str) -> _Part:
    table: Table = holder.table
    # A number that the store gives says nothing of what a row is, and changes when the row is written anew.
    left_out = {"superseded_by", "id", holder.name, *without}
    return _Part(holder, (column for column in table.columns if column.name not in left_out))


_CONTENTS: dict[Linked, tuple[_Part, ...]] = {
    Linked.AUDIT: (_part(schema.audit.c.id),),
    # Every change of the book raises the revision.
    Linked.BOOK: (_part(schema.book.c.id, "revision"),),
    Linked.DECISION: (_part(schema.decisions.c.id),),
    Linked.EVENT: (_part(schema.events.c.id),),
    Linked.LIST: (_part(schema.published_lists.c.id), _part(schema.published_ratings.c.list_id)),
    Linked.MARK: (_part(schema.rerate_marks.c.id),),
    Linked.MEMBER: (
        _part(schema.members.c.id),
        _part(schema.memberships.c.member_id),
        _part(schema.external_ratings.c.member_id),
        _part(schema.opening_balances.c.member_id),
        _part(schema.titles.c.member_id),
    ),
    Linked.POSTING: (
        _part(schema.postings.c.id),
        _part(schema.ledger.c.posting_id),
        # What a posting ended is a part of it, so that no row can be ended or revived by hand.
        _Part(schema.ledger.c.superseded_by, [schema.ledger.c.member_id]),
        _Part(schema.postings.c.superseded_by, [schema.postings.c.id]),
    ),
    Linked.RULEBOOK: (_part(schema.rulebooks.c.id),),
    Linked.RULES: (_part(schema.rule_sets.c.fingerprint),),
    Linked.RUN: (_part(schema.runs.c.id),),
    # Its games are in the report: verify compares them.
    Linked.SECTION: (
        _part(schema.sections.c.id),
        _part(schema.entries.c.section_id),
        _part(schema.norms.c.section_id),
    ),
    Linked.SUBMISSION: (
        _part(schema.submissions.c.id),
        _part(schema.reported_sections.c.submission_id),
        _part(schema.findings.c.submission_id),
    ),
}


def subjects_of(connection: Connection, kind: Linked) -> list[str]:
    """Return everything of a kind that the book has now."""
    holder = _CONTENTS[kind][0].holder
    return list(map(str, connection.execute(select(holder).order_by(holder)).scalars()))


def contents_of(connection: Connection, kind: Linked, subjects: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each subject with its content; an empty one where the book does not have it."""
    whole = list(subjects)
    main, *parts = _CONTENTS[kind]
    key_of = main.holder.type.python_type
    for start in range(0, len(whole), AT_ONCE):
        keys = list(map(key_of, whole[start : start + AT_ONCE]))
        rows = main.texts(connection, keys)
        belonging = [part.texts(connection, keys) for part in parts]
        for subject, key in zip(whole[start : start + AT_ONCE], keys, strict=True):
            if key in rows:
                lists = (f"[{','.join(sorted(part.get(key, ())))}]" for part in belonging)
                yield subject, f"[{','.join((*rows[key], *lists))}]"
            else:
                yield subject, ""
