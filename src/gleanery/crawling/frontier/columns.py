"""Array parameters for unnest in PostgreSQL's binary format, since psycopg would inspect each value several times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from struct import Struct
from typing import Any, ClassVar, TypeAlias, TypeVar
from uuid import UUID

from psycopg import adapters
from psycopg.abc import Buffer
from psycopg.adapt import Dumper
from psycopg.pq import Format

LENGTH = Struct("!i")
NULL = LENGTH.pack(-1)
HEAD = Struct("!iiIii")  # dimensions, has nulls, element type, length, lower bound
EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def _moment(value: datetime) -> bytes:
    return ((value - EPOCH) // MICROSECOND).to_bytes(8, signed=True)


def _id(value: UUID) -> bytes:
    return value.bytes


class Column:
    """Values of one type: `kind` is the OID of the element type, `oid` of its array type (pg_type.dat)."""

    kind: ClassVar[int]
    oid: ClassVar[int]
    pack: ClassVar[Callable[[Any], bytes]]
    __slots__ = ("values",)

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = values

    def packed(self) -> bytes:
        values, pack, length = self.values, type(self).pack, LENGTH.pack
        parts = [HEAD.pack(1, None in values, self.kind, len(values), 1)]
        for value in values:
            if value is None:
                parts.append(NULL)
            else:
                data = pack(value)
                parts += (length(len(data)), data)
        return b"".join(parts)


class Bools(Column):
    kind, oid, pack = 16, 1000, Struct("!?").pack


class Blobs(Column):
    kind, oid, pack = 17, 1001, bytes


class Ints(Column):
    kind, oid, pack = 23, 1007, LENGTH.pack


class Texts(Column):
    kind, oid, pack = 25, 1009, str.encode


class Floats(Column):
    kind, oid, pack = 701, 1022, Struct("!d").pack


class Moments(Column):
    kind, oid, pack = 1184, 1185, _moment


class Ids(Column):
    kind, oid, pack = 2950, 2951, _id


Row = TypeVar("Row")
Table: TypeAlias = dict[str, tuple[type[Column], Callable[[Row], Any]]]


def columns(table: Table[Row], rows: Sequence[Row]) -> dict[str, Column]:
    """Return the parameters of a statement: one column of values per name."""
    return {name: column([value(row) for row in rows]) for name, (column, value) in table.items()}


def unnested(name: str, table: Table[Any]) -> str:
    """Return SQL that turns the columns back into rows."""
    return f"unnest({', '.join(f'%({each})s' for each in table)}) AS {name} ({', '.join(table)})"


def _dumper(column: type[Column]) -> type[Dumper]:
    class ColumnDumper(Dumper):
        format = Format.BINARY
        oid = column.oid

        def dump(self, obj: Column) -> Buffer:
            return obj.packed()

    return ColumnDumper


for _column in Column.__subclasses__():
    adapters.register_dumper(_column, _dumper(_column))
