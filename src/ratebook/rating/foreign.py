"""Foreign FIDE events: who is updated, and against which converted ratings.

One pass of the standard formula, with bonus, of OTB Regular ratings only. Opponents without a FIDE rating are dropped
before the games are counted.
"""

from collections import Counter
from collections.abc import Mapping

from ratebook.findings import Finding, Place, finding
from ratebook.model import SCORES, PlayerFacts, Section, System
from ratebook.rating.carry import games_of
from ratebook.rating.columns import GameColumns, PlayedGame, Starters, birth_day_of, game_columns
from ratebook.rating.formulas import NO_AGE, compilable, converted_fide, converted_fide_youth
from ratebook.rating.special import MIXED
from ratebook.rating.step1 import RATED, age_for_k
from ratebook.rules.in_force import (
    ESTABLISHED_MEMBER,
    ESTABLISHED_MEMBERS,
    FLAG_OR_MEMBER,
    FLAG_OR_MEMBERSHIP,
    MEMBERS,
    RulesInForce,
)

ELIGIBLE = 0
TOO_FEW_GAMES = 1
NO_MEMBER = 2
NOT_ESTABLISHED = 3
NOT_OPTED_IN = 4
NEITHER_MEMBER_NOR_FLAG = 5
NEITHER_OPTED_IN_NOR_STRONG = 6
NEITHER_MEMBER_NOR_STRONG = 7


@compilable
def foreign_eligibility(
    rules: RulesInForce,
    rated: int,
    games: float,
    has_fide: int,
    fide: float,
    us_member: int,
    usa_flag: int,
    opt_in: int,
) -> int:
    """Return ``ELIGIBLE``, or why a player's rating is not updated for foreign FIDE events.

    J15: automatic from FIDE 2200 with the US flag or a membership, other members by opting in. N15: members only,
    automatic from FIDE 2200 with the US flag, the others by opting in. D25: the same, with an established OTB Regular
    rating. Two variants are of older timelines: one took an opt-in from anyone with the flag or a membership.

    Source: J15, N15 and D25 section 6; docs/rules/readings.md#foreign-fide-events; docs/rules/coverage.md#m2, #q32.
    """
    if not rated or games <= rules.foreign_games_above:
        return TOO_FEW_GAMES
    strong = has_fide and fide >= rules.foreign_automatic_rating
    automatic = strong and usa_flag
    if rules.foreign_eligibility == FLAG_OR_MEMBER:
        if not (us_member or usa_flag):
            return NEITHER_MEMBER_NOR_FLAG
        return ELIGIBLE if opt_in or strong else NEITHER_OPTED_IN_NOR_STRONG
    if rules.foreign_eligibility == FLAG_OR_MEMBERSHIP:
        if not (us_member or automatic):
            return NEITHER_MEMBER_NOR_STRONG
        return ELIGIBLE if opt_in or strong else NEITHER_OPTED_IN_NOR_STRONG
    if not us_member:
        return NO_MEMBER
    if rules.foreign_eligibility != MEMBERS and games <= rules.established_above_games:
        return NOT_ESTABLISHED
    return ELIGIBLE if opt_in or automatic else NOT_OPTED_IN


@compilable
def finds_unmarked(rules: RulesInForce) -> int:
    """Return 1 where every eligible player is updated, marked or not; older timelines update only marked entries.

    Source: D25 section 6 ("will automatically"); docs/rules/readings.md#foreign-fide-events.
    """
    return 1 if rules.foreign_eligibility > ESTABLISHED_MEMBER else 0


@compilable
def opponent_rating(rules: RulesInForce, youth: int, fide: float) -> float:
    """Return the fixed US rating of an opponent in a foreign FIDE event, or in a *youth* one.

    Source: D25 section 6.
    """
    return converted_fide_youth(rules, fide) if youth else converted_fide(rules, fide)


def not_eligible_because(facts: PlayerFacts, system: System, rules: RulesInForce) -> str:
    """Return in words why a player's rating is not updated for foreign FIDE events; an empty text where it is."""
    rating = facts.ratings.get(system)
    reason = foreign_eligibility(
        rules,
        rating is not None,
        0.0 if rating is None else games_of(rating.games),
        facts.fide is not None,
        0.0 if facts.fide is None else float(facts.fide.rating),
        facts.us_member,
        facts.usa_flag,
        facts.fide_opt_in,
    )
    established = "an established OTB Regular rating is needed"
    needs_established = rules.foreign_eligibility in {ESTABLISHED_MEMBER, ESTABLISHED_MEMBERS}
    automatic = f"FIDE {rules.foreign_automatic_rating:g} or more"
    return {
        ELIGIBLE: "",
        TOO_FEW_GAMES: (
            established
            if needs_established
            else f"an OTB Regular rating on more than {rules.foreign_games_above:g} games is needed"
        ),
        NO_MEMBER: "only members are updated",
        NOT_ESTABLISHED: established,
        NOT_OPTED_IN: f"neither opted in nor a US flag with {automatic}",
        NEITHER_MEMBER_NOR_FLAG: "neither a member nor under the US flag",
        NEITHER_OPTED_IN_NOR_STRONG: f"neither opted in nor {automatic}",
        NEITHER_MEMBER_NOR_STRONG: f"neither a member nor under the US flag with {automatic}",
    }[reason]


def start_foreign(
    section: Section, facts: Mapping[str, PlayerFacts], system: System, rules: RulesInForce
) -> tuple[Starters, GameColumns, list[Finding]]:
    """Return the players to update, followed in the columns by all opponents at their converted ratings.

    Opponents have no games of their own there, since their ratings are fixed. A player who is marked and not eligible
    keeps the rating; the findings name these players, and those who are updated without a mark.
    """
    findings: list[Finding] = []
    starters = Starters.of([], [])
    refused: set[str] = set()
    unmarked_at: dict[int, Place] = {}
    seats = Counter(entry.player for entry in section.entries)
    marked = {entry.player for entry in section.entries if entry.update}
    played = {entry.player for entry in section.entries if any(cell.rated for cell in entry.rounds)}
    for entry in section.entries:
        if entry.player in starters.places or entry.player in refused:
            continue
        unmarked = entry.player not in marked
        if unmarked and not (finds_unmarked(rules) and entry.player in played):
            continue
        player = facts[entry.player]
        reason = not_eligible_because(player, system, rules)
        place = Place(section=section.number, seats=(entry.seat,))
        if reason and unmarked:
            continue
        if reason:
            refused.add(entry.player)
            keep_rating(starters, facts, entry.player, system)
            findings.append(finding("fide-not-eligible", place, reason=reason))
            continue
        if unmarked:
            unmarked_at[len(starters.players)] = place
        rating = player.ratings[system]
        add_start(starters, float(rating.rating), games_of(rating.games), seats[entry.player], entry.player)
        starters.age[-1] = age_for_k(rules, birth_day_of(player), float(section.end.toordinal()))
    opponent_at: dict[str, int] = {}
    for name in seats:
        fide = facts[name].fide
        if fide is not None:
            opponent_at[name] = len(starters.rating)
            add_start(starters, opponent_rating(rules, section.youth, float(fide.rating)), 0.0)
    games = gather_foreign_games(section, starters, opponent_at, refused, findings)
    findings += [
        finding("fide-updated-unmarked", place)
        for at, place in unmarked_at.items()
        if games.first_game[at] < games.first_game[at + 1]
    ]
    return starters, games, findings


def keep_rating(starters: Starters, facts: Mapping[str, PlayerFacts], player: str, system: System) -> None:
    """Add a player who is not eligible, without games: a rating stays as it is; someone unrated does not appear."""
    rating = facts[player].ratings.get(system)
    if rating is not None:
        add_start(starters, float(rating.rating), games_of(rating.games), player=player)


def add_start(starters: Starters, rating: float, games: float, seats: int = 1, player: str = "") -> None:
    """Add a *player*, or an opponent, to the columns; a mixed record makes the formula the standard one."""
    if player:
        starters.places[player] = len(starters.players)
        starters.players.append(player)
    starters.rating.append(rating)
    starters.games.append(games)
    starters.age.append(NO_AGE)
    starters.newcomer.append(0)
    starters.record.append(MIXED)
    starters.several_seats.append(1 if seats > 1 else 0)
    starters.sources.append(RATED)


def gather_foreign_games(
    section: Section,
    starters: Starters,
    opponent_at: Mapping[str, int],
    refused: set[str],
    findings: list[Finding],
) -> GameColumns:
    """Return the games of the updated players against opponents who bring a FIDE rating; note the others."""
    keys = {entry.seat: entry.player for entry in section.entries}
    games_of_players: list[list[PlayedGame]] = [[] for _ in starters.rating]
    for entry in section.entries:
        at = starters.places.get(entry.player)
        if at is None or entry.player in refused:
            continue
        for number, cell in enumerate(entry.rounds, start=1):
            if cell.letter not in SCORES or cell.opponent is None:
                continue
            opponent = opponent_at.get(keys[cell.opponent])
            if opponent is not None:
                games_of_players[at].append((number, SCORES[cell.letter], opponent, cell.opponent))
                continue
            findings.append(
                finding(
                    "opponent-without-fide-rating",
                    Place(section=section.number, seats=(entry.seat,), round=number),
                    opponent=cell.opponent,
                )
            )
    return game_columns(sorted(own) for own in games_of_players)
