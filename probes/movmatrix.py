"""movmatrix: an 8x8 matrix of halves between the registers of a warp, transposed."""

from __future__ import annotations

from lanemap.layout import Space
from lanemap.probing.probe import State, axis, probe
from lanemap.probing.warp.forms import LANES, TARGETS
from lanemap.probing.warp.kernel import (
    HEAD,
    MEMORY_BYTES,
    PATTERNS,
    TAGS,
    kernel,
    launch,
    register_numbers,
)
from lanemap.probing.warp.tagged import Geometry, TaggedMoves, TagReading, Words

VARIANT = "movmatrix.sync.aligned.m8n8.trans.b16"
REGISTER = Space("register", (("lane", LANES), ("register", 1), ("bit", 32)))
NAMING = Words("register bit", "register bit of the warp", "zero or one")
# No address matters; the patterns choose how many warps run.
WARPS = {"one": PATTERNS["consecutive"], "four": PATTERNS["warps"]}
TEXT = kernel("movmatrix", f"{VARIANT} v0, v0;")


@axis("warps", tuple(WARPS))
@probe(
    VARIANT,
    source={target: HEAD.format(target=target) + TEXT for target in TARGETS},
    analysis=TaggedMoves(
        {VARIANT: Geometry(REGISTER, REGISTER, 16)}, TAGS, NAMING, MEMORY_BYTES * 8
    ),
)
def movmatrix(state: State) -> list[TagReading]:
    """Which register bit of which lane arrives in each register bit?"""
    chosen = state.choose("warps", WARPS)
    words = launch(state.device, state.entry("movmatrix"), chosen, stores=False)
    name = str(state["warps"])
    said = f"{name} warp{'s' if chosen.warps > 1 else ''}, different in every register"
    return [
        TagReading(
            VARIANT,
            name,
            said,
            chosen.warps,
            TAGS.passes,
            TAGS.identify(words[:, warp, :, :1]).reshape(-1),
            register_numbers(warp, 1),
        )
        for warp in range(chosen.warps)
    ]
