"""Instructions of global memory, and copies: which rows time them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from lanemap.timing.model.parameters import Reading


@dataclass(frozen=True)
class MemoryRule:
    """Opcodes that are timed alike.

    Attributes:
        opcodes: What they begin with; a longer beginning goes before a shorter one.
        unit: The kind of unit, as machine.h names it.
        readings: By field of machine.h's operations, where its cycles come from; byte_latency and
            byte_rate are cycles of a byte.
        why: Why rows of another opcode count.
        least: Passes of an access of 32 lanes side by side.
        bytes: Bytes of the copy that `latency` is read from.
        copies: Whether later instructions may wait for it as for a copy.
        peer: Whether it takes the way to other SMs.
    """

    opcodes: tuple[str, ...]
    unit: str
    readings: dict[str, Reading]
    why: str = ""
    least: int = 1
    bytes: int = 0
    copies: bool = False
    peer: bool = False


def _chase(width: str, residency: str, lanes: int = 0, scope: str = "") -> str:
    strong = f".relaxed.{scope}" if scope else ""
    return f"ld{strong}.global.{width} chase residency={residency} bytes between lanes={lanes}"


_ONE, _FOUR = (f"batch of ld.global.b64 residency=L1 loads={n} warps=1" for n in (1, 4))
_MEMORY = "batch of ld.global.b64 residency=memory loads=1 warps=1"
_READ = Reading("issue", "barrier of operands barrier=0", Fraction(1), how="the stall of LOP3")
_PORT = Reading(
    "memory", _FOUR, Fraction(52), Fraction(3), "a batch of one, LOP3 of the others; further loads"
)
_LINE = Reading("memory", _chase("b64", "L1", 64), Fraction(34), Fraction(14),
                "the same within two lines; further lines")  # fmt: skip
_PATH = Reading("smem", "STS rate warps=4 passes=32", over=Fraction(128), how="warps; passes")
_L2 = Reading("memory", _chase("b64", "L2"))
_HBM = Reading("memory", _MEMORY, Fraction(14), how="what a batch takes besides, as in L1")
#: What no SM of its half of L2 has read since it was written comes from where it lies, as what an
#: atomic exchanges does; the mean of both halves.
_HOME = Reading("memory_map", "atom.global.exch.b32 by place place=a word for each lane SMs=one")
_LOAD = {
    "port_least": _PORT, "data_pass": _PATH, "latency_pass": _LINE, "operands": _READ,
    "second": _L2, "third": _HBM, "home": _HOME,
    "shared": Reading("smem", "ld.b64 of shared memory chase"),
    "remote": Reading("copies", "ld.shared::cluster chase CTAs=2 peer's rank XOR=1", Fraction(5),
                      how="stall counts of two MOV"),
}  # fmt: skip
_SAME = "rows have its latency from L1; its rate and other levels are those of LDG.E.64"


def _store(width: str, least: int, series: str) -> MemoryRule:
    reading = Reading("memory", f"st.global.{series} warps=1 bytes between lanes={4 * least}")
    return MemoryRule((f"STG.E{width}",), "STORE",
                      {"port_least": reading, "data_pass": _PATH, "operands": _READ},
                      "its operands are read as those of STS", least)  # fmt: skip


_RED = {
    "port_least": Reading("memory", "red.global.add.u32 warps=1 bytes between lanes=4"),
    "operands": _READ,
}


def _atomic(opcodes: tuple[str, ...], name: str, why: str = "") -> MemoryRule:
    one = Reading("memory", f"atom.global.{name}.data residency=L2 bytes between lanes=8")
    return MemoryRule(opcodes, "ATOMIC", _RED | {"latency": one, "second": one, "third": one},
                      why)  # fmt: skip


_WAIT = "cp.async.{0} and wait bytes={1}"
_TURN = Fraction(4)
_STALLS = "the stall count of DEPBAR.LE"
_DEPBAR = Reading("sync", "cp.async.wait_all", _TURN, how=_STALLS)
_BULK = "cp.async.bulk load bytes={0} in flight={1} offset=0"
_TENSOR = (
    "cp.async.bulk.tensor load bytes={0} in flight={1} dimensions={2} swizzle=none pitch=128 "
    "maps=1 SMs={3}"
)
#: What a turn of a bulk copy takes besides: stall counts, and from a phase's end to the wait's.
_REST = Fraction(23) + 39
_RESTING = "stall counts of the turn, and from the end of a phase to that of the wait"
_ARRIVES = Reading("sync", "mbarrier.arrive lanes=32")


def _bulk_load() -> MemoryRule:
    one = Reading("copies", _BULK.format(1024, 1), _REST, how=_RESTING)
    longer = Reading("copies", _BULK.format(16384, 1), Fraction("326.6"), Fraction(15360),
                     "a copy of 1024 bytes; further bytes")  # fmt: skip
    return MemoryRule(("UBLKCP.S.G",), "BULK_LOAD",
                      {"latency": one, "byte_latency": longer, "byte_rate": longer,
                       "second": _L2, "third": _HBM, "home": _HOME, "operands": _ARRIVES},
                      "its operands are read as an arrival's; from memory it takes longer as LDG",
                      bytes=1024)  # fmt: skip


def _tensor_load(dimensions: int) -> MemoryRule:
    one = Reading("copies", _TENSOR.format(1024, 1, dimensions, "all"), _REST, how=_RESTING)
    longer = Reading("copies", _TENSOR.format(8192, 1, 2, "all"), Fraction("333.5"), Fraction(7168),
                     "a copy of 1024 bytes; further bytes")  # fmt: skip
    return MemoryRule((f"UTMALDG.{dimensions}D",), "BULK_LOAD",
                      {"latency": one, "byte_latency": longer, "byte_rate": longer,
                       "second": _L2, "third": _HBM, "home": _HOME, "operands": _ARRIVES},
                      "its operands are read as an arrival's; from memory it takes longer as LDG",
                      bytes=1024)  # fmt: skip


def _stored(opcode: str, series: str) -> MemoryRule:
    one = Reading("copies", series, Fraction(30), how="stall counts of the turn")
    longer = Reading("copies", "cp.async.bulk store bytes=8192 wait=read", Fraction(112),
                     Fraction(7168), "a copy of 1024 bytes; further bytes")  # fmt: skip
    least = Reading("copies", "cp.async.bulk store bytes=128 wait=read", Fraction(30),
                    how="stall counts of the turn")  # fmt: skip
    return MemoryRule((opcode,), "BULK_STORE",
                      {"latency": one, "byte_latency": longer, "byte_rate": longer,
                       "shortest": least, "operands": _ARRIVES},
                      "further bytes as UBLKCP.G.S", bytes=1024)  # fmt: skip


_PEER = "cp.async.bulk to a peer bytes={}"


def _sent(opcode: str, series: str, size: int, turn: int) -> MemoryRule:
    """What completes at an mbarrier of another CTA; `turn` are stall counts of its window."""
    one = Reading("copies", series, Fraction(turn) + 39, how=_RESTING)
    longer = Reading("copies", _PEER.format(8192), Fraction("209.625"), Fraction(7168),
                     "a copy of 1024 bytes; further bytes")  # fmt: skip
    return MemoryRule((opcode,), "BULK_LOAD",
                      {"latency": one, "byte_latency": longer, "byte_rate": longer,
                       "operands": _ARRIVES},
                      "its operands are read as an arrival's; further bytes as UBLKCP.S.S",
                      bytes=size, peer=True)  # fmt: skip


MEMORY = (
    MemoryRule(("LDG.E", "LDG.E.CONSTANT", "LDG.E.U8", "LDG.E.S8", "LDG.E.U16", "LDG.E.S16",
                "LD.E", "LDL"), "GLOBAL",
               _LOAD | {"latency": Reading("memory", _chase("b32", "L1"))}, _SAME),
    MemoryRule(("LDG.E.64", "LDG.E.64.CONSTANT", "LD.E.64", "LDL.64"), "GLOBAL",
               _LOAD | {"latency": Reading("memory", _chase("b64", "L1"))}, least=2),
    *(MemoryRule((f"LDG.E.64.STRONG.{scope.upper()}",), "GLOBAL",
                 _LOAD | {"latency": Reading("memory", _chase("b64", "L1")),
                          "second": Reading("memory", _chase("b64", "L2", scope=scope))}, least=2)
      for scope in ("gpu", "sys")),
    MemoryRule(("LDG.E.128", "LDG.E.128.CONSTANT", "LD.E.128", "LDL.128"), "GLOBAL",
               _LOAD | {"latency": Reading("pipelines", "ld.global.v2.b64 chase residency=L1 "
                                           "bytes between lanes=16")}, _SAME, 4),
    _store("", 1, "b32"), _store(".64", 2, "b64"), _store(".128", 4, "v4.b32"),
    MemoryRule(("STG.E.U8", "STG.E.U16", "STL"), "STORE",
               {"port_least": Reading("memory", "st.global.b8 warps=1 bytes between lanes=1"),
                "operands": _READ}, "a narrow store"),
    MemoryRule(("ST.E",), "STORE",
               {"port_least": Reading("copies", "st.shared::cluster CTAs=2 peer's rank XOR=1"),
                "operands": _READ}, "by a generic address, as to another CTA"),
    MemoryRule(("REDG",), "REDUCE", _RED, "a reduction of 32 lanes side by side"),
    _atomic(("ATOMG",), "add.u32", "an atomic of 32 lanes, answered by L2"),
    *(_atomic((f"ATOMG.E.{opcode}",), name) for opcode, name in (
        ("EXCH", "exch.b32"), ("EXCH.64", "exch.b64"), ("ADD.64", "add.u64"),
        ("ADD.F32", "add.f32"))),
    MemoryRule(("LDC",), "NOTHING", {
        "latency": Reading("memory", "ld.const.b32 chase residency=near bytes=256")}),
    MemoryRule(("CCTL.E",), "PORT", {"port_least": Reading(
        "memory", "prefetch.global.L2 warps=1 bytes between lanes=4"), "operands": _READ}),
    *(MemoryRule((f"LDGSTS.E{width}",), "GLOBAL", {
        "port_least": Reading("copies", "cp.async.cg bytes=16"), "operands": _READ,
        "data_pass": _PATH, "third": _HBM,
        "latency": Reading("copies", _WAIT.format("ca", size), _TURN, how=_STALLS),
        "second": Reading("copies", _WAIT.format("cg", 16), _TURN, how=_STALLS)}, copies=True)
      for width, size in (("", 4), (".64", 8), (".128", 16), (".BYPASS", 16))),
    MemoryRule(("LDGDEPBAR",), "COPIES", {"latency": _DEPBAR}),
    MemoryRule(("ARRIVES.LDGSTSBAR",), "COPIES_ARRIVE",
               {"port_least": _ARRIVES, "operands": _ARRIVES},
               "it arrives as SYNCS.ARRIVE does"),
    _bulk_load(),
    _sent("UBLKCP.S.S", _PEER.format(1024), 1024, 23),
    _sent("STAS", "st.async.b32 bytes=4", 4, 33),
    _sent("STAS.64", "st.async.b64 bytes=8", 8, 33),
    _sent("REDAS", "red.async.add.u32 bytes=4", 4, 33),
    *(_tensor_load(dimensions) for dimensions in (1, 2, 3, 4, 5)),
    _stored("UBLKCP.G.S", "cp.async.bulk store bytes=1024 wait=read"),
    _stored("UBLKRED.G.S", "cp.reduce.async.bulk.add.u32 bytes=1024 wait=read"),
    _stored("UTMASTG", "cp.async.bulk.tensor store bytes=1024 wait=read dimensions=2 SMs=one"),
    _stored("UTMAREDG",
            "cp.reduce.async.bulk.tensor store bytes=1024 wait=read dimensions=2 SMs=one"),
    MemoryRule(("UTMACMDFLUSH",), "BULK_END", {"operands": _ARRIVES, "latency": _ARRIVES},
               "its operands are read as an arrival's"),
    MemoryRule(("UBLKPF",), "PORT", {"operands": _ARRIVES, "port_least": Reading(
        "copies", "cp.async.bulk.prefetch")}, "its operands are read as an arrival's"),
)  # fmt: skip
