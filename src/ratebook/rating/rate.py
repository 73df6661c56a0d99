"""Rate one section in one system: gather the columns, run the five steps, settle, and say what came of it."""

from collections.abc import Collection, Iterator, Mapping
from datetime import date

from ratebook.findings import Finding, Place, finding
from ratebook.model import (
    EarlierMatch,
    EnteredFloor,
    FloorKind,
    PlayerFacts,
    Record,
    Section,
    SectionType,
    System,
)
from ratebook.rating import results
from ratebook.rating.carry import Carry, applied_floor, carry_on, floor_stays, games_after
from ratebook.rating.columns import gather_games, section_columns, settlement_columns, start_players
from ratebook.rating.explanation.notes import assumptions, needs_record
from ratebook.rating.floors import NO_FLOOR
from ratebook.rating.foreign import start_foreign
from ratebook.rating.formulas import rounded
from ratebook.rating.settlement import settle_players
from ratebook.rating.steps import NOT_RATED, STANDARD, rate_in_five_steps, rate_in_one_pass
from ratebook.rules.in_force import RulesInForce


def rate_section(
    section: Section,
    facts: Mapping[str, PlayerFacts],
    system: System,
    rules: RulesInForce,
    *,
    dual_rated: bool = False,
    rules_date: date | None = None,
) -> results.RatedSection:
    """Rate *section* in *system* from what is known of its players before it.

    The section must be free of errors (``checks``), match and foreign sections included.

    Args:
        section: the unit that is rated (docs/rules/readings.md#a11).
        facts: every player of the section, by key.
        system: the system to rate in.
        rules: the rules in force on the section's start in that system.
        dual_rated: whether the section is rated in OTB Quick too (reduced K of OTB Regular above 2200).
        rules_date: the day of *rules*, where it is not the section's own (a what-if).

    Source: D25 sections 1 to 7.
    """
    rated = with_results(
        rate_in_columns(section, facts, system, rules, dual_rated=dual_rated, rules_date=rules_date)
    )
    return rated._replace(findings=(*rated.findings, *_records_needed(rated), *assumptions(rated)))


def rate_in_columns(
    section: Section,
    facts: Mapping[str, PlayerFacts],
    system: System,
    rules: RulesInForce,
    *,
    dual_rated: bool,
    rules_date: date | None = None,
) -> results.RatedSection:
    """Rate a section as `rate_section` does, without results by seat and without what missing facts make uncertain."""
    foreign = section.type is SectionType.FIDE
    findings: list[Finding] = []
    if foreign:
        starters, games, findings = start_foreign(section, facts, system, rules)
    else:
        starters = start_players(section, facts, system, rules)
        games = gather_games(section, starters)
    columns = section_columns(starters, games)
    half_k = 1 if section.half_k else 0
    reduced = 1 if dual_rated and system is System.REGULAR else 0
    is_match = 1 if section.type is SectionType.MATCH else 0
    if foreign:
        rate_in_one_pass(rules, 0, 0, columns)
    else:
        rate_in_five_steps(rules, half_k, reduced, is_match, columns)
    settlement = settlement_columns(section, facts, system, rules, columns, starters.players)
    settle_players(rules, is_match, columns, settlement)
    return results.RatedSection(
        section=section,
        system=system,
        rules=rules,
        rules_date=rules_date or section.rules_date,
        dual_rated=dual_rated,
        facts=facts,
        players=starters.players,
        places=starters.places,
        sources=starters.sources,
        step1=starters.step1,
        unrated=starters.unrated,
        columns=columns,
        settlement=settlement,
        games=games,
        entries=(),
        findings=tuple(findings),
    )


def rated_again(rated: results.RatedSection, facts: Mapping[str, PlayerFacts]) -> results.RatedSection:
    """Rate a section once more from other *facts*, without results by seat."""
    section, system, rules = rated.section, rated.system, rated.rules
    return rate_in_columns(
        section, facts, system, rules, dual_rated=rated.dual_rated, rules_date=rated.rules_date
    )


def _records_needed(rated: results.RatedSection) -> Iterator[Finding]:
    """Yield a warning for each player on one or two games of whom no record says whether these were won or lost.

    Nothing says which, so that the warning names the results with either record (docs/rules/readings.md#a3). Where
    several players need one, all of them have won, or all have lost: two more ratings of the section, however many.
    """
    section, system = rated.section, rated.system
    needing = {
        entry.player: entry
        for entry in reversed(rated.entries)
        if needs_record(rated, rated.places[entry.player])
    }
    if not needing:
        return
    either = []
    for record in (Record.WINS, Record.LOSSES):
        facts = dict(rated.facts)
        for player in needing:
            known = facts[player]
            ratings = {**known.ratings, system: known.ratings[system]._replace(record=record)}
            facts[player] = known._replace(ratings=ratings)
        either.append(rated_again(rated, facts).settlement.after)
    for player, entry in reversed(needing.items()):
        if entry.after is not None:
            yield finding(
                "record-needed",
                Place(section=section.number, seats=(entry.seat,), system=system),
                player=rated.facts[player].name or player,
                games=entry.before.games,
                assumed=entry.after.rating,
                winner=either[0][rated.places[player]],
                loser=either[1][rated.places[player]],
                column=f"{system.replace('-', '_')}_record",
            )


def with_results(rated: results.RatedSection) -> results.RatedSection:
    """Return a section with the result of each seat; opponents of a foreign event are not among them."""
    section, rules, columns, settlement = rated.section, rated.rules, rated.columns, rated.settlement
    foreign = section.type is SectionType.FIDE
    half_k = 1 if section.half_k and not foreign else 0
    entries = []
    for entry in section.entries:
        at = rated.places.get(entry.player)
        if at is None:
            continue
        before = results.Before(
            columns.rating[at], columns.games[at], results.SOURCE_NAMES[rated.sources[at]]
        )
        played = columns.first_game[at + 1] - columns.first_game[at]
        if played == 0:
            unrated = rated.sources[at] != 0
            after = None if unrated else after_rating(rules, before.rating, before.games)
            entries.append(results.RatedEntry(entry.seat, entry.player, before, after, None))
            continue
        count = games_after(rules, before.games, played, half_k)
        standard = columns.formula[at] == STANDARD
        floor = applied_floor(settlement.floor_applied[at], settlement.floor[at], settlement.lowered_to[at])
        workings = results.Workings(
            formula=results.FORMULA_NAMES[columns.formula[at]],
            effective_games=columns.effective_games[at],
            k=columns.k[at] if standard else None,
            score=columns.total_score[at],
            expected=columns.expected[at],
            bonus=columns.bonus[at] if standard else None,
            step3=columns.step3[at] if columns.newcomer[at] else None,
            step4=None if foreign else columns.step4[at],
            step5=columns.step5[at],
            floor=None if floor == NO_FLOOR else floor,
        )
        after = after_rating(rules, settlement.after[at], count)
        entries.append(results.RatedEntry(entry.seat, entry.player, before, after, workings))
    return rated._replace(entries=tuple(entries))


def after_rating(rules: RulesInForce, rating: float, games: float) -> results.After:
    """Return a rating after the section with what is displayed of it."""
    return results.After(rating, games, int(rounded(rating)), games > rules.established_above_games)


def facts_after(
    rated: results.RatedSection, players: Collection[str] | None = None
) -> dict[str, PlayerFacts]:
    """Return what is known of the section's players after it, in this system: the next section starts from it.

    Who played no rated game is left out, and who is not one of *players* where these are given.

    Source: D25 section 7 (N grows by m); docs/rules/readings.md#a13, #a18.
    """
    return {
        player: player_after(rated, player)
        for player in (rated.places if players is None else players)
        if (at := rated.places.get(player)) is not None and rated.columns.formula[at] != NOT_RATED
    }


def player_after(rated: results.RatedSection, player: str) -> PlayerFacts:
    """Return the facts of one player who played a rated game, after the section."""
    section, system = rated.section, rated.system
    at = rated.places[player]
    facts = rated.facts[player]
    carry, floors = carried_after(rated, at, facts)
    matches = facts.matches
    if section.type is SectionType.MATCH:
        matches = (*matches, EarlierMatch(system, section.end, carry.rating - rated.columns.rating[at]))
    rating = carry.rating_on(section.end, facts.ratings.get(system))
    return facts._replace(ratings={**facts.ratings, system: rating}, floors=floors, matches=matches)


def carried_after(
    rated: results.RatedSection, at: int, facts: PlayerFacts
) -> tuple[Carry, tuple[EnteredFloor, ...]]:
    """Return what the player *at* a place of the columns, of whom *facts* were known, carries after the section."""
    section, system, columns, settlement = rated.section, rated.system, rated.columns, rated.settlement
    scores = columns.score[columns.first_game[at] : columns.first_game[at + 1]]
    won, drawn = scores.count(1.0), scores.count(0.5)
    foreign = section.type is SectionType.FIDE
    carry = Carry(facts.ratings.get(system))
    lowered_stays = carry_on(rated.rules, carry, columns, settlement, at, won, drawn, section.half_k, foreign)
    return carry, floors_after(facts, system, settlement.lowered_to[at], lowered_kept=bool(lowered_stays))


def floors_after(
    facts: PlayerFacts, system: System, lowered_to: float, *, lowered_kept: bool
) -> tuple[EnteredFloor, ...]:
    """Return the entered floors after a section (`carry.floor_stays`), a newly lowered one last."""
    if not facts.floors and lowered_to == NO_FLOOR:
        return ()
    floors = tuple(
        floor
        for floor in facts.floors
        if floor.system is not system
        or floor_stays(floor.kind is FloorKind.LOWERED, floor.floor, lowered_kept, lowered_to)
    )
    if lowered_to != NO_FLOOR:
        floors = (*floors, EnteredFloor(system, FloorKind.LOWERED, lowered_to))
    return floors


def merged(before: PlayerFacts, after: PlayerFacts, system: System) -> PlayerFacts:
    """Return *before* with what *after* says about *system* only, so that dual ratings do not overwrite each other."""
    return before._replace(
        ratings={**before.ratings, system: after.ratings[system]},
        floors=tuple(floor for floor in before.floors if floor.system is not system)
        + tuple(floor for floor in after.floors if floor.system is system),
        matches=tuple(match for match in before.matches if match.system is not system)
        + tuple(match for match in after.matches if match.system is system),
    )
