"""The lines of a list of pairings: headings of rounds, boards, byes, and the players above the first round."""

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from unicodedata import category

from ratebook.formats.pairings.outcomes import is_like_a_game, outcome_in
from ratebook.formats.reading.cells import BYE_OF_RESULT
from ratebook.formats.reading.dates import days_in
from ratebook.formats.reading.fields import LOWEST_RATING
from ratebook.formats.reading.sheets.figures import parse_rating, player_in
from ratebook.formats.reading.sheets.outcomes import BYE_WORDS

_KEPT = 4_096
_LONGEST_LINE = 300
_MOST_LINES_OF_EVENING = 100
_LINES_BELOW = 3
_ROUND_WORD = (
    r"round|rnd|rd|runde|rond|ronde|ronda|rodada|turno|runda|kolo|kierros|ford[ou]l[o\u00f3]|umfer[d\u00f0]"
    r"|omgang"
)
ROUND_WORDS = re.compile(rf"{_ROUND_WORD}|^[> ]*r[. ]?[1-9]", re.IGNORECASE | re.MULTILINE)
"""A word for a round, somewhere in a text."""
_CARDINALS = ("one", "two", "three", "four", "five", "six", "seven")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
_ROUND = re.compile(
    r"(?:(?:pairings?|results?|standings?)\s+(?:for|of|after)?\s*)?"
    rf"(?:(?:{_ROUND_WORD})\.?\s*#?\s*(?P<number>[1-9][0-9]?|{'|'.join(_CARDINALS)})\b"
    rf"|(?P<ordinal>{'|'.join(_ORDINALS)}|[1-9][0-9]?)(?:\.|st|nd|rd|th|e|er|\u00aa|\u00ba)?\s*(?:{_ROUND_WORD})\b"
    # A letter alone could begin a name.
    r"|r[. ]?(?P<short>[1-9][0-9]?)(?=\s*(?:$|[^\s\w.])))"
    r"(?P<rest>[^|;\t]{0,80})",
    re.IGNORECASE,
)
_GAMES_BEHIND = re.compile(
    r"(?P<heading>[^:]{2,80}):\s*(?P<games>\S.*)|(?P<short>r(?:n?d|ound)?[. ]?[1-9][0-9]?)\s+(?P<rest>\S.*)",
    re.IGNORECASE,
)
"""A round and its games on one line."""
_ROUND_AT_END = re.compile(
    rf"(?P<text>.*[^\s,;:(-])[\s,;:(-]+(?P<heading>(?:{_ROUND_WORD})\.?\s*#?[1-9][0-9]?)\)?\s*[:.]?",
    re.IGNORECASE,
)
"""A sentence that ends with a round, whose games are below it."""
_GAME_OF_MATCH = re.compile(
    r"(?:game|partie|partita|partij|partida|parti|spiel)\s*#?(?P<number>[1-9][0-9]?)\s*[:.)-]?\s+(?P<game>\S.*)",
    re.IGNORECASE,
)
_BOLD = re.compile(r"(?<!\S)\*([^*]+)\*(?!\S)")
_NO_ROUND = re.compile(r"\b(?:round|rnd|rd)\.?\s*[1-9]", re.IGNORECASE)
_BOARD_WORD = (
    "(?:(?:board|bd|brett|tisch|table|mesa|tablero|[e\u00e9]chiquier|bord|scacchiera|p\u00f6yt\u00e4)"
    r"\.?\s*)?"
)
_BOARD = re.compile(rf"\s*{_BOARD_WORD}(?P<board>[0-9]{{1,3}})\s*[.):]?(?=\s)", re.IGNORECASE)
_NUMBERED = re.compile(rf"\s*{_BOARD_WORD}[0-9]{{1,3}}\s*[.):]?\s", re.IGNORECASE)
_BETWEEN = re.compile(r"\s+(?:[-\u2013\u2014]|vs?\.?)\s+|\t+|\s{2,}")
_TIGHT = re.compile(r"(?<=\S)[-\u2013](?=\S)")
_BEHIND_RATING = re.compile(r"(?<=[0-9)\]])\s+(?=[^\W\d_])")
_MARKS_BETWEEN = " \t-\u2013:,"
_NO_NAME = re.compile(
    r"[*!?<>=:\u00bd]|\s[-\u2013\u2014]\s|\svs?\.?\s|[(\[](?![A-Z]{2,3}[)\]])|(?<![\w'])[0-9]+(?![\w'])"
)
"""What no name has: marks, two names in one, remarks in brackets other than a state or a country, figures."""
_HALF = r"(?:half|\u00bd|1/2|0?\.5)"
_POINT = r"[- ]?(?:pt|point)?s?[- ]?"
_GETS = r"(?<![^\W\d_])(?:\b(?:gets?|has|had|takes?|took|receives?|received|requests?|requested) )?(?:\b(?:an?|the) )?"
_BYES = (
    (
        "H",
        re.compile(
            rf"{_GETS}{_HALF}{_POINT}bye|{_GETS}bye\s*[(:-]?\s*{_HALF}\s*(?:pts?|points?)?\)?|\bhpb",
            re.IGNORECASE,
        ),
    ),
    (
        "U",
        re.compile(
            rf"{_GETS}(?:zero|0|no){_POINT}bye|{_GETS}bye\s*[(:-]?\s*0\s*(?:pts?|points?)?\)?"
            r"|\bwithd(?:rawn|rew|raws)|not paired|unpaired|absent|did not play|dnp",
            re.IGNORECASE,
        ),
    ),
    (
        "B",
        re.compile(
            rf"{_GETS}(?:full|one|1){_POINT}bye"
            rf"|{_GETS}bye(?:\s*[(:-]?\s*1(?:\.0)?\s*(?:pts?|points?)?\)?)?|(?<=\s)(?:{'|'.join(BYE_WORDS)})$",
            re.IGNORECASE,
        ),
    ),
)
"""Words for byes by letter; those that say how much a bye is worth come first."""
_OWN_ROUND = re.compile(r"\s+(?:r|rn?d|round)[. ]?[1-9][0-9]?$", re.IGNORECASE)
_SCORE_BEFORE = re.compile(r"(?:[01]|\u00bd)\s+(?=[0-9]{1,3}\s+[^\W\d_])")
"""What a bye is worth, between the number of the board and that of the player."""
_BYE_NAME = re.compile(rf"bye|{'|'.join(BYE_WORDS)}|-+", re.IGNORECASE)
_NO_ONE = re.compile(r"none|no one|nobody|n/?a|keine?|-+", re.IGNORECASE)
_YEAR = re.compile(r"\b20[0-3][0-9]$")
"""What ends a title, and is no rating."""
_MATCH = re.compile(r"\bmatch\b", re.IGNORECASE)
_BESIDE = re.compile(r"\s*[,;]\s*|\s+vs?\.?\s+", re.IGNORECASE)
_OF_PLAYERS = re.compile(
    r"(?:match|players?|participants?|(?:pre-?)?ratings?|elo|spieler|jugadores|joueurs)\s*:\s*", re.IGNORECASE
)
_LEAST_RATED = 3
"""Lines with a name and a rating that are a list of players, though they have no numbers."""
_COLOUR_BEHIND = re.compile(r"\s*[(\[](?:(?P<white>w|white)|b|black)[)\]]", re.IGNORECASE)
_COLOUR_BEFORE = re.compile(r"\b(?:(?P<white>w|white)|b|black)\s?[:=]\s?", re.IGNORECASE)
_NUMBER = re.compile(r"#?\s?(?P<number>[0-9]{1,4})(?:[.)]?\s+|$)", re.ASCII)
_TITLE = re.compile(r"(?:W?[GIFC]M|N?M)\s+(?=\S)")


class Side(NamedTuple):
    """What a line says of a player; what it does not say is empty."""

    line: int
    name: str
    number: int | None = None
    member: str = ""
    rating: float | None = None


class Board(NamedTuple):
    """A game; no letters where there is no result. Where it *has_colours*, the first player has White."""

    white: Side
    black: Side
    letters: tuple[str, str] | None
    has_colours: bool = True

    def turned(self) -> "Board":
        """Return the game with the player named second first."""
        letters = self.letters and (self.letters[1], self.letters[0])
        return self._replace(white=self.black, black=self.white, letters=letters)


class NamedBye(NamedTuple):
    """A player without an opponent."""

    side: Side
    letter: str


class PairedRound(NamedTuple):
    """A round, as one heading begins it."""

    number: int
    boards: list[Board]
    byes: list[NamedBye]


class PairedSection(NamedTuple):
    """The rounds of one section.

    Attributes:
        above: lines of text above the first round.
        players: those listed there.
        unread: lines with a board that cannot be read.
        left: other lines that say nothing that is read.
        days: of games and rounds, as they are written.
        is_match: whether a line above the first round speaks of a match.
    """

    above: list[str]
    players: list[Side]
    rounds: list[PairedRound]
    unread: list[tuple[int, str]]
    left: list[tuple[int, str]]
    days: list[tuple[int, str]]
    is_match: bool = False


def is_board(line: str) -> bool:
    """Return whether *line* has a result between two players, or behind them.

    >>> is_board("1. Anderson 1-0 Okafor"), is_board("Anderson - Okafor  \u00bd-\u00bd"), is_board("Round 1")
    (True, True, False)
    """
    return (board := board_of(line, 0)) is not None and board.letters is not None


def round_of(line: str) -> int:
    """Return the number of the round that *line* begins, 0 where it begins none.

    >>> round_of("Round 2 (Saturday 3 pm)"), round_of("Results of Round 3"), round_of("Rounds: 4")
    (2, 3, 0)
    """
    match = _ROUND.fullmatch(line.strip())
    if match is None or _NO_ROUND.search(match["rest"]) or is_like_a_game(match["rest"]):
        return 0
    number = (match["number"] or match["ordinal"] or match["short"]).lower()
    words = _CARDINALS if number in _CARDINALS else _ORDINALS
    return words.index(number) + 1 if number in words else int(number)


def days_of(heading: str) -> list[str]:
    """Return the first and the last day that the heading of a round names, none where it names none.

    >>> days_of("1. Round on 2026/03/07 at 10:00"), days_of("Round 2 (Saturday)")
    (['2026-03-07', '2026-03-07'], [])
    """
    mention = days_in(heading)
    return [str(day) for day in mention.days] if mention and mention.days else []


@functools.lru_cache(maxsize=_KEPT)
def board_of(line: str, number: int) -> Board | None:
    """Return the game in *line*, the *number*th of the file; None where it has none."""
    if len(line) > _LONGEST_LINE:
        return None
    for marks in (_COLOUR_BEHIND, _COLOUR_BEFORE):
        marked = [*marks.finditer(line)]
        colours = [bool(mark["white"]) for mark in marked]
        is_alone = len(marked) == 1 and marks is _COLOUR_BEHIND
        if is_alone or sorted(colours) == [False, True]:
            board = board_of(marks.sub(" " * 2, line), number)
            is_second = is_alone and board is not None and board.black.name in line[: marked[0].start()]
            return board.turned() if board and colours[0] is is_second else board
    sides, letters, is_numbered = _sides_in(line)
    if len(sides) != len(("white", "black")) or not (letters or is_numbered):
        return None
    white, black = (side_of(side, number) for side in sides)
    if not all(side.name or side.number or side.member for side in (white, black)):
        return None
    if any(_NO_NAME.search(side.name) for side in (white, black)):
        return None
    return Board(white, black, letters)


def _sides_in(line: str) -> tuple[list[str], tuple[str, str] | None, bool]:
    """Return the texts of both players, the letters of the result, and whether *line* has the number of a board."""
    outcome = outcome_in(line)
    left, right = (outcome.left, outcome.right) if outcome else (line, "")
    board = _BOARD.match(left)
    if board is not None and left[board.end() :].strip():
        left = left[board.end() :]
    sides = [part for part in _BETWEEN.split(left.strip(_MARKS_BETWEEN)) if part]
    if not right.strip():
        for between in (_TIGHT, _BEHIND_RATING):
            if outcome and len(sides) == 1:
                sides = between.split(left.strip())
    else:
        sides = [left, right]
    return sides, outcome.letters if outcome else None, board is not None


def is_bye(side: Side) -> bool:
    """Return whether *side* is no player: a bye in words, however much it is worth."""
    return bool(_BYE_NAME.fullmatch(side.name) or any(words.fullmatch(side.name) for _, words in _BYES))


def bye_of(line: str, number: int) -> list[NamedBye]:
    """Return the players without an opponent in *line*.

    >>> [(bye.side.name, bye.letter) for bye in bye_of("Smith, Tyler  half point bye", 1)]
    [('Smith, Tyler', 'H')]
    >>> [(bye.side.name, bye.letter) for bye in bye_of("Smith, Anna a half point bye", 1)]
    [('Smith, Anna', 'H')]
    >>> [bye_of(line, 1)[0].side.name for line in ("Smith, Anna full point bye", "Stone bye")]
    ['Smith, Anna', 'Stone']
    >>> [(bye.side.name, bye.letter) for bye in bye_of("Byes: Smith, Tyler; Chen, Grace (\u00bd)", 1)]
    [('Smith, Tyler', 'B'), ('Chen, Grace', 'H')]
    >>> [(bye.side.name, bye.letter) for bye in bye_of("Smith, Tyler (2, 1729, 0.5)  BYE", 1)]
    [('Smith, Tyler', 'B')]
    """
    line = re.sub(r"\bbyes\b", "bye", line, flags=re.IGNORECASE)
    for letter, words in _BYES:
        bye = words.search(line)
        if bye is None or line[bye.end() :][:1].isalpha():
            continue
        before, after = (text.strip(" \t:.,-\u2013") for text in (line[: bye.start()], line[bye.end() :]))
        before, after = before.rstrip(" ("), after.lstrip(" )")
        board = _BOARD.match(f"{before} ")
        before = _OWN_ROUND.sub("", before[board.end() :].strip() if board else before)
        before = _SCORE_BEFORE.sub("", before)
        if bool(before) is bool(after):
            continue
        names = (text.strip() for text in (before or after).split(";"))
        return [_bye(name, number, letter) for name in names if name and not _NO_ONE.fullmatch(name)]
    return []


def _bye(text: str, number: int, letter: str) -> NamedBye:
    half = re.search(rf"(?:\({_HALF}\)|(?<=\s){_HALF})\s*$", text)
    return NamedBye(side_of(text[: half.start()] if half else text, number), "H" if half else letter)


def side_of(text: str, line: int) -> Side:
    """Return the player that *text* names.

    >>> side_of("Anderson, Mark (2045)", 1)[1:], side_of("#3 Chen 90000010 1411", 1)[1:]
    (('Anderson, Mark', None, '', 2045.0), ('Chen', 3, '90000010', 1411.0))
    >>> side_of("Anderson, Mark CC-001", 1)[1:]
    ('Anderson, Mark', None, 'CC-001', None)
    >>> side_of("1. Ann Moore 1512 (12345671)", 1)[1:]
    ('Ann Moore', 1, '12345671', 1512.0)
    >>> side_of("1. Anderson, Mark (2045) - USCF ID 90000010", 1)[1:]
    ('Anderson, Mark', 1, '90000010', 2045.0)
    """
    player = player_in(text)
    rating = None if (written := parse_rating(player.rating)) is None else written.points
    name, number = player.name.strip(" ."), None
    if (numbered := _NUMBER.match(name)) and (
        int(numbered["number"]) < LOWEST_RATING or name[0] == "#" or not name[numbered.end() :]
    ):
        number, name = int(numbered["number"]) or None, name[numbered.end() :]
    elif numbered and rating is None:
        rating, name = float(numbered["number"]), name[numbered.end() :]
    return Side(line, _TITLE.sub("", name, count=1), number, player.player, rating)


def _plain(line: str) -> str:
    """Return *line* without the stars and pictures of chats.

    >>> _plain("*Round 1*"), _plain("Cole 1-0 Dean \u2705")
    ('Round 1', 'Cole 1-0 Dean ')
    """
    line = _BOLD.sub(r"\1", line)
    return (
        line
        if line.isascii()
        else "".join(sign for sign in line if category(sign) != "So").replace("\ufe0f", "")
    )


def lines_apart(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield *lines* with their numbers; several games on one line, perhaps behind a round, are lines of their own.

    >>> [*lines_apart(["R1: Cole-Dean 1-0, Bond-Hale 0-1"])]
    [(1, 'R1'), (1, 'Cole-Dean 1-0'), (1, 'Bond-Hale 0-1')]
    >>> [*lines_apart(["Rd 1: Cole 1 Dean 0; Bond 1/2 Hale 1/2"])]
    [(1, 'Rd 1'), (1, 'Cole 1 Dean 0'), (1, 'Bond 1/2 Hale 1/2')]
    >>> [*lines_apart(["Results of May 9, round 1:", "Cole-Dean 1-0"])]
    [(1, 'Results of May 9'), (1, 'round 1'), (2, 'Cole-Dean 1-0')]
    """
    before = 0
    for number, line in enumerate(map(_plain, lines), start=1):
        text, played = line, 0
        if len(line) <= _LONGEST_LINE and (behind := _GAMES_BEHIND.fullmatch(line.strip())):
            games = behind["games"] or behind["rest"]
            is_game = is_like_a_game(games) or is_board(games.partition(";")[0]) or bye_of(games, number)
            played = round_of(behind["heading"] or behind["short"]) if is_game else 0
            text = games if played else line
        elif len(line) <= _LONGEST_LINE and (ended := _ROUND_AT_END.fullmatch(line.strip())):
            below = next(filter(str.strip, lines[number : number + _LINES_BELOW]), "")
            is_heading = is_board(below) or bye_of(below, number)
            if is_heading and not round_of(line) and not is_like_a_game(ended["text"]):
                yield number, ended["text"]
                text = ended["heading"]
        if played and played != before:
            yield number, line[: -len(text)].strip().removesuffix(":")
        before = played if line.strip() else before
        for sign in ";,":
            parts = text.split(sign)
            if (
                len(parts) > 1
                and is_board(parts[0])
                and all(is_board(part) or bye_of(part, 0) for part in parts)
            ):
                yield from ((number, part.strip()) for part in parts)
                break
        else:
            yield number, text


def with_rounds(lines: Sequence[str]) -> Sequence[str]:
    """Return *lines* with the rounds that they do not tell, as far as these follow.

    The numbered games of a match of two are rounds; the games of an evening, in which nobody plays twice, are one.

    >>> with_rounds(["Game 1: Hooper 1 Petrov 0", "Game 2: Petrov 1 Hooper 0"])
    ['Round 1: Hooper 1 Petrov 0', 'Round 2: Petrov 1 Hooper 0']
    >>> with_rounds(["Cole beat Dean", "Bond 1-0 Hale"])
    ['Round 1: Cole beat Dean', 'Bond 1-0 Hale']
    """
    games = {at: game for at, line in enumerate(lines) if (game := _GAME_OF_MATCH.fullmatch(line.strip()))}
    if len(lines) > _MOST_LINES_OF_EVENING or any(round_of(line) for _, line in lines_apart(lines)):
        return lines
    boards = [board_of(game["game"], 0) for game in games.values()]
    pairs = {frozenset((board.white.name, board.black.name)) if board else frozenset() for board in boards}
    numbers = [int(game["number"]) for game in games.values()]
    if len(games) > 1 and len(pairs) == 1 and all(pairs) and sorted({*numbers}) == numbers:
        rounds = {at: f"Round {game['number']}: {game['game']}" for at, game in games.items()}
        return [rounds.get(at, line) for at, line in enumerate(lines)]
    played = {at: board for at, line in enumerate(lines) if (board := board_of(line, at)) and board.letters}
    sides = [side for board in played.values() for side in (board.white, board.black)]
    is_evening = (
        len(played) > 1 and is_one_round(sides) and not any(is_like_a_game(each.name) for each in sides)
    )
    if not is_evening:
        return lines
    first = min(played)
    return [*lines[:first], f"Round 1: {lines[first]}", *lines[first + 1 :]]


def is_one_round(sides: Iterable[Side]) -> bool:
    """Return whether nobody is among *sides* twice."""
    names = [side.member or side.name.casefold() or str(side.number) for side in sides]
    return len({*names}) == len(names)


def sections_of(lines: Sequence[str]) -> list[PairedSection]:
    """Return the sections in *lines* `with_rounds`; another begins where a round is no later one than that before."""
    sections: list[PairedSection] = []
    above: list[tuple[int, str]] = []
    paired: PairedRound | None = None
    for at, line in lines_apart(lines):
        if not line.strip():
            continue
        if number := round_of(line):
            if paired is None or number <= paired.number:
                sections.append(_begun(above))
            else:
                sections[-1].left.extend(above)
            above = []
            paired = PairedRound(number, [], [])
            sections[-1].rounds.append(paired)
            sections[-1].days.extend((at, day) for day in days_of(line))
        elif paired is None or not _read_line(sections[-1], paired, at, line):
            above.append((at, line))
    if sections:
        sections[-1].left.extend(above)
    return sections


def _begun(above: Sequence[tuple[int, str]]) -> PairedSection:
    """Return a section with the lines *above* its first round: its players, and what is said of it."""
    texts: list[str] = []
    players, unread = [], []
    numbers = [side_of(line, number).number for number, line in above if not is_board(line)]
    # One after the other: a list, even without ratings.
    is_list = [number for number in numbers if number] == [*range(1, len(numbers) - numbers.count(None) + 1)]
    is_list = is_list and len(numbers) - numbers.count(None) > 1
    rated = [line for _, line in above if not (is_board(line) or days_in(line)) and player_in(line).rating]
    if rated and _YEAR.search(rated[0]):
        del rated[0]
    for number, line in above:
        if beside := _players_beside(line, number):
            players += beside
            continue
        if is_board(line):
            unread.append((number, line.strip()))
            continue
        side = side_of(line, number)
        is_rated = line in rated and (side.number or len(rated) >= _LEAST_RATED)
        is_listed = side.name and (side.member or (side.number and is_list) or is_rated)
        if is_listed and (side.member or days_in(line) is None):
            players.append(side)
        else:
            texts.append(line.strip())
    is_match = any(_MATCH.search(line) for _, line in above)
    return PairedSection(texts, players, rounds=[], unread=unread, left=[], days=[], is_match=is_match)


def _players_beside(line: str, number: int, *, labelled: bool = False) -> list[Side]:
    """Return the players whom one line lists with their ratings, perhaps *labelled*; none where it lists nobody.

    >>> [side.rating for side in _players_beside("Match: Ann Cole (1890) vs. Bo Dean (1845)", 1)]
    [1890.0, 1845.0]
    >>> [
    ...     [side.name for side in _players_beside(text, 1)]
    ...     for text in ("Ann 1650, Bo unrated", "Ann Cole, Elm")
    ... ]
    [['Ann', 'Bo'], []]
    """
    label = _OF_PLAYERS.match(line.strip())
    if (labelled and label is None) or days_in(line):
        return []
    parts = [part for part in _BESIDE.split(line.strip()[label.end() if label else 0 :]) if part]
    is_list = len(parts) > 1 and all(player_in(part).rating for part in parts)
    return [side_of(part, number) for part in parts] if is_list else []


def _read_line(section: PairedSection, paired: PairedRound, number: int, line: str) -> bool:
    """Read a line of a round, or of players below it; return whether it is one."""
    if beside := _players_beside(line, number, labelled=True):
        section.players.extend(beside)
        return True
    if board := board_of(line, number):
        byes = [side for side in (board.white, board.black) if _BYE_NAME.fullmatch(side.name)]
        if not byes:
            paired.boards.append(board)
            return True
        side, letter = (
            (board.white, (board.letters or "WL")[0])
            if board.black in byes
            else (board.black, (board.letters or "LW")[1])
        )
        paired.byes.append(NamedBye(side, BYE_OF_RESULT[letter]))
        return True
    if byes_in_line := bye_of(line, number):
        paired.byes.extend(byes_in_line)
        return True
    if _NUMBERED.match(line) or is_like_a_game(line):
        section.unread.append((number, line.strip()))
        return True
    return False
