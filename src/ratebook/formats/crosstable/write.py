"""The text crosstable written, in the published layout (docs/formats/crosstable.md#layout).

Per section: a line of dashes as wide as the table (89 for seven rounds), two header lines, and for each player a
line with the pairing number, the name, the total and the round cells, a line with the member id, the rating of the
first system and the colours, and a line for each further system. Bars stand in columns 7, 41, 47 and every six
more. The second system's line is not documented; it is written under the first, the label below the label (inferred).

Without ratings after the event nothing follows the arrow (``R: 1794   ->``); the reader takes that as
"not rated yet". With them, a player who is still unrated reads ``R: Unrated->Unrated``.
"""

from collections.abc import Mapping, Sequence

from ratebook.findings import Place, finding
from ratebook.formats.contract import AfterRatings, Written
from ratebook.formats.crosstable.rows import dashed, is_member_id
from ratebook.formats.hints import seat_id
from ratebook.formats.losses import Losses
from ratebook.formats.reading.printed_table import SYSTEM_OF_LABEL
from ratebook.model import Cell, Entry, Rating, Report, Section, System
from ratebook.rating.formulas import rounded
from ratebook.rules.rulebook import Rulebook, load_rulebook
from ratebook.rules.timecontrol import systems_of_section

FILE_NAME = "crosstable.txt"

NAME_WIDTH = 32
ID_WIDTH = 8
WIDTH_BEFORE_ROUNDS = 47
ROUND_WIDTH = 6
UNRATED = "Unrated"

LABELS = {system: label for label, system in SYSTEM_OF_LABEL.items()}

HELD = frozenset({"section.name", "section.online", "player.name", "player.ratings", "player.pairing_rating"})

# Provisional ratings are printed with their games, established ones without (docs/formats/crosstable.md#layout).
_MOST_PROVISIONAL_GAMES = 25


def printed(points: int, games: int | None) -> str:
    """Return a rating in seven columns: points, and the games of a provisional one.

    >>> printed(377, 3), printed(1794, None)
    (' 377P3 ', '1794   ')
    """
    mark = "" if games is None else f"P{games}"
    return f"{points:>4}{mark:<3}"


def write(report: Report, after: AfterRatings | None = None) -> Written:
    """Return *report* as one file of crosstables, with notes of all that they cannot hold.

    A section's tables show the systems of *after*, else those that its time control and date name. Ratings before are
    those before the event; in later sections those after the earlier one, where *after* gives them.
    """
    losses = Losses()
    losses.add_facts(report, HELD)
    tables = _Tables(report, after, losses)
    lines: list[str] = []
    for place, section in enumerate(report.sections, start=1):
        losses.add("section number that is not the section's place", int(section.number != place))
        lines += tables.section_lines(section, place)
        lines.append("")
    tables.count_unprinted_ratings()
    findings = losses.findings(FILE_NAME)
    if cut := tables.names_cut:
        file = Place(file=FILE_NAME)
        note = finding("names-cut-in-crosstable", file, name_width=NAME_WIDTH, names_cut=cut)
        findings = (note, *findings)
    return Written({FILE_NAME: "\n".join(lines).encode()}, findings)


def _systems_shown(section: Section, rulebook: Rulebook, after: AfterRatings | None) -> tuple[System, ...]:
    """Return the systems whose ratings a section's table shows, at least one."""
    rated = {system for number, _, system in after or () if number == section.number}
    if rated:
        return tuple(system for system in System if system in rated)
    fallback = System.ONLINE_REGULAR if section.online else System.REGULAR
    return systems_of_section(section, rulebook) or (fallback,)


class _Tables:
    """Writes the tables of a report, and remembers what it printed of it."""

    def __init__(self, report: Report, after: AfterRatings | None, losses: Losses) -> None:
        self._report = report
        self._after = after
        self._losses = losses
        self._rulebook = load_rulebook()
        self._names: dict[str, str] = {}
        self.names_cut = 0
        self._paired_players: set[str] = set()
        self._shown: set[tuple[str, System]] = set()
        # A later table continues an earlier one only where the tables stand in the order in which they are rated.
        order = [(section.end, section.number) for section in report.sections]
        self._continued = order == sorted(order)
        self._latest: dict[tuple[str, System], str] = {}

    def section_lines(self, section: Section, place: int) -> list[str]:
        """Return the table of one section, the one in *place* of the report, under its name."""
        systems = _systems_shown(section, self._rulebook, self._after)
        rounds = max((len(entry.rounds) for entry in section.entries), default=0)
        rule = "-" * (WIDTH_BEFORE_ROUNDS + ROUND_WIDTH * rounds)
        lines = [heading] if (heading := self._plain(section.name, "section name")) else []
        lines += [
            rule,
            f" Pair | Player Name                     |Total|{'Round|' * rounds} ",
            " Num  | USCF ID / Rtg (Pre->Post)       | Pts |"
            + "".join(f"{number:^5}|" for number in range(1, rounds + 1))
            + " ",
            rule,
        ]
        ratings = self._ratings(section, systems)
        for entry in section.entries:
            lines += self._entry_lines(entry, place, systems, ratings, rounds)
            lines.append(rule)
        return lines

    def count_unprinted_ratings(self) -> None:
        """Count the ratings of seated players that no table shows."""
        seated = {entry.player for section in self._report.sections for entry in section.entries}
        for key in seated:
            facts = self._report.players[key]
            paired = facts.pairing_rating
            if key in self._paired_players:
                self._losses.add("mark of a pairing rating, which is printed as a rating before the event")
                self._losses.add("decimals of a rating", paired != whole(paired or 0))
            else:
                self._losses.add("pairing rating beside a rating", paired is not None)
            missing = [system for system in facts.ratings if (key, system) not in self._shown]
            self._losses.add("rating in a system that the player's tables do not show", len(missing))

    def _ratings(self, section: Section, systems: Sequence[System]) -> Mapping[tuple[int, System], str]:
        texts: dict[tuple[int, System], str] = {}
        latest: dict[tuple[str, System], str] = {}
        for entry in section.entries:
            for system in systems:
                key = entry.player, system
                before, text = self._before(key), ""
                after = None if self._after is None else self._after.get((section.number, entry.seat, system))
                if after is not None:
                    games = None if after.established else whole(after.games)
                    text = latest[key] = printed(after.published, games)
                elif self._after is not None and before == UNRATED:
                    text = UNRATED
                texts[entry.seat, system] = f"{before}->{text}"
        if self._continued:
            self._latest.update(latest)
        return texts

    def _before(self, key: tuple[str, System]) -> str:
        """Return a rating before a section; count what its print leaves out where it is printed first."""
        if key in self._latest:
            return self._latest[key]
        player, system = key
        rating = self._report.players[player].ratings.get(system)
        if rating is None:
            return self._paired(player)
        if key not in self._shown:
            self._shown.add(key)
            self._count_left_out(rating)
        games = rating.games
        provisional = None if games is None or games > _MOST_PROVISIONAL_GAMES else whole(games)
        return printed(whole(rating.rating), provisional)

    def _paired(self, player: str) -> str:
        """Return the pairing rating of a player who has no other: read back, it rates as it did."""
        facts = self._report.players[player]
        if facts.pairing_rating is None or facts.ratings:
            return UNRATED
        self._paired_players.add(player)
        return printed(whole(facts.pairing_rating), None)

    def _count_left_out(self, rating: Rating) -> None:
        self._losses.add("decimals of a rating", int(rating.rating != whole(rating.rating)))
        if rating.games is not None and rating.games > _MOST_PROVISIONAL_GAMES:
            self._losses.add("number of games of an established rating")
        elif rating.games is not None and rating.games != whole(rating.games):
            self._losses.add("fraction of a number of games")

    def _entry_lines(
        self,
        entry: Entry,
        place: int,
        systems: Sequence[System],
        ratings: Mapping[tuple[int, System], str],
        rounds: int,
    ) -> list[str]:
        cells = (*entry.rounds, *[Cell()] * (rounds - len(entry.rounds)))
        points = sum(cell.points for cell in cells)
        name = self._name(entry.player)
        key = self._id(entry, place)
        lines = [f"{entry.seat:>5} | {name:<{NAME_WIDTH}}|{points:<5.1f}|{''.join(map(_cell_text, cells))}"]
        for number, system in enumerate(systems):
            first = number == 0
            begin = f"{key:<{ID_WIDTH}} / " if first and key else " " * (ID_WIDTH + 3)
            text = f" {begin}{LABELS[system]}: {ratings[entry.seat, system]}"
            colours = "".join(f"{cell.colour.upper() if first else '':<5}|" for cell in cells)
            lines.append(f"      |{text:<{NAME_WIDTH + 1}}|     |{colours}")
        return lines

    def _id(self, entry: Entry, place: int) -> str:
        """Return the player's id where it fits its column and reads as one; else nothing."""
        key = entry.player
        if len(key) <= ID_WIDTH and is_member_id(key) and key.strip("0"):
            return key
        self._losses.add("player id", int(key != seat_id(place, entry.seat)))
        return ""

    def _name(self, player: str) -> str:
        """Return a player's name in capitals and cut to its column."""
        if player not in self._names:
            plain = self._plain(self._report.players[player].name, "name")
            capitals = plain.upper()
            self._losses.add("lower-case letters of a name", int(capitals != plain))
            self.names_cut += len(capitals) > NAME_WIDTH
            self._names[player] = capitals[:NAME_WIDTH]
        return self._names[player]

    def _plain(self, text: str, label: str) -> str:
        """Return *text* without the signs that the layout, or a page around it, uses itself."""
        plain = " ".join(text.split()).replace("|", "/").replace("&gt;", ">")
        if "<pre" in plain.lower():
            plain = plain.replace("<", "(")
        if dashed(plain):
            plain = ""
        self._losses.add(f"signs of a {label} that the layout uses", int(plain != text))
        return plain


def whole(value: float) -> int:
    """Return *value* as a crosstable prints it, without decimals."""
    return int(rounded(value))


def _cell_text(cell: Cell) -> str:
    """Return a round cell with the bar behind it.

    >>> _cell_text(Cell("W", 39, "w")), _cell_text(Cell("H"))
    ('W  39|', 'H    |')
    """
    return f"{cell.letter:<1}{'' if cell.opponent is None else cell.opponent:>4}|"
