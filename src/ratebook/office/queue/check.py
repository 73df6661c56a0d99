"""Checking a report against the book: its players, their names and ratings, the rules of the day."""

from collections.abc import Collection, Iterator, Mapping
from datetime import date

from ratebook.book.columns import place_of
from ratebook.book.connection import Connection
from ratebook.book.facts.members import fide_ids_of, merged_ids, names_by_member
from ratebook.book.facts.similar_members import Suggestions, offering
from ratebook.book.profile import Profile, read_federation
from ratebook.checks import ReportedFacts, check_report
from ratebook.checks.submission import PAIRING
from ratebook.findings import Finding, Place, Severity, finding
from ratebook.model import PlayerFacts, Rating, Report, SectionType, System
from ratebook.office.rating.inputs import MemberState
from ratebook.office.rating.standings import MemberStandings
from ratebook.player_lists.names import names_agree
from ratebook.player_lists.row import place_of as place_of_players
from ratebook.reports.plan import PlannedSection, check_planned, plan_report

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
            place_of_players(report, [player]),
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
                place_of_players(report, [player]),
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


def check_against_book(
    connection: Connection, report: Report, reported: ReportedFacts, standings: MemberStandings | None = None
) -> list[Finding]:
    """Return the problems with *report*, and what should be looked at, by what the book knows today.

    The report has canonical ids (`with_members`, which says who is unknown). The member files that are read here are
    kept in *standings*, for callers that check many reports.
    """
    if not report.sections:
        return []
    standings = standings or MemberStandings(read_federation(connection))
    standings = standings.at(first_place(report), connection, report.players)
    return check_from(connection, report, reported, standings)


def first_place(report: Report) -> str:
    """Return the place in history of the first section of a report that has some."""
    return min(place_of(section.end, report.event.id, section.number) for section in report.sections)


def check_from(
    connection: Connection,
    report: Report,
    reported: ReportedFacts,
    standings: MemberStandings,
    *,
    errors_alone: bool = False,
) -> list[Finding]:
    """Do the work of `check_against_book` from the *standings* before the report, perhaps for errors alone."""
    federation = standings.federation
    rulebook = federation.rulebook
    findings = []
    states = {
        player: standings.states[player]
        for player in report.players
        if standings.states[player].member_file is not None
    }
    planned, plan_findings = plan_report(report, rulebook)
    findings += plan_findings
    for plan in planned:
        findings += _not_kept(plan, federation.profile)
    findings += _before_opening(report, states)
    if not errors_alone:
        findings += names_that_differ(connection, report)
        findings += fide_ids_that_differ(connection, report)
    last = max(section.end for section in report.sections)
    begins = min(section.rules_date for section in report.sections)
    foreign = any(section.type is SectionType.FIDE for section in report.sections)
    facts = {}
    for player, reported_facts in report.players.items():
        state = states.get(player)
        facts[player] = (
            reported_facts
            if state is None
            else facts_on(state, last, begins)._replace(name=reported_facts.name)
        )
        if foreign and reported_facts.fide is not None:
            facts[player] = facts[player]._replace(fide=reported_facts.fide)
    if not errors_alone:
        findings += ratings_that_differ(connection, report, reported, facts, states)
    order = {section.number: at for at, section in enumerate(report.sections)}
    for plan in sorted(planned, key=lambda plan: order[plan.section.number]):
        if plan.section.type is SectionType.MATCH:
            findings += _with_official(connection, standings, plan, facts)
    expires = {
        player: until
        for player, state in states.items()
        if state.member_file is not None and (until := state.member_file.expires(last)) is not None
    }
    thresholds = federation.profile.checks
    facts_reported = reported._replace(expires=expires, member_id_pattern="", thresholds=thresholds)
    findings += check_report(report._replace(players=facts), facts_reported, rulebook)
    if not any(finding.severity == "error" for finding in findings):
        findings += check_planned(planned, facts, ())
    return [
        finding
        for finding in findings
        if finding.severity is not Severity.WARNING or finding.code not in thresholds.off
    ]


def _not_kept(plan: PlannedSection, profile: Profile) -> Iterator[Finding]:
    systems = [system for system, _ in plan.systems]
    if systems and not set(systems) & set(profile.systems):
        yield finding(
            "system-not-kept",
            Place(section=plan.section.number),
            systems=", ".join(systems),
            systems_2=", ".join(profile.systems),
        )


def _before_opening(report: Report, states: Mapping[str, MemberState]) -> Iterator[Finding]:
    for section in report.sections:
        for entry in section.entries:
            state = states.get(entry.player)
            if state is None or state.member_file is None:
                continue
            opened = max((balance.as_of for balance in state.member_file.balances.values()), default=None)
            if opened is not None and section.end <= opened:
                yield finding(
                    "before-opening",
                    Place(section=section.number, seats=(entry.seat,)),
                    end=section.end,
                    opened=opened,
                )
                break


def facts_on(state: MemberState, day: date, begins: date) -> PlayerFacts:
    """Return what the book knows of a member on *day*, as the checks of an event that *begins* then want it."""
    member_file = state.member_file
    assert member_file is not None, "members have one"  # noqa: S101 - tells the type checker
    facts = {system: state.facts(system, day) for system in state.systems}
    return PlayerFacts(
        member_file.id,
        member_file.name,
        birth_date=member_file.birth_date,
        adult=member_file.adult,
        canadian_resident=member_file.canadian_resident,
        ratings={system: known.rating for system, known in facts.items() if known.rating is not None},
        fide=member_file.foreign_on("fide", day),
        cfc=member_file.foreign_on("cfc", day),
        floors=tuple(floor for known in facts.values() for floor in known.floors),
        ceilings=tuple(ceiling for known in facts.values() for ceiling in known.ceilings),
        us_member=member_file.member_on(day),
        usa_flag=member_file.flag_on(day),
        fide_opt_in=member_file.opted_in_before(begins),
        initial={system: rating for known in facts.values() for system, rating in known.initial.items()},
    )


def _with_official(
    connection: Connection, standings: MemberStandings, plan: PlannedSection, facts: dict[str, PlayerFacts]
) -> Iterator[Finding]:
    """Put ratings of the list of the day into the facts of the players of a match; warn of a player who has none."""
    from ratebook.book.ledger.official import list_in_effect, rating_for_matches  # noqa: PLC0415 - matches are rare

    section = plan.section
    in_effect = list_in_effect(connection, standings.federation, section.rules_date)
    for entry in section.entries:
        player = facts[entry.player]
        for system, _ in plan.systems:
            rating = player.ratings.get(system)
            if rating is None:
                continue
            official = rating_for_matches(connection, standings.federation, entry.player, system, in_effect)
            if official is None:
                yield finding(
                    "match-not-published",
                    Place(section=section.number, seats=(entry.seat,)),
                    system=system,
                    rules_date=section.rules_date,
                )
                continue
            published = rating._replace(published=official.rating, published_games=official.provisional_games)
            player = player._replace(ratings={**player.ratings, system: published})
        facts[entry.player] = player
