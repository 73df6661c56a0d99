"""Notes on missing facts that affect a rating: which players are concerned, and what was assumed."""

from collections.abc import Iterator

from ratebook.findings import Finding, Place, finding
from ratebook.model import Bound, Rating, System
from ratebook.rating.carry import COUNTS_BOUND, OLM_BOUND, PEAK_BOUND
from ratebook.rating.floors import UNKNOWN
from ratebook.rating.formulas import NO_AGE, plain_k_reads_age
from ratebook.rating.results import RatedSection
from ratebook.rating.step1 import (
    FROM_CFC,
    NO_BIRTH_DATE,
    NO_RATING,
    SOURCE_AGE,
    SOURCE_DEFAULT,
    SOURCES,
    SourceColumns,
    usable_birth_day,
)
from ratebook.rating.steps import NOT_RATED
from ratebook.rules.in_force import CONSTANT, OFF

FEW_GAMES = 2.0
"""With this many games or fewer, a record of only wins or only losses is as likely as a mixed one."""


def seats_of(rated: RatedSection, concerned: list[int]) -> tuple[int, ...]:
    """Return the seats of the players at these indices."""
    wanted = {rated.players[at] for at in concerned}
    return tuple(entry.seat for entry in rated.section.entries if entry.player in wanted)


def assumptions(rated: RatedSection) -> Iterator[Finding]:
    """Yield one note for each kind of missing fact that could have changed a rating of the section."""
    rules, columns, settlement = rated.rules, rated.columns, rated.settlement
    section = Place(section=rated.section.number, system=rated.system)
    played = [at for at in range(len(rated.players)) if columns.formula[at] != NOT_RATED]
    lost = [at for at in played if settlement.after[at] < columns.rating[at]]
    concerned = {
        "floor-request-open": [at for at in played if settlement.request_open[at]],
        "counts-missing": [
            at
            for at in played
            if (settlement.wins[at] == UNKNOWN or settlement.at_least[at] & COUNTS_BOUND)
            and settlement.after[at] < rules.personal_floor_most
        ],
        "record-missing": [
            at
            for at in played
            if columns.games[at] <= rules.established_above_games
            and rules.special_most_games != OFF
            and record_unknown(rated, at)
            and not needs_record(rated, at)
        ],
        "peak-missing": [
            at
            for at in lost
            if columns.games[at] > rules.established_above_games
            and (settlement.peak[at] == UNKNOWN or settlement.at_least[at] & PEAK_BOUND)
            and rules.peak_floor_lowest >= 0.0
            and settlement.after[at] < rules.peak_floor_highest
        ],
        "life-master-games-missing": [
            at
            for at in lost
            if columns.rating[at] >= rules.olm_floor_level >= 0.0
            and settlement.after[at] < rules.olm_floor_level
            and (settlement.olm_games[at] == UNKNOWN or settlement.at_least[at] & OLM_BOUND)
        ],
    }
    if plain_k_reads_age(rules):
        concerned["k-age-missing"] = [at for at in played if columns.age[at] == NO_AGE]
    if rated.step1 is not None:
        step1, end = rated.step1, float(rated.section.end.toordinal())
        place = rated.unrated
        aged = [at for at in played if depends_on_age(rated, at)]
        concerned |= {
            "birth-date-missing": [at for at in aged if step1.birth_day[place[at]] == NO_BIRTH_DATE],
            "birth-date-unusable": [
                at
                for at in aged
                if step1.birth_day[place[at]] != NO_BIRTH_DATE
                and not usable_birth_day(rules, step1.birth_day[place[at]], end)
            ],
            "cfc-not-used": [
                at
                for at in played
                if rules.cfc_residents_only == 1
                and at in place
                and step1.rating[place[at] * SOURCES + FROM_CFC] != NO_RATING
                and not step1.canadian[place[at]]
            ],
            "rating-date-missing": [at for at in played if uses_undated_rating(rated, step1, at)],
        }
    for code, places in concerned.items():
        if places:
            prefix = rated.system.replace("-", "_")
            yield finding(code, section.but(seats=seats_of(rated, places)), system=prefix)


def record_unknown(rated: RatedSection, at: int) -> bool:
    """Return whether a rated player's record is neither given nor to be read off the counts."""
    rating = rated.facts[rated.players[at]].ratings.get(rated.system)
    return rating is not None and not tells_record(rating)


def tells_record(rating: Rating) -> bool:
    """Return whether a rating says, itself or by its counts, if all its games were won, lost or neither."""
    if rating.games == 0 or rating.record is not None or rating.draws or (rating.wins and rating.losses):
        return True
    return None not in {rating.wins, rating.draws, rating.losses} and Bound.COUNTS not in rating.at_least


def needs_record(rated: RatedSection, at: int) -> bool:
    """Return whether a rated player has so few games, one or two, that no record is likely enough to be assumed."""
    few = 0.0 < rated.columns.games[at] <= FEW_GAMES and rated.rules.special_most_games != OFF
    return few and record_unknown(rated, at)


def depends_on_age(rated: RatedSection, at: int) -> bool:
    """Return whether the initial rating of this player depends on age: directly, or by old ratings in the blend."""
    step1 = rated.step1
    if rated.rules.initial_method == CONSTANT:
        return False
    if rated.sources[at] in {SOURCE_AGE, SOURCE_DEFAULT}:
        return True
    if step1 is None or at not in rated.unrated:
        return False
    first = rated.unrated[at] * SOURCES
    return any(
        step1.weight[source] > 0.0 and step1.staleness_days[source] > 0.0
        for source in range(first, first + SOURCES)
    )


def uses_undated_rating(rated: RatedSection, step1: SourceColumns, at: int) -> bool:
    """Return whether the blend of this player gave weight to a rating without a date."""
    if at not in rated.unrated:
        return False
    first = rated.unrated[at] * SOURCES
    facts = rated.facts[rated.players[at]]
    dates = [None if (rating := facts.ratings.get(system)) is None else rating.as_of for system in System]
    dates += [None if foreign is None else foreign.as_of for foreign in (facts.fide, facts.cfc)]
    return any(step1.weight[first + source] > 0.0 and day is None for source, day in enumerate(dates))
