"""The command that converts a foreign rating."""

from collections.abc import Mapping
from datetime import date
from typing import NoReturn

import click
from click.core import ParameterSource

from ratebook.calculators.conversion1995 import ForeignFederation, RatingOutOfRangeError, convert_rating
from ratebook.cli.command import command, option
from ratebook.cli.options import FiniteRange, flag_option, on_option, rules_known, system_option, today
from ratebook.cli.show import fail_with, json_option, show
from ratebook.findings import Place
from ratebook.model import System
from ratebook.pages.columns import counted, number_text
from ratebook.rating.formulas import converted_cfc, converted_fide, converted_fide_youth, rounded
from ratebook.rating.step1 import FROM_CFC, FROM_FIDE, game_factor
from ratebook.rules.in_force import BLEND, RulesInForce
from ratebook.rules.rulebook import load_rulebook

FOREIGN = FiniteRange(100, 3500)
TIMELINE = "the timeline"


def refuse_unread_options(edition: str | None, readers_of: Mapping[str, tuple[str, ...]]) -> None:
    """End with a usage error that names an option which the calculator of *edition* (None: the timeline) ignores."""
    context = click.get_current_context()
    for param in context.command.params:
        readers = readers_of.get(param.name or "", ())
        was_given = context.get_parameter_source(param.name or "") is ParameterSource.COMMANDLINE
        if was_given and readers and (edition or TIMELINE) not in readers:
            named = " or ".join(reader if reader == TIMELINE else f"--edition {reader}" for reader in readers)
            raise click.UsageError(f"{param.opts[0]} goes with {named}.")


@command("convert-rating", on_option, system_option, json_option)
@option("--fide RATING", "A FIDE rating.", FOREIGN)
@option("--cfc RATING", "A CFC (Canadian) rating.", FOREIGN)
@flag_option("--youth", "Use the conversion for opponents in foreign youth events (FIDE only).")
@option("--edition", "Use the tables of the 1995 report instead of the timeline.", click.Choice(["1995"]))
def convert_rating_command(
    fide: float | None,
    cfc: float | None,
    edition: str | None,
    on: date | None,
    system: System,
    *,
    youth: bool,
) -> None:
    """Convert a FIDE or CFC rating to the US scale by the rules of a day, or by the tables of 1995.

    The answer also says how many games the rating counts for if the player is a newcomer in the system.

    Examples:
      ratebook convert-rating --fide 2100 --on 2026-01-01
      ratebook convert-rating --cfc 1800
      ratebook convert-rating --fide 1900 --youth
      ratebook convert-rating --cfc 1970 --edition 1995
    """
    if fide is None and cfc is None:
        raise click.UsageError("Give --fide or --cfc.")
    if youth and (fide is None or edition):
        raise click.UsageError("--youth goes with --fide and the timeline.")
    refuse_unread_options(edition, {"on": (TIMELINE,), "system": (TIMELINE,)})
    day = on or today()
    lines = (
        converted_by_tables(fide, cfc)
        if edition
        else converted_by_timeline(fide, cfc, day, system, youth=youth)
    )
    shown = (
        f"{line['from']} {number_text(line['foreign'])} -> {number_text(line['rating'])}"
        f" (displayed {number_text(line['displayed'])}; {line['by']})"
        for line in lines
    )
    show("conversion", {"conversions": lines}, *shown, findings=None)


Line = dict[str, float | str | None]


def converted_by_timeline(
    fide: float | None, cfc: float | None, day: date, system: System, *, youth: bool
) -> list[Line]:
    """Return the conversions by the rules of *day*."""
    rulebook = load_rulebook()
    with rules_known():
        rules = rulebook.in_force(system, day)
    of_fide = (
        (converted_fide_youth, "fide_youth_conversion") if youth else (converted_fide, "fide_conversion")
    )
    lines: list[Line] = []
    for name, foreign, source, (convert, rule) in (
        ("FIDE", fide, FROM_FIDE, of_fide),
        ("CFC", cfc, FROM_CFC, (converted_cfc, "cfc_conversion")),
    ):
        if foreign is not None:
            rating = convert(rules, foreign)
            dated = rulebook.value(rule, system, day)
            by = f"{rule} since {dated.since}, {dated.document}, {dated.where}, {dated.status}"
            games = None if youth else game_factor(rules, source, foreign, 0.0)
            lines.append(_line(name, foreign, rating, games, f"{by}; {_counts_as(rules, games)}"))
    return lines


def _counts_as(rules: RulesInForce, games: float | None) -> str:
    """Return what a converted rating is worth in Step 1, in words."""
    if games is None:
        return "for opponents in youth events only, with no games of its own"
    number = counted(int(games), "game")
    blended = rules.initial_method == BLEND
    return f"counts as at most {number} in the blend" if blended else f"counts as {number}"


def _line(name: str, foreign: float, rating: float, games: float | None, by: str) -> Line:
    return {
        "from": name,
        "foreign": foreign,
        "rating": rating,
        "displayed": rounded(rating),
        "games": games,
        "by": by,
    }


def converted_by_tables(fide: float | None, cfc: float | None) -> list[Line]:
    """Return the conversions by the tables of the 1995 report; with both ratings, CFC goes before FIDE."""
    lines: list[Line] = []
    used = "counts as provisional on 10 games"
    try:
        for federation, foreign in ((ForeignFederation.CFC, cfc), (ForeignFederation.FIDE, fide)):
            if foreign is None:
                continue
            rating = convert_rating(federation, foreign)
            beside = bool(lines)
            by = f"1995 report, section 1; {'not used beside a CFC rating' if beside else used}"
            games = None if beside else rating.games
            lines.append(_line(federation.value.upper(), foreign, rating.unrounded, games, by))
    except RatingOutOfRangeError as outside:
        outside_table(outside)
    return lines


def outside_table(outside: RatingOutOfRangeError) -> NoReturn:
    """End with a finding: the tables of 1995 do not go so far."""
    fail_with(
        "rating-outside-table",
        Place(option=f"--{outside.federation.value}"),
        outside=str(outside),
        lowest=outside.lowest,
        highest=outside.highest,
    )
