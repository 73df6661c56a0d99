"""The federation profile of a book, and the dated rules that the federation has adopted."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, insert, select, update

from ratebook.book import schema
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import add_linked, note_linked
from ratebook.book.failures import refused
from ratebook.book.mirrors import note_all_changed
from ratebook.book.queries import PreparedQuery
from ratebook.checks.submission import MEMBER_ID, USUAL, Thresholds
from ratebook.findings import Place
from ratebook.model import System
from ratebook.official_lists.calendar import EVERY_MONTH, THIRD_WEDNESDAY
from ratebook.records.system_titles import OWN_SYSTEMS, OWN_TITLES, own_titles
from ratebook.rules.rulebook import Rulebook, rulebook_of_text, timeline_text

rulebooks = schema.rulebooks


class Profile(NamedTuple):
    """What makes a federation's book its own.

    Attributes:
        country: as the federation's reports write it.
        member_id_pattern: regular expression of a whole member id; empty: any text.
        systems: the systems that it rates in; sections of others are refused.
        cut_off: when an official list is closed, in the month before: ``15``, ``third-wednesday``, ``last-friday``,
            ``last-day`` (official_lists/calendar.py).
        least_published_games: games that a rating must rest on to be in an official list.
        overlay: its own dated values, as TOML in the format of the timeline.
        list_months: months of the year for which it publishes official lists.
        checks: which checks of reports it makes.
        contact: where to send questions about ratings, as its web pages show it.
        search_engines: whether search engines may list the pages of players, many of whom are children.
        second_person: whether publishing a list in the browser needs another person's consent.
        logo: an SVG file, or a PNG file in base64, as `ratebook.office.face` has written it anew; empty: none.
        accent: the colour of links and buttons on its web pages, as ``#1f5fbf``; empty: the program's own.
        footer: a line at the foot of its web pages.
        title_case: whether pages show names that came in capitals as people write them.
        system_names: what it calls systems, such as ``regular=Classical``, with commas; the others as US Chess.
        days_between_verifications: after so many days everything is to be verified again, not only what is new.
    """

    name: str = "Federation"
    country: str = "USA"
    member_id_pattern: str = MEMBER_ID
    systems: tuple[System, ...] = tuple(System)
    cut_off: str = THIRD_WEDNESDAY
    least_published_games: int = 4
    overlay: str = ""
    list_months: tuple[int, ...] = EVERY_MONTH
    checks: Thresholds = USUAL
    contact: str = ""
    search_engines: bool = False
    second_person: bool = False
    logo: str = ""
    accent: str = ""
    footer: str = ""
    title_case: bool = True
    days_between_verifications: int = 31
    system_names: str = ""


class Federation(NamedTuple):
    """A federation as its book has it: the profile, and the rulebook that it has adopted.

    Attributes:
        rulebook_id: the rulebook's number in the book.
        fingerprint: of the timeline and the overlay.
    """

    profile: Profile
    rulebook: Rulebook
    rulebook_id: int
    fingerprint: str

    def established(self, system: System, games: float | None, on: date) -> bool:
        """Return whether a rating on so many *games* is established by the rules of a day; None: it is known to be."""
        return games is None or games > self.rulebook.in_force(system, on).established_above_games


def write_profile(connection: Connection, profile: Profile, at: str) -> None:
    """Write the profile of a new book; it adopts the timeline that ships with the program."""
    rulebook_id = store_rulebook(connection, timeline_text(), profile.overlay, at)
    note_linked(connection, Linked.BOOK, [1])
    connection.execute(
        insert(schema.book).values(
            **_columns(profile), id=1, rulebook_id=rulebook_id, revision=0, created_at=at
        )
    )


def read_federation(connection: Connection) -> Federation:
    """Return the federation whose book this is; from now on, systems have the names that it gives them."""
    federation = _federation(*_FEDERATION.rows(connection)[0])
    OWN_TITLES.set(own_titles(federation.profile.system_names))
    OWN_SYSTEMS.set(federation.profile.systems)
    return federation


def name_systems(connection: Connection) -> None:
    """Call systems by the names that the federation gives them, from now on."""
    settings = connection.execute(select(schema.book.c.settings)).scalar_one()
    OWN_TITLES.set(own_titles(_settings(settings)["system_names"]))


@lru_cache(maxsize=4)
def _federation(*stored: Any) -> Federation:  # noqa: ANN401 - columns of several types
    """Return the federation of the columns of `_FEDERATION`, which hardly ever change: most who read it ask again."""
    *values, systems, settings, rulebook_id, fingerprint, timeline, overlay = stored
    columns = dict(zip(_STORED, values, strict=True)) | {"overlay": overlay}
    profile = Profile(**columns, systems=tuple(map(System, json.loads(systems))), **_settings(settings))
    return Federation(profile, _rulebook(timeline, overlay), rulebook_id, fingerprint)


_STORED = [name for name in Profile._fields if name in schema.book.c and name != "systems"]
"""The fields that columns hold as they are."""
_FEDERATION = PreparedQuery(
    select(
        *(schema.book.c[name] for name in [*_STORED, "systems", "settings", "rulebook_id"]),
        *(rulebooks.c[name] for name in ("fingerprint", "timeline", "overlay")),
    ).join_from(schema.book, rulebooks)
)


def rulebook_of_id(connection: Connection, number: int) -> Rulebook:
    """Return a rulebook that the book has adopted at some time."""
    row = connection.execute(select(rulebooks).where(rulebooks.c.id == number)).one()
    return _rulebook(row.timeline, row.overlay)


def _rulebook(timeline: str, overlay: str) -> Rulebook:
    with stored_rules():
        return rulebook_of_text(timeline, overlay)


@contextmanager
def stored_rules() -> Iterator[None]:
    """Read rules that a book stores: they were checked before, so what fails is newer than this program or damaged.

    Raises:
        BookError: this version of the program cannot read them.
    """
    try:
        yield
    except ValueError as failure:
        raise refused(
            "book-rules-unreadable", Place(subject="rules of the book"), failure=failure
        ) from failure


def change_profile(connection: Connection, profile: Profile) -> None:
    """Change everything of the profile but its rules, which `adopt` changes."""
    note_linked(connection, Linked.BOOK, [1])
    connection.execute(update(schema.book).values(_columns(profile)))


_SETTINGS = [name for name in Profile._fields if name not in schema.book.c and name != "overlay"]
"""The fields that the column ``settings`` holds."""


def _settings(text: str | None) -> dict[str, Any]:
    """Return the settings that a book stores; what it does not store is as usual."""
    stored = json.loads(text or "{}")
    limits = stored.get("checks", {})
    if "off" in limits:
        limits["off"] = tuple(limits["off"])
    settings = {name: stored.get(name, Profile._field_defaults[name]) for name in _SETTINGS}
    return settings | {"list_months": tuple(settings["list_months"]), "checks": Thresholds(**limits)}


def _columns(profile: Profile) -> dict[str, object]:
    values = profile._asdict()
    settings = json.dumps({name: values[name] for name in _SETTINGS} | {"checks": profile.checks._asdict()})
    values |= {"systems": json.dumps(profile.systems), "settings": settings}
    return {name: value for name, value in values.items() if name in schema.book.c}


def store_rulebook(connection: Connection, timeline: str, overlay: str, at: str) -> int:
    """Store a timeline with its overlay, once, and return its number.

    Raises:
        RulebookError: the rules cannot rate.
    """
    rulebook_of_text(timeline, overlay).check_resolves()
    digest = hashlib.sha256(json.dumps([timeline, overlay]).encode()).hexdigest()[:16]
    known = connection.execute(select(rulebooks.c.id).where(rulebooks.c.fingerprint == digest)).scalar()
    if known is not None:
        return int(known)
    row = {"fingerprint": digest, "timeline": timeline, "overlay": overlay, "adopted_at": at}
    return add_linked(connection, Linked.RULEBOOK, rulebooks, row)


def adopt(connection: Connection, rulebook_id: int) -> None:
    """Make the stored rulebook the one that the book rates by."""
    note_linked(connection, Linked.BOOK, [1])
    connection.execute(update(schema.book).values(rulebook_id=rulebook_id))
    note_all_changed(connection)


def revision(connection: Connection) -> int:
    """Return the number that every change of the ledger or of its inputs raises."""
    return int(connection.execute(select(REVISION)).scalar_one())


REVISION = schema.book.c.revision


def opened_at(connection: Connection) -> str:
    """Return the moment when the book was made."""
    return str(connection.execute(select(schema.book.c.created_at)).scalar_one())


def raise_revision(connection: Connection) -> int:
    """Raise the revision, so that other programs read anew what they remember; return the new one."""
    raised = update(schema.book).values(revision=schema.book.c.revision + 1).returning(schema.book.c.revision)
    return int(connection.execute(raised).scalar_one())
