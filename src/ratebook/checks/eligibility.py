"""What only the rules of the day can say against a section: conditions of matches, and ceilings below floors.

Both players of a match are published in the system, since 2006 established, and at most 400 points apart.
"""

from collections.abc import Iterator, Mapping

from ratebook.checks.submission import PLAYERS_OF_A_MATCH, place_of
from ratebook.findings import Finding, Place, finding
from ratebook.model import Bound, FloorKind, PlayerFacts, Section, SectionType, System
from ratebook.rating.carry import games_of
from ratebook.rating.floors import olm_floor, peak_floor
from ratebook.rating.formulas import rounded
from ratebook.rules.in_force import RulesInForce


def too_few_games(rules: RulesInForce, games: float) -> bool:
    """Return whether a rating that rests on *games* games is not established, where a match needs that.

    Source: D25 section 7; before 2006 docs/rules/outside.md#2-the-rules-of-2001-to-2013.
    """
    return (games <= rules.established_above_games) & (rules.match_established == 1)


def too_far_apart(rules: RulesInForce, published: float, other: float) -> bool:
    """Return whether two published ratings are too far apart for a match, in rating points (D25 section 7)."""
    return abs(published - other) > rules.match_difference


def check_match(
    section: Section, facts: Mapping[str, PlayerFacts], system: System, rules: RulesInForce
) -> Iterator[Finding]:
    """Yield a warning for each condition that a player or a pair of *section*, a match, misses in *system*.

    A section may hold many matches, and players without a game are in none. The office rated matches that missed a
    condition, with the limits of a match.

    Source: D25 section 7; docs/rules/readings.md#matches.
    """
    opponents = opponents_in(section)
    published: dict[str, float] = {}
    for entry in section.entries:
        opponent = opponents.get(entry.player)
        if opponent is None or entry.player in published:
            continue
        place = place_of(section, entry)
        rating = facts[entry.player].ratings.get(system)
        if rating is None:
            yield finding("match-not-established.unrated", place, system=system)
            continue
        games = rating.games
        if rating.published is not None:
            published[entry.player] = float(rating.published)
            games = rating.published_games if rating.published_games is not None else games
        else:
            published[entry.player] = rounded(rating.rating)
            yield finding("published-missing", place, system=system)
        fewest = min(games_of(games), games_of(rating.games))
        if too_few_games(rules, fewest):
            yield finding("match-not-established.few-games", place, system=system, games=fewest)
        if opponent in published and too_far_apart(rules, published[entry.player], published[opponent]):
            yield finding(
                "match-too-far-apart",
                place,
                system=system,
                published=abs(published[entry.player] - published[opponent]),
                match_difference=rules.match_difference,
            )


def opponents_in(section: Section) -> dict[str, str]:
    """Return the opponent of each player of a match who has a rated game."""
    players = {entry.seat: entry.player for entry in section.entries}
    return {
        entry.player: players[cell.opponent]
        for entry in section.entries
        for cell in entry.rounds
        if cell.rated and cell.opponent is not None and cell.opponent in players
    }


def check_match_coding(section: Section, rules: RulesInForce) -> Iterator[Finding]:
    """Yield a warning where a section of two players and several games is not coded as a match; it is rated as coded.

    Source: docs/rules/readings.md#a19; docs/rules/outside.md#2-the-rules-of-2001-to-2013 (match rules of 2006).
    """
    if section.type in {SectionType.MATCH, SectionType.FIDE} or rules.match_coding_least_games < 0.0:
        return
    games: dict[str, int] = {}
    for entry in section.entries:
        games[entry.player] = games.get(entry.player, 0) + [cell.rated for cell in entry.rounds].count(True)
    if len(games) == PLAYERS_OF_A_MATCH and max(games.values()) >= rules.match_coding_least_games:
        place = Place(section=section.number, field="type")
        yield finding("match-not-coded", place, games=max(games.values()))


def check_ceilings(
    section: Section, facts: Mapping[str, PlayerFacts], system: System, rules: RulesInForce
) -> Iterator[Finding]:
    """Yield an error where a player's own floor, from counts, peak or Life Master title, can lie above a ceiling.

    Source: docs/rules/readings.md#a17 (entered floors are checked with the report).
    """
    for entry in section.entries:
        player = facts[entry.player]
        rating = player.ratings.get(system)
        ceilings = [ceiling.ceiling for ceiling in player.ceilings if ceiling.system is system]
        if rating is None or not ceilings:
            continue
        lowered = any(floor.system is system and floor.kind is FloorKind.LOWERED for floor in player.floors)
        floor = max(rules.personal_floor_most, olm_floor(rules, rating.life_master_games or 0))
        if rating.peak is not None and not lowered and Bound.PEAK not in rating.at_least:
            floor = max(floor, peak_floor(rules, rating.peak))
        if floor > min(ceilings):
            place = place_of(section, entry)
            yield finding(
                "floor-above-ceiling.in-force", place, system=system, floor=floor, ceilings=min(ceilings)
            )
