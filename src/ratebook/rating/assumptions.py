"""Notes on what the report does not say and matters for a number: who is concerned and what was assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.problems import Problem, note
from ratebook.rating.floors import UNKNOWN
from ratebook.rating.initial import NO_BIRTH_DATE, SOURCE_DEFAULT, SOURCES
from ratebook.rating.section import NOT_RATED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratebook.rating.rated import RatedSection

MOST_SEATS_NAMED = 12


def seats_text(rated: RatedSection, concerned: list[int]) -> str:
    """Return the seats of the players at these indices in words, the first dozen by number."""
    wanted = {rated.players[at] for at in concerned}
    seats = [str(entry.seat) for entry in rated.section.entries if entry.player in wanted]
    text = ", ".join(seats[:MOST_SEATS_NAMED])
    if len(seats) > MOST_SEATS_NAMED:
        text += f" and {len(seats) - MOST_SEATS_NAMED} more"
    return ("seat " if len(seats) == 1 else "seats ") + text


def assumptions(rated: RatedSection) -> Iterator[Problem]:
    """Yield one note for each kind of missing fact that could have changed a rating of the section."""
    rules, columns, settlement = rated.rules, rated.columns, rated.settlement
    where = f"section {rated.section.number}, {rated.system}"
    played = [at for at in range(len(rated.players)) if columns.formula[at] != NOT_RATED]

    def noted(code: str, concerned: list[int], message: str, remedy: str) -> Iterator[Problem]:
        if concerned:
            yield note(code, f"{where}, {seats_text(rated, concerned)}", message, remedy)

    yield from noted(
        "floor-request-open",
        [at for at in played if settlement.request_open[at]],
        "The match result lies below the player's floor: it holds there, and a floor request is open.",
        'Answer it: "floor_request": "granted" or "denied" on the entry.',
    )
    lost = [at for at in played if settlement.after[at] < columns.rating[at]]
    yield from noted(
        "counts-missing",
        [
            at
            for at in played
            if settlement.wins[at] == UNKNOWN and settlement.after[at] < rules.personal_floor_most
        ],
        "Wins, draws or long sections so far are not given; no personal floor above 100 was applied.",
        "Give wins, draws, losses and long_events of these players.",
    )
    yield from noted(
        "peak-missing",
        [
            at
            for at in lost
            if columns.games[at] > rules.established_above_games
            and settlement.peak[at] == UNKNOWN
            and rules.peak_floor_lowest >= 0.0
            and settlement.after[at] < rules.peak_floor_highest
        ],
        "Established players lost points and their peak rating is not given; no peak floor was applied.",
        "Give the peak (highest established rating) of these players.",
    )
    yield from noted(
        "life-master-games-missing",
        [
            at
            for at in lost
            if columns.rating[at] >= rules.olm_floor_level >= 0.0
            and settlement.after[at] < rules.olm_floor_level
            and settlement.olm_games[at] == UNKNOWN
        ],
        "Games played from an established 2200 or more are not given; no original Life Master floor was applied.",
        "Give life_master_games of these players.",
    )
    if rated.step1 is None:
        return
    yield from noted(
        "birth-date-missing",
        [
            at
            for at in played
            if rated.sources[at] == SOURCE_DEFAULT and rated.step1.birth_day[at] == NO_BIRTH_DATE
        ],
        "Unrated players without any other rating and without birth date: 1300 for known adults, else 750 was assumed.",
        "Give the birth date, or say whether the player is an adult.",
    )
    yield from noted(
        "rating-date-missing",
        [at for at in played if uses_undated_rating(rated, at)],
        "A rating that the initial rating rests on has no date; it was taken as computed on the section's last day.",
        'Give "as_of" with the rating.',
    )


def uses_undated_rating(rated: RatedSection, at: int) -> bool:
    """Return whether the blend of this player gave weight to a rating without a date."""
    if rated.step1 is None or not any(rated.step1.weight[at * SOURCES : (at + 1) * SOURCES]):
        return False
    facts = rated.facts[rated.players[at]]
    others = [rating.as_of for rating in facts.ratings.values()]
    others += [foreign.as_of for foreign in (facts.fide, facts.cfc) if foreign is not None]
    return None in others
