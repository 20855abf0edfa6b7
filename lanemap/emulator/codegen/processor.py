"""The target processor of generated code.

LLVM says which it is. Its answer is kept (lanemap/cache.py) by what Linux says of the processor, so
that a later process needs no LLVM for it.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lanemap import cache
from lanemap.dataclass import dataclass
from lanemap.emulator.codegen.sources import source_hash
from lanemap.emulator.codegen.strip_width import Strips
from lanemap.errors import UserError

#: Processors that LANEMAP_CPU may name, each with what it has beyond the one before it (x86-64
#: psABI, "Micro-Architecture Levels"; names of features as LLVM has them).
LEVELS = {
    "x86-64": "sse2",
    "x86-64-v2": "cx16 sahf popcnt sse3 ssse3 sse4.1 sse4.2",
    "x86-64-v3": "avx avx2 bmi bmi2 f16c fma lzcnt movbe",
    "x86-64-v4": "avx512f avx512bw avx512cd avx512dq avx512vl",
}


#: LLVM's level for what is compiled.
LEVEL = 1


@dataclass(frozen=True)
class Processor:
    """A processor as LLVM names it; `features` are those that its name does not say.

    `level` names the best library of the runtime that it can execute (built.RUNTIMES); "" for none.
    `made_by` is the version of llvmlite.
    """

    triple: str
    name: str
    features: str
    strips: Strips
    level: str
    made_by: str

    @property
    def identity(self) -> str:
        """Identity of the processor in cache keys: with the IR, it decides the code LLVM emits."""
        return f"{self.made_by} {self.triple} {self.name} {self.features} {self.strips}"

    def machine(self, level: int) -> Any:
        """LLVM's target machine at an optimization level (0 to 3)."""
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        target = llvm.Target.from_triple(self.triple)
        return target.create_target_machine(
            opt=level, cpu=self.name, jit=True, features=self.features
        )

    def emit_object(self, ir: str) -> bytes:
        """The object that LLVM makes of IR."""
        import llvmlite.binding as llvm

        return bytes(self.machine(LEVEL).emit_object(llvm.parse_assembly(ir)))


def _required(name: str) -> list[str]:
    """The features of a level and of those below it."""
    names = list(LEVELS)
    return [f for level in names[: names.index(name) + 1] for f in LEVELS[level].split()]


def strips_of(register_lanes: int, x86: bool) -> Strips:
    """The strips for a processor whose registers hold so many lanes of 32 bits.

    With several registers in each vector chains of dependent operations overlap: worth a third to
    a half of the time.
    """
    return Strips(max(min(4 * register_lanes, 32), 8), x86, register_lanes == 16)


def processor() -> Processor:
    """Return this machine's processor, or the lesser one that LANEMAP_CPU names.

    Raises:
        UserError: LANEMAP_CPU names none of LEVELS, or one that this processor cannot be.
    """
    return _processor(os.environ.get("LANEMAP_CPU", ""))


#: What Linux says of a processor, in lines that say the same each time.
_CPUINFO = Path("/proc/cpuinfo")
_STEADY = (
    "vendor_id", "cpu family", "model", "stepping", "flags", "Features", "CPU implementer",
    "CPU architecture", "CPU variant", "CPU part", "CPU revision",
)  # fmt: skip


def _key(wanted: str) -> str:
    """Key of what decides LLVM's answer; "" where that is not known."""
    llvmlite = importlib.util.find_spec("llvmlite")
    if llvmlite is None or llvmlite.origin is None:
        return ""
    version = Path(llvmlite.origin).with_name("_version.py")
    try:
        with _CPUINFO.open() as file:
            lines = file.read(1 << 14).split("\n\n")[0].splitlines()
        parts = [str(version), version.read_text(), wanted, source_hash(Path(__file__).parent)]
    except OSError:
        return ""
    steady = [line for line in lines if line.partition(":")[0].strip().startswith(_STEADY)]
    whole = "\0".join(["processor", *parts, *steady])
    return hashlib.sha256(whole.encode()).hexdigest() if steady else ""


@functools.cache
def _processor(wanted: str) -> Processor:
    key = _key(wanted)
    kept = cache.lookup(key) if key else None
    if kept is not None:
        told = json.loads(kept)
        return Processor(**told | {"strips": Strips(**told["strips"])})
    found = _asked(wanted)
    if key:
        cache.keep(key, json.dumps(asdict(found)).encode())
    return found


def _asked(wanted: str) -> Processor:
    """The processor as LLVM knows it."""
    import llvmlite
    import llvmlite.binding as llvm

    version = llvmlite.__version__
    triple = llvm.get_process_triple()
    x86 = triple.startswith("x86_64")
    have = llvm.get_host_cpu_features()
    host = llvm.get_host_cpu_name()
    linux = "linux" in triple
    levels = [n for n in LEVELS if x86 and all(have.get(f) for f in _required(n))]
    if wanted in ("", host):
        lanes = 16 if have.get("avx512f") and have.get("avx512vl") else 8 if have.get("avx") else 4
        best = levels[-1] if levels else "aarch64" if triple.startswith("aarch64") else ""
        strips = strips_of(lanes, x86)
        return Processor(triple, host, have.flatten(), strips, best if linux else "", version)
    names = list(LEVELS) if x86 else []
    if wanted not in names:
        choices = ", ".join([*names, host])
        raise UserError(
            f"LANEMAP_CPU={wanted} is not a processor that code can be generated for here; "
            f"choose one of {choices}"
        )
    missing = [feature for feature in _required(wanted) if not have.get(feature)]
    if missing:
        raise UserError(
            f"LANEMAP_CPU={wanted} needs {missing[0]}, which this processor ({host}) does not have"
        )
    lanes = {"x86-64-v3": 8, "x86-64-v4": 16}.get(wanted, 4)
    return Processor(triple, wanted, "", strips_of(lanes, x86), wanted if linux else "", version)
