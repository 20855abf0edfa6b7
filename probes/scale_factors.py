"""tcgen05.mma with block scales: which byte of tensor memory scales which rows and block of k."""

from __future__ import annotations

from lanemap.probing.probe import State, axis, probe
from lanemap.probing.tensor_core.kernel import Form, Shape, source
from lanemap.probing.tensor_core.scales import Asked, ScaleReading, Scales, read

#: Kind and type of A and B by scale_vec, and the scale factor IDs that it has.
VECTORS = {
    1: ("mxf8f6f4", "e4m3", (0, 1, 2, 3)),
    2: ("mxf4", "e2m1", (0, 2)),
    4: ("mxf4nvf4", "e2m1", (0,)),
}


def variants() -> dict[str, Asked]:
    """The scales that are asked of: of A, and of B for several N, by one CTA and by a pair.

    With M = 256 each CTA of a pair has scales of its own, which may differ from its peer's.
    """
    found = {}
    for vector, (kind, element, ids) in VECTORS.items():
        one, two = Form(kind, vector=vector), Form(kind, 2, vector=vector)
        for byte in ids:
            end = f"scale_vec::{vector}X.id{byte}"
            shape = Shape(one, 128, 64, element, element, sfa_id=byte)
            found[f"tcgen05.mma.cta_group::1.m128.{end}:SFA"] = Asked(shape, False)
            for n in (64, 128, 256):
                shape = Shape(one, 128, n, element, element, sfb_id=byte)
                found[f"tcgen05.mma.cta_group::1.n{n}.{end}:SFB"] = Asked(shape, True)
            shape = Shape(two, 128, 256, element, element, sfb_id=byte)
            found[f"tcgen05.mma.cta_group::2.m128.n256.{end}:SFB"] = Asked(shape, True, True)
            shape = Shape(two, 256, 128, element, element, sfa_id=byte)
            found[f"tcgen05.mma.cta_group::2.m256.{end}:SFA"] = Asked(shape, False, apart=True)
            for n in (128, 256):
                shape = Shape(two, 256, n, element, element, sfb_id=byte)
                name = f"tcgen05.mma.cta_group::2.m256.n{n}.{end}:SFB"
                found[name] = Asked(shape, True, apart=True)
    return found


VARIANTS = variants()


@axis("scales", tuple(VARIANTS))
@probe(
    "tcgen05.mma",
    target="sm_100a",
    source=source(each.shape.form for each in VARIANTS.values()),
    analysis=Scales(VARIANTS),
    hazards="report",
)
def scale_factors(state: State) -> list[ScaleReading]:
    """Which scale factor is each byte of tensor memory, and what is each of its copies for?"""
    name = str(state["scales"])
    return [read(state, name, state.choose("scales", VARIANTS))]
