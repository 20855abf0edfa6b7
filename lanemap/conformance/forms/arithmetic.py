"""Syntax tables of the PTX ISA: integer, float, comparison, logic, conversion, video instructions.

NVIDIA PTX ISA 9.0, Instructions: Integer Arithmetic; Extended-Precision Integer Arithmetic;
Floating-Point; Half Precision Floating-Point; Mixed Precision; Comparison and Selection; Logic and
Shift; Data Movement and Conversion (prmt, cvt); Video.
"""

from __future__ import annotations

from lanemap.conformance.forms.rows import Row, Sets

INTEGERS = "u16 u32 u64 s16 s32 s64"
_INT: Sets = {"type": INTEGERS}
_RND: Sets = {"rnd": "rn rz rm rp"}
_RN: Sets = {"rnd": "rn"}

INTEGER_ROWS = [
    *[Row(f"{op}.type", "type type type", {"type": INTEGERS + " u16x2 s16x2"})
      for op in ("add", "sub")],
    *[Row(f"{op}.sat.s32", "s32 s32 s32", {}) for op in ("add", "sub")],
    Row("mul.mode.type", "type type type", {**_INT, "mode": "hi lo"}),
    Row("mul.wide.type", "wide(type) type type", {"type": "u16 u32 s16 s32"}),
    Row("mad.mode.type", "type type type type", {**_INT, "mode": "hi lo"}),
    Row("mad.wide.type", "wide(type) type type wide(type)", {"type": "u16 u32 s16 s32"}),
    Row("mad.hi.sat.s32", "s32 s32 s32 s32", {}),
    Row("mul24.mode.type", "type type type", {"mode": "hi lo", "type": "u32 s32"}),
    Row("mad24.mode.type", "type type type type", {"mode": "hi lo", "type": "u32 s32"}),
    Row("mad24.hi.sat.s32", "s32 s32 s32 s32", {}),
    Row("sad.type", "type type type type", _INT),
    *[Row(f"{op}.type", "type type type", _INT) for op in ("div", "rem")],
    *[Row(f"{op}.type", "type type", {"type": "s16 s32 s64"}) for op in ("abs", "neg")],
    *[Row(f"{op}.type", "type type type", {"type": "u16 u32 u64 u16x2 s16 s64"})
      for op in ("min", "max")],
    *[Row(f"{op}{{.relu}}.type", "type type type", {"type": "s16x2 s32"}) for op in ("min", "max")],
    *[Row(f"{op}.type", "b32 type", {"type": "b32 b64"}) for op in ("popc", "clz")],
    Row("bfind{.shiftamt}.type", "u32 type", {"type": "u32 u64 s32 s64"}),
    Row("fns.b32", "b32 b32 b32 s32", {}),
    Row("brev.type", "type type", {"type": "b32 b64"}),
    Row("bfe.type", "type type u32 u32", {"type": "u32 u64 s32 s64"}),
    Row("bfi.type", "type type type u32 u32", {"type": "b32 b64"}),
    Row("szext.mode.type", "type type u32", {"mode": "clamp wrap", "type": "u32 s32"}),
    Row("bmsk.mode.b32", "b32 u32 u32", {"mode": "clamp wrap"}),
    Row("dp4a.atype.btype", "b32 b32 b32 b32", {"atype": "u32 s32", "btype": "u32 s32"}),
    Row("dp2a.mode.atype.btype", "b32 b32 b32 b32",
        {"mode": "lo hi", "atype": "u32 s32", "btype": "u32 s32"}),
    *[Row(f"{op}{{.cc}}.type", "type type type", {"type": "u32 s32 u64 s64"})
      for op in ("addc", "subc")],
    *[Row(f"{op}.cc.type", "type type type", {"type": "u32 s32 u64 s64"}) for op in ("add", "sub")],
    Row("mad.mode.cc.type", "type type type type", {"mode": "hi lo", "type": "u32 s32 u64 s64"}),
    Row("madc.mode{.cc}.type", "type type type type",
        {"mode": "hi lo", "type": "u32 s32 u64 s64"}),
]  # fmt: skip

_HALF_ROWS = [
    *[Row(f"{op}{{.rnd}}{{.ftz}}{{.sat}}.type", "type type type", {**_RN, "type": "f16 f16x2"})
      for op in ("add", "sub", "mul")],
    *[Row(f"{op}{{.rnd}}.type", "type type type", {**_RN, "type": "bf16 bf16x2"})
      for op in ("add", "sub", "mul")],
    Row("fma.rn{.ftz}{.sat}.type", "type type type type", {"type": "f16 f16x2"}),
    Row("fma.rn{.ftz}.relu.type", "type type type type", {"type": "f16 f16x2"}),
    Row("fma.rn{.relu}.type", "type type type type", {"type": "bf16 bf16x2"}),
    Row("fma.rn.oob{.relu}.type", "type type type type", {"type": "f16 f16x2 bf16 bf16x2"}),
    *[Row(f"{op}{{.ftz}}.type", "type type", {"type": "f16 f16x2"}) for op in ("neg", "abs")],
    *[Row(f"{op}.type", "type type", {"type": "bf16 bf16x2"}) for op in ("neg", "abs")],
    *[Row(f"{op}{{.ftz}}{{.NaN}}{{.xorsign}}.type", "type type type",
          {"type": "f16 f16x2", "xorsign": "xorsign.abs"}) for op in ("min", "max")],
    *[Row(f"{op}{{.NaN}}{{.xorsign}}.type", "type type type",
          {"type": "bf16 bf16x2", "xorsign": "xorsign.abs"}) for op in ("min", "max")],
    Row("tanh.approx.type", "type type", {"type": "f16 f16x2 bf16 bf16x2"}),
    Row("ex2.approx.type", "type type", {"type": "f16 f16x2"}),
    Row("ex2.approx.ftz.type", "type type", {"type": "bf16 bf16x2"}),
    *[Row(f"{op}{{.rnd}}{{.sat}}.f32.atype", "f32 atype f32", {**_RND, "atype": "f16 bf16"})
      for op in ("add", "sub")],
    Row("fma.rnd{.sat}.f32.atype", "f32 atype atype f32", {**_RND, "atype": "f16 bf16"}),
]  # fmt: skip

FLOAT_ROWS = [
    Row("testp.op.type", "pred type",
        {"op": "finite infinite number notanumber normal subnormal", "type": "f32 f64"}),
    Row("copysign.type", "type type type", {"type": "f32 f64"}),
    *[Row(f"{op}{{.rnd}}{{.ftz}}{{.sat}}.f32", "f32 f32 f32", _RND)
      for op in ("add", "sub", "mul")],
    *[Row(f"{op}{{.rnd}}{{.ftz}}.f32x2", "f32x2 f32x2 f32x2", _RND)
      for op in ("add", "sub", "mul")],
    *[Row(f"{op}{{.rnd}}.f64", "f64 f64 f64", _RND) for op in ("add", "sub", "mul")],
    *[Row(f"{op}.rnd{{.ftz}}{{.sat}}.f32", "f32 f32 f32 f32", _RND) for op in ("fma", "mad")],
    Row("fma.rnd{.ftz}.f32x2", "f32x2 f32x2 f32x2 f32x2", _RND),
    *[Row(f"{op}.rnd.f64", "f64 f64 f64 f64", _RND) for op in ("fma", "mad")],
    Row("div.kind{.ftz}.f32", "f32 f32 f32", {"kind": "approx full rn rz rm rp"}),
    Row("div.rnd.f64", "f64 f64 f64", _RND),
    *[Row(f"{op}{{.ftz}}.f32", "f32 f32", {}) for op in ("abs", "neg")],
    *[Row(f"{op}.f64", "f64 f64", {}) for op in ("abs", "neg")],
    *[Row(f"{op}{{.ftz}}{{.NaN}}{{.xorsign}}.f32", "f32 f32 f32", {"xorsign": "xorsign.abs"})
      for op in ("min", "max")],
    *[Row(f"{op}{{.ftz}}{{.NaN}}{{.abs}}.f32", "f32 f32 f32 f32", {}, "three")
      for op in ("min", "max")],
    *[Row(f"{op}.f64", "f64 f64 f64", {}) for op in ("min", "max")],
    *[Row(f"{op}.kind{{.ftz}}.f32", "f32 f32", {"kind": "approx rn rz rm rp"})
      for op in ("rcp", "sqrt")],
    *[Row(f"{op}.rnd.f64", "f64 f64", _RND) for op in ("rcp", "sqrt")],
    *[Row(f"{op}.approx.ftz.f64", "f64 f64", {}) for op in ("rcp", "rsqrt")],
    Row("rsqrt.approx{.ftz}.f32", "f32 f32", {}),
    Row("rsqrt.approx.f64", "f64 f64", {}),
    *[Row(f"{op}.approx{{.ftz}}.f32", "f32 f32", {}) for op in ("sin", "cos", "lg2", "ex2")],
    Row("tanh.approx.f32", "f32 f32", {}),
    *_HALF_ROWS,
]  # fmt: skip

_COMPARE: Sets = {
    "cmp": "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan",
    "bool": "and or xor",
}
_COMPARE_HALF: Sets = {
    "cmp": "eq ne lt le gt ge equ neu ltu leu gtu geu num nan",
    "bool": "and or xor",
}
_TYPES = "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64"


def _set_rows() -> list[Row]:
    rows = []
    for suffix, more in (("", ""), (".bool", " pred")):
        rows += [
            Row(
                f"set.cmp{suffix}{{.ftz}}.dtype.stype",
                f"dtype stype stype{more}",
                {**_COMPARE, "dtype": "u32 s32 f32", "stype": _TYPES},
            ),
            Row(
                f"set.cmp{suffix}{{.ftz}}.f16.stype",
                f"f16 stype stype{more}",
                {**_COMPARE_HALF, "stype": _TYPES + " f16"},
            ),
            Row(
                f"set.cmp{suffix}.bf16.stype",
                f"bf16 stype stype{more}",
                {**_COMPARE_HALF, "stype": _TYPES + " f16 bf16"},
            ),
            Row(
                f"set.cmp{suffix}{{.ftz}}.dtype.f16",
                f"dtype f16 f16{more}",
                {**_COMPARE_HALF, "dtype": "u16 s16 u32 s32"},
            ),
            Row(
                f"set.cmp{suffix}.dtype.bf16",
                f"dtype bf16 bf16{more}",
                {**_COMPARE_HALF, "dtype": "u16 s16 u32 s32"},
            ),
            Row(
                f"set.cmp{suffix}{{.ftz}}.dtype.f16x2",
                f"dtype f16x2 f16x2{more}",
                {**_COMPARE_HALF, "dtype": "f16x2 u32 s32"},
            ),
            Row(
                f"set.cmp{suffix}.dtype.bf16x2",
                f"dtype bf16x2 bf16x2{more}",
                {**_COMPARE_HALF, "dtype": "bf16x2 u32 s32"},
            ),
        ]
    return rows


def _setp_rows() -> list[Row]:
    rows = []
    for suffix, more in (("", ""), (".bool", " pred")):
        rows += [
            Row(
                f"setp.cmp{suffix}{{.ftz}}.type",
                f"pred|pred type type{more}",
                {**_COMPARE, "type": _TYPES},
            ),
            Row(f"setp.cmp{suffix}{{.ftz}}.f16", f"pred f16 f16{more}", _COMPARE_HALF),
            Row(f"setp.cmp{suffix}{{.ftz}}.f16x2", f"pred|pred f16x2 f16x2{more}", _COMPARE_HALF),
            Row(f"setp.cmp{suffix}.bf16", f"pred bf16 bf16{more}", _COMPARE_HALF),
            Row(f"setp.cmp{suffix}.bf16x2", f"pred|pred bf16x2 bf16x2{more}", _COMPARE_HALF),
        ]
    return rows


COMPARISON_ROWS = [
    *_setp_rows(),
    *_set_rows(),
    Row("selp.type", "type type type pred", {"type": _TYPES}),
    Row("slct.dtype.s32", "dtype dtype dtype s32", {"dtype": _TYPES}),
    Row("slct{.ftz}.dtype.f32", "dtype dtype dtype f32", {"dtype": _TYPES}),
]

LOGIC_ROWS = [
    *[Row(f"{op}.type", "type type type", {"type": "pred b16 b32 b64"})
      for op in ("and", "or", "xor")],
    Row("not.type", "type type", {"type": "pred b16 b32 b64"}),
    Row("cnot.type", "type type", {"type": "b16 b32 b64"}),
    Row("lop3.b32", "b32 b32 b32 b32 #0x96", {}),
    Row("lop3.bool.b32", "b32|pred b32 b32 b32 #0x96 pred", {"bool": "or and"}),
    Row("shf.dir.mode.b32", "b32 b32 b32 u32", {"dir": "l r", "mode": "clamp wrap"}),
    Row("shl.type", "type type u32", {"type": "b16 b32 b64"}),
    Row("shr.type", "type type u32", {"type": "b16 b32 b64 u16 u32 u64 s16 s32 s64"}),
    Row("prmt.b32{.mode}", "b32 b32 b32 b32", {"mode": "f4e b4e rc8 ecl ecr rc16"}),
]  # fmt: skip

_ALL = "u8 u16 u32 u64 s8 s16 s32 s64 bf16 f16 f32 f64"
_NARROW: Sets = {
    "f8x2": "e4m3x2 e5m2x2", "f4x2": "e2m1x2", "f6x2": "e2m3x2 e3m2x2",
    "f8x4": "e4m3x4 e5m2x4", "f4x4": "e2m1x4", "f6x4": "e2m3x4 e3m2x4",
    "rnd": "rn rz", "rnd3": "rz rp", "half": "f16 bf16", "half2": "f16x2 bf16x2",
}  # fmt: skip

CONVERSION_ROWS = [
    Row("cvt{.round}{.ftz}{.sat}.dtype.atype", "dtype atype",
        {"round": "rni rzi rmi rpi rn rz rm rp", "dtype": _ALL, "atype": _ALL}),
    Row("cvt.rnd{.relu}{.satfinite}.half.f32", "half f32", _NARROW),
    Row("cvt.rnd{.relu}{.satfinite}.half2.f32", "half2 f32 f32", _NARROW),
    Row("cvt.rs{.relu}{.satfinite}.half2.f32", "half2 f32 f32 b32", _NARROW),
    Row("cvt.rna{.satfinite}.tf32.f32", "b32 f32", _NARROW),
    Row("cvt.rnd{.satfinite}{.relu}.tf32.f32", "b32 f32", _NARROW),
    *[Row(f"cvt.rn.satfinite{{.relu}}.{kind}.f32", f"{kind} f32 f32", _NARROW)
      for kind in ("f8x2", "f4x2", "f6x2")],
    *[Row(f"cvt.rn.satfinite{{.relu}}.{kind}.half2", f"{kind} half2", _NARROW)
      for kind in ("f8x2", "f4x2", "f6x2")],
    *[Row(f"cvt.rn{{.relu}}.half2.{kind}", f"half2 {kind}", _NARROW)
      for kind in ("f8x2", "f4x2", "f6x2")],
    *[Row(f"cvt.rs{{.relu}}.satfinite.{kind}.f32", f"{kind} 4*f32 b32", _NARROW)
      for kind in ("f8x4", "f4x4", "f6x4")],
    Row("cvt.rnd3{.satfinite}.ue8m0x2.f32", "ue8m0x2 f32 f32", _NARROW),
    Row("cvt.rnd3{.satfinite}.ue8m0x2.bf16x2", "ue8m0x2 bf16x2", _NARROW),
    Row("cvt.rn.bf16x2.ue8m0x2", "bf16x2 ue8m0x2", _NARROW),
    Row("cvt.pack.sat.to.s32", "b32 s32 s32", {"to": "u16 s16"}),
    Row("cvt.pack.sat.to.s32.b32", "b32 s32 s32 b32", {"to": "u2 s2 u4 s4 u8 s8"}),
]  # fmt: skip

_VIDEO: Sets = {
    "dtype": "u32 s32", "atype": "u32 s32", "btype": "u32 s32", "op2": "add min max",
    "mode": "clamp wrap", "cmp": "eq ne lt le gt ge",
}  # fmt: skip


def _video_rows() -> list[Row]:
    rows = []
    for op in ("vadd", "vsub", "vabsdiff", "vmin", "vmax"):
        typed = f"{op}.dtype.atype.btype{{.sat}}"
        rows += [Row(typed, "b32 b32 b32", _VIDEO), Row(f"{typed}.op2", "b32 b32 b32 b32", _VIDEO)]
    for op in ("vshl", "vshr"):
        typed = f"{op}.dtype.atype.u32{{.sat}}.mode"
        rows += [Row(typed, "b32 b32 b32", _VIDEO), Row(f"{typed}.op2", "b32 b32 b32 b32", _VIDEO)]
    rows += [
        Row(
            "vmad.dtype.atype.btype{.sat}{.scale}",
            "b32 b32 b32 b32",
            {**_VIDEO, "scale": "shr7 shr15"},
        ),
        Row(
            "vmad.dtype.atype.btype.po{.sat}{.scale}",
            "b32 b32 b32 b32",
            {**_VIDEO, "scale": "shr7 shr15"},
        ),
        Row("vset.atype.btype.cmp", "b32 b32 b32", _VIDEO),
        Row("vset.atype.btype.cmp.op2", "b32 b32 b32 b32", _VIDEO),
    ]
    for width in ("2", "4"):
        for op in ("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"):
            typed = f"{op}{width}.dtype.atype.btype"
            rows += [
                Row(f"{typed}{{.sat}}", "b32 b32 b32 b32", _VIDEO),
                Row(f"{typed}.add", "b32 b32 b32 b32", _VIDEO),
            ]
        typed = f"vset{width}.atype.btype.cmp"
        rows += [
            Row(typed, "b32 b32 b32 b32", _VIDEO),
            Row(f"{typed}.add", "b32 b32 b32 b32", _VIDEO),
        ]
    return rows


VIDEO_ROWS = _video_rows()
