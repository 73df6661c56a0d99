"""What is above a table: the event, its days, its time control, the name of each section.

A line above the first line "Section N" is about the whole event, one below it about that section.
Sources: docs/formats/crosstable.md#event-pages and docs/formats/tables.md#the-file.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from ratebook.findings import Findings, Place
from ratebook.formats.contract import Hints
from ratebook.formats.hints import Schedule, completed, joined
from ratebook.formats.reading.dates import WEEKDAY, Days, Mention, days_in, parse_days
from ratebook.model import Event, PlayerFacts, Report, Section, SectionType
from ratebook.rules.spoken_controls import LABEL

_DAY_LABELS = (
    r"(?:(?:event |section |tournament |playing )?(?:dates?|days?)(?:\(s\))?|played(?: on)?|when"
    r"|(?:spiel)?(?:datum|daten|tage?)|zeitraum|termine?|fechas?|datas?|dato|päivä(?:määrä)?|dias?|días?"
    r"|sp(?:el|ille|eel)(?:dat(?:um|o)|dag(?:ar|en|er)?))"
)
_CLOCK_LABELS = "(?:times?|clock|pace|zeit|uhr|hora|heure|ora|tid)"
"""What stands before a time control, or before the hour at which the first round starts."""
_EVENT_LABELS = (
    "(?:event|tournament|turnier|torneo|tournoi|torneio|toernooi|turnering|turnaus|competition|wettbewerb)(?: ?name)?"
    "|title|titel|nombre(?: del torneo)?|name of (?:the )?(?:event|tournament)"
)
_SECTION_LABELS = (
    r"(?:section|sec|division|group|gruppe|grupo|groupe|gruppo|groep|grupp|ryhmä|klasse|klass|class|sektion|secci[oó]n"
    r"|sezione|secção|sectie|osasto)(?: ?name)?"
)
_OTHER_LABELS = (
    r"location|place|site|venue|city|town|(?:spiel)?ort|lieu|lugar|luogo|local|plaats|plats|sted|paikka|where|federation"
    r"|land|country|(?:sponsoring )?affiliate|club|organi[sz]er|organi[sz]ador|organisateur|veranstalter|ausrichter"
    r"|sponsors?|(?:chief |deputy )?(?:assist\.? )?td|(?:tournament |chief )?director|(?:chief |deputy )?arbiter"
    r"|[aá]rbitr[eo]|(?:haupt)?schiedsrichter|turnierleit(?:er|ung)|domare|dommer|processed|rated by"
    r"|(?:number |no\.? )?(?:of )?rounds|runden(?:zahl)?|rondes?|rondas|turni|ronder|players|participants"
    r"|entries|teilnehmer(?:zahl)?|joueurs|jugadores|giocatori|average (?:elo|rating)|contact|e-?mail"
    r"|(?:tele)?phone|tel|web ?(?:site)?|url|fees?|entry(?: fee)?|prizes?|(?:pairing )?system|pairings?"
    r"|tie-?breaks?|rating|type|format|notes?|remarks?|comments?|author|schedule"
)
_LABELLED = re.compile(
    rf"(?:(?P<days>(?:event |section |tournament )?dates?(?:\(s\))?|{_DAY_LABELS}(?=\s*[:|\t]))|(?P<control>{LABEL}))"
    r"(?:\s*[:;|]\s*|\s+)(?P<value>\S.*)"
    # Such a word may begin a name too: a colon, a tab or several blanks end it where it does not.
    rf"|(?:(?P<name>{_EVENT_LABELS})|(?P<section>{_SECTION_LABELS})|(?P<clock>{_CLOCK_LABELS})|(?P<stats>stats)|{_OTHER_LABELS})"
    r"(?:\s*[:\t]\s*|\s{2,})(?P<text>\S.*)",
    re.IGNORECASE,
)
_NEXT_LABEL = re.compile(
    rf"(?:\t|\s{{2,}}|\s*[|;]\s*)(?=(?:{_DAY_LABELS}|{LABEL}|{_EVENT_LABELS}|{_SECTION_LABELS}|{_OTHER_LABELS})\s*[:\t])",
    re.IGNORECASE,
)
"""What divides the facts of one line: Section: Open   Time control: G/60;d5."""
_UNKNOWN_LABEL = re.compile(r"(?P<label>[^\W\d_][^\d\t:]{0,30}?)\s*[:\t]\s*(?P<text>\S.*)")
_MOST_WORDS_OF_LABEL = 3
_DIVIDED = re.compile(r"\t(?=[d+]\s?[0-9]|SD\b|G/)", re.IGNORECASE)
"""Where a table divided by semicolons has divided a time control."""
_SECTION = re.compile(
    r"section\s*[-#]?\s*(?P<number>[0-9]{1,4})(?:\s*[-:]\s*(?P<name>\S.*)?)?", re.IGNORECASE | re.ASCII
)
_HEADING = re.compile(
    r"(?:SwissSys|WinTD)\s+(?:wall\s*chart|standings|crosstable)[.:]?(?:\s+(?P<event>\S.*?)(?::\s*(?P<section>[^:]+))?)?",
    re.IGNORECASE,
)
"""The heading of a printed chart: the program, the event, the section."""
_OF_A_CHART = re.compile(
    r"(?<=[^\s:])(?:\s+[-\u2013:|]\s+|\t\s*|\s{2,})"
    r"(?:rounds?(?=\s*:$)|cross ?table|wall ?chart|(?:final )?standings|grille|classement|rangliste"
    r"|kreuztabelle|clasificaci[o\u00f3]n|classifica)\b.*",
    re.IGNORECASE,
)
"""What programs say of their table behind the name of the event."""
_EVENT_ID = re.compile(r"(?P<name>.*\S)\s*\((?P<id>[0-9]{12})\)", re.ASCII)
_TOURNAMENT_TYPE = re.compile(r"Tnmt Type:\s*(?P<letter>[SRM])\b")
_NO_NAME = re.compile(
    r"last update|https?:|www\.|\S@\S|cross ?table|wall ?chart|standings|\bWinTD\b|\bSwissSys\b|results-server"
    r"|starting rank|\b[0-9]+[ -]?(?:rounds?\b|rds?\b|ss\b|rr\b)|^(?:rounds?|rn?ds?|r)\s*[0-9]|\bfees?\b|chess-?results"
    r"|^(?:(?:start)?rangliste|(?:kreuz)?tabelle|classement|clasificaci[oó]n|classifica\w*|st[aä]ndet?|slutställning|eindstand"
    r"|grille|fortschritt)\b|\b(?:after|nach|après|después|dopo|na|efter|etter)\b.*\b(?:round|r[ou]nd[ae]n?|turno)\b|:$"
    rf"|^{WEEKDAY}$|^(?:played|held|hosted)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    r"[a-z]\S*(?:\s+\S+){3,}|.*[?,]|(?:\S+\s+){4,}.*[a-z]{2}(?<![Mm]in|[Ss]e[ck]|[Ss]td)[.!]"
    r"|(?i:hello|hi|hey|dear|good (?:morning|afternoon|evening)|hallo|hej|hola|ciao|bonjour|here (?:is|are|comes?)"
    r"|please|attached|enclosed|results? (?:for|from|of) (?:last|this|the|our|my|today|yesterday|saturday|sunday)"
    r"|thanks|thank you|(?:best |kind )?regards|cheers|sincerely|yours)\b.*"
)
"""What a letter says above a table: such a line names neither an event nor a section."""
_OF_ANOTHER_DAY = re.compile(
    r"last update|updated\b|printed|exported|created|generated|downloaded|processed|regist|entry|entries|deadline"
    r"|published|posted|as of\b|aktualisier|änderung|gedruckt|druckdatum|erstellt|exportiert|meldeschluss|anmeld"
    r"|mise à jour|imprim|créé|inscri|actualiza|impres|atualiza|aggiorn|stampat|iscri|bijgewerkt|afgedrukt"
    r"|uppdater|opdater|oppdater|utskriven|udskrevet|päivitetty|tulostettu"
    r"|\b(?:next|upcoming|previous|nächste[rs]?|prochaine?|pr[óo]xim[oa]|prossim[oa]|volgende?|nästa|næste|neste|seuraava)\b"
    r"(?=[^:\t]*[:\t]| (?:tournament|event|turnier|torneo|tournoi|torneio|toernooi|turnering)\b)",
    re.IGNORECASE,
)
"""What stands beside a day on which no game was played."""
_PARTS = re.compile(r"\s+[-\u2013\u2014|\u2022\u00b7]\s+|\s*(?:(?<![0-9])\||\|(?![0-9])|[\u2022\u00b7\t])\s*")
_CONTROL = re.compile(
    r"\b(?:(?:G(?:ame)?(?: in)?\s?/?\s?[0-9]{1,3}|[0-9]{2}/[0-9]{1,3}(?=.*\b(?:SD|G)\b)|[0-9]{2,3}\s?\+\s?[0-9]{1,2})\b"
    r"|(?:^|(?<=blitz )|(?<=- )|(?<=, )|(?<=[(\t]))[1-9]\s?[+|]\s?[0-9]{1,2}\b"
    r"|(?:one|two|an) hours?\b|half an hour\b|(?:thirty|forty-five|sixty|ninety) min"
    r"|[0-4]:[0-5][0-9](?=\s?\+)|[0-9]{1,2}(?= moves\b)"
    r"|[0-9]{1,3}(?:[.,]5)?(?=\s?(?:'|m\b|min|h|std|or[ae]|tim|tun|uur))).*",
    re.IGNORECASE | re.ASCII,
)
"""Where a time control may begin."""
_TIME = re.compile(r"\b[0-9]{1,3}\s?(?:min(?:ut[a-z]*)?|hours?|hrs?|h)\b\.?(?=\s*(?:$|[^\sA-Z]))", re.ASCII)
"""A time in words, which is in no name: 60 minutes by arrangement, but not 5 Minute Blitz."""
_NOT_PLAYED = re.compile(
    r"\b(?:after|arriv|before|break|default|forfeit|late|lunch|pause|regist|wait)", re.IGNORECASE
)
_SPAN = (
    r"(?:(?<![0-9])[0-9]{1,3}\s?(?:['\"]|[ms]\b|min|se[ckg])"
    r"|(?<![0-9:.])[0-4]\s?(?:h|std|stund|uur|or[ae]\b|horas?\b|tim))"
)
_TIME_BEFORE = re.compile(rf"{_SPAN}.{{0,40}}$", re.IGNORECASE)
_TIME_BEHIND = re.compile(rf"\W*(?:[^\W\d]+\W+){{0,5}}{_SPAN}", re.IGNORECASE)
"""Times beside a time control: it is a part of one that cannot be read as a whole."""
_MONEY = re.compile(r"\b(?:fees?|prizes?|funds?|price|cost|eur|usd)\b|[$\u20ac\xa3]", re.IGNORECASE)
_OF_TEAMS = re.compile(r"(?<= vs)(\.? .*\S)\s+[0-9.,\u00bd]+\s*[-:]\s*[0-9.,\u00bd]+$")
"""The result of a match of teams, behind their names."""
_AROUND_NAMES = " \t-\u2013\u2014,;:|\u2022\u00b7("
_BEFORE_DAYS = re.compile(
    r"(?:(?:\b(?:played|held|on|from|start(?:s|ed)?|beg[iau]ns?|end(?:s|ed|ing)|finish(?:es|ed)|vom|von|am|du|le|del|el|dal|il|van|från|fra|den)\b"
    rf"|\b{WEEKDAY})[\s,]*)+$",
    re.IGNORECASE,
)
"""What leads from a name to its days, as in "Maple Open, Saturday, October 3, 2026"."""
_LONGEST_LEADING = 60
_MOST_WORDS = 20
_EDGE = re.compile(
    r"(?:(?:fecha|dat[aeo])(?: d[ei]l?)? )?(?:(?:start|first|begin|erster|in[i\u00ed]ci(?:o|al)|inizio|d[e\u00e9]but)"
    r"|(?P<last>end|last|letzter|(?<=fecha )final|final(?= d)|fine?|fim|slut))(?:s|ning|ing)?"
    r"(?:(?: de)? ?(?:date|day|dato|datum|(?:spiel)?tag))?\s*[:|\t]\s*(?P<day>\S.*[0-9].*)",
    re.IGNORECASE,
)
"""The first or the last day on a line of its own."""
_GOES_ON = re.compile(
    r"\s*(?:-|\u2013|\u2014|&|to\b|thru\b|through\b|and\b)\s*[0-9]{1,2}(?![0-9:]|\s*[ap]\.?m)", re.IGNORECASE
)
"""A day behind those that were read."""
_TYPES = {"S": SectionType.SWISS, "R": SectionType.ROUND_ROBIN, "M": SectionType.MATCH}

DaysOf: TypeAlias = Callable[[str], Mention | None]
"""What finds the days in a line."""


class TableHead(NamedTuple):
    """What is above one table: names, the event's id of twelve digits (all may be empty), and what was said of it.

    Attributes:
        unclear_days: days that could not be read, as they are written.
        has_days: whether the days are above this table itself, not above an earlier one.
        unread: lines with labels that no one knows.
    """

    event: str
    event_id: str
    section: str
    played: Schedule
    unclear_days: str = ""
    has_days: bool = False
    unread: tuple[str, ...] = ()


def heads_of(
    texts: Sequence[Sequence[str]], days_of: DaysOf = days_in, *, names_event: bool = False
) -> list[TableHead]:
    """Return what the lines above each table say; what is said of the event holds for the tables that follow.

    Days and time controls are read in words too, wherever they are in a line. The only line that can be a name is that
    of the section, or else *names_event* where there is one table.

    >>> lines = ["AUTUMN OPEN", "Event Date(s) 2026-09-12 thru 2026-09-13", "Section 1 - K-12"]
    >>> first, second = heads_of([lines, ["Section 2 - RESERVE", "Time Control: G/60;d5"]])
    >>> first.event, first.section, second.section, second.played.end, second.played.time_control
    ('AUTUMN OPEN', 'K-12', 'RESERVE', datetime.date(2026, 9, 13), 'G/60;d5')
    >>> (head,) = heads_of([["Autumn Open - October 3-4, 2026", "4SS, G/90 d5, TD: A. Baker"]])
    >>> head.section, head.played.end, head.played.time_control
    ('Autumn Open', datetime.date(2026, 10, 4), 'G/90 d5')
    """
    heads = []
    of_event = Schedule()
    unclear_of_event = ""
    for place, lines in enumerate(texts, start=1):
        above = _Above([*_without_programs(_with_days_on_one_line(lines))], place, days_of)
        of_event = joined(above.of_event, of_event)
        has_days = joined(above.of_section, above.of_event).end is not None
        head = above.head(names_event=names_event and len(texts) == 1)
        played = joined(above.of_section, of_event)
        if head.unclear_days and not has_days:
            played = played._replace(start=None, end=None)
        unclear_of_event = above.unclear_of_event or unclear_of_event
        unclear = head.unclear_days or ("" if played.end else unclear_of_event)
        heads.append(head._replace(played=played, unclear_days=unclear, has_days=has_days))
    return heads


def played_lines(text: str) -> list[str]:
    """Return the facts in a line that have the label of days or of a time control.

    >>> played_lines("TD: A. Baker   Date: 11/14/2026   Time control: G/60;d5")
    ['Date: 11/14/2026', 'Time control: G/60;d5']
    """
    labels = [(fact, _LABELLED.fullmatch(fact)) for fact in _NEXT_LABEL.split(text.strip())]
    return [fact for fact, found in labels if found and (found["days"] or found["control"])]


def says_when(texts: Sequence[str]) -> bool:
    """Return whether *texts*, the cells of a row, say the days or the time control and name nothing.

    >>> [
    ...     says_when([*row])
    ...     for row in (("Nov 14, 2026", "G/60;d5"), ("Cole", "1-0"), ("Nov 14, 2026", "Cole"))
    ... ]
    [True, False, False]
    """
    (head,) = heads_of([texts])
    return bool(head.played.end or head.played.time_control) and not head.event and not head.section


def completed_head(  # noqa: PLR0913, PLR0917 - as `completed`, and what reads the days
    findings: Findings,
    place: Place,
    head: TableHead,
    hints: Hints,
    origin: str,
    days: Days,
    *,
    end_is_unread: bool = False,
) -> Schedule:
    """Return when and how the table below *head* was played, as `completed` does; report days that cannot be read."""
    if head.played.end is None and head.unclear_days and hints.end is None:
        days.report_unread(place, head.unclear_days)
        end_is_unread = True
    return completed(findings, place, head.played, hints, origin, end_is_unread=end_is_unread)


def report_below(
    heads: Sequence[TableHead], players: Mapping[str, PlayerFacts], sections: Iterable[Section | None]
) -> Report:
    """Return the report of the *sections* below *heads*, of which the first name and id are those of the event."""
    played = tuple([section for section in sections if section is not None])
    event = Event(
        id=next((head.event_id for head in heads if head.event_id), ""),
        name=next((head.event for head in heads if head.event), ""),
        start=min((section.start for section in played if section.start is not None), default=None),
        end=max(section.end for section in played),
    )
    return Report(event, MappingProxyType(players), played)


def with_event(head: TableHead) -> TableHead:
    """Return *head* with its only name as that of the event: a table is rarely called otherwise."""
    return head if head.event else head._replace(event=head.section, section="")


def _with_days_on_one_line(lines: Sequence[str]) -> list[str]:
    r"""Return the lines with first and last day, where each has a line of its own, on one; a first day alone goes.

    >>> _with_days_on_one_line(["Open", "Start date: 10/3/2026", "End date\t10/14/2026"])
    ['Open', 'Dates: 10/3/2026 to 10/14/2026']
    """
    days = {edge["last"] is not None: edge["day"] for line in lines if (edge := _EDGE.fullmatch(line))}
    others = [line for line in lines if not _EDGE.fullmatch(line)]
    return [*others, f"Dates: {' to '.join(days[edge] for edge in sorted(days))}"] if True in days else others


def _without_programs(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines, each fact on its own; of the heading of a chart, the event and the section, without the program.

    >>> list(_without_programs(["SwissSys Wall Chart.  Fall Swiss: Open"]))
    ['Fall Swiss', 'Open']
    >>> list(_without_programs(["Fall Swiss - Crosstable at round 4"]))
    ['Fall Swiss']
    """
    for line in (_OF_A_CHART.sub("", line) for line in lines):
        heading = _HEADING.fullmatch(line)
        facts = _NEXT_LABEL.split(line)
        if heading:
            yield from filter(None, heading.groups())
        else:
            yield from facts if _LABELLED.fullmatch(facts[0]) or len(facts) == 1 else (line,)


class _Words(NamedTuple):
    """What one line says: facts, the text of days in an unclear order, a name, and the rest behind the days."""

    played: Schedule
    unclear_days: str = ""
    name: str = ""
    rest: str = ""


class _Above:
    """Reads the lines above the table in a *place*, one by one.

    Attributes:
        of_event, of_section: what is said of the event and of the section.
        unclear_of_event: days of the event that could not be read.
    """

    def __init__(self, lines: Sequence[str], place: int, days_of: DaysOf) -> None:
        self.of_section = self.of_event = Schedule()
        self._place = place
        self._days_of = days_of
        self._event = self._unclear = self.unclear_of_event = ""
        self._section: str | None = None
        self._free: list[str] = []
        self._unread: list[str] = []
        labels = [found for line in lines if (found := _LABELLED.fullmatch(line))]
        self._with_days = any(found["days"] for found in labels)
        self._with_control = any(found["control"] for found in labels)
        for line in lines:
            self._read(line)

    def head(self, *, names_event: bool) -> TableHead:
        """Return the names above the table; the only line that can be one may be the event's."""
        event, event_id, section = self._event, "", self._section
        if section is None:
            keeps_line = names_event and not event and len(self._free) == 1
            section = self._free.pop() if self._free and not keeps_line else ""
        if not event and self._free and self._place == 1:
            event = self._free[0]
        if named := _EVENT_ID.fullmatch(event):
            event, event_id = named["name"], named["id"]
        # A comma within a title divides it into cells.
        event, section = (name.replace("\t", ", ") for name in (event, section))
        return TableHead(event, event_id, section, Schedule(), self._unclear, unread=tuple(self._unread))

    def _read(self, line: str) -> None:
        labelled = _LABELLED.fullmatch(line)
        if found := _SECTION.fullmatch(line):
            # A number that is not the section's place is a part of its name.
            self._section = (found["name"] or "") if int(found["number"]) == self._place else line
        elif labelled and labelled["name"]:
            self._event = self._event or labelled["text"]
        elif labelled and labelled["section"]:
            self._section = labelled["text"]
        elif labelled:
            self._take(_with_value(labelled, self._days_of), line)
        elif _OF_ANOTHER_DAY.search(line) and self._days_of(line):
            self._unread.append(line)
        else:
            words = _Words(Schedule(), name=line)
            words = words if self._with_days else _without_days(words, self._days_of)
            self._take(words if self._with_control else _without_control(words), line)

    def _take(self, words: _Words, line: str) -> None:
        """Take what *words* say, which are those of a *line*."""
        self._unclear = self._unclear or words.unclear_days
        event = self._event or next(iter(self._free), "")
        name = _told(words.name, event) if event else words.name
        if words.name and not name and words.played == Schedule():
            self._unread.append(line)
        if self._section is not None:
            self.of_section = joined(words.played, self.of_section)
            return
        self.unclear_of_event = self._unclear
        self.of_event = joined(words.played, self.of_event)
        if name and not (_NO_NAME.search(name) or any(map(_SENTENCE.fullmatch, (name, line)))):
            self._free.append(_OF_TEAMS.sub(r"\1", name))


def _told(name: str, event: str) -> str:
    """Return *name* without the *event* in front of it; nothing where it is a label that no one knows, and its value.

    >>> [_told(name, "Autumn Open") for name in ("Autumn Open: Reserve", "Motto: Play well", "U1400")]
    ['Reserve', '', 'U1400']
    """
    parts = _UNKNOWN_LABEL.fullmatch(name)
    if parts is None or len(parts["label"].split()) > _MOST_WORDS_OF_LABEL:
        return name
    return parts["text"] if parts["label"].casefold() == event.casefold() else ""


def _with_value(labelled: re.Match[str], days_of: DaysOf) -> _Words:
    """Return what a line with a label says."""
    if value := labelled["control"] and labelled["value"]:
        return _Words(Schedule(time_control=_control_of(value) or value.replace("\t", ", ")))
    if labelled["days"]:
        value = labelled["value"]
        days = parse_days(value)
        if days is None and (mention := days_of(value)) and not _GOES_ON.match(value, mention.end):
            days = mention.days
        # Days that are not read as a whole are unclear.
        start, end = days or (None, None)
        return _Words(Schedule(start, end, _control_of(value)), unclear_days="" if days else value)
    if labelled["clock"]:
        return _Words(Schedule(time_control=_control_of(labelled["text"])))
    if labelled["stats"] and (found := _TOURNAMENT_TYPE.search(labelled["text"])):
        return _Words(Schedule(type=_TYPES[found["letter"]]))
    return _Words(Schedule())


def _control_of(value: str) -> str | None:
    """Return the only time control in *value*; a semicolon in it may have divided it into cells."""
    controls = _controls_in(_DIVIDED.sub(";", value))
    return controls[0].text if len(controls) == 1 else None


def _without_days(words: _Words, days_of: DaysOf) -> _Words:
    """Return *words* with the days in the name apart, which ends there; several are the first and the last one."""
    line = words.name
    mention = None if _OF_ANOTHER_DAY.search(line) else days_of(line)
    if mention is None:
        return words
    leading = _BEFORE_DAYS.search(line, max(0, mention.start - _LONGEST_LEADING), mention.start)
    name = line[: leading.start() if leading else mention.start].strip(_AROUND_NAMES)
    if mention.days is None:
        return words._replace(
            unclear_days=line[mention.start : mention.end], rest=line[mention.end :], name=name
        )
    first, last = mention.days
    rest = line[mention.end :]
    while (more := days_of(rest)) and more.days:
        first, last = min(first, more.days[0]), max(last, more.days[1])
        rest = rest[more.end :]
    return words._replace(played=Schedule(first, last), rest=rest, name=name)


def _without_control(words: _Words) -> _Words:
    """Return *words* with the time control in the name, or behind the days, apart.

    Where a line has several, one a round or a day, none is taken: which rating systems they give is asked. So is one
    that cannot be read.
    """
    name, played = words.name, words.played
    in_name = _controls_in(name)
    controls = in_name or _controls_in(words.rest)
    if len({control.text for control in controls}) == 1:
        played = played._replace(time_control=controls[0].text)
    if in_name:
        name = name[: in_name[0].start].strip(_AROUND_NAMES)
    elif unread := _TIME.search(name):
        parts = _PARTS.finditer(name, 0, unread.start())
        name = name[: max((part.start() for part in parts), default=0)]
    return words._replace(played=played, name=name)


class _Control(NamedTuple):
    """A time control in a line: where it begins, and as reports write it."""

    start: int
    text: str


def _controls_in(line: str) -> list[_Control]:
    """Return the time controls in *line*: each as many words as make one.

    >>> [control.text for control in _controls_in("Club Night, 1 h 30 + 30 s/coup, 5 rondes")]
    ['G/90;+30']
    >>> [control.text for control in _controls_in("Rounds 1-2 G/45;d5, rounds 3-5 G/90;d5")]
    ['G/45;d5', 'G/90;d5']
    >>> _controls_in("Entry fee 20+5"), _controls_in("Registration ends 30 minutes before round 1")
    ([], [])
    >>> _controls_in("Elm Open, 40 moves in 90 minutes, a quarter to finish, later 30 seconds a move")
    []
    """
    from ratebook.rules.timecontrol import TimeControl, parse_time_control  # noqa: PLC0415 - start-up: only titles need it

    controls: list[_Control] = []
    at = 0
    while match := _CONTROL.search(line, at):
        before = line[: match.start()]
        at = match.start() + 1
        if _MONEY.search(before):
            continue
        words = _PARTS.split(match[0])[0].split()
        for count in range(min(len(words), _MOST_WORDS), 0, -1):
            text = " ".join(words[:count]).rstrip(",;.):")
            control = parse_time_control(text)
            if not isinstance(control, TimeControl):
                continue
            # Minutes alone may be those of a break.
            if control.in_words and not control.seconds and not _is_alone(before, line[at - 1 + len(text) :]):
                continue
            behind = line[at - 1 + len(text) :]
            is_a_part = _TIME_BEFORE.search(before) or _TIME_BEHIND.match(behind)
            if is_a_part and not _NOT_PLAYED.search(before + behind):
                return []
            controls.append(_Control(match.start(), control.notation if control.in_words else text))
            at = match.start() + len(text)
            break
    return controls


def _is_alone(before: str, after: str) -> bool:
    """Return whether what is between these texts is a part of its line, which speaks of the games."""
    return not (
        _PARTS.split(before)[-1].strip()[-1:].strip(",;:(")
        or _PARTS.split(after)[0].strip()[:1].strip(",;.)")
        or _NOT_PLAYED.search(before + after)
    )
