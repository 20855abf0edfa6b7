"""The access kinds of gfx950: how each is written, and what it touches.

Before an access v3 is its lane's offset in the memory, v[4:5] the same as a flat address, s30 that
of lane 0 as a scalar; the memory's base is in s[4:5] where it is global, and s[24:27] describes it
as a buffer. Operands are in v[10:13], all filled with the byte 0x5a; v[14:15] are zeros; v[16:17]
is what a comparison with zero stores, and the zero. Results go to v[20:23] or s[20:23], and what is
loaded into LDS lies behind DMA there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

LDS, GLOBAL, SCRATCH = "lds", "global", "scratch"
#: Where loads into LDS go whose source is tested.
DMA = 1216


@dataclass(frozen=True)
class Kind:
    """One access kind.

    Attributes:
        text: the instruction, and what must stand before it, line by line.
        size: bytes that a lane touches.
        memory: LDS, GLOBAL or SCRATCH: what it touches.
        result: how many registers it loads.
        writes: whether it stores.
        align: bytes that an address must be a multiple of; 1 where any is legal.
        stride: bytes from lane to lane where all lanes must execute it together.
        atomic: whether it is a read-modify-write.
        flat: whether its address is a flat one.
        scalar: whether one address serves the wave.
        dma: "source" or "destination" of a load into LDS.
    """

    text: str
    size: int
    memory: str
    result: int = 0
    writes: bool = False
    align: int = 1
    stride: int = 0
    atomic: bool = False
    flat: bool = False
    scalar: bool = False
    dma: str = ""

    @property
    def reads(self) -> bool:
        """Whether what it loads can decide something."""
        return bool(self.result) or self.dma == "source"

    @property
    def alone(self) -> bool:
        """Whether one lane executes it: the others' places follow from that one's."""
        return bool(self.dma)


def _span(first: int, count: int, file: str = "v") -> str:
    return f"{file}{first}" if count == 1 else f"{file}[{first}:{first + count - 1}]"


def _lds_kinds() -> dict[str, Kind]:
    kinds: dict[str, Kind] = {}
    for name, size in (("u8", 1), ("u16", 2), ("b32", 4), ("b64", 8), ("b96", 12), ("b128", 16)):
        count = -(-size // 4)
        kinds[f"ds_read_{name}"] = Kind(f"ds_read_{name} {_span(20, count)}, v3", size, LDS, count)
        stored = name.replace("u", "b")
        kinds[f"ds_write_{stored}"] = Kind(
            f"ds_write_{stored} v3, {_span(10, count)}", size, LDS, writes=True
        )
    kinds["ds_read2_b32"] = Kind("ds_read2_b32 v[20:21], v3 offset1:1", 8, LDS, 2)
    kinds["ds_write2_b32"] = Kind("ds_write2_b32 v3, v10, v11 offset1:1", 8, LDS, writes=True)
    for bits in (16, 8, 4):
        kinds[f"ds_read_b64_tr_b{bits}"] = Kind(
            f"ds_read_b64_tr_b{bits} v[20:21], v3", 8, LDS, 2, align=8, stride=8
        )
    kinds["ds_read_b96_tr_b6"] = Kind(
        "ds_read_b96_tr_b6 v[20:22], v3", 12, LDS, 3, align=16, stride=16
    )
    for name, size in (("add_u32", 4), ("add_f32", 4), ("pk_add_f16", 4), ("add_u64", 8)):
        data = _span(10, size // 4)
        stem, _, kind = name.rpartition("_")
        kinds[f"ds_{name}"] = Kind(f"ds_{name} v3, {data}", size, LDS, 0, True, size, atomic=True)
        kinds[f"ds_{stem}_rtn_{kind}"] = Kind(
            f"ds_{stem}_rtn_{kind} {_span(20, size // 4)}, v3, {data}",
            size,
            LDS,
            size // 4,
            True,
            size,
            atomic=True,
        )
    kinds["ds_cmpst_rtn_b32"] = Kind(
        "ds_cmpst_rtn_b32 v20, v3, v14, v10", 4, LDS, 1, True, 4, atomic=True
    )
    return kinds


_WIDTHS = {"ubyte": 1, "ushort": 2, "dword": 4, "dwordx2": 8, "dwordx3": 12, "dwordx4": 16}
#: Family: how the address of a load, and of a store or atomic, is written around the data.
_FAMILIES = {
    "global": ("{} {}, v3, s[4:5]", "{} v3, {}, s[4:5]", GLOBAL),
    "buffer": ("{} {}, v3, s[24:27], 0 offen", "{} {}, v3, s[24:27], 0 offen", GLOBAL),
    "scratch": ("{} {}, v3, off", "{} v3, {}, off", SCRATCH),
    "flat": ("{} {}, v[4:5]", "{} v[4:5], {}", GLOBAL),
}


def _vector_kinds(family: str) -> dict[str, Kind]:
    load, store, memory = _FAMILIES[family]
    kinds: dict[str, Kind] = {}
    for width, size in _WIDTHS.items():
        count = -(-size // 4)
        name = f"{family}_load_{width}"
        kinds[name] = Kind(
            load.format(name, _span(20, count)), size, memory, count, flat=family == "flat"
        )
        name = f"{family}_store_{width.removeprefix('u')}"
        kinds[name] = Kind(
            store.format(name, _span(10, count)), size, memory, writes=True, flat=family == "flat"
        )
    return kinds


def _atomic_kinds(family: str) -> dict[str, Kind]:
    _, place, memory = _FAMILIES[family]
    kinds: dict[str, Kind] = {}
    for stem, size, data in (
        ("add", 4, 1),
        ("add_f32", 4, 1),
        ("pk_add_bf16", 4, 1),
        ("add_x2", 8, 2),
        ("cmpswap", 4, 2),
    ):
        name = f"{family}_atomic_{stem}"
        first = 10 if stem != "cmpswap" else 16
        text = place.format(name, _span(first, data))
        base = Kind(text, size, memory, 0, True, size, atomic=True, flat=family == "flat")
        kinds[name] = base
        returned = _span(20, size // 4)
        if family == "buffer":
            moves = "".join(f"v_mov_b32 v{20 + i}, v{first + i}\n" for i in range(data))
            text = moves + place.format(name, _span(20, data))
        else:
            text = place.format(f"{name} {returned},", _span(first, data))
        kinds[f"{name} sc0"] = replace(base, text=f"{text} sc0", result=size // 4)
    return kinds


def _lds_load_kinds() -> dict[str, Kind]:
    kinds: dict[str, Kind] = {}
    for suffix, size in (("ubyte", 1), ("dword", 4), ("dwordx4", 16)):
        for family, place in (("global", "v{}, s[4:5]"), ("buffer", "v{}, s[24:27], 0 offen")):
            name = f"{family}_load_lds_{suffix}"
            text = (
                f"{name} {place}" if family == "global" else (f"buffer_load_{suffix} {place} lds")
            )
            room = max(size, 4)
            move = f"v_mul_u32_u24 v33, {room}, v1\n"
            source = f"{move}v_sub_u32 v33, {DMA}, v33\nv_readfirstlane_b32 s30, v33\n"
            target = f"{move}v_sub_u32 v33, v3, v33\nv_readfirstlane_b32 s30, v33\n"
            to = "s_nop 4\ns_mov_b32 m0, s30\ns_nop 4\n"
            kinds[f"{name} source"] = Kind(source + to + text.format(3), size, GLOBAL, dma="source")
            kinds[f"{name} destination"] = Kind(
                target + to + text.format(14), room, LDS, writes=True, dma="destination"
            )
    return kinds


def _scalar_kinds() -> dict[str, Kind]:
    kinds: dict[str, Kind] = {}
    for count in (1, 2, 4):
        suffix = "dword" if count == 1 else f"dwordx{count}"
        for name, base in ((f"s_load_{suffix}", "s[4:5]"), (f"s_buffer_load_{suffix}", "s[24:27]")):
            text = f"{name} {_span(20, count, 's')}, {base}, s30"
            kinds[name] = Kind(text, 4 * count, GLOBAL, count, align=4, scalar=True)
    first = kinds["s_load_dword"]
    kinds["s_load_dword glc"] = replace(first, text=f"{first.text} glc")
    text = f"{_scalars(2)}s_store_dwordx2 s[20:21], s[4:5], s30"
    kinds["s_store_dwordx2"] = Kind(text, 8, GLOBAL, writes=True, align=4, scalar=True)
    text = f"{_scalars(2)}s_atomic_add_x2 s[20:21], s[4:5], s30 glc"
    kinds["s_atomic_add_x2 glc"] = Kind(text, 8, GLOBAL, 2, True, 4, atomic=True, scalar=True)
    text = f"{_scalars(1)}s_mov_b32 s21, 0\ns_buffer_atomic_cmpswap s[20:21], s[24:27], s30"
    kinds["s_buffer_atomic_cmpswap"] = Kind(text, 4, GLOBAL, 0, True, 4, atomic=True, scalar=True)
    return kinds


def _scalars(count: int) -> str:
    """Lane 5's data in s[20:23]."""
    return "".join(f"v_readlane_b32 s{20 + i}, v{10 + i}, 5\n" for i in range(count))


def _typed_kinds() -> dict[str, Kind]:
    place = "{}, v3, s[24:27], 0 format:[BUF_DATA_FORMAT_{},BUF_NUM_FORMAT_UINT] offen"
    load = f"tbuffer_load_format_xy {place.format('v[20:21]', '32_32')}"
    store = f"tbuffer_store_format_d16_xy {place.format('v10', '16_16')}"
    return {
        "tbuffer_load_format_xy": Kind(load, 8, GLOBAL, 2, align=4),
        "tbuffer_store_format_d16_xy": Kind(store, 4, GLOBAL, writes=True, align=2),
    }


KINDS: dict[str, Kind] = _lds_kinds() | _lds_load_kinds() | _scalar_kinds() | _typed_kinds()
for _family in _FAMILIES:
    KINDS |= _vector_kinds(_family)
for _family in ("global", "buffer", "flat"):
    KINDS |= _atomic_kinds(_family)
KINDS |= {
    f"{name} of LDS": replace(KINDS[name], memory=LDS)
    for name in (
        "flat_load_ubyte",
        "flat_load_dword",
        "flat_load_dwordx4",
        "flat_store_byte",
        "flat_store_dword",
        "flat_store_dwordx4",
        "flat_atomic_add",
        "flat_atomic_add sc0",
    )
}
ROWS = [(name, kind.memory) for name, kind in KINDS.items()]


def row_id(name: str, memory: str) -> str:
    """`ds_read_u8-lds`."""
    return f"{name}-{memory}"
