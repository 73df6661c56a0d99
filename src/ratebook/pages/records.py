"""What the office has written down: what waits for a re-rating, decisions, the audit log, official lists."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from ratebook.book.audit import AuditEntry
from ratebook.book.columns import day_of_place
from ratebook.book.decisions import RecordedDecision
from ratebook.book.ledger.pending import Pending
from ratebook.model import MIRROR, Shown, System
from ratebook.official_lists.contents import shown_rating
from ratebook.pages.columns import Column, Columns, shown
from ratebook.pages.crosstable import RESULT_WORDS
from ratebook.rating.formulas import rounded
from ratebook.records.federation import ListSummary
from ratebook.records.system_titles import SYSTEM_TITLES

NO_NAMES: Mapping[str, str] = MappingProxyType({})
MEMBERS_IN = ("member", "into")
"""Details of decisions that are ids of members."""
MOST_LISTED = 10
"""So many things of one kind, say submissions, a line names."""


def what_words(decision: RecordedDecision, names: Mapping[str, str] = NO_NAMES, seated: str = "") -> str:
    """Return what was decided, in a sentence where its kind has one; ratings are rounded, since one may tell an age.

    *names* are those of the members whom it mentions, by their ids, and *seated* is the player at the seat.
    """
    is_mirrored = decision.details.get("opponent_result") == MIRROR.get(
        str(decision.details.get("result")), ""
    )
    left_out = {"findings", *(("opponent_result",) if is_mirrored else ())}
    details = {
        name: detail
        for name, detail in decision.details.items()
        if detail not in ("", None, []) and name not in left_out
    }
    if details.get("start", "") == details.get("end"):
        details = {**details, "day": details["end"]}
        del details["start"], details["end"]
    texts = {name: _detail(name, detail, names) for name, detail in details.items()}
    if seated and "seat" in texts:
        texts["seat"] += f" ({seated})"
    for needed, sentence in _SENTENCES.get(decision.kind, ()):
        if set(needed) <= set(texts):
            others = [
                _phrase(name, details[name], texts[name]) for name in _ordered(set(texts) - set(needed))
            ]
            return "; ".join((sentence.format(**texts), *others)) + "."
    where = ", ".join(f"{name} {texts.pop(name)}" for name in ("seat", "round") if name in texts)
    words = [f"{rounded(decision.value):.0f}"] if decision.value is not None else []
    words += [_phrase(name, details[name], texts[name]) for name in _ordered(texts)]
    return ": ".join(filter(None, (where, "; ".join(words))))


_SENTENCES: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]] = {
    "correct-result": ((("seat", "round", "result"), "Seat {seat}, round {round}: {result}"),),
    "correct-member": (
        (("seat", "member", "submission"), "The player at seat {seat} of report {submission} is {member}"),
        (("seat", "member"), "The player at seat {seat} is {member}"),
    ),
    "correct-dates": (
        (("day",), "It was played on {day}"),
        (("start", "end"), "It was played from {start} to {end}"),
        (("end",), "It ended on {end}"),
    ),
    "correct-time-control": ((("time_control",), "The time control is {time_control}"),),
}
"""What is said of a kind that has all of the details: the details, and the sentence."""


def _ordered(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: (_ORDER.get(name, len(_ORDER)), name))


def _phrase(name: str, detail: object, text: str) -> str:
    """Return a detail in a few words."""
    is_single = isinstance(detail, list) and len(detail) == 1
    title = (name.removesuffix("s") if is_single else name).replace("_", " ")
    return title if detail is True else _PHRASES.get(name, title + " {}").format(text)


_PHRASES = {
    "member": "{}",
    "into": "into {}",
    "result": "{}",
    "opponent_result": "opponent {}",
    "start": "from {}",
    "end": "until {}",
    "games": "{} games",
    "wins": "{} won",
    "draws": "{} drawn",
    "losses": "{} lost",
    "record": "{} record",
    "long_events": "{} long events",
    "life_master_games": "{} games for Life Master",
    "floor_kind": "{} floor",
    "submission": "report {}",
}
"""How details are said where it is not their name and the value, in the order in which people say them."""
_ORDER = {name: at for at, name in enumerate(_PHRASES)}


def _detail(name: str, detail: object, names: Mapping[str, str]) -> str:
    """Return a detail of a decision for people.

    >>> _detail("result", "W", {}), _detail("peak", 2138.0, {}), _detail("changed", ["birth_date"], {})
    ('win', '2138', 'birth date')
    >>> _detail("into", "90000001", {"90000001": "Alice Heron"})
    'Alice Heron, 90000001'
    """
    if name.endswith("result"):
        return RESULT_WORDS.get(str(detail), str(detail))
    if isinstance(detail, list):
        return _listed(detail).replace("_", " ") if name == "changed" else _listed(detail)
    return ", ".join(filter(None, (names.get(str(detail)) if name in MEMBERS_IN else None, shown(detail))))


def _listed(details: list[object]) -> str:
    more = len(details) - MOST_LISTED
    words = ", ".join(map(str, details[:MOST_LISTED]))
    return f"{words} and {more:,} more" if more > 0 else words


PENDING: Columns[Pending] = (
    Column("From", lambda one: pending_as_json(one)["from"] or "the beginning"),
    Column("Event", lambda one: pending_as_json(one)["event"] or ""),
    Column("Section", lambda one: str(pending_as_json(one)["section"] or ""), "right"),
    Column("Member", "member"),
    Column("Because of", "reason"),
)

DECISIONS: Columns[RecordedDecision] = (
    Column("No.", "id", "right"),
    Column("Made (UTC)", "decided_at"),
    Column("By", "decided_by"),
    Column("Kind", "kind"),
    Column("Member", "member_id"),
    Column("Event", "event_id"),
    Column("Section", "section_number", "right"),
    Column("System", "system"),
    Column("From", "effective"),
    Column("What", what_words),
    Column("Reason", "reason"),
)

AUDIT: Columns[AuditEntry] = (
    Column("At (UTC)", "at"),
    Column("By", "by"),
    Column("Action", "action"),
    Column("Subject", "subject"),
    Column("Details", "details"),
)

LISTS: Columns[ListSummary] = (
    Column("Month", "month"),
    Column("Cut-off", "cut_off"),
    Column("Ratings", "ratings", "right", ","),
    Column("Published (UTC)", "published_at"),
    Column("By", "published_by"),
)

OFFICIAL: Columns[tuple[System, Shown]] = (
    Column("System", lambda one: SYSTEM_TITLES[one[0]]),
    Column("Rating", lambda one: shown_rating(one[1]), "right"),
)


def pending_as_json(pending: Pending) -> dict[str, Any]:
    """Return from where on something waits, with whom and why; a place that is no section's has a day at most."""
    parts = pending.place.split("\t")
    day, event, section = parts if len(parts) == 3 else (day_of_place(pending.place), "", "0")  # noqa: PLR2004 - day, event, section
    return {
        "from": day or None,
        "event": event or None,
        "section": int(section) or None,
        "member": pending.member,
        "reason": pending.reason,
    }
