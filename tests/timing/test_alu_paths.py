"""The uniform data path, doubles, wide products and register banks: as declared, and right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

import lanemap
from lanemap.errors import UserError
from lanemap.timing.find import find_probes
from lanemap.timing.launch import DeviceMachine, More, Words, inputs
from lanemap.timing.rewriting import Sources
from lanemap.timing.series import EVERY, Series, SeriesProbe
from tests.timing.once import assembled, prepare

TARGET = "sm_90a"
PROBE = find_probes()["alu_paths"]
assert isinstance(PROBE, SeriesProbe)
SERIES = {each.label: each for each in PROBE.series}
BANKS = next(each for each in PROBE.series if each.rewriting is not None)


@pytest.mark.slow
def test_every_fifth_series_is_as_declared() -> None:
    """At two lengths; `lanemap timing alu_paths --assemble` shows all."""
    short = tuple(replace(each, lengths=each.lengths[:2]) for each in PROBE.series[::5])
    made = prepare(replace(PROBE, series=short), TARGET)
    assert not {own.series.label: own.code.reason for own in made if not own.code.holds}


def launched(series: Series) -> tuple[Words, Words]:
    """The inputs of two CTAs, uint32[2, thread, word], and their results, uint32[2, thread]."""
    machine = DeviceMachine(lanemap.open_device(TARGET, device="emulator"))
    given = inputs(2, series.threads)
    more = More((np.uint32(EVERY), *machine.arguments(series.arguments)))
    loaded = machine.load(assembled(series, TARGET).ptx)
    return given, loaded.launch(series.entry(min(series.lengths)), given, more).results


@pytest.mark.slow
@pytest.mark.parametrize("label", [
    "UIMAD to operand 1", "UPRMT to operand 1", "USHF.L.W.U32.HI to operand 3",
    "UIADD3 to operand 1", "S2UR and ULOP3.LUT", "UBREV and ULOP3.LUT", "mul.wide.u32",
    "SHFL.BFLY rate warps=4", "MATCH.ANY rate values=one value warps=4",
    "REDUX.OR and IMAD.U32 and LOP3.LUT rate warps=4",
])  # fmt: skip
def test_a_kernel_runs_without_a_hazard(label: str) -> None:
    launched(SERIES[label])


@pytest.mark.slow
def test_a_uniform_chain_computes_what_its_text_says() -> None:
    """By hand: 4 links of u = m1, then u * m0 + 5; what x was is mixed with u."""
    given, found = launched(SERIES["UIMAD to operand 1"])
    value = 0x85EBCA6B
    for _ in range(4):
        value = (value * 0x9E3779B1 + 5) % 2**32
    assert np.array_equal(found, given[:, :, 0] ^ np.uint32(value))


def _doubles(low: Words, high: Words) -> npt.NDArray[np.float64]:
    """Doubles from 1 to 2 of 20 bits of `high` and those of `low`."""
    upper = high & np.uint32(0xFFFFF) | np.uint32(0x3FF00000)
    return (upper.astype(np.uint64) << np.uint64(32) | low).view(np.float64)


@pytest.mark.slow
def test_a_chain_of_double_additions_is_numpys() -> None:
    given, found = launched(SERIES["add.f64 operand 2"])
    x, constant = given[:, :, 0], _doubles(given[:, :, 2], given[:, :, 1])
    value = _doubles(x, x)
    for _ in range(8):
        value = value + constant
    bits = value.view(np.uint64)
    halves = (bits & np.uint64(0xFFFFFFFF)) ^ (bits >> np.uint64(32))
    assert np.array_equal(found, x ^ halves.astype(np.uint32))


@pytest.mark.slow
def test_a_chain_of_high_products_is_numpys() -> None:
    given, found = launched(SERIES["mul.hi.u32"])
    value = given[:, :, 0].astype(np.uint64)
    for _ in range(8):
        value = value * given[:, :, 1] >> np.uint64(32)
    assert np.array_equal(found, value.astype(np.uint32))


def test_the_rewritten_instructions_read_the_declared_registers() -> None:
    """nvdisasm reads them, and ptxas's own do not."""
    assert BANKS.rewriting is not None
    own = assembled(replace(BANKS, lengths=BANKS.lengths[:2]), TARGET)
    assert own.code.holds
    plain = assembled(replace(BANKS, lengths=BANKS.lengths[:2], rewriting=None), TARGET)
    (window, *_), (before, *_) = own.windows.values(), plain.windows.values()
    assert not BANKS.rewriting.differs(window, "FFMA")
    assert BANKS.rewriting.differs(before, "FFMA")
    timed = [each for each in window.body if each.opcode == "FFMA"]
    reads = {tuple(each.operands.split(", ")[1:4]) for each in timed}
    (sources,) = reads
    assert len(set(sources)) == 3 and all(int(name[1:]) % 4 == 0 for name in sources)
    assert {each.control.stall for each in timed} == {1}
    assert [each.opcode for each in window.body] == [each.opcode for each in before.body]


def test_sources_that_no_register_has_are_refused() -> None:
    with pytest.raises(UserError, match="no register with remainder 5"):
        assembled(replace(BANKS, lengths=BANKS.lengths[:2], rewriting=Sources((0, 5, 0))), TARGET)
