"""The matrix of asynchronous copies by hazard: each side of each copy, PTX.

Lane 0 copies; %ga and %sa are where it reads or writes in global and shared memory. The same bytes
are then accessed by loads and stores of every width, before and after the wait.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from tests import ptx
from tests.emulator.access.cells import Cell, Fault, Launch, complaints
from tests.sampled import sampled

TARGET, ARRAY, NEAR = "sm_100a", 1009, 1024
SOURCE, TARGET_SIDE = "source", "target"


@dataclass(frozen=True)
class Copy:
    """One way to copy.

    Attributes:
        issue: the statement.
        wait: what makes lane 0 know that it is complete.
        size: bytes.
        align: what addresses must be multiples of.
        out: whether it goes from shared to global memory, else from global to shared memory.
    """

    issue: str
    wait: str
    size: int
    align: int
    out: bool = False

    def in_global(self, side: str) -> bool:
        """Whether a side lies in global memory."""
        return self.out == (side == TARGET_SIDE)


_ARRIVAL = """WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], 0;
@!%p bra WAIT;
"""
_LOAD = "cp.async.bulk.{}.global.mbarrier::complete_tx::bytes [%sa], [%ga], 48, [bar];"
_STORE = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n"
_REDUCE = "cp.reduce.async.bulk.global.shared::cta.bulk_group.{} [%ga], [%sa], 32;"


def tensor_map(kind: str) -> str:
    """A tensor map of 48 bytes at %ga, made field by field."""
    count = 48 if kind == "0" else 12
    fields = (
        f"global_address.global.b1024.b64 [%tm], %ga; elemtype.global.b1024.b32 [%tm], {kind}; "
        f"box_dim.global.b1024.b32 [%tm], 0, {count}; global_dim.global.b1024.b32 [%tm], 0, {count}"
    )
    made = "".join(f"tensormap.replace.tile.{each};\n" for each in fields.split("; "))
    fences = "fence.proxy.tensormap::generic.release.gpu;\n"
    fences += "fence.proxy.tensormap::generic.acquire.gpu [%tm], 128;\n"
    return f"mov.u64 %tm, made;\n{made}{fences}"


COPIES = {
    **{
        f"cp.async.{size}": Copy(
            f"cp.async.{'cg' if size == 16 else 'ca'}.shared.global [%sa], [%ga], {size};",
            "cp.async.wait_all;\n", size, size)
        for size in (4, 8, 16)
    },
    "bulk to shared::cta": Copy(_LOAD.format("shared::cta"), _ARRIVAL, 48, 16),
    "bulk to shared::cluster": Copy(_LOAD.format("shared::cluster"), _ARRIVAL, 48, 16),
    "bulk to global": Copy(
        "cp.async.bulk.global.shared::cta.bulk_group [%ga], [%sa], 48;", _STORE, 48, 16, True),
    "bulk with a mask": Copy(
        "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%ga], [%sa], 32, 0xffff;", _STORE,
        32, 16, True),
    "reduce add.u32": Copy(_REDUCE.format("add.u32"), _STORE, 32, 16, True),
    "reduce min.f16": Copy(_REDUCE.format("min.f16"), _STORE, 32, 16, True),
    "tensor to shared": Copy(
        tensor_map("0") + "cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes "
        "[%sa], [%tm, {0}], [bar];", _ARRIVAL, 48, 128),
    "tensor to global": Copy(
        tensor_map("0")
        + "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%tm, {0}], [%sa];",
        _STORE, 48, 128, True),
    "tensor reduce add.u32": Copy(
        tensor_map("2") + "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group "
        "[%tm, {0}], [%sa];", _STORE, 48, 128, True),
}  # fmt: skip
_DATA = """\
.const .align 16 .b8 constants[256] = {1};
.global .align 128 .b8 made[128];
"""
_BEGIN = """\
.reg .pred %p, %q, %in; .reg .b16 %h<5>; .reg .b32 %n, %sa, %sb, %v<9>;
.reg .b64 %ga, %gb, %tm, %d<9>;
.shared .align 8 .b64 bar; .shared .align 128 .b8 near[1024];
mov.b64 %ga, %array;
mov.u32 %n, %tid.x; setp.ne.u32 %q, %n, 0; mov.u32 %sa, near;
mov.b32 %v0, 0x5a5a5a5a; mov.b16 %h0, 0x5a5a; mov.b64 %d0, {%v0, %v0}; mov.u32 %v8, 0;
@%q bra END;
mbarrier.init.shared::cta.b64 [bar], 1;
fence.mbarrier_init.release.cluster;
"""


def _expect(copy: Copy) -> str:
    return f"mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], {copy.size};\n"


def _kernel(body: str, begin: str = _BEGIN) -> str:
    return ptx.entry(f"{begin}{body}END:", "array x y z", before=_DATA, target=TARGET)


def _fill(copy: Copy, hole: str = "-1") -> str:
    """Zeros in the source but for one byte, by the generic proxy, and the fence for the other."""
    space, place = ("shared", "%sa") if copy.out else ("global", "%ga")
    step, kind = ("%sb", "u32") if copy.out else ("%gb", "u64")
    return f"""mov.u32 %v1, 0; mov.{kind} {step}, {place}; mov.b64 %d1, {hole};
FILL: cvt.u64.u32 %d2, %v1; setp.ne.u64 %p, %d2, %d1;
@%p st.{space}.b8 [{step}], %v8;
add.{kind} {step}, {step}, 1; add.u32 %v1, %v1, 1; setp.lt.u32 %p, %v1, {copy.size}; @%p bra FILL;
fence.proxy.async;
"""


def _move(copy: Copy, side: str) -> str:
    """Move one side by %x bytes."""
    if copy.in_global(side):
        return "add.u64 %ga, %ga, %x;\n"
    return "cvt.u32.u64 %v1, %x; add.u32 %sa, %sa, %v1;\n"


# -- one copy by itself
def bounds(copy: Copy, side: str) -> Cell:
    """Across the end, behind it, and nowhere at all."""
    whole = copy.in_global(side)
    end = ARRAY if whole else NEAR
    inside = (end - copy.size) // copy.align * copy.align
    fault = Fault("out-of-bounds", 0, ("outside|past|reaches",))
    places = [inside + copy.align, inside + 16 * copy.align, 1 << 40 if whole else 1 << 23]
    body = (_fill(copy) if side == TARGET_SIDE else "") + _move(copy, side)
    body += _expect(copy) + copy.issue + "// hazard\n" + copy.wait
    launches = [Launch((place, 0, 0), fault) for place in places]
    # an undefined source is no hazard until somebody uses what was copied
    return Cell(TARGET, _kernel(body), (Launch((inside, 0, 0)), *launches), array_bytes=ARRAY)


def alignment(copy: Copy, side: str) -> Cell | str:
    """Every address that is not a multiple of what the copy needs."""
    if "tensor" in copy.issue and copy.in_global(side):
        return "the address is in the tensor map, whose fields have rules of their own"
    body = _move(copy, side) + _expect(copy) + copy.issue + "// hazard\n"
    body += f"setp.ne.u64 %p, %x, {copy.align}; @%p bra END;\n{copy.wait}"
    fault = Fault("misaligned", 0, (rf"multiple of {copy.align} bytes",))
    wrong = sorted({1, copy.align // 2, copy.align - 1})
    launches = [Launch((copy.align + k, 0, 0), fault) for k in wrong]
    return Cell(TARGET, _kernel(body), (Launch((copy.align, 0, 0)), *launches))


def read_only(copy: Copy, side: str) -> Cell | str:
    """A target in .const memory."""
    if side == SOURCE or not copy.out or "tensor" in copy.issue:
        return "only a target in global memory can be read-only"
    body = "setp.eq.u64 %p, %x, 1; @%p cvta.const.u64 %ga, constants;\n"
    body += _expect(copy) + copy.issue + "// hazard\n"
    fault = Fault("read-only", 0, ("read-only",))
    return Cell(TARGET, _kernel(body), (Launch((0, 0, 0)), Launch((1, 0, 0), fault)))


def undefined(copy: Copy, side: str) -> Cell | str:
    """A byte of the source was never written; what arrived decides a branch."""
    if side == TARGET_SIDE:
        return "what is undefined comes from the source"
    space, place = ("global", "%ga") if copy.out else ("shared", "%sa")
    old = f"st.{space}.v2.b64 [{place}], {{%d0, %d0}};\n" if "cp.red" in copy.issue else ""
    more = "".join(old.replace(f"[{place}]", f"[{place}+{at}]") for at in (16, 32))
    load = f"ld.{space}.b32 %v2, [{place}+{{}}]; or.b32 %v3, %v3, %v2;\n"
    body = old + more + _fill(copy, "%y") + _expect(copy)
    body += f"{copy.issue} // origin\n{copy.wait}mov.u32 %v3, 0;\n"
    body += "".join(load.format(at) for at in range(0, copy.size, 4))
    body += "setp.eq.u32 %p, %v3, 77;\n@%p bra END; // hazard\n"
    fault = Fault("undefined", 0, ("decide the branch", "line {origin}"))
    launches = [Launch((0, hole, 0), fault) for hole in (0, 1, copy.size // 2 + 1, copy.size - 1)]
    return Cell(TARGET, _kernel(body), (Launch((0, 1000, 0)), *launches), defined=False)


# -- before and after the wait
_STORES = ("b8 {}, %v0", "b16 {}, %h0", "b32 {}, %v0", "b64 {}, %d0", "v2.b64 {}, {{%d0, %d0}}")
_LOADS = ("b8 %v4, {}", "b16 %h4, {}", "b32 %v4, {}", "b64 %d4, {}", "v2.b64 {{%d4, %d5}}, {}")


def _accesses(space: str, place: str) -> str:
    lines = ""
    for number, text in enumerate((*_LOADS, *_STORES)):
        verb = "ld" if number < len(_LOADS) else "st"
        lines += f"setp.eq.u64 %p, %y, {number};\n"
        lines += f"@%p {verb}.{space}.{text.format(f'[{place}]')}; // hazard\n"
    return lines


def pending(copy: Copy, side: str) -> Cell:
    """Loads and stores of 1 to 16 bytes that overlap, or lie beside, before and after the wait."""
    whole = copy.in_global(side)
    move = "add.u64 %gb, %ga, %z;" if whole else "cvt.u32.u64 %v1, %z; add.u32 %sb, %sa, %v1;"
    shift = "add.u64 %ga, %ga, 128; add.u32 %sa, %sa, 128;\n"
    body = shift + _fill(copy) + _expect(copy) + copy.issue + "\nsetp.ne.u64 %p, %x, 1;\n"
    body += "@%p bra MEANWHILE;\n" + copy.wait + "MEANWHILE:\n" + move + "\n"
    body += _accesses("global" if whole else "shared", "%gb" if whole else "%sb")
    body += copy.wait.replace("WAIT", "AFTERWARD")  # no CTA ends before
    says = "writes asynchronously" if side == TARGET_SIDE else "reads asynchronously"
    fault = Fault("pending", 0, (says,))
    launches = []
    for number in range(10):
        width, stores = 1 << number % 5, number >= 5
        bad = stores or side == TARGET_SIDE
        for place in sorted(
            {
                -width,
                0,
                (copy.size - 1) // width * width,
                copy.size // 2,
                (copy.size + width - 1) // width * width,
            }
        ):
            if place % width:
                continue
            meets = place < copy.size and place + width > 0
            launches.append(Launch((0, number, place), fault if meets and bad else None))
        launches.append(Launch((1, number, 0)))
    return Cell(TARGET, _kernel(body), tuple(launches), defined=True)


HAZARDS: dict[str, Callable[[Copy, str], Cell | str]] = {
    "bounds": bounds, "alignment": alignment, "read-only": read_only, "undefined": undefined,
    "pending": pending,
}  # fmt: skip


def _cells() -> Iterator[tuple[str, str, str]]:
    for hazard, make in HAZARDS.items():
        for name, copy in COPIES.items():
            for side in (SOURCE, TARGET_SIDE):
                if not isinstance(make(copy, side), str):
                    yield hazard, name, side


@pytest.mark.parametrize(
    ("hazard", "name", "side"), sampled(_cells(), 2, lambda cell: "{}: {}, {}".format(*cell))
)
def test_a_cell(hazard: str, name: str, side: str) -> None:
    cell = HAZARDS[hazard](COPIES[name], side)
    assert isinstance(cell, Cell)
    found = list(complaints(cell))
    assert not found, f"{len(found)} of {len(cell.launches)}:\n" + "\n".join(found[:6])


# -- the CTA that receives must not end before
_SENT = {
    "st.async": "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%sb], "
                "{%v0, %v0, %v0, %v0}, [%v2];",
    "red.async": "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 "
                 "[%sb], %v0, [%v2];",
    "bulk to a CTA": "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
                     "[%sb], [near], 16, [%v2];",
    "bulk from global": "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                        "[%sb], [%ga], 16, [%v2];",
    "multicast": "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [near], [%ga], 16, [bar], 2;",
}  # fmt: skip


@pytest.mark.parametrize("name", _SENT)
def test_the_receiving_cta_must_wait_before_it_ends(name: str) -> None:
    """CTA 1 ends at once, or only after the phase that completes what CTA 0 sends."""
    size = 4 if name == "red.async" else 16
    begin = _BEGIN.replace("@%q bra END;\n", "").replace("mbarrier.init", "@!%q mbarrier.init")
    body = f"""@!%q mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], {size};
@!%q st.shared.v4.b32 [near], {{%v8, %v8, %v8, %v8}};
fence.proxy.async; fence.mbarrier_init.release.cluster;
barrier.cluster.arrive; barrier.cluster.wait;
mov.u32 %v1, %cluster_ctarank; setp.eq.u32 %in, %v1, 1; @%in bra RECEIVE; @%q bra END;
mov.u32 %v2, bar; mapa.shared::cluster.u32 %v2, %v2, 1; mapa.shared::cluster.u32 %sb, %sa, 1;
{_SENT[name]} // hazard
bra END;
RECEIVE: setp.ne.u64 %p, %x, 1; @%p bra END;
{_ARRIVAL}"""
    fault = Fault("ended-cta", None, ("CTA 1",))
    launches = (Launch((1, 0, 0)), Launch((0, 0, 0), fault))
    cell = Cell(TARGET, _kernel(body, begin), launches, grid=2, cluster=2)
    found = list(complaints(cell))
    assert not found, "\n".join(found)
