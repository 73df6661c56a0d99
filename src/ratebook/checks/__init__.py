"""Checks of a whole report: what no single field shows.

Each check is a small function from a `Submission` to its findings, with one code and one severity. A new one is added
to `all_checks`; its docstring becomes its part of ``docs/checks.md``. Match eligibility, time controls and half K are
checked where the rules of the day are known (``eligibility.py``, ``reports/plan.py``).
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from ratebook.checks.acceptance import accept, acknowledged
from ratebook.checks.submission import NOTHING_STATED, ReportedFacts, Submission, submission_of
from ratebook.findings import FINDINGS_SHOWN, Finding, Place, Severity, finding
from ratebook.model import Report
from ratebook.plugins import ContractError, entry_points_of, package_of, reason_of
from ratebook.rules.rulebook import Rulebook, load_rulebook

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["Check", "ReportedFacts", "Submission", "accept", "acknowledged", "all_checks", "check_report"]

Check: TypeAlias = Callable[[Submission], Iterator[Finding]]


@cache
def all_checks() -> tuple[Check, ...]:
    """Return all checks, in the order in which their findings are shown."""
    # Most commands check nothing, and need not load the rules that checks know.
    from ratebook.checks import colours, dates, games, member_ids, players, repeated, seats, sections, texts  # noqa: PLC0415 - as said

    return (
        # Errors.
        sections.check_sections_exist,
        sections.check_sections_have_entries,
        sections.check_section_numbers_differ,
        dates.check_years,
        dates.check_dates_are_in_order,
        seats.check_seats_are_taken_once,
        seats.check_players_are_known,
        seats.check_prizes_were_won_in_sections,
        texts.check_ids_can_be_typed,
        texts.check_ids_can_be_addressed,
        texts.check_names_can_be_seen,
        member_ids.check_member_ids,
        players.check_birth_dates,
        games.check_games_have_opponents,
        games.check_opponents_exist,
        games.check_players_do_not_meet_themselves,
        games.check_opponents_agree,
        games.check_results_agree,
        games.check_forfeits_agree,
        sections.check_matches_are_between_two_players,
        sections.check_foreign_events_update_players,
        players.check_floors_are_levels,
        players.check_floors_below_ceilings,
        # Warnings.
        dates.check_sections_lie_within_the_event,
        dates.check_report_is_in_time,
        dates.check_event_is_over,
        sections.check_stated_rounds,
        sections.check_stated_systems,
        sections.check_sections_have_games,
        sections.check_rounds_were_played,
        repeated.check_sections_come_once,
        seats.check_seats_have_no_gaps,
        seats.check_one_seat_for_each_player,
        seats.check_names_occur_once,
        member_ids.check_ids_are_alike,
        member_ids.check_ids_are_no_placeholders,
        texts.check_texts_can_be_seen,
        games.check_byes_have_no_opponents,
        games.check_asymmetric_results,
        games.check_meetings,
        colours.check_colours_differ,
        colours.check_colours_change,
        players.check_performances,
        players.check_ages,
        players.check_fide_ratings,
        players.check_memberships,
        players.check_birth_dates_of_newcomers,
        players.check_titles_are_known,
        # Notes.
        sections.check_foreign_opponents_have_ratings,
    )


@cache
def installed_checks() -> tuple[Check, ...]:
    """Return the checks that installed packages bring; of one that fails, a finding says so."""
    return tuple(_guarded(entry) for entry in entry_points_of("ratebook.checks"))


def _guarded(entry: "EntryPoint") -> Check:
    def check(submission: Submission) -> Iterator[Finding]:
        try:
            for result in entry.load()(submission):
                yield _required(result)
        except (Exception, SystemExit) as failure:  # noqa: BLE001 - it is another's code
            place = Place(subject=f"package {package_of(entry)}")
            yield finding("plugin-failed.check", place, name=entry.name, reason=reason_of(failure))

    return check


def _required(result: object) -> Finding:
    if isinstance(result, Finding):
        return result
    raise ContractError("it yields something else than findings")


def check_report(
    report: Report, facts: ReportedFacts = NOTHING_STATED, rulebook: Rulebook | None = None
) -> list[Finding]:
    """Return the findings of all checks, check by check, at most `FINDINGS_SHOWN` of them and then their number.

    Those of installed packages come last.
    What the *facts* (of the report's file and of lists) do not say is not checked. The *rulebook* tells which system
    rates a time control; where it is None, the timeline without what-ifs does.
    """
    submission = submission_of(report, facts, load_rulebook() if rulebook is None else rulebook)
    findings: list[Finding] = []
    all_counted = True
    for check in (*all_checks(), *installed_checks()):
        # No one reads more of a report that is wrong throughout, and every kind of error still shows.
        of_check = list(islice(check(submission), FINDINGS_SHOWN + 1))
        all_counted = all_counted and len(of_check) <= FINDINGS_SHOWN
        findings += of_check
    if len(findings) <= FINDINGS_SHOWN:
        return findings
    number = f"{len(findings):,}" if all_counted else f"At least {len(findings):,}"
    findings.sort(key=lambda finding: finding.severity is not Severity.ERROR)
    return [
        *findings[:FINDINGS_SHOWN],
        finding(
            "too-many-findings.report", Place(subject="report"), number=number, findings_shown=FINDINGS_SHOWN
        ),
    ]
