"""The stored data of one figure: its points, its window, and its certificates in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lanemap.records.schema import Record

#: By number of links: how many SMs (or runs) took how long.
Points = dict[int, dict[int, int]]
_LINE = re.compile(r"W(\S) R(\S) wait ([01]{6}) stall (\d+)( yield)? +(\S.*)")
_HEAD = f"{'stall':>5}  {'yield':5}  {'sets, written':13}  {'sets, read':10}  {'waits for':9}  SASS"


def plain(value: float) -> str:
    """A number with four digits, or all before its point."""
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.4g}"


@dataclass(frozen=True)
class Curve:
    """Points of one kind of window, with the line through their medians.

    Attributes:
        name: What was run.
        points: Measured time, by number of links.
    """

    name: str
    points: Points

    @property
    def medians(self) -> dict[int, float]:
        """The median of the SMs by number of links."""
        return {n: _median(own) for n, own in sorted(self.points.items())}

    @property
    def line(self) -> tuple[float, float]:
        """The least-squares line through the medians: what a link adds, and what none takes."""
        medians = self.medians
        mean_n = sum(medians) / len(medians)
        mean = sum(medians.values()) / len(medians)
        spread = sum((n - mean_n) ** 2 for n in medians)
        slope = sum((n - mean_n) * (y - mean) for n, y in medians.items()) / (spread or 1)
        return slope, mean - slope * mean_n

    @property
    def residual(self) -> float:
        """The largest distance of a median from the line."""
        slope, offset = self.line
        return max(abs(y - offset - slope * n) for n, y in self.medians.items())


def _median(own: Mapping[int, int]) -> float:
    ordered = [value for value, count in sorted(own.items()) for _ in range(count)]
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


@dataclass(frozen=True)
class Source:
    """Where a figure comes from.

    Attributes:
        figure: The figure of the row.
        held: Its chain or its series, as the row has it.
        curves: What was run, that which the figure is taken from first.
    """

    figure: Mapping[str, Any]
    held: Mapping[str, Any]
    curves: tuple[Curve, ...]

    @property
    def over(self) -> str:
        """The thing that a point's counts count."""
        return str(self.held.get("over", "SMs"))

    @property
    def unit(self) -> str:
        """Cycles or ns."""
        return str(self.figure.get("unit", "cycles"))

    @property
    def trips(self) -> int:
        """How often the window runs its links."""
        return int(self.held.get("trips", 1))

    def window(self) -> list[tuple[str, bool]]:
        """The SASS between the clock reads, decoded: text, and whether the line is what is timed.

        The first line says what the columns are; lines that repeat are counted.
        """
        if not self.held["window"]:
            return []
        found = [(_HEAD, False)]
        before, count = "", 0
        for line in [*self.held["window"], ""]:
            if line == before:
                count += 1
                continue
            if before:
                times = f"   ({count} times)" if count > 1 else ""
                found.append((decoded(before) + times, self._timed(before)))
            before, count = line, 1
        return found

    def _timed(self, line: str) -> bool:
        opcode = line.partition("  ")[2].split(maxsplit=1)
        name = self.figure["instruction"].replace("64xN", "64x")
        return bool(opcode) and re.sub(r"(?<=64x)\d+(?=x)", "", opcode[0]) == name


def decoded(line: str) -> str:
    """A line of a window in columns: stall count, yield, barriers set and awaited, instruction."""
    match = _LINE.fullmatch(line.rstrip())
    if match is None:
        return line
    write, read, waits, stall, yields, text = match.groups()
    awaited = ",".join(str(5 - place) for place in range(5, -1, -1) if waits[place] == "1")
    return (
        f"{stall:>5}  {'yes' if yields else '-':5}  {write:13}  {read:10}  {awaited or '-':9}  "
        f"{text.strip()}"
    )


def sources(record: Record) -> list[Source]:
    """Every figure of a row with what it comes from, in the row's order."""
    series = {each["name"]: each for each in record.findings.get("series", ())}
    chains = {_label(each): each for each in record.findings["chains"]}
    found = []
    for figure in record.findings["figures"]:
        held = series.get(figure["chain"]) or chains[figure["chain"]]
        found.append(Source(figure, held, _curves(held, figure["chain"] in series)))
    return found


def _label(chain: Mapping[str, Any]) -> str:
    words = " then ".join(chain["steps"])
    return f"{words}, {chain['strands']} strands" if chain["strands"] > 1 else words


def _curves(held: Mapping[str, Any], is_series: bool) -> tuple[Curve, ...]:
    read = _spread if is_series else _histogram
    names = (
        ("least_cycles", "least stall counts"),
        ("cycles", "as ptxas assembled it"),
        ("cut_cycles", "links cut apart"),
    )
    return tuple(
        Curve(name, points) for key, name in names if (points := read(held.get(key) or {}))
    )


def _spread(stored: Mapping[str, str]) -> Points:
    """Parse "185x130 186x2", by number of links."""
    return {
        int(n): {
            int(value): int(count) for value, count in (pair.split("x") for pair in text.split())
        }
        for n, text in stored.items()
    }


def _histogram(stored: Mapping[str, Mapping[str, int]]) -> Points:
    return {int(n): {int(v): count for v, count in own.items()} for n, own in stored.items()}


def certificates(source: Source) -> list[tuple[str, bool, str]]:
    """Each certificate of a figure: its name, whether it holds, and what was seen."""
    own = source.figure["certificates"]
    return [(name, not why, why or _WORDS.get(name, _holds)(source)) for name, why in own.items()]


def _holds(_: Source) -> str:
    return "It holds."


def _counted(opcodes: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(opcodes.items()))


def _code(source: Source) -> str:
    held = source.held
    if not held["period"]:
        return _holds(source)
    if "over" in held:
        return f"The kernel holds exactly {_counted(held['period'])}."
    links = held.get("links_of_a_turn", 1)
    turn = "A link adds" if links == 1 else f"{links} links add"
    overhead = _counted(held["overhead"])
    more = f"{overhead} besides, at every n" if overhead else "there is nothing else"
    return f"{turn} exactly {_counted(held['period'])}; {more}."


def _slope(source: Source) -> str:
    curve = source.curves[0]
    per_link, _ = curve.line
    lengths = ", ".join(map(str, sorted(curve.points)))
    turns = f", {source.trips} trips of them" if source.trips > 1 else ""
    own = source.held.get("operations_of_a_link", 1)
    of = f" of {own} operations" if own > 1 else ""
    return (
        f"A link{of} adds {plain(per_link / source.trips)} {source.unit} ({curve.name}; "
        f"n = {lengths}{turns}). "
        f"No median is farther than {plain(curve.residual)} {source.unit} from the line."
    )


def _dependence(source: Source) -> str:
    held = source.held
    if "results_right" in held:
        return "With the least stall counts the results are those of ptxas's code, at every length."
    if "over" in held:  # of launches, as `lanemap.timing.grid_figures` says
        return "Every CTA of every launch left its number: none was dropped, merged or run twice."
    said = []
    if held["exact"]:
        said.append("The results are those of the emulator, which executed the same PTX.")
    if held["least_cycles"]:
        said.append("They are the same with the least stall counts.")
    for curve in source.curves:
        if curve.name == "links cut apart":
            cut, whole = (each.line[0] / source.trips for each in (curve, source.curves[0]))
            said.append(f"A cut link adds {plain(cut)} {source.unit}, a whole one {plain(whole)}.")
    return " ".join(said) or "Its results differ from device to device, so they were not compared."


def _two_sided(source: Source) -> str:
    held = source.held
    if "edges" in held:
        return _edge(source)
    if held["stalls"]:
        return _stalls(source)
    changed = 100 * held["unwaited"]
    return f"Without the wait for its barrier, {changed:.3g} % of the results change."


def _stalls(source: Source) -> str:
    """Return the outcomes of a series under other stall counts between two of its links."""
    shares = {int(cycles): share for cycles, share in source.held["stalls"].items()}
    wrong = [cycles for cycles in sorted(shares) if shares[cycles]]
    least = min(cycles for cycles in shares if not wrong or cycles > wrong[-1])
    said = (
        f"With stall counts of {least} cycles and more between two, no result changes. With fewer, "
        f"results do: {_ranges({cycles: f'{100 * shares[cycles]:.3g} %' for cycles in wrong})}."
    )
    padded = source.figure["value"] - least > 0.5
    return said + " The padding between two takes one cycle more." * padded


def _ranges(said: Mapping[int, str]) -> str:
    """Words by number; neighbors with the same words are one range."""
    parts: list[tuple[int, int, str]] = []
    for number, words in sorted(said.items()):
        if parts and parts[-1][1] == number - 1 and parts[-1][2] == words:
            parts[-1] = (parts[-1][0], number, words)
        else:
            parts.append((number, number, words))
    return ", ".join(
        f"{words} with {first}{f' to {last}' if last > first else ''}"
        for first, last, words in parts
    )


def _edge(source: Source) -> str:
    """Return the outcomes of a chain's edge under other control words."""
    events = source.figure["from_event"], source.figure["to_event"]
    for edge in source.held["edges"]:
        read = f"operand {edge['operand']}" if edge["operand"] else "guard"
        own = (
            f"issue of {edge['producer']}",
            f"issue of {edge['consumer']} with the result as {read}",
        )
        if own != events:
            continue
        if not edge["fixed"]:
            return f"Without the wait for its barrier, {edge['wrong']['0']:,} results are wrong."
        wrong = {int(stall): count for stall, count in edge["wrong"].items()}
        parts = _ranges({stall: f"{count:,}" for stall, count in wrong.items() if count})
        wrote = " or ".join(map(str, edge["assembled"]))
        return (
            f"With a stall count of {edge['least']} and more, no result is wrong. With fewer, some "
            f"are: {parts}. ptxas wrote {wrote}."
        )
    return "It holds."


def _population(source: Source) -> str:
    curve = source.curves[0]
    counts = [sum(own.values()) for own in curve.points.values()]
    if all(len(own) == 1 for own in curve.points.values()):
        return f"All {min(counts)} {source.over} took the same, at every n."
    longest = curve.points[max(curve.points)]
    return (
        f"{min(counts)} {source.over} answered; at n = {max(curve.points)} the window took them "
        f"{min(longest):,} to {max(longest):,} {source.unit}."
    )


def _clock(_: Source) -> str:
    return "The timers that it was read from have one rate, and their steps are small beside it."


def _agreement(_: Source) -> str:
    return "Other chains that hold the same edge add up with it too."


_WORDS = {
    "code": _code, "slope": _slope, "dependence": _dependence, "two_sided": _two_sided,
    "population": _population, "agreement": _agreement, "clock": _clock,
}  # fmt: skip


def grouped(found: Iterable[Source]) -> list[tuple[tuple[str, str], Sequence[Source]]]:
    """Figures by their pair of events, in order."""
    pairs: dict[tuple[str, str], list[Source]] = {}
    for each in found:
        pairs.setdefault((each.figure["from_event"], each.figure["to_event"]), []).append(each)
    return list(pairs.items())
