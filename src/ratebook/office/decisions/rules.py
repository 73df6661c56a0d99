"""Decisions about the whole book: rules adopted, and the profile of the federation changed."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from ratebook.book.audit import BOOK
from ratebook.book.connection import Book, Connection
from ratebook.book.decisions import Decision, decide
from ratebook.book.failures import refused
from ratebook.book.ledger.pending import Pending, note_pending
from ratebook.book.profile import (
    Federation,
    Profile,
    adopt,
    change_profile,
    raise_revision,
    read_federation,
    store_rulebook,
)
from ratebook.findings import Finding, Place, finding
from ratebook.office.decisions.revision import DecisionResult, Reason
from ratebook.rules.rulebook import DatedValue, RulebookError, added_overlay, check_overlay, timeline_text


def adopt_rules(book: Book, overlay: str | None, because: Reason, *, replace: bool = False) -> DecisionResult:
    """Adopt the timeline of this program, with an *overlay* (None: the one that holds), for the whole book.

    The overlay adds to the one that holds, unless it is to *replace* that; an empty one always does.

    Raises:
        BookError: the overlay is wrong.
    """
    with book.writing() as connection:
        federation = read_federation(connection)
        before = federation.profile.overlay
        adopted = before if overlay is None else overlay
        try:
            if overlay is not None:
                check_overlay(overlay)
                if overlay and not replace:
                    adopted = added_overlay(before, overlay)
            rulebook = store_rulebook(connection, timeline_text(), adopted, because.actor.at)
        except RulebookError as failure:
            raise refused("rules-wrong", Place(subject="overlay"), failure=str(failure)) from failure
        if rulebook == federation.rulebook_id:
            raise refused("nothing-changes.rules", Place(subject="rules"))
        adopt(connection, rulebook)
        result = _decide_about_book(
            connection, because, "adopt-rules", {"rulebook": rulebook}, "rules adopted"
        )
        return result._replace(findings=tuple(_changed_rules(federation, read_federation(connection))))


def _changed_rules(before: Federation, after: Federation) -> Iterator[Finding]:
    """Yield a note that says which rules of the federation's own are new, changed, kept or dropped."""
    old, new = (defaultdict[str, list[DatedValue]](list) for _ in range(2))
    for federation, values in ((before, old), (after, new)):
        for name, value in federation.rulebook.overlay_values:
            values[name].append(value)
    groups = {
        "new": sorted(new.keys() - old.keys()),
        "changed": sorted(name for name in new.keys() & old.keys() if new[name] != old[name]),
        "kept": sorted(name for name in new.keys() & old.keys() if new[name] == old[name]),
        "dropped": sorted(old.keys() - new.keys()),
    }
    changes = "; ".join(f"{word}: {', '.join(names)}" for word, names in groups.items() if names)
    if changes:
        yield finding("overlay-adopted", Place(subject="rules"), changes=changes)


def adjust_profile(book: Book, profile: Profile, because: Reason) -> DecisionResult:
    """Change the profile of the federation (not its overlay, which `adopt_rules` changes)."""
    with book.writing() as connection:
        before = read_federation(connection).profile
        change_profile(connection, profile)
        changed = [
            name
            for name in profile._fields
            if name != "overlay" and getattr(profile, name) != getattr(before, name)
        ]
        waits = "systems changed" if "systems" in changed else ""
        return _decide_about_book(connection, because, "change-profile", {"changed": changed}, waits)


def _decide_about_book(
    connection: Connection, because: Reason, kind: str, details: Mapping[str, object], waits: str
) -> DecisionResult:
    """Record a decision about the whole book; *waits* says why all ratings wait for a re-rating, if they do."""
    number = decide(connection, because.actor, Decision(kind, BOOK, because.reason, details=details))
    if waits:
        note_pending(connection, [Pending("", f"decision {number}, {waits}", decision=number)])
    raise_revision(connection)
    return DecisionResult(number, waits=bool(waits))
