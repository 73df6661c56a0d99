"""A wrong timeline must not load; its error names file, rule, date and remedy."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from ratebook.rules.rulebook import RulebookError, load_rulebook, read_rulebook
from ratebook.rules.snapshot import TIMELINE

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def timeline(tmp_path: Path) -> Path:
    return shutil.copytree(TIMELINE, tmp_path / "timeline")


def test_the_shipped_timeline_loads_from_any_folder(timeline: Path) -> None:
    assert read_rulebook(timeline).rules == load_rulebook().rules


def test_the_shipped_timeline_is_read_once() -> None:
    assert load_rulebook() is load_rulebook()


# (file, text there, text instead, words that the error must contain)
BROKEN: list[tuple[str, str, str, tuple[str, ...]]] = [
    (
        "bonus.toml",
        "from = 2012-08-03",
        "from = 2007-08-03",
        ("bonus.toml", "bonus_multiplier", "2007-08-03", "after 2008-06-06", "dates must rise"),
    ),
    (
        "bonus.toml",
        "from = 2012-08-03",
        "from = 2008-06-06",
        ("bonus.toml", "bonus_multiplier", "2008-06-06", "given twice", "remove it"),
    ),
    (
        "bonus.toml",
        'unit = "rating points per square root of a game"\n',
        "",
        ("bonus.toml", "bonus_multiplier", "unit", "Write unit ="),
    ),
    (
        "bonus.toml",
        'document = "E25"',
        'document = "E52"',
        ("bonus_multiplier", "2025-01-01", "E52", "Name one of"),
    ),
    ("bonus.toml", 'document = "E25"\n', "", ("bonus_multiplier", "2025-01-01", "(none)", "Name one of")),
    (
        "bonus.toml",
        'document = "E25"\nwhere = "section 4.2"',
        'document = "E25"',
        ("bonus_multiplier", "2025-01-01", "where", "Give the section"),
    ),
    (
        "bonus.toml",
        'where = "section 8, 2014-03-20; J15 section 4.2"\nstatus = "published"',
        'where = "section 8"\nstatus = "certain"',
        ("bonus_multiplier", "2014-03-20", "certain", "documented, published or inferred"),
    ),
    (
        "matches.toml",
        'note = "Published in 2006; the day is our reading."',
        "",
        ("matches.toml", "match_established", "2006-01-01", "without a note"),
    ),
    ("systems.toml", '"online-quick"]', '"online-quik"]', ("system_exists", "online-quik", "Name some of")),
    (
        "systems.toml",
        '["regular", "quick"]',
        '["quick", "quick"]',
        ("system_exists", "2001-01-01", "different systems"),
    ),
    (
        "systems.toml",
        '["regular", "quick"]',
        "[]",
        ("system_exists", "2001-01-01", "leave it out for all six"),
    ),
    (
        "systems.toml",
        '["regular", "quick"]',
        '["quick"]',
        ("system_exists", "no value for regular", "Add one"),
    ),
    (
        "floors.toml",
        "from = 2001-01-01\nis = 100\n",
        "from = 2001-01-02\nis = 100\n",
        ("absolute_floor", "2001-01-02", "leaves a gap from 2001-01-01", "'off'"),
    ),
    (
        "floors.toml",
        "[absolute_floor]",
        "[absolut_floor]",
        ("floors.toml", "absolut_floor", "Did you mean absolute_floor"),
    ),
    ("floors.toml", "{ win = 4, ", "{ ", ("personal_floor", "2008-08-07", "lacks the key win")),
    ("floors.toml", "{ win = 4, ", "{ win = 4, loss = 1, ", ("personal_floor", "2008-08-07", "no key loss")),
    (
        "floors.toml",
        "is = { win = 4, draw = 2, section = 1, section_games = 3, most = 150 }",
        "is = 150",
        ("personal_floor", "takes a table of win, draw"),
    ),
    (
        "floors.toml",
        "is = 100\n",
        "is = { points = 100 }\n",
        ("absolute_floor", "2001-01-01", "takes a number"),
    ),
    ("floors.toml", "is = 100\n", "is = true\n", ("absolute_floor", "takes a number, not True")),
    ("floors.toml", "is = 100\n", "is = nan\n", ("absolute_floor", "finite number", "'unlimited'")),
    ("floors.toml", "is = 100\n", "is = inf\n", ("absolute_floor", "finite number", "'unlimited'")),
    ("floors.toml", "is = 100\n", "is = -1\n", ("absolute_floor", "write 'off'")),
    ("floors.toml", "is = 100\n", "is = -100\n", ("absolute_floor", "cannot be negative")),
    ("floors.toml", "is = 100\n", 'is = "off"\n', ("absolute_floor", "cannot be off")),
    ("floors.toml", "is = 100\n", 'is = "unlimited"\n', ("absolute_floor", "cannot be unlimited")),
    ("floors.toml", "is = 100\n", "", ("absolute_floor", "2001-01-01", "Write 'is'")),
    ("floors.toml", "step = 100 }", "step = 0 }", ("peak_floor_step must be above 0",)),
    ("floors.toml", "from = 2008-08-07", 'from = "2008-08-07"', ("personal_floor", "without quotes")),
    ("floors.toml", "from = 2008-08-07", "from = 2008-08-07T00:00:00", ("personal_floor", "without quotes")),
    ("floors.toml", "from = 2008-08-07", "since = 2008-08-07", ("personal_floor", "'from' is None")),
    (
        "floors.toml",
        "from = 2008-08-07",
        "from = 2008-08-07\nuntil = 2009-01-01",
        ("personal_floor", "2008-08-07", "'until'", "Known are"),
    ),
    (
        "floors.toml",
        "[[absolute_floor.values]]",
        "[[absolute_floor.value]]",
        ("absolute_floor", "'value'", "Known are"),
    ),
    ("floors.toml", "[absolute_floor]", "[absolute_floor", ("floors.toml", "not TOML")),
    (
        "stored_precision.toml",
        '"integer-away"',
        '"integer"',
        ("stored_precision", "2001-01-01", "float, integer-away"),
    ),
    ("stored_precision.toml", '"integer-away"', "2", ("stored_precision", "2001-01-01", "one of the words")),
    (
        "systems.toml",
        'is = 1\nsystems = ["blitz"]',
        'is = 2\nsystems = ["blitz"]',
        ("system_exists", "2013-03-01", "1 for yes or 0 for no"),
    ),
    ("initial_rating.toml", '["age"]', '["age", "ages"]', ("initial_priority", "'ages'", "one of the words")),
    ("initial_rating.toml", '["age"]', '["age", "age"]', ("initial_priority", "source twice")),
    ("initial_rating.toml", '["age"]', '"age"', ("initial_priority", "takes a list of at most 8")),
    ("initial_rating.toml", '["age"]', '[["age"]]', ("initial_priority", "one of the words")),
    (
        "age.toml",
        'too_young = "as-adult"',
        'too_young = "adult"',
        ("age_rating_too_young", "2006-03-01", "as-missing, as-adult"),
    ),
    ("age.toml", "least_age = 4", 'least_age = "off"', ("age_rating_least_age cannot be off",)),
    ("documents.toml", 'title = "Facts from other public pages"', "", ("documents.toml", "OUTSIDE", "title")),
    ("documents.toml", "[R95]", "R95 = 1995\n[other]", ("documents.toml", "R95", "not a table")),
]


@pytest.mark.parametrize(("file", "old", "new", "words"), BROKEN)
def test_a_wrong_timeline_does_not_load(
    timeline: Path, file: str, old: str, new: str, words: tuple[str, ...]
) -> None:
    text = (timeline / file).read_text("utf-8")
    assert old in text, "the shipped timeline has changed: adapt this case"
    (timeline / file).write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(RulebookError) as caught:
        read_rulebook(timeline)
    for word in words:
        assert word in str(caught.value)


def test_a_rule_that_is_left_out_is_named(timeline: Path) -> None:
    (timeline / "foreign_fide.toml").write_text("", "utf-8")
    with pytest.raises(RulebookError, match="No rule fills foreign_eligibility, foreign_automatic_rating"):
        read_rulebook(timeline)


def test_a_rule_without_values_is_refused(timeline: Path) -> None:
    (timeline / "stored_precision.toml").write_text('[stored_precision]\nwhat = "w"\nunit = "u"\n', "utf-8")
    with pytest.raises(
        RulebookError, match=r"stored_precision\.toml, rule stored_precision: no dated values"
    ):
        read_rulebook(timeline)


def test_a_rule_that_is_not_a_table_is_refused(timeline: Path) -> None:
    (timeline / "age.toml").write_text("age_rating = 100\n", "utf-8")
    with pytest.raises(RulebookError, match=r"age\.toml, rule age_rating: this is not a table"):
        read_rulebook(timeline)


def test_a_rule_in_two_files_is_refused(timeline: Path) -> None:
    text = (timeline / "age.toml").read_text("utf-8")
    with (timeline / "blend.toml").open("a", encoding="utf-8") as file:
        file.write(text)
    with pytest.raises(RulebookError, match=r"age\.toml, rule age_rating: blend\.toml has it too"):
        read_rulebook(timeline)


def test_a_field_that_two_rules_fill_is_refused(timeline: Path) -> None:
    rule = '[match_net]\nwhat = "w"\nunit = "u"\n[[match_net.values]]\nfrom = 2001-01-01\nis = "off"\n'
    with (timeline / "matches.toml").open("a", encoding="utf-8") as file:
        file.write(rule + 'document = "D25"\nwhere = "section 7"\nstatus = "documented"\n')
    with pytest.raises(RulebookError, match="both fill match_net_short_points"):
        read_rulebook(timeline)


def test_a_missing_file_is_named(timeline: Path) -> None:
    (timeline / "age.toml").unlink()
    with pytest.raises(RulebookError, match=r"age\.toml: cannot be read"):
        read_rulebook(timeline)


@pytest.mark.parametrize("data", [b"# \xff\n", b"a = " + b"1" * 5_000, b"a = " + b"[" * 5_000])
def test_a_file_that_is_no_toml_is_named(timeline: Path, data: bytes) -> None:
    (timeline / "age.toml").write_bytes(data)
    with pytest.raises(RulebookError, match=r"age\.toml: not TOML in UTF-8"):
        read_rulebook(timeline)
