"""The file of norms, titles and classes: what it says, and that a wrong one does not load."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ratebook.rules.timeline import RulebookError
from ratebook.titles.norms import norms_of_section
from ratebook.titles.title_rules import TITLES_FILE, fingerprint, read_title_rules, title_rules
from support.builders import section

if TYPE_CHECKING:
    from collections.abc import Callable

TEXT = Path(TITLES_FILE).read_text("utf-8")


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    def written(text: str) -> Path:
        path = tmp_path / "titles.toml"
        path.write_text(text, "utf-8")
        return path

    return written


def test_the_packaged_file_is_read_once() -> None:
    assert title_rules() is title_rules()


def test_every_rule_has_a_source_and_every_reading_a_note() -> None:
    sources = title_rules().sources
    assert [f"[{source.rule}]" for source in sources] == [
        line for line in TEXT.splitlines() if line.startswith("[")
    ]
    assert {source.rule for source in sources if source.note} == {
        source.rule for source in sources if source.status == "inferred"
    }


# (text there, text instead, words that the error must contain)
BROKEN = [
    ("[norm]", "[norms]", ("the key 'norms' is not known",)),
    ("is = 1e-9\n", "", ("rule tolerance", "no value")),
    ("is = 1e-9", 'is = "little"', ("rule tolerance", "'little'", "Write a number")),
    ("is = 1e-9", "is = -1e-9", ("rule tolerance", "not negative")),
    ("is = 1e-9", "is = nan", ("rule tolerance", "Write a number")),
    ("is = 1e-9", "is = true", ("rule tolerance", "Write a number")),
    ('document = "RULINGS"', 'document = "RULING"', ("rule tolerance", "RULING is not known", "Name one of")),
    (
        'status = "documented"',
        'status = "certain"',
        ("rule expectancy", "'certain'", "documented, published or inferred"),
    ),
    ('note = "Our guard', 'remark = "Our guard', ("rule tolerance", "'remark' is not known")),
    ('status = "documented"', 'status = "inferred"', ("rule expectancy", "inferred without a note")),
    ('where = "section 6a, norm"\n', "", ("rule norm", "no text under 'where'")),
    ("[0, 0.5]", "[0, 1.5]", ("rule expectancy", "both rising")),
    ("[0, 0.5]", "[-500, 0.5]", ("rule expectancy", "both rising")),
    ("[-400, 0.0]", "[-inf, 0.0]", ("rule expectancy", "is no point")),
    ("[0, 0.5]", '[0, "half"]', ("rule expectancy", "is no point")),
    ("is = [[-400, 0.0], [0, 0.5], [200, 1.0]]", "is = 5", ("rule expectancy", "the points are 5")),
    ("games = 4, ", "", ("rule norm", "no 'games'")),
    ("games = 4, ", "games = 4.5, ", ("rule norm", "games is 4.5", "whole number")),
    ('["B", "X"]', '["B", "W"]', ("rule short_norm", "letters are", "Name some of X, ")),
    ("is = 1991-12-01", 'is = "1991-12-01"', ("rule first_day", "Write a day without quotes")),
    ("level = 1400", "level = 1200", ("rule norm_titles", "must rise")),
    ("level = 1400, ", "", ("rule norm_titles, row 2", "no 'level'")),
    ("level = 1400, ", "level = 1400, colour = 1, ", ("rule norm_titles, row 2", "'colour' is not known")),
    ('code = "NM"', 'code = "M"', ("titles share a code",)),
    ("from = 1800", "from = 2100", ("rule classes", "Write the highest first")),
    ('is = { code = "OLM", name = "Original Life Master" }', "is = 1", ("rule games_title", "not a table")),
]


@pytest.mark.parametrize(("old", "new", "words"), BROKEN)
def test_a_wrong_file_does_not_load(
    write: Callable[[str], Path], old: str, new: str, words: tuple[str, ...]
) -> None:
    assert old in TEXT, "the packaged file has changed: adapt this case"
    with pytest.raises(RulebookError) as caught:
        read_title_rules(write(TEXT.replace(old, new, 1)))
    for word in ("titles.toml", *words):
        assert word in str(caught.value)


def test_a_rule_that_is_left_out_is_named(write: Callable[[str], Path]) -> None:
    without = TEXT[: TEXT.index("[classes]")]
    with pytest.raises(RulebookError, match=r"titles\.toml, rule classes: it is missing"):
        read_title_rules(write(without))


def test_a_list_that_is_empty_is_refused(write: Callable[[str], Path]) -> None:
    empty = (
        TEXT[: TEXT.index("[classes]")] + '[classes]\nwhat = "w"\nis = []\ndocument = "D25"\nwhere = "w"\n'
    )
    with pytest.raises(RulebookError, match="rule classes: no list"):
        read_title_rules(write(empty + 'status = "documented"\n'))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RulebookError, match=r"nowhere\.toml: cannot be read"):
        read_title_rules(tmp_path / "nowhere.toml")


def test_other_rules_give_other_norms_and_another_fingerprint(write: Callable[[str], Path]) -> None:
    stricter = read_title_rules(write(TEXT.replace("margin = 1.0", "margin = 1.5", 1)))
    played = section(["W2 W3 W4 L5", "L1", "U L1", "U U L1", "U U U W1"])
    after = {str(seat): 1650.0 for seat in range(1, 6)}
    # C(1600) is 0.4375 a game: 3 exceeds 1.75 by 1.25.
    assert norms_of_section(played, after)[0].level == 1600
    assert norms_of_section(played, after, rules=stricter)[0].level == 1400
    assert fingerprint(stricter) != fingerprint(title_rules())


def test_texts_about_the_rules_do_not_change_the_fingerprint(write: Callable[[str], Path]) -> None:
    reworded = read_title_rules(write(TEXT.replace("One of three sources", "One source of three", 1)))
    assert reworded.sources != title_rules().sources
    assert fingerprint(reworded) == fingerprint(title_rules())
