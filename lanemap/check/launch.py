"""A launch by Triton as a launch of the emulator: loading, arguments, scratch memory.

This does what Triton's own launcher does (triton/backends/nvidia/driver.py and driver.c, of Triton
3.6 to 3.9). Tuples are flattened and constexprs left out. A TensorDescriptor becomes a tensor map,
its sizes and its strides. Behind the arguments come pointers to two scratch memories.
"""

from __future__ import annotations

import contextlib
import math
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from lanemap.check.findings import (
    Findings,
    Found,
    Place,
    Stopped,
    calling_line,
    named,
    own_place,
)
from lanemap.check.script_threads import NOT_REDIRECTED, is_redirected
from lanemap.devices.arguments import ByValue, Parameter
from lanemap.devices.emulator import EmulatorDevice, EmulatorModule
from lanemap.devices.findings import findings_of
from lanemap.devices.interface import Dimensions
from lanemap.devices.status import status_line
from lanemap.devices.tensor_maps import MAP_ALIGNMENT, TensorMapParameters
from lanemap.errors import Disagreement, UserError
from lanemap.targets import TARGETS

#: Triton numbers the types of a tensor map as the PTX ISA does in tensormap.replace (.elemtype);
#: cuTensorMapEncodeTiled has another order from f32 on, and tf32 apart.
_DEVICE_TO_HOST_TYPE = {8: 10, 9: 8, 10: 9}
_TF32 = 11
_L2_128B = 2

_FLOATS = {"fp16": "<e", "fp32": "<f", "f32": "<f", "fp64": "<d"}

#: Watches one launch: of a module's kernel on a device.
Timer = Callable[[EmulatorDevice, EmulatorModule, str], AbstractContextManager[None]]


class Function:
    """What `load_binary` gives for a kernel: Triton passes it back when it launches."""

    def __init__(self, module: EmulatorModule, name: str) -> None:
        """Take a kernel of a module.

        Raises:
            UserError: the emulator does not support all that the kernel needs.
        """
        self.name, self.module = name, module
        self.kernel = module[name]

    def places(self, text: str, line: int, file: str | None) -> list[Place]:
        """Return the source lines that a line of the PTX stands for, innermost first.

        Triton's cache knows a kernel by its text and line, not by its file, so the PTX may name
        another file that has the same kernel.

        Args:
            text: The file of the PTX.
            line: The line in it.
            file: Where Python found the kernel; None if that is not known.
        """
        found = self._known(line) if line else ()
        cached = self._file(text) if found and file else None
        return [(file if file and path == cached else path, number) for path, number in found]

    def _known(self, line: int) -> tuple[Place, ...]:
        """Return the source lines that a line of the text names."""
        return self.module.places(line)

    def _file(self, text: str) -> str | None:
        """Return the file that the PTX names as the kernel's: that of its first instruction."""
        lines = Path(text).read_text().splitlines()
        entry = re.compile(rf"\.entry\s+{re.escape(self.name)}\b")
        start = next((n for n, one in enumerate(lines, 1) if entry.search(one)), len(lines))
        known = filter(None, map(self.module.places, range(start, len(lines))))
        return next((places[-1][0] for places in known), None)


class Emulated:
    """The device that launches go to, and what they find."""

    def __init__(
        self, device: EmulatorDevice, findings: Findings, timer: Timer | None = None
    ) -> None:
        """Launch on `device`; note in `findings`; let `timer` watch each launch."""
        self.device, self.findings, self._timer = device, findings, timer
        self.lanes = TARGETS[device.target].limits.lanes
        #: CTAs of each launch so far.
        self.ctas: list[int] = []

    @contextlib.contextmanager
    def judging(self, kernel: str) -> Iterator[None]:
        """Name the script's line and the kernel in what is refused meanwhile, and note it."""
        try:
            yield
        except UserError as error:
            line = calling_line()
            refused = UserError(f"{named(line) + ': ' if line else ''}{kernel}: {error}")
            self.findings.refuse(refused)
            raise refused from None

    def load(self, path: Path) -> EmulatorModule:
        """Load a file of PTX.

        Raises:
            UserError: the text is malformed.
        """
        module = self.device.load(path)
        assert isinstance(module, EmulatorModule)
        module.text = path.read_text()
        return module

    def run(
        self,
        function: Function,
        grid: tuple[int, int, int],
        block: Dimensions,
        arguments: Sequence[bytes],
        shared_bytes: int = 0,
        cluster: Dimensions = 1,
        file: str | None = None,
    ) -> None:
        """Launch a kernel, and note the hazards it meets; see `running`.

        Raises:
            Stopped: the launch stopped at a hazard.
            UserError: the launch is not legal, or more than the emulator can follow.
        """
        with self.running(function, grid, file):
            function.kernel(grid, block, arguments, shared_bytes, cluster)

    @contextlib.contextmanager
    def running(
        self, function: Function, grid: tuple[int, int, int], file: str | None = None
    ) -> Iterator[None]:
        """Note the hazards that a kernel meets, which the `with` block launches.

        Args:
            function: The kernel.
            grid: CTAs in x, y and z.
            file: Where Python found the kernel, if the text may name another file.

        Raises:
            Stopped: the launch stopped at a hazard.
            UserError: the launch is not legal, or more than the emulator can follow.
            KeyboardInterrupt: it says where the launch was.
        """
        with self.device.alone():  # what it reports meanwhile is this launch's
            before, noted = len(self.device.hazards), len(self.device.notes)
            try:
                watched = (
                    self._timer(self.device, function.module, function.name)
                    if self._timer
                    else contextlib.nullcontext()
                )
                with self.judging(function.name), self._shown(function.name), watched:
                    yield
            except KeyboardInterrupt:
                raise KeyboardInterrupt(self._where(function, file)) from None
            except Disagreement as hazard:
                (found,) = self._found(function, [hazard], file)
                self.findings.add(found)
                raise Stopped(str(found)) from None
            finally:
                for each in self._found(function, self.device.hazards[before:], file):
                    self.findings.add(each)
                for note in self.device.notes[noted:]:
                    (found,) = self._found(function, [note], file)
                    self.findings.add_note(found, note.note)
                self.findings.launched(function.name)
            self.ctas.append(math.prod(grid))

    def _shown(self, kernel: str) -> AbstractContextManager[None]:
        """Show on a terminal how far the launch is."""
        return status_line(
            self.findings.stream, lambda: f"lanemap: {self.device.progress or kernel}"
        )

    def _where(self, function: Function, file: str | None) -> str:
        """Say where Ctrl-C met a launch, at a line of the script."""
        stopped = self.device.stopped
        if stopped is None:
            return f"interrupted in {function.name}"
        place = own_place(function.places(stopped.file, stopped.line, file))
        return f"interrupted in {stopped.where(named(place))}"

    def _found(self, function: Function, hazards: Sequence[Any], file: str | None) -> list[Found]:
        """Return the faults behind hazards at lines of the script."""

        def places(text: str, line: int) -> list[Place]:
            return function.places(text, line, file)

        launched = calling_line()
        return [Found.of(each, function.name, places, launched) for each in findings_of(hazards)]

    def tensor_map(
        self,
        address: int,
        swizzle: int,
        element_bytes: int,
        element_type: int,
        box: Sequence[int],
        shape: Sequence[int],
        strides: Sequence[int],
        nan: int,
    ) -> ByValue:
        """Encode a tiled tensor map as Triton's driver does.

        Args:
            address: Where the tensor begins on the device.
            swizzle: The number of CUtensorMapSwizzle.
            element_bytes: Bytes of an element of `shape`.
            element_type: The number of CUtensorMapDataType.
            box: Elements of a box in each dimension, outermost first.
            shape: Elements in each dimension, outermost first.
            strides: Elements between neighbors in each dimension, outermost first.
            nan: 1 if what lies outside is read as NaN, else 0.

        Raises:
            UserError: the CUDA driver would refuse a parameter.
        """
        inwards = tuple(int(size) for size in reversed(shape))
        steps = tuple(element_bytes * int(step) for step in reversed(strides[:-1]))
        parameters = TensorMapParameters(
            "tiled",
            element_type,
            len(inwards),
            address,
            inwards,
            steps,
            (1,) * len(inwards),
            box=tuple(int(size) for size in reversed(box)),
            swizzle=swizzle,
            l2_promotion=_L2_128B,
            oob_fill=nan,
        )
        try:
            return ByValue(self.device.encode_tensor_map(parameters)[1], MAP_ALIGNMENT)
        except UserError as error:
            raise UserError(f"{named(calling_line())}: {error}") from None


class Launcher:
    """What Triton calls to launch a kernel; it stands for `CudaLauncher`."""

    def __init__(self, emulated: Emulated, source: Any, metadata: Any) -> None:
        """Keep the signature and the metadata of a compiled kernel."""
        self._emulated, self._metadata = emulated, metadata
        self._types = tuple(source.signature.values())
        self._names = tuple(map(str, source.signature))
        written = getattr(getattr(source, "fn", None), "fn", None)  # none where it is Triton's IR
        self._file = written.__code__.co_filename if written is not None else None

    def __call__(
        self,
        grid_x: int,
        grid_y: int,
        grid_z: int,
        stream: int,
        function: Function,
        _packed: Any,
        about: Any,
        enter: Any,
        leave: Any,
        *arguments: Any,
    ) -> None:
        """Launch, in the order of the arguments of `CudaLauncher`."""
        if enter is not None:
            enter(about)
        if grid_x > 0 and grid_y > 0 and grid_z > 0:
            scratch = self._scratch(grid_x * grid_y * grid_z, stream)
            packed = self._pack(function, arguments, scratch)
            ctas = getattr(self._metadata, "num_ctas", 1)
            self._emulated.run(
                function,
                (grid_x * ctas, grid_y, grid_z),
                self._emulated.lanes * self._metadata.num_warps,
                packed,
                self._metadata.shared,
                ctas,
                self._file,
            )
        if leave is not None:
            leave(about)

    def _pack(
        self, function: Function, arguments: Sequence[Any], scratch: Sequence[Any]
    ) -> list[bytes]:
        declared: Sequence[Parameter] = function.kernel.parameters
        name = function.name
        if len(arguments) != len(self._types):  # a compiled kernel that the script launches itself
            raise TypeError(
                f"{name} takes {len(self._types)} arguments, constexprs among them; "
                f"{len(arguments)} were given"
            )
        described = iter(getattr(self._metadata, "tensordesc_meta", None) or ())
        given = list(self._flat(self._names, self._types, arguments, described))
        given += [(f"Triton's scratch {n}", "*i8", each) for n, each in enumerate(scratch)]
        if len(given) != len(declared):
            raise UserError(
                f"{name} has {len(declared)} parameters where Triton passes {len(given)}: this "
                "version of Triton passes them in a way that lanemap does not know"
            )
        function.module.name_parameters(name, [each for each, *_ in given])
        with self._emulated.judging(name):
            return [
                _argument(kind, value, parameter.size)
                for (_, kind, value), parameter in zip(given, declared, strict=True)
            ]

    def _flat(
        self,
        names: Sequence[str],
        types: Sequence[Any],
        arguments: Sequence[Any],
        described: Iterator[Any],
    ) -> Iterator[tuple[str, str, Any]]:
        """Yield what the kernel receives, with its name and type: no constexprs, no tuples."""
        for name, kind, value in zip(names, types, arguments, strict=True):
            if isinstance(kind, tuple):
                parts = [f"{name}[{n}]" for n in range(len(kind))]
                yield from self._flat(parts, kind, value, described)
            elif kind.startswith("tensordesc"):
                for part, item in self._descriptor(kind, value, described):
                    yield name, part, item
            elif kind != "constexpr":
                yield name, kind, value

    def _descriptor(
        self, kind: str, value: Any, described: Iterator[Any]
    ) -> Iterator[tuple[str, Any]]:
        """Yield the tensor map of a TensorDescriptor, its sizes and its strides."""
        about = next(described)
        if about.get("is_im2col"):
            raise UserError(
                f"{named(calling_line())}: im2col descriptors of Triton are not supported"
            )
        number = about["elem_type"]
        number = _DEVICE_TO_HOST_TYPE.get(number, number)
        if getattr(value, "round_f32_to_tf32", False):
            number = _TF32
        shape = list(value.shape)
        if about["fp4_padded"]:
            shape[-1] *= 2  # elements of 4 bits, of which the tensor holds two in a byte
        nan = int(getattr(value, "padding", "zero") == "nan")
        yield (
            "nvTmaDesc",
            self._emulated.tensor_map(
                value.base.data_ptr(),
                about["swizzle"],
                about["elem_size"],
                number,
                about["block_size"],
                shape,
                value.strides,
                nan,
            ),
        )
        yield from (("i32", size) for size in value.shape)
        yield from (("i64", step) for step in value.strides)

    def _scratch(self, programs: int, stream: int) -> list[Any]:
        """Return the kernel's two scratch memories; None where it needs none."""
        from triton.runtime import _allocation, driver

        ctas = programs * getattr(self._metadata, "num_ctas", 1)
        found: list[Any] = []
        for which, allocator in (("global", "_allocator"), ("profile", "_profile_allocator")):
            size = ctas * getattr(self._metadata, f"{which}_scratch_size", 0)
            if not size:
                found.append(None)
                continue
            alignment = getattr(self._metadata, f"{which}_scratch_align")
            allocate = getattr(_allocation, allocator).get()
            if which == "profile" and isinstance(allocate, _allocation.NullAllocator):
                allocate = driver.active.allocate_default_profile_scratch
            found.append(allocate(size, alignment, stream))
        return found


def _address(value: Any) -> int:
    """Return the address of an argument that is a pointer.

    Raises:
        ValueError: it is a tensor of the host; Triton's driver says it in these words.
    """
    if value is None or isinstance(value, int):
        return int(value or 0)
    tensor = getattr(value, "base", value)
    if not getattr(tensor, "is_cuda", True) and tensor.numel():
        if not is_redirected():
            raise UserError(NOT_REDIRECTED)
        raise ValueError("Pointer argument cannot be accessed from Triton (cpu tensor?)")
    return int(value.data_ptr())


def _argument(kind: str, value: Any, size: int) -> bytes:
    """Return an argument of a type as the bytes of its parameter."""
    if isinstance(value, ByValue):
        return value.data
    if kind.startswith("*"):
        return _address(value).to_bytes(8, "little")
    if kind == "bf16":  # Triton's driver drops the lower half of an f32
        return struct.pack("<f", float(value))[2:]
    if kind in _FLOATS:
        return struct.pack(_FLOATS[kind], float(value))
    return (int(value) & (1 << 8 * size) - 1).to_bytes(size, "little")
