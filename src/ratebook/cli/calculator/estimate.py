"""The command that estimates a new rating from a few results, by the timeline or by an older edition."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

import click

from ratebook.calculators import approx2001, editions
from ratebook.calculators.arithmetic import UNRATED, Game
from ratebook.calculators.conversion1995 import (
    ForeignFederation,
    OpponentRule,
    RatingOutOfRangeError,
    convert_opponent,
)
from ratebook.cli.calculator.convert_rating import TIMELINE, outside_table, refuse_unread_options
from ratebook.cli.command import bundled, command, option
from ratebook.cli.options import (
    SYSTEM,
    FiniteRange,
    default_option,
    flag_option,
    on_option,
    rulebook_with,
    rules_known,
    set_option,
    today,
)
from ratebook.cli.show import fail, fail_with, json_option, show
from ratebook.findings import Place
from ratebook.formats.reading.sheets.figures import WrittenRating
from ratebook.model import SCORES, System
from ratebook.pages.estimate import NEWCOMER_WORDS, figure_text, short_answer
from ratebook.titles.classes import rating_class

RESULT = re.compile(
    r"(W(?:[IO]N)?|D(?:RAW|REW)?|L(?:OSS|OST)?)(?: ?(?:to|vs|against|with))? ?"
    r"(?:(?:UNR|NEW)|(FIDE|CFC)?(\d{3,4}(?:\.\d{1,6})?)(?:P\d{1,2})?)(?:#([\w.-]{1,30}))?(?:@(\d{1,3}))?",
    re.ASCII | re.IGNORECASE,
)


class GivenResult(NamedTuple):
    """A result as it was typed: the game, and whose rating the opponent's is where not a US one."""

    game: Game
    foreign: ForeignFederation | None


def parsed_result(text: str) -> GivenResult:
    """Return the result that *text* says.

    W1400, win 1400, W1400P5 (as printed; the games do not count here), L1600#anna (the same opponent), D1550@10 (the
    opponent's age), WFIDE2440 (a foreign rating), WUNR@10 (an unrated opponent).

    >>> parsed_result("W1400#x").game
    Game(opponent_rating=1400.0, score=1.0, opponent='x', opponent_age=None)
    """
    match = RESULT.fullmatch(text)
    if match is None:
        raise click.BadParameter(
            f"{text!r}: write W, D or L and the opponent's rating, e.g. W1400, or WUNR.", param_hint="RESULT"
        )
    result, federation, rating, opponent, age = match.groups()
    points = UNRATED if rating is None else float(rating)
    game = Game(points, SCORES[result[0].upper()], opponent, None if age is None else int(age))
    return GivenResult(game, None if federation is None else ForeignFederation(federation.lower()))


older_options = (
    option("--edition", "An older calculator instead of the timeline.", click.Choice(["1995", "2001"])),
    default_option("--bonus", "Bonus of edition 2001.", click.Choice(["10", "16"]), default="10"),
    flag_option("--prison", "A prison membership (edition 1995): the floor is 200 lower."),
    option("--fide", "FIDE rating of an unrated player (edition 1995).", FiniteRange(100, 3500)),
    option("--cfc", "CFC rating of an unrated player (edition 1995).", FiniteRange(100, 3500)),
    option(
        "--opponents",
        "The rule for unrated opponents with a foreign rating, e.g. WFIDE2440 (default: 1995).",
        click.Choice([rule.value for rule in OpponentRule]),
    ),
)


READERS: Mapping[str, tuple[str, ...]] = {
    "on": (TIMELINE,),
    "settings": (TIMELINE,),
    "system": (TIMELINE,),
    "time_control": (TIMELINE,),
    "record": (TIMELINE,),
    "half_k": (TIMELINE, "2001"),
    "age": (TIMELINE, "1995"),
    "bonus": ("2001",),
    "prison": ("1995",),
    "fide": ("1995",),
    "cfc": ("1995",),
    "opponents": ("1995",),
}
"""Which calculators read an option of ``estimate``; one that is not here is read by all."""


def refuse_what_does_not_go_together(
    situation: editions.Situation, older: editions.OlderOptions, results: list[GivenResult]
) -> None:
    """End with a usage error where options contradict each other."""
    foreign = older.fide is not None or older.cfc is not None
    refuse_unread_options(older.edition, READERS)
    if older.edition != "1995" and any(result.foreign for result in results):
        raise click.UsageError("Results such as WFIDE2440 go with --edition 1995.")
    if older.edition is not None and any(result.game.is_newcomer for result in results):
        raise click.UsageError("Results such as WUNR go with the timeline: older editions need a rating.")
    if foreign and situation.rating is not None:
        raise click.UsageError("--fide and --cfc are for a player without --rating.")
    if older.prison and situation.peak is None:
        raise click.UsageError("--prison goes with --peak, the highest rating.")


def with_converted_opponents(
    results: list[GivenResult], situation: editions.Situation, older: editions.OlderOptions
) -> tuple[list[Game], dict[str, Any]]:
    """Return the games against opponents on the US scale, and what was converted; status 1 where none may be."""
    rule = OpponentRule(older.opponents or OpponentRule.OF_1995)
    rated = situation.rating is not None
    games, converted = [], []
    for game, federation in results:
        if federation is None:
            games.append(game)
            continue
        opponent = convert_opponent(federation, game.opponent_rating, player_rated=rated, rule=rule)
        if opponent is None:
            fail_with(
                "opponent-unrated",
                Place(subject=f"{federation.upper()} {game.opponent_rating:g}"),
                federation=federation.upper(),
                rating=f"{game.opponent_rating:g}",
            )
        games.append(game._replace(opponent_rating=float(opponent.rating)))
        converted.append(editions.foreign_text(opponent))
    return games, {"converted_opponents": converted} if converted else {}


NEWCOMER = frozenset({"unr", "unrated"})
"""What a player without a rating is called where the rating would be."""


def printed_rating(text: str) -> WrittenRating:
    """Return a rating as crosstables print it, such as 1500, 1500P12 or 1500/12, or end with a usage error."""
    points, _, games = text.upper().replace("/", "P").partition("P")
    if games and not (games.isascii() and games.isdecimal()):
        points = text
    rating = FiniteRange(100, 3500).convert(points, None, click.get_current_context(silent=True))
    return WrittenRating(rating, float(games) if games else None)


@command("estimate", on_option, set_option, json_option)
@click.argument("results", nargs=-1, metavar="[RATING] RESULT...")
@option(
    "--rating RATING",
    "Rating before, such as 1500 or 1500P12 (from 100 to 3500); leave it out for an unrated player.",
    printed_rating,
    name="before",
)
@option("--games", "N, the games that it is based on (default: established).", FiniteRange(0, 100_000))
@option("--age", "Age in years (unrated players; scholastic K of 1995).", FiniteRange(0, 120))
@default_option(
    "--record",
    "Results of all games so far: wins only, losses only, or mixed.",
    click.Choice(list(editions.RECORDS)),
    default="mixed",
)
@flag_option("--half-k", "Rate at half K (before March 2006).")
@option("--time-control TEXT", 'Time control, which decides the systems, e.g. "G/60;d5".')
@option("--peak", "The highest established rating so far, for its floor.", FiniteRange(100, 3500))
@bundled("older", editions.OlderOptions, *older_options)
@option("--system", "Rating system (default: by the time control, or regular).", SYSTEM)
def estimate_command(
    results: tuple[str, ...],
    before: WrittenRating | None,
    games: float | None,
    age: float | None,
    record: str,
    time_control: str | None,
    peak: float | None,
    older: editions.OlderOptions,
    system: System | None,
    on: date | None,
    settings: tuple[str, ...],
    *,
    half_k: bool,
) -> None:
    """Estimate a new rating: RATING is the one before, and RESULT is W, D or L and the opponent's rating.

    Leave RATING out, or write UNR, for an unrated player, and give --age if it is known.

    The opponents' ratings stay fixed, so a published rating can differ a little. Mark games against the same opponent
    with #NAME (W1400#a D1400#a). For the edition of 1995, @AGE gives an opponent's age for the scholastic K, and
    WFIDE2440 or WCFC1970 is an unrated opponent with a foreign rating; --opponents says which rule applies to
    it. WUNR is an unrated opponent, WUNR@10 one who is 10 years old: each counts as the special formula rates
    a newcomer for the games given. A section rated together can differ by more, as it rates the newcomers
    twice.

    Examples:
      ratebook estimate 1755 W1987 L1600
      ratebook estimate --rating 1500 --games 30 W1400 L1600 D1550
      ratebook estimate --rating 1500 W1400 LUNR WUNR@10
      ratebook estimate UNR --age 9.5 W600 L900 W750 --time-control "G/30;d5"
      ratebook estimate --rating 1300 --games 45 W1250 W1400 W1500 D1550 --edition 2001
      ratebook estimate --rating 700 --age 10 W600 W750@9 W900 L1000 --edition 1995
      ratebook estimate --fide 2440 W2400 D2450 L2500 --edition 1995
      ratebook estimate --rating 1720 --peak 1941 L1500 L1600 --edition 2001
    """
    before, results = with_rating_first(before, results)
    typed = [parsed_result(text) for text in results]
    rating, games = rating_and_games(before, games)
    situation = editions.Situation(
        rating=rating,
        games=math.inf if games is None else games,
        age=age,
        record=record,
        half_k=half_k,
        peak=peak,
    )
    refuse_what_does_not_go_together(situation, older, typed)
    if peak is not None and rating is None:
        raise click.UsageError("--peak goes with --rating: an unrated player has no highest rating.")
    if peak is not None and rating is not None and peak < rating:
        raise click.UsageError("--peak is the highest rating so far, so it cannot be below --rating.")
    try:
        opponents, converted = with_converted_opponents(typed, situation, older)
        if older.edition == "1995":
            figures = editions.by_1995(situation, opponents, older) | converted
        elif older.edition == "2001":
            figures = editions.by_2001(situation, opponents, older.bonus)
        else:
            rulebook = rulebook_with(settings, None)
            day = on or today()
            with rules_known():
                estimated = editions.by_timeline(situation, opponents, rulebook, day, system, time_control)
            if isinstance(estimated, list):
                fail([problem.at(option=f"--{problem.place.input}", input="") for problem in estimated])
            figures = estimated
    except RatingOutOfRangeError as outside:
        outside_table(outside)
    except (ArithmeticError, ValueError) as failure:
        fail_with("value-wrong.estimate", Place(subject="estimate"), failure=str(failure))
    faced = figures.get("opponents faced at", [game.opponent_rating for game in opponents])
    performance = approx2001.performance_rating(faced, [game.score for game in opponents])
    figures["class"] = rating_class(figures["rating after" if older.edition is None else "rating_after"]).name
    figures["performance rating"] = performance
    width = max(len(name) for name in figures)
    shown = [f"{name.ljust(width)}  {figure_text(name, value)}" for name, value in figures.items()]
    if older.edition is None:
        shown.insert(0, short_answer(figures, len(typed), rated=rating is not None))
    if "opponents faced at" in figures:
        shown.append(NEWCOMER_WORDS)
    content = {name.replace(" ", "_"): value for name, value in figures.items()}
    show("estimate", content, *shown, findings=None)


def with_rating_first(
    before: WrittenRating | None, results: tuple[str, ...]
) -> tuple[WrittenRating | None, tuple[str, ...]]:
    """Return the rating before (or UNR), which may be the first of what was typed, and the results."""
    first = results[0] if results else ""
    is_newcomer = first.casefold() in NEWCOMER
    if is_newcomer or (first[:1].isdecimal() and first[-1].upper() not in SCORES):
        if before is not None:
            raise click.UsageError(f"The rating before is given twice: leave out {first}, or --rating.")
        if not is_newcomer:
            before = printed_rating(first)
        results = results[1:]
    if not results:
        raise click.UsageError(
            "Give the results: W, D or L and the opponent's rating, as in ratebook estimate 1755 W1987 L1600."
        )
    return before, tuple(_results_of(results))


def _results_of(words: Iterable[str]) -> Iterator[str]:
    """Yield the results in *words*, of which some belong together: lost to 1500."""
    begun: list[str] = []
    for word in words:
        begun.append(word)
        if not word.isalpha() or RESULT.fullmatch(" ".join(begun)):
            yield " ".join(begun)
            begun = []
    if begun:
        yield " ".join(begun)


def rating_and_games(before: WrittenRating | None, games: float | None) -> tuple[float | None, float | None]:
    """Return the rating before and its games (None: established), which may be said with the rating."""
    if before is None:
        if games:
            raise click.UsageError("--games goes with --rating; an unrated player has none.")
        return None, 0.0
    if before.games is None:
        return before.points, games
    if games is not None:
        raise click.UsageError(
            "The number of games is given twice: leave out --games, or the P of the rating."
        )
    return before
