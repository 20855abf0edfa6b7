"""Generic pointers in instructions that name a state space whose addresses have 32 bits.

PTX ISA, Addresses as Operands: addresses are truncated if the register is wider than those of the
state space. An H200 (CUDA 13.0) ran each of these programs for sm_90a with the upper halves below
and wrote these values; they follow from the numbers that a program stores. Of ld.local and st.local
it did not: through a generic pointer they reached something else than the variable.
"""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.emulator.api import Hazard
from tests import ptx

#: Thread t puts 1000 + 16 * t into the four words of shared memory from byte 16 * t on.
BODY = """\
.shared .align 16 .b8 room[1024];
.local .align 16 .b8 own[64];
.reg .b64 %g, %m, %l, %state;
.reg .b32 %y, %v, %w, %thread, %at; .reg .pred %p, %q;
mov.u32 %thread, %tid.x; mad.wide.u32 %out, %thread, 4, %out;
mov.u32 %at, room; mad.lo.u32 %v, %thread, 16, %at;
mad.lo.u32 %w, %thread, 16, 1000;
st.shared.v4.b32 [%v], {{%w, %w, %w, %w}}; st.local.b32 [own], %w;
mov.u64 %g, room; cvta.shared.u64 %g, %g; add.u64 %m, %g, 768;
mov.u64 %l, own; cvta.local.u64 %l, %l;
xor.b64 %g, %g, %upper; xor.b64 %m, %m, %upper; xor.b64 %l, %l, %upper;
setp.ne.u32 %q, %thread, 0;
mov.b32 %y, 0;
fence.proxy.async.shared::cta;
bar.sync 0;
{body}
bar.sync 0;
st.global.b32 [%out], %y;"""
READ = "\nover: bar.sync 0; ld.shared.b32 %y, [%at+4];"
WAIT = "wait: mbarrier.try_wait.parity.shared.b64 %p, [%m], 0; @!%p bra wait;"
#: What each body puts into %y of thread 1.
BODIES = {
    "ld.shared.b32 %y, [%g+32];": 1032,
    "ld.shared::cta.b32 %y, [%g+32];": 1032,
    "ld.shared::cluster.b32 %y, [%g+32];": 1032,
    "ld.volatile.shared.b32 %y, [%g+32];": 1032,
    "@%q bra over; st.shared::cta.b32 [%g+4], 77;" + READ: 77,
    "@%q bra over; st.shared::cluster.b32 [%g+4], 77;" + READ: 77,
    "@%q bra over; atom.shared.add.u32 %w, [%g+4], 5;" + READ: 1005,
    "@%q bra over; red.shared::cluster.add.u32 [%g+4], 5;" + READ: 1005,
    # words 4 * 1 and 4 * 1 + 1 of 8 rows of 16 bytes: thread 1 has the second word of row 0
    "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%y}, [%g];": 1000,
    "@%q bra over; cp.async.ca.shared.global [%g], [%in], 16; cp.async.wait_all;" + READ: 4242,
    "@%q bra over; mbarrier.init.shared.b64 [%m], 1; mbarrier.arrive.shared.b64 %state, [%m]; "
    + WAIT + READ: 1000,
    "@%q bra over; mbarrier.init.shared.b64 [%m], 1; fence.proxy.async.shared::cta; "
    "mbarrier.arrive.expect_tx.shared.b64 %state, [%m], 16; "
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%g], [%in], 16, [%m]; "
    + WAIT + READ: 4242,
    "@%q bra over; cp.async.bulk.global.shared::cta.bulk_group [%in], [%g+16], 16; "
    "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; over: bar.sync 0; "
    "ld.global.b32 %y, [%in];": 1016,
}  # fmt: skip
ALLOC = """\
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%m], 32;
bar.sync 0;
ld.shared.b32 %v, [%at+768];
@%q bra over;
mbarrier.init.shared.b64 [%g], 1;
tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%g];
wait: mbarrier.try_wait.parity.shared.b64 %p, [%g], 0; @!%p bra wait;
mov.b32 %y, 1;
over: bar.sync 0;
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %v, 32;
"""


def run(body: str, upper: int, target: str = "sm_90a") -> list[np.ndarray]:
    text = ptx.entry(BODY.format(body=body), "out in upper", target=target)
    out, given = np.zeros(32, np.uint32), np.full(64, 4242, np.uint32)
    return list(ptx.launch(text, out, given, np.uint64(upper)))


@pytest.mark.parametrize("upper", [0, 1 << 32, 0xDEADBEEF << 32])
@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.split(";")[-2].split("[")[0].strip())
def test_the_upper_half_of_an_address_is_cut_off(body: str, upper: int) -> None:
    assert run(body, upper)[0][1] == BODIES[body]


def test_tensor_memory_is_allocated_through_a_generic_pointer() -> None:
    """As ThunderKittens' Blackwell kernels do it: alloc and commit with a 64-bit address."""
    assert run(ALLOC, 0, "sm_100a")[0].tolist() == [1] + [0] * 31


@pytest.mark.parametrize(
    "body",
    [
        "ld.local.b32 %y, [%l];",
        "st.local.b32 [%l], 78; ld.local.b32 %y, [own];",
    ],
)
def test_a_generic_pointer_is_no_address_of_local_memory(body: str) -> None:
    with pytest.raises(Hazard, match="are outside the private memory"):
        run(body, 0)


@pytest.mark.parametrize("space", ["", ".global"])
def test_wide_addresses_are_whole(space: str) -> None:
    """Generic and global addresses have 64 bits."""
    with pytest.raises(Hazard, match="outside"):
        run(f"ld{space}.b32 %y, [%g+32];", 1 << 32)


def test_an_address_within_32_bits_may_still_be_outside() -> None:
    with pytest.raises(Hazard, match="0x8020 are outside the shared memory"):
        run("ld.shared.b32 %y, [%g+32];", 0xDEADBEEF00008000)
