"""Instructions of shared memory, and others that take its port: which rows time them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from lanemap.timing.model.parameters import Reading


@dataclass(frozen=True)
class SharedRule:
    """Opcodes that are timed alike.

    Attributes:
        opcodes: What they begin with; a longer beginning goes before a shorter one.
        least: Passes of an access without conflicts.
        port: How long a scheduler's port is held by an access.
        port_pass: How long each pass takes of a scheduler's queue.
        data_pass: How long the SM's data path is held by each pass.
        latency: Until the result of such an access.
        latency_pass: And for each further pass.
        operands: Until its operands are read.
        crowded: How long the data path is held by such an access of one of several warps of a
            scheduler: the mean of these.
        why: Why rows of another opcode count.
        unit: The kind of unit, as machine.h names it.
    """

    opcodes: tuple[str, ...]
    least: int
    port: Reading
    port_pass: Reading | None = None
    data_pass: Reading | None = None
    latency: Reading | None = None
    latency_pass: Reading | None = None
    operands: Reading | None = None
    crowded: tuple[Reading, ...] = ()
    why: str = ""
    unit: str = "PORT"


def _chase(width: str, passes: int) -> str:
    return f"ld.shared.{width} chase passes={passes}"


def _each(width: str, least: int) -> Reading:
    latency = {1: 23, 2: 26, 4: 32}[least]
    return Reading(
        "smem", _chase(width, 32), Fraction(latency), Fraction(32 - least),
        "the same without conflicts; further passes",
    )  # fmt: skip


def _data(opcode: str) -> Reading:
    return Reading(
        "smem", f"{opcode} rate warps=4 passes=32", over=Fraction(4 * 32), how="warps; passes"
    )


def _alone(opcode: str, least: int) -> Reading:
    return Reading("smem", f"{opcode} rate warps=1 passes={least}")


_WORD, _PAIR, _QUAD = (("b32", 1), ("v2.b32", 2), ("v4.b32", 4))
_NEXT = Reading("smem", "burst of LDS loads=2", Fraction(23), how="the latency of one")
_PASS = _each(*_WORD)
_READ = Reading(
    "issue", "barrier of operands barrier=0", Fraction(1), how="the stall count of LOP3"
)
_ALIKE = "loads enter the queue alike, whatever their passes"
_STORED = "operands are read as those of STS"
_SHUFFLE = Reading("alu_paths", "SHFL.BFLY rate warps=4")
_SHUFFLED = Reading(
    "alu_paths", "SHFL.BFLY rate warps=4", over=Fraction(4), how="warps, each on its scheduler"
)


def _load(opcode: str, width: str, least: int) -> SharedRule:
    latency = Reading("smem", _chase(width, least))
    why = "" if opcode == "LDS" else _ALIKE
    return SharedRule((opcode,), least, _NEXT, _PASS, _data("LDS.128"), latency,
                      _each(width, least), _READ, why=why)  # fmt: skip


def _matrix(opcode: str, name: str, least: int) -> SharedRule:
    return SharedRule((opcode,), least, _NEXT, _PASS, _data("LDSM.16.M88.4"),
                      Reading("smem", name), _PASS, _READ, why=_ALIKE)  # fmt: skip


def _store(opcode: str, least: int, data: str = "") -> SharedRule:
    crowded = tuple(
        Reading("smem", f"{opcode} rate warps={n} passes={least}", over=Fraction(n), how="warps")
        for n in (8, 16)
    )
    return SharedRule((opcode,), least, _alone(opcode, least), _PASS, _data(data or opcode),
                      operands=_READ, crowded=crowded,
                      why="" if opcode == "STS" else _STORED)  # fmt: skip


def _atomic(opcode: str, chase: str, rate: str = "ADD") -> SharedRule:
    return SharedRule(
        (f"ATOMS.{opcode}",), 1, _alone(f"ATOMS.{rate}", 1), _PASS, _data("ATOMS.ADD"),
        Reading("smem", f"atom.shared.{chase} chase words=32"), _PASS, _READ,
        why="" if opcode == "ADD" else "its passes are as those of ATOMS.ADD",
    )  # fmt: skip


_CAS = Reading("smem", "atom.shared.cas chase words=1", Fraction(30), Fraction(31),
               "the same without conflicts; further passes")  # fmt: skip
_ARRIVES = Reading("sync", "mbarrier.arrive lanes=32")
_CHECK = Reading("sync", "mbarrier.try_wait true", Fraction(4), how="the stall count of LOP3.LUT")
_FENCE = Reading("sync", "membar.cta")

SHARED = (
    _load("LDS", *_WORD),
    _load("LDS.64", *_PAIR),
    _load("LDS.128", *_QUAD),
    *(
        _matrix(f"LDSM.16.{kind}{end}", f"ldmatrix.x{least}{trans} chase passes={least}", least)
        for kind, trans in (("M88", ""), ("MT88", ".trans"))
        for end, least in (("", 1), (".2", 2), (".4", 4))
    ),
    _store("STS", 1),
    _store("STS.64", 2),
    _store("STS.128", 4),
    *(
        _store(f"STSM.16.{kind}{end}", least, "STSM.16.M88.4")
        for kind in ("M88", "MT88")
        for end, least in (("", 1), (".2", 2), (".4", 4))
    ),
    _atomic("ADD", "add"), _atomic("EXCH", "exch", "EXCH"), _atomic("MAX", "max", "MAX"),
    _atomic("MIN", "min"), _atomic("AND", "and"), _atomic("OR", "or"), _atomic("XOR", "xor"),
    _atomic("INC", "inc"), _atomic("DEC", "dec"),
    _atomic("POPC.INC", "inc", "POPC.INC.32"),
    SharedRule(("ATOMS.CAS",), 1, _alone("ATOMS.CAS", 1), _CAS,
               Reading("smem", "ATOMS.CAS rate warps=4 passes=1 words=1", over=Fraction(128),
                       how="warps; passes"),
               Reading("smem", "atom.shared.cas chase words=32"), _CAS, _READ),
    SharedRule(("SHFL",), 1, _SHUFFLE, operands=_READ,
               latency=Reading("alu", "", opcode="SHFL.BFLY"),
               data_pass=_SHUFFLED,
               crowded=(Reading("alu_paths", "SHFL.BFLY rate warps=16", over=Fraction(16),
                                how="warps"),)),
    SharedRule(("REDUX",), 1, _SHUFFLE,
               Reading("alu_paths", "REDUX.SUM and IMAD.U32 and LOP3.LUT rate warps=16",
                       over=Fraction(4), how="warps of a scheduler"),
               _SHUFFLED, operands=_READ, latency=Reading("alu", "", opcode="REDUX.SUM"),
               why="it enters the port as SHFL does, and is done as one pass of its own"),
    SharedRule(("MATCH.ALL", "MATCH.ANY"), 1, Reading("alu_paths", "MATCH.ALL rate warps=1")),
    SharedRule(("SYNCS.ARRIVE",), 1, _ARRIVES, operands=_ARRIVES, unit="MBARRIER_ARRIVE"),
    SharedRule(("SYNCS.PHASECHK",), 1, _ARRIVES, latency=_CHECK, operands=_ARRIVES,
               unit="MBARRIER_WAIT", why="it takes the port as an arrival does"),
    SharedRule(("SYNCS.EXCH",), 1, Reading("sync", "mbarrier.init"), unit="MBARRIER_INIT",
               operands=Reading("sync", "mbarrier.init"), latency=_CHECK),
    SharedRule(("SYNCS.CCTL",), 1, _ARRIVES, operands=_ARRIVES, latency=_CHECK,
               why="it takes the port as an arrival does, and its barrier as SYNCS.EXCH"),
    SharedRule(("MEMBAR.SC.CTA",), 1, _FENCE, operands=_FENCE),
    SharedRule(("MEMBAR.ALL.CTA",), 1, Reading("sync", "fence.acq_rel.cta"), operands=_FENCE),
)  # fmt: skip
