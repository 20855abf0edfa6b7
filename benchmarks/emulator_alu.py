"""How many wave instructions a second the emulator executes in a loop of vector arithmetic.

    python benchmarks/emulator_alu.py [--before PATH] [--target T] [--iterations N] [--repeats R]
                                      [--json]

Hazards are on, one wave (for sm_90a a warp of 32 lanes, for gfx950 a wave of 64) runs on one core,
and every time includes what it takes to get there:

* cold: a new process with an empty object cache; parsing, compiling and running;
* warm: a new process that finds its objects in the cache;
* again: a second launch of the same kernel in the same process, nothing to compile.

Times are processor time, which other load on the machine hardly changes. Wave instructions are
counted from the text: what the loop executes, scalar ones included. With `--before` another
checkout of lanemap is measured in turns with this one; LANEMAP_CPU may name a smaller processor.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from machine import describe

AMD_INTEGER = """\
    v_add_u32_e32 v2, v2, v1
    v_xor_b32_e32 v3, v3, v2
    v_lshlrev_b32_e32 v4, 3, v3
    v_and_or_b32 v5, v4, v2, v1
    v_sub_u32_e32 v6, v5, v3
    v_lshrrev_b32_e32 v7, 5, v6
    v_bfe_u32 v8, v7, 4, 12
    v_max_u32_e32 v9, v8, v4
    v_add3_u32 v2, v2, v8, v9
    v_alignbit_b32 v3, v3, v2, 7
"""
AMD_FLOAT = """\
    v_add_f32_e32 v10, v10, v11
    v_mul_f32_e32 v12, v10, v11
    v_fma_f32 v13, v12, v11, v10
    v_sub_f32_e32 v14, v13, v12
    v_max_f32_e32 v15, v14, v10
    v_fma_f32 v10, v15, v11, v14
    v_min_f32_e32 v12, v12, v15
    v_mul_f32_e32 v10, v10, v11
"""
PTX_INTEGER = """\
    add.u32 %r2, %r2, %r1;
    xor.b32 %r3, %r3, %r2;
    shl.b32 %r4, %r3, 3;
    lop3.b32 %r5, %r4, %r2, %r1, 0xea;
    sub.u32 %r6, %r5, %r3;
    shr.u32 %r7, %r6, 5;
    bfe.u32 %r8, %r7, 4, 12;
    max.u32 %r9, %r8, %r4;
    mad.lo.u32 %r2, %r8, %r9, %r2;
    shf.r.wrap.b32 %r3, %r3, %r2, 7;
"""
PTX_FLOAT = """\
    add.rn.f32 %f0, %f0, %f1;
    mul.rn.f32 %f2, %f0, %f1;
    fma.rn.f32 %f3, %f2, %f1, %f0;
    sub.rn.f32 %f4, %f3, %f2;
    max.f32 %f5, %f4, %f0;
    fma.rn.f32 %f0, %f5, %f1, %f4;
    min.f32 %f2, %f2, %f5;
    mul.rn.f32 %f0, %f0, %f1;
"""


def loops(integer: str, floating: str) -> dict[str, str]:
    """Loop bodies of some thirty instructions."""
    return {"integer": integer * 3, "float": floating * 4, "mixed": (integer + floating) * 2}


LOOPS = {"gfx950": loops(AMD_INTEGER, AMD_FLOAT), "sm_90a": loops(PTX_INTEGER, PTX_FLOAT)}
# Both loops are closed by three instructions: subtract, compare, branch.
LOOP_CONTROL = 3


def amd_source(body: str) -> str:
    """The kernel: its second argument, the number of iterations, is a 32-bit word."""
    from lanemap.toolchain.amdgcn_kernel import Kernel

    instructions = f"""\
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    s_load_dword s6, s[0:1], 0x8
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, v0
    v_mov_b32_e32 v3, 1
    v_cvt_f32_u32_e32 v10, v0
    v_mov_b32_e32 v11, 0.5
    v_mov_b32_e32 v15, 0
    v_mov_b32_e32 v16, v1
    s_waitcnt lgkmcnt(0)
.Lagain:
{body}    s_sub_i32 s6, s6, 1
    s_cmp_gt_i32 s6, 0
    s_cbranch_scc1 .Lagain
    v_xor_b32_e32 v2, v2, v3
    v_xor_b32_e32 v2, v2, v10
    global_store_dword v16, v2, s[4:5]
    s_endpgm
"""
    return Kernel("alu", ("result",), ("iterations",), 0, 20, 16, 64).text(instructions)


def ptx_source(body: str) -> str:
    """The same for sm_90a."""
    return f"""\
.version 8.8
.target sm_90a
.address_size 64
.visible .entry alu(.param .u64 result, .param .u32 iterations)
{{
    .reg .b32 %r<10>, %n;
    .reg .f32 %f<6>;
    .reg .b64 %w<3>;
    .reg .pred %p;
    ld.param.u64 %w1, [result];
    ld.param.u32 %n, [iterations];
    cvta.to.global.u64 %w1, %w1;
    mov.u32 %r2, %tid.x;
    shl.b32 %r1, %r2, 2;
    mul.wide.u32 %w2, %r2, 4;
    add.u64 %w1, %w1, %w2;
    mov.u32 %r3, 1;
    cvt.rn.f32.u32 %f0, %r2;
    mov.f32 %f1, 0f3F000000;
AGAIN:
{body}    sub.s32 %n, %n, 1;
    setp.gt.s32 %p, %n, 0;
    @%p bra AGAIN;
    xor.b32 %r2, %r2, %r3;
    mov.b32 %r4, %f0;
    xor.b32 %r2, %r2, %r4;
    st.global.u32 [%w1], %r2;
    ret;
}}
"""


SOURCES = {"gfx950": (amd_source, 64), "sm_90a": (ptx_source, 32)}


def measure_here(target: str, name: str, iterations: int) -> dict[str, float]:
    """Load and launch twice in this process: seconds of each."""
    import numpy as np

    import lanemap

    source, lanes = SOURCES[target]
    device = lanemap.open_device(target, device="emulator")
    result = device.zeros(lanes, np.uint32)
    start = time.process_time()
    kernel = device.load(source(LOOPS[target][name]))["alu"]
    seconds = {}
    for launch in ("first", "again"):
        kernel((1, 1, 1), (lanes, 1, 1), (result, np.int32(iterations)))
        seconds[launch] = time.process_time() - start
        start = time.process_time()
    if len(np.unique(result.get())) < 2:
        raise RuntimeError("every lane has the same result: the loop did not run as written")
    return seconds


def _executed(target: str, name: str, iterations: int) -> int:
    return iterations * (len(LOOPS[target][name].splitlines()) + LOOP_CONTROL)


def _process(checkout: Path, cache: str, target: str, name: str, iterations: int) -> Any:
    """Seconds of both launches in a new process that imports lanemap from a checkout."""
    environment = os.environ | {
        "PYTHONPATH": str(checkout),
        "LANEMAP_CACHE": cache,
        "LANEMAP_THREADS": "1",
        # The loop is longer than what the emulator takes for an endless one.
        "LANEMAP_INSTRUCTION_LIMIT": str(2 * _executed(target, name, iterations)),
    }
    command = [sys.executable, __file__, "--child", name]
    command += ["--target", target, "--iterations", str(iterations)]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def measure(
    checkouts: Mapping[str, Path], target: str, name: str, iterations: int, repeats: int
) -> list[dict[str, Any]]:
    """A row for each checkout: medians over pairs of a cold and a warm process, in turns."""
    seconds: dict[str, dict[str, list[float]]] = {
        label: {"cold": [], "warm": [], "again": []} for label in checkouts
    }
    for _ in range(repeats):
        for label, checkout in checkouts.items():
            with tempfile.TemporaryDirectory() as cache:
                for state in ("cold", "warm"):
                    one = _process(checkout, cache, target, name, iterations)
                    seconds[label][state].append(one["first"])
                    seconds[label]["again"].append(one["again"])
    executed = _executed(target, name, iterations)
    rows = []
    for label, found in seconds.items():
        medians = {state: statistics.median(values) for state, values in found.items()}
        rows.append(
            {
                "checkout": label,
                "target": target,
                "loop": name,
                "wave_instructions": executed,
                "repeats": repeats,
                "seconds": medians,
                "wave_instructions_per_second": {s: executed / t for s, t in medians.items()},
            }
        )
    return rows


def main() -> int:
    """Measure every loop, or be one measured process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help="another checkout, to be measured beside this")
    parser.add_argument("--target", choices=LOOPS, help="by default both")
    parser.add_argument("--iterations", type=int, default=2_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--child", choices=LOOPS["gfx950"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        print(json.dumps(measure_here(options.target, options.child, options.iterations)))
        return 0
    machine = describe()
    checkouts = {"after": Path(__file__).resolve().parent.parent}
    if options.before:
        checkouts = {"before": options.before.resolve(), **checkouts}
    rows = [
        row
        for target in ([options.target] if options.target else LOOPS)
        for name in LOOPS[target]
        for row in measure(checkouts, target, name, options.iterations, options.repeats)
    ]
    if options.json:
        print(json.dumps({"machine": machine, "rows": rows}, indent=1))
        return 0
    print(", ".join(f"{key} {value}" for key, value in machine.items()))
    print("million wave instructions a second, one core, hazards on, medians; then the seconds")
    print("that a cold and a warm process spend before the loop runs as it does again")
    heads = ("cold", "warm", "again", "cold s", "warm s")
    head = f"{'':7}{'target':7} {'loop':8} {'executed':>12}"
    print(head + "".join(f"{column:>9}" for column in heads))
    for row in rows:
        rates = row["wave_instructions_per_second"]
        columns = "".join(f"{rates[s] / 1e6:9.1f}" for s in ("cold", "warm", "again"))
        times = row["seconds"]
        columns += "".join(f"{times[s] - times['again']:9.2f}" for s in ("cold", "warm"))
        head = f"{row['checkout']:7}{row['target']:7} {row['loop']:8}"
        print(f"{head} {row['wave_instructions']:12}{columns}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
