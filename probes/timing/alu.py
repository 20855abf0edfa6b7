"""Arithmetic: when another instruction may read the result, and how often one issues."""

from __future__ import annotations

from lanemap.timing.chains import Chains
from lanemap.timing.text import Step

#: Results after a fixed number of cycles.
_FIXED = (
    Step("add.u32", "add.u32 {d}, {x}, {k};"),
    Step("sub.u32", "sub.u32 {d}, {k}, {x};"),
    Step("mad.lo.u32", "mad.lo.u32 {d}, {x}, {k}, {m};"),
    Step("mad.lo.u32 addend", "mad.lo.u32 {d}, {k}, {m}, {x};"),
    Step("mul.hi.u32", "mul.hi.u32 {d}, {x}, {k};"),
    Step("mul.wide.u32", "mul.wide.u32 d0, {x}, {k}; mov.b64 {{u0, {d}}}, d0;", mixed=True),
    Step("dp4a.u32", "dp4a.u32.u32 {d}, {x}, {k}, {m};"),
    Step("dp2a.u32", "dp2a.lo.u32.u32 {d}, {x}, {k}, {m};"),
    Step("lop3.b32", "lop3.b32 {d}, {x}, {k}, {m}, 0x6a;"),
    Step("lop3.b32 third", "lop3.b32 {d}, {k}, {m}, {x}, 0x2d;"),
    Step("shf.l.wrap", "shf.l.wrap.b32 {d}, {x}, {k}, {m};"),
    Step("shf.r.wrap", "shf.r.wrap.b32 {d}, {k}, {x}, {m};"),
    Step("shf.r.clamp count", "shf.r.clamp.b32 {d}, {k}, {m}, {x};"),
    Step("shl.b32", "shl.b32 {d}, {x}, {k};"),
    Step("shr.s32", "shr.s32 {d}, {x}, {k};"),
    Step("prmt.b32", "prmt.b32 {d}, {x}, {k}, {m};"),
    Step("prmt.b32 selector", "prmt.b32 {d}, {k}, {m}, {x};"),
    Step("bmsk.clamp", "bmsk.clamp.b32 {d}, {x}, {k};", mixed=True),
    Step("szext.wrap", "szext.wrap.u32 {d}, {x}, {k};", mixed=True),
    Step("abs.s32", "abs.s32 {d}, {x};", mixed=True),
    Step("sad.u32", "sad.u32 {d}, {x}, {k}, {m};"),
    Step("min.s32", "min.s32 {d}, {x}, {k};", mixed=True),
    Step("max.u32", "max.u32 {d}, {x}, {k};", mixed=True),
    Step("min.s32 of three", "min.s32 {d}, {x}, {k}; min.s32 {d}, {d}, {m};", mixed=True),
    Step("add and max", "add.s32 {d}, {x}, {k}; max.s32 {d}, {d}, {m};"),
    Step("add.u16x2", "add.u16x2 {d}, {x}, {k};"),
    Step("max.s16x2", "max.s16x2 {d}, {x}, {k};", mixed=True),
    Step("setp and selp", "setp.lt.u32 p, {x}, {k}; selp.b32 {d}, {k}, {m}, p;", mixed=True),
    Step("setp.f32 and selp", "setp.lt.f32 p, {x}, {k}; selp.b32 {d}, {k}, {m}, p;", mixed=True),
    Step("setp and guard", "setp.lt.u32 p, {x}, {k}; @p add.u32 {d}, {x}, {m};"),
    Step("slct.b32", "slct.b32.s32 {d}, {k}, {m}, {x};", mixed=True),
    Step("set.f32", "set.lt.f32.f32 {d}, {x}, {k};", mixed=True),
    Step("vote.ballot",
         "setp.lt.u32 p, {x}, {k}; vote.sync.ballot.b32 {d}, p, 0xffffffff;", mixed=True),
    Step("add.f32", "add.rn.f32 {d}, {x}, {k};"),
    Step("mul.f32", "mul.rn.f32 {d}, {x}, {k};"),
    Step("fma.f32", "fma.rn.f32 {d}, {x}, {k}, {m};"),
    Step("fma.f32 addend", "fma.rn.f32 {d}, {k}, {m}, {x};"),
    Step("max.f32", "max.f32 {d}, {x}, {k};", mixed=True),
    Step("fma.f16x2", "fma.rn.f16x2 {d}, {x}, {k}, {m};"),
    Step("fma.f16x2 addend", "fma.rn.f16x2 {d}, {k}, {m}, {x};"),
    Step("add.f16x2", "add.rn.f16x2 {d}, {x}, {k};"),
    Step("mul.f16x2", "mul.rn.f16x2 {d}, {x}, {k};"),
    Step("max.f16x2", "max.f16x2 {d}, {x}, {k};", mixed=True),
    Step("fma.bf16x2", "fma.rn.bf16x2 {d}, {x}, {k}, {m};"),
    Step("fma.bf16x2 addend", "fma.rn.bf16x2 {d}, {k}, {m}, {x};"),
    Step("add.bf16x2", "add.rn.bf16x2 {d}, {x}, {k};"),
    Step("mul.bf16x2", "mul.rn.bf16x2 {d}, {x}, {k};"),
    Step("max.bf16x2", "max.bf16x2 {d}, {x}, {k};", mixed=True),
    Step("cvt.f32.s32", "cvt.rn.f32.s32 {d}, {x};", mixed=True),
    Step("cvt.f32.f16", "mov.b32 {{h0, h1}}, {x}; cvt.f32.f16 {d}, h0;", mixed=True),
    Step("cvt.f16x2.f32", "cvt.rn.f16x2.f32 {d}, {x}, {k};", mixed=True),
    Step("cvt.bf16x2.f32", "cvt.rn.bf16x2.f32 {d}, {k}, {x};", mixed=True),
    Step("cvt.e4m3x2.f32",
         "cvt.rn.satfinite.e4m3x2.f32 h0, {x}, {k}; mov.b32 {d}, {{h0, h0}};", mixed=True),
    Step("cvt.f16x2.e4m3x2", "mov.b32 {{h0, h1}}, {x}; cvt.rn.f16x2.e4m3x2 {d}, h0;", mixed=True),
)  # fmt: skip
#: Results that release a barrier: each once and twice in a link, so that its own result feeds it.
_VARIABLE = (
    ("popc.b32", "popc.b32 {d}, {0};", True),
    ("bfind.u32", "bfind.u32 {d}, {0};", True),
    ("brev.b32", "brev.b32 {d}, {0};", True),
    ("cvt.rni.s32.f32", "cvt.rni.s32.f32 {d}, {0};", True),
    ("cvt.rni.f32.f32", "cvt.rni.f32.f32 {d}, {0};", True),
    ("ex2.approx.f32", "ex2.approx.ftz.f32 {d}, {0};", False),
    ("lg2.approx.f32", "lg2.approx.ftz.f32 {d}, {0};", False),
    ("rcp.approx.f32", "rcp.approx.ftz.f32 {d}, {0};", False),
    ("rsqrt.approx.f32", "rsqrt.approx.ftz.f32 {d}, {0};", False),
    ("sqrt.approx.f32", "sqrt.approx.ftz.f32 {d}, {0};", False),
    ("tanh.approx.f32", "tanh.approx.f32 {d}, {0};", False),
    ("shfl.bfly", "shfl.sync.bfly.b32 {d}, {0}, {k}, 0x1f, 0xffffffff;", True),
    ("shfl.idx", "shfl.sync.idx.b32 {d}, {0}, {k}, 0x1f, 0xffffffff;", True),
    ("shfl.up", "shfl.sync.up.b32 {d}, {0}, {k}, 0x0, 0xffffffff;", True),
    ("shfl.down", "shfl.sync.down.b32 {d}, {0}, {k}, 0x1f, 0xffffffff;", True),
    ("shfl.idx lane", "shfl.sync.idx.b32 {d}, {k}, {0}, 0x1f, 0xffffffff;", True),
    ("redux.add", "redux.sync.add.u32 {d}, {0}, 0xffffffff;", True),
    ("redux.max", "redux.sync.max.u32 {d}, {0}, 0xffffffff;", True),
    ("redux.xor", "redux.sync.xor.b32 {d}, {0}, 0xffffffff;", True),
    ("match.any", "match.any.sync.b32 {d}, {0}, 0xffffffff;", True),
)
_STEPS = _FIXED + tuple(
    Step(f"{name}{' twice' * (times - 1)}",
         text.replace("{0}", "{x}") + text.replace("{0}", "{d}") * (times - 1), exact, mixed=True)
    for name, text, exact in _VARIABLE
    # ptxas undoes two reciprocals, and leaves out a reduction of equal values.
    for times in ((1,) if name.startswith(("rcp", "redux")) else (1, 2))
)  # fmt: skip

alu = Chains(
    "alu",
    steps=_STEPS,
    paired=(
        "add.u32", "mad.lo.u32", "mad.lo.u32 addend", "dp4a.u32", "lop3.b32", "shf.l.wrap",
        "prmt.b32", "sad.u32", "add and max", "add.u16x2", "setp and guard", "add.f32", "mul.f32",
        "fma.f32", "fma.f32 addend", "fma.f16x2", "add.f16x2", "mul.f16x2", "fma.bf16x2",
        "add.bf16x2", "mul.hi.u32", "ex2.approx.f32", "popc.b32", "shfl.bfly", "redux.add",
    ),
)  # fmt: skip
