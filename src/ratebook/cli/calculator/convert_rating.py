"""The command that converts a foreign rating."""

from datetime import date

import click

from ratebook.calculators.conversion1995 import (
    ForeignFederation,
    RatingOutOfRangeError,
    assign_rating,
    convert_rating,
)
from ratebook.cli.command import command
from ratebook.cli.options import FiniteRange, flag_option, on_option, rules_known, today
from ratebook.cli.output import number_text
from ratebook.cli.show import fail_with, json_option, show
from ratebook.model import System
from ratebook.rating.formulas import converted_cfc, converted_fide, converted_fide_youth, rounded
from ratebook.rules.rulebook import load_rulebook

FOREIGN = FiniteRange(100, 3500)


@command("convert-rating", on_option, json_option)
@click.option("--fide", type=FOREIGN, metavar="RATING", help="A FIDE rating.")
@click.option("--cfc", type=FOREIGN, metavar="RATING", help="A CFC (Canadian) rating.")
@flag_option("--youth", help="Use the conversion for opponents in foreign youth events (FIDE only).")
@click.option(
    "--edition",
    type=click.Choice(["1995"]),
    help="Use the tables of the 1995 report instead of the timeline.",
)
def convert_rating_command(
    fide: float | None, cfc: float | None, edition: str | None, on: date | None, *, youth: bool
) -> None:
    """Convert a FIDE or CFC rating to the US scale by the rules of a day, or by the tables of 1995.

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
    day = on or today()
    lines = converted_by_tables(fide, cfc) if edition else converted_by_timeline(fide, cfc, day, youth=youth)
    shown = (
        f"{line['from']} {number_text(line['foreign'])} -> {number_text(line['rating'])}"
        f" (displayed {number_text(line['displayed'])}; {line['by']})"
        for line in lines
    )
    show("conversion", {"conversions": lines}, *shown, findings=None)


Line = dict[str, float | str]


def converted_by_timeline(fide: float | None, cfc: float | None, day: date, *, youth: bool) -> list[Line]:
    """Return the conversions by the rules of *day*."""
    rulebook = load_rulebook()
    with rules_known():
        rules = rulebook.in_force(System.REGULAR, day)
    of_fide = (
        (converted_fide_youth, "fide_youth_conversion") if youth else (converted_fide, "fide_conversion")
    )
    lines: list[Line] = []
    for name, foreign, (convert, rule) in (
        ("FIDE", fide, of_fide),
        ("CFC", cfc, (converted_cfc, "cfc_conversion")),
    ):
        if foreign is not None:
            rating = convert(rules, foreign)
            dated = rulebook.value(rule, System.REGULAR, day)
            by = f"{rule} since {dated.since}, {dated.document}, {dated.where}, {dated.status}"
            lines.append(_line(name, foreign, rating, rounded(rating), by))
    return lines


def _line(name: str, foreign: float, rating: float, displayed: float, by: str) -> Line:
    return {"from": name, "foreign": foreign, "rating": rating, "displayed": displayed, "by": by}


def converted_by_tables(fide: float | None, cfc: float | None) -> list[Line]:
    """Return the conversions by the tables of the 1995 report; with both ratings, CFC goes before FIDE."""
    lines: list[Line] = []
    by = "1995 report, section 1; counts as provisional on 10 games"
    try:
        for federation, foreign in ((ForeignFederation.CFC, cfc), (ForeignFederation.FIDE, fide)):
            if foreign is not None:
                rating = convert_rating(federation, foreign)
                lines.append(_line(federation.value.upper(), foreign, rating.unrounded, rating.rating, by))
        if fide is not None and cfc is not None:
            assigned = assign_rating(cfc=cfc, fide=fide)
            lines[0]["by"] = f"{by}; the {assigned.federation.value.upper()} rating goes first"
    except RatingOutOfRangeError as outside:
        fail_with(
            "rating-outside-table",
            f"--{outside.federation.value}",
            outside=str(outside),
            lowest=outside.lowest,
            highest=outside.highest,
        )
    return lines
