"""A text that is loaded: its kernels as the core launches them, and its variables in global memory.

What a launch needs of it is kept in the object cache (text_facts.py). The text is parsed where
nothing is kept of it, and where somebody asks for more.
"""

from __future__ import annotations

import functools
import hashlib
import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.amdgcn.lower.constants import APERTURES
from lanemap.emulator.amdgcn.lower.printing import Buffered
from lanemap.emulator.amdgcn.lower.registers import EXEC_PAIR, IMAGE_BASE, scalar, vgpr
from lanemap.emulator.amdgcn.text.errors import Place as Line
from lanemap.emulator.amdgcn.text_facts import Argument, EntryFacts, KernelFacts, TextFacts
from lanemap.emulator.codegen import kept
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.codegen.values import Register
from lanemap.emulator.host.cluster import Initial, Place, Size, Value
from lanemap.emulator.host.parameters import Parameter
from lanemap.emulator.host.printing import Printing
from lanemap.emulator.host.settings import Settings
from lanemap.emulator.host.variables import Variable
from lanemap.emulator.runtime import abi
from lanemap.errors import UserError
from lanemap.garbage import without_collections
from lanemap.targets import TARGETS

if TYPE_CHECKING:
    from lanemap.emulator.amdgcn.lower.image import Image
    from lanemap.emulator.host.launcher import Launcher

_DYNAMIC_STACK_BYTES = 16 * 1024
_AXES = "xyz"
#: The descriptor of scratch at address 0: swizzled, of any size, index stride 64, with the lane's
#: number (LLVM, SIInstrInfo::getScratchRsrcWords23).
_SCRATCH_BUFFER = (0, 1 << 31, 0xFFFFFFFF, 7 << 21)


class KernelEntry:
    """One kernel of a loaded file."""

    def __init__(self, text: LoadedAssembly, entry: EntryFacts, facts: TextFacts) -> None:
        """Keep what the text says of the kernel, which is lowered when it is first asked for."""
        self._text, self._entry = text, entry
        self._target = TARGETS[facts.target]
        self.name = entry.name
        self.shared_bytes = entry.shared_bytes + facts.lds_bytes
        self.private_bytes = entry.private_bytes
        if entry.dynamic_stack:
            self.private_bytes += _DYNAMIC_STACK_BYTES
        explicit = [argument for argument in entry.arguments if not argument.hidden]
        self.parameters: Sequence[Parameter] = [
            Parameter(argument.name or f"argument {number}", argument.offset, argument.size)
            for number, argument in enumerate(explicit)
        ]
        self.image_base = self.print_buffer = 0
        prints = any(each.kind == "hidden_printf_buffer" for each in entry.arguments)
        self.printing: Printing | None = (
            Buffered(facts.formats) if prints and facts.formats else None
        )
        self._programs: dict[bool, Program] = {}
        self._full_waves = True
        self._counters: frozenset[Register] = frozenset()
        self._parameters = b""
        self._named: frozenset[str] = frozenset()

    # -- launching ---------------------------------------------------------------------------------
    @property
    def warnings(self) -> tuple[str, ...]:
        """Legal code known to fail on hardware: none is known."""
        return ()

    @property
    def variables(self) -> frozenset[str]:
        """The names of the symbols that the kernel's code names."""
        self.program  # noqa: B018  made here, or refused
        return self._named

    def require(self) -> None:
        """Check that all code the kernel can reach is supported.

        Raises:
            AssemblyError: Its arguments are described nowhere, or instructions are not executed;
                the message names all, with their lines.
        """
        size = self._entry.argument_bytes
        if size and not self._entry.described:
            raise Line(self._text.file, self._entry.line).error(
                f"kernel {self.name} has {size} bytes of arguments that no .amdgpu_metadata "
                "describes; add it"
            )
        self.program  # noqa: B018  made here, or refused

    def check_launch(
        self, grid: Size, block: Size, shared_bytes: int, cluster: Size
    ) -> tuple[Size, Size]:
        """Refuse launch sizes that the kernel cannot have; return the grid, and clusters of one.

        Raises:
            UserError: The block or the LDS is too large, or not what the kernel demands.
        """
        threads = block[0] * block[1] * block[2]
        if cluster != (1, 1, 1):
            raise UserError(f"{self.name}: {self._target.name} has no clusters; leave cluster out")
        if threads > self._entry.most_threads:
            raise UserError(
                f"{self.name} takes at most {self._entry.most_threads} work-items in a group; "
                f"the block has {threads}"
            )
        if any(g * b >= 1 << 32 for g, b in zip(grid, block, strict=True)):
            raise UserError(
                f"grid {grid} of blocks {block} has 2^32 work-items or more in one dimension; "
                "launch a smaller grid"
            )
        required = self._entry.required_block
        if required is not None and block != required:
            raise UserError(f"{self.name} demands a block of {required}, not {block}")
        limits = self._target.limits
        if self.shared_bytes + shared_bytes > limits.shared_bytes:
            raise UserError(
                f"{self.name} asks for {self.shared_bytes + shared_bytes} bytes of LDS; a group "
                f"has at most {limits.shared_bytes}"
            )
        if self.private_bytes > limits.local_bytes:
            raise UserError(
                f"{self.name} asks for {self.private_bytes} bytes of scratch; a work-item has at "
                f"most {limits.local_bytes}"
            )
        self._full_waves = threads % 64 == 0
        return grid, cluster

    @property
    def directives(self) -> Mapping[str, tuple[int, ...]]:
        """Nothing: what a kernel demands stands in its metadata."""
        return {}

    @property
    def multiprocessors(self) -> int:
        """How many compute units the target's GPU has."""
        return self._target.gpu.multiprocessors

    def resident(self, waves: int, shared_bytes: int) -> tuple[int, str]:
        """Return how many work-groups run at once on the target's GPU, and its name.

        Registers may allow fewer.
        """
        limits, gpu = self._target.limits, self._target.gpu
        each = min(limits.warps_of_sm // waves, limits.shared_bytes_of_sm // max(shared_bytes, 1))
        return max(each, 1) * gpu.multiprocessors, gpu.called

    @property
    def program(self) -> Program:
        """The program for waves as full as in the last `check_launch`; built at first use."""
        full = self._full_waves
        if full not in self._programs:
            initial = frozenset(self.initial(Place((1, 1, 1), (64, 1, 1), 0, 0)))
            found = self._text.lowered(self.name, full, initial)
            self._programs[full] = found.program
            self._named = found.named
            self._counters |= found.counters
        return self._programs[full]

    def parameter_block(
        self, arguments: bytes, grid: Size, block: Size, shared_bytes: int
    ) -> bytes:
        """The kernarg segment, hidden arguments filled in, then the dispatch packet.

        Hidden arguments: LLVM, AMDGPUUsage, "Code Object V5 Metadata"; the packet: HSA Platform
        System Architecture Specification 1.2, 2.9.6, hsa_kernel_dispatch_packet_t.
        """
        size = max(self._entry.argument_bytes, len(arguments))
        data = bytearray(arguments.ljust(size, b"\0"))
        for argument in self._entry.arguments:
            if argument.hidden:
                value = _hidden(argument, grid, block, self.shared_bytes, shared_bytes)
                if argument.kind == "hidden_printf_buffer":
                    value = self.print_buffer
                place = slice(argument.offset, argument.offset + argument.size)
                data[place] = value.to_bytes(argument.size, "little")
        data += bytes(-len(data) % 64)
        self._parameters = bytes(data)
        total = [g * b for g, b in zip(grid, block, strict=True)]
        return self._parameters + struct.pack(
            "<HHHHHHIIIIIQQQQ",
            0,
            3,
            *block,
            0,
            *total,
            self.private_bytes,
            self.shared_bytes + shared_bytes,
            0,
            0,
            0,
            0,
        )

    # -- the first registers -----------------------------------------------------------------------
    def initial(self, place: Place) -> Initial:
        """SGPRs, work-item ids and EXEC of a work-group's waves.

        Source: LLVM, AMDGPUUsage, "Initial Kernel Execution State".
        """
        registers: dict[Register, Value] = {IMAGE_BASE: self.image_base}
        registers.update(dict.fromkeys(self._counters, 0))
        thread = place.threads(64)
        exist = thread < place.block[0] * place.block[1] * place.block[2]
        lanes = np.packbits(exist, axis=1, bitorder="little").view(np.uint32)
        registers[EXEC_PAIR[0]], registers[EXEC_PAIR[1]] = lanes[:, 0], lanes[:, 1]
        registers[vgpr(0)] = self._work_item_ids(place)
        number = 0
        for name, count in self._entry.user_sgprs:
            for value in self._user_sgpr(name, count, place):
                registers[scalar(number)] = value
                number += 1
            number += count - len(self._user_sgpr(name, count, place))
        number = self._entry.user_sgpr_count
        for name in self._entry.system_sgprs:
            if name.startswith("workgroup_id"):
                registers[scalar(number)] = abi.Position[f"CTA_{name[-1].upper()}"]
            elif name == "private_segment_wavefront_offset":
                registers[scalar(number)] = 0  # every wave has scratch of its own
            number += 1
        return registers

    def _work_item_ids(self, place: Place) -> NDArray[np.uint32]:
        """x, y and z in ten bits each, as many as the descriptor asks for."""
        flat = place.threads(64)
        width, height, _ = place.block
        ids = (flat % width, flat // width % height, flat // (width * height))
        packed = np.zeros_like(flat)
        for axis in range(self._entry.workitem_id_dimensions):
            packed |= (ids[axis] & 1023) << np.uint32(10 * axis)
        return packed

    def _user_sgpr(self, name: str, count: int, place: Place) -> list[int]:
        """Return the words of one user SGPR field; () for queues, which the emulator lacks."""
        if name == "kernarg_segment_ptr":
            return _words(place.parameters, 2)
        if name == "dispatch_ptr":
            return _words(place.parameters + len(self._parameters), 2)
        if name == "private_segment_size":
            return [self.private_bytes]
        if name == "private_segment_buffer":
            return list(_SCRATCH_BUFFER)
        if name == "flat_scratch_init":
            return [0, 0]
        if name == "dispatch_id":
            return [0, 0]
        if name == "kernarg_preload":
            start = 4 * self._entry.preload_offset
            block = self._parameters[start : start + 4 * count].ljust(4 * count, b"\0")
            return list(struct.unpack(f"<{count}I", block))
        return []


def _words(value: int, count: int) -> list[int]:
    return [value >> 32 * word & 0xFFFFFFFF for word in range(count)]


def _hidden(
    argument: Argument, grid: Size, block: Size, static_bytes: int, dynamic_bytes: int
) -> int:
    """The value of a hidden argument; pointers to a runtime's services are null."""
    kind = argument.kind.removeprefix("hidden_")
    axis = _AXES.find(kind[-1])
    if kind.startswith("block_count"):
        return grid[axis]
    if kind.startswith("group_size"):
        return block[axis]
    known = {
        "grid_dims": 1 + max((i for i in range(3) if grid[i] * block[i] > 1), default=0),
        **APERTURES,
        "dynamic_lds_size": dynamic_bytes,
    }
    return known.get(kind, 0)


class LoadedAssembly:
    """The kernels of a file by name, in its order."""

    def __init__(self, text: str, file: str, settings: Settings, target: str) -> None:
        """Load a text; its kernels are lowered when they are first asked for.

        Raises:
            AssemblyError: Something is malformed; the message names file and line.
            UserError: The text is for another target.
        """
        self.file, self.target = file, target
        self._text, self._settings = text, settings
        self._digest = hashlib.sha256(text.encode()).hexdigest()
        self._facts = kept.recalled(TextFacts.of_record, self._read, "AMDGCN", self._digest, target)
        self._base = 0
        self.kernels = {
            each.name: KernelEntry(self, each, self._facts) for each in self._facts.entries
        }

    # -- what is kept ------------------------------------------------------------------------------
    @functools.cached_property
    def _image(self) -> Image:
        """The whole text, parsed and laid out."""
        from lanemap.emulator.amdgcn.reading import read

        with without_collections():
            return read(self._text, self.file, self.target)

    def _read(self) -> TextFacts:
        from lanemap.emulator.amdgcn.reading import facts_of

        return facts_of(self._image)

    def _lower(self, entry: str, full_waves: bool, initial: frozenset[Register]) -> KernelFacts:
        from lanemap.emulator.amdgcn.reading import lower

        with without_collections():
            return lower(self._image, entry, self._text, self._settings, full_waves, initial)

    def _program(self, entry: str, full_waves: bool, initial: frozenset[Register]) -> Program:
        return self._lower(entry, full_waves, initial).program

    def lowered(self, entry: str, full_waves: bool, initial: frozenset[Register]) -> KernelFacts:
        """Return a kernel as it is launched; the arguments are those of `ProgramMaker`.

        Raises:
            AssemblyError: Instructions are not executed; the message names all, with their lines.
        """
        make = functools.partial(self._lower, entry, full_waves, initial)
        if self._settings.models:
            return make()
        again = functools.partial(self._program, entry, full_waves, initial)
        return kept.recalled(
            lambda record: KernelFacts.of_record(record, self.file, self.target, again),
            make,
            "AMDGCN kernel",
            self._digest,
            self.target,
            self._settings.strict,
            full_waves,
            entry,
        )

    def places(self, line: int) -> tuple[tuple[str, int], ...]:
        """Return the source line that a line of the text stands for, as path and number."""
        return self._image.module.places(line)

    # -- data --------------------------------------------------------------------------------------
    def place_data(self, launcher: Launcher) -> None:
        """Put code addresses, constants and variables into global memory, once."""
        facts, memory = self._facts, launcher.memory
        code = memory.allocate(max(facts.read_only_bytes, 4), True, "the code's constants")
        base = self._base = code.base
        if facts.variable_bytes:
            variables = memory.allocate(facts.variable_bytes, False, "the code's variables")
            if variables.base - base != facts.variables_at:
                raise RuntimeError("variables do not lie where the code was laid out to find them")
        for kernel in self.kernels.values():
            kernel.image_base = base
        for each in facts.contents:
            memory.write(base + each.offset, each.at(base))
        for pointer, variable in facts.managed:
            memory.write(base + pointer, (base + variable).to_bytes(8, "little"))

    @property
    def variables(self) -> Sequence[Variable]:
        """The variables that symbols name as objects; see `machine.LoadedText`."""
        return [
            Variable(
                each.name, self._base + each.offset, each.size, "", each.constant, each.initial
            )
            for each in self._facts.variables
        ]
