"""The parameters of the machine, each read from a row of silicon, and their ledger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from lanemap.errors import UserError, plural
from lanemap.timing.figures import Figure
from lanemap.timing.model.rows import Rows, measured

#: Rows of other kinds that numbers are read from.
_OTHERS = ("predictions", "nvfp4_gemv", "l2_map", "streams")


@dataclass(frozen=True)
class Reading:
    """How a number is read from a row: (figure - less) / over.

    Attributes:
        group: The row, results/sm_90a/cuda/timing_GROUP.json.
        series: The series or chain, as the row names it; "" for the variable latency of `opcode`.
        less: Cycles of the figure that other instructions of its window take.
        over: What the rest is divided by.
        how: What `less` and `over` are.
        opcode: Of a variable latency that several chains have: the producer.
    """

    group: str
    series: str
    less: Fraction = Fraction(0)
    over: Fraction = Fraction(1)
    how: str = ""
    opcode: str = ""

    @property
    def row(self) -> str:
        """The file of the row."""
        name = self.group if self.group in _OTHERS else f"timing_{self.group}"
        return f"results/sm_90a/cuda/{name}.json"


@dataclass(frozen=True)
class Parameter:
    """A number of the machine.

    Attributes:
        name: Of what it is.
        value: In cycles of the SM's clock, unless the name says otherwise.
        spread: The value on the fastest and the slowest SM; None where all are the same.
        reading: Where it comes from.
        why: Why the figure of another opcode counts for this one; "" if it is its own.
    """

    name: str
    value: Fraction
    spread: tuple[Fraction, Fraction] | None
    reading: Reading
    why: str = ""

    def to_json(self) -> dict[str, object]:
        """Its line of the ledger."""
        reading = self.reading
        return {
            "name": self.name,
            "cycles": float(self.value),
            "spread": None if self.spread is None else [float(each) for each in self.spread],
            "row": reading.row,
            "series": reading.series or f"variable latency of {reading.opcode}",
            "less": float(reading.less),
            "over": float(reading.over),
            "how": reading.how,
            "why": self.why,
        }


@dataclass
class Parameters:
    """The parameters that were asked for; what no row has is refused.

    Attributes:
        rows: The rows.
        ledger: Every parameter so far, by name.
        known: What was made of them, by what it was made for; see `Operations`.
    """

    rows: Rows = field(default_factory=measured)
    ledger: dict[str, Parameter] = field(default_factory=dict)
    known: dict[Any, dict[str, dict[str, int]]] = field(default_factory=dict)

    def read(self, name: str, reading: Reading, why: str = "") -> Fraction:
        """A number, which enters the ledger under its name.

        Raises:
            UserError: the row does not have it.
        """
        if name not in self.ledger:
            figure = self._figure(reading)
            assert figure.cycles is not None
            spread = figure.spread
            ends = None
            if spread is not None and spread.least != spread.most:
                ends = _value(spread.least, reading), _value(spread.most, reading)
            value = _value(figure.cycles, reading)
            self.ledger[name] = Parameter(name, value, ends, reading, why)
        return self.ledger[name].value

    def made(self, name: str, value: Fraction, reading: Reading) -> Fraction:
        """A number that is made of a row in another way, which enters the ledger; its value."""
        self.ledger[name] = Parameter(name, value, None, reading)
        return value

    def _figure(self, reading: Reading) -> Figure:
        if reading.series:
            return self.rows.figure(reading.group, reading.series)
        own = self.latencies.get(reading.opcode)
        if own is None:
            raise UserError(f"no row has the latency of {reading.opcode}")
        return own

    @cached_property
    def latencies(self) -> Mapping[str, Figure]:
        """By opcode, its variable latency of the row `alu`, where all chains say the same."""
        found: dict[str, list[Figure]] = {}
        for figures in self.rows.group("alu").values():
            for each in figures:
                if each.kind == "variable latency" and each.explained:
                    found.setdefault(each.instruction, []).append(each)
        return {
            opcode: own[0]
            for opcode, own in found.items()
            if len({each.cycles for each in own}) == 1
        }

    def lines(self) -> Iterator[Parameter]:
        """The ledger, sorted by name."""
        yield from (self.ledger[name] for name in sorted(self.ledger))

    def said(self) -> str:
        """How many numbers there are, and the rows that they are read from."""
        rows = sorted({each.reading.row for each in self.lines()})
        names = ", ".join(Path(each).stem for each in rows)
        folder = Path(rows[0]).parent if rows else ""
        return f"{plural(len(self.ledger), 'number')} of rows of {folder}: {names}"


def _value(cycles: Fraction, reading: Reading) -> Fraction:
    return (cycles - reading.less) / reading.over
