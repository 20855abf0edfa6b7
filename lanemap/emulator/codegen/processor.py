"""The target processor of generated code.

Linux says what it can execute, or else LLVM, which a process loads where it compiles something:
bytecode and the libraries of the runtime need none.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import platform
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
    """A processor that code is made for.

    Attributes:
        identity: Decides with the IR the code that LLVM emits; part of cache keys.
        asked: One of LEVELS; "" for all that this machine's processor has.
        strips: How its registers are used.
        level: The best library of the runtime that it can execute (built.RUNTIMES); "" for none.
    """

    identity: str
    asked: str
    strips: Strips
    level: str

    def machine(self, level: int) -> Any:
        """LLVM's target machine at an optimization level (0 to 3)."""
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        name = self.asked or llvm.get_host_cpu_name()
        features = "" if self.asked else llvm.get_host_cpu_features().flatten()
        target = llvm.Target.from_triple(llvm.get_process_triple())
        return target.create_target_machine(opt=level, cpu=name, jit=True, features=features)

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
#: Linux's names of features where they are not LLVM's (Linux, arch/x86/include/asm/cpufeatures.h).
_FLAGS = {
    "sahf": "lahf_lm", "sse3": "pni", "sse4.1": "sse4_1", "sse4.2": "sse4_2", "bmi": "bmi1",
    "lzcnt": "abm",
}  # fmt: skip
_FEATURES = ("avx", *(feature for level in LEVELS.values() for feature in level.split()))


@dataclass(frozen=True)
class Host:
    """This machine's processor: what tells it from others, and which of _FEATURES it has."""

    identity: str
    features: frozenset[str]
    kind: str


def host_of_linux() -> Host | None:
    """The processor as Linux describes it; None where nothing does."""
    try:
        with _CPUINFO.open() as file:
            lines = file.read(1 << 14).split("\n\n")[0].splitlines()
    except OSError:
        return None
    fields = [(name.strip(), value) for name, _, value in (line.partition(":") for line in lines)]
    steady = [f"{name}:{value}" for name, value in fields if name.startswith(_STEADY)]
    kind = platform.machine()
    flags = dict(fields).get("flags", "").split()
    if kind not in ("x86_64", "aarch64") or not steady or (kind == "x86_64") != bool(flags):
        return None
    have = frozenset(feature for feature in _FEATURES if _FLAGS.get(feature, feature) in flags)
    return Host(hashlib.sha256("\0".join(steady).encode()).hexdigest(), have, kind)


def host_of_llvm() -> Host:
    """The processor as LLVM knows it."""
    import llvmlite.binding as llvm

    triple, have = llvm.get_process_triple(), llvm.get_host_cpu_features()
    features = frozenset(feature for feature in _FEATURES if have.get(feature))
    identity = f"{triple} {llvm.get_host_cpu_name()} {have.flatten()}"
    return Host(identity, features, triple.partition("-")[0])


def _made_by() -> str:
    """What tells one LLVM from another: llvmlite's file with its version."""
    llvmlite = importlib.util.find_spec("llvmlite")
    if llvmlite is None or llvmlite.origin is None:
        return ""
    return Path(llvmlite.origin).with_name("_version.py").read_text()


def _chosen(wanted: str, host: Host) -> str:
    """The one of LEVELS that is asked for; "" for the host's own."""
    names = list(LEVELS) if host.kind == "x86_64" else []
    if wanted and wanted not in names:
        import llvmlite.binding as llvm

        own = llvm.get_host_cpu_name()
        if wanted == own:
            return ""
        choices = ", ".join([*names, own])
        raise UserError(
            f"LANEMAP_CPU={wanted} is not a processor that code can be generated for here; "
            f"choose one of {choices}"
        )
    needed = _required(wanted) if wanted else []
    missing = [feature for feature in needed if feature not in host.features]
    if missing:
        raise UserError(
            f"LANEMAP_CPU={wanted} needs {missing[0]}, which this processor does not have"
        )
    return wanted


@functools.cache
def _processor(wanted: str) -> Processor:
    host = host_of_linux() or host_of_llvm()
    asked, x86 = _chosen(wanted, host), host.kind == "x86_64"
    levels = [name for name in LEVELS if x86 and host.features.issuperset(_required(name))]
    level = asked or (levels[-1] if levels else "aarch64" if host.kind == "aarch64" else "")
    if asked:
        lanes = {"x86-64-v3": 8, "x86-64-v4": 16}.get(asked, 4)
    else:
        wide = host.features.issuperset(("avx512f", "avx512vl"))
        lanes = 16 if wide else 8 if "avx" in host.features else 4
    strips = strips_of(lanes, x86)
    whole = "\0".join([_made_by(), host.identity, asked, str(strips)])
    identity = hashlib.sha256(whole.encode()).hexdigest()
    return Processor(identity, asked, strips, level if sys.platform == "linux" else "")
