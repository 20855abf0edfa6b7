"""Special registers (NVIDIA PTX ISA): how code reads each, and what it is when a CTA begins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lanemap.emulator.codegen.values import Register, Value
from lanemap.emulator.ptx.lower.abi import LANES
from lanemap.emulator.runtime import abi

if TYPE_CHECKING:
    from lanemap.emulator.codegen.builder import Builder
    from lanemap.emulator.host.cluster import Place

#: Shared memory is counted in units of this many bytes (CUDA occupancy calculator, 9.0 and 10.0).
SHARED_UNIT = 128


@dataclass(frozen=True)
class Beginning:
    """The values that a special register may depend on when a CTA begins.

    Attributes:
        place: The CTA.
        declared_bytes: Bytes of shared memory that the text declares.
        explicit_cluster: Whether the kernel or its launch asks for a cluster.
        warps_of_sm: Most warps that an SM holds.
    """

    place: Place
    declared_bytes: int
    explicit_cluster: bool
    warps_of_sm: int


@dataclass(frozen=True)
class Readable:
    """A value other than a virtual register, and the core's registers that it is read from."""

    read: Callable[[Builder], Value]
    registers: tuple[Register, ...] = ()


def value_of(register: Register) -> Readable:
    """Return the contents of the core's register."""
    return Readable(lambda b: b.registers.read(register), (register,))


def constant(value: int, kind: str = "i32") -> Readable:
    """A number that is the same everywhere."""
    return Readable(lambda b: b.ir.constant(kind, value))


def _lane_mask(compare: str) -> Readable:
    """Bits of the lanes whose number compares so with the lane's own."""

    def read(b: Builder) -> Value:
        lane, one = b.lanes.numbers(), b.ir.constant("i32", 1)
        own = b.alu.shl(b.ir.spread(one), lane)
        below = b.alu.sub(own, one)
        return {
            "eq": lambda: own,
            "lt": lambda: below,
            "le": lambda: b.alu.or_(own, below),
            "ge": lambda: b.alu.not_(below),
            "gt": lambda: b.alu.not_(b.alu.or_(own, below)),
        }[compare]()

    return Readable(read)


def _executed(b: Builder) -> Value:
    """Clocks count instructions of the warp; they increase, but do not measure GPU time."""
    return b.runtime.field("executed", "i64")


def _clock(shift: int, kind: str) -> Readable:
    return Readable(
        lambda b: b.alu.resize(b.alu.lshr(_executed(b), b.ir.constant("i64", shift)), kind)
    )


def _threads(at: Beginning) -> Sequence[Any]:
    (x, y, _), thread = at.place.block, at.place.threads(LANES)
    return thread % x, thread // x % y, thread // (x * y)


def _inside(at: Beginning) -> Sequence[int]:
    (x, y, _), rank = at.place.cluster, at.place.rank
    return rank % x, rank // x % y, rank // (x * y)


def _positions(what: str) -> Callable[[Beginning], Sequence[abi.Position]]:
    return lambda at: [abi.Position[f"{what}_{axis}"] for axis in "XYZ"]


def _clusters(at: Beginning) -> Sequence[int]:
    return [ctas // each for ctas, each in zip(at.place.grid, at.place.cluster, strict=True)]


#: Registers with the parts x, y and z; %tid alone differs between lanes.
_VECTORS: dict[str, Callable[[Beginning], Sequence[Any]]] = {
    "tid": _threads,
    "ntid": lambda at: at.place.block,
    "ctaid": _positions("CTA"),
    "nctaid": lambda at: at.place.grid,
    "clusterid": _positions("CLUSTER"),
    "nclusterid": _clusters,
    "cluster_ctaid": _inside,
    "cluster_nctaid": lambda at: at.place.cluster,
}
_SCALARS: dict[str, Callable[[Beginning], Any]] = {
    "warpid": lambda at: at.place.threads(LANES)[:, 0] // LANES,
    "nwarpid": lambda at: at.warps_of_sm,
    "cluster_ctarank": lambda at: at.place.rank,
    "cluster_nctarank": lambda at: at.place.cluster[0] * at.place.cluster[1] * at.place.cluster[2],
    "is_explicit_cluster": lambda at: int(at.explicit_cluster),
    "dynamic_smem_size": lambda at: at.place.shared_bytes - at.declared_bytes,
    "total_smem_size": lambda at: -(-at.place.shared_bytes // SHARED_UNIT) * SHARED_UNIT,
}
#: Those that never change and that no register of the core holds.
_READ: dict[str, Readable] = {
    "laneid": Readable(lambda b: b.lanes.numbers()),
    "gridid": constant(0, "i64"),
    "current_graph_exec": constant(0, "i64"),
    "smid": constant(0),
    "nsmid": constant(1),
    "clock": _clock(0, "i32"),
    "clock_hi": _clock(32, "i32"),
    "clock64": _clock(0, "i64"),
    "globaltimer": _clock(0, "i64"),
    "globaltimer_lo": _clock(0, "i32"),
    "globaltimer_hi": _clock(32, "i32"),
    **{f"lanemask_{compare}": _lane_mask(compare) for compare in ("eq", "lt", "le", "ge", "gt")},
}


def _part(value: Callable[[Beginning], Sequence[Any]], number: int) -> Callable[[Beginning], Any]:
    return lambda at: value(at)[number]


def _register(name: str) -> Register:
    kind = "i1" if name == "is_explicit_cluster" else "i32"
    return Register(f"%{name}", kind, name.startswith("tid."))


#: What the core's registers of special registers hold when a CTA begins.
INITIAL: dict[Register, Callable[[Beginning], Any]] = {
    **{_register(name): value for name, value in _SCALARS.items()},
    **{
        _register(f"{name}.{axis}"): _part(value, number)
        for name, value in _VECTORS.items()
        for number, axis in enumerate("xyz")
    },
}
#: How code reads each, by its name with %.
SPECIALS = {
    **{register.name: value_of(register) for register in INITIAL},
    **{f"%{name}": readable for name, readable in _READ.items()},
}
CTA_RANK = _register("cluster_ctarank")
