"""Checks of a whole report: what no single field shows.

Each check is a small function from a `Submission` to its findings, with one code and one severity. A new one is added
to `CHECKS`; its docstring becomes its part of ``docs/checks.md``. Match eligibility, time controls and half K are
checked where the rules of the day are known (``eligibility.py``, ``reports/plan.py``).
"""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeAlias

from ratebook.checks.acceptance import accept, acknowledged
from ratebook.checks.colours import check_colours_change, check_colours_differ
from ratebook.checks.dates import (
    check_dates_are_in_order,
    check_event_is_over,
    check_report_is_in_time,
    check_sections_lie_within_the_event,
    check_years,
)
from ratebook.checks.games import (
    check_asymmetric_results,
    check_byes_have_no_opponents,
    check_forfeits_agree,
    check_games_have_opponents,
    check_meetings,
    check_nobody_plays_himself,
    check_opponents_agree,
    check_opponents_exist,
    check_results_agree,
)
from ratebook.checks.players import (
    check_ages,
    check_birth_dates,
    check_birth_dates_of_newcomers,
    check_floors_below_ceilings,
    check_member_ids,
    check_memberships,
    check_performances,
)
from ratebook.checks.seats import (
    check_names_occur_once,
    check_one_seat_for_each_player,
    check_players_are_known,
    check_seats_are_taken_once,
    check_seats_have_no_gaps,
)
from ratebook.checks.sections import (
    check_foreign_events_update_somebody,
    check_foreign_opponents_have_ratings,
    check_matches_have_two_players,
    check_section_numbers_differ,
    check_sections_exist,
    check_sections_have_entries,
    check_sections_have_games,
    check_stated_rounds,
    check_stated_systems,
)
from ratebook.checks.submission import NOTHING_STATED, ReportedFacts, Submission, submission_of
from ratebook.findings import Finding, Severity, finding
from ratebook.formats.contract import FINDINGS_SHOWN
from ratebook.model import Report
from ratebook.rules.rulebook import Rulebook, load_rulebook

__all__ = ["CHECKS", "Check", "ReportedFacts", "Submission", "accept", "acknowledged", "check_report"]

Check: TypeAlias = Callable[[Submission], Iterator[Finding]]

CHECKS: tuple[Check, ...] = (
    # Errors.
    check_sections_exist,
    check_sections_have_entries,
    check_section_numbers_differ,
    check_years,
    check_dates_are_in_order,
    check_seats_are_taken_once,
    check_players_are_known,
    check_member_ids,
    check_birth_dates,
    check_games_have_opponents,
    check_opponents_exist,
    check_nobody_plays_himself,
    check_opponents_agree,
    check_results_agree,
    check_forfeits_agree,
    check_matches_have_two_players,
    check_foreign_events_update_somebody,
    check_floors_below_ceilings,
    # Warnings.
    check_sections_lie_within_the_event,
    check_report_is_in_time,
    check_event_is_over,
    check_stated_rounds,
    check_stated_systems,
    check_sections_have_games,
    check_seats_have_no_gaps,
    check_one_seat_for_each_player,
    check_names_occur_once,
    check_byes_have_no_opponents,
    check_asymmetric_results,
    check_meetings,
    check_colours_differ,
    check_colours_change,
    check_performances,
    check_ages,
    check_memberships,
    check_birth_dates_of_newcomers,
    # Notes.
    check_foreign_opponents_have_ratings,
)
"""All checks, in the order in which their findings are shown."""


def check_report(
    report: Report, facts: ReportedFacts = NOTHING_STATED, rulebook: Rulebook | None = None
) -> list[Finding]:
    """Return the findings of all checks, check by check, at most `FINDINGS_SHOWN` of them and then their number.

    Args:
        report: the report to check.
        facts: what its file and the lists say beside it; what they do not say is not checked.
        rulebook: tells which system rates a time control; where None, the timeline without what-ifs.
    """
    submission = submission_of(report, facts, load_rulebook() if rulebook is None else rulebook)
    found: list[Finding] = []
    all_counted = True
    for check in CHECKS:
        # Of a report that is wrong throughout nobody reads more, and every kind of error still shows.
        of_check = list(islice(check(submission), FINDINGS_SHOWN + 1))
        all_counted = all_counted and len(of_check) <= FINDINGS_SHOWN
        found += of_check
    if len(found) <= FINDINGS_SHOWN:
        return found
    number = f"{len(found):,}" if all_counted else f"At least {len(found):,}"
    found.sort(key=lambda finding: finding.severity is not Severity.ERROR)
    return [
        *found[:FINDINGS_SHOWN],
        finding("too-many-findings.report", "report", number=number, findings_shown=FINDINGS_SHOWN),
    ]
