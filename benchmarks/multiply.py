"""Billions of products and sums a second and core (GMAC/s) of matrix instructions, hazards on.

    python benchmarks/multiply.py [NAME ..] [--cpu LEVEL ..] [--repeats R] [--json]

Processor time on one core of whole instructions, with all that the emulator checks: wgmma of a
warpgroup with operands in shared memory, tcgen05.mma, mma.sync and MFMA with operands in registers.
Floats are normally distributed, so that addends are cut off as in a user's product; block scales
are 1. NAME is a part of a case's name. `--cpu` names processors (LANEMAP_CPU), each measured in a
process of its own: x86-64-v3 has AVX2, x86-64-v4 AVX-512.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
from instructions import compile_at_once
from machine import describe

DTYPES = {
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "tf32": np.float32, "f32": np.float32,
    "e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2, "s8": np.int8, "i8": np.int8,
    "e2m1": np.uint8, "f64": np.float64, "e4m3_fnuz": ml_dtypes.float8_e4m3fnuz,
}  # fmt: skip


class Case(NamedTuple):
    """One instruction: its name, its products, and what measures the seconds of one."""

    name: str
    products: int
    seconds: Callable[[int], float]


def codes(kind: str, count: int) -> np.ndarray[Any, Any]:
    """Bytes of `count` elements; of e2m1, any codes."""
    rng = np.random.default_rng(0)
    if kind in ("s8", "i8", "e2m1"):
        return rng.integers(0, 256, count, dtype=np.uint8)
    return rng.standard_normal(count).astype(DTYPES[kind]).view(np.uint8)


# -- mma.sync --------------------------------------------------------------------------------------
CHAINS, LOOPS = 4, 20000


class Mma(NamedTuple):
    """An mma.sync: target, shape, type of A and B, of C and D, registers of A, B, C."""

    target: str
    shape: str
    kind: str
    result: str
    registers: tuple[int, int, int]
    scaled: str = ""

    @property
    def products(self) -> int:
        """M x N x K."""
        m, rest = self.shape[1:].split("n")
        n, k = rest.split("k")
        return int(m) * int(n) * int(k)

    def text(self) -> str:
        """A warp that loads A and B and multiplies again and again, into several D in turns."""
        a, b, c = self.registers
        wide = self.kind == "f64"
        bits = {"f64": "f64", "f32": "f32"}.get(self.result, "b32")
        operand = "f64" if wide else "b32"
        names = [[f"%{n}{i}" for i in range(count)] for n, count in (("a", a), ("b", b))]
        each = 8 if wide else 4
        loads = "".join(
            f"ld.global.{operand} {name}, [%p+{each * i}];\n"
            for i, name in enumerate(names[0] + names[1])
        )
        left, right = (f"{{{', '.join(each)}}}" for each in names)
        body = ""
        for chain in range(CHAINS):
            d = "{" + ", ".join(f"%d{chain * c + i}" for i in range(c)) + "}"
            scales = ", %s, {0, 0}, %s, {0, 0}" if self.scaled else ""
            types = f"{self.result}.{self.kind}.{self.kind}.{self.result}"
            body += (
                f"mma.sync.aligned.{self.shape}.row.col{self.scaled}.{types}"
                f"{'.ue8m0' if self.scaled else ''} {d}, {left}, {right}, {d}{scales};\n"
            )
        zero = {"f32": "0f00000000", "f64": "0d0000000000000000"}.get(bits, "0")
        zeros = "".join(f"mov.{bits} %d{i}, {zero};\n" for i in range(CHAINS * c))
        stores = "".join(f"st.global.{bits} [%q+{8 * i}], %d{i};\n" for i in range(CHAINS * c))
        return f"""\
.version 8.8
.target {self.target}
.address_size 64
.visible .entry k(.param .u64 from, .param .u64 to, .param .u32 times) {{
.reg .{operand} %a<{a}>, %b<{b}>; .reg .{bits} %d<{CHAINS * c}>; .reg .b64 %p, %q, %w;
.reg .b32 %t, %n, %s; .reg .pred %more;
ld.param.u64 %p, [from]; ld.param.u64 %q, [to]; ld.param.u32 %n, [times]; mov.u32 %t, %tid.x;
mul.wide.u32 %w, %t, {each * (a + b)}; add.u64 %p, %p, %w; mul.wide.u32 %w, %t, {8 * CHAINS * c};
add.u64 %q, %q, %w; mov.b32 %s, 0x7f7f7f7f;
{loads}{zeros}AGAIN:
{body}sub.u32 %n, %n, 1; setp.ne.u32 %more, %n, 0; @%more bra AGAIN;
{stores}ret;
}}
"""

    def seconds(self, repeats: int) -> float:
        """Processor time of one instruction: of a long loop less a short one."""
        import lanemap

        device = lanemap.open_device(self.target, device="emulator")
        a, b, c = self.registers
        each = 8 if self.kind == "f64" else 4
        kind = self.kind if self.kind in DTYPES else "e4m3"
        given = codes(kind, 32 * each * (a + b))[: 32 * each * (a + b)]
        out = device.zeros(32 * CHAINS * c, np.float64)
        kernel, arguments = device.load(self.text())["k"], (device.array(given), out)
        return looped(lambda n: kernel(1, 32, (*arguments, np.uint32(n))), repeats) / CHAINS


def looped(launch: Callable[[int], None], repeats: int) -> float:
    """The least time of one turn of a kernel's loop."""
    least = {}
    for _ in range(repeats + 1):
        for turns in (LOOPS // 10, LOOPS):
            start = time.process_time()
            launch(turns)
            took = time.process_time() - start
            least[turns] = min(took, least.get(turns, took))
    return (least[LOOPS] - least[LOOPS // 10]) / (LOOPS - LOOPS // 10)


# -- MFMA ------------------------------------------------------------------------------------------
class Mfma(NamedTuple):
    """A v_mfma: target, name, M = N, K, registers of A (and of B), type."""

    target: str
    name: str
    side: int
    depth: int
    registers: int
    kind: str

    @property
    def results(self) -> int:
        """Registers of D."""
        return self.side * self.side // 64 * (2 if self.kind == "f64" else 1)

    def text(self) -> str:
        """As `Mma.text`; one D, since a wave waits for it anyhow."""
        from lanemap.toolchain.amdgcn_kernel import Kernel

        count, last = self.registers, 15 + self.results
        loads = "".join(
            f"    global_load_dword v{first + i}, v1, s[4:5] offset:{4 * (i + first - 64)}\n"
            for first in (64, 64 + count)
            for i in range(count)
        )
        zeros = "".join(f"    v_mov_b32_e32 v{16 + i}, 0\n" for i in range(self.results))
        a, b = (
            f"v[{first}:{first + count - 1}]" if count > 1 else f"v{first}"
            for first in (64, 64 + count)
        )
        body = f"    {self.name} v[16:{last}], {a}, {b}, v[16:{last}]\n" * CHAINS
        stores = "".join(
            f"    global_store_dword v2, v{16 + i}, s[6:7] offset:{4 * i}\n"
            for i in range(self.results)
        )
        text = f"""\
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    s_load_dword s10, s[0:1], 0x10
    v_mul_u32_u24_e32 v1, {8 * count}, v0
    v_mul_u32_u24_e32 v2, {4 * self.results}, v0
    s_waitcnt lgkmcnt(0)
{loads}{zeros}    s_waitcnt vmcnt(0)
    s_nop 7
.Lagain:
{body}    s_sub_i32 s10, s10, 1
    s_cmp_gt_i32 s10, 0
    s_cbranch_scc1 .Lagain
    s_nop 15
    s_nop 15
{stores}    s_endpgm
"""
        return Kernel("k", ("from", "to"), ("times",), 0, 64 + 2 * count, 24, 64).text(
            text, self.target
        )

    def seconds(self, repeats: int) -> float:
        """Processor time of one instruction."""
        import lanemap

        device = lanemap.open_device(self.target, device="emulator")
        given = device.array(codes(self.kind, 64 * 8 * self.registers)[: 64 * 8 * self.registers])
        out = device.zeros(64 * self.results, np.uint32)
        kernel = device.load(self.text())["k"]
        return looped(lambda n: kernel(1, 64, (given, out, np.uint32(n))), repeats) / CHAINS


# -- the table -------------------------------------------------------------------------------------
def wgmma(kind: str, columns: int = 256) -> Case:
    """A wgmma of a type, into f32 or s32."""
    import emulator_wgmma

    form = emulator_wgmma.Form(columns, "s32" if kind == "s8" else "f32", kind, kind)
    image = codes(kind, emulator_wgmma.IMAGE)[: emulator_wgmma.IMAGE]
    name = f"wgmma {kind} 64x{columns}x{form.depth}"
    return Case(
        name, 64 * columns * form.depth, lambda n: emulator_wgmma.seconds_of(form, image, n)
    )


def tcgen05(kind: str) -> Case:
    """A tcgen05.mma of a .kind; f8f6f4 of e4m3."""
    import emulator_tcgen05

    case = emulator_tcgen05.Case(kind, 128, 256)
    depth = int(case.name.split()[0].split("x")[2])
    element = {"f16": "bf16", "tf32": "tf32", "i8": "i8"}.get(kind, "e4m3")
    element = "e2m1" if kind.startswith("mxf4") else element
    image = codes(element, emulator_tcgen05.IMAGE)[: emulator_tcgen05.IMAGE]
    return Case(
        f"tcgen05 {kind} {case.name.split()[0]}",
        128 * 256 * depth,
        lambda n: emulator_tcgen05.seconds(case, n, image),
    )


MMA = [
    Mma("sm_90a", "m16n8k16", "bf16", "f32", (4, 2, 4)),
    Mma("sm_90a", "m16n8k16", "f16", "f32", (4, 2, 4)),
    Mma("sm_90a", "m16n8k8", "tf32", "f32", (4, 2, 4)),
    Mma("sm_90a", "m16n8k32", "e4m3", "f32", (4, 2, 4)),
    Mma("sm_89", "m16n8k32", "e4m3", "f32", (4, 2, 4)),
    Mma("sm_80", "m16n8k16", "bf16", "f32", (4, 2, 4)),
    Mma("sm_80", "m16n8k32", "s8", "s32", (4, 2, 4)),
    Mma("sm_80", "m8n8k4", "f64", "f64", (1, 1, 2)),
    Mma("sm_90a", "m16n8k16", "f64", "f64", (8, 4, 4)),
    Mma("sm_120a", "m16n8k64", "e2m1", "f32", (4, 2, 4),
        ".kind::mxf4nvf4.block_scale.scale_vec::2X"),
    Mma("sm_120a", "m16n8k32", "e4m3", "f32", (4, 2, 4),
        ".kind::mxf8f6f4.block_scale.scale_vec::1X"),
]  # fmt: skip
MFMA = [
    Mfma("gfx950", "v_mfma_f32_16x16x32_bf16", 16, 32, 4, "bf16"),
    Mfma("gfx950", "v_mfma_f32_32x32x16_f16", 32, 16, 4, "f16"),
    Mfma("gfx950", "v_mfma_f32_32x32x64_f8f6f4", 32, 64, 8, "e4m3"),
    Mfma("gfx950", "v_mfma_i32_16x16x64_i8", 16, 64, 4, "i8"),
    Mfma("gfx950", "v_mfma_f64_16x16x4_f64", 16, 4, 2, "f64"),
    Mfma("gfx942", "v_mfma_f32_32x32x8_bf16", 32, 8, 2, "bf16"),
    Mfma("gfx942", "v_mfma_f32_16x16x16_f16", 16, 16, 2, "f16"),
    Mfma("gfx942", "v_mfma_f32_16x16x32_fp8_fp8", 16, 32, 2, "e4m3_fnuz"),
    Mfma("gfx90a", "v_mfma_f32_32x32x8bf16_1k", 32, 8, 2, "bf16"),
]


def cases() -> list[Case]:
    """All instructions of the table."""
    return [
        *(wgmma(kind) for kind in ("bf16", "f16", "tf32", "e4m3", "e5m2", "s8")),
        wgmma("bf16", 64),
        *map(tcgen05, ("f16", "tf32", "f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4")),
        *(
            Case(f"mma.sync {each.target} {each.kind} {each.shape}", each.products, each.seconds)
            for each in MMA
        ),
        *(
            Case(f"{each.target} {each.name}", each.side * each.side * each.depth, each.seconds)
            for each in MFMA
        ),
    ]


def measure(names: Sequence[str], repeats: int) -> dict[str, float]:
    """GMAC/s of the cases, in this process, of code as loops have that run long."""
    compile_at_once()
    chosen = [each for each in cases() if not names or any(name in each.name for name in names)]
    return {each.name: each.products / each.seconds(repeats) / 1e9 for each in chosen}


def elsewhere(cpu: str, names: Sequence[str], repeats: int) -> dict[str, float]:
    """The same for another processor."""
    command = [sys.executable, __file__, *names, "--repeats", str(repeats), "--json"]
    environment = {"PYTHONPATH": str(Path(__file__).resolve().parents[1])} | os.environ
    environment |= {"LANEMAP_CPU": cpu} if cpu else {}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)["gmacs"]
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--cpu", action="append", default=[])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    os.environ["LANEMAP_THREADS"] = "1"
    if given.json:
        print(json.dumps({"machine": describe(), "gmacs": measure(given.names, given.repeats)}))
        return
    of = partial(elsewhere, names=given.names, repeats=given.repeats)
    found = {cpu or "this processor": of(cpu) for cpu in given.cpu or [""]}
    print(", ".join(f"{name} {value}" for name, value in describe().items()))
    print(f"{'GMAC/s a core':44}" + "".join(f"{name:>16}" for name in found))
    for name in next(iter(found.values())):
        print(f"{name:44}" + "".join(f"{of_cpu[name]:16.2f}" for of_cpu in found.values()))


if __name__ == "__main__":
    main()
