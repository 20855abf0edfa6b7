"""From the start of a process to the first launch done: small kernels, Triton's, and kernels/.

    python benchmarks/startup.py [--before PATH] [--only CASE ..] [--triton] [--repeats R] [--json]

* cold: with an empty object cache; warm: with the cache that a cold run left.
* import: `import lanemap` alone; launch: from before the import to the result on the host; process:
  the whole life of the process, the interpreter's start and what a case imports beside lanemap
  included. `processor` is the processor time of that, which other processes disturb less. Of it,
  "NumPy alone" is what a process takes that imports nothing but NumPy. OpenBLAS has one thread:
  others would wait for work on the other cores, and be counted.

With `--before` another checkout of lanemap is measured in turns with this one. Files are in the
system's page cache: the first process of each case is run once for nothing. NVRTC's time is not in
it: PTX is compiled beforehand. `--triton` measures every stored kernel of Triton
(tests/emulator/ptx/triton), the slowest cold one first.
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
from pathlib import Path
from typing import Any

from machine import describe

HERE = Path(__file__).resolve().parent
AMD = """\
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mul_u32_u24_e32 v2, 3, v0
    v_add_u32_e32 v2, 1, v2
    ds_write_b32 v1, v2
    s_waitcnt lgkmcnt(0)
    ds_read_b32 v3, v1
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v3, s[4:5]
    s_endpgm
"""
PTX = """\
.version 8.0
.target sm_90a
.address_size 64
.visible .entry tags(.param .u64 result)
{
    .reg .b32 %r<6>;
    .reg .b64 %d<4>;
    .shared .align 4 .b8 tile[256];
    ld.param.u64 %d1, [result];
    mov.u32 %r1, %tid.x;
    mad.lo.u32 %r2, %r1, 3, 1;
    mov.u32 %r3, tile;
    shl.b32 %r4, %r1, 2;
    add.u32 %r3, %r3, %r4;
    st.shared.u32 [%r3], %r2;
    bar.sync 0;
    ld.shared.u32 %r5, [%r3];
    mul.wide.u32 %d2, %r1, 4;
    add.u64 %d3, %d1, %d2;
    st.global.u32 [%d3], %r5;
    ret;
}
"""
SMALL = """
import numpy as np
device = lanemap.open_device(TARGET, device="emulator")
result = device.zeros(64, np.uint32)
device.load(open(FILE).read())["tags"]((1, 1, 1), (64, 1, 1), (result,))
values = result.get()
assert values.tolist() == [3 * lane + 1 for lane in range(64)], values
"""
TRITON = """
import numpy as np
from tests.emulator.ptx import triton_cases
device = lanemap.open_device(TARGET, device="emulator")
kernel = triton_cases.Compiled(FILE, TARGET)
triton_cases.CASES[FILE](device, kernel, np.random.default_rng(1))
"""
FMHA = """
import ml_dtypes, numpy as np
from kernels.fmha import host
device = lanemap.open_device(TARGET, device="emulator")
text = open(FILE).read()
for kernel in host.KERNELS:
    type(kernel).ptx = lambda *arguments: text
normal = np.random.default_rng(1).normal
q, k, v = (normal(size=(1, 128, 1, 128)).astype(ml_dtypes.bfloat16) for _ in range(3))
o, _ = host.fmha(q, k, v, device=device)
assert np.isfinite(o.astype(np.float32)).all()
"""
#: By name: the code, the target, and the file or the stored kernel.
CASES = {
    "NumPy alone": ("import numpy", "", ""),
    "small gfx950": (SMALL, "gfx950", "small.s"),
    "small sm_90a": (SMALL, "sm_90a", "small.ptx"),
    "Triton matmul sm_90a": (TRITON, "sm_90a", "matmul_bf16"),
    "Triton matmul sm_100a": (TRITON, "sm_100a", "matmul_bf16"),
    "Triton attention sm_90a": (TRITON, "sm_90a", "attention_fp16_64"),
    "fmha sm_90a": (FMHA, "sm_90a", "fmha.sm_90a.ptx"),
    "fmha sm_100a": (FMHA, "sm_100a", "fmha.sm_100a.ptx"),
}
STATES = ("cold", "warm")
STORED = HERE.parent / "tests" / "emulator" / "ptx" / "triton"
PARTS = ("import", "launch", "process", "processor")


def stored_kernels() -> dict[str, tuple[str, str, str]]:
    """Cases of every stored kernel of Triton that has a test."""
    sys.path.insert(0, str(HERE.parent))
    from tests.emulator.ptx import triton_cases

    found = {}
    for path in sorted(STORED.glob("*.ptx")):
        name, target, _ = path.name.split(".")
        if name in triton_cases.CASES:
            found[f"{name} {target}"] = (TRITON, target, name)
    return found


def write_texts(folder: Path) -> None:
    """Write the kernels that are not stored."""
    sys.path.insert(0, str(HERE.parent))
    from kernels.fmha import host
    from lanemap.benching.attention.problem import Problem
    from lanemap.toolchain.amdgcn_kernel import Kernel

    (folder / "small.s").write_text(Kernel("tags", ("result",), (), 256, 8, 16, 64).text(AMD))
    (folder / "small.ptx").write_text(PTX)
    problem = Problem(1, 128, 128, 1, 1, 128)
    for kernel in host.KERNELS:
        text = kernel.ptx(problem, kernel.choose(problem))
        (folder / f"fmha.{kernel.target}.ptx").write_text(text)


def one_process(root: Path, cache: str, name: str, texts: Path) -> dict[str, float]:
    """Seconds of one new process."""
    body, target, file = CASES[name]
    file = str(texts / file) if "." in file else file
    code = "\n".join(
        [
            "import time",
            "start = time.perf_counter()",
            "import lanemap",
            "imported = time.perf_counter()",
            f"TARGET, FILE = {target!r}, {file!r}",
            body,
            "print(imported - start, time.perf_counter() - start)",
        ]
    )
    environment = os.environ | {
        "LANEMAP_CACHE": cache,
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONPATH": str(root),
    }
    # a checkout's modules are compiled to bytecode once, as an installed package's are
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    start = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-c", code], env=environment, cwd=root, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    output = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    process = time.perf_counter() - start
    if status:
        raise SystemExit(f"{name} failed in {root}, as it says above")
    imported, launched = map(float, output.split()[-2:])
    return dict(
        zip(PARTS, (imported, launched, process, used.ru_utime + used.ru_stime), strict=True)
    )


def measure(roots: dict[str, Path], names: list[str], repeats: int) -> dict[str, Any]:
    """Medians by case, checkout, state and part."""
    rows: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        texts = Path(folder)
        write_texts(texts)
        for name in names:
            samples: dict[str, list[dict[str, float]]] = {}
            for number in range(repeats + 1):
                for which, root in roots.items():
                    with tempfile.TemporaryDirectory() as cache:
                        for state in STATES:
                            row = one_process(root, cache, name, texts)
                            if number:
                                samples.setdefault(f"{which} {state}".strip(), []).append(row)
            rows[name] = {
                key: {part: statistics.median(row[part] for row in some) for part in PARTS}
                for key, some in samples.items()
            }
    return rows


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--before", type=Path, help="another checkout, to be measured beside this")
    parser.add_argument("--only", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument(
        "--triton", action="store_true", help="all stored kernels of Triton instead"
    )
    options = parser.parse_args()
    machine = describe()
    if options.triton:
        CASES.clear()
        CASES.update(stored_kernels())
        options.only = list(CASES)
    roots = {"before": options.before.resolve()} if options.before else {}
    roots["after" if roots else ""] = HERE.parent
    rows = measure(roots, options.only, options.repeats)
    if options.triton:
        key = next(key for key in next(iter(rows.values())) if key.endswith("cold"))
        rows = dict(sorted(rows.items(), key=lambda row: -row[1][key]["processor"]))
    if options.json:
        print(json.dumps({"machine": machine, "repeats": options.repeats, "rows": rows}))
        return 0
    print(", ".join(f"{key} {value}" for key, value in machine.items()))
    print(f"seconds, medians of {options.repeats} processes")
    print(" " * 52 + "".join(f"{part:>10}" for part in PARTS))
    for name, row in rows.items():
        for key, parts in row.items():
            print(f"{name:40}{key:12}" + "".join(f"{parts[part]:10.3f}" for part in PARTS))
    return 0


if __name__ == "__main__":
    sys.exit(main())
