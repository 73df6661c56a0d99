"""Checks of colours, where the report gives them; nothing is rated from them."""

from collections.abc import Iterator

from ratebook.checks.submission import Submission, answer_to, place_of, unmirrored_cells
from ratebook.findings import Finding, finding
from ratebook.model import SCORES

MOST_GAMES_OF_A_COLOUR = 3
"""Games in a row with one colour; pairing programs give a fourth only by mistake.

Source: docs/formats/office-checks.md#thresholds-of-this-program.
"""

COLOUR_NAMES = {"w": "white", "b": "black"}


def check_colours_differ(submission: Submission) -> Iterator[Finding]:
    """Report games in which both sides have the same colour.

    Colours are opposite in every package that was measured (docs/formats/uschess.md#real-packages); a clash often means
    a wrong opponent.
    """
    for seating, entry, number, cell in unmirrored_cells(submission):
        if cell.letter not in SCORES or cell.opponent is None or entry.seat >= cell.opponent:
            continue
        other = answer_to(seating, cell, number)
        if (
            other is not None
            and other.letter in SCORES
            and other.opponent == entry.seat
            and cell.colour
            and other.colour == cell.colour
        ):
            yield finding(
                "colours-clash",
                place_of(seating.section, entry, number),
                opponent=cell.opponent,
                colour=COLOUR_NAMES.get(cell.colour, cell.colour),
            )


def check_colours_change(submission: Submission) -> Iterator[Finding]:
    """Report players with the same colour in more than three games in a row.

    Rounds without a game are left out; a game whose colour is not known ends the row. A seat is reported once.
    """
    too_long = {colour: colour * (MOST_GAMES_OF_A_COLOUR + 1) for colour in COLOUR_NAMES}
    for seating in submission.sections:
        for entry in seating.section.entries:
            colours = "".join([cell.colour or "-" for cell in entry.rounds if cell.letter in SCORES])
            for colour, row in too_long.items():
                if row in colours:
                    yield finding(
                        "colour-repeated",
                        place_of(seating.section, entry),
                        colour_names=COLOUR_NAMES[colour],
                        most_games_of_a_colour=MOST_GAMES_OF_A_COLOUR,
                    )
                    break
