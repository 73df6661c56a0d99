"""Foreign FIDE events: who is updated, and against which converted ratings.

One pass of the standard formula, with bonus, of OTB Regular ratings only. Opponents without a FIDE rating are dropped
before the games are counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.model import SCORES, PlayerFacts, Section, System
from ratebook.problems import Problem, note, warning
from ratebook.rating.formulas import converted_fide, converted_fide_youth
from ratebook.rating.gather import GameColumns, Starters, as_rated, games_of
from ratebook.rating.initial import RATED
from ratebook.rating.special import MIXED
from ratebook.rules.in_force import ESTABLISHED_MEMBER, RulesInForce

if TYPE_CHECKING:
    from collections.abc import Mapping


def not_eligible_because(facts: PlayerFacts, system: System, rules: RulesInForce) -> str:
    """Return why a player's rating is not updated for foreign FIDE events; an empty text where it is.

    2015 editions: US flag or member, automatic from FIDE 2200, others by opt-in; since 2025: members with an
    established OTB Regular rating, automatic with US flag and FIDE 2200 or more, others by opt-in.

    Source: J15, N15 and D25 section 6; RULINGS, foreign FIDE events; CHECKLIST M2 and Q32.
    """
    rating = as_rated(facts.ratings.get(system))
    if rating is None or games_of(rating.games) <= rules.foreign_games_above:
        return f"a {system} rating on more than {rules.foreign_games_above:g} games is needed"
    strong = facts.fide is not None and facts.fide.rating >= rules.foreign_automatic_rating
    if rules.foreign_eligibility == ESTABLISHED_MEMBER:
        if not facts.us_member:
            return "only members are updated"
        if games_of(rating.games) <= rules.established_above_games:
            return f"an established {system} rating is needed"
        if not (facts.fide_opt_in or (strong and facts.usa_flag)):
            return f"neither opted in nor a US flag with FIDE {rules.foreign_automatic_rating:g} or more"
        return ""
    if not (facts.us_member or facts.usa_flag):
        return "neither a member nor under the US flag"
    if not (facts.fide_opt_in or strong):
        return f"neither opted in nor FIDE {rules.foreign_automatic_rating:g} or more"
    return ""


def start_foreign(
    section: Section, facts: Mapping[str, PlayerFacts], system: System, rules: RulesInForce
) -> tuple[Starters, GameColumns, list[Problem]]:
    """Return the players to update, followed in the columns by all opponents at their converted ratings.

    An opponent stands there without games of his own: his rating is fixed. Players who are not eligible keep what they
    have and are named in the problems.
    """
    problems: list[Problem] = []
    starters = Starters([], {}, [], [], [], [], [], [], None)
    updated = []
    for entry in section.entries:
        if not entry.update or entry.player in starters.places:
            continue
        player = facts[entry.player]
        reason = not_eligible_because(player, system, rules)
        if reason:
            problems.append(
                warning(
                    "fide-not-eligible",
                    f"section {section.number}, seat {entry.seat}",
                    f"The rating is not updated for this foreign event: {reason}.",
                    'Correct the membership, flag, opt-in or rating of the player, or take "update" out.',
                )
            )
            continue
        rating = player.ratings[system]
        starters.places[entry.player] = len(starters.players)
        starters.players.append(entry.player)
        starters.rating.append(float(rating.rating))
        starters.games.append(games_of(rating.games))
        starters.newcomer.append(0)
        starters.record.append(MIXED)
        starters.several_seats.append(0)
        starters.sources.append(RATED)
        updated.append(entry)
    opponent_at: dict[int, int] = {}
    for entry in section.entries:
        fide = facts[entry.player].fide
        if fide is not None:
            opponent_at[entry.seat] = len(starters.rating)
            convert = converted_fide_youth if section.youth else converted_fide
            starters.rating.append(convert(rules, float(fide.rating)))
            starters.games.append(0.0)
            starters.newcomer.append(0)
            starters.record.append(MIXED)
            starters.several_seats.append(0)
            starters.sources.append(RATED)
    games = GameColumns([0], [], [], [], [])
    for entry in updated:
        for number, cell in enumerate(entry.rounds, start=1):
            if cell.letter not in SCORES or cell.opponent is None:
                continue
            if cell.opponent not in opponent_at:
                problems.append(
                    note(
                        "opponent-without-fide-rating",
                        f"section {section.number}, seat {entry.seat}, round {number}",
                        f"Seat {cell.opponent} brings no FIDE rating; the game is left out.",
                        "Give the opponent's FIDE rating if there is one.",
                    )
                )
                continue
            games.opponent.append(opponent_at[cell.opponent])
            games.score.append(SCORES[cell.letter])
            games.rounds.append(number)
            games.seats.append(cell.opponent)
        games.first_game.append(len(games.opponent))
    games.first_game.extend([len(games.opponent)] * (len(starters.rating) - len(starters.players)))
    return starters, games, problems
