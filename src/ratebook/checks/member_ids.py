"""Checks of players' ids: their form, letters and signs that stand for digits, and words that are no ids."""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import groupby
from unicodedata import category, decimal, normalize

from ratebook.checks.submission import MEMBER_ID, Submission
from ratebook.findings import Finding, Place, finding
from ratebook.formats.hints import is_placeholder, is_seat_id
from ratebook.formats.reading.fields import shown
from ratebook.model import Report, SectionType

LEAST_IDS_OF_A_FORM = 3
MOST_OTHERS = 0.2
"""Share of ids that may have another form; with more of them, no form is that of the report."""

_LEAST_DIGITS = 4
"""An id with fewer digits is a key of the report's own, such as P1."""

_DECIMALS = re.compile(r"(?<=[0-9])\.0+$")
"""What a spreadsheet adds to a number."""

_DIGITS = str.maketrans("OolIi|!SsZzB\u0417", "0011111552283")
"""Letters and signs that are typed or read for digits."""

_LATIN = str.maketrans(
    "\u0410\u0412\u0421\u0415\u041d\u041a\u041c\u041e\u0420\u0422\u0425\u039f", "ABCEHKMOPTXO"
)
"""Cyrillic and Greek letters that look like Latin ones."""


def check_member_ids(submission: Submission) -> Iterator[Finding]:
    """Report ids that do not have the form of member ids.

    Every id must have the form given with ``--id-form``. Where it is not given, and one id is a member id of eight
    digits, all ids of digits must be, and none may be one with a letter for a digit, a blank or a sign in it; so, too,
    where nearly all ids have another form. Else a report may use keys of its own, such as P1. Players with a FIDE
    rating may be listed by their FIDE number, and opponents in foreign FIDE sections need no member id.
    """
    stated = submission.facts.member_id_pattern
    ids = own_ids(submission)
    form = form_of(ids) if stated is None else stated
    if not form:
        return
    pattern = re.compile(form)
    for player in ids:
        if pattern.fullmatch(player):
            continue
        of_digits = player.isascii() and player.isdecimal()
        if of_digits and submission.report.players[player].fide is not None:
            continue
        corrected = corrected_id(player, pattern)
        place = Place(players=(player,))
        if corrected:
            yield finding("member-id-wrong.similar", place, player=shown(player), corrected=corrected)
        elif stated is not None:
            yield finding("member-id-wrong.stated-form", place, player=shown(player))
        elif of_digits and form == MEMBER_ID:
            yield finding("member-id-wrong.digits", place, player=shown(player))


def check_ids_are_alike(submission: Submission) -> Iterator[Finding]:
    """Report ids with letters or signs that nearly all others of the report do not have.

    At least three ids and four of five, or all but one, have one form; ids with fewer than four digits are keys of the
    report's own.
    """
    if submission.facts.member_id_pattern is not None:
        return
    ids = own_ids(submission)
    form = form_of(ids)
    if not form:
        return
    pattern = re.compile(form)
    others = [player for player in ids if not pattern.fullmatch(player)]
    if len(ids) - len(others) < LEAST_IDS_OF_A_FORM or len(others) > max(1, MOST_OTHERS * len(ids)):
        return
    for player in others:
        digits = sum(letter.isdecimal() for letter in player)
        if _LEAST_DIGITS <= digits < len(player) and not corrected_id(player, pattern):
            yield finding("member-id-unlike", Place(players=(player,)), player=shown(player))


def check_ids_are_no_placeholders(submission: Submission) -> Iterator[Finding]:
    """Report ids that are words such as new, unknown or none.

    They name no one; in another report the same word would be another person.
    """
    for player in submission.report.players:
        if not player.isdecimal() and is_placeholder(player):
            yield finding("id-placeholder.key", Place(players=(player,)), player=shown(player))


def own_ids(submission: Submission) -> list[str]:
    """Return the ids that may be member ids: not those made of seats, nor those of foreign opponents."""
    foreign = foreign_opponents(submission.report)
    return [
        player
        for player in submission.report.players
        if player not in foreign
        and not is_seat_id(player)
        and (player.isdecimal() or not is_placeholder(player))
    ]


def foreign_opponents(report: Report) -> set[str]:
    """Return the players who sit in foreign FIDE sections only, as opponents."""
    foreign: set[str] = set()
    others: set[str] = set()
    for section in report.sections:
        for entry in section.entries:
            is_opponent = section.type is SectionType.FIDE and not entry.update
            (foreign if is_opponent else others).add(entry.player)
    return foreign - others


def form_of(ids: Collection[str]) -> str:
    r"""Return the pattern that the *ids* of a report have, empty where they have none in common.

    >>> (
    ...     form_of(["NCF-00123", "NCF-00124", "NCF-0O125", "NCF-00126", "NCF-00127"]),
    ...     form_of(["P1", "P2", "P3"]),
    ... )
    ('[A-Z]{3}\\-[0-9]{5}', '')
    """
    if any(re.fullmatch(MEMBER_ID, one) for one in ids):
        return MEMBER_ID
    forms = Counter("".join(map(_kind_of, one)) for one in ids)
    form, number = forms.most_common(1)[0] if forms else ("", 0)
    common = number >= LEAST_IDS_OF_A_FORM and len(ids) - number <= MOST_OTHERS * len(ids)
    return pattern_of_form(form) if common and form.count("0") >= _LEAST_DIGITS else ""


def _kind_of(letter: str) -> str:
    if letter.isascii() and letter.isdecimal():
        return "0"
    return "A" if letter.isascii() and letter.isupper() else letter


def pattern_of_form(form: str) -> str:
    """Return the pattern of ids of a form: 0 is any digit, A any capital letter, all else is itself.

    >>> pattern_of_form("NCF0000A"), pattern_of_form("")
    ('NCF[0-9]{4}[A-Z]', '')
    """
    kinds = {"0": "[0-9]", "A": "[A-Z]"}
    parts = ((kinds.get(letter, re.escape(letter)), len(list(same))) for letter, same in groupby(form))
    return "".join(part + (f"{{{number}}}" if number > 1 else "") for part, number in parts)


def corrected_id(text: str, pattern: re.Pattern[str]) -> str:
    """Return the id of the form *pattern* that *text* is probably meant to be, empty where there is none.

    Blanks, invisible characters and signs are left out; letters that look like digits become digits. Where that
    gives none, it is the only one that the text has in it.

    >>> form = re.compile("[0-9]{8}")
    >>> corrected_id("1234O077", form), corrected_id("#1234 5675", form), corrected_id("1234567E", form)
    ('12340077', '12345675', '')
    >>> corrected_id("16000001x", form), corrected_id("1234567.0", form)
    ('16000001', '')
    """
    within = {*re.findall(rf"(?<![0-9])(?:{pattern.pattern})(?![0-9])", text)}
    text = "".join(
        letter if (digit := decimal(letter, None)) is None else str(digit)
        for letter in normalize("NFKC", _DECIMALS.sub("", text))
        if category(letter)[0] not in "CZM"
    ).translate(_LATIN)
    as_digits = text.translate(_DIGITS)
    for at in range(len(text) + 1):
        tried = text[:at].upper() + as_digits[at:]
        for candidate in (tried, "".join(filter(str.isalnum, tried))):
            if pattern.fullmatch(candidate):
                return candidate
    return within.pop() if len(within) == 1 else ""
