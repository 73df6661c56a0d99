"""Checks of texts: characters that no one sees, and digits of other scripts in ids."""

from collections.abc import Iterable, Iterator
from unicodedata import category

from ratebook.checks.member_ids import check_member_ids
from ratebook.checks.submission import Submission
from ratebook.findings import Finding, finding
from ratebook.formats.reading.fields import shown
from ratebook.formats.reading.report_texts import ReportText, texts_of

_INVISIBLE = frozenset({"Cf", "Zl", "Zp"})
"""Format characters, such as marks of direction and blanks without width; separators of lines and paragraphs."""

_BLANKS = " \t\u00a0"

_JOINERS = "\u200c\u200d"
"""Persian and Indian names are written with them."""


def check_ids_can_be_typed(submission: Submission) -> Iterator[Finding]:
    """Report ids with characters that no one sees, or with digits of another script.

    Two ids that look the same would be two players. Ids that do not have the form of member ids are reported as such.
    """
    ids = [
        (report_text, wrong)
        for report_text in _not_plain(submission)
        if report_text.is_id and (wrong := _strange(report_text.text))
    ]
    reported = {report_text.place for report_text in check_member_ids(submission)} if ids else set()
    for report_text, wrong in ids:
        if report_text.place not in reported:
            yield finding(
                "id-untypable", report_text.place, text=_shown(report_text.text), letters=_codes(wrong)
            )


def check_ids_can_be_addressed(submission: Submission) -> Iterator[Finding]:
    """Report ids of players and events that cannot be a part of an address: a dot or two, or blanks around the id.

    Each member and each rated event has a page. Every other sign is fine: 2026/3 is an id.
    """
    for report_text in texts_of(submission.report, lambda text: not can_be_addressed(text)):
        if report_text.is_id:
            yield finding("id-unaddressable", report_text.place, text=_shown(report_text.text))


def can_be_addressed(text: str) -> bool:
    """Return whether an id can be a part of the address of a page.

    >>> [can_be_addressed(one) for one in ("2026/3", "..", " 7")]
    [True, False, False]
    """
    return text not in {".", ".."} and text == text.strip(_BLANKS)


def check_names_can_be_seen(submission: Submission) -> Iterator[Finding]:
    """Report names of players that consist of characters that no one sees."""
    for report_text in _not_plain(submission):
        if report_text.field == "name" and report_text.place.players and not _visible(report_text.text):
            yield finding("name-invisible", report_text.place, letters=_codes(report_text.text))


def check_texts_can_be_seen(submission: Submission) -> Iterator[Finding]:
    """Report other texts with characters that no one sees: they change how a line is read, or hide that texts differ.

    The two joiners with which Persian and Indian names are written are not reported.
    """
    for report_text in _not_plain(submission):
        hidden = [letter for letter in report_text.text if _is_invisible(letter) and letter not in _JOINERS]
        if hidden and not report_text.is_id and (report_text.field != "name" or _visible(report_text.text)):
            yield finding(
                "text-invisible",
                report_text.place,
                field=report_text.field,
                text=_shown(report_text.text),
                letters=_codes(hidden),
            )


def _not_plain(submission: Submission) -> Iterator[ReportText]:
    return texts_of(submission.report, lambda text: not text.isascii())


def _is_invisible(letter: str) -> bool:
    return category(letter) in _INVISIBLE


def _strange(text: str) -> list[str]:
    return [letter for letter in text if not letter.isascii() and (letter.isdigit() or _is_invisible(letter))]


def _visible(text: str) -> bool:
    return not all(_is_invisible(letter) or letter.isspace() for letter in text)


def _shown(text: str) -> str:
    return shown(text.encode("ascii", "backslashreplace").decode()).replace("\\\\", "\\")


def _codes(letters: Iterable[str]) -> str:
    return ", ".join(f"U+{ord(letter):04X}" for letter in dict.fromkeys(letters))
