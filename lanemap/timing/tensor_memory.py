"""Kernels of timing probes that have tensor memory: what they allocate, fill and wait for.

One warp runs unless a probe says otherwise, of which one lane issues what one thread must. Each
wait is one `mbarrier.try_wait`, which hardware lets wait for microseconds; if it still fails, the
kernel gives up and its results are not the emulator's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from lanemap.timing.elements import filled
from lanemap.timing.series import Series

#: Columns of tensor memory.
COLUMNS = 512
#: Shared memory: A, B, then scales of 1, then where an allocation tells its place, and mbarriers.
_B_AT, _SCALES_AT, _SLOT_AT = 16384, 49152, 50176
#: Shared memory that leaves room for one CTA on an SM: it takes all of tensor memory.
_ALONE = 120 * 1024
TRY = "SYNCS.PHASECHK.TRANS64.TRYWAIT"
#: What a wait for a commit, and the next parity, are in SASS.
_WAITED = {TRY: 1, "BRA": 1, "SHF.L.U32": 1, "LOP3.LUT": 1}
_REGISTERS = """.reg .b32 at, drawn, slot, taddr, bar, parity, tmem; .reg .b64 da, db, ds;
    .reg .pred lead, good, acc, others; .reg .b16 both;
"""


@dataclass(frozen=True)
class Core:
    """A kernel with tensor memory.

    Attributes:
        ctas: CTAs of a group: 1 or 2.
        kind: What shared memory holds: a type of A and B.
        first: Once, after shared memory is filled: PTX that one lane issues, waited for.
        vector: Scales of a row: 4 are UE4M3, fewer UE8M0.
        columns: Columns that it allocates.
        warps: Warps of a CTA.
    """

    ctas: int = 1
    kind: str = ""
    first: str = ""
    vector: int = 0
    columns: int = COLUMNS
    warps: int = 1

    @property
    def group(self) -> str:
        """.cta_group."""
        return f"cta_group::{self.ctas}"

    @property
    def commit(self) -> str:
        """The commit, which both CTAs of a pair learn of."""
        to_all = ".multicast::cluster" * (self.ctas == 2)
        return (
            f"@lead tcgen05.commit.{self.group}.mbarrier::arrive::one.shared::cluster{to_all}"
            f".b64 [bar]{', both' * (self.ctas == 2)};\n"
        )

    @property
    def bar(self) -> str:
        """The SASS of a commit."""
        return "UTCBAR.2CTA.MULTICAST" if self.ctas == 2 else "UTCBAR"

    @property
    def committed(self) -> dict[str, int]:
        """The SASS of a commit, the wait for it and the next parity, in one CTA."""
        return {self.bar: 1} | _WAITED

    def voted(self, period: dict[str, int], sass: str, commits: int) -> dict[str, int]:
        """With what ptxas adds in a pair: whether a lane leads is voted on for each operation."""
        if self.ctas == 1:
            return period
        votes = {"VOTEU.ANY": period[sass] + commits}
        moves = period.get("UMOV", 0) + commits
        return period | votes | ({"UMOV": moves} if moves else {})

    @property
    def wait(self) -> str:
        """Waiting for a commit, by all lanes."""
        return (
            "mbarrier.try_wait.parity.shared::cta.b64 good, [bar], parity;\n"
            "@!good bra leave; xor.b32 parity, parity, 1;\n"
        )

    @property
    def met(self) -> str:
        """All warps of all CTAs are here."""
        if self.ctas == 1:
            return "bar.sync 0;\n"
        return "barrier.cluster.arrive; barrier.cluster.wait;\n"

    @property
    def setup(self) -> str:
        """Tensor memory, an mbarrier, and operands in shared memory."""
        pair = self.ctas == 2
        rank = "mov.u32 u1, %cluster_ctarank; setp.eq.and.u32 lead, u1, 0, lead;\n" * pair
        text = filled(self.kind, _SCALES_AT, 32) if self.kind else ""
        one = 0x38383838 if self.vector == 4 else 0x7F7F7F7F
        scales = "".join(f"st.shared.b32 [at+{128 * each}], {one};\n" for each in range(4))
        return f"""{text}    mad.lo.u32 at, thread, 4, shared; add.u32 at, at, {_SCALES_AT};
    {scales}    fence.proxy.async;
    add.u32 slot, shared, {_SLOT_AT};
    {"barrier.cluster.arrive.relaxed; barrier.cluster.wait;" * pair}
    setp.ge.u32 others, thread, 32;
    @others bra allocated;
    tcgen05.alloc.{self.group}.sync.aligned.shared::cta.b32 [slot], {self.columns};
allocated:
    bar.sync 0;
    ld.volatile.shared.b32 taddr, [slot];
    add.u32 bar, slot, 64;
    add.u32 parity, zero, 0;
    elect.sync _|lead, 0xffffffff;
    {"setp.lt.and.u32 lead, thread, 32, lead;" * (self.warps > 1)}
    @lead mbarrier.init.shared.b64 [bar], 1;
    {"@lead fence.mbarrier_init.release.cluster;" * pair}
    {rank}    mov.b16 both, 3;
    {self.met}    and.b32 at, shared, 0x3ffff; shr.u32 at, at, 4; cvt.u64.u32 da, at;
    or.b64 da, da, {2 << 61 | 1 << 46 | 64 << 32 | 1 << 16};
    add.u64 db, da, {_B_AT >> 4};
    and.b64 ds, da, {(1 << 14) - 1}; or.b64 ds, ds, {1 << 46 | 8 << 32 | 8 << 16};
    add.u64 ds, ds, {_SCALES_AT >> 4};
    {self._once()}"""

    def _once(self) -> str:
        """The first operation, and the wait for it."""
        if not self.first:
            return ""
        return f"{self.first}{self.commit}{self.wait}tcgen05.fence::after_thread_sync;\n"

    def series(
        self,
        name: str,
        instruction: str,
        events: tuple[str, str],
        kind: Literal["variable latency", "rate", "event"],
        link: str,
        period: dict[str, int],
        **more: Any,
    ) -> Series:
        """A series in this kernel."""
        pair = self.ctas == 2
        fixed: dict[str, Any] = {
            "registers": _REGISTERS + more.pop("own", ""),
            "setup": self.setup + more.pop("begun", ""),
            "begin": self.met * pair,
            "end": f"{self.met}@others bra done;\n"
            f"tcgen05.dealloc.{self.group}.sync.aligned.b32 taddr, {self.columns};",
            "shared_bytes": _ALONE, "ptx": "8.8", "cluster": self.ctas,
            "warps": self.warps,
            "directives": ".explicitcluster .reqnctapercluster 2, 1, 1" * pair,
        }  # fmt: skip
        return Series(name, instruction, events, kind, link, period, **(fixed | more))
