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

from instruction_bodies import GFX950, PTX, REASONS
from machine import describe

ROUNDS = 4000
FEW, MANY = 4, 12
#: Nanoseconds above which a class has its reason beside it.
SLOW = 60


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
    .reg .f64 %d<3>;
    .reg .b64 %w<3>;
    .reg .pred %p<3>;
    ld.param.u64 %w1, [result];
    mov.u32 %r2, %tid.x;
    add.u32 %r3, %r2, 1;
    mov.u32 %r4, 0x3A553955;
    mov.u32 %r1, %r2;
    cvt.rn.f32.u32 %f2, %r2;
    fma.rn.f32 %f2, %f2, 0f3DCCCCCD, 0f3F000000;
    mov.f32 %f1, %f2;
    mov.f32 %f3, 0f3F000000;
    cvt.f64.f32 %d1, %f2;
    mov.f64 %d2, %d1;
    mov.u64 %w2, 5;
    mov.u32 %n, 0;
AGAIN:
{body}
    add.u32 %n, %n, 1;
    setp.lt.u32 %p2, %n, {ROUNDS};
    @%p2 bra AGAIN;
    mov.b32 %r5, %f1;
    xor.b32 %r1, %r1, %r5;
    cvt.rn.f32.f64 %f1, %d1;
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
    s_mov_b64 s[20:21], 3
    s_mov_b64 vcc, 5
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
    for _ in range(24):
        begun = time.process_time()
        kernel((1, 1, 1), (lanes, 1, 1), (result,))
        times.append(time.process_time() - begun)
    return min(times[4:])


def compile_at_once() -> None:
    """Blocks are compiled by LLVM when they run a second time."""
    from lanemap.emulator.codegen import tiers

    tiers.BUDGET = 1  # operations of a block before it is compiled


def measure_here(target: str, names: Sequence[str]) -> dict[str, float]:
    """Nanoseconds of each instruction, in this process."""
    import lanemap

    compile_at_once()
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
            paths = [str(root), *filter(None, [os.environ.get("PYTHONPATH")])]
            environment = os.environ | {
                "PYTHONPATH": os.pathsep.join(paths), "LANEMAP_THREADS": "1",
            }  # fmt: skip
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
            reason = REASONS.get(name, "") if values["now"] > SLOW else ""
            times = "".join(f"{values[label]:10.1f}" for label in roots)
            print(f"  {name:24}{times}  {reason}".rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
