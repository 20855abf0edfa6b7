"""The C corpus on the host and for AMD's targets: find, compile, feed and compare its cases.

Every case is compiled alone (the helpers and tables of its file, then the case), so that a
device that refuses one instruction refuses one case. Objects are kept in a folder of the system's
temporary directory, named by what they were made from.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from lanemap.toolchain.amdgpu import find_tools

HERE = Path(__file__).resolve().parent
LANES = 64
LEVELS = (0, 1, 2, 3)
DTYPES: dict[str, str] = {
    "i8": "int8",
    "u8": "uint8",
    "text": "uint8",
    "i16": "int16",
    "u16": "uint16",
    "i32": "int32",
    "small": "int32",
    "u32": "uint32",
    "i64": "int64",
    "u64": "uint64",
    "f32": "float32",
    "tame": "float32",
    "f64": "float64",
    "dtame": "float64",
}
# IEEE arithmetic as written, in the language that C11 and C++17 share.
FLAGS = ("-std=c11", "-ffp-contract=off", "-fno-math-errno", f"-I{HERE}")
# gcc 12 takes -x for 0 - x unless the rounding may change: found/zero_minus.c.
HOST = ("-fPIC", "-march=native", "-fvisibility=hidden", "-frounding-math")
AMD = ("-target", "amdgcn-amd-amdhsa", "-nogpulib")
_HEAD = re.compile(r"^(CASE|GROUP)\((\w+), (\w+), (\w+), (\d+), (\d+)\)", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """One function of the corpus; `inputs` and `outputs` are values an element.

    `source` is a whole unit that holds it; `file` is empty for one that no file holds.
    """

    name: str
    file: str
    group: bool
    input_type: str
    output_type: str
    inputs: int
    outputs: int
    source: str

    @property
    def elements(self) -> int:
        """How many elements a run has; a last wave that is not full where a case allows it."""
        return 2 * LANES if self.group else 3 * LANES + 9

    def __str__(self) -> str:
        return self.name


@cache
def cases() -> dict[str, Case]:
    """All cases by name."""
    found: dict[str, Case] = {}
    for path in sorted(HERE.glob("*.c")):
        text = path.read_text()
        heads = list(_HEAD.finditer(text))
        prelude = text[: heads[0].start()]
        for head, after in zip(heads, [*heads[1:], None], strict=True):
            body = text[head.start() : after.start() if after else len(text)]
            kind, name, input_type, output_type, inputs, outputs = head.groups()
            if name in found:
                raise ValueError(f"{path.name} and {found[name].file} both have a case {name}")
            found[name] = Case(
                name,
                path.name,
                kind == "GROUP",
                input_type,
                output_type,
                int(inputs),
                int(outputs),
                prelude + body,
            )
    return found


def input_values(case: Case, seed: int = 1) -> Any:
    """What a case is fed: edge values, small values and random bits, mixed."""
    rng = np.random.default_rng([seed, *case.name.encode()])
    dtype = np.dtype(DTYPES[case.input_type])
    count = case.elements * case.inputs
    if case.input_type == "small":
        return rng.integers(-100, 101, count).astype(dtype)
    if case.input_type == "text":
        return rng.choice(np.frombuffer(b"abcdefgxyz  0123456789", np.uint8), count)
    if case.input_type in ("tame", "dtame"):
        return _tame(rng, count, dtype)
    bits = rng.integers(0, 256, count * dtype.itemsize, dtype=np.uint8).view(dtype)
    small = rng.integers(0, 20, count).astype(dtype)
    edges = rng.choice(_edges(dtype), count)
    return np.choose(rng.integers(0, 3, count), [bits, small, edges])


def _tame(rng: np.random.Generator, count: int, dtype: np.dtype[Any]) -> Any:
    size = rng.uniform(1, 2, count) * 2.0 ** rng.integers(-20, 20, count)
    near = rng.uniform(-4, 4, count)
    whole = rng.integers(-9, 10, count)
    signed = size * rng.choice([-1.0, 1.0], count)
    return np.choose(rng.integers(0, 3, count), [signed, near, whole]).astype(dtype)


def _edges(dtype: np.dtype[Any]) -> Any:
    if dtype.kind == "f":
        info = np.finfo(dtype)
        values = [0.0, 1.0, 1.5, 0.1, 3.0, info.max, info.tiny, info.smallest_subnormal, info.eps]
        values += [info.tiny * 0.75, 2.0**23 - 0.5, 2.0**31, 2.0**52 + 1, np.inf, np.nan]
        both = np.array(values, dtype)
        return np.concatenate([both, -both])
    info_i = np.iinfo(dtype)
    ends = [info_i.min, info_i.min + 1, info_i.max, info_i.max - 1]
    powers = [1 << k for k in range(0, info_i.bits - 1)]
    return np.array(ends + [0, *powers, *[p - 1 for p in powers]], dtype)


def _compile(source: str, flags: tuple[str, ...], suffix: str) -> Path:
    """Run ziglang's clang once for each source and set of flags."""
    import importlib.metadata

    header = (HERE / "corpus.h").read_text()
    made_of = "\0".join([source, header, *flags, importlib.metadata.version("ziglang")])
    folder = Path(tempfile.gettempdir()) / f"lanemap-corpus-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    output = folder / (hashlib.sha256(made_of.encode()).hexdigest()[:32] + suffix)
    if not output.exists():
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            unit = Path(scratch) / "unit.c"
            unit.write_text(source)
            made = Path(scratch) / "made"
            tools = find_tools()
            _run(*tools.clang, "-x", "c", *flags, *FLAGS, str(unit), "-o", str(made))
            if suffix == ".so":
                shared = Path(scratch) / "shared"
                _run(*tools.lld, "-shared", str(made), "-o", str(shared))
                made = shared
            made.replace(output)
    return output


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr}")


@cache
def _host_library(source: str, level: int) -> ctypes.CDLL:
    return ctypes.CDLL(str(_compile(source, (*HOST, f"-O{level}", "-c"), ".so")))


def run_host(case: Case, values: Any, level: int) -> Any:
    """The outputs of a case on this machine's processor, at one optimisation level."""
    out = np.zeros(case.elements * case.outputs, DTYPES[case.output_type])
    source = (HERE / case.file).read_text() if case.file else case.source
    entry = getattr(_host_library(source, level), case.name)
    entry.restype = None
    pointer = ctypes.c_void_p
    entry(pointer(values.ctypes.data), pointer(out.ctypes.data), ctypes.c_int(case.elements))
    return out


def amd_text(case: Case, level: int, target: str = "gfx950") -> str:
    """The assembly that clang makes of a case for one of AMD's targets."""
    options = (*AMD, f"-mcpu={target}", f"-O{level}", "-S")
    return _compile(case.source, options, ".s").read_text()


def ptx_text(source: str, target: str, options: tuple[str, ...] = ()) -> str:
    """The PTX that NVRTC makes of a case's source, or of a whole file; contraction is off."""
    from lanemap.toolchain.nvrtc import compile_cuda

    unit = source.replace('#include "corpus.h"', (HERE / "corpus.h").read_text())
    return compile_cuda(unit, target, ("-fmad=false", "-std=c++17", *options), "the corpus")


def run_device(case: Case, values: Any, device: Any, code: Any) -> Any:
    """The outputs of a case on a device, from text or what is loaded; one work-item an element."""
    module = device.load(code) if isinstance(code, str) else code
    given = device.array(values)
    out = device.zeros(case.elements * case.outputs, np.dtype(DTYPES[case.output_type]))
    grid = (-(-case.elements // LANES), 1, 1)
    module[case.name](grid, (LANES, 1, 1), (given, out, np.int32(case.elements)))
    return out.get()


def differences(case: Case, expected: Any, got: Any) -> list[str]:
    """The outputs that differ in any bit, in words; one NaN is as good as another."""
    same = expected.view(np.uint8) == got.view(np.uint8)
    equal = same.reshape(expected.size, -1).all(axis=1)
    if expected.dtype.kind == "f":
        equal |= np.isnan(expected) & np.isnan(got)
    return [
        f"element {i // case.outputs} output {i % case.outputs}: {expected[i]!r}, got {got[i]!r}"
        for i in np.flatnonzero(~equal)
    ]
