"""What a person may ask for about reports that wait."""

from ratebook.book.connection import Book
from ratebook.office.action import Action, Kind, Parameter
from ratebook.office.decisions.actions import COUNTED, DECIDED
from ratebook.office.queue.submit import Acceptance, accept_warnings, reject

PLACE = (
    Parameter("section", "Only at this section", Kind.COUNT, needed=False, bounds=COUNTED),
    Parameter("seat", "Only at this seat", Kind.COUNT, needed=False, bounds=COUNTED),
    Parameter("in_round", "Only in this round", Kind.COUNT, option="--round", needed=False, bounds=COUNTED),
)
"""Where a warning is that is accepted alone."""
ACCEPT: Action[Book, Acceptance] = Action(
    "accept",
    "Accept",
    'Accept the warnings with these CODEs of the submissions N, or "all": you have looked at the reports, '
    "and they are right.",
    tuple(
        parameter._replace(in_forms=False)
        for parameter in (
            Parameter(
                "what",
                "Submissions and codes",
                Kind.WORDS,
                argument=True,
                needed=False,
                metavar="[N]... [CODE]...",
            ),
            Parameter(
                "codes", "Accept this code; repeatable", Kind.CODES, option="--code", needed=False, default=()
            ),
            *PLACE,
            Parameter(
                "whole",
                "Accept all findings of the codes in the submissions N",
                Kind.FLAG,
                option="--all-of-code",
            ),
            Parameter(
                "everywhere",
                "Accept all findings of the codes in every report that they hold back",
                Kind.FLAG,
                option="--all",
            ),
        )
    ),
    lambda book, because, values: accept_warnings(book, values.findings, because.actor, because.reason),
    more="A code stands for the one warning that has it. If a report has several, give the place of one, or accept"
    " --all-of-code. If several would be accepted, the command says how many, and asks. Either all of them are"
    " accepted or none. An error cannot be accepted, only fixed.",
    examples=(
        '12 report-late --reason "the director was ill"',
        '30 member-name-differs --section 1 --seat 3 --reason "married since"',
        '2 3 6 report-late --reason "sent in by mail"',
        '12 all --reason "looked through with the director"',
        '--code report-late --all --reason "the office was closed in May"',
    ),
)
"""A form has boxes for the warnings instead; *findings* are the keys of those that are accepted, by submission."""

REJECT: Action[Book, None] = Action(
    "reject",
    "Reject the report",
    "Remove report N from the queue permanently.",
    (Parameter("number", "Submission", Kind.COUNT, argument=True, bounds=DECIDED, metavar="N"),),
    lambda book, because, values: reject(book, [values.number], because.reason, because.actor),
    examples=('12 --reason "sent twice, see report 9"',),
)
