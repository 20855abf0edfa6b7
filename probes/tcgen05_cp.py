"""tcgen05.cp: the six forms without decompression, with several descriptors.

Shared memory is filled with tags, one thread copies and commits, and all of tensor memory is read
back. The decompressing `.b8x16` forms are left out: no public source says which bytes they make.
"""

from __future__ import annotations

import re

import numpy as np

from lanemap.probing.probe import State, axis, probe
from lanemap.probing.tmem.copies import (
    COPIES,
    SHARED_BYTES,
    SOURCES,
    Copies,
    CopyReading,
    images,
    point,
    share,
    sources,
)
from lanemap.probing.tmem.forms import (
    COLUMNS,
    CTA_THREADS,
    LANES,
)
from lanemap.probing.tmem.kernel import (
    HEAD,
    Piece,
    barrier,
    commit,
    fill,
    kernel,
    read_back,
)


def name_of(form: str) -> str:
    """The kernel that asks of a form."""
    return "tcgen05_cp_" + re.sub(r"\W+", "_", form)


def text(form: str) -> str:
    """The kernel that asks of one form."""
    copy = f"    @one tcgen05.cp.cta_group::1.{form} [target], far;\n"
    body = [
        share("sharing"),
        fill("filling"),
        barrier(),
        point(),
        Piece(copy, "one target far"),
        commit("committing"),
        barrier(),
        read_back("reading"),
    ]
    declared = f".shared .align 1024 .b8 source[{SHARED_BYTES}];"
    pointers = ("images", "shared_images", "descriptors", "output")
    return kernel(name_of(form), pointers, 1, body, declared)


SOURCE = HEAD + "".join(map(text, COPIES))


@axis("form", COPIES)
@axis("source", tuple(SOURCES))
@probe("tcgen05.cp", target="sm_100a", source=SOURCE, analysis=Copies())
def tcgen05_cp(state: State) -> list[CopyReading]:
    """Which bit of which row of shared memory arrives in each bit of tensor memory?"""
    form = state.choose("form", {each: each for each in COPIES})
    source = state.choose("source", SOURCES)
    device, passes = state.device, len(images())
    output = device.zeros((passes, COLUMNS, LANES), np.uint32)
    state.entry(name_of(form))(
        (passes, 1, 1),
        (CTA_THREADS, 1, 1),
        [
            device.array(images()),
            device.array(sources()),
            device.array(np.array([source.start, source.descriptor], np.uint64)),
            output,
            np.uint32(source.column),
            np.uint32(0),
        ],
    )
    variant = f"tcgen05.cp.{form}"
    return [
        CopyReading(
            variant, source.name, source.description, 0, source.column, output.get(), source
        )
    ]
