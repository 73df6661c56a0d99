"""Whether the players of a report are the members whose ids they have: their names and their ratings before."""

from collections.abc import Collection, Iterator, Mapping

from ratebook.book.connection import Connection
from ratebook.book.facts.members import fide_ids_of, merged_ids, names_by_member
from ratebook.book.facts.similar_members import Suggestions, offering
from ratebook.checks import ReportedFacts
from ratebook.checks.submission import PAIRING
from ratebook.findings import Finding, Place, finding
from ratebook.model import PlayerFacts, Rating, Report, System
from ratebook.player_lists.names import names_agree
from ratebook.player_lists.row import place_of

MOST_POINTS_FROM_BOOK = 200
"""A rating before that is further from the book's is odd (docs/formats/office-checks.md#thresholds-of-this-program)."""

_SHOWN = 5


def names_that_differ(connection: Connection, report: Report) -> Iterator[Finding]:
    """Yield a warning for each member whose name in *report* is none of the names that the book has for the id.

    Names are compared as docs/formats/player-lists.md#how-names-are-compared says. The id probably belongs to another
    person.
    """
    book_names = names_by_member(connection, report.players)
    suggestions = Suggestions(connection)
    for player, facts in report.players.items():
        names = book_names.get(player, ())
        if not facts.name or not names or any(names_agree(facts.name, name) for name in names):
            continue
        nearest = suggestions.of(player, facts.name)
        differs = finding(
            "member-name-differs.in-the-book",
            place_of(report, [player]),
            player_id=player,
            known=names[0],
            player_name=facts.name,
            nearest=f" Perhaps {', '.join(f'{member} ({name})' for member, name in nearest)} is meant."
            if nearest
            else "",
        )
        yield offering(differs, nearest)


def fide_ids_that_differ(connection: Connection, report: Report) -> Iterator[Finding]:
    """Yield a warning for each member whose FIDE id in *report* is not the one that the book has."""
    if not any(facts.fide_id for facts in report.players.values()):
        return
    book_ids = fide_ids_of(connection, report.players)
    for player, facts in report.players.items():
        if facts.fide_id and book_ids.get(player) and facts.fide_id not in book_ids[player]:
            yield finding(
                "fide-id-differs",
                place_of(report, [player]),
                player_id=player,
                name=facts.name or player,
                known=", ".join(book_ids[player]),
                stated=facts.fide_id,
            )


def stated_ratings(report: Report) -> dict[str, dict[str, float]]:
    """Return the ratings before the event that a report states, by player and system; pairing ratings name none."""
    stated = {
        player: {system.value: rating.rating for system, rating in facts.ratings.items()}
        for player, facts in report.players.items()
    }
    for player, facts in report.players.items():
        if facts.pairing_rating is not None:
            stated[player][PAIRING] = facts.pairing_rating
    return {player: ratings for player, ratings in stated.items() if ratings}


def ratings_that_differ(
    connection: Connection,
    report: Report,
    reported: ReportedFacts,
    facts: Mapping[str, PlayerFacts],
    members: Collection[str],
) -> Iterator[Finding]:
    """Yield a warning for each section that states ratings before of which the book knows nothing, or quite others.

    A rating in a system is compared with the book's in it, a pairing rating with the nearest of the book's. *facts* are
    those of the book on the day of the event for its *members*.
    """
    owner = merged_ids(connection, [player for player in reported.stated_ratings if player not in members])
    stated = {owner.get(player, player): ratings for player, ratings in reported.stated_ratings.items()}
    for section in report.sections:
        differing = []
        for entry in section.entries:
            if entry.player not in members:
                continue
            for system, rating in stated.get(entry.player, {}).items():
                known = _nearest(system, rating, facts[entry.player].ratings)
                if known is None or abs(known - rating) > MOST_POINTS_FROM_BOOK:
                    has = "unrated" if known is None else f"{known:.0f}"
                    name = report.players[entry.player].name or entry.player
                    differing.append(f"seat {entry.seat}, {name}: {rating:.0f} ({system}), book {has}")
        if differing:
            more = f"; and {len(differing) - _SHOWN} more" if len(differing) > _SHOWN else ""
            yield finding(
                "rating-before-not-in-book",
                Place(section=section.number),
                differing="; ".join(differing[:_SHOWN]) + more,
                most_points=MOST_POINTS_FROM_BOOK,
            )


def _nearest(system: str, stated: float, ratings: Mapping[System, Rating]) -> float | None:
    """Return the book's rating that a stated one is compared with; None where the member is unrated."""
    known = [rating.rating for of, rating in ratings.items() if system in {PAIRING, of.value}]
    return min(known, key=lambda rating: abs(rating - stated), default=None)
