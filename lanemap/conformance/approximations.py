"""The error of PTX's approximate instructions, measured on every input.

The ISA only bounds what an approximation returns (NVIDIA PTX ISA, Floating Point Instructions), so
the result must be observed on silicon. A CUDA kernel sweeps all f32 inputs, all upper words of f64,
and 2^32 pairs for quotients. One line of PTX sweeps the 16-bit forms, in both halves of a word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

#: Instruction and the function of a double that it approximates.
FUNCTIONS = {
    "ex2.approx": "exp2", "lg2.approx": "log2", "rcp.approx": "1.0 /", "rsqrt.approx": "rsqrt",
    "sqrt.approx": "sqrt", "sin.approx": "sin", "cos.approx": "cos", "tanh.approx": "tanh",
}  # fmt: skip
#: Shapes of approximations.cu: what is counted.
_UNITS = {1: "f32 values", 2: "f32 values", 3: "upper words of f64", 4: "f64 values"}
_WIDE = {
    "rcp.approx.ftz.f64": (3, "1.0 /"), "rsqrt.approx.ftz.f64": (3, "1.0 / sqrt"),
    "rsqrt.approx.f64": (4, "1.0 / sqrt"),
}  # fmt: skip
_QUOTIENTS = ("div.approx.f32", "div.approx.ftz.f32", "div.full.f32", "div.full.ftz.f32")
#: Forms of 16 bits by the function of float64 that they approximate.
NARROW: Mapping[str, Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]] = {
    "ex2.approx.f16": np.exp2, "ex2.approx.f16x2": np.exp2,
    "ex2.approx.ftz.bf16": np.exp2, "ex2.approx.ftz.bf16x2": np.exp2,
    "tanh.approx.f16": np.tanh, "tanh.approx.f16x2": np.tanh,
    "tanh.approx.bf16": np.tanh, "tanh.approx.bf16x2": np.tanh,
}  # fmt: skip
_BLOCKS, _THREADS = 132 * 8, 256
_BINS = 1 << 16
_ROOM = 1 << 18
WORST = 64


def forms() -> list[str]:
    """Every approximate form, with and without .ftz; tanh has no .ftz."""
    plain = [f"{name}.f32" for name in FUNCTIONS]
    flushing = [f"{name}.ftz.f32" for name in FUNCTIONS if name != "tanh.approx"]
    return sorted([*plain, *flushing, *_WIDE, *_QUOTIENTS, *NARROW])


def source(form: str) -> str:
    """The CUDA C++ that sweeps one form of 32 or 64 bits."""
    shape, function = _WIDE.get(form, (2 if form in _QUOTIENTS else 1, ""))
    if shape == 1:
        function = FUNCTIONS[form.removesuffix(".f32").removesuffix(".ftz")]
    text = Path(__file__).with_name("approximations.cu").read_text()
    return (
        f'#define FUNCTION "{form}"\n#define REFERENCE(x) ({function}(x))\n'
        f"#define FTZ {int('.ftz' in form)}\n#define SHAPE {shape}\n{text}"
    )


def bucket(distance: int) -> int:
    """The histogram bucket of a distance."""
    return distance if distance < 4 else 1 + distance.bit_length()


def bucket_name(number: int) -> str:
    """The distances that a bucket counts: "0", "3", "4-7", .., "NaN on one side"."""
    if number < 4:
        return str(number)
    if number == 35:
        return "NaN on one side"
    low = 1 << (number - 2)
    return f"{low}-{2 * low - 1}"


def observe(device: Any, form: str) -> Mapping[str, Any]:
    """The histogram, the largest distance and the WORST inputs of one form on a GPU.

    A distance is how many values of the type lie between the result and the rounded result.
    """
    if form in NARROW:
        return observe_narrow(device, form)
    module = device.compile(source(form))
    counts, largest = device.zeros(36, np.uint64), device.zeros(1, np.uint32)
    module["histogram"](_BLOCKS, _THREADS, (counts, largest))
    most = int(largest.get()[0])
    pairs = _farthest(device, module, _threshold(device, module, most))
    shape = _WIDE.get(form, (2 if form in _QUOTIENTS else 1, ""))[0]
    return {
        "form": form,
        "inputs": 1 << 32,
        "unit": _UNITS[shape],
        "distances": {bucket_name(n): int(c) for n, c in enumerate(counts.get()) if c},
        "largest_distance": most,
        "worst": _worst(device, module, pairs, (8, 16)[shape == 2], (8, 16)[shape > 2]),
    }


def _threshold(device: Any, module: Any, most: int) -> int:
    """The largest distance that at least WORST inputs reach; 1 if fewer inputs are off at all."""
    low, step = 1, most
    while step > 1:
        step = -(-step // _BINS)
        fine = device.zeros(_BINS, np.uint32)
        sizes = (np.uint32(low), np.uint32(step), np.uint32(_BINS))
        module["refine"](_BLOCKS, _THREADS, (fine, *sizes))
        reached = np.cumsum(fine.get()[::-1].astype(np.uint64))[::-1]
        enough = np.nonzero(reached >= WORST)[0]
        if not len(enough):
            break
        low += step * int(enough[-1])
    return low


def _farthest(device: Any, module: Any, low: int) -> npt.NDArray[np.uint32]:
    """Distances and numbers of the WORST inputs, farthest first; ties go to the first inputs."""

    def collected(least: int, limit: int) -> tuple[int, npt.NDArray[np.uint32]]:
        found, count = device.zeros((_ROOM, 2), np.uint32), device.zeros(1, np.uint32)
        sizes = (np.uint32(least), np.uint32(_ROOM), np.uint64(limit))
        module["collect"](_BLOCKS, _THREADS, (found, count, *sizes))
        number = int(count.get()[0])
        return number, found.get()[: min(number, _ROOM)]

    few, many = 0, 1 << 32
    number, pairs = collected(low, many)
    if number > _ROOM:  # Too many inputs share the distance: keep the first ones.
        while many - few > 1:
            middle = (few + many) // 2
            number, _ = collected(low, middle)
            few, many = (middle, many) if number <= _ROOM else (few, middle)
        pairs = np.concatenate([collected(low, few)[1], collected(low + 1, 1 << 32)[1]])
        pairs = np.unique(pairs, axis=0)
    order = np.lexsort((pairs[:, 1], -pairs[:, 0].astype(np.int64)))
    return pairs[order][:WORST]


def _worst(
    device: Any, module: Any, pairs: Any, digits: int, wide: int
) -> list[dict[str, str | int]]:
    """Input, result and rounded result of each pair in hexadecimal, and its distance."""
    if not len(pairs):
        return []
    numbers = device.array(np.ascontiguousarray(pairs[:, 1]))
    given, out, exact = (device.zeros(len(pairs), np.uint64) for _ in range(3))
    module["results"](1, WORST, (numbers, given, out, exact, np.uint32(len(pairs))))
    return [
        {
            "input": f"{i:0{digits}x}",
            "result": f"{o:0{wide}x}",
            "rounded": f"{e:0{wide}x}",
            "distance": int(d),
        }
        for (d, _), i, o, e in zip(pairs, given.get(), out.get(), exact.get(), strict=True)
    ]


# -- sixteen bits ----------------------------------------------------------------------------------
_PTX = """.version 9.0
.target sm_90a
.address_size 64
.visible .entry sweep(.param .u64 in, .param .u64 out)
{
.reg .b32 %n, %c, %t, %x, %y; .reg .b64 %i, %o, %k; .reg .b16 %h, %g;
ld.param.u64 %i, [in];
ld.param.u64 %o, [out];
mov.u32 %n, %tid.x;
mov.u32 %c, %ctaid.x;
mov.u32 %t, %ntid.x;
mad.lo.u32 %n, %c, %t, %n;
mul.wide.u32 %k, %n, 4;
add.u64 %i, %i, %k;
add.u64 %o, %o, %k;
ld.global.b32 %x, [%i];
BODY
st.global.b32 [%o], %y;
ret;
}
"""


def narrow_source(form: str) -> str:
    """The PTX that applies a 16-bit form to both halves of a word."""
    if form.endswith("x2"):
        return _PTX.replace("BODY", f"{form} %y, %x;")
    apply = f"mov.b32 {{%h, %g}}, %x;\n{form} %h, %h;\n{form} %g, %g;\nmov.b32 %y, {{%h, %g}};"
    return _PTX.replace("BODY", apply)


def sweep_narrow(device: Any, form: str) -> npt.NDArray[np.uint16]:
    """The results of a 16-bit form for every input, on any device.

    Raises:
        ValueError: the low and the high half of a word give different results.
    """
    inputs = np.arange(1 << 16, dtype=np.uint32)
    words = inputs | (np.uint32(0xFFFF) - inputs) << np.uint32(16)
    out = device.zeros(1 << 16, np.uint32)
    device.load(narrow_source(form))["sweep"](256, 256, (device.array(words), out))
    found = out.get()
    low: npt.NDArray[np.uint16] = (found & 0xFFFF).astype(np.uint16)
    high = (found >> 16).astype(np.uint16)
    if not np.array_equal(low, high[::-1]):
        raise ValueError(f"{form} gives the halves of a word different results")
    return low


def is_bf16(form: str) -> bool:
    """Whether a 16-bit form operates on bfloat16."""
    return "bf16" in form


def widened(codes: npt.NDArray[np.uint16], form: str) -> npt.NDArray[np.float64]:
    """The values of f16 or bf16 bit patterns."""
    single = (codes.astype(np.uint32) << np.uint32(16)).view(np.float32)
    values: npt.NDArray[Any] = single if is_bf16(form) else codes.view(np.float16)
    return values.astype(np.float64)


def rounded_narrow(form: str) -> npt.NDArray[np.uint16]:
    """NumPy's rounded result for every 16-bit input; NaN is 0x7fff."""
    inputs = np.arange(1 << 16, dtype=np.uint16)
    smallest = 2.0**-126
    with np.errstate(all="ignore"):
        values = widened(inputs, form)
        if ".ftz" in form:
            values = np.where(np.abs(values) < smallest, np.copysign(0, values), values)
        exact = NARROW[form](values)
        if ".ftz" in form:
            exact = np.where(np.abs(exact) < smallest, np.copysign(0, exact), exact)
        half = exact.astype(np.float16).view(np.uint16)
        codes = _to_bf16(exact) if is_bf16(form) else half
    codes[np.isnan(exact)] = 0x7FFF
    return codes


def _to_bf16(values: npt.NDArray[np.float64]) -> npt.NDArray[np.uint16]:
    """Round to the nearest bfloat16, ties to even."""
    _, exponents = np.frexp(values)
    place = np.ldexp(1.0, np.maximum(exponents - 8, -133))
    nearest = np.round(values / place) * place
    nearest = np.where(np.abs(values) < np.inf, nearest, values)
    words: npt.NDArray[np.uint32] = nearest.astype(np.float32).view(np.uint32)
    codes: npt.NDArray[np.uint16] = (words >> np.uint32(16)).astype(np.uint16)
    return codes


def distances(
    one: npt.NDArray[np.uint16], other: npt.NDArray[np.uint16], form: str
) -> npt.NDArray[np.int64]:
    """Distances between 16-bit results; -1 if only one of the two is a NaN, 0 if both are."""
    infinity = 0x7F80 if is_bf16(form) else 0x7C00
    magnitudes = [(codes & 0x7FFF).astype(np.int64) for codes in (one, other)]
    nans = [magnitude > infinity for magnitude in magnitudes]
    ordered = [
        np.where(codes >> 15, -magnitude, magnitude)
        for codes, magnitude in zip((one, other), magnitudes, strict=True)
    ]
    apart = np.where(nans[0] & nans[1], 0, np.abs(ordered[0] - ordered[1]))
    return np.where(nans[0] ^ nans[1], -1, apart)


def observe_narrow(device: Any, form: str) -> Mapping[str, Any]:
    """`observe` for a 16-bit form."""
    found, exact = sweep_narrow(device, form), rounded_narrow(form)
    apart = distances(found, exact, form)
    counts: dict[str, int] = {}
    for distance, count in zip(*np.unique(apart, return_counts=True), strict=True):
        name = bucket_name(35 if distance < 0 else bucket(int(distance)))
        counts[name] = counts.get(name, 0) + int(count)
    worst = [i for i in np.argsort(-apart, kind="stable")[:WORST] if apart[i] > 0]
    return {
        "form": form,
        "inputs": 1 << 16,
        "unit": "bf16 values" if is_bf16(form) else "f16 values",
        "distances": counts,
        "largest_distance": int(apart.max()),
        "worst": [
            {
                "input": f"{i:04x}",
                "result": f"{found[i]:04x}",
                "rounded": f"{exact[i]:04x}",
                "distance": int(apart[i]),
            }
            for i in worst
        ],
    }
