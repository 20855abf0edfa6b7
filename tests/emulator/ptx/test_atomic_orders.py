"""Messages between CTAs by atomics of every width: ordered by release and acquire, and by no less.

NVIDIA PTX ISA, Memory Consistency Model; Parallel Synchronization: atom, red.
"""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.emulator.api import Hazard
from tests import ptx

BEGIN = """\
.reg .pred %p; .reg .b16 %h, %one, %none; .reg .b32 %w, %cta; .reg .b64 %a, %b, %c;
.reg .b128 %q, %set, %zero; .reg .f32 %f;
mov.b16 %one, 1; mov.b16 %none, 0; mov.b64 %a, 1; mov.b64 %c, 0;
mov.b128 %set, {%a, %c}; mov.b128 %zero, {%c, %c};
"""
#: By kind: what sets the flag, what reads it, and what says that it is set.
KINDS = {
    "b16": ("atom{}.cas.b16 %h, [%flag], %none, %one", "atom{}.cas.b16 %h, [%flag], %one, %one",
            "setp.eq.u16 %p, %h, 1"),
    "f16": ("red{}.add.noftz.f16 [%flag], %one", "atom{}.add.noftz.f16 %h, [%flag], %none",
            "setp.ne.b16 %p, %h, 0"),
    "bf16x2": ("red{}.add.noftz.bf16x2 [%flag], 0x3f803f80",
               "atom{}.add.noftz.bf16x2 %w, [%flag], 0", "setp.eq.b32 %p, %w, 0x3f803f80"),
    "f32": ("red{}.add.f32 [%flag], 0f3F800000", "atom{}.add.f32 %f, [%flag], 0f00000000",
            "setp.eq.f32 %p, %f, 0f3F800000"),
    "u32": ("red{}.or.b32 [%flag], 1", "atom{}.or.b32 %w, [%flag], 0", "setp.eq.u32 %p, %w, 1"),
    "b128": ("atom{}.exch.b128 %q, [%flag], %set", "atom{}.cas.b128 %q, [%flag], %set, %set",
             "mov.b128 {%a, %b}, %q; setp.eq.u64 %p, %a, 1"),
}  # fmt: skip
SENDS = "st.global.u32 [%data], 7; {};"
GETS = "AGAIN: {}; {}; @!%p bra AGAIN; ld.global.u32 %w, [%data]; st.global.u32 [%out], %w;"


def _message(kind: str, release: str, acquire: str, first: int) -> int:
    """What a CTA reads that another one wrote, if the one of that number reads."""
    sets, reads, holds = KINDS[kind]
    body = BEGIN + f"mov.u32 %cta, %ctaid.x; setp.eq.u32 %p, %cta, {first}; @%p bra READS;\n"
    body += SENDS.format(sets.format(f"{release}.gpu.global")) + "\nbra END;\nREADS:\n"
    body += GETS.format(reads.format(f"{acquire}.gpu.global"), holds) + "\nEND:"
    flag, words = np.zeros(4, np.uint32), np.zeros(1, np.uint32)
    *_, out = ptx.launch(ptx.entry(body, "flag data out"), flag, words, words, grid=2, block=1)
    return int(out[0])


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("kind", KINDS)
def test_a_released_message_is_read(kind: str, first: int) -> None:
    assert _message(kind, ".release", ".acquire", first) == 7
    assert _message(kind, ".acq_rel", ".acq_rel", first) == 7


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("orders", [(".relaxed", ".acquire"), (".release", ".relaxed"), ("", "")])
def test_a_message_without_an_order_is_a_race(kind: str, orders: tuple[str, str]) -> None:
    with pytest.raises(Hazard) as caught:
        _message(kind, *orders, first=1)
    assert caught.value.kind == "order"
