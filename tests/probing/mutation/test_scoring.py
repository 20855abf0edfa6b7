"""Scores of probes on devices of the test's own, on the emulator, and of probes that are broken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lanemap import model
from lanemap.errors import Disagreement, UserError
from lanemap.layout import LayoutMap
from lanemap.probing.lds.chunk_reads import ChunkReads
from lanemap.probing.mutation.scores import scored
from lanemap.probing.mutation.scoring import MutationScore, open_emulator, score
from lanemap.probing.probe import Probe, find_probe
from lanemap.probing.tmem.moves import MoveReading, Moves
from tests.probing.lds.standin import StandIn
from tests.probing.mutation.devices import Dead, bytes_of_sixteen, device_of
from tests.sampled import sampled

TR8 = "ds_read_b64_tr_b8"
# Bits of a register cell of that read.
COLUMNS = [*(f"lane.{n}" for n in range(6)), "register.0", *(f"bit.{n}" for n in range(5))]
# Axes on which probes of whole families take seconds.
NARROW = {
    "tcgen05_ld": {"shape": ["16x128b"], "base": ["first"]},
    "tcgen05_st": {"shape": ["16x256b"], "base": ["first"]},
    "tcgen05_cp": {"form": ["4x256b"]},
    "tcgen05_cp_pair": {"form": ["4x256b"]},
    "tcgen05_shift": {"lane": ["32"]},
    "tcgen05_pack": {"shape": ["16x64b"]},
    "tcgen05_unpack": {"shape": ["16x64b"]},
    "smem_banks": {"access": ["ld.shared.v4.b32", "st.shared.u8"]},
    "ldmatrix": {"pattern": ["consecutive", "permuted"]},
    "stmatrix": {"pattern": ["consecutive", "permuted"]},
    "wgmma_d": {"form": ["wgmma.m64n8.f32:D"]},
    "mma_d": {"form": ["tcgen05.mma.cta_group::1.m64n8.f32:D"]},
    "scale_factors": {"scales": ["tcgen05.mma.cta_group::1.m128.scale_vec::1X.id1:SFA"]},
    "smem_descriptor": {"layout": ["shared.k_major.32b.16bit"]},
    "mfma_operands": {"type": ["f64", "bf6"]},
    "smfmac_operands": {"type": ["f16"]},
    "mma_a_tmem": {"form": ["tcgen05.mma.cta_group::1.kind::f16.m128.f16:A"]},
}
#: Probes that read numbers of elements.
NUMBERED = ("mma_d", "smem_descriptor", "wgmma_d", "wgmma_descriptor")


def narrow(name: str) -> Probe:
    return find_probe(name).with_axes(NARROW.get(name, {}))


def in_numpy(probe: Probe, models: Mapping[str, LayoutMap]) -> StandIn:
    return device_of(models.get(TR8, bytes_of_sixteen()))


def only(scores: Sequence[MutationScore]) -> MutationScore:
    (found,) = scores
    return found


def test_the_byte_probe_notices_and_identifies_what_it_runs() -> None:
    found = only(score(find_probe("tr8"), execute=6, pairs=20, opener=in_numpy))
    # 12 x 12 entries of the matrix and 20 pairs.
    assert found.mutants == 144 + 20
    assert (found.executed, found.noticed, found.identified) == (6, 6, 6)
    assert not found.survivors and not found.equivalent


def test_what_is_not_executed_is_not_noticed() -> None:
    found = only(score(find_probe("tr8"), execute=0, pairs=20, opener=in_numpy))
    assert (found.mutants, found.executed, found.noticed, found.survivors) == (164, 0, 0, ())


@pytest.mark.slow
def test_a_probe_that_looks_at_one_lane_misses_the_others() -> None:
    """Entries of the 6 columns of lane bits move other lanes than lane 0; the 6 others move it."""

    class OneLane(ChunkReads):
        def observe(self, readings: Any) -> LayoutMap:
            return super().observe(readings).restrict(mask=np.arange(4096) < 64)

    probe = replace(find_probe("tr8"), analysis=OneLane(64, 8, 8))
    found = only(score(probe, pairs=0, opener=in_numpy))
    assert (found.executed, found.noticed, len(found.survivors)) == (144, 72, 72)
    assert all("destination lane." in name for name in found.survivors)


def test_a_device_that_stops_the_probe_is_not_the_probe_that_notices() -> None:
    """A permutation matrix that loses one of its 12 ones has no inverse; with one more it has."""

    def opener(probe: Probe, models: Mapping[str, LayoutMap]) -> StandIn:
        if not models.get(TR8, bytes_of_sixteen()).is_one_to_one:
            raise Disagreement("two lanes received the same")
        return in_numpy(probe, models)

    found = only(score(find_probe("tr8"), pairs=0, opener=opener))
    assert (found.executed, found.noticed, len(found.stopped)) == (144, 132, 12)
    assert not found.survivors and all(" loses " in each for each in found.stopped)


def test_a_probe_that_contradicts_the_model_has_no_score() -> None:
    other = bytes_of_sixteen().with_spaces(
        bytes_of_sixteen().destination, bytes_of_sixteen().source
    )
    other = LayoutMap(other.destination, other.source, np.roll(other.table, 64))
    with pytest.raises(UserError, match="contradicts the model of ds_read_b64_tr_b8"):
        score(find_probe("tr8"), execute=1, opener=lambda probe, models: device_of(other))


@pytest.mark.slow
def test_a_decoding_that_always_says_the_model_notices_nothing() -> None:
    class Blind(Moves):
        def observe(self, readings: Sequence[MoveReading]) -> LayoutMap:
            return model.variant(readings[0].variant).map

    blind = replace(narrow("tcgen05_ld"), analysis=Blind(loads=True))
    for each in score(blind, 1, pairs=0):
        assert (each.executed, each.noticed, len(each.survivors)) == (1, 0, 1)


#: One probe of most analyses: those whose narrowed axes take a second.
QUICK = {"mfma_operands", "movmatrix", "smem_descriptor", "tcgen05_alloc", "tcgen05_pack",
         "tcgen05_shift", "tmem_lanes", "tr8", "tr8_broadcast", "scale_factors"}  # fmt: skip
DEAD = [(name, octet) for name in sorted({p.name for p in scored()}) for octet in (None, 0x5A)]


@pytest.mark.parametrize(
    ("name", "octet"), sampled(DEAD, lambda each: each[0] in QUICK and each[1] is None)
)
def test_a_probe_that_never_ran_or_reads_a_constant_scores_zero(
    name: str, octet: int | None
) -> None:
    def opener(probe: Probe, *replaced: Any) -> Dead:
        return Dead(open_emulator(probe, *replaced), octet)

    try:
        found = score(narrow(name), 2, pairs=4, opener=opener)
    except Disagreement:
        # It reads LDS back on its own, and stops before there is anything to score.
        assert name == "tr8_broadcast"
        return
    except UserError as why:
        # These read numbers of elements, and all lanes show one: no mutant is made then.
        assert name in NUMBERED and "contradicts the model" in str(why)
        return
    for each in found:
        assert each.executed == 2 and each.noticed == each.identified == 0, each.variant
        assert len(each.survivors) == 2


def test_no_readings_are_no_score() -> None:
    empty = replace(find_probe("tr8"), function=lambda state: [])
    with pytest.raises(UserError, match="nothing to test"):
        score(empty, 1, opener=in_numpy)


@pytest.mark.parametrize("name", sampled(["tr16", "tr8", "tr4", "tr6"], 3))
def test_reads_of_lds_notice_mutants_that_the_emulator_executes(name: str) -> None:
    found = only(score(find_probe(name), execute=3, pairs=20))
    assert (found.executed, found.noticed, found.identified) == (3, 3, 3)


@pytest.mark.parametrize(
    "name", sampled(["tcgen05_ld", "tcgen05_st", "tcgen05_cp_pair", "tcgen05_cp"], 3)
)
def test_probes_of_families_notice_a_mutant_of_each_variant(name: str) -> None:
    for each in score(narrow(name), 1, pairs=5):
        assert (each.executed, each.noticed, each.identified) == (1, 1, 1), each.variant
        # Every entry of the matrix between the bits of the two spaces, and five pairs.
        layout = model.variant(each.variant.replace(".cta_group::2", "")).map
        rows, columns = (
            space.size.bit_length() - 1 for space in (layout.source, layout.destination)
        )
        assert each.mutants + len(each.equivalent) == rows * columns + 5


@pytest.mark.slow
def test_the_broadcast_sees_which_byte_arrives_and_never_whose() -> None:
    """Worked out by hand: every lane reads one chunk, of which byte 0 alone was written.

    Lane bits choose among equal chunks, so their rows never show. Lane l receives byte l & 7: a
    byte's number that gains another of these three lane bits still is 0 for the same lanes. Bits
    that change places in all bytes alike show neither there nor in what the probe says of the
    residue, which is whether a lane's bytes are alike and after how many lanes they repeat.
    """
    found = only(score(find_probe("tr8_broadcast"), pairs=0))
    unseen = {(f"lane.{row}", column) for row in range(6) for column in COLUMNS}
    unseen |= {
        (f"bit.{row + 3}", f"lane.{lane}") for row in range(3) for lane in range(3) if lane != row
    }
    unseen |= {
        (f"bit.{row}", f"{axis}.{bit}")
        for row in range(3)
        for axis in ("lane", "bit")
        for bit in range(3)
    }
    survivors = {(name.split()[1], name.split()[-1]) for name in found.survivors}
    assert survivors == unseen
    assert (found.executed, found.noticed) == (144, 144 - len(unseen)) == (144, 48)


@pytest.mark.slow
def test_lanes_that_nobody_named_are_survivors() -> None:
    """Warps name multiples of 32 only, so the low five bits of taddr's lane are always zero."""
    found = only(score(find_probe("tmem_lanes"), execute=None, pairs=0))
    # 7 source bits; 2 bits of the warp, 7 of the lane in taddr, 5 of the thread.
    assert (found.executed, found.noticed, found.identified) == (98, 63, 63)
    assert {name.split()[-1] for name in found.survivors} == {f"taddr_lane.{b}" for b in range(5)}


def test_allocations_that_behave_otherwise_are_noticed() -> None:
    found = only(score(find_probe("tcgen05_alloc")))
    assert found.executed == found.mutants == 6 and found.noticed == 4 and not found.survivors
    assert [each.partition(":")[0] for each in found.stopped] == [
        "an allocation takes twice the columns",
        "what is given back stays held",
    ]
