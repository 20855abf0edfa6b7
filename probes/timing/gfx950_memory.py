"""gfx950: LDS and global memory, from the issue of a load to the use of what it loaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from lanemap.timing.series import SeriesProbe
from lanemap.timing.waves import TARGET, WaveSeries

_SHORT = (4, 6, 8, 12, 20)
_LDS, _VMEM = "s_waitcnt lgkmcnt(0);", "s_waitcnt vmcnt(0);"
#: Loads and stores of LDS by bytes of a lane.
_READS = {"ds_read_u16": 2, "ds_read_b32": 4, "ds_read_b64": 8, "ds_read_b128": 16}
_TRANSPOSED = ("ds_read_b64_tr_b16", "ds_read_b64_tr_b8", "ds_read_b64_tr_b4")
_WRITES = {"ds_write_b32": 4, "ds_write_b64": 8, "ds_write_b128": 16}
_LOADS = {"global_load_dword": 4, "global_load_dwordx2": 8, "global_load_dwordx4": 16}
#: Lanes of a wave, which are as many slots of LDS.
_SLOTS = 64
#: Lines of a ring in memory, and from one to the next: more than the vector L1, less than L2.
_LINES, _PITCH = 512, 4096 + 128


def _registers(first: int, size: int) -> str:
    count = max(size // 4, 1)
    return f"v{first}" if count == 1 else f"v[{first}:{first + count - 1}]"


def _ring(size: int) -> str:
    """Lane t of a wave, of which v15 has the slot: slot t of LDS holds where slot t + 5 begins."""
    pitch = max(size, 4)
    return f"""v_and_b32_e32 v14, {_SLOTS - 1}, v0; v_mul_u32_u24_e32 v15, {pitch}, v14
    v_add_u32_e32 v16, 5, v14; v_and_b32_e32 v16, {_SLOTS - 1}, v16
    v_mul_u32_u24_e32 v16, {pitch}, v16; v_lshrrev_b32_e32 v17, 6, v0
    v_mul_u32_u24_e32 v17, {_SLOTS * pitch}, v17; v_add_u32_e32 v15, v17, v15
    v_mov_b32_e32 v17, 0; v_mov_b32_e32 v18, 0; v_mov_b32_e32 v19, 0
    {
        "ds_write_b128 v15, v[16:19]"
        if pitch == 16
        else "ds_write_b64 v15, v[16:17]"
        if pitch == 8
        else "ds_write_b32 v15, v16"
    }; {_LDS}
"""


#: Independent loads go to these registers in turn, of which the last is waited for.
_SINKS = (64, 68, 72, 76)


def _apart(name: str, size: int, address: str, behind: str = "") -> str:
    """As many loads as there are sinks, none of which another waits for."""
    return "".join(f"{name} {_registers(each, size)}, {address}{behind};" for each in _SINKS)


def _folded(size: int) -> str:
    return "".join(
        f"v_xor_b32_e32 v4, v4, v{first + each};"
        for first in _SINKS
        for each in range(max(size // 4, 1))
    )


def _rate(
    name: str, link: str, waves: int, setup: str, last: str, domain: str = "SM", **more: Any
) -> WaveSeries:
    """A link has one operation for each sink."""
    return WaveSeries(
        f"{name} rate",
        name,
        (f"issue of {name}", f"issue of the next independent {name} of the wave"),
        "rate",
        link,
        {name: len(_SINKS)},
        {"waves": waves},
        warps=waves,
        per_link=len(_SINKS),
        setup=setup,
        last=last,
        domain=domain,
        lengths=_SHORT,
        **more,
    )


def _lds() -> Iterator[WaveSeries]:
    for name, size in _READS.items():
        yield WaveSeries(
            f"{name} chase",
            name,
            (
                f"issue of {name}",
                f"issue of {name} with the result as its address, after s_waitcnt",
            ),
            "variable latency",
            f"{name} {_registers(10, size)}, v10; {_LDS}",
            {name: 1, "s_waitcnt": 1},
            setup=_ring(size),
            begin="v_mov_b32_e32 v10, v15;",
            last="v_xor_b32_e32 v4, v10, v4;",
            cut=f"{name} {_registers(10, size)}, v15;",
        )
    for name, size in (_READS | dict.fromkeys(_TRANSPOSED, 8)).items():
        for waves in (1, 4, 8):
            yield _rate(name, _apart(name, size, "v15"), waves, _ring(size), _LDS + _folded(size))
    for name, size in _WRITES.items():
        # A wave's stores go to its own slots.
        text = f"{name} v15, {_registers(16, size)}"
        for waves in (1, 4, 8):
            yield _rate(name, f"{text};" * len(_SINKS), waves, _ring(size), _LDS)
        yield WaveSeries(
            f"{name} and wait",
            name,
            (f"issue of {name}", f"issue of the next {name}, after s_waitcnt"),
            "event",
            f"{text}; {_LDS}",
            {name: 1, "s_waitcnt": 1},
            setup=_ring(size),
        )
    yield WaveSeries(
        "ds_bpermute_b32 chase",
        "ds_bpermute_b32",
        ("issue of ds_bpermute_b32", "issue of ds_bpermute_b32 of its result, after s_waitcnt"),
        "variable latency",
        f"ds_bpermute_b32 v10, v11, v10; {_LDS}",
        {"ds_bpermute_b32": 1, "s_waitcnt": 1},
        setup="v_add_u32_e32 v11, 5, v0; v_lshlrev_b32_e32 v11, 2, v11;",
        begin="v_mov_b32_e32 v10, v4;",
        last="v_mov_b32_e32 v4, v10;",
        cut="ds_bpermute_b32 v10, v11, v5;",
    )


def _lines(device: Any) -> Sequence[Any]:
    """A ring of lines: each holds where the next begins."""
    words = np.zeros((_LINES, _PITCH // 4), np.uint32)
    words[:, 0] = (np.arange(_LINES) + 1) % _LINES * _PITCH
    return (device.array(words, name="lines"),)


def _warmed(register: str) -> str:
    """Load every line once: the vector L1 keeps the last, L2 all."""
    return f"""v_mov_b32_e32 {register}, 0
    s_movk_i32 s40, {_LINES}
.Lwarm{{name}}:
    global_load_dword {register}, {register}, s[14:15]; {_VMEM}
    s_sub_u32 s40, s40, 1; s_cmp_lg_u32 s40, 0; s_cbranch_scc1 .Lwarm{{name}}
"""


def _global() -> Iterator[WaveSeries]:
    more: dict[str, Any] = {"pointer": True, "arguments": _lines}
    for residency in ("L1", "L2"):
        # Windows go on around the ring where they must not meet what L1 keeps.
        near = residency == "L1"
        yield WaveSeries(
            "global_load_dword chase",
            "global_load_dword",
            (
                "issue of global_load_dword",
                "issue of global_load_dword with the result as its address, after s_waitcnt",
            ),
            "variable latency",
            f"global_load_dword v10, v10, s[14:15]; {_VMEM}",
            {"global_load_dword": 1, "s_waitcnt": 1},
            {"residency": residency},
            setup=_warmed("v10"),
            begin="v_mov_b32_e32 v10, 0;" * near,
            last="v_xor_b32_e32 v4, v10, v4;",
            domain="SM" if near else "L2",
            cut="global_load_dword v10, v9, s[14:15];",
            **more,
        )
    for name, size in _LOADS.items():
        for waves in (1, 4, 8):
            yield _rate(
                name,
                _apart(name, size, "v14", ", s[14:15]"),
                waves,
                f"v_and_b32_e32 v14, 63, v0; v_mul_u32_u24_e32 v14, {size}, v14",
                _VMEM + _folded(size),
                "SM",
                **more,
            )


gfx950_memory = SeriesProbe("gfx950_memory", (*_lds(), *_global()), (TARGET,))
