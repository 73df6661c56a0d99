"""The commands about rules: what is in force, how a rule changed, what differs between two days, a league's own."""

from datetime import date
from pathlib import Path
from shlex import quote

import click

from ratebook.cli.command import command, option
from ratebook.cli.options import (
    DAY,
    PATH,
    flag_option,
    on_option,
    overlay_option,
    rulebook_with,
    rules_known,
    set_option,
    split_setting,
    system_option,
    systems_option,
    today,
)
from ratebook.cli.output_files import write_or_fail
from ratebook.cli.show import fail_with, json_option, show, table
from ratebook.findings import Place
from ratebook.model import System
from ratebook.pages import rules
from ratebook.pages.columns import Column, Columns, counted
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.rules.league import LeagueRules, league_rules_text
from ratebook.rules.rulebook import RulebookError, check_overlay, fingerprint
from ratebook.rules.timeline import DatedValue


@click.group("rules")
def rules_group() -> None:
    """Show the dated rules, with their sources and whether a document states them; write those of a league."""


@command("show", on_option, system_option, set_option, overlay_option, json_option, within=rules_group)
def show_command(on: date | None, system: System, settings: tuple[str, ...], overlay: str | None) -> None:
    """Show every rule value in force on a day by theme, with source and status.

    Examples:
      ratebook rules show --on 2016-02-01
      ratebook rules show --system online-blitz --json
    """
    day = on or today()
    rulebook = rulebook_with(settings, overlay)
    with rules_known():
        digest = fingerprint(rulebook.in_force(system, day))
        lines = rules.rules_of_day(rulebook, system, day)
        themes = rules.rules_by_theme(rulebook, system, day, lines)
    content = {"on": day, "system": system, "fingerprint": digest, "rules": lines}
    tables = [
        table(theme.title, rules.RULES, [field for rule in theme.rules for field in rule.fields])
        for theme in themes
    ]
    title = f"Rules of {SYSTEM_TITLES[system]} on {day}, fingerprint {digest}"
    about = "What a rule does: ratebook rules history RULE"
    show("rules", content, title, about, *tables, findings=None)


def value_as_json(value: DatedValue) -> dict[str, object]:
    """Return where a dated value comes from as JSON."""
    return {
        "since": value.since.isoformat(),
        "status": value.status,
        "document": value.document,
        "where": value.where,
        "note": value.note,
    }


HISTORY: Columns[DatedValue] = (
    Column("Since", "since"),
    Column("Systems", "systems", format=rules.systems_text),
    Column("Value", "value", format=rules.value_text),
    Column("Status", "status"),
    Column("Source", rules.source_text),
    Column("Note", "note"),
)


@command("history", json_option, within=rules_group)
@click.argument("rule")
def history(rule: str) -> None:
    """Show all dated values of RULE (a rule, or one field of it), with their sources.

    Examples:
      ratebook rules history bonus_multiplier
      ratebook rules history peak_floor --json
    """
    rulebook = rulebook_with((), None)
    try:
        declared = rulebook.rules[rule if rule in rulebook.rules else rulebook.rule_of_field(rule)]
    except RulebookError as unknown:
        fail_with("rule-unknown", Place(subject=rule), unknown=str(unknown))
    values = [
        {"systems": value.systems, "is": value.value, **value_as_json(value)} for value in declared.values
    ]
    content = {"rule": declared.name, "what": declared.what, "unit": declared.unit, "values": values}
    title = f"{declared.name} ({declared.unit}): {declared.what}"
    show("rule-history", content, table(title, HISTORY, declared.values), findings=None)


@command("diff", json_option, within=rules_group)
@click.argument("date1", type=DAY)
@click.argument("date2", type=DAY)
@systems_option
def diff(date1: date, date2: date, systems: tuple[System, ...]) -> None:
    """Show the rule values that differ between DATE1 and DATE2.

    Examples:
      ratebook rules diff 2014-01-01 2026-01-01
      ratebook rules diff 2016-02-01 2017-07-01 --system regular --json
    """
    rulebook = rulebook_with((), None)
    with rules_known():
        differing = rules.rules_between(rulebook, date1, date2, systems or System)
    differences = [
        {"system": value.system, "rule": value.field, "first": value.first, "second": value.second}
        for value in differing
    ]
    title = f"{counted(len(differing), 'value differs', 'values differ')} between {date1} and {date2}"
    content = {"first": date1, "second": date2, "differences": differences}
    show(
        "rules-diff", content, table(title, rules.difference_columns(date1, date2), differing), findings=None
    )


@command("new", set_option, flag_option("--force", "Replace the file if it exists."), within=rules_group)
@click.argument("out", type=PATH, metavar="FILE.toml")
@option("--from", "First day of the rules; if not given, you are asked.", DAY, name="since")
@option(
    "--k STEPS",
    "K, such as 32, or steps, where the first that fits applies: 40:games-below-30 40:age-below-18 20.",
    name="steps",
)
@option("--first-rating POINTS", "First rating of everyone (default: as US Chess computes it).")
@option("--bonus B", "Bonus multiplier (default: no bonus).", default="off")
@option("--floor POINTS", "Lowest rating (default: 0).", default="0")
@option("--one-system NAME", "Rate all time controls in one system with this name.")
def new_command(
    out: Path,
    since: date | None,
    steps: str | None,
    first_rating: str | None,
    bonus: str,
    floor: str,
    one_system: str | None,
    settings: tuple[str, ...],
    *,
    force: bool,
) -> None:
    """Write the rules of a league that is not US Chess to FILE.toml, check them, and say how a book adopts them.

    Games are rated with the league's own K against the ratings before the section. --set has any other rule,
    such as expectancy=linear; docs/rules/other-federations.md explains the shapes. Without --from or --k, you
    are asked.

    Examples:
      ratebook rules new league.toml --from 2026-01-01 --k 32 --first-rating 1200
      ratebook rules new club.toml --from 2026-01-01 --k "40:age-below-18 20" --one-system "Club rating"
    """
    if since is None:
        since = click.prompt("First day of the rules", type=DAY, default=date(today().year, 1, 1), err=True)
    if not steps or steps.isspace():
        steps = click.prompt("K, or steps such as 40:age-below-18 20", err=True)
        asked = "First rating of everyone (empty: as US Chess finds it)"
        first_rating = first_rating or click.prompt(asked, default="", show_default=False, err=True) or None
    text = league_rules_text(
        LeagueRules(
            since=since,
            steps=steps,
            first_rating=first_rating,
            bonus=bonus,
            floor=floor,
            has_one_system=one_system is not None,
            others=dict(map(split_setting, settings)),
        )
    )
    try:
        check_overlay(text)
    except RulebookError as failure:
        fail_with("overlay-wrong.option", Place(file=str(out)), failure=str(failure))
    write_or_fail({out.name: text.encode()}, out, overwrite=force)
    file = quote(str(out))
    named = "" if one_system is None else f" --system regular --system-names {quote(f'regular={one_system}')}"
    click.echo(f"Wrote {out}. What it says: ratebook rules show --on {since} --rules {file}")
    click.echo(
        f"A book with these rules: ratebook book --book league.book init --name 'YOUR LEAGUE' --overlay {file}{named}"
    )
