"""How names are compared: the table of docs/formats/player-lists.md, and its edges."""

from __future__ import annotations

import pytest

from ratebook.player_lists.names import name_key, names_agree


@pytest.mark.parametrize(
    "same",
    [
        "ADAMS, EXAMPLE",
        "Example Adams",
        "example  adams",
        "Adams,Example",
        "ADAMS,\tEXAMPLE",
        "Ádams, Exämple",
        "ADAMS , EXAMPLE.",
    ],
)
def test_a_name_is_the_same_in_both_orders_without_case_accents_and_punctuation(same: str) -> None:
    assert name_key(same) == "example adams"


@pytest.mark.parametrize(
    "same", ["ADAMS JR, EXAMPLE", "Example Adams Jr.", "ADAMS, EXAMPLE, JR", "ADAMS, EXAMPLE JR"]
)
def test_a_suffix_may_stand_anywhere(same: str) -> None:
    assert name_key(same) == "example adams jr"


def test_a_son_is_not_his_father() -> None:
    assert name_key("ADAMS, EXAMPLE JR") != name_key("ADAMS, EXAMPLE")


def test_letters_with_strokes_are_folded() -> None:
    assert name_key("Przykład, Łukasz") == "lukasz przyklad"
    assert name_key("Søren Æxample") == "soren aexample"
    assert name_key("STRASSE, ß") == "ss strasse"


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        # Order, accents, punctuation
        ("ADAMS, EXAMPLE", "Example Adams", True),
        ("Sam García", "GARCIA SAM", True),
        ("Okafor, Zoë", "zoe okafor", True),
        ("Müller, Jörg", "Mueller Joerg", True),
        ("Mu\u0308ller, Ann", "MUELLER, ANN", True),
        ("O'Clark, Ann", "OCLARK ANN", True),
        # Hyphens, and parts that are joined or divided
        ("Baker-Clarkson, Jean-Luc", "Baker Clarkson Jeanluc", True),
        ("MacExample, Ann", "Mac Example, Ann", True),
        # Initials, names left out, names cut
        ("ADAMS, EXAMPLE Q", "E. Adams", True),
        ("Garcia Lopez, Maria", "Garcia, Maria", True),
        ("BAKER-CLARKSON, EXA", "Example Baker-Clarkson", True),
        ("Adams", "Adams, Ann", True),
        ("", "ADAMS, EXAMPLE", True),
        # Other persons
        ("ADAMS, ANN", "ADAMS, BEN", False),
        ("ADAMS, ANN", "BAKER, ANN", False),
        ("Garcia, Zoltan", "Okafor, Zoë", False),
        ("Smith, J", "Jones, S", False),
        ("Adams, A. B.", "Adams, A. C.", False),
        ("ADAMS, EXAMPLE JR", "ADAMS, EXAMPLE III", False),
        ("ADAMS, EXAMPLE JR", "ADAMS, EXAMPLE", True),
        ("INACTIVE ID", "ADAMS, ANN", False),
        # Nicknames and other spellings
        ("Smith, Bill", "Smith, William", False),
        ("Smith, Kathryn", "Smith, Katherine", False),
    ],
)
def test_names_agree_when_they_can_be_one_persons(one: str, other: str, *, agree: bool) -> None:
    assert names_agree(one, other) is agree
    assert names_agree(other, one) is agree
