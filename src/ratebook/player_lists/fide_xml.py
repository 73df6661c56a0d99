"""FIDE's rating lists as XML: ``<playerslist><player>`` with an element for each field.

Source: docs/formats/player-lists.md#fide.

The lists are streamed through the parser itself and no tree is built. A document type declaration is refused, since
entities could expand without end; tags and nesting of a size that no list has are refused too, since the parser would
hold them in memory.
"""

from collections.abc import Iterator
from typing import Any, BinaryIO
from xml.parsers import expat

from ratebook.findings import Findings, Place, finding
from ratebook.formats.archive import SourceError
from ratebook.formats.reading.text import first_character
from ratebook.player_lists.fide_text import check_standard, fide_player, month_of_name
from ratebook.player_lists.row import ListedPlayer, Match, Search

_CHUNK = 1 << 16
_LONGEST_TEXT = 1_000
_LONGEST_TOKEN = 1 << 20
_DEEPEST = 8
_PLAYER = "player"
_FIELDS = frozenset({"fideid", "name", "country", "rating", "birthday", "games"})
_ONLY_COMBINED = frozenset({"rapid_rating", "blitz_rating"})


def looks_like_fide_xml(head: bytes) -> bool:
    """Return whether *head*, the first bytes of a file, can begin a FIDE list in XML.

    >>> looks_like_fide_xml(b"<playerslist><player>")
    True
    """
    return first_character(head) == b"<" and b"player" in head


class FidePlayerReader:
    """Takes the events of the parser and keeps the players who are wanted.

    Attributes:
        players: the fields of each wanted player and the line where the player ends; emptied by the caller.
        combined: whether the player read last has rapid and blitz ratings.
    """

    def __init__(self, name: str, search: Search) -> None:
        self._name = name
        self._match = search.match
        self._depth = 0
        self._fields: dict[str, str] = {}
        self._field = ""
        self._text = ""
        self.players: list[tuple[dict[str, str], int]] = []
        self.combined = False
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def refused(self, name: str, /, **values: object) -> SourceError:
        """Return the finding that ends the reading here."""
        place = Place(file=self._name, line=self.parser.CurrentLineNumber)
        return SourceError(finding(name, place, **values))

    def _doctype(self, *_: object) -> None:
        raise self.refused("list-doctype")

    def _start(self, tag: str, _: dict[str, Any]) -> None:
        self._depth += 1
        if tag in _FIELDS:
            self._field = tag
            self._text = ""
            self.parser.CharacterDataHandler = self._characters
        elif tag == _PLAYER:
            self._fields = {}
        elif tag in _ONLY_COMBINED:
            self.combined = True
        if self._depth > _DEEPEST:
            raise self.refused("nested-too-deeply.fide-xml")

    def _characters(self, text: str) -> None:
        if len(self._text) < _LONGEST_TEXT:
            self._text += text[:_LONGEST_TEXT]

    def _end(self, tag: str) -> None:
        self._depth -= 1
        if tag == self._field:
            self._fields[tag] = self._text.strip()
            self._field = ""
            self.parser.CharacterDataHandler = None
        elif tag == _PLAYER:
            fields = self._fields
            if self._match(fields.get("fideid", ""), fields.get("name", "")) is Match.WANTED:
                self.players.append((fields, self.parser.CurrentLineNumber))
            self._fields = {}


def iter_fide_xml(stream: BinaryIO, name: str, search: Search, findings: Findings) -> Iterator[ListedPlayer]:
    """Yield the players of the FIDE list in *stream* that *search* asks for.

    Raises:
        SourceError: it is not well-formed, has a document type declaration, or is no list of standard ratings.
    """
    reader = FidePlayerReader(name, search)
    as_of = month_of_name(name)
    checked = False
    fed = 0
    while True:
        chunk = stream.read(_CHUNK)
        fed += len(chunk)
        try:
            reader.parser.Parse(chunk, not chunk)
        except SourceError:
            raise
        except expat.ExpatError as failure:
            raise reader.refused(
                "list-unreadable.not-well-formed", reason=expat.ErrorString(failure.code)
            ) from failure
        except (ValueError, LookupError) as failure:
            # The declared encoding is one that the parser does not know.
            raise reader.refused("list-unreadable.xml", failure=failure) from failure
        if fed - max(0, reader.parser.CurrentByteIndex) > _LONGEST_TOKEN:
            raise reader.refused("list-line-too-long.tag")
        for fields, line in reader.players:
            if not checked:
                checked = True
                if not reader.combined:
                    check_standard(findings, name)
            # A day of birth begins with its year.
            fields["birthday"] = fields.get("birthday", "")[:4]
            yield fide_player(findings, Place(file=name, line=line), fields, as_of)
        reader.players.clear()
        if not chunk:
            return
