"""What a director tries, kept for a day: a report as it was read, or one that is being typed."""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec
from litestar.exceptions import NotFoundException

from ratebook.book.failures import BookError
from ratebook.book.reports import still_found
from ratebook.findings import Place, finding
from ratebook.formats.contract import Hints
from ratebook.formats.reading.text import decoded_text
from ratebook.formats.registry import NO_HINTS
from ratebook.model import Report
from ratebook.office.decisions.revision import with_member
from ratebook.reports.draft import Draft
from ratebook.reports.load import LoadedReport
from ratebook.web.gate.gate import Gate
from ratebook.web.gate.visitors import new_token
from ratebook.web.store.accounts import Account
from ratebook.web.store.reports.previews import (
    change_preview,
    forget_preview,
    keep_preview,
    previews_of_day,
    read_preview,
)
from ratebook.web.trial.task import plain

NAME_BYTES = 16
MOST_A_DAY = 50
MOST_TEXT = 20_000
"""Of a file that is shown beside a form."""


class TakenMember(NamedTuple):
    """A *member*, and the *name* in the book, whom the sender took for the *player* of a seat in the file."""

    section: int
    seat: int
    player: str
    member: str
    name: str


class Trial(NamedTuple):
    """A report that is tried.

    Attributes:
        source: name of its file.
        loaded: as it was read; None while it is typed.
        digest: of the file, by which one that holds no report is known again.
        revises: the submission whose place it is to take.
        draft: as it is typed; None where it came as a file.
        data: the file, which is read again when its sender has said what it does not say.
        hints: what its sender has said.
        submission: what it was sent as; None where it was not sent.
        events: the ids of the events of the file, of which one can be chosen.
        taken: members who were taken for players of the file; they are taken again when it is read again.
        brought: what was read beside the report in a file that is not read again: it is changed in the form, or was
            sent before.
    """

    source: str
    loaded: LoadedReport | None = None
    digest: str = ""
    revises: int | None = None
    draft: Draft | None = None
    data: bytes = b""
    hints: Hints = NO_HINTS
    submission: int | None = None
    events: tuple[str, ...] = ()
    taken: tuple[TakenMember, ...] = ()
    brought: LoadedReport | None = None

    def taking(self, section: int, seat: int, member: str, name: str) -> "Trial":
        """Return the trial of a file with a member at a seat; as it is where there is no such seat."""
        player = None if self.report is None else _player_at(self.report, section, seat)
        if self.loaded is None or player is None:
            return self
        taken = TakenMember(section, seat, player, member, name)
        return self._replace(taken=(*self.taken, taken), loaded=with_taken(self.loaded, [taken]))

    def in_form(self, draft: Draft) -> "Trial":
        """Return the trial of a file that is changed in the form from now on."""
        original = (
            None if self.loaded is None else self.loaded._replace(report=None, tentative=None, published={})
        )
        return self._replace(draft=draft, brought=original)

    def typed(self, draft: Draft) -> "Trial":
        """Return the trial with a draft, which has to be read again if it differs.

        A field may be saved twice, and the second time after the preview was made.
        """
        return self._replace(draft=draft, loaded=self.loaded if draft == self.draft else None)

    @property
    def text(self) -> str:
        """Return the text of a file that could not be read as a report; empty where it is none, or was read."""
        if self.brought is not None or b"\0" in self.data or self.data.startswith(b"%PDF"):
            return ""
        return decoded_text(self.data)[0][:MOST_TEXT]

    @property
    def report(self) -> Report | None:
        """Return the report, as far as it can be read."""
        return None if self.loaded is None else self.loaded.report or self.loaded.tentative

    @property
    def title(self) -> str:
        """Return what its owner finds it by."""
        report = self.report
        typed = "" if self.draft is None else self.draft.event.get("name", "")
        return (typed or (report.event.name if report is not None else "") or self.source)[:80]

    @property
    def listed_title(self) -> str:
        """Return the title in the list of tries, which says what cannot go on as it is; empty once it was sent."""
        if self.submission is not None:
            return ""
        if self.loaded is None or self.loaded.report is not None:
            return self.title
        return f"{self.title} ({'cannot be read' if self.report is None else 'something is missing'})"


def with_taken(loaded: LoadedReport, members: Iterable[TakenMember]) -> LoadedReport:
    """Return what was read with members for players of the file, as far as these sit where they sat."""
    report = loaded.report or loaded.tentative
    for each in members:
        if report is None or _player_at(report, each.section, each.seat) != each.player:
            continue
        (section,) = (section for section in report.sections if section.number == each.section)
        facts, is_there = report.players[each.player], each.member in report.players
        report = with_member(report, section, each.seat, each.member)
        if not is_there or each.member == each.player:
            moved = facts._replace(id=each.member, name=each.name)
            report = report._replace(players={**report.players, each.member: moved})
    if report is None:
        return loaded
    loaded = loaded._replace(findings=tuple(still_found(loaded.findings, report)))
    return loaded._replace(tentative=report) if loaded.report is None else loaded._replace(report=report)


def _player_at(report: Report, section: int, seat: int) -> str | None:
    """Return who sits at a seat; None where there is none of this number."""
    entries = (entry for each in report.sections if each.number == section for entry in each.entries)
    return next((entry.player for entry in entries if entry.seat == seat), None)


def with_brought(loaded: LoadedReport, original: LoadedReport | None) -> LoadedReport:
    """Return a report from the form with what its file said beside it, and what was found in that and still holds."""
    if original is None or loaded.report is None:
        return loaded
    codes = {found.code for found in loaded.findings}
    still = (found for found in still_found(original.findings, loaded.report) if found.code not in codes)
    facts = original.facts._replace(received=None, today=loaded.facts.today)
    return loaded._replace(findings=(*loaded.findings, *still), facts=facts)


class TrialGone(NotFoundException):
    """A trial is not kept, or it is someone else's."""

    def __init__(self) -> None:
        super().__init__("You deleted it, or a day has passed. What you sent is listed with your reports.")


def keep(gate: Gate, owner: Account, trial: Trial) -> str:
    """Keep a new trial and return the name that its address has.

    Raises:
        BookError: the account has tried as many as it may within a day.
    """
    name = new_token(gate.random, NAME_BYTES)
    now = gate.now()
    with gate.store.writing() as connection:
        if previews_of_day(connection, owner.id, now) >= MOST_A_DAY:
            raise BookError(finding("previews-too-many", Place(file=trial.source), most=MOST_A_DAY))
        keep_preview(connection, name, owner.id, content_of(trial), now, trial.listed_title)
    return name


def change(gate: Gate, owner: Account, name: str, trial: Trial) -> None:
    """Keep what became of a trial."""
    with gate.store.writing() as connection:
        change_preview(connection, name, owner.id, content_of(trial), gate.now(), trial.listed_title)


def kept(gate: Gate, owner: Account, name: str) -> Trial:
    """Return a trial to its owner.

    Raises:
        TrialGone: there is none of this name, or it is someone else's.
    """
    with gate.store.reading() as connection:
        content = read_preview(connection, name, owner.id, gate.now())
    if content is None:
        raise TrialGone
    try:
        return msgspec.msgpack.decode(content, type=Trial)
    except msgspec.MsgspecError as failure:
        # A file of the office's that waits for its import.
        raise TrialGone from failure


def forget(gate: Gate, owner: Account, name: str) -> None:
    """Forget a trial."""
    with gate.store.writing() as connection:
        forget_preview(connection, name, owner.id)


def content_of(trial: Trial) -> bytes:
    """Return a trial as it is kept."""
    return msgspec.msgpack.encode(trial, enc_hook=plain)
