"""Arithmetic: how often a scheduler and an SM issue each opcode, by warps."""

from __future__ import annotations

from lanemap.timing.series import Series, SeriesProbe

#: Independent strands of a link; ptxas takes turns with some of them.
_STRANDS = 8
_WARPS = (1, 2, 4, 8, 16)
#: By opcodes, what makes them: PTX on the strand {d}, whose other operands are k0 to k3. `p` is
#: free, and so are the pair {w}, the double {f} and the half {h} of the strand. For several opcodes
#: ptxas takes them in turn, or needs them all.
_OPS = {
    "IADD3": "add.u32 {d}, {d}, k0; add.u32 {d}, {d}, k1;",
    "IMAD": "mad.lo.u32 {d}, {d}, k0, k1;",
    "LOP3.LUT": "lop3.b32 {d}, {d}, k0, k1, 0x6a;",
    "SHF.L.W.U32.HI": "shf.l.wrap.b32 {d}, {d}, k0, k1;",
    "SHF.R.S32.HI": "shr.s32 {d}, {d}, k0;",
    "SHF.L.U32": "shl.b32 {d}, {d}, k0;",
    "PRMT": "prmt.b32 {d}, {d}, k0, k1;",
    "IDP.4A.U8.U8": "dp4a.u32.u32 {d}, {d}, k0, k1;",
    "IDP.2A.LO.U16.U8": "dp2a.lo.u32.u32 {d}, {d}, k0, k1;",
    "BMSK": "bmsk.clamp.b32 {d}, {d}, k0;",
    "SGXT.W.U32": "szext.wrap.u32 {d}, {d}, k0;",
    "VABSDIFF.U32": "sad.u32 {d}, {d}, k0, k1;",
    "VIADDMNMX": "add.s32 {d}, {d}, k0; max.s32 {d}, {d}, k1;",
    "VIMNMX3": "min.s32 {d}, {d}, k0; min.s32 {d}, {d}, k1;",
    "VIADD.16x2": "add.u16x2 {d}, {d}, k0;",
    "ISETP.GE.U32.AND SEL": "setp.lt.u32 p, {d}, k0; selp.b32 {d}, k1, {d}, p;",
    "IMAD.IADD ISETP.GE.U32.AND": "setp.lt.u32 p, {d}, k0; @p add.u32 {d}, {d}, k1;",
    "FADD": "add.rn.f32 {d}, {d}, k0;",
    "FMUL": "mul.rn.f32 {d}, {d}, k0;",
    "FFMA": "fma.rn.f32 {d}, {d}, k0, k1;",
    "FMNMX": "max.f32 {d}, {d}, k0;",
    "FSEL FSETP.GEU.AND": "setp.lt.f32 p, {d}, k0; selp.f32 {d}, k1, {d}, p;",
    "FSET.BF.LT.AND": "set.lt.f32.f32 {d}, {d}, k0;",
    "HFMA2 HFMA2.MMA": "fma.rn.f16x2 {d}, {d}, k0, k1;",
    "HADD2 HFMA2.MMA": "add.rn.f16x2 {d}, {d}, k0;",
    "HFMA2.MMA HMUL2": "mul.rn.f16x2 {d}, {d}, k0;",
    "HFMA2.BF16_V2 HFMA2.MMA.BF16_V2": "fma.rn.bf16x2 {d}, {d}, k0, k1;",
    "F2FP.F16.F32.PACK_AB": "cvt.rn.f16x2.f32 {d}, {d}, k0;",
    "F2FP.BF16.F32.PACK_AB": "cvt.rn.bf16x2.f32 {d}, {d}, k0;",
    "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C PRMT":
        "cvt.rn.satfinite.e4m3x2.f32 {h}, {d}, k0; mov.b32 {d}, {{{h}, {h}}};",
    "I2FP.F32.S32": "cvt.rn.f32.s32 {d}, {d};",
    "F2I.NTZ": "cvt.rni.s32.f32 {d}, {d};",
    "FRND.FLOOR": "cvt.rmi.f32.f32 {d}, {d};",
    "POPC": "popc.b32 {d}, {d};",
    "FLO.U32": "bfind.u32 {d}, {d};",
    "BREV": "brev.b32 {d}, {d};",
    "MUFU.EX2": "ex2.approx.ftz.f32 {d}, {d};",
    "MUFU.LG2": "lg2.approx.ftz.f32 {d}, {d};",
    "MUFU.RSQ": "rsqrt.approx.ftz.f32 {d}, {d};",
    "MUFU.SQRT": "sqrt.approx.ftz.f32 {d}, {d};",
    "MUFU.TANH": "tanh.approx.f32 {d}, {d};",
    "FMUL.RZ MUFU.SIN": "sin.approx.ftz.f32 {d}, {d};",
    "DADD": "add.rn.f64 {f}, {f}, c;",
    "DMUL": "mul.rn.f64 {f}, {f}, c;",
    "DFMA": "fma.rn.f64 {f}, {f}, c, c;",
    "DSETP.GEU.AND FSEL FSEL": "setp.lt.f64 p, {f}, c; selp.f64 {f}, c, {f}, p;",
    "F2F.F32.F64 F2F.F64.F32": "cvt.f64.f32 {f}, {d}; cvt.rn.f32.f64 {d}, {f};",
    "F2I.F64 I2F.F64": "cvt.rn.f64.s32 {f}, {d}; cvt.rni.s32.f64 {d}, {f};",
    "ISETP.GE.U32.AND LOP3.LUT": "setp.lt.u32 p, {d}, k0; @!p xor.b32 {d}, {d}, k1;",
}  # fmt: skip


def _strand(text: str, j: int) -> str:
    return text.format(d=f"s{j}", w=f"w{j}", f=f"f{j}", h=f"e{j}")


def _rate(opcodes: str, text: str, warps: int) -> Series:
    """The rate of one operation by some warps."""
    names = opcodes.split()
    begin, end = "", ""
    for j in range(_STRANDS):
        draw = "lop3.b32 {to}, x, k{a}, k{b}, 0x{lut:x};"
        own = {"a": j % 4, "b": (j // 4 + 1 + j) % 4}
        if "{d}" in text:
            begin += draw.format(to=f"s{j}", lut=0x6A, **own) + "\n"
            end += f"xor.b32 x, x, s{j};\n"
        for wide in ("w", "f"):
            if f"{{{wide}}}" in text and "cvt" not in text:
                begin += draw.format(to="u0", lut=0x6A, **own)
                begin += draw.format(to="u1", lut=0x78, **own) + f"mov.b64 {wide}{j}, {{u0, u1}};\n"
                end += f"mov.b64 {{u0, u1}}, {wide}{j}; lop3.b32 x, x, u0, u1, 0x96;\n"
    # Half of the operations where ptxas gives them to two pipes in turn.
    turns = len(names) > 1 and names[1].startswith(_SECOND_PIPE)
    what = " or ".join(names) if turns else ", ".join(names)
    what += " of one operation" if len(names) > 1 and not turns else ""
    counts = {name: names.count(name) * _STRANDS // (1 + turns) for name in names}
    return Series(
        f"{what} rate", names[0],
        (f"issue of {what}", f"issue of the next independent {what}, by the warp"), "rate",
        link="\n".join(_strand(text, j) for j in range(_STRANDS)),
        period=counts, axes={"warps": warps}, warps=warps, per_link=_STRANDS,
        lengths=(2, 4, 6, 8, 10), trips=32,
        registers=f".reg .b32 s<{_STRANDS}>; .reg .b64 w<{_STRANDS}>, f<{_STRANDS}>, c;"
        f" .reg .b16 e<{_STRANDS}>;",
        setup="mov.b64 c, {k0, k1};",
        first=begin, last=end, exact=False,
    )  # fmt: skip


#: How opcodes begin that take turns with another one.
_SECOND_PIPE = ("HFMA2.MMA", "HMUL2")

alu_rates = SeriesProbe(
    "alu_rates",
    series=tuple(_rate(*each, warps) for each in _OPS.items() for warps in _WARPS),
)
