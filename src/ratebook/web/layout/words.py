"""Names and days as people write them; a book, its files and programs have them as they came."""

import re
from contextvars import ContextVar
from datetime import date
from functools import lru_cache

from ratebook.model import System
from ratebook.records.system_titles import SYSTEM_TITLES

# fmt: off
PARTICLES = frozenset((
    "af", "al", "d'", "da", "de", "del", "della", "den", "der", "di", "dos", "du", "el", "la", "le", "ten",
    "ter", "van", "von", "y", "zu", "zum", "zur",
))
SMALL = frozenset((
    "a", "an", "and", "at", "by", "for", "in", "of", "on", "or", "the", "to", "vs", "with",
))
KEPT = frozenset((
    "AK", "AL", "AR", "AZ", "CA", "CO", "CT", "DC", "FL", "GA", "IA", "ID", "IL", "KS", "KY", "LA", "MA", "MD",
    "MI", "MN", "MO", "MS", "MT", "NC", "ND", "NE", "NH", "NJ", "NM", "NV", "NY", "PA", "PR", "RI", "SC", "SD",
    "TN", "TX", "UT", "VA", "VT", "WA", "WI", "WV", "WY", "ACC", "CC", "FIDE", "FM", "GM", "IM", "NM", "OTB",
    "TD", "US", "USA", "USCF", "WFM", "WGM", "WIM", "II", "III", "IV", "VI", "VII", "VIII", "IX", "XI", "XII",
))
# fmt: on
"""Words of a name in capitals that stay so: states, federations, titles, numbers."""
SYSTEMS = frozenset(System)
# fmt: off
DONE = {
    "accept": "accepted", "adopt": "adopted", "apply": "applied", "backup": "backed up", "change": "changed",
    "correct": "corrected", "create": "created", "deny": "denied", "erase": "erased", "found": "set up",
    "grant": "granted", "hold": "held back", "import": "imported", "merge": "merged", "publish": "published",
    "rate": "rated", "reject": "rejected", "rerate": "rated again", "restore": "restored", "revise": "replaced",
    "submit": "submitted", "undo": "undone", "upgrade": "upgraded", "verify": "verified",
    "withdraw": "withdrawn",
}
# fmt: on
"""What is said of something to which a verb was done: codes of actions and of decisions begin with one."""
_DAY = re.compile(r"(?<![\w'-])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![\w'-])", re.ASCII)
_NAMED = re.compile(
    r"(\b\w*[0-9]{3,}\w* \()([^\W\d_][^(),]*, [^()]+)(?=\))"
    r"|(\bcalls (?:this id|\w*[0-9]\w*) )"
    r"([^\W\d_][^(),.:;]*(?:, (?!but )[^\W\d_][^(),.:;]*)?(?:(?<=\b[A-Z])\.)?)(?=[,.])"
    r"|(\bseat [0-9]+, )([^\W\d_][^(),:;]*(?:, [^(),:;]+)?)(?=: [0-9])"
    r"|(\bseat [0-9]+ )([^\W\d_][^(),:;]*, [^(),:;]+)(?=, (?:round|floor request)\b)"
    r"|(^\w*[0-9]{3,}\w* )([^\W\d_a-z][^(),:;>]*, [^\W\d_][^(),:;>]*?)(?=[:,] | ->)"
    r"|((?:\bseat [0-9]+:|->) \w*[0-9]\w* )([^\W\d_][^(),:;>]*, [^(),:;>]+)(?= ->|: |$)"
)
"""A name with the surname first: in brackets after an id, as what an id is called, and in a change."""
WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
SUFFIXES = {"JR": "Jr", "SR": "Sr", "II": "II", "III": "III", "IV": "IV"}
AS_THEY_CAME: ContextVar[bool] = ContextVar("AS_THEY_CAME", default=False)
"""Whether the federation whose pages are made shows names in capitals as they came (`Profile.title_case`)."""


def in_title_case(text: str) -> str:
    """Return what came in capitals as it is written in running text; anything else as it is.

    >>> (
    ...     in_title_case("MAPLE FALLS MONTHLY"),
    ...     in_title_case("NY STATE OPEN U1300"),
    ...     in_title_case("Riverside Open"),
    ... )
    ('Maple Falls Monthly', 'NY State Open U1300', 'Riverside Open')
    """
    return text if not text.isupper() or AS_THEY_CAME.get() else _titled(text)


@lru_cache(maxsize=4_096)
def _titled(text: str) -> str:
    first = WORD.search(text)
    return WORD.sub(
        lambda word: _word(word.group(), is_first=first is not None and word.start() == first.start()), text
    )


def person_name(name: str) -> str:
    """Return a name as a person writes it, the given name first.

    >>> person_name("HERON, ALICE"), person_name("ALICE HERON"), person_name("heron, alice")
    ('Alice Heron', 'Alice Heron', 'alice heron')
    >>> person_name("O'BRIEN-MCDOWELL, MARY JO"), person_name("VAN DER BERG, ANNA")
    ("Mary Jo O'Brien-McDowell", 'Anna van der Berg')
    >>> person_name("Alder, Bruno Jr."), person_name("ALDER JR, BRUNO"), person_name("HERON, ALICE III")
    ('Bruno Alder Jr.', 'Bruno Alder Jr', 'Alice Heron III')
    """
    parts = [part.strip() for part in name.split(",")]
    if name.isupper() and not AS_THEY_CAME.get():
        parts = [_of_person(part, is_surname=at == 0 < len(parts) - 1) for at, part in enumerate(parts)]
    last, *given = parts
    words = " ".join(given).split()
    at_end = len(words) > 1 and words[-1].rstrip(".").upper() in SUFFIXES
    ordered = [*(words[:-1] if at_end else words), last, *(words[-1:] if at_end else ())]
    return " ".join(filter(None, ordered))


def code_words(code: str) -> str:
    """Return a code that programs write as people say it; what was done is told as done.

    >>> code_words("opening-balance"), code_words("online-quick"), code_words("")
    ('Opening balance', 'Online Quick', '')
    >>> code_words("correct-time-control"), code_words("submit")
    ('Time control corrected', 'Submitted')
    """
    if code in SYSTEMS:
        return SYSTEM_TITLES[System(code)]
    verb, _, thing = code.partition("-")
    words = f"{thing} {DONE[verb]}".strip() if verb in DONE else code
    return words[:1].upper() + words[1:].replace("-", " ")


def place_words(city: str, state: str) -> str:
    """Return where something is.

    >>> place_words("MAPLE FALLS", "NY"), place_words("", "NY")
    ('Maple Falls, NY', 'NY')
    """
    return ", ".join(part for part in (in_title_case(city), state) if part)


def days_words(first: date | None, last: date | None) -> str:
    """Return the days of an event.

    >>> days_words(date(2025, 10, 18), date(2025, 10, 19)), days_words(date(2025, 9, 30), date(2025, 10, 1))
    ('18 to 19 October 2025', '30 September to 1 October 2025')
    >>> days_words(None, date(2025, 10, 19)), days_words(date(2024, 12, 31), date(2025, 1, 1))
    ('19 October 2025', '31 December 2024 to 1 January 2025')
    """
    if first is None or last is None or first == last:
        return day_words(first or last)
    if first.year != last.year:
        return f"{day_words(first)} to {day_words(last)}"
    start = str(first.day) if first.month == last.month else day_words(first, year=False)
    return f"{start} to {day_words(last)}"


def day_words(day: date | str | None, *, year: bool = True, short: bool = False) -> str:
    """Return a day as it is read, also one that begins a moment.

    >>> day_words(date(2025, 10, 18)), day_words("2025-10-18T14:05:00Z", year=False), day_words(None)
    ('18 October 2025', '18 October', '')
    >>> day_words(date(2025, 10, 18), year=False, short=True)
    '18 Oct'
    """
    if not day:
        return ""
    known = day if isinstance(day, date) else date.fromisoformat(day[:10])
    return f"{known.day} {known:{'%b' if short else '%B'}}{f' {known.year}' if year else ''}"


def moment_words(text: str, *, short: bool = False) -> str:
    """Return a moment or a day as it is read, *short* in tables; any other text as it is.

    >>> moment_words("2026-11-20T12:05:59Z"), moment_words("2026-11-20T12:05:59Z", short=True)
    ('20 November 2026, 12:05', '20 Nov 2026, 12:05')
    >>> moment_words("2026-11-20", short=True), moment_words("never")
    ('20 Nov 2026', 'never')
    """
    if is_day(text):
        return day_words(text, short=short)
    return f"{day_words(text, short=short)}, {text[11:16]}" if is_moment(text) else text


def is_moment(text: str) -> bool:
    """Return whether *text* is a moment as records have it, in UTC.

    >>> is_moment("2026-11-20T12:00:00Z"), is_moment("2026-11-20")
    (True, False)
    """
    return len(text) == len("2026-11-20T12:00:00Z") and text[-1] == "Z" and is_day(text[:10])


def is_day(text: str) -> bool:
    """Return whether *text* is a day as records have it.

    >>> is_day("2026-11-20"), is_day("2026-11-31"), is_day("20 November")
    (True, False, False)
    """
    if len(text) != len("2026-11-20") or text[4] != "-" or text[7] != "-":
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def with_days_in_words(text: str) -> str:
    """Return *text* with its days as they are read, but not those that it quotes.

    >>> with_days_in_words("The event ends on 2026-10-04, but '2026-10-05' is a column.")
    "The event ends on 4 October 2026, but '2026-10-05' is a column."
    """
    return _DAY.sub(_day_words_of, text)


def in_running_text(text: str) -> str:
    """Return what a finding says with its days and the names of persons as they are read.

    >>> in_running_text("Perhaps 90000021 (LOON, CECILIA) or 90000012 (Alder Jr., Bruno) is meant.")
    'Perhaps 90000021 (Cecilia Loon) or 90000012 (Bruno Alder Jr.) is meant.'
    >>> in_running_text(
    ...     "The report calls 90000012 LOON, CECILIA, but the book calls this id Alder, Bruno Jr."
    ... )
    'The report calls 90000012 Cecilia Loon, but the book calls this id Bruno Alder Jr.'
    >>> in_running_text("The report calls 90000012 LOON CECILIA, but the book calls this id Alder, Bruno N..")
    'The report calls 90000012 Loon Cecilia, but the book calls this id Bruno N. Alder.'
    >>> in_running_text(
    ...     "that differ: seat 1, Heron, Alice: 1794 (pairing), book 2016; seat 2, LOON C: 9 (quick)"
    ... )
    'that differ: seat 1, Alice Heron: 1794 (pairing), book 2016; seat 2, Loon C: 9 (quick)'
    >>> in_running_text("section 1, seat 1 HERON, ALICE, round 2: win -> draw against seat 7")
    'section 1, seat 1 Alice Heron, round 2: win -> draw against seat 7'
    >>> in_running_text("seat 3: 90000012 Heron, Alice -> 90000021 Loon, Cecilia")
    'seat 3: 90000012 Alice Heron -> 90000021 Cecilia Loon'
    >>> (
    ...     in_running_text("90000012 HERON, ALICE: state: NY -> OH"),
    ...     in_running_text("90000012 Alder, Bo, quick floor: undone"),
    ... )
    ('90000012 Alice Heron: state: NY -> OH', '90000012 Bo Alder, quick floor: undone')
    >>> in_running_text("553 rows, 553 added, 0 changed"), in_running_text("100 points, or more: see")
    ('553 rows, 553 added, 0 changed', '100 points, or more: see')
    >>> in_running_text("It is read as 40 moves (W, D, L); ask for 2 (a, b).")
    'It is read as 40 moves (W, D, L); ask for 2 (a, b).'
    """

    def named(found: re.Match[str]) -> str:
        before, name = filter(None, found.groups())
        return f"{before}{person_name(name)}"

    return _NAMED.sub(named, with_days_in_words(text))


def _day_words_of(day: re.Match[str]) -> str:
    try:
        return day_words(day[0])
    except ValueError:
        return day[0]


@lru_cache(maxsize=4_096)
def _of_person(text: str, *, is_surname: bool) -> str:
    """Return a part of a name with its capitals; a particle is small before the word that it belongs to.

    Only a surname begins with one: Al, Van and Le are given names too, and a surname alone.
    """
    words = list(WORD.finditer(text))

    def word(match: re.Match[str]) -> str:
        part = match.group()
        if part in SUFFIXES and match.start() > 0:
            return SUFFIXES[part]
        is_first, is_last = match.start() == words[0].start(), match.end() == words[-1].end()
        is_particle = part.lower() in PARTICLES and not is_last and (is_surname or not is_first)
        return part.lower() if is_particle else _capitalised(part)

    return WORD.sub(word, text)


def _word(word: str, *, is_first: bool) -> str:
    if word in KEPT:
        return word
    return word.lower() if word.lower() in SMALL and not is_first else _capitalised(word)


def _capitalised(word: str) -> str:
    """Return a word with its capitals: the first letter, and those after Mc, O' and D'."""
    parts = re.split(r"(?<=['\u2019])", word)
    if len(parts) > 1 and len(parts[0]) == len("O'"):
        return "".join(part.capitalize() for part in parts)
    if word.startswith("MC") and len(word) > len("MCA"):
        return f"Mc{word[2:].capitalize()}"
    return word.capitalize()
