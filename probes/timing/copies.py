"""Asynchronous copies: cp.async, bulk and tensor copies, their reductions, and a peer's memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from lanemap.timing.global_memory import ctas
from lanemap.timing.series import Axis, Series, SeriesProbe

#: Where the shared memory of a CTA that copies use begins, after its barrier.
_DATA = 1024
#: Links of a window that holds several instructions a link.
_SHORT = (4, 6, 8, 10, 12)
#: What a link holds besides its copies: to choose a lane, arm the barrier, and wait for it.
_ROUND = {
    "ELECT": 1,
    "EXIT": 1,
    "IMAD.MOV.U32": 1,
    "LOP3.LUT": 1,
    "SHF.L.U32": 1,
    "SYNCS.ARRIVE.TRANS64": 1,
    "SYNCS.PHASECHK.TRANS64.TRYWAIT": 1,
}
#: The same of a copy from shared memory: to commit a group, and to wait for it in one lane.
_GROUP = {"BRA": 2, "BSSY": 2, "BSYNC": 2, "DEPBAR.LE": 1, "ELECT": 1, "UTMACMDFLUSH": 1}
_FENCED = {"CCTL.IVALL": 1}
_LANE = {"BRA": 1, "BSSY": 1, "BSYNC": 1, "VIADD": 1}
_WAIT = "mbarrier wait true for its bytes"
_NONE: Mapping[str, Axis] = MappingProxyType({})


def _source(bytes_of_cta: int) -> Callable[[Any], Sequence[Any]]:
    """The memory that copies read and write: each word has its number."""

    def make(device: Any) -> Sequence[Any]:
        words = ctas(device) * bytes_of_cta // 4
        return (device.array(np.arange(words, dtype=np.uint32), name="data"),)

    return make


def _copy(
    name: str,
    opcode: str,
    to: str,
    link: str,
    period: Mapping[str, int],
    *,
    size: int,
    kind: Any = "event",
    axes: Mapping[str, Axis] = _NONE,
    setup: str = "",
    registers: str = "",
    instruction: str = "",
    **more: Any,
) -> Series:
    """One lane copies; `size` bytes of global and of shared memory are its CTA's."""
    return Series(
        name,
        instruction or opcode,
        (f"issue of {opcode}", to),
        kind,
        **{
            "link": link,
            "period": {(instruction or opcode): 1} | period,
            "axes": axes,
            "lengths": _SHORT,
            "parameters": ", .param .u64 data_at",
            "registers": ".reg .b64 data, map, e<2>; .reg .b32 bar, dst, phase, v, peer, far;"
            " .reg .pred lead, q; " + registers,
            "setup": f"""
    ld.param.u64 data, [data_at]; mad.wide.u32 data, cta, {size}, data;
    mov.u32 bar, shared; add.u32 dst, shared, {_DATA}; mov.u32 phase, 0;
    elect.sync _|lead, 0xffffffff;
    @lead mbarrier.init.shared::cta.b64 [bar], 1;
    fence.mbarrier_init.release.cluster;
    mad.lo.u32 u0, thread, 4, dst;
"""
            + "".join(
                f"    st.shared.b32 [u0+{at}], thread;\n" for at in range(0, min(size, 4096), 128)
            )
            + "    fence.proxy.async.shared::cta;\n"
            + setup,
            "after": "mad.lo.u32 u0, thread, 4, dst; ld.shared.b32 u0, [u0]; xor.b32 x, x, u0;",
            "arguments": _source(size),
            "shared_bytes": _DATA + max(size, 4096),
            "domain": "L2",
            **more,
        },
    )


_ELECT = "elect.sync _|lead, 0xffffffff;\n"
_ARM = _ELECT + "@lead mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], {bytes};\n"
#: One wait, which hardware lets last for microseconds; if it still fails, the kernel gives up.
_TRY = (
    "mbarrier.try_wait.parity.shared::cta.b64 q, [bar], phase;\n"
    "@!q bra leave; xor.b32 phase, phase, 1;\n"
)
_FROM_GLOBAL = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
_TO_GLOBAL = "cp.async.bulk.global.shared::cta.bulk_group"
_TENSOR = "cp.async.bulk.tensor"
_COMMIT = "@lead cp.async.bulk.commit_group;\n"
_READ, _DONE = "cp.async.bulk.wait_group.read 0;", "cp.async.bulk.wait_group 0;"


def _loaded(
    name: str,
    opcode: str,
    copy: str,
    period: Mapping[str, int],
    size: int,
    flying: int = 1,
    axes: Mapping[str, Axis] = _NONE,
    **more: Any,
) -> Series:
    """Copies to shared memory that complete on one mbarrier; {n} in `copy` is where they write."""
    copies = "".join(f"@lead {copy.replace('{n}', str(size * n))}\n" for n in range(flying))
    return _copy(
        name,
        opcode,
        _WAIT,
        _ARM.replace("{bytes}", str(size * flying)) + copies + _TRY,
        _ROUND | period,
        size=size * flying,
        axes={"bytes": size, "in flight": flying} | axes,
        **more,
    )


def _bulk(size: int, flying: int = 1, offset: int = 0) -> Series:
    """Copies from so many bytes beyond a multiple of 128."""
    copy = f"{_FROM_GLOBAL} [dst+{{n}}], [at+{{n}}], {size}, [bar];"
    moved = flying - 1 + (offset > 0)
    period = {"UBLKCP.S.G": flying, "UIADD3": flying + moved, "UMOV": flying - (flying == 8)}
    period |= {"UIADD3.X": moved} if moved else {}
    return _loaded(
        "cp.async.bulk load",
        "UBLKCP.S.G",
        copy,
        period,
        size,
        flying,
        {"offset": offset},
        registers=".reg .b64 at;",
        setup=f"add.u64 at, data, {offset};",
        arguments=_source(size * flying + 128),
    )


def _stored(
    name: str,
    opcode: str,
    copy: str,
    period: Mapping[str, int],
    size: int,
    read: bool,
    **more: Any,
) -> Series:
    """A copy from shared memory, and the wait until that was read, or until all is written."""
    to = "the wait for its group's reads ends" if read else "the wait for its group ends"
    link = f"{_ELECT}@lead {copy}\n{_COMMIT}@lead {_READ if read else _DONE}\n"
    axes = {"bytes": size, "wait": "read" if read else "written"}
    period = _GROUP | period | ({} if read else _FENCED)
    return _copy(
        name, opcode, to, link, period, size=size, axes=axes | more.pop("axes", {}), **more
    )


def _map(sizes: tuple[int, ...], box: tuple[int, ...], swizzle: str, maps: int = 1) -> Any:
    def make(device: Any) -> Sequence[Any]:
        values = np.arange(np.prod(sizes), dtype=np.uint32).reshape(sizes)
        array = device.array(values, name="data")
        return array, *(device.tensor_map(array, box=box, swizzle=swizzle) for _ in range(maps))

    return make


_MAP = {
    "parameters": ", .param .u64 data_at, .param .align 64 .b8 map_at[128]",
    "setup": "mov.b64 map, map_at; cvta.param.u64 map, map;\n",
}


def _maps(count: int) -> dict[str, str]:
    """Several maps, at as many addresses."""
    return {
        "parameters": ", .param .u64 data_at"
        + "".join(f", .param .align 64 .b8 map{n}_at[128]" for n in range(count)),
        "registers": f".reg .b64 map<{count}>;",
        "setup": "".join(
            f"mov.b64 map{n}, map{n}_at; cvta.param.u64 map{n}, map{n};\n" for n in range(count)
        ),
    }


def _box(dimensions: int, edge: int) -> tuple[tuple[int, ...], tuple[int, ...], str, int]:
    """A tensor of words, its box of `edge` rows of 128 bytes, the coordinates, and the bytes."""
    sizes = (*(2,) * (dimensions - 2), 64, 32)[-dimensions:] if dimensions > 1 else (2048,)
    box = (*(1,) * (dimensions - 2), edge, 32)[-dimensions:] if dimensions > 1 else (32 * edge,)
    return sizes, box, "{" + ", ".join(["0"] * dimensions) + "}", 128 * edge


#: Of how many tensor maps in turn an H200 fetched none again; of twelve it did.
_HELD = 8
#: By copies in flight, how often ptxas moves a coordinate into place.
_MOVES = {2: 5, 5: 14, 6: 17, 8: 20}


def _tensor_load(
    dimensions: int,
    edge: int,
    swizzle: str = "none",
    flying: int = 1,
    pitch: int = 128,
    maps: int = 1,
) -> Series:
    """Boxes of a tensor with so many bytes a row, each link by another one of some maps."""
    sizes, box, at, size = _box(dimensions, edge)
    sizes = sizes if dimensions == 1 else (*sizes[:-1], pitch // 4)
    used = "map" if maps == 1 else f"map{{i%{maps}}}"
    return _loaded(
        "cp.async.bulk.tensor load",
        f"UTMALDG.{dimensions}D",
        f"{_TENSOR}.{dimensions}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
        f" [dst+{{n}}], [{used}, {at}], [bar];",
        {
            f"UTMALDG.{dimensions}D": flying,
            "UIADD3": 2 * flying,
            "UIADD3.X": flying,
            "UMOV": dimensions if flying == 1 else _MOVES[flying],
        },
        size,
        flying,
        axes={
            "dimensions": dimensions,
            "swizzle": swizzle,
            "pitch": pitch,
            "maps": maps,
            "SMs": "one" if flying > 1 else "all",
        },
        arguments=_map(sizes, box, swizzle, maps),
        # All SMs would read the same few lines.
        alone=flying > 1,
        # More maps than are held, all of them in every round.
        lengths=_SHORT if maps <= _HELD else (16, 19, 22, 25, 28),
        **(_MAP if maps == 1 else _maps(maps)),
    )


def _tensor_store(dimensions: int, edge: int, read: bool, add: bool = False) -> Series:
    sizes, box, at, size = _box(dimensions, edge)
    verb = "cp.reduce.async.bulk.tensor" if add else _TENSOR
    operation = ".add" if add else ""
    return _stored(
        f"{verb} store",
        f"UTMAREDG.{dimensions}D.ADD" if add else f"UTMASTG.{dimensions}D",
        f"{verb}.{dimensions}d.global.shared::cta{operation}.tile.bulk_group [map, {at}], [dst];",
        {"UIADD3": 2, "UIADD3.X": 1, "UMOV": dimensions},
        size,
        read,
        axes={"dimensions": dimensions, "SMs": "one"},
        arguments=_map(sizes, box, "none"),
        # All SMs would write the same place of the tensor.
        alone=True,
        exact=False,
        **_MAP,
    )


def _async(width: int, cache: str, wait: bool) -> Series:
    """cp.async by every lane of a warp."""
    copy = f"cp.async.{cache}.shared.global [dst], [data], {width};"
    bypass = ".BYPASS" if cache == "cg" else ""
    opcode = "LDGSTS.E" + bypass + {4: "", 8: ".64", 16: ".128"}[width]
    return _copy(
        f"cp.async.{cache}{' and wait' * wait}",
        opcode,
        "the wait for its group ends" if wait else f"issue of the next {opcode}",
        f"{copy} cp.async.commit_group; cp.async.wait_group 0;"
        if wait
        else copy.replace("[dst]", "[dst+{i*512+512}]"),
        {"LDGDEPBAR": 1, "DEPBAR.LE": 1} if wait else {},
        size=8192,
        kind="event" if wait else "rate",
        lengths=_SHORT if wait else (6, 8, 10, 12, 14),
        axes={"bytes": width},
        setup=f"mad.lo.u32 dst, thread, {width}, dst; cvt.u64.u32 d0, thread;"
        f" mad.lo.u64 data, d0, {width}, data;",
        after="cp.async.wait_all; ld.shared.b32 u0, [dst]; xor.b32 x, x, u0;",
    )


_PREFETCH = _copy(
    "cp.async.bulk.prefetch",
    "UBLKPF.L2",
    "issue of the next UBLKPF.L2",
    f"{_ELECT}@lead cp.async.bulk.prefetch.L2.global [data], 1024;",
    {},
    size=1024,
    kind="rate",
)

_PEER = """
    mov.u32 u0, %cluster_ctarank; xor.b32 u0, u0, {other};
    mapa.shared::cluster.u32 peer, dst, u0; mapa.shared::cluster.u32 far, bar, u0;
"""
_PAIR = _PEER.format(other=1)
_MEET = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
_OWN_WAIT = "mbarrier wait true in the peer, which sends at the same time"


def _sent(
    name: str, opcode: str, send: str, period: Mapping[str, int], size: int, **more: Any
) -> Series:
    """Both CTAs of a cluster send, and wait for what the other one sent."""
    return _copy(
        name,
        opcode,
        _OWN_WAIT,
        _ARM.replace("{bytes}", str(size)) + f"@lead {send}\n" + _TRY,
        _ROUND | period,
        size=max(size, 128) * (_SHORT[-1] + 1),
        axes={"bytes": size},
        cluster=2,
        ptx="8.6",
        setup=_PAIR + _MEET,
        after=_MEET,
        domain="SM-to-SM network",
        **more,
    )


_PEERS = (
    *(
        _sent(
            "cp.async.bulk to a peer",
            "UBLKCP.S.S",
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
            f" [peer+{{i*{size}+{size}}}], [dst], {size}, [far];",
            {"UIADD3": 2, "UMOV": 1},
            size,
        )
        for size in (128, 1024, 8192)
    ),
    _sent(
        "st.async.b32",
        "STAS",
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [peer+{i*8+8}], k0, [far];",
        _LANE,
        4,
        exact=False,
    ),
    _sent(
        "st.async.b64",
        "STAS.64",
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64"
        " [peer+{i*8+8}], data, [far];",
        _LANE,
        8,
        exact=False,
    ),
    _sent(
        "red.async.add.u32",
        "REDAS.ADD",
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32"
        " [peer+{i*8+8}], k0, [far];",
        _LANE,
        4,
        exact=False,
    ),
)


def _remote(ctas: int, other: int) -> tuple[Series, Series]:
    """A chase in a peer's memory and stores there; the peer's rank is one's own, XOR `other`."""
    axes: Mapping[str, Axis] = {"CTAs": ctas, "peer's rank XOR": other}
    pair = _PEER.format(other=other)
    chase = _copy(
        "ld.shared::cluster chase",
        "LD.E",
        "issue of LD.E with the result as its address, by MOV",
        "ld.shared::cluster.b32 u1, [u1];",
        {"MOV": 2},
        axes=axes,
        size=4096,
        cluster=ctas,
        setup=pair
        + """
    mov.u32 v, %cluster_ctarank; mapa.shared::cluster.u32 v, dst, v;
    and.b32 u0, thread, 31; mad.lo.u32 u1, u0, 4, dst;
    add.u32 u0, u0, 5; and.b32 u0, u0, 31; mad.lo.u32 v, u0, 4, v; st.shared.b32 [u1], v;
"""
        + _MEET,
        after=_MEET,
        domain="SM-to-SM network",
        first="and.b32 low, low, zero; add.u32 u1, peer, low;",
        last="sub.u32 u1, u1, peer; xor.b32 x, x, u1;",
    )
    stores = _copy(
        "st.shared::cluster",
        "ST.E",
        "issue of the next ST.E of the warp",
        "st.shared::cluster.b32 [peer+{i*4}], k0;",
        {},
        axes=axes,
        kind="rate",
        size=4096,
        cluster=ctas,
        setup=pair + _MEET,
        after=_MEET,
        exact=False,
        domain="SM-to-SM network",
    )
    return chase, stores


def _multicast(ctas: int, size: int) -> Series:
    """Each CTA of a cluster copies a part to all, and waits for every part."""
    part = size // ctas
    return _copy(
        "cp.async.bulk multicast",
        "UBLKCP.S.G.MULTICAST",
        "mbarrier wait true for the bytes of all CTAs",
        _ARM.replace("{bytes}", str(size)) + f"@lead {_FROM_GLOBAL}.multicast::cluster"
        f" [far+{{i*{size}+{size}}}], [data], {part}, [bar], mask;\n" + _TRY,
        _ROUND | {"UIADD3": 1, "UMOV": 1},
        size=size * (_SHORT[-1] + 1),
        axes={"bytes": size, "CTAs": ctas},
        cluster=ctas,
        registers=".reg .b16 mask;",
        exact=False,
        setup=f"mov.u32 u0, %cluster_ctarank; mad.lo.u32 far, u0, {part}, dst;"
        f" mov.u16 mask, {(1 << ctas) - 1};\n" + _MEET,
        after=_MEET,
    )


#: CTAs of a cluster, and which of them a CTA reads and writes.
_PAIRS = ((2, 1), (4, 2), (8, 1), (8, 2), (8, 4), (8, 7))
copies = SeriesProbe(
    "copies",
    series=(
        *(
            _async(*each, wait)
            for each in ((4, "ca"), (8, "ca"), (16, "ca"), (16, "cg"))
            for wait in (True, False)
        ),
        *(_bulk(size) for size in (16, 128, 1024, 4096, 16384)),
        *(_bulk(2048, flying) for flying in (1, 3, 4, 6, 8)),
        *(_bulk(1024, 1, offset) for offset in (16, 32, 64)),
        *(
            _stored(
                "cp.async.bulk store",
                "UBLKCP.G.S",
                f"{_TO_GLOBAL} [data], [dst], {size};",
                {"UIADD3": 1, "UMOV": 1},
                size,
                read,
            )
            for read in (True, False)
            for size in (128, 1024, 8192)
        ),
        *(
            _stored(
                f"cp.reduce.async.bulk.{operation}",
                f"UBLKRED.G.S.{sass}",
                f"cp.reduce.async.bulk.global.shared::cta.bulk_group.{operation} [data], [dst],"
                " 1024;",
                {"UIADD3": 1, "UMOV": 1},
                1024,
                read,
                exact=False,
            )
            for read in (True, False)
            for operation, sass in (("add.u32", "ADD"), ("min.u32", "MIN"))
        ),
        *(_tensor_load(dimensions, 8) for dimensions in (1, 2, 3, 4, 5)),
        *(_tensor_load(2, edge) for edge in (1, 32, 64)),
        _tensor_load(2, 8, "128b"),
        *(_tensor_load(2, 8, "none", flying) for flying in _MOVES),
        *(_tensor_load(2, 32, "none", 1, pitch) for pitch in (144, 160, 192, 256, 2048)),
        *(_tensor_load(2, 8, "none", 1, 128, maps) for maps in (2, 4, _HELD, 28)),
        *(_tensor_store(dimensions, 8, read) for read in (True, False) for dimensions in (2, 3)),
        *(_tensor_store(2, 8, read, True) for read in (True, False)),
        _PREFETCH,
        *_PEERS,
        *(each for pair in _PAIRS for each in _remote(*pair)),
        *(_multicast(ctas, 4096) for ctas in (2, 4, 8)),
    ),
)
