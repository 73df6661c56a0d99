"""How names are compared, wherever an id or a name is looked up: in lists and in the book alike.

The rules are written down in docs/formats/player-lists.md#how-names-are-compared.
"""

from collections.abc import Iterable

_MOST_WORDS = 12
_BEGINNING = 2

_PUNCTUATION = str.maketrans(dict.fromkeys('.-"\t()/', " ") | dict.fromkeys("'’`", ""))  # noqa: RUF001 - this apostrophe occurs in names
SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv"})
# Letters with a stroke and the like have no decomposition.
_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}  # noqa: RUF001 - folded here
)
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
"""Letters that passports and lists write as two."""


def name_key(name: str) -> str:
    """Return a name as it is searched for: first name first, without case, accents and punctuation.

    >>> name_key("Müller-Example, José, Jr."), name_key("JOSE MULLER EXAMPLE JR")
    ('jose muller example jr', 'jose muller example jr')
    """
    last, comma, first = name.partition(",")
    if comma:
        name = f"{first.replace(',', ' ')} {last}"
    name = name.casefold() if name.isascii() else folded(name)
    words = name.translate(_PUNCTUATION).split()
    if len(words) > 1 and not SUFFIXES.isdisjoint(words):
        words.sort(key=SUFFIXES.__contains__)
    return " ".join(words)


def folded(text: str) -> str:
    """Return *text* in lower case without accents."""
    from unicodedata import combining, normalize  # noqa: PLC0415 - most lists are ASCII

    letters = normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not combining(letter)).translate(_LETTERS)


def similarity_keys(key: str) -> tuple[str, ...]:
    """Return what a similar name would share with the compared name *key*; empty for a single word.

    The last name and an initial, or the first name and the beginning of the last.

    >>> similarity_keys("jose example")
    ('example j', 'jose ex')
    """
    words = key.split()
    if len(words) > 1 and words[-1] in SUFFIXES:
        words.pop()
    if len(words) < 2:  # noqa: PLR2004 - a first and a last name
        return ()
    return (f"{words[-1]} {words[0][0]}", f"{words[0]} {words[-1][:_BEGINNING]}")


def names_agree(name: str, other: str) -> bool:
    """Return whether two names can be one person's; lists cut, abbreviate and leave out.

    Each part of the shorter name is a part of the other one, in any order, or one begins the other (an initial, a name
    that was cut); at least one part is the same in full. No name agrees with any name.

    >>> names_agree("ADAMS, EXAMPLE", "Example Q. Adams"), names_agree("ADAMS, ANN", "ADAMS, BEN")
    (True, False)
    """
    if name == other:
        return True
    return any(_parts_agree(mine, theirs) for mine in _spellings(name) for theirs in _spellings(other))


def _spellings(name: str) -> Iterable[list[str]]:
    """Return the parts of *name*, and those with its umlauts written as two letters where it has any."""
    return [name_key(text).split()[:_MOST_WORDS] for text in dict.fromkeys((name, spelt_out(name)))]


def spelt_out(name: str) -> str:
    """Return *name* with its umlauts written as two letters.

    >>> spelt_out("Adams"), spelt_out("Müller")
    ('Adams', 'mueller')
    """
    return name if name.isascii() else composed(name).translate(_SPELT_OUT)


def composed(name: str) -> str:
    """Return *name* in lower case, each letter with its accents as one."""
    from unicodedata import normalize  # noqa: PLC0415 - most lists are ASCII

    return normalize("NFC", name).casefold()


def _parts_agree(mine: list[str], theirs: list[str]) -> bool:
    suffixes = SUFFIXES.intersection(mine), SUFFIXES.intersection(theirs)
    if all(suffixes) and suffixes[0] != suffixes[1]:
        return False
    ours, others = ([part for part in parts if part not in SUFFIXES] for parts in (mine, theirs))
    # Joined or divided, the whole name or the rest of it: Jean-Luc and Jeanluc.
    if not mine or not theirs or "".join(ours) == "".join(others):
        return True
    same = False
    for part in tuple(ours):
        if part in others:
            ours.remove(part)
            others.remove(part)
            same = same or len(part) > 1
    return same and ("".join(ours) == "".join(others) or _begin_alike(*sorted((ours, others), key=len)))


def _begin_alike(shorter: list[str], longer: list[str]) -> bool:
    """Return whether each of the parts of *shorter* begins one of *longer*, or the other way round."""
    rest = list(longer)
    for part in sorted(shorter, key=len, reverse=True):
        partner = next((other for other in rest if other.startswith(part) or part.startswith(other)), None)
        if partner is None:
            return False
        rest.remove(partner)
    return True
