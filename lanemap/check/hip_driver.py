"""A stand-in for Triton's driver for AMD GPUs (triton/backends/amd/driver.py).

Triton's wheel brings the whole back end, its linker too. The emulator takes the assembly that was
kept on the way (`.amdgcn`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lanemap.check.driver import EmulatorDriver, Utils
from lanemap.check.findings import Place
from lanemap.check.inline_assembly import require_amds
from lanemap.check.launch import Function, Launcher

#: How LLVM writes a line down: `.loc 2 287 12 ; standard.py:287:12 @[ norms.py:7:17 ]`.
_FILE = re.compile(r'\s*\.file\s+(\d+)\s+(?:"([^"]*)"\s+)?"([^"]*)"')
_LOC = re.compile(r"\s*\.loc\s+(\d+)\s+(\d+)")
_INLINED_AT = re.compile(r"@\[ ([^\[\]]*?):(\d+):\d+")


class HipFunction(Function):
    """A kernel of AMDGCN assembly; see `Function`."""

    def __init__(self, module: Any, name: str, path: Path) -> None:
        """Take a kernel of a module that was loaded from a file."""
        super().__init__(module, name)
        self._path = path

    @functools.cached_property
    def _places(self) -> tuple[list[tuple[Place, ...]], Place | None]:
        """The source lines of each line of the text, and where the kernel begins."""
        lines = self._path.read_text().splitlines()
        files = {
            int(found[1]): str(Path(found[2] or "") / found[3])
            for found in map(_FILE.match, lines)
            if found
        }
        paths = {Path(path).name: path for path in files.values()}
        each: list[tuple[Place, ...]] = []
        now: tuple[Place, ...] = ()
        first: Place | None = None
        for line in lines:
            if found := _LOC.match(line):
                callers = _INLINED_AT.findall(line)
                now = (
                    (files.get(int(found[1]), ""), int(found[2])),
                    *((paths.get(name, name), int(number)) for name, number in callers),
                )
                first = first or now[-1]
            each.append(now)
        return each, first

    def _known(self, line: int) -> tuple[Place, ...]:
        each, _ = self._places
        return each[line - 1] if 0 < line <= len(each) else ()

    def _file(self, text: str) -> str | None:
        _, first = self._places
        return first[0] if first else None


class HipUtils(Utils):
    """What Triton's driver offers under `utils`; it stands for `HIPUtils`."""

    suffix = ".amdgcn"

    def _function(self, path: Path, name: str) -> Function:
        ir = path.with_suffix(".ttir")  # kept beside the assembly; Gluon has none
        if ir.exists():
            require_amds(ir.read_text(), self._target.name)
        return HipFunction(self._emulated.load(path), name, path)

    def _resources(self, path: Path, binary: bytes, name: str) -> tuple[int, int]:
        """Return what the metadata says of the registers and the private memory of a thread."""
        text = path.read_text()
        found = [
            re.search(rf"\.{key}:\s+(\d+)", text)
            for key in ("vgpr_count", "private_segment_fixed_size")
        ]
        registers, local_bytes = (int(each[1]) if each else 0 for each in found)
        return registers, local_bytes // 4

    def get_device_properties(self, device: int) -> Mapping[str, Any]:
        """Return what driver.c returns."""
        return {
            **super().get_device_properties(device),
            "arch": f"{self._target.name}:sramecc+:xnack-",
            "max_threads_per_sm": self._target.limits.threads_of_sm,
            "cooperativeLaunch": 1,
        }


class HipLauncher(Launcher):
    """What Triton calls to launch a kernel; it stands for `HIPLauncher`."""

    def _descriptor(
        self, kind: str, value: Any, described: Iterator[Any]
    ) -> Iterator[tuple[str, Any]]:
        """Yield the parts of a TensorDescriptor: gfx950 has no tensor maps."""
        sizes, steps = (("i64", size) for size in value.shape), [("i64", s) for s in value.strides]
        element = re.match(r"tensordesc<(\w+)", kind)
        yield f"*{element[1] if element else 'i8'}", value.base
        yield from sizes
        yield from steps
        yield "i1", getattr(value, "padding", "zero") == "nan"
        yield "i1", getattr(value, "round_f32_to_tf32", False)
        yield from (("i32", size) for size in value.shape)
        yield from steps


class HipDriver(EmulatorDriver):
    """The emulator as Triton's active driver; what it offers is what `HIPDriver` offers."""

    utils_cls, launcher = HipUtils, HipLauncher

    def get_current_target(self) -> Any:
        """Return what Triton compiles for."""
        from triton.backends.compiler import GPUTarget

        return GPUTarget("hip", self._target.name, self._target.limits.lanes)

    def map_python_to_cpp_type(self, kind: str) -> str:
        """Return the C++ type of a Triton type, as Triton's own driver does."""
        from triton.backends.amd.driver import ty_to_cpp

        return str(ty_to_cpp(kind))
