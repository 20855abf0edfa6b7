"""Shared memory: when a result can be used, when an operand may be overwritten, how often.

Every chase walks rings of pointers in shared memory, one ring for each lane; a matrix of
`ldmatrix` holds the addresses of the rows that are read next. A wait that is taken away leaves a
pointer of an earlier link in the register, so that every address stays valid.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lanemap.timing.series import LENGTHS, Series, SeriesProbe
from lanemap.timing.shared_memory import COLUMNS_OF, ROWS_OF, STORES, rings

_WARPS = (1, 2, 4, 8, 16)
#: Links of a window whose links have many instructions.
_SHORT = (4, 5, 6, 8, 12)
_REGISTERS = """.reg .b32 a, b<4>, ones, start, next, slot, t, t0, v, w<4>; .reg .b64 g, h, h2;
    .reg .f32 f<8>;"""
_FIRST = "and.b32 low, low, zero; xor.b32 a, start, low;"
_LAST = "sub.u32 a, a, {base}; xor.b32 x, x, a;"
#: At the end of a window: the accesses of a warp end in order, so all before it have ended.
_DRAIN = "ld.volatile.shared.b32 v, [shared]; and.b32 v, v, zero; xor.b32 x, x, v;"
#: Puts a fixed instruction between a result and its address.
_THROUGH = "lop3.b32 DST, v, zero, ones, 0x78;"
#: Keeps a result that nothing else reads.
_KEEP = "lop3.b32 x, x, v, k0, 0x6a;"
#: The same without a chain that is slower than the loads; what `last` makes of it.
_GATHER = "lop3.b32 w{i%4}, w{i%4}, v, k0, 0x6a;"
_GATHERED = "".join(f"and.b32 w{i}, w{i}, zero; xor.b32 x, x, w{i};" for i in range(4))
_GATHERING = "".join(f"mov.b32 w{i}, k{i};" for i in range(4))
#: An address that differs from link to link, so that no two loads merge.
_APART = "start+{i*16}"
_ORDINAL = ("first", "second", "third", "fourth")


def _chase(
    name: str,
    instruction: str,
    load: str,
    size: int = 4,
    lane: int | None = None,
    slots: int = 8,
    base: str = "shared",
    what: str = "the result as its address",
    place: str = "setup",
    slot: int = 0,
    **more: Any,
) -> Series:
    """An access whose result is the address of the next; `DST` and `ADR` are its registers."""
    lane = size if lane is None else lane
    slot = slot or 32 * lane
    fixed: dict[str, Any] = {
        "kind": "variable latency",
        "period": {instruction: 1},
        "registers": _REGISTERS,
        place: rings(size, lane, slots, slot, base),
        "first": _FIRST,
        "last": _LAST.format(base=base),
        "shared_bytes": max(4096, slots * slot),
        "cut": load.replace("DST", "v").replace("ADR", "start") + " xor.b32 x, x, v;",
    }
    fixed |= {
        "events": (f"issue of {instruction}", f"issue of {instruction} with {what}"),
        "link": load.replace("DST", "a").replace("ADR", "a"),
    }
    return Series(name, instruction, **(fixed | more))


def _vector(words: int, place: int) -> str:
    """Destinations of which one is `DST`."""
    names = ["DST" if i == place else f"b{i}" for i in range(words)]
    return "{" + ", ".join(names) + "}" if words > 1 else "DST"


def _loads() -> Iterator[Series]:
    load = "ld.volatile.shared"
    for passes in (1, 2, 4, 8, 16, 32):
        yield _chase(
            "ld.shared.b32 chase",
            "LDS",
            f"{load}.b32 DST, [ADR];",
            lane=4 * passes,
            axes={"passes": passes},
        )
    for words in (2, 4):
        for place in range(words):
            for passes in (words, *(p for p in (4, 8, 16, 32) if p > words and place == 0)):
                yield _chase(
                    f"ld.shared.v{words}.b32 chase",
                    f"LDS.{32 * words}",
                    f"{load}.v{words}.b32 {_vector(words, place)}, [ADR];",
                    4 * words,
                    4 * passes,
                    what=f"the {_ORDINAL[place]} word of its result as its address",
                    axes={"passes": passes} | ({"word": place} if place else {}),
                )
    for kind, slots in (("u8", 8), ("s8", 4), ("u16", 8), ("s16", 8)):
        yield _chase(
            f"ld.shared.{kind} chase",
            f"LDS.{kind.upper()}",
            f"{load}.{kind} DST, [ADR+1024];",
            int(kind[1:]) // 8,
            slots=slots,
            base="zero",
        )


def _atomics() -> Iterator[Series]:
    for name, text in (
        ("add", "add.u32 DST, [ADR], zero;"),
        ("and", "and.b32 DST, [ADR], ones;"),
        ("or", "or.b32 DST, [ADR], zero;"),
        ("xor", "xor.b32 DST, [ADR], zero;"),
        ("min", "min.u32 DST, [ADR], ones;"),
        ("max", "max.u32 DST, [ADR], zero;"),
        ("cas", "cas.b32 DST, [ADR], zero, ones;"),
        ("exch", "exch.b32 DST, [ADR], start;"),
    ):
        own = f"ATOMS.{name.upper()}"
        yield _chase(
            f"atom.shared.{name} chase",
            own,
            f"atom.shared.{text}",
            slots=64,
            place="begin",
            axes={"words": 32},
        )
        if name in ("add", "max", "cas"):
            yield _chase(
                f"atom.shared.{name} chase",
                own,
                f"atom.shared.{text}",
                slots=64,
                slot=4,
                lane=0,
                place="begin",
                axes={"words": 1},
            )
    for name in ("inc", "dec"):
        # These leave no valid pointers behind them, so their waits must stay.
        yield _chase(
            f"atom.shared.{name} chase",
            f"ATOMS.{name.upper()}",
            f"atom.shared.{name}.u32 DST, [ADR], ones;",
            slots=64,
            place="begin",
            kind="event",
            axes={"words": 32},
        )
    for name, more in (("cas", "h, h2"), ("exch", "h")):
        own = f"ATOMS.{name.upper()}.64"
        yield _chase(
            f"atom.shared.{name}.b64 chase",
            own,
            f"atom.shared.{name}.b64 g, [ADR], {more}; cvt.u32.u64 v, g; {_THROUGH}",
            8,
            slots=64,
            place="begin",
            kind="event",
            period={own: 1, "LOP3.LUT": 1},
            cut="",
            setup="ld.global.b64 h, [inputs+8]; ld.global.b64 h2, [inputs+16];",
            what="the result, through LOP3.LUT, as its address",
            axes={"words": 32},
        )


def _matrices() -> Iterator[Series]:
    for count in (1, 2, 4):
        for trans in ("", ".trans"):
            own = ("LDSM.16.MT88" if trans else "LDSM.16.M88") + (f".{count}" if count > 1 else "")
            for place in range(count):
                registers = _vector(count, place)
                load = (
                    f"ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 "
                    f"{registers if count > 1 else '{DST}'}, [ADR];"
                )
                yield _chase(
                    f"ldmatrix.x{count}{trans} chase",
                    own,
                    load,
                    what=f"the {_ORDINAL[place]} word of its result as its address"
                    if count > 1
                    else "the result as its address",
                    setup=COLUMNS_OF if trans else ROWS_OF,
                    axes={"passes": count} | ({"word": place} if place else {}),
                    cut=load.replace("DST", "v").replace("ADR", _APART) + _KEEP,
                )


def _generic() -> Iterator[Series]:
    own = "LD.E.64"
    where = f"issue of {own} of shared memory"
    yield Series(
        "ld.b64 of shared memory chase",
        own,
        (where, f"{where} with the result as its address"),
        "variable latency",
        "ld.b64 g, [g];",
        {own: 1},
        cut="ld.b64 h, [base+{i*8}]; mov.b64 {v, w0}, h; lop3.b32 x, x, v, w0, 0x96;",
        registers=_REGISTERS + ".reg .b64 base, origin;",
        shared_bytes=4096,
        setup="""cvt.u64.u32 origin, shared; cvta.shared.u64 origin, origin;
    and.b32 start, thread, 31; mad.wide.u32 base, start, 8, origin;
    mad.lo.u32 t, start, 8, shared;
    mov.u32 slot, 0;
    .pragma "nounroll";
fill:
    add.u32 v, slot, 5; and.b32 v, v, 7;
    mad.wide.u32 h, v, 256, base;
    st.shared.b64 [t], h;
    add.u32 t, t, 256;
    add.u32 slot, slot, 1;
    setp.ne.u32 p, slot, 8;
    @p bra fill;""",
        first="and.b32 low, low, zero; cvt.u64.u32 g, low; add.u64 g, g, base;",
        last="sub.u64 g, g, origin; mov.b64 {v, w0}, g; lop3.b32 x, x, v, w0, 0x96;",
    )


def _transfer(store: str) -> tuple[str, int]:
    """A store of DATA and a load of it into RESULT from [FROM], and how many words they have."""
    if store.startswith("STSM"):
        words = int(store[-1]) if store[-2] == "." else 1
        form = f"matrix.sync.aligned.m8n8.x{words}.shared.b16"
        return f"st{form} [start], {{DATA}}; ld{form} {{RESULT}}, [FROM];", words
    if store.startswith("STS.U"):
        form = f"volatile.shared.{store[4:].lower()}"
        return f"st.{form} [start], DATA; ld.{form} RESULT, [FROM];", 1
    words = int(store[4:] or 32) // 32
    form = "volatile.shared" + (f".v{words}" if words > 1 else "") + ".b32"
    text = f"st.{form} [start], {{DATA}}; ld.{form} {{RESULT}}, [FROM];"
    return text if words > 1 else text.replace("{", "").replace("}", ""), words


def _through_memory() -> Iterator[Series]:
    """A store, a load of the same bytes, and a step that makes every value another."""
    for size in (".U8", ".U16", "", ".64", ".128", "M.16.M88", "M.16.M88.2", "M.16.M88.4"):
        store, load = f"STS{size}", f"LDS{size}"
        text, words = _transfer(store)
        data = ", ".join(["a", "b1", "b2", "b3"][:words])
        result = ", ".join(["v", "w1", "w2", "w3"][:words])
        # Every word goes on through a register of its own: no link moves registers.
        pairs = zip(data.split(", "), result.split(", "), strict=True)
        # IMAD, because two steps of LOP3.LUT may undo each other; ptxas moves pairs that it writes.
        own = ("IMAD", "mad.lo.u32 {}, {}, k0, k1;")
        if words == 2:
            own = ("LOP3.LUT", "lop3.b32 {}, {}, k0, k1, 0x6a;")
        steps = "".join(own[1].format(*pair) for pair in pairs)
        yield Series(
            f"{store} to {load}",
            load,
            (
                f"issue of {load}",
                f"issue of {load} of what {store} wrote of the result, through {own[0]}",
            ),
            "variable latency",
            text.replace("DATA", data).replace("RESULT", result).replace("FROM", "start") + steps,
            {store: 1, load: 1, own[0]: words},
            lengths=_SHORT if words > 2 else LENGTHS,
            cut=text.replace("DATA", data.replace("a", "k0").replace("b", "k"))
            .replace("RESULT", result)
            .replace("FROM", _APART)
            + _KEEP,
            registers=_REGISTERS,
            shared_bytes=4096,
            setup="and.b32 start, thread, 31; mad.lo.u32 start, start, 16, shared;"
            "mov.b32 b1, k1; mov.b32 b2, k2; mov.b32 b3, k3;",
            first="mov.b32 a, x;",
            last="xor.b32 x, x, a;" + "".join(f"xor.b32 x, x, b{i};" for i in range(1, words)),
        )


def _overwritten() -> Iterator[Series]:
    """A store whose vector has one register written anew as soon as the store has read it."""
    for size in (".128", "M.16.M88.4"):
        store = f"STS{size}"
        text = _transfer(store)[0].split(";")[0].replace("DATA", "a, b1, b2, b3")
        link = f"{text}; lop3.b32 a, a, k0, k1, 0x6a;"
        yield Series(
            f"{store} overwritten",
            store,
            (
                f"issue of {store}",
                f"issue of {store} whose data IMAD.MOV.U32 wrote over those of the first",
            ),
            "event",
            link,
            {store: 1, "LOP3.LUT": 1, "IMAD.MOV.U32": 1},
            registers=_REGISTERS,
            shared_bytes=4096,
            setup="and.b32 start, thread, 31; mad.lo.u32 start, start, 16, shared;"
            "mov.b32 b1, k1; mov.b32 b2, k2; mov.b32 b3, k3;",
            first="mov.b32 a, x;" + link,
            last=link + "mov.b32 x, a;" + _DRAIN,
        )


#: By opcode, its text. Loads of one address would merge, and so would those that nothing reads.
_ACCESSES = {
    "LDS.U8": f"ld.volatile.shared.u8 v, [{_APART}];{_GATHER}",
    "LDS.U16": f"ld.volatile.shared.u16 v, [{_APART}];{_GATHER}",
    "LDS": f"ld.volatile.shared.b32 v, [{_APART}];{_GATHER}",
    "LDS.64": f"ld.volatile.shared.v2.b32 {{v, b1}}, [{_APART}];{_KEEP}",
    "LDS.128": f"ld.volatile.shared.v4.b32 {{v, b1, b2, b3}}, [{_APART}];{_KEEP}",
    "STS.U8": "st.volatile.shared.u8 [start], k0;",
    "STS.U16": "st.volatile.shared.u16 [start], k0;",
    "STS": "st.volatile.shared.b32 [start], k0;",
    "STS.64": "st.volatile.shared.v2.b32 [start], {k0, k1};",
    "STS.128": "st.volatile.shared.v4.b32 [start], {k0, k1, k2, k3};",
    "ATOMS.ADD": "red.shared.add.u32 [start], k0;",
    "ATOMS.MAX": "red.shared.max.u32 [start], k0;",
    "ATOMS.POPC.INC.32": "red.shared.add.u32 [start], 1;",
    "ATOMS.EXCH": "atom.shared.exch.b32 v, [start], k0;",
    "ATOMS.CAS": "atom.shared.cas.b32 v, [start], k0, k1;",
}
for _count, _dot, _words in ((1, "", ""), (2, ".2", ", b1"), (4, ".4", ", b1, b2, b3")):
    for _kind, _trans in (("M88", ""), ("MT88", ".trans")):
        _form = f"matrix.sync.aligned.m8n8.x{_count}{_trans}.shared.b16"
        _ACCESSES[f"LDSM.16.{_kind}{_dot}"] = f"ld{_form} {{v{_words}}}, [{_APART}];{_KEEP}"
        _data = f"{{k0{_words.replace('b', 'k')}}}"
        _ACCESSES[f"STSM.16.{_kind}{_dot}"] = f"st{_form} [start], {_data};"


def _rows(instruction: str) -> tuple[int, int]:
    """How many addresses an access has, and the bytes of each."""
    if "M88" in instruction or "MT88" in instruction:
        return 8 * (int(instruction[-1]) if instruction[-2] == "." else 1), 16
    bits = instruction.rpartition(".")[2]
    return 32, int(bits) // 8 if bits in ("64", "128") else 4


def _rate(instruction: str, warps: int, passes: int, one: bool = False) -> Series:
    """How often each of several warps issues an access.

    `passes` is how often one must visit the banks: its addresses lie 128 * passes bytes apart in
    all, evenly. With `one`, every thread's address is the same.
    """
    rows, _ = _rows(instruction)
    lane = 128 * passes // rows
    where = "and.b32 start, thread, zero;" if one else f"mul.lo.u32 start, thread, {lane};"
    text = _ACCESSES[instruction]
    size = 32 * warps * lane + 1024
    # What a load reads must have been written.
    fill = (
        f"mad.lo.u32 start, thread, 4, shared; add.u32 b1, shared, {size};\nfilling:"
        f" st.shared.b32 [start], thread; add.u32 start, start, {128 * warps};"
        " setp.lt.u32 p, start, b1; @p bra filling; bar.sync 0;\n"
    )
    return Series(
        f"{instruction} rate",
        instruction,
        (f"issue of {instruction}", f"issue of the next independent {instruction} of the warp"),
        "rate",
        text,
        {instruction: 1} | ({"LOP3.LUT": 1} if "lop3" in text else {}),
        {"warps": warps, "passes": passes} | ({"words": 1} if one else {}),
        warps,
        # Warps start some cycles apart, which a loop makes less; but it would wait for loads.
        trips=8 if warps > 1 and "lop3" not in text else 1,
        registers=_REGISTERS,
        last=_GATHERED + _DRAIN,
        exact=False,
        setup=(fill if instruction.startswith("LDS") else "")
        + f"{where} add.u32 start, start, shared; mov.b32 b1, k1; mov.b32 b2, k2;"
        "mov.b32 b3, k3;" + _GATHERING,
        shared_bytes=size,
    )


def _rates() -> Iterator[Series]:
    for instruction in _ACCESSES:
        rows, size = _rows(instruction)
        least = rows * size // 128
        for warps in _WARPS:
            yield _rate(instruction, warps, least)
        if not instruction.endswith((".U8", ".U16", "CAS", "MAX", "M88", "M88.2")):
            for passes in (2, 4, 8, 16, 32):
                if least < passes <= rows:
                    yield _rate(instruction, 4, passes)
        if instruction.startswith("ATOMS"):
            for warps in (1, 4):
                yield _rate(instruction, warps, 1, one=True)


def _bursts() -> Iterator[Series]:
    """Loads of which the last one's result is the address of the next burst."""
    for own, form, size in (("LDS", "b32 DST", 4), ("LDS.128", "v4.b32 {DST, b1, b2, b3}", 16)):
        load = f"ld.volatile.shared.{form}, [ADR];"
        for count in (2, 3, 4, 6, 8) if size == 4 else (2, 4, 8):
            before = "".join(
                load.replace("DST", "v").replace("ADR", f"a+{32 * size * (i + 1)}") + _KEEP
                for i in range(count - 1)
            )
            beyond = "".join(
                STORES[size]
                .replace("[t]", f"[start+{32 * size * i}]")
                .replace("v", "zero")
                .replace(".zero", ".v")
                for i in range(8, 16)
            )
            yield _chase(
                f"burst of {own}",
                own,
                load,
                size,
                kind="event",
                lengths=(4, 5, 6, 8, 10),
                link=before + load.replace("DST", "a").replace("ADR", "a"),
                cut="",
                period={own: count, "LOP3.LUT": count - 1},
                axes={"loads": count},
                events=(
                    f"issue of the first {own} of a burst",
                    f"issue of {own} with the result of the burst's last as its address",
                ),
                shared_bytes=16384,
                setup=rings(size, size, 8, 32 * size, "shared") + beyond,
            )


def _overlaps() -> Iterator[Series]:
    """Pairs of instructions issued together, from the first to the first of the next link."""
    ffma = "".join(f"fma.rn.f32 f{i}, f{i}, f6, f7;" for i in range(4))
    for own, count in (("LDS", 4), ("LDS.128", 4)):
        text = _ACCESSES[own]
        for warps in (1, 4, 16):
            yield Series(
                f"{own} and FFMA",
                own,
                (f"issue of {own}", f"issue of the next {own}, after {count} independent FFMA"),
                "rate",
                text + ffma,
                {own: 1, "FFMA": count} | ({"LOP3.LUT": 1} if "lop3" in text else {}),
                {"warps": warps},
                warps,
                lengths=(6, 8, 10, 14, 20),
                registers=_REGISTERS,
                last=_GATHERED
                + _DRAIN
                + "".join(
                    f"mov.b32 v, f{i}; and.b32 v, v, zero; xor.b32 x, x, v;" for i in range(4)
                ),
                setup="mul.lo.u32 start, thread, 16; add.u32 start, start, shared;"
                "mov.b32 b1, k1; mov.b32 b2, k2; mov.b32 b3, k3;"
                "mov.b32 f6, k2; mov.b32 f7, k3;"
                + _GATHERING
                + "".join(f"mov.b32 f{i}, k{i};" for i in range(4)),
                shared_bytes=16 * 32 * warps + 1024,
                exact=False,
            )
    for load, store in (
        ("LDS", "STS"),
        ("LDS.128", "STS.128"),
        ("LDSM.16.M88.4", "STSM.16.M88.4"),
        ("LDS", "ATOMS.ADD"),
    ):
        for warps in (1, 4, 16):
            yield Series(
                f"{load} and {store}",
                load,
                (f"issue of {load}", f"issue of the next {load}, after an independent {store}"),
                "rate",
                _ACCESSES[load] + _ACCESSES[store].replace("[start]", "[t]"),
                {load: 1, store: 1, "LOP3.LUT": 1},
                {"warps": warps},
                warps,
                exact=False,
                lengths=(8, 12, 16, 28, 40),
                registers=_REGISTERS,
                last=_GATHERED + _DRAIN,
                setup="mul.lo.u32 start, thread, 16; add.u32 start, start, shared;"
                f"add.u32 t, start, {16 * 32 * warps + 1024};"
                "mov.b32 b1, k1; mov.b32 b2, k2; mov.b32 b3, k3;" + _GATHERING,
                shared_bytes=2 * (16 * 32 * warps + 1024),
            )


smem = SeriesProbe(
    "smem",
    series=(
        *_loads(),
        *_atomics(),
        *_matrices(),
        *_generic(),
        *_through_memory(),
        *_overwritten(),
        *_rates(),
        *_bursts(),
        *_overlaps(),
    ),
)
