"""Commands about the book as a whole: making and upgrading it, its profile (options or a TOML file), its rules."""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from ratebook.book.audit import AuditSubject, note_audit
from ratebook.book.chain.rights import grant_office
from ratebook.book.profile import Federation, Profile, read_federation
from ratebook.bounded_files import bounded_bytes, bounded_text
from ratebook.cli.action import command_of, option_of
from ratebook.cli.book.session import (
    Decision,
    acting,
    book_place,
    decide_command,
    decision_of,
    decision_text,
    findings_shown,
    open_session,
)
from ratebook.cli.command import command, option
from ratebook.cli.options import PATH, today
from ratebook.cli.output import TextTable
from ratebook.cli.show import fail, fail_with, json_option, show, table
from ratebook.findings import Finding, Place, finding
from ratebook.formats.reading.fields import close_match
from ratebook.office.creation import Upgraded, create_book, upgrade_book
from ratebook.office.decisions.revision import Reason
from ratebook.office.profile import (
    ADOPT_RULES,
    CHANGE,
    KEYS,
    OVERLAY,
    SETTINGS,
    ProfileError,
    settings_of,
    with_settings,
)
from ratebook.official_lists.calendar import CUT_OFFS, EVERY_MONTH
from ratebook.pages.rules import OWN_RULES, own_rules
from ratebook.records.system_titles import USUAL_TITLES, own_titles

OVERLAY_KEY = "overlay"
LOGO_KEY = "logo"


def profile_in(path: Path) -> Profile:
    """Return the profile in a TOML file; findings and exit status 1 where that is wrong.

    Its keys are those of `KEYS`, and ``overlay``, the path of the federation's own rules; paths are beside the file.
    """
    name = str(path)
    try:
        values = tomllib.loads(bounded_text(path))
        overlay = values.pop(OVERLAY_KEY, None)
        if LOGO_KEY in values:
            values[LOGO_KEY] = bounded_bytes(path.parent / str(values[LOGO_KEY]))
        text = "" if overlay is None else bounded_text(path.parent / str(overlay))
    except OSError as failure:
        fail([_unreadable(failure.filename or name, failure.strerror or failure)])
    except (ValueError, RecursionError) as failure:
        fail_with("profile-unreadable", Place(file=name), failure=failure)
    unknown = [_unknown(name, key) for key in values if key not in KEYS]
    given = {KEYS[key].name: value for key, value in values.items() if key in KEYS}
    return _with_given(Profile(overlay=text), given, unknown)


def _with_logo(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return *settings* with the content of the logo's file; a finding and exit status 1 where it cannot be read."""
    path = settings[LOGO_KEY]
    try:
        return {**settings, LOGO_KEY: None if path is None else bounded_bytes(path)}
    except OSError as failure:
        fail([_unreadable(path, failure.strerror or failure)])


def _with_given(profile: Profile, settings: Mapping[str, Any], findings: Iterable[Finding] = ()) -> Profile:
    """Return *profile* with *settings*; findings and exit status 1 where they do not fit."""
    try:
        return with_settings(profile, settings, findings)
    except ProfileError as wrong:
        fail(wrong.findings)


def _unreadable(path: object, reason: object) -> Finding:
    return finding("file-unreadable.text", Place(file=str(path)), reason=reason)


def _unknown(name: str, key: str) -> Finding:
    remedy = close_match(key, frozenset({*KEYS, OVERLAY_KEY}))
    return finding("profile-key-unknown", Place(file=name, field=key), remedy=remedy)


PROFILE_OPTIONS = tuple(option_of(setting._replace(needed=False)) for setting in SETTINGS)

overlay_file_option = option_of(OVERLAY)


def _overlay_text(path: Path) -> str:
    """Return the text of an overlay; a finding and exit status 1 where it cannot be read."""
    try:
        return bounded_text(path)
    except (OSError, UnicodeError) as failure:
        reason = getattr(failure, "strerror", None) or "it is no UTF-8 text"
        fail([_unreadable(path, reason)])


@command(
    "init",
    *PROFILE_OPTIONS,
    overlay_file_option,
    option(
        "--profile FILE.toml",
        "Read these settings from a file; options on the command line take precedence.",
        PATH,
        name="profile_path",
    ),
    json_option,
)
def init_command(overlay: Path | None, profile_path: Path | None, **settings: Any) -> None:  # noqa: ANN401 - texts and numbers of options
    """Make a new, empty book at the place given by --book, with the profile of its federation.

    A file is created; a PostgreSQL database must already exist and be empty. The book adopts the dated rules
    of this program, with the federation's own rules on top.

    Examples:
      ratebook book --book league.book init --name "Example League" --least-games 1
      ratebook book --book league.book init --profile league.toml
    """
    place = book_place()
    with findings_shown():
        start = Profile() if profile_path is None else profile_in(profile_path)
        profile = _with_given(start, _with_logo(settings))
        if overlay is not None:
            profile = profile._replace(overlay=_overlay_text(overlay))
        book = create_book(place, profile, acting())
        with book.reading() as connection:
            federation = read_federation(connection)
        book.close()
    show("book-profile", _as_json(federation), f"Made the book {book.url}.", *_profile_tables(federation))


@command("upgrade", json_option)
@option(
    "--store PATH_OR_URL",
    "The web store that is upgraded with it (default: BOOK.web, or the server of the book).",
    envvar="RATEBOOK_WEB_STORE",
)
def upgrade_command(store: str | None) -> None:
    """Upgrade the tables of a book made by an older version of this program, and those of its accounts.

    Each of the two is upgraded completely or not at all. Only a backup can undo this; make one first. Ratings do not
    change.

    Examples:
      ratebook web --book league.book backup backups
      ratebook book --book league.book upgrade
    """
    from ratebook.cli.web.stores import upgraded_beside  # noqa: PLC0415 - only here is the web store asked

    place = book_place()
    with findings_shown():
        upgraded = upgrade_book(place, acting())
        accounts = upgraded_beside(place, store)
    lines = [_upgraded_words("book", upgraded)]
    lines += [] if accounts is None else [_upgraded_words("web store", accounts)]
    content = {**upgraded._asdict(), "accounts": None if accounts is None else accounts._asdict()}
    show("book-upgrade", content, *lines)


def _upgraded_words(what: str, upgraded: Upgraded) -> str:
    if upgraded.before == upgraded.after:
        return f"The tables of the {what} already have this version ({upgraded.after})."
    return f"The tables of the {what} were upgraded from version {upgraded.before} to {upgraded.after}."


@command_of(
    CHANGE,
    option("--reason TEXT", "The reason for the change; required with a change.", default=""),
    json_option,
)
def profile_command(reason: str, **values: Any) -> None:  # noqa: ANN401 - texts and numbers of options
    """Show the profile, or change it."""
    changes = any(value is not None for value in values.values())
    if changes and not reason.strip():
        raise click.UsageError("A change of the profile needs a --reason.")
    with open_session() as session:
        decided = None
        if changes:
            try:
                given = _with_logo(values)
                decided = CHANGE.done(session.book, Reason(session.actor, reason.strip()), given, today())
            except ProfileError as wrong:
                fail(wrong.findings)
        with session.book.reading() as connection:
            federation = read_federation(connection)
    content = {**_as_json(federation), "decision": None if decided is None else decided.decision}
    shown: list[TextTable | str] = [*_profile_tables(federation)]
    shown += [] if decided is None else [decision_text(decided)]
    show("book-profile", content, *shown, findings=() if decided is None else decided.findings)


def _adopted(**values: Any) -> Decision:  # noqa: ANN401 - what the options give
    if values["overlay"] is not None:
        values["overlay"] = _overlay_text(values["overlay"])
    return decision_of(ADOPT_RULES, values)


adopt_rules_command = decide_command(ADOPT_RULES, decided_by=_adopted)


def _as_json(federation: Federation) -> dict[str, object]:
    return {
        "profile": federation.profile._asdict() | {"logo": settings_of(federation.profile)["logo"]},
        "rules": federation.fingerprint,
        "own_rules": [
            {
                "rule": rule,
                "from": value.since,
                "systems": value.systems,
                "is": value.value,
                "where": value.where,
            }
            for rule, value in federation.rulebook.overlay_values
        ],
    }


def _setting_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "every month" if value == EVERY_MONTH else ", ".join(map(str, value)) or "none"
    return str(value) or "none"


def _profile_tables(federation: Federation) -> list[TextTable | str]:
    """Return the profile, and the federation's own rules where it has any."""
    profile = federation.profile
    values = settings_of(profile) | {
        "cut_off": f"{CUT_OFFS[profile.cut_off]} of the month before",
        "system_names": tuple(
            f"{USUAL_TITLES[system]}: {title}" for system, title in own_titles(profile.system_names).items()
        ),
    }
    rows = [
        (setting.label[:1].lower() + setting.label[1:], _setting_text(values[setting.name]))
        for setting in SETTINGS[1:]
        if setting.in_forms and setting.name in values
    ]
    rows.append(("rules", federation.fingerprint + (" with rules of its own" if profile.overlay else "")))
    settings = TextTable(profile.name, ("What", "Setting"), rows, frozenset({0, 1}))
    own = own_rules(federation.rulebook)
    return [settings, *([table("Rules of its own", OWN_RULES, own)] if own else [])]


@command("server-role", json_option)
@click.argument("role", metavar="ROLE")
def server_role_command(role: str) -> None:
    """Let a ROLE of the PostgreSQL server do all office work, but only add to what the book keeps forever.

    The role cannot change or delete ratings, decisions, official lists or the audit log, nor the triggers that protect
    them. Run this as the owner of the tables, and again after each upgrade; only the owner can upgrade and restore.

    Examples:
      ratebook book --book postgresql://owner@server/league server-role office
    """
    with open_session() as session, session.book.writing() as connection:
        if not session.book.on_server:
            fail_with("role-not-on-server", Place(file=session.book.url))
        grant_office(connection, role)
        note_audit(connection, session.actor, "grant-rights", AuditSubject("role", role))
    show("book-server-role", {"role": role}, f"The role {role} can now do office work.")
