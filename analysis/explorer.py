"""The explorer: what can be searched, and examples of its other parts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from .pages import Site

PLACE = "explorer.html"


#: Two maps that share a space.
COMPOSED = (
    ("ldmatrix, then A of mma.sync",
     {"a": "ldmatrix.sync.aligned.m8n8.x4.shared.b16", "b": "mma.sync.m16n8k16.f16:A"}),
    ("tcgen05.ld of an accumulator",
     {"a": "tcgen05.ld.16x256b.x4", "b": "tcgen05.mma.cta_group::1.m128n128.f32:D"}),
    ("TR8's chunks", {"a": "ds_read_b64_tr_b8"}),
)  # fmt: skip
#: Layouts that people paste.
PASTED = (
    ("A of mma.sync in CuTe",
     {"layout": "((4,8),(2,2),2):((2,16),(128,8),1)", "against": "mma.sync.m16n8k16.f16:A"}),
    ("the same with a mistake",
     {"layout": "((4,8),(2,2,2)):((32,1),(16,128,8))", "against": "mma.sync.m16n8k16.f16:A"}),
    ("a swizzled tile",
     {"layout": "Sw<3,4,3> o smem_ptr[16b] o (8,64):(64,1)",
      "against": "shared.k_major.128b.16bit"}),
    ("Triton's blocked layout",
     {"layout": "BlockedLayout(size_per_thread=[1, 4], threads_per_warp=[8, 4], "
      "warps_per_cta=[4, 1], order=[1, 0])"}),
    ("a matrix over F2", {"layout": "110;010;001"}),
)  # fmt: skip


def build(site: Site, plans: Mapping[str, Sequence[str]]) -> None:
    """Add the explorer.

    Args:
        site: The site, with everything that can be searched.
        plans: The planner's answers in lines, by "FROM|TO".
    """
    known = [each for each in site.found if site.has(each.page)]
    names = {
        f"{each.title}:{operand}" if operand else each.title
        for each in known
        for operand in each.operands
    }
    lines = ",\n".join(json.dumps(list(each), ensure_ascii=False) for each in known)
    answers = json.dumps(list(plans.items()), ensure_ascii=False)
    data = f"lanemap.index = [\n{lines}\n];\nlanemap.plans = new Map({answers});\n"
    site.file("js/search_data.js", data)
    site.page(
        PLACE,
        PLACE,
        about="Search instructions, compose two layout maps, and compare your own layout.",
        composed=_examples(COMPOSED, names),
        pasted=_examples(PASTED, names),
    )


def _examples(given: Sequence[tuple[str, dict[str, str]]], names: set[str]) -> list[Any]:
    """The examples whose instructions the site has."""
    return [
        {"title": title, "state": urlencode(state)}
        for title, state in given
        if all(value in names for key, value in state.items() if key != "layout")
    ]
