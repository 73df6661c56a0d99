"""Time controls as tournament directors write them, and the systems that rate them.

T is the main minutes of all controls plus the seconds of delay or increment (D25 footnote 1): G/60;d5 is 65.
"""

import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from ratebook.findings import Finding, Place, finding
from ratebook.model import Section, SectionType, System
from ratebook.rules.rulebook import Rulebook, RuleNotKnown

DELAY = "delay"
INCREMENT = "increment"
NO_BONUS = "none"

LONGEST_CONTROL = 100
"""Characters of the longest text of one control that is read; the field of the report file has 40."""

LONGEST_TEXT = 4000
"""Characters of the longest text that is read: a schedule by round may say the control of each round."""

_ROUND = re.compile(
    r"(?=[sr])(?:schedule ?(?P<schedule>[0-9]{1,2}),? ?)?"
    r"(?:r(?:(?:oun)?ds?)?\.? ?(?P<first>[0-9]{1,2})(?: ?- ?(?P<last>[0-9]{1,2}))?)? ?:",
    re.IGNORECASE,
)
"""What stands before the control of a round in a schedule, such as ``Schedule 2 Round 1:``."""

_PARTING = " ,;"
_SEPARATOR = re.compile(rf"[{_PARTING}]*(?:(?:then|with|plus) [{_PARTING}]*)?")
_BRACKETS = re.compile(r"\(([^()]*)\)")
_CONTROL = re.compile(
    r"(?:(?P<word>game(?: in)?|g|sd|all) ?/? ?(?P<minutes>[0-9]{1,3})"
    r"|(?P<moves>[0-9]{1,3}) ?/ ?(?P<within>[0-9]{1,3}))(?: ?min(?:ute)?s?\b\.?)?(?![0-9])"
)
_REST = re.compile(r"[ ,;]*(?:then )?sd(?=$|[ ;]*(?:[d+]|inc))")
"""The rest of the game, without its minutes: 40/120 THEN SD."""
_ENOUGH = 66
"""Minutes before such a rest that make T greater than any bound (docs/formats/time-controls.md#classes)."""
_OF_SECONDS = r"s(?:ec(?:ond)?s?)?\.?"
# Programs cut texts: INCREME is the end of one of 30 characters.
_KIND = r"d(?:elay)?|inc(?:r(?:e(?:m(?:e(?:nt?)?)?)?)?)?"
_BONUSES = (
    re.compile(
        rf"/? ?(?P<sign>[+|]) ?/? ?(?P<seconds>[0-9]{{1,3}})(?![0-9])(?: ?{_OF_SECONDS}(?![a-z0-9]))?"
        rf"(?: ?(?P<kind>{_KIND})(?![a-z0-9]))?"
    ),
    re.compile(
        r"/? ?(?P<kind>inc(?:rement)?|(?:t/?)?d(?:elay)?) ?/? ?(?P<seconds>[0-9]{1,3})(?![0-9])"
        rf"(?: ?{_OF_SECONDS}(?![a-z0-9]))?"
    ),
    re.compile(
        rf"/? ?(?P<seconds>[0-9]{{1,3}})(?:[ -]?{_OF_SECONDS}(?= ?(?:delay|inc)))? ?(?P<kind>{_KIND})(?![a-z0-9])"
    ),
    # G150/5S says no kind; the delay was the rule when this was written (2011), and T is the same.
    re.compile(rf"(?P<kind>/) ?(?P<seconds>[0-9]{{1,3}}) ?{_OF_SECONDS}(?![a-z0-9])"),
)
"""A delay or an increment: +30, d5, the seconds first as in 5d and 5 sec delay, or /5s."""
_MINUTES = re.compile(r"(?P<minutes>[0-9]{1,3})(?: ?min(?:ute)?s?\b\.?)?(?![0-9])")
_MOST_MINUTES_ALONE = 180
"""Programs that write seconds (5400+30, 300+5) begin their longer games here."""

# A sudden-death or moves control of 1 or 2 is in hours ("40/2, SD/1"); G/1 and G/2 are minutes.
_HOURS = (1, 2)


class Control(NamedTuple):
    """One control: so many moves, or the rest of the game (None), within so many minutes."""

    moves: int | None
    minutes: int


class TimeControl(NamedTuple):
    """A time control that was understood; of a schedule by round, the slowest one.

    Attributes:
        controls: the controls in order of play.
        main_minutes: main minutes of all controls.
        seconds: delay or increment.
        kind: ``delay``, ``increment`` or ``none``.
        total: T, main minutes plus seconds.
        schedule: the different time controls of a schedule by round, the slowest first; else empty.
        in_words: whether the text is in words, not in notation.
    """

    text: str
    controls: tuple[Control, ...]
    main_minutes: int
    seconds: int
    kind: str
    total: int
    schedule: tuple["TimeControl", ...] = ()
    in_words: bool = False

    @property
    def of_rounds(self) -> tuple["TimeControl", ...]:
        """The different time controls of the rounds, in most cases this one alone."""
        return self.schedule or (self,)

    @property
    def notation(self) -> str:
        """The control as US Chess writes it; *text* where that has no form for it.

        >>> parse_time_control("1 hour + 10 sec").notation
        'G/60;+10'
        """
        text = "" if self.schedule else notation_of(self.controls, self.seconds, self.kind)
        return text or self.text

    @property
    def meaning(self) -> tuple[object, ...]:
        """What all texts for the same time control have in common."""
        return tuple((control.controls, control.seconds, control.kind) for control in self.of_rounds)


_Bonus = tuple[str, int]


TIME_CONTROL = Place(subject="time control")


@lru_cache(maxsize=256)
def parse_time_control(text: str, place: Place = TIME_CONTROL) -> TimeControl | Finding:
    """Return what *text* says, or a finding where it cannot be read; never raises.

    Source: rule 5C as quoted in docs/formats/time-controls.md; every spelling seen in real files is read, and those of
    announcements (90+30, G/60 5 sec delay) where they can mean one thing only.

    >>> parse_time_control("40/90, SD/30; d5").total
    125
    >>> parse_time_control("by arrangement").code
    'time-control-unreadable'
    """
    if len(text) > LONGEST_TEXT:
        return _unreadable(text, place, f"is longer than {LONGEST_TEXT} characters")
    before, rounds = _rounds_of(text)
    if not rounds:
        return _parse_text(text, place)
    if before:
        return _unreadable(text, place, f"has {before[:20]!r} before its first round")
    by_meaning: dict[tuple[object, ...], TimeControl] = {}
    for of_round in dict.fromkeys(control for _, control in rounds):
        control = _parse_text(of_round, place)
        if isinstance(control, Finding):
            return control
        by_meaning.setdefault(control.meaning, control)
    schedule = sorted(by_meaning.values(), key=lambda control: -control.total)
    return schedule[0]._replace(text=text, schedule=tuple(schedule) if len(schedule) > 1 else ())


def _rounds_of(text: str) -> tuple[str, list[tuple[re.Match[str], str]]]:
    """Return what is before the first round of a schedule, and each round's name and control."""
    spaced = " ".join(text.split())
    names = list(_ROUND.finditer(spaced))
    ends = [*(name.start() for name in names[1:]), len(spaced)]
    before = spaced[: names[0].start()] if names else spaced
    return before.strip(_PARTING), [
        (name, spaced[name.end() : end].strip(_PARTING)) for name, end in zip(names, ends, strict=False)
    ]


def _parse_text(text: str, place: Place) -> TimeControl | Finding:
    """Return the time control that *text* says for all rounds, in notation or in words."""
    control = parse_notation(text, place)
    if isinstance(control, Finding) and control.code == "time-control-unreadable":
        return _parse_words(text) or control
    return control


def parse_notation(text: str, place: Place = TIME_CONTROL) -> TimeControl | Finding:
    """Return the time control of all rounds that *text* says in notation, or a finding.

    >>> parse_notation("90 minutes").code, parse_notation("G/90").total, parse_notation("15|10").total
    ('time-control-unreadable', 90, 25)
    """
    if len(text) > LONGEST_CONTROL:
        return _unreadable(text, place, f"is longer than {LONGEST_CONTROL} characters")
    plain, rest = _REST.subn("", " ".join(_BRACKETS.sub(r" \1 ", text.lower()).split()))
    controls: list[Control] = []
    bonuses: list[_Bonus | None] = []
    minutes_alone = False
    at = _end_of_separator(plain, 0)
    while at < len(plain):
        if match := _CONTROL.match(plain, at):
            controls.append(_control(match))
            bonuses.append(None)
        elif bonuses and bonuses[-1] is None and (match := _bonus_at(plain, at)):
            kind = match["kind"] or match["sign"]
            bonuses[-1] = (INCREMENT if kind[0] in "+|i" else DELAY, int(match["seconds"]))
        elif not controls and (match := _MINUTES.match(plain, at)):
            minutes_alone = True
            controls.append(Control(None, int(match["minutes"])))
            bonuses.append(None)
        else:
            part = f" from {plain[at : at + 20]!r} on" if controls else ""
            return _unreadable(text, place, f"cannot be read{part}")
        at = _end_of_separator(plain, match.end())
    reason = (
        _why_impossible(controls)
        or (_why_unclear(controls, bonuses) if minutes_alone else "")
        or (
            "does not say the minutes of SD"
            if rest and sum(control.minutes for control in controls) < _ENOUGH
            else ""
        )
    )
    if reason:
        return _unreadable(text, place, reason)
    if any(bonus not in (None, bonuses[-1]) for bonus in bonuses):
        return finding("time-control-bonuses-differ", place, text=text)
    return _time_control(text, controls, *(bonuses[-1] or (NO_BONUS, 0)))


def _time_control(text: str, controls: Sequence[Control], kind: str, seconds: int) -> TimeControl:
    minutes = sum(control.minutes for control in controls)
    return TimeControl(
        text,
        controls=tuple(controls),
        main_minutes=minutes,
        seconds=seconds,
        kind=kind if seconds else NO_BONUS,
        total=minutes + seconds,
    )


def _parse_words(text: str) -> TimeControl | None:
    """Return the time control that *text* says in words, if it is certain."""
    from ratebook.rules.spoken_controls import spoken_control  # noqa: PLC0415 - start-up: only words need it

    spoken = spoken_control(text) if len(text) <= LONGEST_CONTROL else None
    if spoken is None or not spoken.is_certain:
        return None
    controls = [Control(*control) for control in spoken.controls]
    if _why_impossible(controls):
        return None
    control = _time_control(text, controls, DELAY if spoken.is_delay else INCREMENT, spoken.seconds)
    return control._replace(in_words=True)


def notation_of(controls: Sequence[Control], seconds: int, kind: str) -> str:
    """Return *controls* as US Chess writes them, empty where it cannot say them: it reads SD/1 and 40/2 as hours."""
    last = "G" if len(controls) == 1 else "SD"
    text = ",".join(f"{moves or last}/{minutes}" for moves, minutes in controls)
    text += f";{'d' if kind == DELAY else '+'}{seconds}" if seconds else ""
    parsed = parse_notation(text)
    return text if isinstance(parsed, TimeControl) and parsed.controls == tuple(controls) else ""


def same_control(text: str, other: str) -> bool:
    """Return whether two texts mean the same time control.

    >>> same_control("G/90; +30", "G/90;+30"), same_control("G/90", "G/90;+30")
    (True, False)
    """
    first, second = parse_time_control(text), parse_time_control(other)
    if isinstance(first, Finding) or isinstance(second, Finding):
        return text == other
    return first.meaning == second.meaning


def _why_impossible(controls: list[Control]) -> str:
    if not controls:
        return "is empty"
    if any(control.minutes == 0 or control.moves == 0 for control in controls):
        return "has a control without moves or without time"
    if any(control.moves is None for control in controls[:-1]):
        return "continues after the control for the rest of the game"
    return ""


def _why_unclear(controls: list[Control], bonuses: list[_Bonus | None]) -> str:
    """Return why a number alone need not be the minutes of a game: 90+30 is one, 60 could be anything."""
    if bonuses[0] is None:
        return "is a number without G/, delay or increment"
    if controls[0].minutes > _MOST_MINUTES_ALONE:
        return "could be in minutes or in seconds"
    return ""


def _bonus_at(text: str, at: int) -> re.Match[str] | None:
    return next((match for pattern in _BONUSES if (match := pattern.match(text, at))), None)


def _end_of_separator(text: str, at: int) -> int:
    match = _SEPARATOR.match(text, at)
    return match.end() if match else at


def _control(match: re.Match[str]) -> Control:
    if match["word"] in ("g", "game", "game in"):
        return Control(None, int(match["minutes"]))
    moves = None if match["moves"] is None else int(match["moves"])
    minutes = int(match["minutes"] if moves is None else match["within"])
    return Control(moves, minutes * 60 if minutes in _HOURS else minutes)


def _unreadable(text: str, place: Place, reason: str) -> Finding:
    shown = repr(text if len(text) <= LONGEST_CONTROL else text[:40] + "…")
    return finding("time-control-unreadable.of-section", place, shown=shown, reason=reason)


def systems_for(
    rulebook: Rulebook, time_control: TimeControl, on: date, *, online: bool
) -> tuple[System, ...]:
    """Return the systems that rate *time_control* on that day: two when dual-rated, none when not ratable.

    A schedule by round is rated in the systems that rate each of its rounds.
    A day before the timeline raises `RuleNotKnown`.

    Source: D25 footnote 1; rules/timeline/time_controls.toml.

    >>> from datetime import date
    >>> from ratebook.rules.rulebook import load_rulebook
    >>> dual = parse_time_control("G/60;d5")
    >>> [system.value for system in systems_for(load_rulebook(), dual, date(2025, 6, 1), online=False)]
    ['regular', 'quick']
    """
    systems = []
    for system in System:
        if system.online != online:
            continue
        rules = rulebook.in_force(system, on)
        if rules.system_exists == 1 and all(
            rules.time_control_least <= control.total <= rules.time_control_most
            for control in time_control.of_rounds
        ):
            systems.append(system)
    return tuple(systems)


def systems_of_section(section: Section, rulebook: Rulebook) -> tuple[System, ...]:
    """Return the systems that rate *section* by its time control on its day; none where these do not tell them.

    Foreign FIDE events have other rules.
    """
    control = None if section.type is SectionType.FIDE else parse_time_control(section.time_control or "")
    if not isinstance(control, TimeControl):
        return ()
    try:
        return systems_for(rulebook, control, section.rules_date, online=section.online)
    except RuleNotKnown:
        return ()


def check_schedule(
    rulebook: Rulebook, time_control: TimeControl, on: date, place: Place = TIME_CONTROL, *, online: bool
) -> list[Finding]:
    """Return an error when no system rates all rounds of a schedule."""
    if not time_control.schedule or systems_for(rulebook, time_control, on, online=online):
        return []
    classes = (
        (control.text, " and ".join(systems_for(rulebook, control, on, online=online)) or "no system")
        for control in time_control.schedule
    )
    rated = ", ".join(f"{text} in {names}" for text, names in classes)
    return [finding("time-control-rounds-differ", place, rated=rated, on=on)]


def check_main_time(
    rulebook: Rulebook,
    time_control: TimeControl,
    on: date,
    systems: tuple[System, ...],
    place: Place = TIME_CONTROL,
) -> list[Finding]:
    """Return a warning when the first control is shorter than *systems* require; it is still rated.

    Source: rule 5C in docs/formats/time-controls.md#classes; docs/rules/readings.md#time-control-classes.
    """
    first, text = min((control.controls[0].minutes, control.text) for control in time_control.of_rounds)
    least = max((rulebook.in_force(system, on).main_time_least for system in systems), default=0)
    if first >= least:
        return []
    names = " and ".join(systems)
    return [finding("main-time-short", place, text=text, first=first, names=names, least=least)]


def check_reading(time_control: TimeControl, place: Place = TIME_CONTROL) -> list[Finding]:
    """Return warnings about what was read, but may be meant otherwise, such as 60/5 or a round with two controls.

    Source: docs/formats/time-controls.md#notation.
    """
    findings = []
    for control in time_control.of_rounds:
        moves, minutes = control.controls[-1]
        if moves is not None and moves > minutes:
            findings.append(
                finding("time-control-unlikely", place, text=control.text, moves=moves, minutes=minutes)
            )
    of_round: dict[tuple[str | None, int], str] = {}
    for name, text in _rounds_of(time_control.text)[1] if time_control.schedule else ():
        first = int(name["first"] or 0)
        for number in range(first, int(name["last"] or first) + 1):
            other = of_round.setdefault((name["schedule"], number), text)
            if number and not same_control(other, text):
                findings.append(
                    finding("time-control-round-twice", place, number=number, one=other, other=text)
                )
    return findings
