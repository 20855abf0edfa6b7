"""tcgen05.alloc: which columns it gives, in which order, and when it waits.

No document says which columns an allocation gets. What the probe finds is what one device does, not
a rule to rely on. Two CTAs on one multiprocessor test whether an allocation waits while there is no
room; this part needs a device that can be limited to one multiprocessor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap.probing.finding import Finding, PatternResult
from lanemap.probing.probe import State, axis, probe
from lanemap.probing.proof.certificates import Certificate
from lanemap.probing.tmem.forms import (
    COLUMNS,
)
from lanemap.probing.tmem.kernel import (
    HEAD,
)

STEPS = 16
# Sizes are allocated, -k gives back what the k-th allocation got (from 1).
SEQUENCES: dict[str, tuple[int, ...]] = {
    "whole": (512, -1),
    "descending": (256, 128, 64, 32, 32, -1, -2, -3, -4, -5),
    "ascending": (32, 64, 128, 256, -1, -2, -3, -4),
    "equal": (*(32,) * 16, *range(-1, -17, -1)),
    "hole": (128, 128, 128, 128, -2, 64, 32, 32, -1, -3, -4, -5, -6, -7),
    "merged": (128, 128, 128, 128, -3, -4, 256, -1, -2, -5),
    "again": (256, -1, 512, -2, 32, -3),
}
# Columns that two CTAs ask for; whether both have theirs at once is what is found.
CONTENTIONS = ((256, 256), (512, 512), (256, 512))


def sequence(name: str) -> str:
    """A kernel of one warp that allocates and gives back; output is each allocation's taddr."""
    body, made = "", 0
    for step in SEQUENCES[name]:
        if step < 0:
            columns = [each for each in SEQUENCES[name] if each > 0][-step - 1]
            form = "tcgen05.dealloc.cta_group::1.sync.aligned.b32"
            body += f"    {form} got{-step - 1}, {columns};\n"
        else:
            form = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32"
            body += f"""\
    {form} [at], {step};
    bar.warp.sync 0xffffffff;
    ld.shared.b32 got{made}, [slot];
    bar.warp.sync 0xffffffff;
    st.global.b32 [output+{4 * made}], got{made};
"""
            made += 1
    return entry(f"sequence_{name}", body)


def contention(first: int, second: int) -> str:
    """Two CTAs of one warp; output is what each got, and what it saw of the other.

    CTA 0 allocates, lets CTA 1 ask, and holds on for a while; CTA 1 says whether it got its columns
    before CTA 0 gave its own back.
    """
    alloc = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at]"
    dealloc = "tcgen05.dealloc.cta_group::1.sync.aligned.b32 got0"
    return entry(
        f"contention_{first}_{second}",
        f"""\
    setp.ne.u32 other, cta, 0;
    @other bra second;
    {alloc}, {first};
    bar.warp.sync 0xffffffff;
    ld.shared.b32 got0, [slot];
    st.global.b32 [output], got0;
    st.release.gpu.global.b32 [flags], 1;
asking:
    ld.acquire.gpu.global.b32 word, [flags+4];
    setp.eq.u32 more, word, 0;
    @more bra asking;
    mov.u32 count, 0;
holding:
    ld.acquire.gpu.global.b32 word, [flags+8];
    setp.ne.u32 more, word, 0;
    @more bra given;
    add.u32 count, count, 1;
    setp.lt.u32 more, count, 256;
    @more bra holding;
given:
    st.release.gpu.global.b32 [flags+12], 1;
    {dealloc}, {first};
    bra done;
second:
    ld.acquire.gpu.global.b32 word, [flags];
    setp.eq.u32 more, word, 0;
    @more bra second;
    st.release.gpu.global.b32 [flags+4], 1;
    {alloc}, {second};
    bar.warp.sync 0xffffffff;
    ld.shared.b32 got0, [slot];
    st.release.gpu.global.b32 [flags+8], 1;
    ld.acquire.gpu.global.b32 word, [flags+12];
    st.global.b32 [output+4], got0;
    st.global.b32 [output+8], word;
    {dealloc}, {second};
done:
""",
    )


def entry(name: str, body: str) -> str:
    """A kernel of one warp around instructions."""
    return f"""
.visible .entry {name}(
    .param .u64 flags_at,
    .param .u64 output_at
)
.reqntid 32
{{
    .shared .align 4 .b32 slot;
    .reg .b64 flags, output;
    .reg .b32 at, cta, word, count, got<{STEPS}>;
    .reg .pred other, more;
    ld.param.u64 flags, [flags_at];
    cvta.to.global.u64 flags, flags;
    ld.param.u64 output, [output_at];
    cvta.to.global.u64 output, output;
    mov.u32 at, slot;
    mov.u32 cta, %ctaid.x;
{body}    ret;
}}
"""


@dataclass(frozen=True)
class Given:
    """The readings of one launch.

    Attributes:
        name: A sequence, or "contention".
        asked: The columns asked for, in order.
        got: The first column of each allocation.
        waited: Under contention, whether the second waited for the first; else None.
    """

    name: str
    asked: tuple[int, ...]
    got: tuple[int, ...]
    waited: bool | None = None


class Allocations:
    """Says where allocations lie; there is no map to find."""

    def explain(self, readings: Sequence[Given]) -> Finding:
        """The columns of every allocation, and what holds of all."""
        sequences = [each for each in readings if each.waited is None]
        disjoint = all(_disjoint(each) for each in sequences)
        aligned = all(
            first % columns == 0
            for each in readings
            for columns, first in zip(each.asked, each.got, strict=True)
        )
        facts: dict[str, Any] = {
            "sequences": {
                each.name: {
                    "steps": list(SEQUENCES[each.name]),
                    "first_columns": list(each.got),
                }
                for each in sequences
            },
            "never_overlap": disjoint,
            "aligned_to_their_size": aligned,
            "contention": [
                {"columns": list(each.asked), "first_columns": list(each.got),
                 "second_waited": each.waited}
                for each in readings
                if each.waited is not None
            ],
        }  # fmt: skip
        return Finding(
            certificates=(
                Certificate(
                    "the column at which an allocation begins, read from shared memory",
                    sum(len(each.got) for each in readings),
                    COLUMNS,
                    COLUMNS,
                    True,
                ),
            ),
            patterns=tuple(
                PatternResult(each.name, ", ".join(map(str, each.asked)), True, len(each.got), 1)
                for each in sequences
            ),
            passes=len(readings),
            facts=facts,
            lines=tuple(_sentences(readings, disjoint, aligned)),
            explained=disjoint,
        )


def _disjoint(given: Given) -> bool:
    """Whether no two allocations that are held at once share a column."""
    held: dict[int, set[int]] = {}
    made = 0
    for step in SEQUENCES[given.name]:
        if step < 0:
            del held[-step - 1]
            continue
        own = set(range(given.got[made], given.got[made] + step))
        if any(own & other for other in held.values()) or max(own) >= COLUMNS:
            return False
        held[made] = own
        made += 1
    return True


def _sentences(readings: Sequence[Given], disjoint: bool, aligned: bool) -> Iterator[str]:
    for each in readings:
        pairs = ", ".join(f"{n} at {c}" for n, c in zip(each.asked, each.got, strict=True))
        waits = {None: "", True: "; the second waited", False: "; both at once"}[each.waited]
        yield f"{each.name}: {pairs}{waits}"
    yield f"allocations that are held at once {'never' if disjoint else 'DO'} overlap"
    yield f"each begins at a multiple of its size: {'yes' if aligned else 'no'}"


SOURCE = HEAD + "".join(
    [*map(sequence, SEQUENCES), *(contention(*columns) for columns in CONTENTIONS)]
)


@axis("sequence", (*SEQUENCES, "contention"))
@probe("tcgen05.alloc", target="sm_100a", source=SOURCE, analysis=Allocations())
def tcgen05_alloc(state: State) -> list[Given]:
    """Which columns does an allocation get, and does it wait while there is no room?"""
    name = str(state["sequence"])
    if name != "contention":
        state.choose("sequence", SEQUENCES)
        asked = tuple(step for step in SEQUENCES[name] if step > 0)
        (got,) = [_launch(state, f"sequence_{name}", 1, len(asked))]
        return [Given(name, asked, tuple(got))]
    if not hasattr(state.device, "multiprocessors"):
        # Only the emulator can be told to put both CTAs onto one multiprocessor.
        return []
    before = state.device.multiprocessors
    state.device.multiprocessors = 1
    try:
        found = []
        for columns in CONTENTIONS:
            first, second, waited = _launch(state, "contention_{}_{}".format(*columns), 2, 3)
            found.append(Given("contention", columns, (first, second), bool(waited)))
        return found
    finally:
        state.device.multiprocessors = before


def _launch(state: State, name: str, ctas: int, words: int) -> list[int]:
    flags = state.device.zeros(4, np.uint32)
    output = state.device.zeros(words, np.uint32)
    state.entry(name)((ctas, 1, 1), (32, 1, 1), [flags, output])
    return [int(word) for word in output.get()]
