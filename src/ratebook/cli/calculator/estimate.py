"""The command that estimates a new rating from a few results, by the timeline or by an older edition."""

import math
from collections.abc import Iterable, Iterator
from datetime import date

import click

from ratebook.calculators import approx2001
from ratebook.calculators.conversion1995 import RatingOutOfRangeError
from ratebook.calculators.editions import RECORDS, OlderOptions, Situation, by_1995, by_2001, by_timeline
from ratebook.cli.calculator.convert_rating import outside_table
from ratebook.cli.calculator.editions import (
    RESULT,
    older_options,
    parsed_result,
    refuse_what_does_not_go_together,
    with_converted_opponents,
)
from ratebook.cli.command import bundled, command
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
@click.option(
    "--rating",
    "before",
    type=printed_rating,
    metavar="RATING",
    help="Rating before, such as 1500 or 1500P12 (from 100 to 3500); leave it out for an unrated player.",
)
@click.option(
    "--games", type=FiniteRange(0, 100_000), help="N, the games that it is based on (default: established)."
)
@click.option("--age", type=FiniteRange(0, 120), help="Age in years (unrated players; scholastic K of 1995).")
@default_option(
    "--record",
    type=click.Choice(list(RECORDS)),
    default="mixed",
    help="Results of all games so far: wins only, losses only, or mixed.",
)
@flag_option("--half-k", help="Rate at half K (before March 2006).")
@click.option(
    "--time-control", metavar="TEXT", help='Time control, which decides the systems, e.g. "G/60;d5".'
)
@click.option(
    "--peak", type=FiniteRange(100, 3500), help="The highest established rating so far, for its floor."
)
@bundled("older", OlderOptions, *older_options)
@click.option("--system", type=SYSTEM, help="Rating system (default: by the time control, or regular).")
def estimate_command(
    results: tuple[str, ...],
    before: WrittenRating | None,
    games: float | None,
    age: float | None,
    record: str,
    time_control: str | None,
    peak: float | None,
    older: OlderOptions,
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
    WFIDE2440 or WCFC1970 is an unrated opponent with a foreign rating; --opponents says by which rule it counts.
    WUNR is an unrated opponent, WUNR@10 one who is 10 years old: each counts as the special formula rates a newcomer
    for the games given. A section rated together can differ by more, as it rates the newcomers twice.

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
    situation = Situation(
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
            figures = by_1995(situation, opponents, older) | converted
        elif older.edition == "2001":
            figures = by_2001(situation, opponents, older.bonus)
        else:
            rulebook = rulebook_with(settings, None)
            day = on or today()
            with rules_known():
                estimated = by_timeline(situation, opponents, rulebook, day, system, time_control)
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
