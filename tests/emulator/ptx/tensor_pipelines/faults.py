"""Single faults of pipelines: changes of the lines that bear a name."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.emulator.ptx.tensor_pipelines.shape import Shape
from tests.emulator.ptx.tensor_pipelines.text import MEET, counts
from tests.emulator.ptx.tensor_pipelines.writer import Columns

Change = Callable[[str, Shape], str]
Where = Callable[[Shape], bool]


def _always(_: Shape) -> bool:
    return True


@dataclass(frozen=True)
class Fault:
    """One kind of fault.

    Attributes:
        name: What is wrong.
        step: The name of the lines that change; two names with | between them.
        change: From such a line to what stands there instead.
        where: In which programs it is a fault, as far as the lines do not say it.
        strict: Whether only the strict emulator objects.
    """

    name: str
    step: str
    change: Change
    where: Where = _always
    strict: bool = False

    def apply(self, program: str, s: Shape) -> str:
        """The program with the fault; the same text where it has nothing to change."""
        if not self.where(s):
            return program
        steps, changed = self.step.split("|"), []
        for line in program.split("\n"):
            text, _, name = line.partition(" // @")
            changed.append(f"{self.change(text, s)} // @{name}" if name in steps else line)
        return "\n".join(changed)


# -- changes --------------------------------------------------------------------------------------
def _drop(line: str, _: Shape) -> str:
    return ""


def _sub(pattern: str, by: str) -> Change:
    return lambda line, _: re.sub(pattern, by, line)


def _put(before: str) -> Change:
    return lambda line, _: f"{before} {line}"


def _number(change: Callable[[int], int]) -> Change:
    """Change the number at the end."""
    return lambda line, _: re.sub(r", (\d+);", lambda m: f", {change(int(m[1]))};", line)


def _once(rounds: Callable[[Shape], int]) -> Change:
    """Leave the line out in one round of its loop, the first in which it matters."""

    def change(line: str, s: Shape) -> str:
        mark = hashlib.sha256(line.encode()).hexdigest()[:8]
        return (
            f".reg .pred %once{mark}; setp.eq.u32 %once{mark}, %i, {rounds(s)}; "
            f"@%once{mark} bra LEFT{mark}; {line} LEFT{mark}:"
        )

    return change


def _without(
    step: str,
    where: Where = _always,
    rounds: Callable[[Shape], int] | None = None,
    strict: bool = False,
) -> list[Fault]:
    """A step is missing: always, and in one round."""
    found = [Fault(f"no {step}", step, _drop, where, strict)]
    if rounds:
        found.append(
            Fault(
                f"no {step}, once", step, _once(rounds), lambda s: where(s) and s.tiles > rounds(s)
            )
        )
    return found


# -- where ----------------------------------------------------------------------------------------
def _again(s: Shape) -> bool:
    """Whether tiles are overwritten."""
    return s.tiles > s.stages


def _read_again(s: Shape) -> bool:
    return s.sums > s.places


def _paired(s: Shape) -> bool:
    return s.group == 2


def _multicast(s: Shape) -> bool:
    return s.sharing or s.group == 2


def _multicast_alone(s: Shape) -> bool:
    """Pairs have met before they allocate, behind the fence of their mbarriers."""
    return s.sharing and s.group == 1


def _scaled(s: Shape) -> bool:
    return s.mma.scaled


def _direct(s: Shape) -> bool:
    """Whether the warp of the products learns of tiles from their mbarrier alone."""
    return not s.copier


def _first(_: Shape) -> int:
    return 1


def _ring(s: Shape) -> int:
    return s.stages


# -- the faults -----------------------------------------------------------------------------------
_WAITS = [
    *_without("product wait full", _direct, _first), *_without("copier wait full", _always, _first),
    *_without("product wait peer", _direct, _first), *_without("copier wait peer", _always, _first),
    *_without("relay wait", _always, _first), *_without("wait ready", _always, _first),
    *_without("wait empty", _again, _ring), *_without("wait sum"),
    Fault("no wait sum, once", "wait sum", _once(_first), lambda s: s.sums > 1),
    *_without("wait read", _read_again, lambda s: s.places * s.steps),
    *_without("wait ld", strict=True),
]  # fmt: skip
_FENCES = [
    *(fault for step in ("ready after", "reader after", "copier before")
      for fault in _without(step, strict=True)),
    *_without("copier after", _again, strict=True),
    *_without("sum after", lambda s: _read_again(s) and not s.copier and s.moved != "shift",
              strict=True),
    *_without("reader before", _read_again, strict=True),
    *_without("proxy fence", _always, _first),
    *_without("init fence", lambda s: s.loader != "stores", strict=True),
]  # fmt: skip
_WORK = [
    fault
    for step in (
        "load near",
        "load far",
        "store tile",
        "copy a",
        "copy sfa",
        "copy sfb",
        "shift",
        "mma",
        "expect",
        "relay arrive",
        "commit copies",
        "commit copies of a tile",
    )
    for fault in _without(step, _always, _first)
]
_SIGNALS = [
    *_without("commit tile", _always, _first), *_without("commit sum"), *_without("arrive full"),
    *_without("arrive ready", _always, _first), *_without("arrive read", _read_again),
    *(Fault(f"{step} to one CTA", step, _sub(r"\.multicast::cluster(.*), %\w+;", r"\1;"),
            _multicast) for step in ("commit tile", "commit sum")),
    *(Fault(f"{step} to the own CTA of a mask", step, _sub(r", %\w+;", ", %own;"), _multicast)
      for step in ("commit tile", "commit sum")),
    *(Fault(f"{step} to both pairs", step,
            lambda line, _: "mov.b16 %shared, 15; " + re.sub(r", %\w+;", ", %shared;", line),
            lambda s: s.team == "pairs" and not s.sharing and _again(s))
      for step in ("commit tile", "commit sum")),
    Fault("multicast of a load to the own CTA", "load far", _sub(r", %shared;", ", %own;"),
          lambda s: s.sharing),
    Fault("a load signals the own CTA", "signal the even CTA", _drop),
    Fault("expects one CTA's bytes", "expect", _number(lambda n: n // 2),
          lambda s: s.group == 2 and s.loader == "tma"),
    Fault("expects 16 bytes less", "expect", _number(lambda n: n - 16)),
    Fault("expects 16 bytes more", "expect", _number(lambda n: n + 16)),
    Fault("arrive full at the own CTA", "arrive full", _sub("mapa.*", ""), _paired),
    Fault("arrive read at the own CTA", "arrive read", _sub("mapa.*", ""),
          lambda s: s.group == 2 and _read_again(s)),
    Fault("relay arrive at the own CTA", "relay arrive", _sub("mapa.*", ""), _paired),
    Fault("arrive full relaxed", "arrive full", _sub("release", "relaxed"), _paired),
    Fault("relay arrive relaxed", "relay arrive", _sub("release", "relaxed")),
    *(Fault(f"{step} of CTA scope", step, _sub(r"release\.cluster", "release.cta"), _paired, True)
      for step in ("arrive full", "arrive read", "relay arrive")),
]  # fmt: skip


def _counts() -> list[Fault]:
    found = []
    for array in ("full", "empty", "sums", "read", "relayed", "ready", "copied"):
        several = array in ("full", "empty", "read")  # the others expect one arrival
        for by in (-1, 1) if several else (1,):

            def where(s: Shape, by: int = by, array: str = array) -> bool:
                used = {"read": _read_again, "empty": _again}.get(array, _always)(s)
                return used and array in counts(s) and counts(s)[array][1] + by > 0

            found.append(
                Fault(
                    f"{array}: {by:+d} arrival",
                    f"init {array}",
                    _number(lambda n, by=by: n + by),
                    where,
                )
            )
    return found


_OPERANDS = [
    *(Fault(f"scales of {of} four columns on", "mma", _sub(rf"\[%s{of}\]", f"[%s{of}+4]"), _scaled)
      for of in "ab"),
    Fault("scales of A and B exchanged", "mma", _sub(r"\[%sa\], \[%sb\]", "[%sb], [%sa]"), _scaled),
    *(Fault(f"another scale factor ID of {of}", "mma",
            _put(f"xor.b32 %idesc, %idesc, {1 << at:#x};"), _scaled)
      for of, at in (("A", 29), ("B", 4))),
    Fault("the other type of scales", "mma", _put(f"xor.b32 %idesc, %idesc, {1 << 23:#x};"),
          _scaled),
    Fault("scales of B to other lanes", "copy sfb", _sub("01_23", "02_13"), lambda s: s.fold == 2),
    Fault("scales of A to half of the lanes", "copy sfa",
          _sub("32x128b.warpx4", "64x128b.warpx2::02_13")),
    Fault("scales to the columns of the first tile", "copy sfa",
          _put("mul.lo.u32 %to, %slot, 4; sub.u32 %x, %x, %to;"),
          lambda s: s.stages > 1 and s.tiles > 1 and s.scale_words == 1),
    *(Fault(f"{step} of one CTA", step, _sub("cta_group::2", "cta_group::1"), _paired)
      for step in ("copy sfa", "mma", "commit tile", "alloc", "dealloc", "relinquish")),
    Fault("M of one CTA", "mma", _put(f"sub.u32 %idesc, %idesc, {64 >> 4 << 24};"),
          lambda s: s.mma.rows == 128),
    Fault("N 16 less", "mma", _put(f"sub.u32 %idesc, %idesc, {16 >> 3 << 17};"),
          lambda s: s.mma.columns > 16),
    Fault("D eight columns on", "mma", _sub(r"\[%d\]", "[%d+8]")),
    Fault("D is never cleared", "mma", _put("setp.eq.u32 %adds, %zero, 0;")),
    Fault("the collector is not filled", "mma", _sub("fill", "discard")),
    Fault("another collector buffer", "mma", _sub(r"b\d::fill", "b0::fill"),
          lambda s: s.buffer != 0),
]  # fmt: skip


def _early(line: str, s: Shape) -> str:
    """Let the odd CTA give its columns back before it waits for the other threads."""
    if line == MEET[0]:
        return line
    if line != MEET[1]:
        return f"@%leads {line}"
    back = f"tcgen05.dealloc.cta_group::2.sync.aligned.b32 %base, {Columns(s).count};"
    return (
        f"setp.ne.u32 %p, %warp, {s.roles[3]}; @%p bra STAYS; @%leads bra STAYS; "
        f"{back} STAYS: {line}"
    )


_RELAXED = {MEET[0]: "barrier.cluster.arrive.relaxed.aligned;"}
_ALONE = {MEET[0]: "", MEET[1]: "bar.sync 0;"}
_LIFE = [
    *_without("meet at begin"), *_without("meet at end"), *_without("alloc"),
    *_without("dealloc"),
    *(Fault(f"CTAs alone at the {when}", f"meet at {when}", lambda line, _: _ALONE[line], where)
      for when, where in (("begin", _multicast_alone), ("end", _paired))),
    # by default what this leaves unordered is noted
    Fault("relaxed meeting at the begin", "meet at begin",
          lambda line, _: _RELAXED.get(line, line), strict=True),
    *(Fault(f"{step} by one CTA", step, _put("@%leads"), _paired) for step in ("alloc", "dealloc")),
    Fault("one CTA gives back before it waits", "meet at end|dealloc", _early, _paired),
    Fault("half of the columns", "alloc", _number(lambda n: n // 2)),
    Fault("half of the columns given back", "dealloc", _number(lambda n: n // 2)),
    Fault("alloc after relinquish", "alloc",
          lambda line, s: f"tcgen05.relinquish_alloc_permit.cta_group::{s.group}.sync.aligned; "
          f"{line}"),
]  # fmt: skip
FAULTS: tuple[Fault, ...] = (*_WAITS, *_FENCES, *_WORK, *_SIGNALS, *_counts(), *_OPERANDS, *_LIFE)
