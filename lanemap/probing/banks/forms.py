"""The accesses of shared memory whose bank conflicts are probed, and the kernel that repeats them.

On a GPU, all warps of a CTA repeat one access at the same addresses. Shared memory is then the
bottleneck, and one repetition takes as many cycles as it takes passes. The kernel repeats each
access n and 2n times, so that everything else cancels.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

# Independent copies of the access in one trip of the loop: enough loads are in flight.
COPIES = 8
MEMORY_BYTES = 16384
#: Lanes of a warp.
WARP_LANES = 32


@dataclass(frozen=True)
class Access:
    """One form of access.

    Attributes:
        name: The opcode, which names the form.
        direction: "load" or "store".
        size: Bytes at each lane's address.
        registers: 32-bit registers of a thread.
        lanes: Lanes whose addresses count, according to the ISA.
        aligned: Whether all lanes of the warp must execute it.
        wave: Lanes of a warp or wave.
    """

    name: str
    direction: str
    size: int
    registers: int
    lanes: int = WARP_LANES
    aligned: bool = False
    wave: int = WARP_LANES

    @property
    def entry(self) -> str:
        """The name of its kernel."""
        return re.sub(r"\W+", "_", self.name)

    def instruction(self, address: str) -> str:
        """The access at an address: loads into v0, v1, .., stores of `zero`."""
        names = [f"v{i}" if self.direction == "load" else "zero" for i in range(self.registers)]
        vector = self.registers > 1 or self.aligned
        data = f"{{{', '.join(names)}}}" if vector else names[0]
        if self.direction == "load":
            return f"{self.name} {data}, [{address}];"
        # Without volatile, a compiler might drop all but the last of several stores to an address.
        name = self.name if self.aligned else self.name.replace("st.", "st.volatile.")
        return f"{name} [{address}], {data};"


def _accesses() -> tuple[Access, ...]:
    kinds = ((1, "u8", 1), (2, "u16", 1), (4, "b32", 1), (8, "v2.b32", 2), (16, "v4.b32", 4))
    plain = [
        Access(f"{verb}.shared.{kind}", direction, size, registers)
        for verb, direction in (("ld", "load"), ("st", "store"))
        for size, kind, registers in kinds
    ]
    matrix = [
        Access(
            f"{verb}.sync.aligned.m8n8.x{count}{trans}.shared.b16",
            direction,
            16,
            count,
            8 * count,
            aligned=True,
        )
        for verb, direction in (("ldmatrix", "load"), ("stmatrix", "store"))
        for trans in ("", ".trans")
        for count in (1, 2, 4)
    ]
    return (*plain, *matrix)


ACCESSES = {access.name: access for access in _accesses()}
_TEXT = """
.visible .entry {entry}(
    .param .u64 offsets_at,
    .param .u64 cycles_at,
    .param .u32 inputs_at,
    .param .u32 trips_at,
    .param .u32 rounds_at,
    .param .u32 zero_at
)
{{
    .shared .align 1024 .b8 memory[{memory_bytes}];
    .reg .b64 offsets, cycles, from, began, ended;
    .reg .b32 inputs, trips, rounds, zero, thread, threads, lane, base, input, round, left, word;
    .reg .b32 offset, all, v<4>, {addresses};
    .reg .pred more, inactive, never, first;
    ld.param.u64 offsets, [offsets_at];
    ld.param.u64 cycles, [cycles_at];
    ld.param.u32 inputs, [inputs_at];
    ld.param.u32 trips, [trips_at];
    ld.param.u32 rounds, [rounds_at];
    ld.param.u32 zero, [zero_at];                 // 0, which no compiler knows
    cvta.to.global.u64 offsets, offsets;
    cvta.to.global.u64 cycles, cycles;
    mov.u32 thread, %tid.x;
    mov.u32 threads, %ntid.x;
    and.b32 lane, thread, 31;
    mov.u32 base, memory;
    mov.u32 word, thread;
fill:
    mad.lo.u32 offset, word, 16, base;
    st.shared.v4.b32 [offset], {{zero, zero, zero, zero}};
    add.u32 word, word, threads;
    setp.lt.u32 more, word, {memory_vectors};
    @more bra fill;
    setp.eq.u32 first, thread, 0;
    mov.u32 word, %ctaid.x;
    mul.lo.u32 word, word, inputs;
    mul.lo.u32 word, word, rounds;
    mul.wide.u32 from, word, 8;
    add.u64 cycles, cycles, from;                 // [CTA][input][round]
    mov.u32 input, 0;
next_input:
    mov.u32 round, 0;
next_round:
    mad.lo.u32 word, input, 32, lane;
    mul.wide.u32 from, word, 4;
    add.u64 from, from, offsets;
    ld.volatile.global.u32 offset, [from];
    setp.eq.u32 inactive, offset, 0xffffffff;
{load}    shl.b32 left, trips, round;
    mov.b32 all, 0;
    bar.sync 0;
    mov.u64 began, %clock64;
{skip}again:
{accesses}    sub.u32 left, left, 1;
    setp.ne.u32 more, left, 0;
    @more bra again;
{wait}done:
    ld.volatile.shared.b32 word, [base];          // comes after all stores of this warp
    xor.b32 all, all, word;
    setp.eq.u32 never, all, 0x7fffffff;           // needs what the last loads brought
    @never bra leave;
    bar.sync 0;
    mov.u64 ended, %clock64;
    sub.u64 ended, ended, began;
    @first st.global.u64 [cycles], ended;
    add.u64 cycles, cycles, 8;
    add.u32 round, round, 1;
    setp.lt.u32 more, round, rounds;
    @more bra next_round;
    add.u32 input, input, 1;
    setp.lt.u32 more, input, inputs;
    @more bra next_input;
leave:
    ret;
}}
"""


def kernel(access: Access) -> str:
    """The kernel that times one access for a list of inputs.

    A trip makes `COPIES` accesses. A loaded value, which is zero, is added to the address of the
    next trip, so that no compiler can drop or move a load.
    """
    copies = range(COPIES)
    loads = access.direction == "load"
    lines = []
    for copy in copies:
        lines.append(access.instruction(f"a{copy}"))
        lines += [
            f"xor.b32 a{copy}, a{copy}, v{i};" for i in range(access.registers if loads else 0)
        ]
    given = "ld.volatile.global.u32 a{0}, [from];\n    add.u32 a{0}, a{0}, base;"
    address = [given.format(i) for i in copies]
    wait = [f"xor.b32 all, all, a{i};" for i in copies]
    return _TEXT.format(
        entry=access.entry,
        memory_bytes=MEMORY_BYTES,
        memory_vectors=MEMORY_BYTES // 16,
        addresses=", ".join(f"a{i}" for i in copies),
        load="".join(f"    {line}\n" for line in address),
        skip="" if access.aligned else "    @inactive bra done;\n",
        accesses="".join(f"    {line}\n" for line in lines),
        wait="".join(f"    {line}\n" for line in wait),
    )


def source(target: str) -> str:
    """The text of all kernels."""
    return text_of(tuple(ACCESSES.values()), target)


def text_of(accesses: Sequence[Access], target: str) -> str:
    """The text of the kernels of some accesses."""
    head = f".version 8.8\n.target {target}\n.address_size 64\n"
    return head + "".join(map(kernel, accesses))
