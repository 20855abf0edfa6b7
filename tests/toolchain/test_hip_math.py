"""Math functions of HIP sources: the errors that docs/hip.md states, against mpmath."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import numpy.typing as npt
import pytest

import lanemap

Array = npt.NDArray[Any]
PAGE = Path(__file__).parents[2] / "docs/hip.md"
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| ([\d.]+) \| ([^|]+) \| ([\d.]+) \|$", re.MULTILINE)
ROWS = {m[1]: ((m[2], float(m[3])), (m[4], float(m[5]))) for m in ROW.finditer(PAGE.read_text())}
TYPES = (("float", np.float32), ("double", np.float64))

ORACLES: dict[str, Callable[..., Any]] = {
    name: getattr(mpmath, name)
    for name in (
        "exp expm1 log log10 log1p sqrt sin cos tan sinpi cospi asin acos atan sinh cosh tanh "
        "asinh acosh atanh erf erfc atan2 hypot"
    ).split()
} | {
    "exp2": lambda x: mpmath.power(2, x),
    "exp10": lambda x: mpmath.power(10, x),
    "log2": lambda x: mpmath.log(x) / mpmath.log(2),
    "rsqrt": lambda x: 1 / mpmath.sqrt(x),
    "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
    "rcbrt": lambda x: mpmath.sign(x) / mpmath.cbrt(abs(x)),
    "erfcx": lambda x: mpmath.exp(x * x) * mpmath.erfc(x),
    "normcdf": mpmath.ncdf,
    "tgamma": mpmath.gamma,
    "lgamma": mpmath.loggamma,
    "pow": mpmath.power,
    "rhypot": lambda x, y: 1 / mpmath.hypot(x, y),
    "fmod": lambda x, y: mpmath.sign(x) * mpmath.fmod(abs(x), abs(y)),
}
SECOND = {"pow": "[-6, 6]", "fmod": "±1e-8 .. 1e8", "rhypot": "", "hypot": "", "atan2": ""}


def draw(text: str, count: int, seed: int) -> Array:
    """Random arguments of a range as the page writes it."""
    random = np.random.default_rng(seed)
    low, high = (float(word) for word in re.findall(r"-?\d[\d.]*(?:e-?\d+)?", text))
    if text.startswith("["):
        return random.uniform(low, high, count)
    values = np.exp(random.uniform(np.log(low), np.log(high), count))
    return values * random.choice([-1, 1], count) if text.startswith("±") else values


def source(names: list[str]) -> str:
    text = "#include <hip/hip_runtime.h>\n"
    for name in names:
        for kind, _ in TYPES:
            second, use = (f"const {kind}* y, ", ", y[i]") if name in SECOND else ("", "")
            text += (
                f'extern "C" __global__ void {name}_{kind}(const {kind}* x, {second}{kind}* o) {{'
                f" int i = blockIdx.x * 64 + threadIdx.x; o[i] = std::is_same_v<{kind}, float>"
                f" ? {name}f(x[i]{use}) : {name}(x[i]{use}); }}\n"
            )
    return text


def worst(found: Array, arguments: list[Array], oracle: Callable[..., Any]) -> float:
    """The largest error, in units of the last place of the exact result."""
    most = 0.0
    smallest = float(np.finfo(found.dtype).tiny)
    with mpmath.workprec(1200 if max(abs(a).max() for a in arguments) > 1e30 else 160):
        for value, *at in zip(found.tolist(), *(a.tolist() for a in arguments), strict=True):
            exact = oracle(*map(mpmath.mpf, at))
            size = max(abs(float(exact)), smallest)
            ulp = float(np.spacing(found.dtype.type(size)))
            most = max(most, float(abs(mpmath.mpf(value) - exact) / ulp))
    return most


def hold(names: list[str], count: int) -> None:
    device = lanemap.open_device("gfx950", "emulator")
    module = device.compile(source(names))
    for name in names:
        for (kind, dtype), (text, bound) in zip(TYPES, ROWS[name], strict=True):
            xs = [draw(text, count, 11).astype(dtype)]
            if name in SECOND:
                xs.append(draw(SECOND[name] or text, count, 12).astype(dtype))
            out = device.zeros(count, dtype)
            module[f"{name}_{kind}"](count // 64, 64, [*map(device.array, xs), out])
            assert worst(out.get(), xs, ORACLES[name]) <= bound, (name, kind)


def test_the_errors_of_a_few() -> None:
    hold(["tanh"], 64)


@pytest.mark.slow
def test_the_errors_of_all() -> None:
    assert set(ROWS) == set(ORACLES)
    names = list(ROWS)
    hold(names[:20], 256)
    hold(names[20:], 256)


SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-310, -1e-310, 0.5, 2.0, -2.5]
# NumPy's own functions, which are the C library's.
KNOWN = (
    "exp exp2 expm1 log log2 log10 log1p sqrt cbrt sin cos tan arcsin arccos arctan sinh cosh tanh "
    "arcsinh arccosh arctanh floor ceil trunc rint"
).split()
KNOWN_OF_TWO = "power arctan2 hypot fmod copysign nextafter fmin fmax".split()
C_NAMES = {"power": "pow"} | {
    f"arc{name}": f"a{name}" for name in "sin cos tan sinh cosh tanh tan2".split()
}


@pytest.mark.slow
def test_infinities_zeros_and_nans() -> None:
    x, y = (a.reshape(-1) for a in np.meshgrid(SPECIAL, SPECIAL))
    x, y = (np.pad(a, (0, 192 - a.size), mode="edge") for a in (x, y))
    text = "#include <hip/hip_runtime.h>\n"
    for name in (*KNOWN, *KNOWN_OF_TWO):
        call = f"{C_NAMES.get(name, name)}(x[i]{', y[i]' if name in KNOWN_OF_TWO else ''})"
        text += (
            f'extern "C" __global__ void k_{name}(const double* x, const double* y, double* o) {{'
            f" int i = blockIdx.x * 64 + threadIdx.x; o[i] = std::{call}; }}\n"
        )
    device = lanemap.open_device("gfx950", "emulator")
    module = device.compile(text)
    for name in (*KNOWN, *KNOWN_OF_TWO):
        out = device.zeros(192, np.float64)
        module[f"k_{name}"](3, 64, [device.array(x), device.array(y), out])
        with np.errstate(all="ignore"):
            expected = getattr(np, name)(*((x, y) if name in KNOWN_OF_TWO else (x,)))
        found = out.get()
        assert np.allclose(found, expected, rtol=1e-14, atol=0, equal_nan=True), name
        zeros = expected == 0
        if name not in ("fmin", "fmax"):  # either zero may come of two (IEEE 754-2008, minNum)
            assert (np.signbit(found) == np.signbit(expected))[zeros].all(), name


def test_the_page_names_what_is_there() -> None:
    """Each name of the page's first table is declared, in the headers of its row."""
    table = PAGE.read_text().partition("## What is provided")[2].partition("\n## ")[0]
    headers = sorted({f"#include <{m}>" for m in re.findall(r"`(hip/\w+\.h)`", table)})
    names = sorted(set(re.findall(r"`((?:cooperative_groups::)?\w+)`", table)))
    assert len(names) > 240
    text = "\n".join(["#include <hip/hip_runtime.h>", *headers, "namespace named {"])
    for name in [*names, *(f"{name}f" for name in ROWS), *ROWS]:
        macro = name.startswith("__") and name.endswith("__")
        other = name.endswith("_fnuz")  # types of gfx942
        if (
            not macro
            and not other
            and name not in ("f", "printf", "new", "delete", "malloc", "free", "main")
        ):
            text += f"\nusing ::{name};"
    device = lanemap.open_device("gfx950", "emulator")
    device.compile(f"{text}\n}}\n__global__ void k() {{}}")
