"""The approximate f32 instructions of PTX against the correctly rounded result, on every input.

Runs on silicon only: what an approximation returns is not specified beyond a bound (NVIDIA PTX ISA,
Floating Point Instructions), so it can only be observed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

#: Instruction and the function of a double that it approximates.
FUNCTIONS = {
    "ex2.approx": "exp2", "lg2.approx": "log2", "rcp.approx": "1.0 /", "rsqrt.approx": "rsqrt",
    "sqrt.approx": "sqrt", "sin.approx": "sin", "cos.approx": "cos", "tanh.approx": "tanh",
}  # fmt: skip
_BLOCKS, _THREADS = 132 * 8, 256
_BINS = 1 << 16
_ROOM = 1 << 18
WORST = 64


def forms() -> list[str]:
    """Every form: with and without .ftz; tanh has no .ftz."""
    plain = [f"{name}.f32" for name in FUNCTIONS]
    return sorted([*plain, *(f"{n}.ftz.f32" for n in FUNCTIONS if n != "tanh.approx")])


def source(form: str) -> str:
    """The CUDA C++ of one form."""
    name = form.removesuffix(".f32").removesuffix(".ftz")
    text = Path(__file__).with_name("approximations.cu").read_text()
    return (
        f'#define FUNCTION "{form}"\n#define REFERENCE(x) ({FUNCTIONS[name]}(x))\n'
        f"#define FTZ {int('.ftz' in form)}\n{text}"
    )


def bucket_name(number: int) -> str:
    """The distances that a bucket counts: "0", "3", "4-7", .., "NaN on one side"."""
    if number < 4:
        return str(number)
    if number == 35:
        return "NaN on one side"
    low = 1 << (number - 2)
    return f"{low}-{2 * low - 1}"


def observe(device: Any, form: str) -> Mapping[str, Any]:
    """Histogram, largest distance and the WORST inputs of one form, on a device of silicon.

    Distances count f32 values between the result and the correctly rounded one.
    """
    module = device.compile(source(form))
    counts, largest = device.zeros(36, np.uint64), device.zeros(1, np.uint32)
    module["histogram"](_BLOCKS, _THREADS, (counts, largest))
    most = int(largest.get()[0])
    step = max(1, -(-(most + 1) // _BINS))
    fine = device.zeros(_BINS, np.uint32)
    module["refine"](_BLOCKS, _THREADS, (fine, np.uint32(1), np.uint32(step), np.uint32(_BINS)))
    beyond = np.cumsum(fine.get()[::-1].astype(np.uint64))[::-1]
    enough = np.nonzero(beyond >= WORST)[0]
    low = 1 + step * int(enough[-1]) if len(enough) else 1
    found, count = device.zeros((_ROOM, 2), np.uint32), device.zeros(1, np.uint32)
    module["collect"](_BLOCKS, _THREADS, (found, count, np.uint32(low), np.uint32(_ROOM)))
    pairs = found.get()[: min(int(count.get()[0]), _ROOM)]
    pairs = pairs[np.lexsort((pairs[:, 1], -pairs[:, 0].astype(np.int64)))][:WORST]
    return {
        "form": form,
        "inputs": 1 << 32,
        "distance_in_f32_values": {bucket_name(n): int(c) for n, c in enumerate(counts.get()) if c},
        "largest_distance": most,
        "worst": _worst(device, module, pairs),
    }


def _worst(device: Any, module: Any, pairs: Any) -> list[dict[str, str | int]]:
    """Input, result, correctly rounded result (bits in hex) and distance of each pair."""
    if not len(pairs):
        return []
    inputs = device.array(np.ascontiguousarray(pairs[:, 1]))
    out, exact = device.zeros(len(pairs), np.uint32), device.zeros(len(pairs), np.uint32)
    module["results"](1, WORST, (inputs, out, exact, np.uint32(len(pairs))))
    return [
        {"input": f"{i:08x}", "result": f"{o:08x}", "rounded": f"{e:08x}", "distance": int(d)}
        for (d, i), o, e in zip(pairs, out.get(), exact.get(), strict=True)
    ]
