"""The profile of a federation and its rules: settings, as options, a file or a form give them, and the decisions."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ratebook.book.audit import BOOK
from ratebook.book.connection import Book, Connection
from ratebook.book.decisions import Decision, decide
from ratebook.book.failures import refused
from ratebook.book.ledger.pending import Pending, note_pending
from ratebook.book.profile import (
    Federation,
    Profile,
    adopt,
    change_profile,
    raise_revision,
    read_federation,
    store_rulebook,
)
from ratebook.checks.member_ids import pattern_of_form
from ratebook.findings import Finding, Place, Severity, finding, texts
from ratebook.model import System
from ratebook.office.action import Action, By, Condition, Kind, Parameter, Together, Values
from ratebook.office.decisions.revision import DecisionResult, Reason
from ratebook.office.face import COLOUR, LogoError, kept_logo, logo_of, readable
from ratebook.official_lists.calendar import EVERY_MONTH, THIRD_WEDNESDAY, is_cut_off
from ratebook.records.system_titles import SYSTEM_CHOICES, own_titles
from ratebook.rules.rulebook import DatedValue, RulebookError, added_overlay, check_overlay, timeline_text


def adopt_rules(book: Book, overlay: str | None, because: Reason, *, replace: bool = False) -> DecisionResult:
    """Adopt the timeline of this program, with an *overlay* (None: the one that holds), for the whole book.

    The overlay adds to the one that holds, unless it is to *replace* that; an empty one always does.
    """
    with book.writing() as connection:
        federation = read_federation(connection)
        before = federation.profile.overlay
        adopted = before if overlay is None else overlay
        try:
            if overlay is not None:
                check_overlay(overlay)
                if overlay and not replace:
                    adopted = added_overlay(before, overlay)
            rulebook = store_rulebook(connection, timeline_text(), adopted, because.actor.at)
        except RulebookError as failure:
            raise refused("rules-wrong", Place(subject="overlay"), failure=str(failure)) from failure
        if rulebook == federation.rulebook_id:
            raise refused("nothing-changes.rules", Place(subject="rules"))
        adopt(connection, rulebook)
        result = _decide_about_book(
            connection, because, "adopt-rules", {"rulebook": rulebook}, "rules adopted"
        )
        return result._replace(findings=tuple(_changed_rules(federation, read_federation(connection))))


def _changed_rules(before: Federation, after: Federation) -> Iterator[Finding]:
    """Yield a note that says which rules of the federation's own are new, changed, kept or dropped."""
    old, new = (defaultdict[str, list[DatedValue]](list) for _ in range(2))
    for federation, values in ((before, old), (after, new)):
        for name, value in federation.rulebook.overlay_values:
            values[name].append(value)
    groups = {
        "new": sorted(new.keys() - old.keys()),
        "changed": sorted(name for name in new.keys() & old.keys() if new[name] != old[name]),
        "kept": sorted(name for name in new.keys() & old.keys() if new[name] == old[name]),
        "dropped": sorted(old.keys() - new.keys()),
    }
    changes = "; ".join(f"{word}: {', '.join(names)}" for word, names in groups.items() if names)
    if changes:
        yield finding("overlay-adopted", Place(subject="rules"), changes=changes)


def adjust_profile(book: Book, profile: Profile, because: Reason) -> DecisionResult:
    """Change the profile of the federation (not its overlay, which `adopt_rules` changes)."""
    with book.writing() as connection:
        before = read_federation(connection).profile
        change_profile(connection, profile)
        changed = [
            name
            for name in profile._fields
            if name != "overlay" and getattr(profile, name) != getattr(before, name)
        ]
        waits = "systems changed" if "systems" in changed else ""
        return _decide_about_book(connection, because, "change-profile", {"changed": changed}, waits)


def _decide_about_book(
    connection: Connection, because: Reason, kind: str, details: Mapping[str, object], waits: str
) -> DecisionResult:
    """Record a decision about the whole book; *waits* says why all ratings wait for a re-rating, if they do."""
    number = decide(connection, because.actor, Decision(kind, BOOK, because.reason, details=details))
    if waits:
        note_pending(connection, [Pending("", f"decision {number}, {waits}", decision=number)])
    raise_revision(connection)
    return DecisionResult(number, waits=bool(waits))


LONGEST_TEXT = 200
LAST_MONTH = 12

SETTINGS = (
    Parameter("name", "Name of the federation", longest=LONGEST_TEXT),
    Parameter("country", "Country", hint="As reports spell it.", longest=LONGEST_TEXT),
    Parameter("contact", "Contact", hint="An address, shown on public pages.", needed=False),
    Parameter(
        "member_id_pattern",
        "Form of member ids",
        hint="A regular expression, such as [0-9]{8}; empty for any text.",
        needed=False,
        metavar="REGEX",
    ),
    Parameter(
        "id_form",
        "Form of member ids",
        hint='Such as NCF-00000: 0 is a digit, A a capital letter; "" allows any text.',
        metavar="FORM",
        in_forms=False,
    ),
    Parameter(
        "systems",
        "Systems",
        Kind.SEVERAL,
        option="--system",
        choices=SYSTEM_CHOICES,
        help="A system that the federation rates; repeatable.",
    ),
    Parameter(
        "system_names",
        "Names of systems",
        hint="On pages and in tables, such as regular=Classical, quick=Rapid; empty: those of US Chess.",
        needed=False,
        longest=LONGEST_TEXT,
    ),
    Parameter(
        "cut_off",
        "Cut-off of official lists",
        hint="A day of the month before, 1 to 28, third-wednesday, last-friday or last-day.",
        metavar="DAY",
    ),
    Parameter("list_months", "Months of official lists", Kind.MONTHS, 'Such as 1,4,7,10, or "every".'),
    Parameter(
        "least_published_games",
        "Games needed for an official rating",
        Kind.COUNT,
        option="--least-games",
        bounds=(0, 100),
    ),
    Parameter(
        "days_to_report",
        "Days allowed for sending a report",
        Kind.COUNT,
        "A report that comes later gets a warning.",
        bounds=(0, 3650),
    ),
    Parameter(
        "points_from_rating",
        "Points between rating and performance",
        Kind.COUNT,
        "A performance that is farther from the rating gets a warning.",
        bounds=(0, 3000),
    ),
    Parameter(
        "days_between_verifications",
        "Days between verifications of everything",
        Kind.COUNT,
        "In between, verifying what is new is enough for an official list.",
        bounds=(0, 3650),
    ),
    Parameter(
        "checks_off",
        "Warnings turned off",
        Kind.WORDS,
        option="--check-off",
        needed=False,
        longest=1_000,
        metavar="CODE",
        help="Turn off this warning, such as membership-expired or unrated-without-birth-date; repeatable.",
    ),
    Parameter(
        "checks_on",
        "Turn on this warning again; repeatable",
        Kind.WORDS,
        option="--check-on",
        metavar="CODE",
        in_forms=False,
    ),
    Parameter(
        "search_engines",
        "Search engines may list the pages of players",
        Kind.SWITCH,
        option="--search-engines/--no-search-engines",
    ),
    Parameter(
        "second_person",
        "Publishing in the browser needs a second person's consent",
        Kind.SWITCH,
        option="--second-person/--one-person",
    ),
    Parameter(
        "logo",
        "Logo",
        Kind.FILE,
        "An SVG or PNG file of at most 32 KB; pages show it 28 pixels high.",
        needed=False,
        metavar="FILE",
    ),
    Parameter("no_logo", "Remove the logo", Kind.FLAG, needed=False),
    Parameter(
        "accent",
        "Accent colour",
        hint="Of links and buttons, such as #1f5fbf; empty for blue.",
        needed=False,
        metavar="COLOUR",
    ),
    Parameter(
        "footer", "Footer", hint="A line at the foot of every page.", needed=False, longest=LONGEST_TEXT
    ),
    Parameter(
        "title_case",
        "Pages show names that came in capitals as people write them",
        Kind.SWITCH,
        option="--title-case/--as-they-came",
    ),
)
"""The settings of a profile, by the fields of `Profile` and of its checks."""
FACE = tuple(
    each
    for name in ("name", "accent", "logo", "no_logo", "footer", "title_case")
    for each in SETTINGS
    if each.name == name
)
"""Those by which a federation shows itself, those beside each other that belong together."""
KEYS = {
    each.flag[2:].replace("-", "_") if each.bounds else each.name: each
    for each in SETTINGS
    if each.name not in {"checks_on", "no_logo"}
}
"""The settings by the keys of a file."""


def settings_of(profile: Profile) -> dict[str, Any]:
    """Return the values of the settings, by their names; of a logo, its name."""
    logo = logo_of(profile.logo)
    settings = {**profile._asdict(), **profile.checks._asdict(), "checks_off": profile.checks.off}
    return settings | {"logo": "" if logo is None else logo.name}


class ProfileError(Exception):
    """Settings do not fit; *findings* say which."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        super().__init__()
        self.findings = tuple(findings)


def with_settings(profile: Profile, settings: Mapping[str, Any], findings: Iterable[Finding] = ()) -> Profile:
    """Return *profile* with the *settings* that are not None (a logo as its file has it); else a `ProfileError`."""
    values = {name: value for name, value in settings.items() if value is not None}
    wrong = [*findings, *_wrong(values)]
    if "logo" in values:
        try:
            values["logo"] = kept_logo(values["logo"])
        except LogoError as failure:
            wrong.append(finding("profile-logo-refused", Place(setting="logo"), reason=failure))
    if values.pop("no_logo", None):
        values["logo"] = ""
    if wrong:
        raise ProfileError(wrong)
    if "systems" in values:
        chosen = {System(word) for word in values["systems"]}
        values["systems"] = tuple(system for system in System if system in chosen)
    if "cut_off" in values:
        text = str(values["cut_off"])
        values["cut_off"] = str(int(text)) if text.isdecimal() else text
    if "id_form" in values:
        values["member_id_pattern"] = pattern_of_form(values.pop("id_form"))
    if "accent" in values:
        values["accent"] = values["accent"].lower()
    if "list_months" in values:
        values["list_months"] = tuple(sorted(set(values["list_months"])))
    checks = profile.checks
    off = {*checks.off, *values.pop("checks_off", ())} - set(values.pop("checks_on", ()))
    limits = {name: values.pop(name) for name in checks._fields if name in values}
    return profile._replace(**values, checks=checks._replace(off=tuple(sorted(off)), **limits))


def _wrong(values: Mapping[str, Any]) -> Iterator[Finding]:
    for name in ("name", "country", "contact", "footer", "member_id_pattern", "id_form", "system_names"):
        text = values.get(name, "text")
        blank = name == "name" and not str(text).strip()
        if not isinstance(text, str) or blank or len(text) > LONGEST_TEXT or not text.isprintable():
            yield _refused("profile-value-wrong.text", name, text, longest=LONGEST_TEXT)
    pattern = values.get("member_id_pattern", "")
    try:
        re.compile(str(pattern))
    except (re.error, RecursionError, OverflowError):
        yield _refused("profile-value-wrong.pattern", "member_id_pattern", pattern)
    systems = values.get("systems", list(System))
    known = {system.value for system in System}
    if not isinstance(systems, list | tuple) or not systems or not set(map(str, systems)) <= known:
        yield _refused("profile-value-wrong.systems", "systems", systems, systems=", ".join(System))
    names = str(values.get("system_names", ""))
    try:
        own_titles(names)
    except ValueError:
        yield _refused("profile-value-wrong.names", "system_names", names, systems=", ".join(System))
    cut_off = str(values.get("cut_off", THIRD_WEDNESDAY))
    if not is_cut_off(cut_off):
        yield _refused("profile-value-wrong.cut-off", "cut_off", cut_off)
    months = values.get("list_months", EVERY_MONTH)
    whole = isinstance(months, list | tuple) and all(type(month) is int for month in months)
    if not whole or not months or not all(1 <= month <= LAST_MONTH for month in months):
        words = ", ".join(map(str, months)) if isinstance(months, list | tuple) else months
        yield _refused("profile-value-wrong.months", "list_months", words)
    for name in (setting.name for setting in SETTINGS if setting.kind is Kind.SWITCH):
        if not isinstance(values.get(name, False), bool):
            yield _refused("profile-value-wrong.switch", name, values[name])
    yield from _wrong_accent(str(values.get("accent", "")))
    yield from _wrong_checks(values)


def _wrong_accent(accent: str) -> Iterator[Finding]:
    if accent and not COLOUR.fullmatch(accent):
        yield _refused("profile-value-wrong.colour", "accent", accent)
    elif accent and (shade := readable(accent)) != accent.lower():
        yield _refused("profile-value-wrong.contrast", "accent", accent, nearest=shade)


def _wrong_checks(values: Mapping[str, Any]) -> Iterator[Finding]:
    for key, setting in KEYS.items():
        least, most = setting.bounds or (0, 0)
        number = values.get(setting.name, least) if setting.bounds else 0
        if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
            yield _refused("profile-value-wrong.number", key, number, least=least, most=most)
    warnings = warning_codes()
    for key in ("checks_off", "checks_on"):
        codes = values.get(key, ())
        for code in codes if isinstance(codes, list | tuple) else [codes]:
            if code not in warnings:
                yield _refused("profile-value-wrong.codes", key, code)


def warning_codes() -> set[str]:
    """Return the codes of the warnings that can be turned off."""
    return {name.partition(".")[0] for name, text in texts().items() if text.severity is Severity.WARNING}


def _refused(code: str, name: str, value: object, **facts: object) -> Finding:
    return finding(code, Place(setting=name), value=str(value)[:80], name=name, **facts)


def _change(book: Book, because: Reason, values: Values) -> DecisionResult:
    with book.reading() as connection:
        before = read_federation(connection).profile
    settings = {setting.name: getattr(values, setting.name) for setting in SETTINGS}
    return adjust_profile(book, with_settings(before, settings), because)


CHANGE: Action[Book, DecisionResult] = Action(
    "profile",
    "Change the settings",
    "Show the federation's profile, or change the settings that you give as options.",
    [setting._replace(needed=False) for setting in SETTINGS],
    _change,
    more="Use adopt-rules to change the federation's own rules. After a change to the systems, the whole history waits"
    " for a re-rating. After a change to the checks, use recheck to check the waiting reports again.",
    examples=(
        "",
        '--cut-off last-friday --list-months 1,4,7,10 --reason "the board moved the day"',
        '--days-to-report 30 --check-off membership-expired --reason "a league of schools"',
        '--logo league.svg --accent "#0b5d2a" --reason "our own face"',
    ),
    by=By.ADMINISTRATOR,
    again=True,
)

OVERLAY = Parameter(
    "overlay",
    "Rules of your own",
    Kind.DOCUMENT,
    "Dated values in the format of the timeline; leave it empty to keep the current ones.",
    needed=False,
    longest=200_000,
    metavar="FILE.toml",
    help="The federation's own dated rules, in the format of the timeline.",
)
ADOPT_RULES: Action[Book, DecisionResult] = Action(
    "adopt-rules",
    "Adopt these rules",
    "Adopt the dated rules of this program, with the federation's own rules, for the whole book.",
    (
        OVERLAY,
        Parameter(
            "replace",
            "Drop your current rules",
            Kind.FLAG,
            help="Drop the federation's own rules that the overlay does not name.",
        ),
        Parameter(
            "no_overlay", "Adopt the timeline of this program without an overlay", Kind.FLAG, in_forms=False
        ),
    ),
    lambda book, because, values: adopt_rules(
        book, "" if values.no_overlay else values.overlay, because, replace=bool(values.replace)
    ),
    more="An overlay adds to the one that is in force: the rules that it names get its values, and the others keep"
    " theirs. A new version of the program never changes the rules of a book on its own. Afterwards the whole history"
    " waits for a re-rating; rerate --dry-run shows what that would change.",
    examples=(
        '--reason "rules of the February 2025 specification"',
        '--overlay league-rules.toml --reason "the board\'s vote of May 3"',
        '--overlay all-rules.toml --replace --reason "the rules written anew"',
    ),
    conditions=(
        Condition(Together.ALONE, ("no_overlay", "overlay"), "it is the timeline of this program"),
        Condition(Together.WITH, ("overlay", "replace")),
    ),
    by=By.ADMINISTRATOR,
    again=True,
)
