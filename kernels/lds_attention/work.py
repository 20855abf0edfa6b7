"""The work of lds_attention's paths, counted on the emulator, and the cycles that it bounds.

A workgroup is counted with two numbers of tiles of keys. The difference is what a tile adds; the
rest is what a call costs however many tiles there are: Q's way through LDS, addresses, O's store.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import ml_dtypes
import numpy as np

import lanemap

from .attend import attend, scores
from .paths import KEYS, PATHS, QUERIES, WAVES, WAYS, Path, path
from .source import TARGET

HEAD_DIM = 128
#: The lengths that are compared, in tiles of keys.
_FEW, _MANY = 2, 4
#: Cycles of a SIMD: four for each pass (AMD CDNA4 ISA, 7.1; passes as in lanemap's wait states).
MFMA_CYCLES = {"v_mfma_f32_32x32x16_fp8_fp8": 4 * 8, "v_mfma_f32_32x32x64_f8f6f4": 4 * 16}
#: A wave of 64 lanes on a SIMD of 16: AMD CDNA4 ISA, 1.1; a quarter of the rate for v_exp_f32 ..
VALU_CYCLES, TRANSCENDENTAL_CYCLES = 4, 16
_TRANSCENDENTAL = ("v_exp_f32", "v_rcp_f32", "v_log_f32", "v_rcp_iflag_f32")
#: LDS reads 256 bytes a cycle: a pass of its 64 banks (reads of 8 and 16 bytes) takes one (AMD,
#: ROCm Blogs, "FP8 GEMM Optimization on AMD CDNA4 Architecture", table 1). Assumed: it writes 128,
#: so a pass of 32 banks takes one, and ds_bpermute_b32, which needs no bank, two.
READ_PASS_CYCLES, WRITE_PASS_CYCLES, PERMUTE_CYCLES = 1, 1, 2


@dataclass
class Work:
    """Counts of a workgroup of four waves; instructions are those of waves.

    Attributes:
        writes: Instructions that write LDS, by opcode; copies to LDS are among them.
        reads: Instructions that read LDS, by opcode.
        permutes: ds_bpermute_b32.
        mfma: By opcode.
        valu: Vector instructions besides those.
        transcendental: Those among them that run at a quarter of the rate.
        classes: All instructions by class.
        read_passes: Passes of the banks for reads.
        write_passes: For writes.
        read_conflicts: Passes that exist only because words share a bank.
        write_conflicts: Passes of writes that exist only because words share a bank.
    """

    writes: dict[str, float] = field(default_factory=dict)
    reads: dict[str, float] = field(default_factory=dict)
    permutes: float = 0
    mfma: dict[str, float] = field(default_factory=dict)
    valu: float = 0
    transcendental: float = 0
    classes: dict[str, float] = field(default_factory=dict)
    read_passes: float = 0
    write_passes: float = 0
    read_conflicts: float = 0
    write_conflicts: float = 0

    def plus(self, other: Work, times: float) -> Work:
        """Return this work and so many times another one."""
        mine, theirs = asdict(self), asdict(other)
        return Work(**{name: _plus(value, theirs[name], times) for name, value in mine.items()})

    def cycles(self) -> dict[str, float]:
        """Return the cycles that each unit of a CU is busy: a wave on each of its four SIMDs.

        "bound" is the largest of them: less is not possible, more is.
        """
        plain = self.valu - self.transcendental
        found = {
            "LDS": READ_PASS_CYCLES * self.read_passes + WRITE_PASS_CYCLES * self.write_passes
            + PERMUTE_CYCLES * self.permutes,
            "MFMA": sum(MFMA_CYCLES[name] * n for name, n in self.mfma.items()) / WAVES,
            "VALU": (VALU_CYCLES * plain + TRANSCENDENTAL_CYCLES * self.transcendental) / WAVES,
        }  # fmt: skip
        conflicts = (
            READ_PASS_CYCLES * self.read_conflicts + WRITE_PASS_CYCLES * self.write_conflicts
        )
        return {**found, "conflicts": conflicts, "bound": max(found.values())}


def _plus(mine: Any, theirs: Any, times: float) -> Any:
    if not isinstance(mine, dict):
        return mine + times * theirs
    names = sorted({*mine, *theirs})
    sums = {name: mine.get(name, 0) + times * theirs.get(name, 0) for name in names}
    return {name: number for name, number in sums.items() if number}


def _opcode(name: str) -> str:
    """An opcode without the suffix that only chooses its encoding."""
    for suffix in ("_e32", "_e64", "_dpp", "_sdwa"):
        name = name.removesuffix(suffix)
    return name


def counted(counts: Any) -> Work:
    """Return the work that `device.count()` counted."""
    work = Work()
    for one in counts.instructions:
        waves, opcode = one.executed.waves, _opcode(one.opcode)
        if not waves:
            continue
        work.classes[one.kind] = work.classes.get(one.kind, 0) + waves
        if opcode in MFMA_CYCLES:
            work.mfma[opcode] = work.mfma.get(opcode, 0) + waves
        elif opcode.startswith("v_"):
            work.valu += waves
            work.transcendental += waves * (opcode in _TRANSCENDENTAL)
        elif opcode == "ds_bpermute_b32":
            work.permutes += waves
        _add_accesses(work, one, opcode, waves)
    return work


def _add_accesses(work: Work, one: Any, opcode: str, waves: int) -> None:
    for (space, direction), traffic in one.traffic.items():
        if space != "shared":
            continue
        name = f"{opcode} .. lds" if opcode.startswith("buffer_") else opcode
        by_opcode = work.reads if direction == "load" else work.writes
        by_opcode[name] = by_opcode.get(name, 0) + waves
        if direction == "load":
            work.read_passes += traffic.passes
            work.read_conflicts += traffic.conflicts
        else:
            work.write_passes += traffic.passes
            work.write_conflicts += traffic.conflicts


def assumed_rules() -> list[str]:
    """Return the accesses of LDS whose bank rules are assumed."""
    rules = call(path("1s"), False, 1).to_json()["bank_rules"]
    return sorted(rule["form"] for rule in rules if rule["evidence"] == "assumed")


def measure(chosen: Path, scores_only: bool) -> tuple[Work, Work]:
    """Return what a workgroup does however many keys there are, and what each tile of keys adds."""
    few, many = (counted(call(chosen, scores_only, tiles)) for tiles in (_FEW, _MANY))
    tile = many.plus(few, -1)
    each = Work().plus(tile, 1 / (_MANY - _FEW))
    return few.plus(each, -_FEW), each


def call(chosen: Path, scores_only: bool, tiles: int) -> Any:
    """Return the counts of a workgroup that goes through so many tiles of keys."""
    draw = np.random.default_rng(0)

    def rows(length: int) -> Any:
        drawn = draw.standard_normal((1, length, 1, HEAD_DIM))
        return drawn.astype(ml_dtypes.float8_e4m3fn)

    q, k, v = rows(QUERIES), rows(KEYS * tiles), rows(KEYS * tiles)
    # Equal rows of logits: the maximum never changes after the first tile, as mostly in long calls.
    k[:] = k[:, :1]
    device: Any = lanemap.open_device(TARGET, "emulator")
    with device.count() as counts:
        if scores_only:
            scores(q, k, device, chosen)
        else:
            attend(q, k, v, device=device, path=chosen)
    return counts


def compared() -> list[tuple[Path, bool]]:
    """Return what the comparison measures: every path for Q K^T and for attention, ways of P."""
    found = [(path(name), only) for name in PATHS for only in (True, False)]
    found += [
        (path("1s", way, mfma_k), False)
        for way in WAYS
        for mfma_k in (64, 16)
        if (way, mfma_k) != (WAYS[0], 64)
    ]
    return found
