"""Which hazards are one finding, and how it reads. The kernels leave out one thing each."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.devices.findings import Finding, findings_of, lines_text, wrapped
from lanemap.emulator.api import Access, Facts, Hazard
from tests import ptx

BEGIN = """\
  .reg .b32 %r<40>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  .shared .align 16 .b8 buffer[4096];
  mov.u32 %r30, %tid.x;
  mad.wide.u32 %rd1, %r30, 4, %out;"""


def launched(text: str, threads: int = 64, words: int = 64) -> Any:
    """The device after a launch that reports."""
    device = lanemap.open_device("sm_100a", device="emulator", hazards="report")
    out = device.zeros(words, np.uint32, name="out")
    device.load(text)["k"](1, threads, (out,))
    return device


def rows(count: int, barrier: str) -> str:
    """Each thread stores `count` words, then hands on those of a thread of the other warp."""
    lines = [BEGIN, "  shl.b32 %r1, %r30, 2;", "  xor.b32 %r2, %r1, 128;"]
    lines += ["  mov.u32 %r3, buffer;", "  add.u32 %r4, %r3, %r1;", "  add.u32 %r5, %r3, %r2;"]
    lines += [f"  st.shared.u32 [%r4+{256 * n}], %r30;" for n in range(count)]
    lines += [barrier]
    for n in range(count):
        lines += [
            f"  ld.shared.u32 %r{8 + n}, [%r5+{256 * n}];",
            f"  st.global.u32 [%rd1+{256 * n}], %r{8 + n};",
        ]
    return ptx.entry("\n".join(lines), target="sm_100a")


def test_one_missing_barrier_is_one_finding() -> None:
    """Eight stores and eight loads: eight pairs of lines, which one barrier puts in order."""
    device = launched(rows(8, ""), words=512)
    assert len(device.hazards) >= 8
    (finding,) = device.findings
    text = rows(8, "").splitlines()
    stores = [n for n, line in enumerate(text, 1) if "st.shared" in line]
    loads = [n for n, line in enumerate(text, 1) if "ld.shared" in line]
    assert finding.kind == "order" and finding.met == sum(h.count for h in device.hazards)
    assert finding.to_json()["lines"] == [*stores, *loads]
    assert finding.cause == "a barrier, or release and acquire, is missing"
    assert launched(rows(8, "  bar.sync 0;"), words=512).findings == ()


def test_two_missing_barriers_are_two_findings() -> None:
    """The second one lies behind a barrier: no single correction mends both."""
    one = rows(1, "").splitlines()
    body = one[next(n for n, line in enumerate(one) if "st.shared" in line) : -2]
    again = [line.replace("+0]", "+1024]") for line in body]
    device = launched("\n".join([*one[:-2], "  bar.sync 0;", *again, *one[-2:]]), words=512)
    assert [finding.kind for finding in device.findings] == ["order", "order"]


def test_one_missing_wait_is_one_finding_though_registers_differ() -> None:
    """gfx950: twelve loads into registers of their own, each used at a line of its own."""
    loads = [f"global_load_dword v{n}, v0, s[2:3] offset:{256 * (n - 2)}" for n in range(2, 14)]
    uses = [f"v_add_u32 v1, v1, v{n}" for n in range(2, 14)]
    device = _waits(loads, "", uses)
    (finding,) = device.findings
    assert (finding.kind, finding.cause) == ("pending", "a wait for vmcnt is missing")
    assert len(finding.hazards) == len(device.hazards) > 1
    assert len({(each.line, each.facts.other.line) for each in finding.hazards}) > 1
    assert "derived" not in finding.message(), "registers were accessed, not memory"
    assert _waits(loads, "s_waitcnt vmcnt(0)", uses).findings == ()


def _waits(loads: list[str], wait: str, uses: list[str]) -> Any:
    from lanemap.toolchain.amdgcn_kernel import Kernel

    body = ["s_load_dwordx4 s[0:3], s[0:1], 0x0", "s_waitcnt lgkmcnt(0)",
            "v_lshlrev_b32 v0, 2, v0", "v_mov_b32 v1, 0", *loads, wait, *uses,
            "global_store_dword v0, v1, s[0:1]", "s_endpgm"]  # fmt: skip
    text = Kernel("k", ("result", "given"), (), 0, 16, 16, 256).text("\n".join(body))
    device = lanemap.open_device("gfx950", device="emulator", hazards="report")
    given = device.array(np.arange(64 * 12, dtype=np.uint32))
    device.load(text)["k"](1, 64, (device.zeros(64, np.uint32), given))
    return device


def test_undefined_bits_that_a_race_left_are_no_finding_of_their_own() -> None:
    """The host reads what a racing load gave: that is the race again."""
    device = lanemap.open_device("sm_100a", device="emulator", hazards="report")
    out = device.zeros(64, np.uint32, name="out")
    device.load(rows(1, ""))["k"](1, 64, (out,))
    out.get()
    assert {each.kind for each in device.hazards} == {"order", "undefined"}
    assert [each.kind for each in device.findings] == ["order"]


def hazard(kind: str, line: int, cause: str, other: int = 0, count: int = 1) -> Hazard:
    """A hazard with a cause and the line of its other side."""
    side = Access(other, "a", (), "writes") if other else None
    return Hazard(
        kind,
        "says so",
        file="k.ptx",
        line=line,
        instruction="@%p1 ld.b32 %r1, [%r2];",
        count=count,
        facts=Facts(cause=cause, other=side),
    )


def test_out_of_bounds_comes_first() -> None:
    met = [
        hazard("order", 9, "a barrier is missing", 4),
        hazard("out-of-bounds", 20, "beyond"),
        hazard("rule", 3, "a rule"),
    ]
    assert [each.kind for each in findings_of(met)] == ["out-of-bounds", "order", "rule"]


@pytest.mark.parametrize(("pairs", "expected"), [
    ([(10, 5), (12, 5)], 1),             # one store, two loads
    ([(10, 5), (10, 7)], 1),             # two stores, one load
    ([(10, 5), (5, 10)], 1),             # the same two lines, met the other way round
    ([(10, 5), (20, 15)], 2),            # apart
    ([(10, 5), (12, 8), (14, 9)], 1),    # a barrier between lines 9 and 10 mends all
    ([(10, 5), (20, 8), (30, 15)], 2),   # two are needed, whichever lines they are at
    ([(5, 10), (12, 8)], 1),             # no order has no direction
])  # fmt: skip
def test_hazards_that_one_correction_mends_are_one(
    pairs: list[tuple[int, int]], expected: int
) -> None:
    met = [hazard("order", here, "a barrier is missing", other) for here, other in pairs]
    assert len(findings_of(met)) == expected


def test_a_wait_belongs_behind_what_was_issued() -> None:
    """A result that the next iteration uses waits at another place than one used in the same."""
    met = [
        hazard("pending", 5, "a wait is missing", 10),
        hazard("pending", 12, "a wait is missing", 8),
    ]
    assert len(findings_of(met)) == 2


def test_other_causes_are_other_findings() -> None:
    met = [
        hazard("pending", 10, "a wait for vmcnt is missing", 5),
        hazard("pending", 10, "a wait for lgkmcnt is missing", 5),
    ]
    assert len(findings_of(met)) == 2


def test_how_it_reads() -> None:
    finding = Finding((hazard("order", 9, "c", 4, 3), hazard("order", 12, "c", 4, 5)))
    assert finding.message() == "k.ptx:9: `ld.b32`: says so; also at line 12; met 8 times"
    assert finding.message(whole=True) == (
        "k.ptx:9: `@%p1 ld.b32 %r1, [%r2];`: says so; also at line 12; met 8 times"
    )
    assert lines_text([1, 2, 3]) == "lines 1, 2 and 3"
    assert lines_text([*range(10)]) == "lines 0, 1, 2, 3, 4, 5 and 4 more"


def test_it_fits_a_terminal() -> None:
    text = wrapped("hazard: " + "a " * 100 + "a/very/" + "long/" * 12 + "path.py:3", 60)
    first, *others = text.splitlines()
    assert first.startswith("hazard: a a ") and all(line.startswith("  ") for line in others)
    assert all(len(line) <= 60 or "path.py" in line for line in text.splitlines())


def test_json_is_of_objects_with_both_sides() -> None:
    (finding,) = launched(rows(1, "")).findings
    text = rows(1, "").splitlines()
    found = json.loads(json.dumps(finding.to_json()))
    sides = {
        found["line"]: found["instruction"],
        found["other"]["line"]: found["other"]["instruction"],
    }
    assert all(text[line - 1].strip() == f"{instruction};" for line, instruction in sides.items())
    assert {found["warp"], found["other"]["warp"]} == {0, 1}
    assert (found["kind"], found["space"], found["cta"]) == ("order", "shared memory", 0)
    assert {found["other"]["did"], text[found["line"] - 1].split()[0]} in (
        {"writes", "ld.shared.u32"},
        {"reads", "st.shared.u32"},
    )


def test_json_names_the_array_and_the_byte() -> None:
    device = launched(rows(1, "  bar.sync 0;"), words=32)
    (finding,) = device.findings
    found = finding.to_json()
    assert (found["kind"], found["array"], found["byte"]) == ("out-of-bounds", "array `out`", 128)
    assert (found["warp"], found["lane"], found["other"]) == (1, 0, None)
