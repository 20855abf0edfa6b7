"""How long the emulator takes for one instruction of each class.

    python benchmarks/instructions.py [--before PATH] [--target T] [--only NAME ..] [--repeats R]
                                      [--json]

Nanoseconds of processor time of one warp or wave instruction, hazards on, in a loop that runs
long: a loop of twelve against a loop of four, so that what surrounds them cancels. Each instruction
reads the result of the one before, but for logarithms, which soon would have none. The
code is what loops have that run long. With `--before`
another checkout of lanemap is measured in turns with this one. LANEMAP_CPU may name a smaller
processor, such as x86-64-v3.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from machine import describe

ROUNDS = 4000
FEW, MANY = 4, 12
#: %r1 and %f1 are the chain; %r2 is the lane's number, %r3 one more, %f2 between 0.5 and 3.6.
PTX = {
    "add.f32": "add.rn.f32 %f1, %f1, %f2;", "fma.f32": "fma.rn.f32 %f1, %f1, %f3, %f2;",
    "div.rn.f32": "div.rn.f32 %f1, %f2, %f1;", "sqrt.rn.f32": "sqrt.rn.f32 %f1, %f1;",
    "ex2": "ex2.approx.ftz.f32 %f1, %f1;", "lg2": "lg2.approx.ftz.f32 %f1, %f2;",
    "rcp": "rcp.approx.ftz.f32 %f1, %f1;", "rsqrt": "rsqrt.approx.ftz.f32 %f1, %f1;",
    "sin": "sin.approx.ftz.f32 %f1, %f1;", "tanh": "tanh.approx.f32 %f1, %f1;",
    "ex2.f16x2": "ex2.approx.f16x2 %r1, %r1;", "add.f16x2": "add.rn.f16x2 %r1, %r1, %r4;",
    "mul.f16x2": "mul.rn.f16x2 %r1, %r1, %r4;", "fma.f16x2": "fma.rn.f16x2 %r1, %r1, %r4, %r4;",
    "fma.bf16x2": "fma.rn.bf16x2 %r1, %r1, %r4, %r4;", "max.bf16x2": "max.bf16x2 %r1, %r1, %r4;",
    "cvt.f16x2": "cvt.rn.f16x2.f32 %r1, %f1, %f2; mov.b32 %f1, %r1;",
    "cvt.bf16x2": "cvt.rn.bf16x2.f32 %r1, %f1, %f2; mov.b32 %f1, %r1;",
    "cvt.e4m3x2": "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2; cvt.rn.f32.u16 %f1, %h1;",
    "add.u32": "add.u32 %r1, %r1, %r3;", "mad.lo": "mad.lo.s32 %r1, %r1, %r3, %r2;",
    "div.u32": "div.u32 %r1, %r1, %r3;", "prmt": "prmt.b32 %r1, %r1, %r3, 0x5410;",
    "popc": "popc.b32 %r1, %r1;", "lop3": "lop3.b32 %r1, %r1, %r2, %r3, 0xea;",
    "shfl.bfly": "shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;",
    "shfl.down": "shfl.sync.down.b32 %r1, %r1, 4, 31, -1;",
    "shfl.idx": "shfl.sync.idx.b32 %r1, %r1, %r2, 31, -1;",
    "redux.add": "redux.sync.add.u32 %r1, %r1, -1;",
    "redux.max": "redux.sync.max.u32 %r1, %r1, -1;",
    "vote.ballot": "setp.gt.u32 %p1, %r1, %r2; vote.sync.ballot.b32 %r1, %p1, -1;",
    "bar.warp": "bar.warp.sync -1;", "activemask": "activemask.b32 %r5; xor.b32 %r1, %r1, %r5;",
    "match.any": "match.any.sync.b32 %r1, %r1, -1;",
}  # fmt: skip
#: v1 and v2 are chains of integers and floats; v3 is the lane's number, v4 between 0.5 and 6.8.
GFX950 = {
    "v_add_f32": "v_add_f32_e32 v2, v2, v4", "v_fma_f32": "v_fma_f32 v2, v2, v5, v4",
    "v_exp_f32": "v_exp_f32_e32 v2, v2", "v_log_f32": "v_log_f32_e32 v2, v4",
    "v_rcp_f32": "v_rcp_f32_e32 v2, v2", "v_rsq_f32": "v_rsq_f32_e32 v2, v2",
    "v_sqrt_f32": "v_sqrt_f32_e32 v2, v2", "v_sin_f32": "v_sin_f32_e32 v2, v2",
    "v_pk_fma_f16": "v_pk_fma_f16 v1, v1, v3, v3",
    "v_pk_mul_f32": "v_pk_mul_f32 v[6:7], v[6:7], v[8:9]",
    "v_cvt_pk_bf16_f32": "v_cvt_pk_bf16_f32 v2, v2, v4",
    "v_cvt_pk_fp8_f32": "v_cvt_pk_fp8_f32 v2, v2, v4",
    "v_add_u32": "v_add_u32_e32 v1, v1, v3", "v_perm_b32": "v_perm_b32 v1, v1, v3, v3",
    "DPP quad_perm": "s_nop 1\n v_mov_b32_dpp v1, v1 quad_perm:[1,0,3,2]",
    "DPP row_shr": "s_nop 1\n v_mov_b32_dpp v1, v1 row_shr:1",
    "ds_bpermute": "ds_bpermute_b32 v1, v3, v1\n s_waitcnt lgkmcnt(0)",
    "v_readlane": "s_nop 3\n v_readlane_b32 s20, v1, 5\n s_nop 3\n v_add_u32_e32 v1, s20, v3",
    "v_permlane32_swap": "s_nop 1\n v_permlane32_swap_b32 v1, v3",
}  # fmt: skip


def ptx_source(body: str) -> str:
    """The kernel of sm_90a around a loop."""
    return f"""\
.version 8.8
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 result)
{{
    .reg .b32 %r<8>, %n;
    .reg .f32 %f<4>;
    .reg .b16 %h<2>;
    .reg .b64 %w<3>;
    .reg .pred %p<3>;
    ld.param.u64 %w1, [result];
    mov.u32 %r2, %tid.x;
    add.u32 %r3, %r2, 1;
    mov.u32 %r4, 0x3C003A00;
    mov.u32 %r1, %r2;
    cvt.rn.f32.u32 %f2, %r2;
    fma.rn.f32 %f2, %f2, 0f3DCCCCCD, 0f3F000000;
    mov.f32 %f1, %f2;
    mov.f32 %f3, 0f3F000000;
    mov.u32 %n, 0;
AGAIN:
{body}
    add.u32 %n, %n, 1;
    setp.lt.u32 %p2, %n, {ROUNDS};
    @%p2 bra AGAIN;
    mov.b32 %r5, %f1;
    xor.b32 %r1, %r1, %r5;
    mul.wide.u32 %w2, %r2, 4;
    add.u64 %w1, %w1, %w2;
    st.global.u32 [%w1], %r1;
    ret;
}}
"""


def gfx950_source(body: str) -> str:
    """The same of gfx950."""
    from lanemap.toolchain.amdgcn_kernel import Kernel

    text = f"""\
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v10, 2, v0
    v_mov_b32_e32 v3, v0
    v_mov_b32_e32 v1, v0
    v_cvt_f32_u32_e32 v4, v0
    v_mov_b32_e32 v5, 0.5
    v_mul_f32_e32 v4, 0x3dcccccd, v4
    v_add_f32_e32 v4, v4, v5
    v_mov_b32_e32 v2, v4
    v_mov_b32_e32 v6, v4
    v_mov_b32_e32 v7, v4
    v_mov_b32_e32 v8, v5
    v_mov_b32_e32 v9, v5
    s_movk_i32 s6, {ROUNDS}
    s_waitcnt lgkmcnt(0)
.Lagain:
{body}
    s_sub_i32 s6, s6, 1
    s_cmp_gt_i32 s6, 0
    s_cbranch_scc1 .Lagain
    v_xor_b32_e32 v1, v1, v2
    v_xor_b32_e32 v1, v1, v6
    global_store_dword v10, v1, s[4:5]
    s_endpgm
"""
    return Kernel("k", ("result",), (), 0, 16, 24, 64).text(text)


TARGETS = {"sm_90a": (PTX, ptx_source, 32), "gfx950": (GFX950, gfx950_source, 64)}


def seconds(device: Any, text: str, lanes: int) -> float:
    """The least processor time of some launches, after those that compile."""
    import numpy as np

    result = device.zeros(lanes, np.uint32)
    kernel = device.load(text)["k"]
    times = []
    for _ in range(60):
        begun = time.process_time()
        kernel((1, 1, 1), (lanes, 1, 1), (result,))
        times.append(time.process_time() - begun)
    return min(times[4:])


def measure_here(target: str, names: Sequence[str]) -> dict[str, float]:
    """Nanoseconds of each instruction, in this process."""
    import lanemap
    from lanemap.emulator.codegen import unit

    unit.BUDGET = 1  # operations of a block before it is compiled at the higher level

    bodies, source, lanes = TARGETS[target]
    device = lanemap.open_device(target, "emulator")
    found = {}
    for name in names:
        few, many = (
            seconds(device, source("\n".join([bodies[name]] * count)), lanes)
            for count in (FEW, MANY)
        )
        found[name] = (many - few) / (MANY - FEW) / ROUNDS * 1e9
    return found


def measure(
    roots: dict[str, Path], target: str, names: Sequence[str], repeats: int
) -> dict[str, dict[str, float]]:
    """The least of some processes for each instruction and checkout, in turns."""
    least: dict[str, dict[str, float]] = {name: {} for name in names}
    for _ in range(repeats):
        for label, root in roots.items():
            environment = os.environ | {"PYTHONPATH": str(root), "LANEMAP_THREADS": "1"}
            command = [sys.executable, __file__, "--child", "--target", target, "--only", *names]
            done = subprocess.run(
                command, env=environment, check=True, capture_output=True, text=True
            )
            for name, value in json.loads(done.stdout).items():
                least[name][label] = min(value, least[name].get(label, value))
    return least


def main() -> int:
    """Measure, or be one measured process."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--before", type=Path, help="another checkout, built")
    parser.add_argument("--target", choices=TARGETS, action="append")
    parser.add_argument("--only", nargs="+", help="instructions by their names in the table")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(measure_here(options.target[0], options.only)))
        return 0
    machine = describe()
    roots = {"now": Path(__file__).resolve().parents[1]}
    if options.before:
        roots = {"before": options.before.resolve(), **roots}
    rows = {}
    for target in options.target or TARGETS:
        names = [
            each for each in TARGETS[target][0] if each in (options.only or TARGETS[target][0])
        ]
        if names:
            rows[target] = measure(roots, target, names, options.repeats)
    if options.json:
        print(json.dumps({"machine": machine, "nanoseconds": rows}, indent=1))
        return 0
    print(", ".join(f"{key} {value}" for key, value in machine.items()))
    for target, found in rows.items():
        print(f"{target}, ns of one instruction: " + ", ".join(roots))
        for name, values in found.items():
            print(f"  {name:20}" + "".join(f"{values[label]:10.1f}" for label in roots))
    return 0


if __name__ == "__main__":
    sys.exit(main())
