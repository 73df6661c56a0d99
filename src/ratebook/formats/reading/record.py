"""Records: each is a table of fields, from which it is read, written, listed as columns and described."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from ratebook.findings import Findings, Place
from ratebook.formats.reading.fields import Fields, open_object
from ratebook.formats.reading.kinds import LIST, FieldKind, PrivateDay
from ratebook.model import System

Record = TypeVar("Record", bound=tuple[Any, ...])


class Field(NamedTuple):
    """One field of a record.

    Attributes:
        title: what it is, in words; what a format loses that has no place for it.
        unknown: what the record has where the field is not there.
        required: whether there is no record without it.
        stated: whether it is written even where it equals *unknown*.
        basic: whether every format holds it, so that none loses it.
        about: what else the pages of the format say of it.
    """

    name: str
    kind: FieldKind[Any]
    title: str
    unknown: object = None
    required: bool = False
    stated: bool = False
    basic: bool = False
    about: str = ""

    @property
    def private(self) -> bool:
        """Whether no finding may show it."""
        return isinstance(self.kind, PrivateDay)


class RecordTable(Generic[Record]):
    """The fields of one record, in the order of the record."""

    def __init__(
        self, record: type[Record], *fields: Field, check: Callable[[Fields, Record], None] | None = None
    ) -> None:
        self.record = record
        self.fields = fields
        self.keys = frozenset(field.name for field in fields)
        self.required = tuple(field.name for field in fields if field.required)
        self._check = check
        self._unknown = [field.unknown for field in fields]
        # As local names of a loop that runs for each value of a report.
        self._readers = [(field.name, field.kind.read, field.required) for field in fields]

    def field(self, name: str) -> Field:
        """Return the field called *name*."""
        return next(field for field in self.fields if field.name == name)

    def values(self, fields: Fields, first: int = 0, last: int | None = None) -> tuple[list[Any], bool]:
        """Return the values of the fields *first* to *last*, and whether those that are required are readable."""
        values = self._unknown[first:last]
        entered = fields.values
        usable = True
        for at, (name, read, required) in enumerate(self._readers[first:last]):
            if name in entered and (value := entered[name]) is not None:
                inner = read(fields, name, value)
                if inner is not None:
                    values[at] = inner
                elif required:
                    usable = False
        return values, usable

    def read(self, fields: Fields) -> Record | None:
        """Return the record in *fields*, or None with findings where what it requires is missing or wrong."""
        values, usable = self.values(fields)
        record: Record = self.record._make(values)  # type: ignore[attr-defined] # a named tuple
        if self._check is not None:
            self._check(fields, record)
        return record if fields.require(*self.required) and usable else None

    def read_object(self, findings: Findings, value: object, where: Place) -> Record | None:
        """Return the record in the JSON object *value*, or None with findings."""
        fields = open_object(findings, value, where, self.keys)
        return None if fields is None else self.read(fields)

    def plain(self, record: Record) -> dict[str, object]:
        """Return *record* as JSON has it: without what is unknown."""
        return {
            field.name: field.kind.plain(value)
            for field, value in zip(self.fields, record, strict=True)
            if field.required or field.stated or value != field.unknown
        }


class Nested(FieldKind[Record]):
    """An object that is a record."""

    def __init__(self, table: RecordTable[Record]) -> None:
        super().__init__()
        self.table = table

    def read(self, fields: Fields, key: str, value: object) -> Record | None:
        """Return the record."""
        return self.table.read_object(fields.findings, value, fields.place(key))

    def plain(self, value: Record) -> object:
        """Return the record as an object."""
        return self.table.plain(value)


class BySystem(FieldKind["Mapping[System, Record]"]):
    """An object with a record for each rating system."""

    def __init__(self, table: RecordTable[Record]) -> None:
        super().__init__()
        self.table = table

    def read(self, fields: Fields, key: str, value: object) -> Mapping[System, Record] | None:
        """Return the records by system, in the order of the systems."""
        systems = open_object(fields.findings, value, fields.place(key), SYSTEMS, "system-unknown.key")
        if systems is None:
            return None
        values = systems.values
        records = {}
        for system in _ORDER:
            if values.get(system) is not None:
                record = self.table.read_object(fields.findings, values[system], systems.place(system))
                if record is not None:
                    records[system] = record
        return records

    def plain(self, value: Mapping[System, Record]) -> object:
        """Return the records as an object."""
        return {system.value: self.table.plain(value[system]) for system in System if system in value}


class Listed(FieldKind["tuple[Record, ...]"]):
    """A list of records; a place names one by *word* and its position."""

    def __init__(self, table: RecordTable[Record], word: str, **schema: object) -> None:
        super().__init__(**schema)
        self.table = table
        self.word = word

    def read(self, fields: Fields, key: str, value: object) -> tuple[Record, ...] | None:
        """Return the records."""
        records = []
        for position, item in enumerate(LIST.read(fields, key, value) or (), start=1):
            place = fields.place(f"{self.word} {position}")
            record = self.table.read_object(fields.findings, item, place)
            if record is not None:
                records.append(record)
        return tuple(records)

    def plain(self, value: tuple[Record, ...]) -> object:
        """Return the records as a list."""
        return [self.table.plain(record) for record in value]


SYSTEMS = frozenset(system.value for system in System)
_ORDER = tuple(System)
NONE: Mapping[System, Any] = MappingProxyType({})
