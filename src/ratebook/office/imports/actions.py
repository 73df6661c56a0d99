"""The imports that a person may ask for; each file whole or not at all, but reports and corrections one by one."""

from collections.abc import Callable

from ratebook.book.connection import Book
from ratebook.formats.contract import DayOrder
from ratebook.model import PlayerFacts, System
from ratebook.office.action import Action, Condition, Kind, Outcome, Parameter, Together, Values
from ratebook.office.decisions.actions import FACTS
from ratebook.office.decisions.revision import Reason
from ratebook.office.imports.corrections import Corrected, apply_corrections
from ratebook.office.imports.foreign_ratings import import_external_ratings, import_foreign_list
from ratebook.office.imports.members import add_member, import_members, import_memberships
from ratebook.office.imports.opening_balances import import_opening_balances
from ratebook.office.imports.reports import ImportedReports, import_reports
from ratebook.office.imports.table import Imported
from ratebook.records.system_titles import SYSTEM_TITLES

FILE = Parameter("file", "File", Kind.FILE, "At most 8 MB.", argument=True)
FOLDER = FILE._replace(metavar="FOLDER|ZIP")
ORDER = Parameter(
    "order",
    "Order of dates such as 5/6/2026",
    Kind.CHOICE,
    "If the file does not say.",
    option="--day-order",
    needed=False,
    choices=[(each, each.value.replace("-", " ")) for each in DayOrder],
    help="How to read dates such as 5/6/2026, if the file does not say.",
)
BALANCES = Parameter("balances", "Import ratings and floors as opening balances", Kind.FLAG, default=False)
AS_OF = Parameter("as_of", "Date of the balances", Kind.DAY, "If the file does not state it.", needed=False)
FIDE_AS_OF = Parameter(
    "fide_as_of", "Date of the FIDE list", Kind.DAY, "If the file does not state it.", needed=False
)
REPLACE = Parameter("replace", "Replace the balances that members already have", Kind.FLAG, default=False)
SECOND = Parameter(
    "second",
    "Second rating of a US Chess list",
    Kind.CHOICE,
    choices=[(each, SYSTEM_TITLES[each]) for each in (System.QUICK, System.BLITZ)],
    default=System.QUICK,
    help="The second of the two ratings in a US Chess table.",
)
NUMBERS = Parameter(
    "numbers",
    "The members' numbers in the list",
    Kind.FILE,
    "If the file is a list: a table with the columns member_id, source and number.",
    needed=False,
    metavar="FILE",
)
LIST_DATE = Parameter(
    "list_date", "Date of the list", Kind.DAY, "If the list does not state it.", needed=False
)
RECEIVED = Parameter("received", "The day the reports came in, if no table states it", Kind.DAY, today=True)
ACCEPT = Parameter(
    "accept",
    "Accept warnings about new members",
    Kind.CODES,
    needed=False,
    default=(),
    help='Accept a warning, or "all"; repeatable.',
)


def _importing(work: Callable[..., Outcome], *names: str) -> Callable[[Book, Reason, Values], Outcome]:
    """Return what gives *work* the file, who imports it, and the values of these *names*."""

    def run(book: Book, because: Reason, values: Values) -> Outcome:
        named = {name: getattr(values, name) for name in (*names, "progress")}
        return work(book, values.file, because.actor, **named)

    return run


NAME, *OTHER_FACTS = FACTS
ADD_MEMBER: Action[Book, Imported] = Action(
    "add-member",
    "Add a member",
    'Add a member with the id MEMBER and this NAME, last name first: "Adams, Ann".',
    (
        Parameter("id", "Member ID", argument=True, metavar="MEMBER"),
        NAME._replace(argument=True, refusal="A member needs a name."),
        *(fact._replace(needed=False, removable=False) for fact in OTHER_FACTS),
        Parameter("expires", "Last day of the membership", Kind.DAY, needed=False),
        ACCEPT._replace(in_forms=False),
    ),
    lambda book, because, values: add_member(
        book,
        PlayerFacts(
            values.id,
            **{fact.name: value for fact in FACTS if (value := getattr(values, fact.name)) is not None},
        ),
        because.actor,
        expires=values.expires,
        accepted=values.accept,
    ),
    more="The id is checked as in an import. A name and birth date, or a FIDE id, that another member has is refused"
    " unless --accept possible-duplicate is given.",
    examples=('90000112 "Adams, Ann" --birth-date 2015-03-08 --club "Lincoln School"',),
)

IMPORTS: tuple[Action[Book, Imported | ImportedReports], ...] = (
    Action(
        "import members",
        "Members",
        "Import a members CSV: new members, and changes to existing ones; an empty cell changes nothing.",
        (FILE, AS_OF, FIDE_AS_OF, ORDER, BALANCES, REPLACE, ACCEPT),
        _importing(import_members, "balances", "as_of", "replace", "fide_as_of", "order", "accepted"),
        more="A new member with the name and birth date, or the FIDE id, of another member is refused unless --accept"
        " possible-duplicate is given.",
        examples=("members.csv", "members.csv --balances --as-of 2026-01-01"),
        conditions=[Condition(Together.WITH, ("balances", "as_of", "replace"))],
    ),
    Action(
        "import memberships",
        "Memberships",
        "Import a table of memberships: the members, and the first and the last day of each.",
        (FILE._replace(hint="With the columns member_id, starts and expires, at most 8 MB."), ORDER),
        lambda book, because, values: import_memberships(
            book, values.file, because.actor, order=values.order, progress=values.progress
        ),
        examples=("memberships.csv",),
    ),
    Action(
        "import foreign-ratings",
        "Ratings of other federations",
        "Import FIDE or CFC ratings from a table of your own, or from their list and your members' numbers in it.",
        (
            FILE._replace(
                hint="A list, or a table with the columns member_id, source, list_date and rating, at most 8 MB."
            ),
            NUMBERS,
            LIST_DATE,
            ORDER,
        ),
        lambda book, because, values: (
            import_external_ratings(
                book, values.file, because.actor, order=values.order, progress=values.progress
            )
            if values.numbers is None
            else _importing(import_foreign_list, "numbers", "list_date")(book, because, values)
        ),
        examples=("external-ratings.csv", "players_list.zip --numbers numbers.csv --list-date 2026-11-01"),
        conditions=[Condition(Together.WITH, ("numbers", "list_date"))],
    ),
    Action(
        "import opening-balances",
        "Opening balances",
        "Import ratings from before the book began: a table of opening balances, a members CSV, or a US Chess list"
        " (DBF).",
        (FILE, AS_OF, REPLACE, SECOND, ORDER),
        _importing(import_opening_balances, "as_of", "replace", "second", "order"),
        more="A member's ledger begins with the balance; sections up to its day are not rated.",
        examples=("balances.csv", "TARATSUP.DBF --as-of 2026-01-01"),
    ),
    Action(
        "import reports",
        "Reports",
        "Submit every report in a folder or a zip archive, which may have a table reports.csv; each goes into the queue"
        " with its findings.",
        (FOLDER, RECEIVED, ACCEPT._replace(in_forms=False)),
        lambda book, because, values: import_reports(
            book,
            values.file,
            values.received,
            because.actor,
            accepted=values.accept,
            progress=values.progress,
        ),
        more="After an interruption, run it again to continue. The table can state what the formats cannot.",
        examples=("archive-2025.zip",),
        at_once=False,
    ),
)
"""Those that pages offer, too."""

CORRECTIONS: Action[Book, Corrected] = Action(
    "import corrections",
    "Corrections",
    "Make the corrections in a table, each as a separate decision by the person named in its row.",
    (FILE, ORDER, ACCEPT),
    _importing(apply_corrections, "accepted", "order"),
    more="A correction that cannot be made is reported, and the exit status is 1; the others are made. One that"
    " raises warnings is made only if they are accepted: in the column accept of its row, or by --accept for all rows.",
    examples=("corrections.csv",),
    at_once=False,
)
