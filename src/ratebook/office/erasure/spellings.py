"""The ways in which texts write the name of a person: found in them, and taken out."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from ratebook.player_lists.names import SUFFIXES, composed, folded, spelt_out

ERASED = "(erased)"
"""What a text has instead of a name."""

LEAST_LETTERS = 3
"""Of a part of a name that is taken out by itself, and of a run of letters that a store is asked for."""

_BETWEEN = r"[\W_]+"
"""Between two words of a name: blanks, commas; of file names dashes and underscores."""
_PERHAPS_INITIAL = rf"{_BETWEEN}(?:[^\W_]{_BETWEEN})?"
_WORD = re.compile(r"[^\W_]+")
_LATIN = re.compile(rf"[a-z]{{{LEAST_LETTERS},}}")


class Spellings:
    """The names of a person, in either order, with and without case, accents, commas and initials.

    >>> ann = Spellings(["Müller, Ann"])
    >>> ann.without("Round 2: ANN Q. MULLER and Mueller-Ann, not Joann Muller")
    'Round 2: (erased) and (erased), not Joann Muller'
    >>> ann.without("Ms. Müller wrote"), ann.without("Ms. Müller wrote", about=True)
    ('Ms. Müller wrote', 'Ms. (erased) wrote')

    Attributes:
        names: as they were given.
        freely: whether initials, suffixes and later first names may be there or not, as in many a text.
    """

    def __init__(self, names: Iterable[str], *, freely: bool = True) -> None:
        self.names = tuple(dict.fromkeys(name for name in names if name.strip()))
        self.freely = freely
        orders = {order for name in self.names for order in _orders(name, freely=freely)}
        # The longest first, so that nothing of a longer one is left.
        whole = sorted((order for order in orders if len(order) > 1), key=len, reverse=True)
        parts = {part for order in orders for part in order if len(part) >= LEAST_LETTERS or len(order) == 1}
        between = _PERHAPS_INITIAL if freely else _BETWEEN
        self._whole = _pattern(between.join(map(_letters, order)) for order in whole)
        self._parts = _pattern(map(_letters, sorted(parts, key=len, reverse=True)))

    def __bool__(self) -> bool:
        """Return whether there is a name."""
        return bool(self.names)

    def within(self, text: str) -> bool:
        """Return whether *text* has one of the names."""
        return self.without(text) != text

    def within_any(self, texts: Iterable[str]) -> bool:
        """Return whether one of *texts* has one of the names."""
        return any(map(self.within, texts))

    @property
    def are_single(self) -> bool:
        """Whether each name is a single word, which many others have too."""
        return all(len(_words(name.replace(",", " "))) == 1 for name in self.names)

    def without(self, text: str, *, about: bool = False) -> str:
        """Return *text* with `ERASED` for each name; in one *about* the person for each part of a name, too."""
        for pattern in (self._whole, self._parts if about else None):
            if pattern is not None:
                text = _replaced(pattern, text)
        return text

    def runs(self) -> tuple[str, ...]:
        """Return runs of letters one of which every text has that has a name; none where a name has no Latin ones."""
        # Accents come and go with the spelling, and with them the letters that carry them.
        runs = [_LATIN.findall(composed(name)) for name in self.names]
        return tuple({max(of_name, key=len) for of_name in runs}) if all(runs) else ()


def _orders(name: str, *, freely: bool) -> Iterator[tuple[str, ...]]:
    """Yield the words of a name in both orders, *freely* also without later first names, initials and suffixes."""
    for spelling in (name, spelt_out(name)):
        last, comma, first = spelling.partition(",")
        last_name, first_names = (
            (_words(last), _words(first)) if comma else (_words(last)[-1:], _words(last)[:-1])
        )
        for firsts in (first_names, first_names[:1]) if freely else (first_names,):
            for words in ((*last_name, *firsts), (*firsts, *last_name)):
                yield words
                if freely:
                    yield tuple(word for word in words if len(word) > 1 and word not in SUFFIXES) or words


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for part in folded(text).split() if (word := "".join(_WORD.findall(part))))


def _letters(word: str) -> str:
    """Return the pattern of a word, which may have an apostrophe or a dash in it."""
    return "['\u2019`-]?".join(word)


def _pattern(alternatives: Iterable[str]) -> re.Pattern[str] | None:
    joined = "|".join(alternatives)
    return re.compile(rf"(?<![^\W_])(?:{joined})(?![^\W_])") if joined else None


def _replaced(pattern: re.Pattern[str], text: str) -> str:
    """Return *text* with `ERASED` where its folded form has the *pattern*."""
    letters, places = _folded_letters(text)
    found = list(pattern.finditer(letters))
    for match in reversed(found):
        begin, end = places[match.start()], places[match.end()]
        text = f"{text[:begin]}{ERASED}{text[end:]}"
    return text


def _folded_letters(text: str) -> tuple[str, list[int]]:
    """Return *text* folded, and the place in it from which each letter of that comes; its end is the last."""
    folds = [_fold(letter) for letter in text]
    places = [place for place, letters in enumerate(folds) for _ in letters]
    return "".join(folds), [*places, len(text)]


@lru_cache(maxsize=1 << 12)
def _fold(letter: str) -> str:
    return folded(letter)
