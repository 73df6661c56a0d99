"""Time controls in words, in the languages of docs/formats/time-controls.md#in-words."""

from __future__ import annotations

import pytest

from ratebook.rules.timecontrol import TimeControl, parse_time_control


def understood(text: str) -> TimeControl:
    parsed = parse_time_control(text)
    assert isinstance(parsed, TimeControl), parsed
    return parsed


@pytest.mark.parametrize(
    ("text", "minutes", "seconds", "kind"),
    [
        ("60 minutes", 60, 0, "none"),
        ("25 minutes each", 25, 0, "none"),
        ("25 minutes per player per game", 25, 0, "none"),
        ("60 minutes per player, 5 sec delay", 60, 5, "delay"),
        ("game in 60 with 5 second delay", 60, 5, "delay"),
        ("game in 1 hour", 60, 0, "none"),
        ("1 hour + 10 sec", 60, 10, "increment"),
        ("1.5 hours", 90, 0, "none"),
        ("1h30 + 30s", 90, 30, "increment"),
        ("90'+30''", 90, 30, "increment"),
        ("One hour per player with a five second delay", 60, 5, "delay"),
        ("an hour and a half", 90, 0, "none"),
        ("half an hour each", 30, 0, "none"),
        ("60 minuten p.p.", 60, 0, "none"),
        ("90min/40moves+30min+30s/move", 120, 30, "increment"),
        ("90 mins plus 30 secs a move", 90, 30, "increment"),
        ("90 min with an increment of 30 sec", 90, 30, "increment"),
        ("40 moves in 90 minutes, then 30 minutes; 30 seconds increment from move 1", 120, 30, "increment"),
        ("90 minuti + 30 secondi", 90, 30, "increment"),
        ("Betänketid: 90 min + 30 sek", 90, 30, "increment"),
        ("60 min. + 30 s Zuschlag", 60, 30, "increment"),
        ("90 Minuten + 30 Sekunden pro Zug", 90, 30, "increment"),
        ("90 minutter + 30 sekunder per trekk", 90, 30, "increment"),
        ("90 minutos + 30 segundos por jugada", 90, 30, "increment"),
        ("1 heure + 30 secondes par coup", 60, 30, "increment"),
        ("1 uur + 15 seconden per zet", 60, 15, "increment"),
        ("1 uur en 30 minuten + 15 seconden per zet", 90, 15, "increment"),
        ("1 hour and 30 minutes + 15 seconds", 90, 15, "increment"),
        ("40 Züge in 90 Minuten, danach 15 Minuten, 30 Sekunden pro Zug", 105, 30, "increment"),
        ("1h30 pour 40 coups puis 30 min, 30 s/coup", 120, 30, "increment"),
        ("40 moves in 90 minutes, then 30 minutes to finish, plus 30 seconds per move", 120, 30, "increment"),
    ],
)
def test_words_are_read(text: str, minutes: int, seconds: int, kind: str) -> None:
    parsed = understood(text)
    assert (parsed.main_minutes, parsed.seconds, parsed.kind) == (minutes, seconds, kind)
    assert parsed.text == text


def test_words_are_written_in_notation() -> None:
    control = understood("90 min/40 moves + 30 min + 30 sec per move")
    assert (control.in_words, control.notation) == (True, "40/90,SD/30;+30")
    assert not understood("G/90 minutes").in_words
