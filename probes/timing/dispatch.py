"""Grids of more CTAs than fit at once, which do nothing: how fast SMs are given CTAs."""

from __future__ import annotations

from lanemap.timing.grids import GridProbe, Grids, Kernel

#: Launches of a grid that takes tens of microseconds.
_LAUNCHES = (4, 6, 8, 10, 12)


def _grids(ctas: int, threads: int, cluster: int) -> Grids:
    own = {"ctas": ctas, "threads": threads} | ({"cluster": cluster} if cluster > 1 else {})
    return Grids(
        "empty grids" + " of clusters" * (cluster > 1),
        "launch",
        ("start of an empty grid", "start of the next empty grid of the stream"),
        "rate",
        "frame",
        Kernel(empty=True),
        ctas=ctas,
        threads=threads,
        cluster=cluster,
        lengths=_LAUNCHES,
        axes=own,
    )


dispatch = GridProbe(
    "dispatch",
    tuple(
        _grids(ctas, threads, cluster)
        for threads, cluster in (
            (32, 1), (64, 1), (128, 1), (256, 1), (512, 1), (1024, 1), (128, 2), (128, 4),
        )
        for ctas in (8448, 33792)
    ),
    targets=("sm_90a",),
)  # fmt: skip
