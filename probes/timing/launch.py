"""Launches: empty grids, tails, CTAs that start and replace others, graphs, dependents."""

from __future__ import annotations

from collections.abc import Iterator

from lanemap.timing.grids import (
    BEGUN_NS,
    ENDED_NS,
    MARKED_NS,
    GridProbe,
    Grids,
    Kernel,
    Order,
)

_EMPTY = Kernel(empty=True)
_STAMPED = Kernel()
#: A grid that waits for the one before it, then allows the next one to begin.
_CHAINED = Kernel(waits=True, releases=True)
#: Shared memory that leaves room for one CTA on an SM.
_ALONE = 120 * 1024
#: Cycles for which CTAs wait: about 10 us, and long enough for all CTAs of a GPU to start.
_WHILE, _LONG = 20_000, 200_000
_WHERE: tuple[tuple[Order, str], ...] = (("stream", "of the stream"), ("graph", "of the graph"))
_ORDERS: dict[Order, str] = {
    "stream": "of a stream", "graph": "of a graph, which depends on it",
    "graphs": "launched as a graph of its own",
}  # fmt: skip


def _empty_grids() -> Iterator[Grids]:
    """Grids that do nothing."""
    for ctas, threads in ((1, 32), (1, 1024), (132, 32), (132, 1024), (1056, 128)):
        yield Grids(
            "empty grids",
            "launch",
            ("start of an empty grid", "start of the next empty grid of the stream"),
            "rate",
            "frame",
            _EMPTY,
            ctas=ctas,
            threads=threads,
            axes={"ctas": ctas, "threads": threads},
        )
    for order, where in list(_ORDERS.items())[1:]:
        for ctas, threads in ((1, 32), (132, 1024)):
            yield Grids(
                f"empty grids, {order}",
                "launch",
                ("start of an empty grid", f"start of the next empty grid {where}"),
                "rate",
                "frame",
                _EMPTY,
                order,
                ctas=ctas,
                threads=threads,
                axes={"ctas": ctas, "threads": threads},
            )


def _empty_clusters() -> Iterator[Grids]:
    """Grids of clusters that do nothing."""
    for cluster in (2, 4, 8, 16):
        yield Grids(
            "empty grids of clusters",
            "launch",
            ("start of an empty grid of clusters", "start of the next such grid of the stream"),
            "rate",
            "frame",
            _EMPTY,
            ctas=128,
            cluster=cluster,
            axes={"ctas": 128, "cluster": cluster},
        )
    for ctas in (2, 128):  # The shapes of a GEMM whose empty twin was published for a GH200.
        yield Grids(
            "empty grids of clusters, graph",
            "launch",
            (
                "start of an empty grid of clusters",
                f"start of the next such grid {_ORDERS['graph']}",
            ),
            "rate",
            "frame",
            _EMPTY,
            "graph",
            ctas=ctas,
            threads=384,
            cluster=2,
            axes={"ctas": ctas, "threads": 384, "cluster": 2},
        )


def _overlapping_grids() -> Iterator[Grids]:
    """Empty grids that may begin before the one before ends."""
    releasing = Kernel(empty=True, releases=True)
    for kernel, words in ((_EMPTY, "exits"), (releasing, "executes PREEXIT")):
        for order, where in _WHERE:
            yield Grids(
                f"empty grids that overlap, {words}, {order}",
                "launch",
                (
                    "start of an empty grid",
                    f"start of the next empty grid {where}, which may "
                    f"begin before the first ends, when that {words}",
                ),
                "rate",
                "frame",
                kernel,
                order,
                overlaps=True,
                axes={"ctas": 1, "threads": 32},
            )


def _tails() -> Iterator[Grids]:
    """From the end of a grid to the next one."""
    for order in _ORDERS:
        for ctas, threads in ((1, 32), (132, 32), (132, 1024), (1056, 128)):
            yield Grids(
                f"tail, {order}",
                "EXIT",
                (
                    "last clock read of a grid, before its stores and EXIT",
                    f"first clock read of the next grid {_ORDERS[order]}",
                ),
                "event",
                "gaps",
                _STAMPED,
                order,
                (ENDED_NS, BEGUN_NS),
                ctas=ctas,
                threads=threads,
                cycles=_WHILE,
                axes={"ctas": ctas, "threads": threads},
            )
    for cluster in (2, 8):
        yield Grids(
            "tail of clusters",
            "EXIT",
            (
                "last clock read of a grid of clusters, before its stores and EXIT",
                "first clock read of the next grid of clusters of the stream",
            ),
            "event",
            "gaps",
            _STAMPED,
            "stream",
            (ENDED_NS, BEGUN_NS),
            ctas=128,
            cluster=cluster,
            cycles=_WHILE,
            axes={"ctas": 128, "cluster": cluster},
        )


def _dependents() -> Iterator[Grids]:
    """Programmatic dependent launch: each grid may begin before the one before it ends."""
    for order, where in _WHERE:
        for ctas in (1, 132):
            own = {"ctas": ctas, "threads": 128}
            yield Grids(
                f"launch_dependents, {order}",
                "PREEXIT",
                (
                    "clock read before PREEXIT of the last CTA of a grid",
                    f"first clock read of the dependent grid {where}",
                ),
                "event",
                "gaps",
                _CHAINED,
                order,
                (MARKED_NS, BEGUN_NS),
                ctas=ctas,
                threads=128,
                overlaps=True,
                cycles=2 * _WHILE,
                axes=own,
            )
            yield Grids(
                f"wait, {order}",
                "EXIT",
                (
                    "last clock read of a grid, before its stores and EXIT",
                    f"clock read after ACQBULK of the dependent grid {where}, which has begun",
                ),
                "event",
                "gaps",
                _CHAINED,
                order,
                (ENDED_NS, MARKED_NS),
                ctas=ctas,
                threads=128,
                overlaps=True,
                cycles=2 * _WHILE,
                axes=own,
            )
            yield Grids(
                f"dependents without PREEXIT, {order}",
                "EXIT",
                (
                    "last clock read of a grid that executes no PREEXIT",
                    f"first clock read of the dependent grid {where}",
                ),
                "event",
                "gaps",
                _STAMPED,
                order,
                (ENDED_NS, BEGUN_NS),
                ctas=ctas,
                threads=128,
                overlaps=True,
                cycles=_WHILE,
                axes=own,
            )


def _ctas() -> Iterator[Grids]:
    """CTAs of one grid."""
    to = "start of the next CTA of the SM, which has room, while all SMs are given CTAs"
    for threads, most in ((32, 32), (64, 32), (128, 16)):
        yield Grids(
            "CTAs of an SM",
            "launch",
            ("start of a CTA", to),
            "rate",
            "starts",
            _STAMPED,
            "one",
            ctas=most,
            per_sm=True,
            threads=threads,
            cycles=_LONG,
            lengths=tuple(range(most // 8, most, most // 6)),
            axes={"threads": threads},
        )
    for cluster in (2, 4, 8):  # Clusters do not fill the SMs of every GPC.
        yield Grids(
            "CTAs of an SM, of clusters",
            "launch",
            ("start of a CTA of a cluster", to),
            "rate",
            "starts",
            _STAMPED,
            "one",
            ctas=8,
            per_sm=True,
            threads=64,
            cluster=cluster,
            cycles=_LONG,
            lengths=(1, 2, 3, 4, 5),
            axes={"threads": 64, "cluster": cluster},
        )
    for cluster in (1, 2, 4, 8):
        for threads in (32, 256, 1024):
            if cluster > 1 and threads != 256:
                continue
            yield Grids(
                "replacement" + " of clusters" * (cluster > 1),
                "EXIT",
                (
                    "last clock read of a CTA, before its stores and EXIT",
                    "first clock read of the CTA that takes its place on the SM"
                    + ", both of clusters" * (cluster > 1),
                ),
                "event",
                "replaced",
                _STAMPED,
                "one",
                ctas=28,
                per_sm=True,
                threads=threads,
                cluster=cluster,
                shared_bytes=_ALONE,
                cycles=_WHILE,
                lengths=(4, 8, 12, 16, 20),
                axes={"threads": threads} | ({"cluster": cluster} if cluster > 1 else {}),
            )


def _host() -> Iterator[Grids]:
    """Times on the host, from Python."""
    for order, name, to in (
        ("stream", "calls", "return of the next such call, while the GPU does other work"),
        ("round trips", "round trips", "return of cudaStreamSynchronize, when the grid has ended"),
    ):
        yield Grids(
            f"host, {name}",
            "launch",
            ("call of cuLaunchKernelEx for an empty grid, from Python through cuda-bindings", to),
            "rate" if order == "stream" else "event",
            "host",
            _EMPTY,
            order,
            axes={"ctas": 1, "threads": 32},
        )


launch = GridProbe(
    "launch",
    (
        *_empty_grids(),
        *_empty_clusters(),
        *_overlapping_grids(),
        *_tails(),
        *_dependents(),
        *_ctas(),
        *_host(),
    ),
)
