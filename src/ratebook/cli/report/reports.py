"""The commands that read a report: rate, check, explain. They are the office's own view and may show Step 1."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import click

from ratebook.checks import accept, acknowledged, check_report
from ratebook.checks.member_ids import pattern_of_form
from ratebook.cli.command import bundled, command, option
from ratebook.cli.hints import STANDARD_INPUT, hint_options, load_given
from ratebook.cli.options import (
    PATH_TEXT,
    PlaceOfFile,
    day_option,
    flag_option,
    id_form_option,
    overlay_option,
    public_option,
    rulebook_with,
    set_option,
    short_option,
    systems_option,
)
from ratebook.cli.output import all_findings_option, notes_option, print_findings, print_json
from ratebook.cli.report.crosstables import legend_of, print_crosstables, print_players
from ratebook.cli.show import fail, fail_with, json_asked, json_option, show, table
from ratebook.findings import Finding, Place, Severity, finding, has_errors
from ratebook.formats.contract import Hints
from ratebook.formats.results.rated import explanations_as_json, rated_as_csv, rated_as_json, section_as_json
from ratebook.model import Event, Report, System
from ratebook.pages.columns import Column, Columns, used_columns
from ratebook.records.record import plain
from ratebook.reports.load import LoadedReport, untimed
from ratebook.reports.rate import RatedReport, RatingOptions, check, rate_report
from ratebook.rules.rulebook import Rulebook
from ratebook.titles.report import PlayerTitles, titles_of_report


class GivenReport(NamedTuple):
    """The options of every command that reads a report: the file, what it cannot state, lists and what-ifs."""

    path: str
    hints: Hints
    lists: tuple[str, ...]
    complete: bool
    received: date | None
    accepted: tuple[str, ...]
    rules_on: date | None
    settings: tuple[str, ...]
    overlay: str | None
    id_form: str | None

    def rulebook(self) -> Rulebook:
        """Return the rulebook with the what-ifs laid over it."""
        return rulebook_with(self.settings, self.overlay)

    def named_event(self, report: Report) -> Event:
        """Return the event with a name to print: that of its file, where neither event nor sections have one."""
        event = report.event
        if event.name or self.path == STANDARD_INPUT or any(section.name for section in report.sections):
            return event
        return event._replace(name=f"Event {event.id}" if event.id else Path(self.path).name)

    def load(self) -> LoadedReport:
        """Return the report with all findings of its reading."""
        loaded = load_given(self.path, self.hints, self.received, self.lists, complete=self.complete)
        if self.id_form is None:
            return loaded
        facts = loaded.facts._replace(member_id_pattern=pattern_of_form(self.id_form))
        return loaded._replace(facts=facts)

    def checked(self, loaded: LoadedReport, rulebook: Rulebook) -> tuple[Finding, ...]:
        """Return every finding about a loaded report, acknowledged warnings as notes; no rating is kept."""
        findings = loaded.findings
        if loaded.report is not None:
            options = RatingOptions((), self.rules_on, loaded.facts, loaded.published)
            findings = (*findings, *check(loaded.report, rulebook, options))
        return accept((*findings, *_of_tentative(loaded, rulebook)), self.accepted)

    def rated(
        self, loaded: LoadedReport, rulebook: Rulebook, systems: tuple[System, ...] = ()
    ) -> RatedReport:
        """Rate a loaded report; the findings of its reading come first, acknowledged warnings as notes."""
        result = RatedReport(None, (), (*loaded.findings, *_of_tentative(loaded, rulebook)))
        if loaded.report is not None and not has_errors(loaded.findings):
            options = RatingOptions(systems, self.rules_on, loaded.facts, loaded.published)
            result = rate_report(loaded.report, rulebook, options)
            result = result._replace(findings=(*loaded.findings, *result.findings))
        findings = accept(result.findings, self.accepted)
        return result._replace(
            findings=findings,
            sections=() if has_errors(findings) else result.sections,
            accepted=acknowledged(result.findings, self.accepted),
        )


def _of_tentative(loaded: LoadedReport, rulebook: Rulebook) -> Iterator[Finding]:
    """Yield what else is wrong with a report of which only the day or the time control is not known."""
    if loaded.tentative is not None:
        yield from untimed(check_report(loaded.tentative, loaded.facts, rulebook))


report_options = bundled(
    "report",
    GivenReport,
    click.argument("path", type=PlaceOfFile(allow_dash=True, readable=False), metavar="REPORT"),
    option(
        "--players FILE",
        "Take ratings and facts from a list of players; repeatable.",
        PATH_TEXT,
        name="lists",
        multiple=True,
    ),
    flag_option("--complete", "The lists have every member, so an id that is not in them is an error."),
    hint_options,
    day_option("--received", "The day the report came in, to check whether it is late."),
    option("--accept CODE", "Accept warnings with this code; repeatable.", name="accepted", multiple=True),
    day_option("--rules-on", "Rate by the rules of this day, as a what-if."),
    set_option,
    overlay_option,
    id_form_option,
    all_findings_option,
    notes_option,
    json_option,
)
"""The argument and the options of every command that reads a report."""


def rated_or_failed(
    report: GivenReport, rulebook: Rulebook, systems: tuple[System, ...], as_json: Callable[..., Any]
) -> RatedReport:
    """Rate the given report; if it has errors, print them (by *as_json* if JSON is asked for) and end with status 1."""
    result = report.rated(report.load(), rulebook, systems)
    if has_errors(result.findings):
        if not json_asked():
            fail(result.findings, result.report)
        print_json(as_json((), result.findings))
        raise SystemExit(1)
    return result


def _refuse_section(_context: click.Context, _option: click.Parameter, section: str | None) -> None:
    if section is not None:
        raise click.UsageError(
            "--section is an option of ratebook explain: all sections of a report are checked, rated and converted."
            " Of a workbook or a folder, --sheet NAME chooses one sheet or file."
        )


no_section_option = click.option(
    "--section", hidden=True, is_eager=True, expose_value=False, callback=_refuse_section
)


TITLES: Columns[PlayerTitles] = (
    Column("Name", "name"),
    Column("Section", "section", "right"),
    Column("Seat", "seat", "right"),
    Column("Before", lambda line: line.class_before or "-"),
    Column("After", lambda line: line.class_after or "-"),
    Column("Norm", lambda line: "" if line.norm is None else str(line.norm), "right"),
    Column("New titles", "earned"),
)
"""Classes, norms and titles that a report gives."""


@command("rate", no_section_option)
@report_options
@flag_option("--csv", "Print CSV, one line for each seat and system.", name="as_csv")
@systems_option
@option("--explain SEAT", "Also explain the rating of this seat.", int, name="seat")
@flag_option("--titles", "Show norms and first classes, too, not only what is new.", name="titles_shown")
@flag_option(
    "--step-1", "For the office: show initial ratings that depend on an age, too.", name="step1_shown"
)
def rate_command(
    report: GivenReport,
    systems: tuple[System, ...],
    seat: int | None,
    *,
    as_csv: bool,
    titles_shown: bool,
    step1_shown: bool,
) -> None:
    """Rate REPORT (any supported format; "-" reads standard input) and print its crosstables.

    Findings go to standard error. Nothing is rated if one of them is an error.

    A crosstable calls a newcomer "unrated" if the initial rating would reveal the age. JSON, CSV and explanations are
    complete: they are for the office, not for the public.

    Examples:
      ratebook rate report.json
      ratebook rate report.json --json > rated.json
      ratebook rate crosstable.txt --end 2026-08-30 --time-control "G/25;d5"
      ratebook rate report.json --set bonus_multiplier=14 --explain 12
    """
    if json_asked() and (as_csv or seat is not None):
        raise click.UsageError(
            "--json cannot be used with --csv or --explain; ratebook explain --json prints an explanation."
        )
    if as_csv and seat is not None:
        raise click.UsageError("--csv and --explain cannot be used together; use ratebook explain.")
    if step1_shown and (json_asked() or as_csv):
        raise click.UsageError("--step-1 is for crosstables; JSON and CSV are complete.")
    rulebook = report.rulebook()
    result = rated_or_failed(report, rulebook, systems, rated_as_json)
    lines = titles_of_report(result.sections)
    if json_asked():
        rated = rated_as_json((), result.findings, result.accepted)
        print_json(rated | {"sections": map(section_as_json, result.sections), "titles": map(plain, lines)})
        return
    if as_csv:
        click.echo(rated_as_csv(result.sections), nl=False)
    else:
        assert result.report is not None  # noqa: S101 - states what the line before has made sure, for the type checker
        event = report.named_event(result.report)
        rows = print_crosstables(event, result.sections, step1_shown=step1_shown)
        legend = legend_of(rows)
        changed = [line for line in lines if line.is_new or (titles_shown and line.says_something)]
        if changed:
            title = "Classes, norms and titles" if titles_shown else "New classes and titles"
            show("titles", {}, table(f"{title} (OTB Regular)", used_columns(TITLES, changed), changed))
        if legend:
            click.echo(legend)
    if seat is not None:
        from ratebook.cli.report import explanation  # noqa: PLC0415 - start-up: a dozen modules

        explainer = explanation.explainer_for(public=False)
        explanation.print_explanations(
            explanation.explained_or_failed(result.sections, seat, rulebook, explainer)
        )
    print_findings(result.findings, result.report)


@command("explain")
@report_options
@option("--section N", "Section number (default: every section with that seat).", int, name="number")
@option("--seat SEAT", "Seat (pairing number) of the player.", int)
@option("--who NAME", "Instead of the seat: the player's id, name, or parts of the name.")
@systems_option
@short_option
@public_option
def explain_command(
    report: GivenReport,
    number: int | None,
    seat: int | None,
    who: str | None,
    systems: tuple[System, ...],
    *,
    short: bool,
    public: bool,
) -> None:
    """Explain the new rating of the player at SEAT in REPORT, or of the player called NAME.

    Without both, the players are listed with their seats.

    The explanation is short first, then complete: every step, every number, and every rule with its source. It is meant
    for the office, since it may show initial ratings that reveal an age. --public shows the games, and each
    figure as it follows from published ratings: a range, if it depends on an age.

    Examples:
      ratebook explain report.json --section 1 --seat 12
      ratebook explain report.json --who "sam garcia"
      ratebook explain report.json --seat 12 --short
      ratebook explain report.json --seat 12 --public
      ratebook explain report.json --seat 12 --system quick --json
    """
    if seat is not None and who is not None:
        raise click.UsageError("Give one of --seat and --who.")
    if seat is None and who is None and json_asked():
        raise click.UsageError("Give --seat or --who; without --json, the players are listed.")
    rulebook = report.rulebook()
    result = rated_or_failed(report, rulebook, systems, explanations_as_json)
    sections = tuple(rated for rated in result.sections if number in (None, rated.section.number))
    if not result.sections and systems:
        others = [other for other in result.findings if other.code != "system-not-rated"]
        wanted = ", ".join(systems)
        fail(
            [finding("system-not-rated.nothing-to-explain", Place(option="--system"), wanted=wanted), *others]
        )
    if not sections and number is None:
        fail(result.findings, result.report)
    if not sections:
        known = ", ".join(str(rated.section.number) for rated in result.sections) or "none"
        fail_with(
            "section-unknown.not-rated", Place(option=f"--section {number}"), number=number, known=known
        )
    if seat is None and who is None:
        assert result.report is not None  # noqa: S101 - it was rated, for the type checker
        print_players(report.named_event(result.report), sections)
        return
    from ratebook.cli.report import explanation  # noqa: PLC0415 - start-up: a dozen modules

    explainer = explanation.explainer_for(public=public)
    if seat is not None:
        explained = explanation.explained_or_failed(sections, seat, rulebook, explainer)
    else:
        key = explanation.player_asked_for(sections, who or "")
        explained = [
            why
            for rated in sections
            for entry in rated.entries
            if entry.player == key
            if (why := explainer(rated, entry.seat, rulebook)) is not None
        ]
    if json_asked():
        print_json(explanations_as_json(explained, result.findings))
    else:
        explanation.print_explanations(explained, short=short)
        print_findings(result.findings, result.report)


@command("check", no_section_option)
@report_options
@flag_option("--strict", "Exit with status 1 for warnings, too.")
def check_command(report: GivenReport, *, strict: bool) -> None:
    """Check REPORT and print every finding that rating it would give, errors first, but no ratings.

    For a report without errors and warnings this is one sentence; --notes prints what was assumed about it.

    Examples:
      ratebook check report.json
      ratebook check crosstable.txt --end 2026-08-30 --time-control "G/25;d5" --strict
    """
    rulebook = report.rulebook()
    loaded = report.load()
    findings = report.checked(loaded, rulebook)
    is_good = all(problem.severity is Severity.NOTE for problem in findings)
    sentence = ["The report can be rated: it has no errors and no warnings."] if is_good else []
    show("check", {}, *sentence, findings=findings, report=loaded.report)
    if strict and any(finding.severity == "warning" for finding in findings):
        raise SystemExit(1)
