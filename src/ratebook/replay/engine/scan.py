"""A pass over a chunk before it is rated: are its indexes safe, and which section must wait for which."""

from ratebook.replay.memory import Array

GOOD = 0
OPPONENT_OUTSIDE = 1
OPPONENT_IS_SELF = 2
SCORE_UNKNOWN = 3
PLAYER_TWICE = 4

MOST_SCORE = 2
FACTOR = 1_000_003


def scan_games(
    first_entry: Array,
    first_game: Array,
    member: Array,
    opponent: Array,
    score: Array,
    seen: Array,
    first_section: int,
    after: Array,
    unmirrored: Array,
) -> tuple[int, int, int]:
    """Return what is wrong with the first bad entry or game, its section and its place; else ``GOOD``.

    The columns are those of `memory.Chunk`; members are in range. *seen* has for each member the last section of the
    history in which the member played, plus 1. *after* is filled, and *unmirrored*: 1 for a section in which a game has
    no mirror image at the opponent.
    """
    for section in range(len(first_entry) - 1):
        first = first_entry[section]
        players = first_entry[section + 1] - first
        balance = 0
        for entry in range(first, first + players):
            own = entry - first
            after[entry] = -1
            if member[entry] >= 0:
                last = seen[member[entry]]
                if last == first_section + section + 1:
                    return PLAYER_TWICE, section, entry
                after[entry] = last - 1 - first_section
                seen[member[entry]] = first_section + section + 1
            for game in range(first_game[entry], first_game[entry + 1]):
                other = int(opponent[game])
                if other >= players:
                    return OPPONENT_OUTSIDE, section, entry
                if other == own:
                    return OPPONENT_IS_SELF, section, entry
                if score[game] > MOST_SCORE:
                    return SCORE_UNKNOWN, section, entry
                # Every pair adds as much at one side as its mirror takes away; a sum that is not 0 proves a difference.
                low, high = min(own, other), max(own, other)
                weight = (low * FACTOR + high) * FACTOR + (
                    int(score[game]) if own == low else 2 - int(score[game])
                )
                balance += weight if own == low else -weight
        unmirrored[section] = 1 if balance != 0 else 0
    return GOOD, 0, 0
