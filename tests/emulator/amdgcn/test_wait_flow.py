"""Wait states along the way that a wave takes, against counting them by hand on that way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

import lanemap
from lanemap.toolchain.amdgcn_kernel import Kernel

# An f64 matrix instruction, a reader and a writer of its result, with what they must wait.
ISSUE = "v_mfma_f64_16x16x4_f64 v[4:11], v[2:3], v[2:3], 0"
NEEDED = {"v_mov_b32_e32 v12, v5": 19, "v_mov_b32_e32 v4, 0": 11}
ITEMS = [ISSUE, *NEEDED, "s_nop 0", "s_nop 3", "s_nop 8"]
START = """
    s_load_dwordx2 s[8:9], s[0:1], 0x0
    v_mov_b32_e32 v2, 0
    v_mov_b32_e32 v3, 0
    s_waitcnt lgkmcnt(0)
    s_nop 1
"""
# After each block: one step less to go, and the next bit says whether the branch is taken.
STEP = ["s_sub_u32 s9, s9, 1", "s_cbranch_scc1 .Lend", "s_lshr_b32 s8, s8, 1",
        "s_bitcmp1_b32 s8, 0"]  # fmt: skip


@dataclass(frozen=True)
class Code:
    """Blocks of instructions, and the block that the branch after each of them leads to."""

    blocks: tuple[tuple[str, ...], ...]
    targets: tuple[int, ...]

    def text(self) -> str:
        lines = [START]
        for number, block in enumerate(self.blocks):
            ending = [*STEP, f"s_cbranch_scc1 .L{self.targets[number]}"]
            lines += [f".L{number}:", *block, *ending]
        body = "\n".join([*lines, ".Lend:", "s_endpgm"])
        return Kernel("k", (), ("bits", "steps"), 0, 16, 16, 64).text(body)

    def short(self, bits: int, steps: int) -> set[tuple[int, int]]:
        """Blocks and positions of the instructions that come too soon."""
        found, age, block = set(), 99, 0
        while block < len(self.blocks):
            for position, item in enumerate(self.blocks[block]):
                if age < NEEDED.get(item, 0):
                    found.add((block, position))
                age = 0 if item == ISSUE else age + 1
                if item.startswith("s_nop"):
                    age += int(item.split()[1])
            steps -= 1
            if steps < 0:
                break
            bits >>= 1
            age += len(STEP) + 1
            block = self.targets[block] if bits & 1 else block + 1
        return found


@st.composite
def codes(draw: st.DrawFn) -> Code:
    """Up to four blocks that branch forward, backward and to themselves."""
    count = draw(st.integers(1, 4))
    block = st.lists(st.sampled_from(ITEMS), max_size=5).map(tuple)
    blocks = [draw(block) for _ in range(count)]
    blocks[draw(st.integers(0, count - 1))] += (ISSUE,)
    blocks[draw(st.integers(0, count - 1))] += (draw(st.sampled_from(list(NEEDED))),)
    targets = [draw(st.integers(0, count - 1)) for _ in range(count)]
    return Code(tuple(blocks), tuple(targets))


# The same two instructions, too close only where the first branch is taken.
READ, WRITE = NEEDED
DIRECT = Code(((ISSUE,), ("s_nop 8", "s_nop 8"), (READ,)), (2, 0, 2))
THROUGH_BLOCKS = Code(((ISSUE,), ("s_nop 3",), (), (WRITE,)), (2, 3, 0, 0))


@example(DIRECT, 0b10)
@example(DIRECT, 0b00)
@example(THROUGH_BLOCKS, 0b010)
@example(THROUGH_BLOCKS, 0b100)
@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(code=codes(), bits=st.integers(0, 255))
def test_what_is_reported_is_what_the_wave_executed(code: Code, bits: int) -> None:
    text = code.text()
    lines = text.splitlines()
    device = lanemap.open_device("gfx950", device="emulator", hazards="report")
    kernel = device.load(text)["k"]
    kernel((1, 1, 1), (64, 1, 1), (np.uint32(bits), np.uint32(6)))
    places = {lines.index(f".L{block}:") + 2 + position for block, position in code.short(bits, 6)}
    assert {hazard.line for hazard in device.hazards} == places
    assert {hazard.kind for hazard in device.hazards} <= {"rule"}
