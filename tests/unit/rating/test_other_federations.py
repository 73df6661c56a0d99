"""Rules of other federations, against the numbers that their pages print (docs/rules/other-federations.md)."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ratebook.model import InitialRating, Rating, System
from ratebook.pages.players.answer import answer_of
from ratebook.rating.explanation.explain import explain
from ratebook.rating.explanation.public import explain_in_public
from ratebook.rating.formulas import expected_score
from ratebook.records.explanations import Explanation
from ratebook.rules.in_force import RulesInForce
from ratebook.rules.rulebook import RulebookError, check_overlay, load_rulebook
from support.builders import after_of, facts, rate, ratings_after, section, workings_of

FEDERATIONS = Path("examples/federations")
DAY = "2026-02-06"

PLAIN = """
special_most_games.values = [{ from = 2026-01-01, is = "off" }]
bonus_multiplier.values = [{ from = 2026-01-01, is = "off" }]
opponent_ratings.values = [{ from = 2026-01-01, is = "before" }]
"""
CHESS_N_MATH = """
expectancy.values = [{ from = 2026-01-01, is = "linear" }]
expectancy_most_difference.values = [{ from = 2026-01-01, is = 350 }]
plain_k_1.values = [{ from = 2026-01-01, is = { k = 32 } }]
"""
HAMILTON = """
initial_method.values = [{ from = 2026-01-01, is = "constant" }]
initial_constant.values = [{ from = 2026-01-01, is = 1500 }]
plain_k_1.values = [{ from = 2026-01-01, is = { k = 32, games_below = 31 } }]
plain_k_2.values = [{ from = 2026-01-01, is = { k = 16 } }]
"""
FIDE = """
expectancy.values = [{ from = 2026-01-01, is = "fide-table" }]
expectancy_most_difference.values = [{ from = 2026-01-01, is = 400 }]
k_times_games_most.values = [{ from = 2026-01-01, is = 700 }]
plain_k_1.values = [{ from = 2026-01-01, is = { k = 40, games_below = 30 } }]
plain_k_2.values = [{ from = 2026-01-01, is = { k = 40, rating_below = 2300, age_below = 18 } }]
plain_k_3.values = [{ from = 2026-01-01, is = { k = 20, rating_below = 2400 } }]
plain_k_4.values = [{ from = 2026-01-01, is = { k = 10 } }]
"""


def rules_of_overlay(overlay: str | Path) -> RulesInForce:
    source: Any = tomllib.loads(PLAIN + overlay) if isinstance(overlay, str) else overlay
    return load_rulebook().with_overlay_file(source).in_force(System.REGULAR, date.fromisoformat(DAY))


def rules_of_file(name: str) -> RulesInForce:
    return rules_of_overlay(FEDERATIONS / f"{name}.toml")


def one_against(
    rules: RulesInForce, own: float, opponents: list[float], results: str, games: int = 50
) -> float:
    """Return the rating after a section of one player against others who meet no one else."""
    cells = " ".join(f"{letter}{seat}" for seat, letter in enumerate(results, start=2))
    others = [
        " ".join(
            {"W": "L1", "L": "W1", "D": "D1"}[letter] if at == seat else "U" for at in range(len(results))
        )
        for seat, letter in enumerate(results)
    ]
    known = {"1": facts("1", Rating(own, games))}
    known |= {
        str(seat): facts(str(seat), Rating(rating, games)) for seat, rating in enumerate(opponents, start=2)
    }
    return ratings_after(rate(known, section([cells, *others], on=DAY), rules=rules))[0]


@pytest.mark.parametrize(
    ("own", "opponent", "result", "after"),
    [
        (600.0, 500.0, "W", 615.0),
        (500.0, 600.0, "L", 485.0),
        (500.0, 500.0, "W", 525.0),
        (500.0, 600.0, "D", 510.0),
        (500.0, 750.0, "W", 550.0),
        (500.0, 900.0, "W", 550.0),
        (900.0, 500.0, "W", 900.0),
    ],
)
def test_the_junior_club_changes_ratings_as_its_page_says(
    own: float, opponent: float, result: str, after: float
) -> None:
    """25 points a win, a tenth of the difference, changes between 0 and 50 (chessexpress.blogspot.com, March 2007)."""
    assert one_against(rules_of_file("junior-club"), own, [opponent], result) == pytest.approx(after)


def test_everyone_at_the_junior_club_starts_from_500() -> None:
    rated = rate(
        {"1": facts("1", None), "2": facts("2", Rating(600.0, 20))},
        section(["W2", "L1"], on=DAY),
        rules=rules_of_file("junior-club"),
    )
    assert rated.entries[0].before[:2] == (500.0, 0.0)
    assert ratings_after(rated) == pytest.approx([535.0, 565.0])
    assert after_of(rated, 1).games == 1


def test_the_example_of_the_chess_n_math_association() -> None:
    """600 with three wins, a loss and a draw against 575 to 675 becomes 637 (chess-math.org/scholastic-rating)."""
    rules = rules_of_overlay(CHESS_N_MATH)
    opponents = [575.0, 600.0, 625.0, 650.0, 675.0]
    assert one_against(rules, 600.0, opponents, "WWWLD") == pytest.approx(637.0)
    assert expected_score(rules, 600.0, 1000.0) == expected_score(rules, 600.0, 950.0)


def test_a_club_with_two_k_and_a_constant_start() -> None:
    """32 points, 16 after more than 30 games, everyone from 1500 (hamiltonchess.net)."""
    rules = rules_of_overlay(HAMILTON)
    assert one_against(rules, 1500.0, [1500.0], "W", games=30) == pytest.approx(1516.0)
    assert one_against(rules, 1500.0, [1500.0], "W", games=31) == pytest.approx(1508.0)


def test_an_adult_in_england_gains_ten_points_from_an_equal_and_a_junior_twenty() -> None:
    """Half of K, which is 20 of adults and 40 of juniors (mscl.crowborough.org)."""
    rules = rules_of_file("england")
    assert one_against(rules, 1500.0, [1500.0], "W") == 1510.0
    known = {
        "1": facts("1", Rating(1500.0, 50))._replace(birth_date=date(2010, 5, 2)),
        "2": facts("2", Rating(1500.0, 50))._replace(birth_date=date(1980, 5, 2)),
    }
    rated = rate(known, section(["W2", "L1"], on=DAY), rules=rules)
    assert [workings_of(rated, seat).k for seat in (1, 2)] == [40.0, 20.0]
    assert rated.findings == ()
    assert ratings_after(rated) == [1520.0, 1490.0]


def test_a_note_names_the_players_whose_k_could_depend_on_an_age() -> None:
    known = {
        "1": facts("1", Rating(1500.0, 50)),
        "2": facts("2", Rating(1500.0, 50))._replace(birth_date=date(1980, 5, 2)),
    }
    rated = rate(known, section(["W2", "L1"], on=DAY), rules=rules_of_file("england"))
    assert [(found.code, found.place.seats) for found in rated.findings] == [("k-age-missing", (1,))]
    assert workings_of(rated, 1).k == 20.0


def test_eight_games_by_the_table_of_fide() -> None:
    """1400 against eight opponents with K = 20: 2.54 expected, 4 scored, 1429 (puzzlefountain.com/tabella_rating.php).

    Its differences are not limited to 400 points, as in England.
    """
    rules = rules_of_file("england")
    opponents = [1479.0, 1670.0, 1312.0, 1940.0, 1404.0, 1519.0, 1400.0, 2295.0]
    printed = [0.39, 0.17, 0.62, 0.03, 0.49, 0.34, 0.50, 0.00]
    assert [expected_score(rules, 1400.0, opponent) for opponent in opponents] == pytest.approx(printed)
    assert one_against(rules, 1400.0, opponents, "WDWLLWDL") == 1429.0


@pytest.mark.parametrize(
    ("difference", "expected"), [(400.0, 0.92), (-400.0, 0.08), (1000.0, 0.92), (3.0, 0.5), (4.0, 0.51)]
)
def test_the_rule_of_400_points(difference: float, expected: float) -> None:
    """From 400 points on the stronger player is expected to score 0.92 (chesselo.com/400_rule.html)."""
    assert expected_score(rules_of_overlay(FIDE), 2000.0 + difference, 2000.0) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("rating", "games", "born", "k"),
    [
        (1500.0, 29, None, 40.0),
        (1500.0, 30, None, 20.0),
        (2250.0, 100, date(2010, 5, 2), 40.0),
        (2300.0, 100, date(2010, 5, 2), 20.0),
        (2399.0, 100, date(1990, 5, 2), 20.0),
        (2400.0, 100, date(1990, 5, 2), 10.0),
    ],
)
def test_k_of_fide_since_2014(rating: float, games: int, born: date | None, k: float) -> None:
    """40 for new players and for juniors under 2300, 20, and 10 from 2400 on (chesselo.com/new_fide_system.html)."""
    known = {
        "1": facts("1", Rating(rating, games))._replace(birth_date=born),
        "2": facts("2", Rating(1500.0, 50)),
    }
    rated = rate(known, section(["W2", "L1"], on=DAY), rules=rules_of_overlay(FIDE))
    assert workings_of(rated, 1).k == k


def test_k_times_the_games_is_at_most_700() -> None:
    """FIDE's regulations: the largest whole number, so 36 for 19 games at K = 40."""
    rules = rules_of_overlay(FIDE)
    opponents = [1500.0] * 19
    assert one_against(rules, 1500.0, opponents, "W" + "D" * 18, games=10) == pytest.approx(1500.0 + 36 * 0.5)


def test_the_grades_of_scotland() -> None:
    """185 points: 0.26 and 0.74; 2405 against 2465: 0.416; 1770 with 55 of 84, 50.338 expected: 1814."""
    rules = rules_of_file("scotland")
    assert round(expected_score(rules, 1475.0, 1660.0), 2) == 0.26
    assert round(expected_score(rules, 1660.0, 1475.0), 2) == 0.74
    assert round(expected_score(rules, 2405.0, 2465.0), 3) == 0.416
    # Opponents of one grade against whom 84 games have that expectation.
    opponents = [1698.88] * 84
    assert sum(expected_score(rules, 1770.0, opponent) for opponent in opponents) == pytest.approx(
        50.338, abs=0.01
    )
    assert one_against(rules, 1770.0, opponents, "W" * 55 + "L" * 29) == 1814.0


def explained(born: date) -> tuple[Explanation, Explanation]:
    """Return the office's and the public explanation of a player born on a day, in England."""
    known = {
        "1": facts("1", Rating(1500.0, 50))._replace(birth_date=born),
        "2": facts("2", Rating(1600.0, 50)),
    }
    rated = rate(known, section(["W2", "L1"], on=DAY), rules=rules_of_file("england"))
    rulebook = load_rulebook().with_overlay_file(FEDERATIONS / "england.toml")
    whole, public = explain(rated, 1, rulebook), explain_in_public(rated, 1, rulebook)
    assert whole is not None
    assert public is not None
    return whole, public


def test_a_public_explanation_shows_the_step_of_k_and_nothing_else_of_an_age() -> None:
    (whole, eight), (_, seventeen), (_, adult) = (
        explained(date(2018, 1, 3)),
        explained(date(2008, 3, 1)),
        explained(date(1980, 5, 2)),
    )
    for explanation in (whole, eight):
        # Games before do not count.
        assert answer_of(explanation).sums[0] == "K = 40"
        text = str(explanation)
        assert "K = 40, step 1 of the table of K: younger than 18." in text
        assert "The expected score comes from FIDE's table of differences." in text
        assert "plain_k_1_age_below" in text
        assert "Step 2" not in text
        assert "Step 4" not in text
    assert eight == seventeen
    assert "K = 20, step 2 of the table of K: for all others." in str(adult)


def test_an_explanation_names_the_constant_first_rating() -> None:
    rulebook = load_rulebook().with_overlay_file(FEDERATIONS / "junior-club.toml")
    known = {"1": facts("1", None), "2": facts("2", Rating(600.0, 20))}
    rated = rate(known, section(["W2", "L1"], on=DAY), rules=rules_of_file("junior-club"))
    assert rated.findings == ()
    for text in map(str, (explain(rated, 1, rulebook), explain_in_public(rated, 1, rulebook))):
        assert "Unrated before; everyone starts from 500." in text
        assert "age" not in text.replace("average", "").replace("percentage", "")


def test_an_office_can_still_decide_a_first_rating() -> None:
    newcomer = facts("1", InitialRating(900.0, 0))
    rated = rate(
        {"1": newcomer, "2": facts("2", Rating(900.0, 20))},
        section(["W2", "L1"], on=DAY),
        rules=rules_of_file("junior-club"),
    )
    assert ratings_after(rated)[0] == pytest.approx(925.0)


@pytest.mark.parametrize(
    ("overlay", "message"),
    [
        ('initial_method.values = [{ from = 2026-01-01, is = "constant" }]', "initial_constant is off"),
        ("plain_k_2.values = [{ from = 2026-01-01, is = { k = 20 } }]", "Number the steps from plain_k_1 on"),
        (
            "plain_k_1.values = [{ from = 2026-01-01, is = { k = 20, games_below = 30 } }]",
            "the last step of the table of K must hold for everyone",
        ),
        ("plain_k_1.values = [{ from = 2026-01-01, is = { games_below = 30 } }]", "lacks the key k"),
        ("plain_k_1.values = [{ from = 2026-01-01, is = { k = 20, until = 3 } }]", "has no key until"),
        ('expectancy.values = [{ from = 2026-01-01, is = "elo" }]', "logistic, linear, normal, fide-table"),
        ("effective_games.values = [{ from = 2026-01-01, is = 0 }]", "takes a table"),
    ],
)  # fmt: skip
def test_rules_that_cannot_rate_are_refused(overlay: str, message: str) -> None:
    with pytest.raises(RulebookError, match=message):
        check_overlay(overlay)


def test_the_examples_can_be_adopted() -> None:
    for name in ("junior-club", "england", "scotland"):
        file = FEDERATIONS / f"{name}.toml"
        check_overlay(file.read_text(encoding="utf-8"))
