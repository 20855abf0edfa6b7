"""Windows in SASS: operands, edges, what grows with the links; control words; patches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanemap.errors import UserError
from lanemap.timing.slope import fit
from lanemap.timing.text import Chain, Step, module
from lanemap.timing.window import Edge, code, operands, slot, window
from lanemap.toolchain.control import Control
from lanemap.toolchain.patch import patched
from lanemap.toolchain.ptxas import assemble
from lanemap.toolchain.sass import SassInstruction, disassemble

FMA = Step("fma", "fma.rn.f32 {d}, {x}, {k}, {m};")


def sass(opcode: str, operands: str, guard: str = "") -> SassInstruction:
    return SassInstruction(0, guard, opcode, operands)


@pytest.mark.parametrize(
    ("instruction", "written"),
    [
        (sass("FFMA", "R7, R0, R7, R9"), ["R7"]),
        (sass("ISETP.NE.U32.AND", "P1, PT, RZ, UR4, PT"), ["P1", "PT"]),
        (sass("SHFL.BFLY", "PT, R5, R6, 0x1, 0x1f"), ["PT", "R5"]),
        (sass("IADD3", "R8, P0, -R8, R16, RZ"), ["R8", "P0"]),
        (sass("VOTE.ANY", "R5, PT, P0"), ["R5", "PT"]),
        (sass("SEL", "R5, R6, R7, P0"), ["R5"]),
    ],
)
def test_what_an_instruction_writes(instruction: SassInstruction, written: list[str]) -> None:
    assert operands(instruction)[0] == written


@pytest.mark.parametrize(
    ("producer", "consumer", "operand"),
    [
        (sass("FFMA", "R7, R0, R1, R9"), sass("FFMA", "R7, R0, R7, R9"), 2),
        (sass("FFMA", "R7, R0, R1, R9"), sass("FFMA", "R8, R17, R1, R9"), None),
        (sass("ISETP.NE.AND", "P1, PT, R1, R2, PT"), sass("SEL", "R5, R6, R7, P1"), 3),
        (sass("ISETP.NE.AND", "P1, PT, R1, R2, PT"), sass("IADD3", "R5, R6, R7, RZ", "@P1"), 0),
        (sass("IMAD.WIDE.U32", "R4, R6, R7, RZ"), sass("LOP3.LUT", "R4, R5, R6, RZ, 0x3c, !PT"), 1),
        (sass("FADD", "R7, R0, R1"), sass("STS", "[R7+0x10], R0"), 1),
    ],
)
def test_which_operand_reads_a_result(
    producer: SassInstruction, consumer: SassInstruction, operand: int | None
) -> None:
    assert slot(producer, consumer) == operand


def test_a_chain_of_ptxas_has_the_links_that_it_should() -> None:
    chains = {links: Chain((FMA,), links) for links in (8, 16, 24)}
    functions = disassemble(assemble(module(list(chains.values()), "sm_90a"), "sm_90a"))
    windows = {links // 8: window(functions[each.entry]) for links, each in chains.items()}
    found = code(windows)
    assert found.holds and found.period == {"FFMA": 8} and not found.overhead
    assert windows[2].edges().keys() == {Edge("FFMA", "FFMA", 2, True)}


def test_a_window_that_loses_a_link_is_refused() -> None:
    chains = {links: Chain((FMA,), links) for links in (8, 16, 24)}
    functions = disassemble(assemble(module(list(chains.values()), "sm_90a"), "sm_90a"))
    windows = {links // 8: window(functions[each.entry]) for links, each in chains.items()}
    windows[2] = replace(windows[2], body=windows[2].body[:-1])
    assert not code(windows).holds


def test_a_control_word_goes_out_as_it_came_in() -> None:
    words = {
        each.word
        for own in disassemble(assemble(module([Chain((FMA,), 8)], "sm_90a"), "sm_90a")).values()
        for each in own
    }
    assert len(words) > 20
    for word in words:
        assert Control.of(word).put(word) == word
    # FFMA R7, R8, R7, R11 as nvdisasm -hex prints it; ptxas asks for four cycles there.
    word = 0x000FC8000000000B_0000000708077223
    assert Control.of(word) == Control(4, 0, 7, 7, 0, 0)
    with pytest.raises(UserError, match="stall of a control word must be 0 to 15, not 16"):
        replace(Control.of(word), stall=16).put(word)


def test_a_patch_changes_the_stall_count_that_nvdisasm_reads_and_nothing_else() -> None:
    chain = Chain((FMA,), 8)
    cubin = assemble(module([chain], "sm_90a"), "sm_90a")
    first = window(disassemble(cubin)[chain.entry]).body[0]
    word = replace(first.control, stall=9).put(first.word)
    other = disassemble(patched(cubin, {chain.entry: {first.address: word}}))[chain.entry]
    before = disassemble(cubin)[chain.entry]
    changed = [new for old, new in zip(before, other, strict=True) if old != new]
    assert [each.control.stall for each in changed] == [9]
    with pytest.raises(UserError, match="has no instruction at byte 0x8"):
        patched(cubin, {chain.entry: {8: word}})
    with pytest.raises(UserError, match="this is not a cubin"):
        patched(b"not an ELF file", {})


def test_a_slope_needs_five_lengths_and_says_how_straight_it_is() -> None:
    with pytest.raises(UserError, match="at least 5 lengths, not 2"):
        fit({8: 1, 16: 2})
    exact = fit({n: 20 + 4 * n for n in (8, 16, 24, 32, 48)})
    assert exact.cycles == 4 and exact.offset == 20 and exact.integral and exact.straight
    bent = fit({8: 52, 16: 84, 24: 116, 32: 160, 48: 240})
    assert not bent.straight
