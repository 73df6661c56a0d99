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
from ratebook.cli.options import FiniteRange, on_option
from ratebook.cli.output import number_text
from ratebook.cli.show import fail, json_option, show
from ratebook.findings import finding
from ratebook.model import System
from ratebook.rating.formulas import converted_cfc, converted_fide, converted_fide_youth, rounded
from ratebook.rules.rulebook import RuleNotKnown, load_rulebook

FOREIGN = FiniteRange(100, 3500)


@command("convert-rating", on_option, json_option)
@click.option("--fide", type=FOREIGN, metavar="RATING", help="A FIDE rating.")
@click.option("--cfc", type=FOREIGN, metavar="RATING", help="A CFC (Canadian) rating.")
@click.option(
    "--youth", is_flag=True, help="The conversion of opponents in foreign youth events (FIDE only)."
)
@click.option(
    "--edition", type=click.Choice(["1995"]), help="The tables of the 1995 report instead of the timeline."
)
def convert_rating_command(
    fide: float | None,
    cfc: float | None,
    edition: str | None,
    on: date | None,
    *,
    youth: bool,
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
    if edition:
        lines = converted_by_tables(fide, cfc)
    else:
        lines = converted_by_timeline(fide, cfc, on or date.today(), youth=youth)  # noqa: DTZ011 - a calendar day where the user is
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
    lines: list[Line] = []
    try:
        rules = rulebook.in_force(System.REGULAR, day)
    except RuleNotKnown as unknown:
        fail([finding("rules-not-known.converted-by-timeline", "--on", unknown=str(unknown))])
    cases = (
        (
            "FIDE",
            fide,
            converted_fide_youth if youth else converted_fide,
            "fide_youth_conversion" if youth else "fide_conversion",
        ),
        ("CFC", cfc, converted_cfc, "cfc_conversion"),
    )
    for name, foreign, convert, rule in cases:
        if foreign is not None:
            rating = convert(rules, foreign)
            dated = rulebook.value(rule, System.REGULAR, day)
            by = f"{rule} since {dated.since}, {dated.document}, {dated.where}, {dated.status}"
            lines.append(
                {"from": name, "foreign": foreign, "rating": rating, "displayed": rounded(rating), "by": by}
            )
    return lines


def converted_by_tables(fide: float | None, cfc: float | None) -> list[Line]:
    """Return the conversions by the tables of the 1995 report; with both ratings, CFC goes before FIDE."""
    lines: list[Line] = []
    by = "1995 report, section 1; counts as provisional on 10 games"
    try:
        given = [(ForeignFederation.CFC, cfc), (ForeignFederation.FIDE, fide)]
        for federation, foreign in given:
            if foreign is not None:
                converted = convert_rating(federation, foreign)
                lines.append(
                    {
                        "from": federation.value.upper(),
                        "foreign": foreign,
                        "rating": converted.unrounded,
                        "displayed": converted.rating,
                        "by": by,
                    }
                )
        if fide is not None and cfc is not None:
            assigned = assign_rating(cfc=cfc, fide=fide)
            lines[0]["by"] = f"{by}; the {assigned.federation.value.upper()} rating goes first"
    except RatingOutOfRangeError as outside:
        fail(
            [
                finding(
                    "rating-outside-table",
                    f"--{outside.federation.value}",
                    outside=str(outside),
                    lowest=outside.lowest,
                    highest=outside.highest,
                )
            ]
        )
    return lines
