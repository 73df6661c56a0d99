"""What every command of a book shares: the open book, the acting person and the time, findings for exceptions.

Only here does the book's command line ask for the moment and the user (ARCHITECTURE, invariant 7).
"""

from __future__ import annotations

import gc
import getpass
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import click

from ratebook.book import schema
from ratebook.book.chain.checking import is_intact
from ratebook.book.connection import Actor, Book, Connection, open_book
from ratebook.book.events import EventQuestion, find_events
from ratebook.book.facts.members import MemberQuestion, find_members
from ratebook.book.facts.near_members import near_members, near_words
from ratebook.book.facts.similar_members import similar_members
from ratebook.book.failures import BookError, refused
from ratebook.book.ledger.pending import read_pending
from ratebook.book.profile import name_systems
from ratebook.cli.action import help_of, option_of, require
from ratebook.cli.book.group import Caller
from ratebook.cli.command import NotedFlag, Option, command, option
from ratebook.cli.options import WholeRange, WordOf, day_option, default_option, flag_option, today
from ratebook.cli.settings import BOOK_VARIABLE
from ratebook.cli.show import fail, fail_with, json_option, show
from ratebook.findings import Finding, Place, finding
from ratebook.formats.archive import SourceError
from ratebook.model import System
from ratebook.office.action import REASON
from ratebook.records.events import FoundEvent
from ratebook.records.players import FoundPlayer
from ratebook.rules.rulebook import RulebookError

if TYPE_CHECKING:
    from ratebook.office.action import Action
    from ratebook.office.decisions.revision import DecisionResult, Reason

LONGEST_NAME = 60
"""Letters of a user's name that the audit log keeps."""
MOST_NAMED = 5
"""Members or events that a finding names where several may be meant."""
VALUES_BETWEEN_COLLECTIONS = (100_000, 50, 100)
"""New values until the youngest are looked through; how often these are until the older ones are."""


class BookSession(NamedTuple):
    """What a command works with."""

    book: Book
    actor: Actor


event_argument = click.argument("event", metavar="EVENT")
optional_event = click.argument("event", required=False, metavar="[EVENT]")
optional_section = click.argument("section", type=WholeRange(min=1), required=False, metavar="[SECTION]")
member_argument = click.argument("member", metavar="MEMBER")
reason_option = option_of(REASON)
yes_option = flag_option("--yes", "Do not ask for confirmation.")
accept_option = option(
    "--accept CODE", 'Accept a warning, or "all"; repeatable.', name="accepted", multiple=True
)
DRY_RUN = "Dry run: nothing was changed."
_DRY_RUN = NotedFlag("--dry-run", "Show what would change, without changing anything.")
dry_run_option = _DRY_RUN.option
today_option = day_option("--today", "Use this day instead of today, to try something out.", name="as_if")


second_option = default_option(
    "--second",
    "The second of the two ratings in a US Chess table.",
    WordOf((System.QUICK, System.BLITZ)),
    default=System.QUICK.value,
)


@contextmanager
def open_session(opened: Callable[[str], Book] = open_book) -> Iterator[BookSession]:
    """Open the book for a command and close it at the end; a refusal of the book is printed, with exit status 1."""
    place, actor = book_place(), acting()
    collect_seldom()
    with findings_shown():
        book = opened(place)
        book.dry_run = dry_run_asked()
        try:
            yield BookSession(book, actor)
        except (
            BookError,
            SourceError,
            RulebookError,
            click.ClickException,
            click.Abort,
            click.exceptions.Exit,
        ):
            raise
        except Exception as failure:
            with book.reading() as connection:
                intact = is_intact(connection)
            # Where the book is as this program wrote it, the fault is the program's, and the traceback tells where.
            if intact:
                raise
            raise refused("book-damaged", Place(file=book.url), failure=type(failure).__name__) from failure
        finally:
            book.close()


def collect_seldom() -> None:
    """Let the collector of cycles rest: work on a book keeps many values, and hardly any in cycles.

    A quarter of a re-rating would be spent on looking through all of them again and again, and one page in some ten
    of a server would take fifty milliseconds longer than the others.
    """
    gc.freeze()
    gc.set_threshold(*VALUES_BETWEEN_COLLECTIONS)


def dry_run_asked() -> bool:
    """Return whether the running command was given ``--dry-run`` and keeps nothing."""
    return bool(_DRY_RUN.is_given())


@contextmanager
def reading() -> Iterator[Connection]:
    """Open the book for a command that only reads it."""
    with open_session() as session, session.book.reading() as connection:
        name_systems(connection)
        yield connection


def known_members(connection: Connection, question: MemberQuestion) -> tuple[list[FoundPlayer], int]:
    """Return the members who may be meant, and how many there are; end with a finding if there is none."""
    players, total = find_members(connection, question)
    if not players:
        fail([_nobody(connection, question.text)])
    return players, total


def one_member(connection: Connection, who: str) -> str:
    """Return the id of the one member meant by *who*: an id, parts of a name; end with a finding if it is several."""
    players, total = known_members(connection, MemberQuestion(who))
    if players[0].id != who and who.isdecimal():
        # An id that does not exist is no part of a name.
        fail([_nobody(connection, who)])
    if total > 1:
        fail_with("member-ambiguous", Place(members=(who,)), number=total, names=_names(players, total))
    return players[0].id


def one_event(connection: Connection, text: str) -> str:
    """Return the id of the one event meant by *text*: an id, parts of a name; end with a finding if it is several."""
    events, total = find_events(connection, EventQuestion(text, most=MOST_NAMED))
    if any(event.id == text for event in events):
        return text
    if not events:
        near = near_words(connection, text, schema.events.c.name)
        fail_with(
            "event-unknown.id-or-name", Place(event=text), word=f'Perhaps "{near}" is meant. ' if near else ""
        )
    if total > 1:
        fail_with("event-ambiguous", Place(event=text), number=total, names=_names(events, total))
    return events[0].id


def _names(found: Sequence[FoundPlayer | FoundEvent], total: int) -> str:
    more = f"; and {total - MOST_NAMED} more" if total > MOST_NAMED else ""
    return "; ".join(f"{each.id} {each.name}" for each in found[:MOST_NAMED]) + more


def meant_words(connection: Connection, who: str) -> str:
    """Return who may be meant, nothing where nobody is called nearly so."""
    near = [(player.id, player.name) for player in near_members(connection, who)] if who else []
    if not near and not who.isalpha():
        # A single word is compared with words, not with whole names.
        near = similar_members(connection, who, who)
    offered = ", ".join(f"{member} ({name})" for member, name in near)
    return f"Perhaps {offered} is meant." if offered else ""


def _nobody(connection: Connection, who: str) -> Finding:
    word = meant_words(connection, who) or "Give the id, or a shorter part of the name."
    return finding("member-unknown.id-or-name", Place(members=(who,)), word=word)


def book_place() -> str:
    """Return the place of the book as the user gave it; a usage error if none was given."""
    place = _caller().place
    if not place:
        raise click.UsageError(
            "No book is given. Name it before the command, as in ratebook book --book PATH_OR_URL queue,"
            f" or set {BOOK_VARIABLE}."
        )
    return place


def acting() -> Actor:
    """Return the person who acts, from ``--as`` or the system's user, and the time in UTC."""
    name = _caller().name
    if name is None:
        try:
            name = getpass.getuser()
        except (KeyError, OSError, ImportError) as failure:
            raise click.UsageError("The system does not say who you are; give --as NAME.") from failure
    shown = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())
    if not shown:
        raise click.UsageError("--as needs a name: the audit log keeps it.")
    return Actor(shown[:LONGEST_NAME], datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))


def _caller() -> Caller:
    caller = click.get_current_context().find_object(Caller)
    return Caller(None, None) if caller is None else caller


@contextmanager
def findings_shown() -> Iterator[None]:
    """Print a refusal of the book, a source or the rules as a finding, with exit status 1; explain Ctrl-C."""
    try:
        yield
    except (BookError, SourceError) as failure:
        fail([failure.finding])
    except RulebookError as failure:
        fail_with("overlay-wrong.upload", Place(subject="rules of the book"), failure=str(failure))
    except KeyboardInterrupt:
        click.echo("Stopped: what was finished before is kept, and nothing is half done.", err=True)
        raise


def confirm(question: str, where: str, otherwise: str = "Give --yes if you are sure.") -> None:
    """Continue only after a yes on the terminal; without a terminal, end with a finding and exit status 1.

    The finding names *where* something is to be done, and what to do *otherwise*; a no ends with status 1, too.
    """
    try:
        sure = click.confirm(question, err=True)
    except click.Abort as ended:
        # Click says the same of Ctrl-C and of an input that has no line left.
        if not isinstance(ended.__context__, EOFError):
            raise
        click.echo(err=True)
        fail_with("answer-missing", Place(subject=where), otherwise=otherwise)
    if not sure:
        click.echo("Nothing was changed.", err=True)
        raise click.exceptions.Exit(1)


Decision: TypeAlias = "Callable[[Book, Reason], DecisionResult]"


def decide_command(
    action: Action[Book, DecisionResult],
    *shared: Option,
    within: click.Group | None = None,
    decided_by: Callable[..., Decision] | None = None,
) -> click.Command:
    """Declare the command of a decision, which shows its outcome; *decided_by* makes it of what the options give."""

    def decide(*, reason: str, accepted: tuple[str, ...], **values: Any) -> None:  # noqa: ANN401 - what the options give
        from ratebook.office.decisions.revision import Reason  # noqa: PLC0415 - what checks a report takes long to load

        require(action, values)
        decision = decision_of(action, values) if decided_by is None else decided_by(**values)
        with open_session() as session:
            decided = decision(session.book, Reason(session.actor, reason, accepted))
        dry_run = dry_run_asked()
        content = {
            "decision": None if dry_run else decided.decision,
            "waits": decided.waits,
            "changes": decided.changes,
            "accepted": [{"code": warning.code, "where": warning.where} for warning in decided.accepted],
        }
        lines = [f"Accepted: {warning.code} ({warning.where})." for warning in decided.accepted]
        text = dry_run_text(decided) if dry_run else decision_text(decided)
        show("book-decision", content, *decided.changes, *lines, text, findings=decided.findings)

    decide.__doc__ = help_of(action)
    options = (*map(option_of, action.parameters), *shared)
    shown = (reason_option, accept_option, dry_run_option, json_option)
    return command(action.word, *options, *shown, within=within)(decide)


def decision_of(action: Action[Book, DecisionResult], values: Mapping[str, Any]) -> Decision:
    """Return the decision with the values of an action's parameters."""
    day = today()
    return lambda book, because: action.done(book, because, values, day)


def dry_run_text(decided: DecisionResult) -> str:
    """Return that nothing was changed, and what would have followed."""
    if decided.decision is None:
        return "Dry run: this cannot be done."
    rerate = " Ratings that it affects would wait for a re-rating." if decided.waits else ""
    return f"{DRY_RUN}{rerate}"


def decision_text(decided: DecisionResult) -> str:
    """Return the number of a decision, and whether something waits for a re-rating."""
    if decided.decision is None:
        return "Nothing was changed."
    rerate = " Ratings that it affects wait for a re-rating: ratebook book rerate." if decided.waits else ""
    return f"Decision {decided.decision} is recorded.{rerate}"


def what_waits(connection: Connection) -> list[Finding]:
    """Return a warning where changes wait for a re-rating: what is shown does not have them yet."""
    waiting = len(read_pending(connection))
    if not waiting:
        return []
    return [finding("rerate-waits.shown-without", Place(subject="ledger"), waiting=waiting)]
