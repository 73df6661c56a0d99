"""Commands about the book as a whole: making and upgrading it, its profile (options or a TOML file), its rules."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from ratebook.book.connection import Book
from ratebook.book.profile import THIRD_WEDNESDAY, Federation, Profile, read_federation
from ratebook.cli.book.session import (
    Decision,
    acting,
    book_place,
    decision_command,
    decision_text,
    findings_shown,
    open_session,
)
from ratebook.cli.command import command
from ratebook.cli.options import PATH, SYSTEM, flag_option
from ratebook.cli.output import TextTable
from ratebook.cli.show import fail, fail_with, json_option, show
from ratebook.findings import Finding, finding
from ratebook.formats.reading.fields import close_match
from ratebook.model import System
from ratebook.office.creation import create_book, upgrade_book
from ratebook.office.decisions.members import adjust_profile, adopt_rules
from ratebook.office.decisions.revision import DecisionResult, Reason

LAST_CUT_OFF = 28
"""Every month has this day."""

MOST_LEAST_GAMES = 100
LONGEST_TEXT = 200

_KEYS = {name: name for name in ("name", "country", "member_id_pattern", "systems", "cut_off")}
_KEYS["least_games"] = "least_published_games"
"""The field of a profile for each key of a file."""

_OVERLAY = "overlay"


def profile_in(path: Path) -> Profile:
    """Return the profile in a TOML file; findings and exit status 1 where that is wrong.

    Its keys are ``name``, ``country``, ``member_id_pattern``, ``systems`` (a list), ``cut_off``, ``least_games`` and
    ``overlay``, the path of the federation's own rules, beside the file.
    """
    name = str(path)
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        overlay = values.pop(_OVERLAY, None)
        text = "" if overlay is None else (path.parent / str(overlay)).read_text(encoding="utf-8")
    except OSError as failure:
        fail([_unreadable(failure.filename or name, failure.strerror or failure)])
    except (tomllib.TOMLDecodeError, UnicodeError, RecursionError) as failure:
        fail_with("profile-unreadable", name, failure=failure)
    unknown = [_unknown(name, key) for key in values if key not in _KEYS]
    given = {_KEYS[key]: value for key, value in values.items() if key in _KEYS}
    return with_given(Profile(overlay=text), given, unknown)


def _unreadable(path: object, reason: object) -> Finding:
    return finding("file-unreadable.overlay-text", str(path), reason=reason)


def _unknown(name: str, key: str) -> Finding:
    remedy = close_match(key, frozenset({*_KEYS, _OVERLAY}))
    return finding("profile-key-unknown", f"{name}, {key}", remedy=remedy)


def with_given(profile: Profile, given: Mapping[str, Any], findings: Iterable[Finding] = ()) -> Profile:
    """Return *profile* with the fields that are *given* (None: not given); findings and exit status 1 where wrong."""
    values = {name: value for name, value in given.items() if value is not None}
    wrong = [*findings, *_wrong(values)]
    if wrong:
        fail(wrong)
    if "systems" in values:
        chosen = {System(word) for word in values["systems"]}
        values["systems"] = tuple(system for system in System if system in chosen)
    if "cut_off" in values:
        text = str(values["cut_off"])
        values["cut_off"] = text if text == THIRD_WEDNESDAY else str(int(text))
    return profile._replace(**values)


def _wrong(values: Mapping[str, Any]) -> Iterator[Finding]:
    for name in ("name", "country", "member_id_pattern"):
        text = values.get(name, "text")
        blank = name == "name" and not str(text).strip()
        if not isinstance(text, str) or blank or len(text) > LONGEST_TEXT or not text.isprintable():
            yield _refused(name, text, f"Give a text of at most {LONGEST_TEXT} letters in one line.")
    pattern = values.get("member_id_pattern", "")
    try:
        re.compile(str(pattern))
    except (re.error, RecursionError, OverflowError):
        yield _refused("member_id_pattern", pattern, r"Give a regular expression, for example [0-9]{8}.")
    systems = values.get("systems", list(System))
    known = {system.value for system in System}
    if not isinstance(systems, list | tuple) or not systems or not set(map(str, systems)) <= known:
        yield _refused("systems", systems, f"Give one or more of {', '.join(System)}.")
    cut_off = str(values.get("cut_off", THIRD_WEDNESDAY))
    day = int(cut_off) if cut_off.isascii() and cut_off.isdigit() and len(cut_off) < 3 else 0  # noqa: PLR2004 - two digits of a day
    if cut_off != THIRD_WEDNESDAY and not 1 <= day <= LAST_CUT_OFF:
        yield _refused("cut_off", cut_off, f"Give {THIRD_WEDNESDAY}, or a day from 1 to {LAST_CUT_OFF}.")
    least = values.get("least_published_games", 1)
    if isinstance(least, bool) or not isinstance(least, int) or not 0 <= least <= MOST_LEAST_GAMES:
        yield _refused("least_games", least, f"Give a whole number from 0 to {MOST_LEAST_GAMES}.")


def _refused(name: str, value: object, remedy: str) -> Finding:
    return finding("profile-value-wrong", f"profile, {name}", value=str(value)[:80], name=name, remedy=remedy)


PROFILE_OPTIONS = (
    click.option("--name", metavar="TEXT", help="The name of the federation."),
    click.option("--country", metavar="TEXT", help="The federation's country, as its reports write it."),
    click.option(
        "--member-id-pattern", metavar="REGEX", help='Pattern of a whole member id; "" allows any text.'
    ),
    click.option(
        "--system",
        "systems",
        type=SYSTEM,
        multiple=True,
        callback=lambda _context, _option, systems: systems or None,
        help="A system that the federation rates; repeatable.",
    ),
    click.option(
        "--cut-off",
        metavar="DAY",
        help='Cut-off of an official list: "third-wednesday", or a day (1 to 28) of the month before.',
    ),
    click.option(
        "--least-games",
        "least_published_games",
        type=int,
        metavar="N",
        help="Minimum number of games for an official rating.",
    ),
)
"""What makes a federation's book its own."""

overlay_file_option = click.option(
    "--overlay",
    type=PATH,
    metavar="FILE.toml",
    help="The federation's own dated rules, in the format of the timeline.",
)


def _overlay_text(path: Path) -> str:
    """Return the text of an overlay; a finding and exit status 1 where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as failure:
        reason = getattr(failure, "strerror", None) or "it is no UTF-8 text"
        fail([_unreadable(path, reason)])


@command(
    "init",
    *PROFILE_OPTIONS,
    overlay_file_option,
    click.option(
        "--profile",
        "profile_path",
        type=PATH,
        metavar="FILE.toml",
        help="Read these settings from a file; options on the command line win.",
    ),
    json_option,
)
def init_command(overlay: Path | None, profile_path: Path | None, **given: Any) -> None:  # noqa: ANN401 - texts and numbers of options
    """Make a new, empty book at the place that --book names, with the profile of its federation.

    A file is created; a PostgreSQL database must exist and be empty. The book adopts the dated rules of this program,
    with the federation's own rules laid over them.

    Examples:
      ratebook book --book league.book init --name "Example League" --least-games 1
      ratebook book --book league.book init --profile league.toml
    """
    place = book_place()
    with findings_shown():
        start = Profile() if profile_path is None else profile_in(profile_path)
        profile = with_given(start, given)
        if overlay is not None:
            profile = profile._replace(overlay=_overlay_text(overlay))
        book = create_book(place, profile, acting())
        with book.reading() as connection:
            federation = read_federation(connection)
        book.close()
    show("book-profile", _as_json(federation), f"Made the book {book.url}.", _as_table(federation))


@command("upgrade", json_option)
def upgrade_command() -> None:
    """Upgrade the tables of a book made by an older version of this program, all or nothing.

    Only a backup can undo this; make one first. Ratings do not change.

    Examples:
      ratebook book --book league.book backup league.backup
      ratebook book --book league.book upgrade
    """
    with findings_shown():
        upgraded = upgrade_book(book_place(), acting())
    words = f"The tables were of version {upgraded.before} and are of {upgraded.after} now."
    if upgraded.before == upgraded.after:
        words = f"The book has tables of this version already ({upgraded.after})."
    show("book-upgrade", upgraded._asdict(), words)


@command(
    "profile",
    *PROFILE_OPTIONS,
    click.option(
        "--reason", metavar="TEXT", default="", help="Reason for the change; required with a change."
    ),
    json_option,
)
def profile_command(reason: str, **given: Any) -> None:  # noqa: ANN401 - texts and numbers of options
    """Show the federation's profile, or change the settings that are given.

    Use adopt-rules to change the federation's own rules. After a change of the systems, the whole history waits for
    a re-rating.

    Examples:
      ratebook book profile
      ratebook book profile --cut-off 15 --reason "the board moved the day"
    """
    changes = any(value is not None for value in given.values())
    if changes and not reason.strip():
        raise click.UsageError("A change of the profile needs a --reason.")
    with open_session() as session:
        decided = None
        if changes:
            with session.book.reading() as connection:
                before = read_federation(connection).profile
            because = Reason(session.actor, reason.strip())
            decided = adjust_profile(session.book, with_given(before, given), because)
        with session.book.reading() as connection:
            federation = read_federation(connection)
    content = {**_as_json(federation), "decision": None if decided is None else decided.decision}
    shown = [_as_table(federation)] if decided is None else [_as_table(federation), decision_text(decided)]
    show("book-profile", content, *shown, findings=() if decided is None else decided.findings)


@decision_command("adopt-rules", overlay_file_option)
@flag_option("--no-overlay", help="Adopt the timeline of this program with nothing laid over it.")
def adopt_rules_command(overlay: Path | None, *, no_overlay: bool) -> Decision:
    """Adopt the dated rules of this program, with the federation's own rules, for the whole book.

    A newer program never changes a book's rules by itself. Afterwards the whole history waits for a re-rating;
    rerate --dry-run shows what that would change.

    Examples:
      ratebook book adopt-rules --reason "rules of the February 2025 specification"
      ratebook book adopt-rules --overlay league-rules.toml --reason "the board's vote of May 3"
    """
    if overlay is not None and no_overlay:
        raise click.UsageError("--overlay and --no-overlay do not go together.")

    def adopted(book: Book, because: Reason) -> DecisionResult:
        text = "" if no_overlay else None if overlay is None else _overlay_text(overlay)
        return adopt_rules(book, text, because)

    return adopted


def _as_json(federation: Federation) -> dict[str, object]:
    return {"profile": federation.profile._asdict(), "rules": federation.fingerprint}


def _as_table(federation: Federation) -> TextTable:
    profile = federation.profile
    rows = [
        ("country", profile.country),
        ("member ids", profile.member_id_pattern or "any text"),
        ("systems", ", ".join(profile.systems)),
        ("cut-off of official lists", profile.cut_off),
        ("games for an official rating", str(profile.least_published_games)),
        ("rules", federation.fingerprint + (" with an overlay" if profile.overlay else "")),
    ]
    return TextTable(profile.name, ("What", "Setting"), rows, frozenset({0, 1}))
