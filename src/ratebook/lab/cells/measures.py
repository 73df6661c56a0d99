"""What is measured in a cell."""

from datetime import date
from typing import NamedTuple

from ratebook.lab.competitors.competitor import Competitor
from ratebook.model import System

SYSTEMS = tuple(System)


class Measures(NamedTuple):
    """What is measured.

    Attributes:
        system: of the scores.
        since: games of sections that end earlier only warm the ratings up.
        competitor: whose ratings are measured instead of those of the rules. The games, and which of them are between
            established players, are those of the rules.
        three_way: whether forecasts of wins, draws and losses are scored too, with a share of draws from games before
            that day.
        people: whether the standings of members are kept, for the office alone.
    """

    system: System = System.REGULAR
    since: date = date.min
    competitor: Competitor | None = None
    three_way: bool = False
    people: bool = False
