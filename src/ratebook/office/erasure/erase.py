"""The decision to erase a person: everything that the book has of the person goes, but numbers under the id.

What is left, and why, is said; to erase again goes on with it.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.copies.file import rewrite_file
from ratebook.book.facts import erasure
from ratebook.book.facts.members import earlier_ids, erase_member, load_members, names_of
from ratebook.book.facts.reported_sections import replace_sections
from ratebook.book.failures import BookError
from ratebook.book.ledger.history import initial_ratings
from ratebook.book.profile import raise_revision, read_federation
from ratebook.book.reports import report_hashes, section_hashes, stored_report
from ratebook.book.submissions import HOLDING, WAITING, StoredReport, status_of
from ratebook.findings import Finding, Place, finding
from ratebook.formats.native.write import read_stored, stored_bytes
from ratebook.model import Report
from ratebook.office.decisions.members import decide_about, known_member, mark_member
from ratebook.office.decisions.revision import DecisionResult, Reason, nothing_changes
from ratebook.office.erasure.reports import (
    ErasedPerson,
    Version,
    names_at_seats,
    seats_of_person,
    without_person,
)
from ratebook.office.erasure.spellings import ERASED, Spellings

MOST_PLACES = 5
"""That a finding names."""


class Erasure(NamedTuple):
    """Who is erased, for what is kept beside the book: ids, and the spellings of the names."""

    members: Collection[str]
    spellings: Spellings


class ErasedElsewhere(NamedTuple):
    """What was erased beside the book, in words, and what is left there."""

    changes: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


Elsewhere: TypeAlias = Callable[[Erasure], ErasedElsewhere]


def nowhere_else(_: Erasure) -> ErasedElsewhere:
    """Erase nothing: no other program keeps anything beside the book."""
    return ErasedElsewhere()


def erase(
    book: Book,
    member: str,
    because: Reason,
    *,
    names: Sequence[str] = (),
    elsewhere: Elsewhere = nowhere_else,
) -> DecisionResult:
    """Erase a person: every version of every report, findings, texts of decisions and of the audit log, and members.

    The ledger keeps its numbers under the id. Initial ratings that followed from the birth date are kept as decisions,
    so that the ledger can still be computed. *names* are further ones by which texts may call the person, even if other
    members have them too; *elsewhere* erases what is kept beside the book: nothing of the book is erased if it raises.

    Raises:
        BookError: there is no such member, or nothing is left of the person.
    """
    number, waits = None, False
    with book.writing() as connection:
        erased = known_member(connection, member).erased
        work = _Work(connection, member, names)
        changes = [*work.erase_reports(), *work.erase_texts()]
        ids, seats = erase_member(connection, member, because.actor.at)
        if ids:
            changes.append(f"personal data of {'' if ids == 1 else f'{ids} ids of '}member {member}")
        if seats:
            changes.append(f"the name at {seats} {'seat' if seats == 1 else 'seats'}")
        beside = nowhere_else(work.erasure) if book.dry_run else elsewhere(work.erasure)
        changes += beside.changes
        findings = [*work.left(), *beside.findings]
        if changes or not erased:
            reason = work.spellings.without(because.reason, about=True)
            number = decide_about(connection, because._replace(reason=reason), "erase-member", member)
            waits = not erased and _freeze_initial_ratings(connection, member, because.actor)
            raise_revision(connection)
            if book.on_server:
                findings.append(finding("erasure-left.server", Place(subject="the server")))
    if not book.dry_run and not rewrite_file(book):
        findings.append(finding("erasure-left.file", Place(subject="the book's file")))
    if number is None and not findings:
        raise nothing_changes(Place(members=(member,)))
    return DecisionResult(number, tuple(findings), waits=waits, changes=tuple(changes))


def _freeze_initial_ratings(connection: Connection, member: str, actor: Actor) -> bool:
    """Turn the initial ratings of a member's first rows into decisions; return whether there were any."""
    frozen = False
    for first in initial_ratings(connection, [member]).get(member, ()):
        decide_about(
            connection,
            Reason(actor, "kept when the person was erased"),
            "initial",
            member,
            effective=first.end,
            system=first.system,
            value=first.rating,
            details={"games": first.games},
        )
        frozen = mark_member(connection, member, f"{member} erased", first.end) or frozen
    return frozen


class _Work:
    """What the book has of a person, and taking it out."""

    def __init__(self, connection: Connection, member: str, names: Sequence[str]) -> None:
        self.connection, self.member = connection, member
        self.form = read_federation(connection).profile.member_id_pattern
        ids = [member, *earlier_ids(connection, member)]
        book_names = [record.facts.name for record in load_members(connection, ids).values()]
        self.person = ErasedPerson(frozenset(ids), tuple(name for name in (*book_names, *names) if name))
        self.stored = {record.id: record for record in erasure.chains_about(connection, ids)}
        self.versions = [
            Version(record.id, record.revises, report)
            for record in self.stored.values()
            if (report := _readable(record)) is not None
        ]
        keys = {key for version in self.versions for key in version.report.players} - self.person.ids
        self.seated = names_of(connection, keys)
        self.seats = seats_of_person(self.versions, self.person)
        reported = names_at_seats(self.versions, self.seats, self.person, self.seated)
        self.spellings = Spellings([*self.person.names, *reported])
        exactly = Spellings(self.spellings.names, freely=False)
        self.namesakes = self._namesakes(ids, self.spellings)
        self.elsewhere = exactly if self.namesakes else self.spellings
        self.erasure = Erasure(ids, self.elsewhere)
        same = self._namesakes(ids, exactly) if self.namesakes else []
        if same:
            self.elsewhere = Spellings(names)
        alike = names_of(connection, set(self.namesakes) - set(same))
        self.others = Spellings(alike.values(), freely=False)
        self.kept: list[str] = []
        self.waiting: list[str] = []

    def _namesakes(self, ids: Collection[str], spellings: Spellings) -> list[str]:
        """Return members besides *ids* who have one of the names."""
        return erasure.namesakes(self.connection, spellings.runs(), ids, spellings.within_any)

    def erase_reports(self) -> Iterator[str]:
        """Write the versions of reports without the person; yield what was done."""
        rewritten = []
        for version in self.versions:
            emptied, former_ids = without_person(
                version, self.seats, self.person, self.spellings, self.seated
            )
            if emptied == version.report:
                continue
            stated = json.loads(self.stored[version.number].stated)
            for key in former_ids:
                stated.get("ratings", {}).pop(key, None)
            values = {"report": stored_bytes(emptied).decode(), "stated": json.dumps(stated)}
            values |= report_hashes(emptied, self.form)._asdict()
            erasure.rewrite_submission(self.connection, version.number, values, _ids_replaced(former_ids))
            replace_sections(self.connection, version.number, section_hashes(emptied, self.form))
            rewritten.append(version.number)
        if rewritten:
            yield f"reports {', '.join(map(str, rewritten))}"

    def erase_texts(self) -> Iterator[str]:
        """Take the names out of all texts that are about the person, or can be about no one else."""
        spellings = self.spellings
        rewritten: Counter[str] = Counter()
        # Written at the end: what is read must not move.
        for row in list(
            erasure.text_rows(self.connection, spellings.runs(), self.erasure.members, spellings.within_any)
        ):
            own = row.submission in self.stored
            allowed = spellings if self._is_the_persons(row) else self.elsewhere
            about = row.about or (own and spellings.are_single)
            texts = {
                name: self._in_json(text, allowed)
                if name in row.source.json
                else allowed.without(text, about=about)
                for name, text in row.texts.items()
            }
            changed: dict[str, str] = {name: text for name, text in texts.items() if text != row.texts[name]}
            if "report" in changed and not own and self._waits(row):
                # Without the name no one could tell any more whose seat it is.
                self.waiting.append(str(row.submission))
            elif changed:
                if "report" in changed:
                    changed |= self._hashes(changed["report"], row.submission)
                erasure.rewrite_row(self.connection, row, changed)
                rewritten[row.source.table.name] += 1
            elif spellings.within_any(map(self.others.without, row.texts.values())):
                self.kept.append(f"{row.source.table.name} {' '.join(map(str, row.key))}")
        yield from (f"texts of {table}: {count}" for table, count in rewritten.items())

    def _waits(self, row: erasure.TextRow) -> bool:
        return status_of(self.connection, row.submission or 0) in WAITING

    def _is_the_persons(self, row: erasure.TextRow) -> bool:
        """Return whether a name in a row is that of the person, not of another member who has the same name."""
        if not self.namesakes or row.about:
            return True
        stored = self.stored.get(row.submission or 0)
        if stored is None or (stored.status in HOLDING and "report" in row.texts):
            return False
        return not any(f'"{one}"' in stored.report for one in self.namesakes)

    def _in_json(self, text: str, spellings: Spellings) -> str:
        """Return JSON without the whole names (a part may be a word of the program's); other members keep theirs."""
        if not text or not spellings.within(text):
            return text
        try:
            content = json.loads(text)
        except ValueError:
            # It was damaged.
            return spellings.without(text)
        players = content.get("players", ()) if isinstance(content, dict) and "event" in content else ()
        names = {player["id"]: player.get("name", "") for player in players}
        own = names_of(self.connection, names)
        changed = _each_text(content, spellings.without)
        for player in changed.get("players", ()) if isinstance(changed, dict) else ():
            if player["id"] in own:
                player["name"] = names[player["id"]]
        return text if changed == content else json.dumps(changed, ensure_ascii=False)

    def _hashes(self, text: str, submission: int | None) -> dict[str, str]:
        """Return the hashes of a report after writing those of its sections."""
        report = read_stored(text.encode(), "report.json").report
        if report is None:
            return {}
        if submission is not None:
            replace_sections(self.connection, submission, section_hashes(report, self.form))
        return report_hashes(report, self.form)._asdict()

    def left(self) -> Iterator[Finding]:
        """Yield what could not be erased, and why."""
        place = Place(members=(self.member,))
        if self.kept:
            others, places = _first(self.namesakes), _first(self.kept)
            yield finding("erasure-left.namesake", place, others=others, count=len(self.kept), places=places)
        if self.waiting:
            yield finding("erasure-left.waiting", place, count=len(self.waiting), places=_first(self.waiting))
        spellings = self.spellings
        if spellings and any(
            spellings.within(name) for name in erasure.actors_named(self.connection, spellings.runs())
        ):
            yield finding("erasure-left.actor", place)


def _readable(stored: StoredReport) -> Report | None:
    try:
        return stored_report(stored)[0]
    except BookError:
        # Damaged: its texts are looked through as any others.
        return None


def _first(places: Sequence[str]) -> str:
    return ", ".join(places[:MOST_PLACES]) + (", …" if len(places) > MOST_PLACES else "")


def _ids_replaced(ids: Collection[str]) -> Callable[[str], str]:
    """Return what takes ids out of the text of a finding."""
    if not ids:
        return lambda text: text
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(ids)))})(?!\w)")
    return lambda text: pattern.sub(ERASED, text)


def _each_text(value: Any, change: Callable[[str], str]) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Return a value of JSON with each of its texts changed."""
    if isinstance(value, dict):
        return {change(key): _each_text(inner, change) for key, inner in value.items()}
    if isinstance(value, list):
        return [_each_text(inner, change) for inner in value]
    return change(value) if isinstance(value, str) else value
