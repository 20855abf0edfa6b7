"""The first page: the questions that people come with, and the pages that answer them."""

from __future__ import annotations

from typing import Any

from . import instruction_pages
from .pages import Site

#: Questions, what answers them, and pages that are often looked for; those that a site lacks are
#: left out.
QUESTIONS: tuple[dict[str, Any], ...] = (
    {
        "title": "Which lane and register holds it?",
        "page": "v/index.html",
        "words": "A, B, D of matrix instructions, loads and stores of tensor memory, tiles in "
        "shared memory: point at a cell and its other side lights up.",
        "links": [
            {"title": name, "page": instruction_pages.place(name), "code": True, "words": words}
            for name, words in (
                ("mma.sync.m16n8k16.f16", "fragments of Ampere and later"),
                ("ldmatrix.sync.aligned.m8n8.x4.shared.b16", ""),
                ("wgmma.m64n128.f32", "the accumulator of a warpgroup"),
                ("tcgen05.mma.cta_group::1.m128n128.f32", "the accumulator in tensor memory"),
                ("tcgen05.ld.32x32b.x32", "a column a register"),
                ("tcgen05.ld.16x256b.x4", "as mma.sync's accumulator"),
                ("shared.k_major.128b.16bit", "a tile with the 128-byte swizzle"),
                ("ds_read_b64_tr_b8", "the transposing read of gfx950"),
                ("v_mfma_f32_32x32x16_bf16", ""),
                ("v_mfma_f32_16x16x32_bf16", ""),
            )
        ],
    },
    {
        "title": "Is my layout the instruction's?",
        "page": "explorer.html",
        "words": "Paste CuTe, Triton, Gluon or a matrix over F2 into the explorer, see it drawn, "
        "and where it first differs. Two maps can be composed there too.",
    },
    {
        "title": "What is wrong in my kernel?",
        "page": "hazard/index.html",
        "words": "Every kind of hazard that the emulator reports: what it means, a faulty kernel "
        "and the same mended.",
    },
    {
        "title": "Who met this fault before?",
        "page": "museum/index.html",
        "words": "Faults from public issues, rebuilt small, with what a GPU and other tools said.",
    },
    {
        "title": "How is a whole kernel built on these maps?",
        "page": "kernel/index.html",
        "words": "Kernels whose index arithmetic was taken from observed maps.",
    },
    {
        "title": "Who checked it?",
        "page": "evidence.html",
        "words": "Every stored row, with its device, its evidence and what its probe cannot tell "
        "apart. Only silicon verifies.",
    },
    {
        "title": "How many cycles does it take?",
        "page": "cycles.html",
        "words": "Cycles between two named events, measured on a GPU, with the certificates that "
        "say why they are that.",
    },
    {
        "title": "Which instructions does the emulator execute?",
        "page": "coverage.html",
        "words": "By family of PTX, held against what ptxas accepts.",
    },
)


#: The instruction whose picture stands on the first page.
PICTURED = "mma.sync.m16n8k16.f16"


def shown(site: Site) -> dict[str, Any]:
    """What the first page shows."""
    page = instruction_pages.place(PICTURED)
    return {
        "answers": answers(site),
        "preview": page.replace(".html", ".png") if site.has(page) else "",
        "picture_of": PICTURED,
        "picture_page": page,
    }


def answers(site: Site) -> list[dict[str, Any]]:
    """The questions whose page the site has, each with the links that lead somewhere."""
    return [
        {**each, "links": [link for link in each.get("links", ()) if site.has(link["page"])]}
        for each in QUESTIONS
        if site.has(each["page"])
    ]
