"""What a person may ask for about two ids of one person, and about personal data."""

from ratebook.book.connection import Book
from ratebook.office.action import Action, Kind, Parameter
from ratebook.office.decisions.actions import MEMBER
from ratebook.office.decisions.persons import merge
from ratebook.office.decisions.revision import DecisionResult
from ratebook.office.erasure.erase import erase

MERGE: Action[Book, DecisionResult] = Action(
    "merge",
    "Merge a member into another",
    "Merge two ids of one person: games of OLD count for NEW, and the id OLD leads to NEW from now on.",
    (
        Parameter("old", "Id that is given up", argument=True),
        Parameter("into", "Id that is kept", argument=True, metavar="NEW"),
    ),
    lambda book, because, values: merge(book, values.old, values.into, because),
    more="Both members are shown first, with any sign that they are two people; such warnings must be accepted with"
    " --accept, even with --yes. A merge can be undone with ratebook book undo and the number of its decision.",
    examples=(
        '90000112 90000012 --reason "joined twice" --dry-run',
        '90000112 90000012 --reason "joined twice"',
    ),
    sure="Count all games of {old} for {into}",
)

ERASE: Action[Book, DecisionResult] = Action(
    "erase",
    "Remove personal data",
    "Remove the personal data of MEMBER everywhere; the ledger keeps its numbers under the id.",
    (
        MEMBER,
        Parameter(
            "names",
            "Other names of the person in texts",
            Kind.NAMES,
            "Former names, or the name itself if another member has it too; separate several with semicolons.",
            option="--name",
            needed=False,
            default=(),
            help="Another name that texts use for the person, such as a former one; repeatable.",
            refusal="Give the name as it appears in texts.",
        ),
    ),
    lambda book, because, values: erase(
        book, values.member, because, names=values.names, elsewhere=values.elsewhere
    ),
    more="Name, birth date, home and other facts are removed from the members, every version of every report,"
    " findings, texts of decisions and the web store beside the book. The command says what is left;"
    " erase again to continue. Earlier backups and exports still contain them.",
    examples=(
        '90000012 --reason "asked for by letter of November 3" --yes',
        '90000012 --name "Ann Former" --reason "the former name, too" --yes',
    ),
    again=True,
    sure="Remove name, birth date and home of member {member} for good",
)
