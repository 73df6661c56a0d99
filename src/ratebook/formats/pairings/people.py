"""Who is who in a list of pairings: players are named in full, by last name, by number or by id."""

import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple
from unicodedata import combining, normalize

from ratebook.findings import Findings, Place, list_text
from ratebook.formats.pairings.lines import PairedSection, Side
from ratebook.formats.reading.fields import shown

_WORD = re.compile(r"[^\W\d_]+")
_CLOSE = 0.8
_ANY = 0.6
_MOST_COMPARED = 200
"""Names: comparing all with all would take long where a file has thousands."""


class PairedPerson(NamedTuple):
    """A player of a section; the number is the one by which the list calls the player, 0 where it has none."""

    name: str
    number: int
    member: str
    rating: float | None


class PairedPeople:
    """The players of one section, with findings of names that could be several players, or none.

    Those of a *roster* who are named nowhere else do not play.

    Attributes:
        persons: in the order in which they are first named.
    """

    def __init__(
        self, findings: Findings, section: PairedSection, number: int, roster: Sequence[Side] = ()
    ) -> None:
        self._findings = findings
        self._where = Place(section=number)
        self.persons: list[PairedPerson] = []
        self._by_side: dict[tuple[str, int | None, str], int | None] = {}
        listed = section.players or roster
        self._is_listed = bool(listed)
        self._by_member: dict[str, list[int]] = {}
        self._by_number: dict[int | None, list[int]] = {}
        self._by_words: dict[tuple[str, ...], list[int]] = {}
        self._by_word: dict[str, list[int]] = {}
        mentions = [
            (paired.number, side)
            for paired in section.rounds
            for sides in (
                *((board.white, board.black) for board in paired.boards),
                *((bye.side,) for bye in paired.byes),
            )
            for side in sides
        ]
        # Whoever is named in full somewhere is known before a last name alone is looked up.
        sides = [*listed, *sorted((side for _, side in mentions), key=lambda side: -len(_words(side.name)))]
        for at, side in enumerate(sides):
            self._add(side, listed=at < len(listed))
        self._order([*section.players, *(side for _, side in mentions)])
        if not self._is_listed:
            self._report_alike(mentions)
        self._by_longest = {max(_words(each.name), key=len, default=""): each.name for each in self.persons}

    def of(self, side: Side) -> int | None:
        """Return the place in `persons` of the player that *side* names, None where it is not known."""
        return self._by_side[_key(side)]

    def named_in(self, text: str) -> list[str]:
        """Return the names of which *text* has the longest word, in its order."""
        words = dict.fromkeys(_WORD.findall(_folded(text)))
        return [self._by_longest[word] for word in words if word in self._by_longest]

    def _add(self, side: Side, *, listed: bool) -> None:
        key = _key(side)
        if key in self._by_side:
            self._complete(self._by_side[key], side)
            return
        meant = [] if listed else self._matching(side)
        if len(meant) > 1:
            names = list_text([shown(self.persons[at].name) for at in meant])
            place = self._where.but(line=side.line)
            self._findings.add("pairing-name-unclear", place, name=shown(_called(side)), names=names)
            self._by_side[key] = None
        elif meant:
            self._by_side[key] = meant[0]
            self._complete(meant[0], side)
        elif self._is_listed and not listed:
            self._report_unknown(side)
            self._by_side[key] = None
        else:
            self._by_side[key] = len(self.persons)
            self.persons.append(PairedPerson(side.name, side.number or 0, side.member, side.rating))
            self._index(len(self.persons) - 1, self.persons[-1])

    def _complete(self, at: int | None, side: Side) -> None:
        if at is not None:
            person = self.persons[at]
            words, whole = _words(person.name), _words(side.name)
            is_longer = len(whole) > len(words) and _is_part(words, whole)
            self.persons[at] = PairedPerson(
                name=side.name if is_longer else person.name or side.name,
                number=person.number or side.number or 0,
                member=person.member or side.member,
                rating=side.rating if person.rating is None else person.rating,
            )

    def _matching(self, side: Side) -> list[int]:
        if side.member and (side.member in self._by_member or not side.name):
            return self._by_member.get(side.member, [])
        if not side.name:
            return self._by_number.get(side.number, [])
        words = _words(side.name)
        if same := self._by_words.get(words):
            return same
        longest = max(words, key=len, default="")
        similar = self._by_word.get(longest, [])[:_MOST_COMPARED]
        if parts := [at for at in similar if _is_part(words, _words(self.persons[at].name))]:
            return parts
        if not self._is_listed:
            return []
        # A list may have last names alone.
        last = [at for word in words for at in self._by_word.get(word, [])[:_MOST_COMPARED]]
        return [at for at in dict.fromkeys(last) if _is_part(_words(self.persons[at].name), words)]

    def _index(self, at: int, person: PairedPerson) -> None:
        """Make a player known by id, number and name."""
        words = _words(person.name)
        if person.member:
            self._by_member.setdefault(person.member, [at])
        if person.number:
            self._by_number.setdefault(person.number, [at])
        if words:
            self._by_words.setdefault(words, [at])
        for word in {*words}:
            self._by_word.setdefault(word, []).append(at)

    def _order(self, sides: Iterable[Side]) -> None:
        """Put the players in the order in which they are first named."""
        order = dict.fromkeys(at for side in sides if (at := self._by_side[_key(side)]) is not None)
        places = {at: place for place, at in enumerate(order)}
        self.persons = [self.persons[at] for at in order]
        self._by_side = {key: None if at is None else places.get(at) for key, at in self._by_side.items()}

    def _report_unknown(self, side: Side) -> None:
        import difflib  # noqa: PLC0415 - start-up loads it only when needed

        names = [person.name for person in self.persons if person.name]
        close = difflib.get_close_matches(side.name, names, 1, _ANY)
        where, name = self._where.but(line=side.line), shown(_called(side))
        if close:
            self._findings.add("pairing-name-unknown.similar", where, name=name, similar=shown(close[0]))
        else:
            self._findings.add("pairing-name-unknown.like-none", where, name=name)

    def _report_alike(self, mentions: Sequence[tuple[int, Side]]) -> None:
        """Report names that are nearly alike and never in one round: two spellings of one player."""
        import difflib  # noqa: PLC0415 - start-up loads it only when needed

        rounds: dict[int, set[int]] = {}
        lines: dict[int, int] = {}
        for played, side in mentions:
            at = self.of(side)
            if at is not None:
                rounds.setdefault(at, set()).add(played)
                lines.setdefault(at, side.line)
        for at, earlier in combinations(sorted(rounds)[:_MOST_COMPARED], 2):
            name, other = self.persons[earlier].name, self.persons[at].name
            if not (name and other) or rounds[at] & rounds[earlier]:
                continue
            if difflib.SequenceMatcher(None, _folded(name), _folded(other)).ratio() >= _CLOSE:
                place = self._where.but(line=lines[earlier])
                self._findings.add(
                    "pairing-name-unknown.similar", place, name=shown(name), similar=shown(other)
                )


def _key(side: Side) -> tuple[str, int | None, str]:
    return side.name, side.number, side.member


def _called(side: Side) -> str:
    return side.name or side.member or str(side.number)


def _folded(name: str) -> str:
    return "".join(sign for sign in normalize("NFD", name.casefold()) if not combining(sign))


def _words(name: str) -> tuple[str, ...]:
    """Return the words of a name in any order, without accents.

    >>> _words("Müller, Anke") == _words("ANKE MULLER")
    True
    """
    return tuple(sorted(_WORD.findall(_folded(name))))


def _is_part(words: Sequence[str], whole: Sequence[str]) -> bool:
    """Return whether each of *words* is one of the *whole* name, or the first letter of one.

    >>> _is_part(["anderson", "m"], ["anderson", "mark"]), _is_part(["anders"], ["anderson", "mark"])
    (True, False)
    """
    whole_words = list(whole)
    for word in sorted(words, key=len, reverse=True):
        whole_word = next(
            (part for part in whole_words if part == word or (len(word) == 1 and part[0] == word)), None
        )
        if whole_word is None:
            return False
        whole_words.remove(whole_word)
    return bool(words)
