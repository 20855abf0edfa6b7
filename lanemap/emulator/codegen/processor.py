"""The target processor of generated code."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass
from typing import Any

import llvmlite
import llvmlite.binding as llvm

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


@dataclass(frozen=True)
class Processor:
    """A processor as LLVM names it; `features` are those that its name does not say.

    `level` names the best object of the runtime that it can execute (built.OBJECTS); "" for none.
    """

    triple: str
    name: str
    features: str
    strips: Strips
    level: str

    @property
    def identity(self) -> str:
        """Identity of the processor in cache keys: with the IR, it decides the code LLVM emits."""
        return f"{llvmlite.__version__} {self.triple} {self.name} {self.features} {self.strips}"

    def machine(self, level: int) -> Any:
        """LLVM's target machine at an optimization level (0 to 3)."""
        target = llvm.Target.from_triple(self.triple)
        return target.create_target_machine(
            opt=level, cpu=self.name, jit=True, features=self.features
        )


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


@functools.cache
def _processor(wanted: str) -> Processor:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
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
        return Processor(triple, host, have.flatten(), strips, best if linux else "")
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
    return Processor(triple, wanted, "", strips_of(lanes, x86), wanted if linux else "")
