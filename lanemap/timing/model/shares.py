"""What SMs share, read from rows: the way to L2 and memory, and what gives them CTAs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from statistics import median

import numpy as np

from lanemap import paths
from lanemap.records.files import read_record
from lanemap.records.schema import Record
from lanemap.targets import TARGETS
from lanemap.timing.launch import WARP
from lanemap.timing.model.clock import clocks
from lanemap.timing.model.parameters import Parameter, Parameters, Reading
from lanemap.timing.model.trace import SECTOR_BYTES

#: The target whose rows the machine is made of.
TARGET = "sm_90a"
#: SMs that moved data in windows of all.
ALL = TARGETS[TARGET].gpu.multiprocessors
#: The row of a kernel that reads memory once.
_STREAM = "nvfp4_gemv"
#: Bytes of a window's link in the row `traffic`.
_LINK = 65536
#: SMs that read the same together in windows of the row `reach`; 1 is the row `traffic`.
_TOGETHER = (1, 2, 4, 12, 132)
#: CTAs of the empty grids of the row `dispatch`, their threads, and CTAs of their clusters.
_GRIDS, _THREADS, _CLUSTERS = (8448, 33792), (32, 64, 128, 256, 512, 1024), (2, 4)
#: What the row `reach` calls loads that come back.
_AGAIN = "loads of 16 bytes a lane, again"


def traffic(parameters: Parameters, name: str, level: str, sms: int, together: int = 1) -> Fraction:
    """Cycles of an SM for a byte of loads, stores or a copy, while so many SMs move it.

    A byte of `copy` is read and written. Of what L2 has, so many SMs read the same together.
    """
    if level == "memory" and name != "loads":
        return traffic(parameters, "loads", level, sms) * (2 if name == "copy" else 1)
    found = [Fraction(0)]
    for which, share in _of_all(sms):
        series = f"{name} of 16 bytes a lane residency={level} SMs={which} bytes={_LINK}"
        label = f"a byte of {name} at {level}, {which} of the SMs"
        reading = Reading("traffic", series, over=Fraction(_LINK), how="bytes")
        number = _nearest(_TOGETHER, together)
        if name == "loads" and level == "L2" and which == "all" and number > 1:
            series = f"{_AGAIN} KiB of each SM=64 shared=no SMs together={number}"
            label = f"a byte of loads at L2, which {number} SMs read together"
            reading = replace(reading, group="reach", series=series)
        found.append(parameters.read(label, reading) * share)
    if level == "memory":
        found.append(_memory_byte(parameters) * Fraction(sms, ALL))
    return max(found)


#: Stores of many warps, and sectors of each.
_STORED, _REDUCED = ("st.global.v4.b32", 16, 16), ("red.global.add.u32", 4, 4)


def sent(parameters: Parameters, sms: int | None) -> tuple[Fraction, Fraction]:
    """Cycles of an SM for a sector of stores and of reductions, while so many SMs store.

    A line that is stored in part takes one more, as where lanes store every second word: 32 sectors
    of 8, 16 and 32 lines take 43, 51 and 68 cycles (timing_stores).
    """
    found = []
    for name, apart, sectors in (_STORED, _REDUCED):
        each = []
        for which, share in _of_all(sms or ALL):
            label = f"a sector of {name}, {which} of the SMs"
            reading = Reading(
                "stores", _MANY.format(name, which, apart), over=Fraction(sectors), how="sectors"
            )
            each.append(parameters.read(label, reading) * share)
        found.append(max(each))
    return found[0], found[1]


_MANY = "{0}, many SMs={1} warps=8 bytes between lanes={2}"


#: Rows of cp.async, of which 8 warps copy 4 parts with an access: their pitch, who copies.
_ROWS = "cp.async.cg of rows pitch={0} SMs={1}"
#: SMs that copy the same together in windows of the row `ragged`; 1 is the row `busy`.
_COPYING = (1, 4, 12)
#: Pitches of rows that all begin lines, of which three of four begin inside a line, and of which
#: half begin inside a sector besides; sectors of 8 accesses, and what they have more.
_WHOLE, _CROSSING, _RAGGED = 4096, 4128, 4112
_SECTORS, _MORE_LINES, _MORE_SECTORS = 128, 24, 16


def copied(parameters: Parameters, sms: int | None, together: int = 1) -> Fraction:
    """Cycles of an SM for a sector that cp.async reads, while so many SMs copy.

    So many SMs copy the same together.
    """
    return max(
        _rows(parameters, _WHOLE, 0, _SECTORS, which, together) * share
        for which, share in _of_all(sms or ALL)
    )


def crossed(parameters: Parameters, sms: int | None, together: int = 1) -> Fraction:
    """The same, of L2, for a line that cp.async reads besides those that its bytes would fill."""
    own = _rows(parameters, _CROSSING, _WHOLE, _MORE_LINES, "all", together)
    return own * Fraction(sms or ALL, ALL)


def ragged(parameters: Parameters, sms: int | None, together: int = 1) -> Fraction:
    """The same of a sector besides those that its bytes would fill."""
    own = _rows(parameters, _RAGGED, _CROSSING, _MORE_SECTORS, "all", together)
    return own * Fraction(sms or ALL, ALL)


def besides(parameters: Parameters) -> Fraction:
    """Cycles of the SM's data path for such a sector, where one SM copies."""
    return _rows(parameters, _RAGGED, _CROSSING, _MORE_SECTORS, "one", 1)


def crossing(parameters: Parameters) -> Fraction:
    """Cycles of the SM's data path for such a line, where one SM copies."""
    return _rows(parameters, _CROSSING, _WHOLE, _MORE_LINES, "one", 1)


def _rows(
    parameters: Parameters, pitch: int, less: int, over: int, which: str, together: int
) -> Fraction:
    """What copies of rows of one pitch take longer than those of another, of so many things."""
    number = _nearest(_COPYING, together) if which == "all" else 1
    group, more = ("busy", "") if number == 1 else ("ragged", f" SMs together={number}")
    series = _ROWS.format(pitch, which) + more
    before, how = Fraction(0), "sectors of the warps"
    if less:
        found = parameters.rows.figure(group, _ROWS.format(less, which) + more).cycles
        assert found is not None
        before, how = found, f"the same of pitch={less}; what the warps access more"
    label = f"a part of cp.async of rows, {pitch} bytes apart, {which} of the SMs" + more
    return parameters.read(label, Reading(group, series, before, Fraction(over), how))


#: Atomics and reductions of which each lane takes another word.
_SCATTERED = "{0}, scattered words={1} warps=16 SMs={2}"
_ADD, _WORD_BYTES = "red.relaxed.gpu.global.add.f32", 4


def changed(parameters: Parameters, sms: int | None) -> Fraction:
    """Cycles of an SM for a sector of an atomic, as a reduction whose lanes lie apart takes."""
    found = []
    for which, share in _of_all(sms or ALL):
        reading = Reading("busy", _SCATTERED.format(_ADD, 1 << 20, which), over=Fraction(16 * 32),
                          how="sectors of the warps")  # fmt: skip
        label = f"a sector of {_ADD}, scattered, {which} of the SMs"
        found.append(parameters.read(label, reading) * share)
    return max(found)


#: Tables of words side by side that all SMs change: those of `conflicts`, and the one of `busy`.
_WORDS, _MANY_WORDS = (8, 64, 512, 4096, 32768), 1 << 20
_FEW = f"{_ADD}, few words words={{0}} bytes between words=4 warps=16 SMs=all"


def few(parameters: Parameters, sectors: float) -> float:
    """Cycles of L2 for a sector of an atomic, where all atomics change so many sectors.

    Between the tables of the rows, cycles go as a power of how many sectors these have.
    """
    found = []
    for words in (*_WORDS, _MANY_WORDS):
        size = words * _WORD_BYTES / SECTOR_BYTES
        # Each lane takes any word, so that a warp changes so many sectors.
        changed = size * (1 - (1 - 1 / size) ** WARP)
        group, series = "conflicts", _FEW.format(words)
        if words == _MANY_WORDS:
            group, series = "busy", _SCATTERED.format(_ADD, words, "all")
        over = Fraction(round(ALL * 16 * changed))
        reading = Reading(group, series, over=over, how="sectors that all warps change")
        label = f"a sector of {_ADD}, in a table of {words} words"
        found.append((math.log(size), math.log(parameters.read(label, reading))))
    sizes, cycles = zip(*found, strict=True)
    return math.exp(float(np.interp(math.log(max(sectors, 1)), sizes, cycles)))


def waiting(parameters: Parameters) -> int:
    """Stores of an SM that are issued and have not left it, as the longest window ends."""
    name = "stores that wait to leave the SM"
    if name not in parameters.ledger:
        series = _MANY.format(_STORED[0], "one", _STORED[1])
        windows = parameters.rows.windows("stores", series)
        last, each = max(windows), parameters.rows.figure("stores", series).cycles
        assert each is not None
        how = "of the longest window, less its cycles over those of a store"
        parameters.ledger[name] = Parameter(
            name, last - windows[last] / each, None, Reading("stores", series, how=how)
        )
    return round(parameters.ledger[name].value)


def held_by_l2(parameters: Parameters, size: int) -> float:
    """The share of so many bytes that L2 holds, when a kernel reads all of them again and again.

    A byte of the fastest stream takes no memory, and one of the longest nothing else.
    """
    sizes, taken = _streams()[0.0]
    each = [cycles / bytes_ for bytes_, cycles in zip(sizes, taken, strict=True)]
    least, most, first = min(each), each[-1], int(np.argmin(each))
    shares = [1.0] * first + [min(max((most - n) / (most - least), 0.0), 1.0) for n in each[first:]]
    found = float(np.interp(size, sizes, shares, left=1.0))
    reading = Reading(_STREAMS, "streams", how="cycles of a byte, between the least and the last")
    label = f"the share of {size} bytes that L2 holds"
    parameters.ledger[label] = Parameter(label, Fraction(found), None, reading)
    return found


def bulk_byte(parameters: Parameters, level: str, sms: int, together: int = 1) -> Fraction:
    """Cycles of an SM for a byte of a bulk copy, while so many SMs copy; see `traffic`."""
    found, number = [], _nearest(_TOGETHER, together)
    for which, share in _of_all(sms):
        ends = []
        for size in (16384, _LINK):
            series = f"bulk copies residency={level} SMs={which} bytes={size}"
            label = f"a bulk copy of {size} bytes from {level}, {which} of the SMs"
            reading = Reading("traffic", series)
            if level == "L2" and which == "all" and number > 1:
                series = series.replace("copies", "copies of the same") + f" SMs together={number}"
                label += f", {number} of which copy the same"
                reading = Reading("reach", series)
            ends.append(parameters.read(label, reading))
        found.append((ends[1] - ends[0]) / (_LINK - 16384) * share)
    return max(found)


def _nearest(numbers: Sequence[int], sms: int) -> int:
    """The nearest number of SMs that do the same together in a window."""
    return min(numbers, key=lambda number: abs(math.log(number / sms)))


def _of_all(sms: int) -> tuple[tuple[str, Fraction], tuple[str, Fraction]]:
    """The two windows of each series, and the share that so many SMs have of what they take."""
    return ("all", Fraction(sms, ALL)), ("one", Fraction(1))


def _memory_byte(parameters: Parameters) -> Fraction:
    """Cycles of an SM for a byte of memory that all SMs read, in a kernel.

    L2 held some of what the windows of `traffic` read, and a kernel that reads 151 MB once is
    slower than they are.
    """
    name = "a byte of memory, in a kernel that reads it once"
    record = _stream()
    longest = max(record.findings["problems"], key=lambda each: each["bytes"])
    mhz = Fraction(clocks(parameters.rows)[0].middle)
    cycles = Fraction(longest["alone"]["kernel"]) * mhz * ALL / longest["bytes"]
    how = f"microseconds of {longest['bytes']} bytes, times the clock and {ALL} SMs"
    return parameters.made(name, cycles, Reading(_STREAM, "the largest problem", how=how))


@cache
def _stream() -> Record:
    return read_record(paths.find("results") / TARGET / "cuda" / f"{_STREAM}.json")


#: A row of kernels that stream through arrays; its kind has this name too.
_STREAMS = "streams"


@cache
def _streams() -> dict[float, tuple[list[float], list[float]]]:
    """By the share of bytes that are written: bytes of streams, and cycles of the slowest SM."""
    record = read_record(paths.find("results") / TARGET / "cuda" / f"{_STREAMS}.json")
    found: dict[float, tuple[list[float], list[float]]] = {}
    for each in record.findings["streams"]:
        own = found.setdefault(each["writes"] / (each["reads"] + each["writes"]), ([], []))
        own[0].append(each["bytes"])
        own[1].append(median(each["most"]))
    return found


def streamed(parameters: Parameters, read: float, written: float) -> float:
    """Cycles of a kernel that reads and writes so many bytes once, behind the same kernel.

    Between the sizes of streams, and between their shares of writes, cycles go evenly; beyond the
    largest they grow with the bytes. Below the smallest nothing is said.
    """
    size = read + written
    shares, cycles = sorted(_streams()), []
    for share in shares:
        sizes, taken = _streams()[share]
        beyond = max(size / sizes[-1], 1.0)
        cycles.append(float(np.interp(size, sizes, taken, left=0.0)) * beyond)
    found = float(np.interp(written / max(size, 1), shares, cycles))
    label = f"a stream of {round(size)} bytes, of which {round(written)} are written"
    reading = Reading(_STREAMS, "streams", how="between the nearest sizes and shares of writes")
    return float(parameters.made(label, Fraction(round(found)), reading))


def epoch(parameters: Parameters) -> int:
    """Cycles after which SMs feel what others moved: those of a read that memory answers."""
    series = "ld.global.b64 chase residency=memory bytes between lanes=0 stride=128"
    return round(parameters.read("an epoch of all SMs", Reading("memory", series)))


def replaced(parameters: Parameters, threads: int, cluster: int) -> Fraction:
    """Cycles from the end of a CTA to the first issue of the one that takes its place."""
    if cluster > 1:
        series = f"replacement of clusters threads=256 cluster={min(cluster, 8)}"
    else:
        series = f"replacement threads={min((32, 256, 1024), key=lambda n: abs(n - threads))}"
    why = "the nearest number of threads that a row has"
    return parameters.read("a CTA takes another's place", Reading("launch", series), why)


def given(parameters: Parameters, sms: int, threads: int, cluster: int) -> Fraction:
    """Cycles from the start of a CTA on an SM to that of the next, while CTAs replace others.

    The GPU gives CTAs to all SMs in turn, so that it takes longer the more SMs there are.
    """
    least, most = _GRIDS
    if cluster > 1:
        near = min(_CLUSTERS, key=lambda n: abs(n - cluster))
        series = f"empty grids of clusters ctas={{}} threads=128 cluster={near}"
    else:
        near = min(_THREADS, key=lambda n: abs(math.log(n / threads)))
        series = f"empty grids ctas={{}} threads={near}"
    found = []
    for ctas in _GRIDS:
        label = f"nanoseconds of {series.format(ctas)}"
        found.append(parameters.read(label, Reading("dispatch", series.format(ctas))))
    mhz = Fraction(clocks(parameters.rows)[0].middle)
    return (found[1] - found[0]) / 1000 * mhz / (most - least) * sms


def begins(parameters: Parameters, threads: int, cluster: int) -> Fraction:
    """Cycles from the start of a CTA to that of the next on the SM, while all SMs get some."""
    if cluster > 1:
        series = "CTAs of an SM, of clusters threads=64 cluster=2"
    else:
        series = f"CTAs of an SM threads={min((32, 64, 128), key=lambda n: abs(n - threads))}"
    why = "the nearest number of threads that a row has"
    return parameters.read("a CTA begins after another", Reading("launch", series), why)


def launching(parameters: Parameters, ctas: int, threads: int, cluster: int) -> Fraction:
    """Nanoseconds from the start of an empty grid to that of the next in its stream."""
    if cluster > 1:
        series = f"empty grids of clusters ctas=128 cluster={cluster}"
    elif ctas <= 1:
        series = f"empty grids ctas=1 threads={32 if threads <= 512 else 1024}"
    elif ctas <= 594:
        series = f"empty grids ctas=132 threads={32 if threads <= 512 else 1024}"
    else:
        series = "empty grids ctas=1056 threads=128"
    why = "the nearest grid that a row has"
    return parameters.read("nanoseconds of an empty grid", Reading("launch", series), why)
