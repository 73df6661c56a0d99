"""What a person may ask for about official lists."""

from ratebook.book.connection import Book
from ratebook.office.action import Action, Kind, Parameter
from ratebook.office.publish.lists import Publication, publish

PUBLISH: Action[Book, Publication] = Action(
    "publish",
    "Publish an official list",
    "Publish the official list of a month, which never changes afterwards; --out also writes it.",
    (
        Parameter("month", "Month", option="--for", metavar="MONTH", help="The month, for example 2026-12."),
        Parameter(
            "accept",
            "Publish despite this",
            Kind.CODES,
            needed=False,
            default=(),
            help="Publish despite this finding (rerate-waits, list-skips-months, list-not-due); repeatable.",
        ),
    ),
    lambda book, because, values: publish(
        book, values.month, values.today, because.actor, accepted=values.accept, second=values.second
    ),
    more="The list has the ratings after the sections that ended by its cut-off. Corrections appear in the next list."
    " Use ratebook book list to write it again at any time.",
    examples=("--for 2026-12", "--for 2026-12 --out lists --format text --format csv --format golden"),
    again=True,
)
