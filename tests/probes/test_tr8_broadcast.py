"""The broadcast experiment on stand-ins that obey one rule each and know what was written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from lanemap.errors import Disagreement
from lanemap.layout import LayoutMap, Space
from lanemap.probing.compare.rules import Rule as Named
from lanemap.probing.compare.rules import judge
from lanemap.probing.probe import find_probe
from tests.probing.lds.standin import Buffer, Rule, StandIn, chunk_rule, grid

LANE, BYTE = grid(8)
# (source lane, source byte) of (lane, byte), for b8.
RULES = {
    # AMD's Triton back end, MemoryOpToLLVM.cpp lowerDsReadTr.
    "transpose of 16 lanes": ((LANE & 48) + 2 * BYTE + (LANE >> 3 & 1), LANE & 7),
    # rocjitsu before its pull request 10589.
    "rocjitsu, old": (
        (LANE & 48) + 8 * (BYTE // 4) + 4 * (LANE >> 3 & 1) + BYTE % 4,
        LANE & 7,
    ),
    "octets": ((LANE & ~7) + BYTE, LANE & 7),
    # Modular's documentation of ds_read_tr8_b64, as worded.
    "Modular": ((LANE & 48) + 2 * BYTE + (LANE & 1), LANE >> 1 & 7),
}


class Traced(Buffer):
    marks: Any = None

    def undefined(self) -> Any:
        return self.marks


@dataclass
class Broadcast(StandIn):
    """The kernel of the probe: LDS[8 tid] = tid over residue, then the read; three words a lane."""

    residue: np.ndarray
    traces: bool = True

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Traced:
        return Traced(np.zeros(shape, dtype))

    def _launch(self, grid: Any, block: Any, args: list[Any], **_: Any) -> None:
        addresses, output = args
        lds, lanes = self.residue.copy(), np.arange(64)
        lds[8 * lanes] = lanes
        wrote = np.zeros(512, bool)
        wrote[8 * lanes] = True
        byte = self.rule(addresses.data.astype(np.int64), 64)[:, ::8] // 8
        output.data[:, :2] = np.ascontiguousarray(lds[byte]).view("<u4")
        output.data[:, 2] = lanes
        if self.traces:
            marks = np.zeros((64, 96), bool)
            marks[:, :64] = np.repeat(~wrote[byte], 8, axis=1)
            output.marks = marks.reshape(64, 3, 32)


def device(name: str, traces: bool = True) -> Broadcast:
    residue = np.random.default_rng(3).permutation(256).astype(np.uint8).repeat(2)
    return Broadcast(chunk_rule(*RULES[name], 8), residue, traces)


def as_map(lane: np.ndarray, byte: np.ndarray) -> LayoutMap:
    bits = (lane * 64 + byte * 8).reshape(-1, 1) + np.arange(8)
    return LayoutMap(
        Space("register", (("lane", 64), ("register", 2), ("bit", 32))),
        Space("chunk", (("lane", 64), ("bit", 64))),
        bits.ravel(),
    )


ALL = [Named((name,), as_map(*rule)) for name, rule in RULES.items()]


def run(name: str, traces: bool = True) -> tuple[Any, Any, Any]:
    probe = find_probe("tr8_broadcast")
    readings = probe.readings(device(name, traces))
    return probe, readings, probe.analysis.explain(readings)


def test_it_looks_like_a_broadcast_of_bytes_that_nobody_wrote():
    _, _, finding = run("transpose of 16 lanes")
    facts = finding.facts
    assert facts["identical_bytes_in_every_lane"] is True
    assert facts["repeats_every_lanes"] == 8
    assert facts["lanes_of_written_bytes"] == "0, 8, 16, 24, 32, 40, 48, 56"
    assert facts["lanes_of_never_written_bytes"].startswith("1 to 7, 9 to 15")
    assert facts["lane_bytes"][0] == [0] * 8 and facts["lane_bytes"][8] == [0] * 8
    assert facts["lane_bytes"][1] == [-1] * 8
    assert finding.explained and not finding.map.defined.any()


def test_the_certificate_is_that_of_one_written_byte_in_a_chunk():
    """Byte 0 of the one chunk is written, 1 to 7 are not: two parts, from 64 lanes each byte."""
    as_it_was, at_best = run("transpose of 16 lanes")[2].certificates
    assert (as_it_was.rules, as_it_was.parts) == (512, 2)
    assert as_it_was.remaining == (
        "1 part of every lane at one offset; 1 part of every lane at bytes 1 to 7"
    )
    assert (at_best.rules, at_best.parts) == (512, 8)
    assert at_best.remaining == "8 parts of every lane at one offset"
    assert at_best.splits == "pattern=consecutive cell_bits=8 (3 passes)"


@pytest.mark.parametrize("traces", [True, False], ids=["traced", "residue only"])
@pytest.mark.parametrize("obeyed", RULES)
def test_modulars_rule_is_told_from_the_others_and_they_are_not(obeyed, traces):
    probe, readings, _ = run(obeyed, traces)
    verdicts, together = judge(probe.analysis, readings, ALL)
    alike = ("transpose of 16 lanes", "rocjitsu, old", "octets")
    assert set(together) == {alike, ("Modular",)}
    standing = {verdict.names[0] for verdict in verdicts if verdict.stands}
    assert standing == ({"Modular"} if obeyed == "Modular" else set(alike))
    if traces or obeyed != "Modular":
        # Lane 1 is the first that tells: byte 0 by Modular's rule, byte 1 by the others.
        assert {v.witness for v in verdicts} == {None, "lane 1 register 0 bit 0"}


def test_residue_cannot_tell_a_silent_device_apart_from_another():
    """Without traces a never-written byte may have any value: only written bytes refute."""
    probe, readings, finding = run("octets", traces=False)
    assert "lane_bytes" not in finding.facts
    verdicts, _ = judge(probe.analysis, readings, [Named(("octets",), as_map(*RULES["octets"]))])
    assert verdicts[0].stands


def test_a_lane_that_does_not_read_its_own_byte_back_is_an_error():
    class Broken(Broadcast):
        def _launch(self, *args: Any, **more: Any) -> None:
            super()._launch(*args, **more)
            args[2][1].data[5, 2] = 7

    probe = find_probe("tr8_broadcast")
    rule: Rule = chunk_rule(*RULES["octets"], 8)
    with pytest.raises(Disagreement, match="is not tid"):
        probe.readings(Broken(rule, np.zeros(512, np.uint8)))
