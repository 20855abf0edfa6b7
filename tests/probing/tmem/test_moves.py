"""The probes of tcgen05.ld and st on a stand-in: what they find is what the stand-in does.

The stand-in moves words by the ISA's fragments or by rules of the test's own, in NumPy.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from lanemap.layout import LayoutMap
from lanemap.probing.finding import Finding
from lanemap.probing.probe import Probe, find_probe
from lanemap.probing.run import by_variant, observe
from lanemap.probing.tmem.forms import (
    SHAPES,
    Form,
    batches,
    forms,
)
from tests.probing.tmem.standin import Asked, TensorStandIn

MOST = {"32x32b": 128, "16x64b": 128, "16x128b": 64, "16x256b": 32, "16x32bx2": 128}


@cache
def probe(name: str) -> Probe:
    return find_probe(name)


@cache
def findings(name: str) -> dict[str, Finding]:
    asked_of = probe(name).with_axes({"base": ["first", "lane16"]})
    readings = by_variant(asked_of, asked_of.readings(TensorStandIn()))
    return {variant: asked_of.analysis.explain(own) for variant, own in readings.items()}


def on(device: TensorStandIn, name: str, shape: str) -> dict[str, Finding]:
    narrow = probe(name).with_axes({"shape": [shape]})
    readings = by_variant(narrow, narrow.readings(device))
    return {variant: narrow.analysis.explain(own) for variant, own in readings.items()}


@pytest.mark.parametrize("op", ["ld", "st"])
def test_the_forms_are_the_74_legal_ones(op: str) -> None:
    modifier = {"ld": ".pack::16b", "st": ".unpack::16b"}[op]
    expected = {
        f"tcgen05.{op}.{shape}.x{1 << power}{halves}"
        for shape, most in MOST.items()
        for power in range(most.bit_length())
        for halves in ("", modifier)
    }
    found = [form.variant for shape in SHAPES for form in forms(op, shape)]
    assert len(found) == 74 and set(found) == expected
    more = [f.variant for each in batches(op, "16x32bx2") for f, _ in each.placed if f.imm]
    assert f"tcgen05.{op}.16x32bx2.x4{modifier}+100" in more


def test_a_frame_follows_from_the_name() -> None:
    form = Form("ld", "16x256b", 4, True)
    assert (form.registers, form.lanes, form.columns) == (16, 16, 64)
    split = Form("st", "16x32bx2", 8)
    assert (split.registers, split.columns, split.offset) == (8, 16, 8)
    assert split.instruction("{v0}", "target") == (
        "tcgen05.st.sync.aligned.16x32bx2.x8.b32 [target], 8, {v0};"
    )


# Register r of thread t to (lane, column), worked out by hand from the ISA's fragments; halves
# lie in the low 16 bits of two columns.
HAND = [
    ("32x32b.x4", 13, 3, 0, (13, 3)),
    ("16x64b.x2", 5, 1, 0, (9, 2)),
    ("16x128b.x2", 7, 3, 0, (9, 7)),
    ("16x256b.x2", 31, 7, 0, (15, 15)),
    ("16x32bx2.x8", 19, 5, 0, (3, 13)),
    ("16x32bx2.x4+100", 19, 3, 0, (3, 103)),
    ("16x64b.x2.{}", 6, 1, 16, (1, 7)),
    ("16x32bx2.x2.{}", 20, 1, 16, (4, 7)),
]


@pytest.mark.parametrize(("form", "thread", "register", "bit", "cell"), HAND)
def test_cells_worked_out_by_hand(
    form: str, thread: int, register: int, bit: int, cell: tuple[int, int]
) -> None:
    load = findings("tcgen05_ld")["tcgen05.ld." + form.format("pack::16b")].map
    found = load.source_of(lane=thread, register=register, bit=bit + 3)
    assert found == {"lane": cell[0], "column": cell[1], "bit": 3}
    store = findings("tcgen05_st")["tcgen05.st." + form.format("unpack::16b")].map
    back = store.source_of(lane=cell[0], column=cell[1], bit=3)
    assert back == {"lane": thread, "register": register, "bit": bit + 3}


@pytest.mark.parametrize("name", ["tcgen05_ld", "tcgen05_st"])
def test_everything_is_settled_and_explained(name: str) -> None:
    for variant, finding in findings(name).items():
        assert finding.explained and finding.settles_all, variant
        assert all(pattern.agrees for pattern in finding.patterns), variant
        assert finding.certificates[0].complete, variant
        assert finding.map.is_one_to_one, variant


def test_what_the_inputs_leave_open_is_said() -> None:
    whole, part = (findings("tcgen05_ld")[f"tcgen05.ld.{f}"] for f in ("32x32b.x8", "16x64b.x8"))
    for finding, lanes in ((whole, "0 to 31"), (part, "0 to 15; 16 to 31")):
        _, address, names, bits = finding.certificates
        assert not address.complete and "= (lane, column)" in (address.remaining or "")
        assert f"within {lanes}:" in (names.remaining or "")
        assert "0 to 31" in (bits.remaining or "")
    # At lane 16 the loads of 16 lanes show that the lane field is not ignored.
    assert (whole.certificates[1].parts, part.certificates[1].parts) == (2, 4)
    packed = findings("tcgen05_ld")["tcgen05.ld.16x256b.x32.pack::16b"].certificates
    # Its frame is all 512 columns, so that it cannot be asked at another one.
    assert "= (lane, 0)" in (packed[1].remaining or "")
    # Frames counted from the last column show that the column field is not ignored either.
    every = probe("tcgen05_ld").with_axes({"shape": ["16x128b"]})
    for readings in by_variant(every, every.readings(TensorStandIn())).values():
        form = readings[0].form
        address = every.analysis.explain(readings).certificates[1]
        assert address.parts == (2 if form.columns == 512 else 4)
    assert "0 to 15; 16 to 31" in (packed[3].remaining or "")


@pytest.mark.parametrize("name", ["tcgen05_ld", "tcgen05_st"])
def test_a_rival_is_found_as_it_is(name: str) -> None:
    """The rows of 8 lanes exchanged: t/4 + 8*(1 - t%2)."""
    rival = TensorStandIn({"16x64b": lambda t, r: (t // 4 + 8 * (1 - t % 2), t // 2 % 2 + 2 * r)})
    for variant, finding in on(rival, name, "16x64b").items():
        true = findings(name)[variant].map
        assert finding.explained and finding.map != true
        load = finding.map if name == "tcgen05_ld" else finding.map.inverse()
        found = load.source_of(lane=4, register=0, bit=0)
        assert found is not None and found["lane"] == 9


def test_a_store_outside_its_frame_is_not_explained() -> None:
    """Threads 16 to 31 on lanes 16 to 31, as the ISA's figure of 16x32bx2 draws them."""
    figure = TensorStandIn({"16x32bx2": lambda t, r: (t, r)})
    finding = on(figure, "tcgen05_st", "16x32bx2")["tcgen05.st.16x32bx2.x4"]
    assert not finding.explained
    # All forms of a launch: 1 + 2 + .. + 128 columns, 16 lanes of four warps, three addresses.
    assert finding.facts["words_changed_outside_frame"] == 255 * 16 * 4 * 3
    loaded = on(figure, "tcgen05_ld", "16x32bx2")["tcgen05.ld.16x32bx2.x4"]
    assert not loaded.explained and not loaded.settles_all


@pytest.mark.parametrize("high", ["undefined", "unchanged", "zero"])
def test_what_becomes_of_high_halves_is_found(high: str) -> None:
    finding = on(TensorStandIn(high=high), "tcgen05_st", "16x256b")[
        "tcgen05.st.16x256b.x2.unpack::16b"
    ]
    assert finding.explained and finding.settles_all
    assert finding.facts["frame_bits_without_register"] == {high: 16 * 32 * 16}


def test_the_row_holds_every_form_and_is_the_same_again() -> None:
    narrow = probe("tcgen05_st").with_axes({"shape": ["16x128b"]})
    report = observe(narrow, TensorStandIn())
    assert report.agrees and len(report.parts) == len(report.record.observations) == 14
    row = report.record.to_json()
    assert row["findings"]["variant"] == "tcgen05.st"
    assert set(row["findings"]["variants"]) == {
        f"tcgen05.st.16x128b.x{1 << n}.unpack::16b" for n in range(7)
    }
    assert observe(narrow, TensorStandIn()).record.to_json() == row


def test_maps_are_of_the_spaces_that_the_name_says() -> None:
    layout: LayoutMap = findings("tcgen05_ld")["tcgen05.ld.16x32bx2.x4+100"].map
    assert layout.source.axes == (("lane", 16), ("column", 104), ("bit", 32))
    assert np.all(layout.table >= 0)


class OneWarpDiffers(TensorStandIn):
    """Warp 2 exchanges neighboring lanes of tensor memory; the others follow the ISA."""

    def place(self, asked: Asked, warp: int, offset: int, turned: int) -> tuple[Any, Any]:
        lane, column = super().place(asked, warp, offset, turned)
        return (lane ^ 1 if warp == 2 else lane), column


@pytest.mark.parametrize("name", ["tcgen05_ld", "tcgen05_st"])
def test_warps_that_disagree_settle_nothing(name: str) -> None:
    """Three of four warps agree on every cell, and all of the first: still no cell is settled."""
    variant = f"{name.replace('_', '.')}.32x32b.x2"
    assert on(TensorStandIn(), name, "32x32b")[variant].map.is_total
    finding = on(OneWarpDiffers(), name, "32x32b")[variant]
    assert not finding.explained and not finding.map.defined.any()
    assert not any(pattern.agrees for pattern in finding.patterns)
