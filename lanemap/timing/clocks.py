"""A second frequency of the SM's clock: the same window while all other SMs run wgmma.

Clock settings stay as they are. A GPU lowers its clock by itself when it needs much power: an H200
went from 1974 to 1791 MHz as soon as the other SMs multiplied random numbers. So a window of one
SM's own events is run there too, on the SM that the load leaves free. The frequency is that of
%clock64 against %globaltimer, over milliseconds before the windows and after them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from lanemap.errors import UserError
from lanemap.timing.launch import DeviceModule, More, Words

#: All of an SM's shared memory, so that nothing runs beside the load.
SHARED_BYTES = 227 << 10
LOAD_THREADS = 128
#: How often the load issues four wgmma of 64 x 256 x 16: 37 ms at 1.8 GHz.
TURNS = 1 << 17
PACE_NS = 2_000_000
#: 64-bit words that the pace leaves: timer and clock, twice, and the SM.
PACE_WORDS = 5


@dataclass(frozen=True)
class TwoClocks:
    """Windows at a second frequency.

    Attributes:
        sm: On which they ran.
        idle_mhz: The SM's clock with nothing else on the GPU.
        busy_mhz: The SM's clock while the windows ran.
        cycles: By number of links, those of the window while the other SMs were busy.
    """

    sm: int
    idle_mhz: float
    busy_mhz: float
    cycles: Mapping[int, int]


_D = ", ".join(f"d{number}" for number in range(128))
_WGMMA = (
    f"    wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {{{_D}}}, da, db, 1, 1, 1, 0, 0;\n"
)
#: Random f16 between 0.5 and 2 and their negatives, in tiles of 128-byte swizzle.
_VALUES = """
    mad.lo.u32 v, at, 0x9e3779b1, cta; mul.lo.u32 v, v, 0x85ebca6b; shr.u32 u, v, 13;
    xor.b32 v, v, u; mul.lo.u32 v, v, 0xc2b2ae35;
    and.b32 v, v, 0x83ff83ff; or.b32 v, v, 0x38003800;
"""
_LOAD = f"""
.extern .shared .align 1024 .b8 smem[];
.visible .entry load(.param .u64 places_at, .param .u32 turns_at)
{{
    .reg .b64 places, da, db;
    .reg .b32 cta, thread, turns, at, end, u, v;
    .reg .f32 d<128>;
    .reg .pred p;
    ld.param.u64 places, [places_at];
    ld.param.u32 turns, [turns_at];
    mov.u32 cta, %ctaid.x;
    mov.u32 thread, %tid.x;
    mad.wide.u32 places, cta, 4, places;
    mov.u32 v, %smid;
    st.global.b32 [places], v;
    mov.u32 at, smem;
    add.u32 end, at, 49152;
    mad.lo.u32 at, thread, 4, at;
fill:{_VALUES}
    st.shared.b32 [at], v;
    add.u32 at, at, {4 * LOAD_THREADS};
    setp.lt.u32 p, at, end;
    @p bra fill;
    fence.proxy.async;
    bar.sync 0;
    mov.u32 at, smem;
    and.b32 at, at, 0x3ffff;
    shr.u32 at, at, 4;
    cvt.u64.u32 da, at;
    or.b64 da, da, {1 << 62 | 64 << 32 | 1 << 16};
    add.u64 db, da, 512;
{"".join(f"    mov.f32 d{number}, 0f00000000;{chr(10)}" for number in range(128))}work:
    wgmma.fence.sync.aligned;
{_WGMMA * 4}    wgmma.commit_group.sync.aligned;
    wgmma.wait_group.sync.aligned 0;
    sub.u32 turns, turns, 1;
    setp.ne.u32 p, turns, 0;
    @p bra work;
{"".join(f"    add.f32 d0, d0, d{number};{chr(10)}" for number in range(1, 128))}
    setp.eq.f32 p, d0, 0f12345678;                          // never, but ptxas cannot know
    @p st.global.f32 [places], d0;
    ret;
}}
"""
_PACE = """
.visible .entry pace(.param .u64 out_at, .param .u32 nanoseconds_at)
{
    .reg .b64 out, begun_ns, begun, ended_ns, ended, until, sm;
    .reg .b32 nanoseconds, tries, v;
    .reg .pred p;
    ld.param.u64 out, [out_at];
    ld.param.u32 nanoseconds, [nanoseconds_at];
    mov.u64 begun_ns, %globaltimer;
    mov.u64 begun, %clock64;
    cvt.u64.u32 until, nanoseconds;
    add.u64 until, until, begun_ns;
    mov.u32 tries, 0;
again:
    mov.u64 ended_ns, %globaltimer;
    mov.u64 ended, %clock64;
    add.u32 tries, tries, 1;
    setp.lt.u64 p, ended_ns, until;
    setp.lt.and.u32 p, tries, 1000000, p;                   // never forever
    @p bra again;
    mov.u32 v, %smid;
    cvt.u64.u32 sm, v;
    st.global.b64 [out], begun_ns;
    st.global.b64 [out+8], begun;
    st.global.b64 [out+16], ended_ns;
    st.global.b64 [out+24], ended;
    st.global.b64 [out+32], sm;
    ret;
}
"""


def source(header: str) -> str:
    """The PTX of the load and of what reads both clocks, after a module's header."""
    return header + _LOAD + _PACE


def megahertz(words: Sequence[int]) -> float:
    """The frequency of an SM's clock from what the pace left.

    Raises:
        UserError: the timer stood still.
    """
    begun_ns, begun, ended_ns, ended = map(int, words[:4])
    if ended_ns <= begun_ns:
        raise UserError("%globaltimer does not advance, so the clock frequency cannot be measured")
    return 1000 * (ended - begun) / (ended_ns - begun_ns)


Enqueue = Callable[[int], None]


class SecondClock(Protocol):
    """A runner of windows at a second frequency."""

    def windows(
        self, cubin: bytes, entries: Mapping[int, str], given: Words, more: More
    ) -> TwoClocks:
        """Run kernels, by their number of links, on one SM while the others are busy."""


class Clocks:
    """Runs windows beside a load, on a GPU of `lanemap.open_device`."""

    def __init__(self, device: Any, cubin: bytes, multiprocessors: int) -> None:
        """Load the kernels of `source`."""
        self._device, self._module = device, device.load(cubin)
        self._others = multiprocessors - 1
        self._orders = device.orders()
        self._places = device.zeros(self._others, np.uint32, name="places")
        self._paces = [device.zeros(PACE_WORDS, np.uint64, name="pace") for _ in range(2)]

    def windows(
        self, cubin: bytes, entries: Mapping[int, str], given: Words, more: More
    ) -> TwoClocks:
        """Run kernels beside the load; see `SecondClock`.

        Raises:
            UserError: the load ended before the work, or the work did not run on an SM of its own.
        """
        loaded = DeviceModule(self._device, self._device.load(cubin))
        ready = {links: loaded.prepare(entry, given, more) for links, entry in entries.items()}
        before, after = (
            self._module["pace"].prepare(1, 1, (each, np.uint32(PACE_NS))) for each in self._paces
        )
        work = [before, *(enqueue for enqueue, _ in ready.values()), after]
        # The driver loads a kernel at its first launch, and may wait for others to end.
        self._orders.one_by_one(work)
        idle = megahertz(self._paces[0].get())
        load = self._module["load"].prepare(
            self._others, LOAD_THREADS, (self._places, np.uint32(TURNS)), SHARED_BYTES
        )
        if not self._orders.beside(load, work):
            raise UserError("the load on the other SMs ended before the windows did; run it again")
        paces = [each.get() for each in self._paces]
        left = {links: outcome().warm() for links, (_, outcome) in ready.items()}
        sms = {int(each[4]) for each in paces} | {sm for own in left.values() for sm in own}
        if len(sms) != 1 or sms & {int(each) for each in self._places.get()}:
            raise UserError("the load did not leave one SM idle, or the windows ran on another SM")
        sm = sms.pop()
        return TwoClocks(
            sm,
            idle,
            sum(map(megahertz, paces)) / len(paces),
            {links: own[sm] for links, own in left.items()},
        )
