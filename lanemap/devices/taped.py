"""A device that writes down what it is asked to do: a tape, which other machines can play.

What a probe or a kernel's host code does on this device becomes steps: allocate, write, zero,
load, launch, read. Nothing is executed. A read is answered with zeros, or with what a player of the
same tape brought back from a GPU. So a probe states its launches once, in its own code, for every
device.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np

from lanemap.devices.arguments import (
    ByValue,
    Parameter,
    argument_bytes,
)
from lanemap.devices.arrays import DeviceArray, Memory
from lanemap.devices.base import BaseDevice, BaseKernel, BaseModule, Sizes
from lanemap.devices.tensor_maps import (
    MAP_ALIGNMENT,
    MAP_BYTES,
    SUCCESS,
    TensorMapParameters,
    TensorMaps,
)
from lanemap.errors import UserError
from lanemap.targets import TARGETS

#: Addresses of arrays: the first byte marks them, then the array's number, then a byte in it.
_MARK, _MARK_SHIFT, _NUMBER_SHIFT = 0x6C, 56, 34
_PADDING = 256
Step = dict[str, Any]


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@dataclass
class Tape:
    """What a device was asked to do.

    Attributes:
        steps: As JSON, in order; a module and data are named by their hashes.
        data: What is written to arrays, by hash.
        images: Texts and code that are loaded, by hash.
        read_bytes: Bytes of each read, in order.
    """

    steps: list[Step] = field(default_factory=list)
    data: dict[str, bytes] = field(default_factory=dict)
    images: dict[str, str | bytes] = field(default_factory=dict)
    read_bytes: list[int] = field(default_factory=list)

    @property
    def digest(self) -> str:
        """The hash of all steps, and so of all that they name."""
        return _hash(json.dumps(self.steps, sort_keys=True).encode())


#: Answers the read that is the last step of a tape.
Answers = Callable[[Tape], bytes]


def zeros(tape: Tape) -> bytes:
    """Answer a read with zeros."""
    return bytes(tape.read_bytes[-1])


class _Memory(Memory):
    """Arrays by address; their contents are steps of the tape."""

    def __init__(self, tape: Tape, answers: Answers) -> None:
        self._tape, self._answers = tape, answers
        self._sizes: list[int] = []

    def allocate(self, size_bytes: int, name: str) -> int:
        if size_bytes >= 1 << _NUMBER_SHIFT:
            raise UserError(f"{size_bytes} bytes are too many for an array of a tape")
        number = len(self._sizes)
        self._sizes.append(size_bytes)
        self._tape.steps.append({"do": "allocate", "array": number, "bytes": size_bytes})
        return (_MARK << _MARK_SHIFT) + (number << _NUMBER_SHIFT) + _PADDING

    def free(self, address: int) -> None:
        """Say nothing: when Python collects an array is no property of the work."""

    def place(self, address: int) -> tuple[int, int]:
        """Return the number of an array, and the byte in it that an address names.

        Raises:
            UserError: it lies in no array of this tape.
        """
        number = (address >> _NUMBER_SHIFT) & ((1 << (_MARK_SHIFT - _NUMBER_SHIFT)) - 1)
        offset = (address & ((1 << _NUMBER_SHIFT) - 1)) - _PADDING
        if not self.owns(address):
            raise UserError(f"address {address:#x} lies in no array of this tape")
        return number, offset

    def owns(self, address: int) -> bool:
        """Whether an address lies in an array of this tape, or one past its end."""
        number = (address >> _NUMBER_SHIFT) & ((1 << (_MARK_SHIFT - _NUMBER_SHIFT)) - 1)
        offset = (address & ((1 << _NUMBER_SHIFT) - 1)) - _PADDING
        known = address >> _MARK_SHIFT == _MARK and number < len(self._sizes)
        return known and 0 <= offset <= self._sizes[number]

    def write(self, address: int, data: bytes) -> None:
        number, offset = self.place(address)
        self._require_no_address(data)
        key = _hash(data)
        self._tape.data[key] = data
        self._tape.steps.append({"do": "write", "array": number, "at": offset, "data": key})

    def _require_no_address(self, data: bytes) -> None:
        """Refuse data that hold addresses: on another machine arrays lie elsewhere."""
        words = np.frombuffer(data[: len(data) // 8 * 8], "<u8")
        if any(self.owns(int(word)) for word in words[words >> _MARK_SHIFT == _MARK]):
            raise UserError("an array would hold the address of another, which no tape can have")

    def zero(self, address: int, size_bytes: int) -> None:
        number, offset = self.place(address)
        step = {"do": "zero", "array": number, "at": offset, "bytes": size_bytes}
        self._tape.steps.append(step)

    def read(self, address: int, size_bytes: int) -> bytes:
        number, offset = self.place(address)
        step = {"do": "read", "array": number, "at": offset, "bytes": size_bytes}
        self._tape.steps.append(step)
        self._tape.read_bytes.append(size_bytes)
        return self.answered()

    def answered(self) -> bytes:
        """Return the answer to the read that is the last step."""
        found = self._answers(self._tape)
        wanted = self._tape.read_bytes[-1]
        if len(found) != wanted:
            raise UserError(f"a read of {wanted} bytes was answered with {len(found)}")
        return found


class TapedKernel(BaseKernel):
    """A kernel, whose launches become steps."""

    parameters: Sequence[Parameter] = ()

    def __init__(self, device: TapedDevice, module: str, name: str) -> None:
        """Keep its module's hash and its name, which the player's driver looks for."""
        self.name, self._device, self._module = name, device, module

    def _launch(self, prepared: Step, stream: int) -> None:
        """Write the launch down."""
        self._device.tape.steps.append({"do": "launch", **prepared})

    def _prepare(
        self, sizes: Sizes, args: Sequence[Any], overlaps: bool, operands: Sequence[Any]
    ) -> Step:
        """Return the launch as a step, which `TapedDevice.time` takes too.

        Raises:
            UserError: it overlaps others; a player launches and waits.
        """
        if overlaps:
            raise UserError(f"{self.name} overlaps other launches, which no tape can have")
        described = self._device.described(args, self.name)
        return {
            "module": self._module,
            "entry": self.name,
            **sizes._asdict(),
            "arguments": described,
        }


class TapedModule(BaseModule):
    """A loaded text or object; which kernels it has is the player's driver to say."""

    def __init__(self, device: TapedDevice, key: str) -> None:
        """Keep its hash."""
        self._device, self._key = device, key

    @property
    def entries(self) -> tuple[str, ...]:
        """None: nothing is parsed here."""
        return ()

    @property
    def symbols(self) -> tuple[str, ...]:
        """None: nothing is parsed here."""
        return ()

    def __getitem__(self, entry: str) -> TapedKernel:
        """Return a kernel by its symbol."""
        return self._kernel(entry)

    def _kernel(self, symbol: str) -> TapedKernel:
        return TapedKernel(self._device, self._key, symbol)

    def _variable(self, symbol: str) -> tuple[tuple[int, int], str]:
        raise UserError(f"variable {symbol} of a module cannot be reached from a tape")


class TapedDevice(BaseDevice, TensorMaps):
    """A device whose work is written down.

    Attributes:
        tape: The work so far.
    """

    evidence: Literal["emulator", "silicon"] = "silicon"

    def __init__(
        self,
        target: str,
        answers: Answers = zeros,
        environment: Mapping[str, Any] | None = None,
    ) -> None:
        """Begin a tape.

        Args:
            target: The instruction set.
            answers: What reads are answered with.
            environment: What the device says of itself; the target's GPU by default.
        """
        self.name = TARGETS[target].devices[0]
        self.tape = Tape()
        self._places = _Memory(self.tape, answers)
        super().__init__(target, self._places)
        self._environment = environment
        self._maps: dict[bytes, TensorMapParameters] = {}

    def _load(self, content: str | bytes, name: str) -> TapedModule:
        key = _hash(content.encode() if isinstance(content, str) else content)
        self.tape.images[key] = content
        self.tape.steps.append({"do": "load", "module": key})
        return TapedModule(self, key)

    def encode_tensor_map(self, parameters: TensorMapParameters) -> tuple[str, bytes]:
        """Return bytes that stand for a tensor map, which the player's driver encodes."""
        told = json.dumps(asdict(parameters), sort_keys=True).encode()
        stands = parameters.address.to_bytes(8, "little") + hashlib.shake_256(told).digest(
            MAP_BYTES - 8
        )
        self._maps[stands] = parameters
        return SUCCESS, stands

    def described(self, arguments: Sequence[Any], entry: str) -> list[Step]:
        """Return arguments as JSON; `at` is where each lies in a block, by the rules of C."""
        found, at = [], 0
        for position, argument in enumerate(arguments):
            data = argument_bytes(argument, position, entry)
            step = self._argument(argument, data)
            alignment = argument.alignment if isinstance(argument, ByValue) else min(len(data), 8)
            at = -(-at // alignment) * alignment
            found.append({"at": at, **step})
            at += len(data)
        return found

    def _argument(self, argument: Any, data: bytes) -> Step:
        """Return an argument's bytes, and what the player puts into them: addresses and maps."""
        flipped = argument.flipped if isinstance(argument, ByValue) else 0
        if flipped:
            data = argument.with_flipped(flipped).data
        kept, patches = bytearray(data), []
        for at in range(0, len(data) - 7, 8):
            word = int.from_bytes(kept[at : at + 8], "little")
            if not self._places.owns(word):
                continue
            step: Step = {"into": at}
            parameters = self._maps.get(data[at : at + MAP_BYTES])
            if parameters is not None:
                step["map"] = {**asdict(parameters), "address": 0}
                kept[at : at + MAP_BYTES] = bytes(MAP_BYTES)
            kept[at : at + 8] = bytes(8)
            array, offset = self._places.place(word)
            patches.append({**step, "array": array, "byte": offset})
        found: Step = {"value": kept.hex()}
        if patches:
            found["patches"] = patches
        if flipped:
            found["flipped"] = hex(flipped)
        return found

    def synchronize(self) -> None:
        """Return: a player waits for each launch."""

    def environment(self) -> Mapping[str, Any]:
        """Describe the GPU that answers; before one has, the target's."""
        if self._environment is not None:
            return self._environment
        return {"multiprocessors": TARGETS[self.target].gpu.multiprocessors}

    def time(self, launch: Any, rounds: int, launches: int) -> list[float]:
        """Return microseconds of a launch, as many as there are rounds of so many launches.

        Args:
            launch: What `TapedKernel.prepare` returned.
            rounds: How often it is timed.
            launches: Launches of a round, one after another.

        Raises:
            UserError: the work is no single launch.
        """
        if not isinstance(launch, dict):
            raise UserError("a tape times single launches only")
        self.tape.steps.append({"do": "time", **launch, "rounds": rounds, "launches": launches})
        self.tape.read_bytes.append(8 * rounds)
        found = self._places.answered()
        return [float(each) for each in np.frombuffer(found, "<f8")]


class Mirror:
    """Answers the reads of a tape by doing its steps on another device of lanemap."""

    def __init__(self, device: Any) -> None:
        """Do nothing yet."""
        self._device, self._done = device, 0
        self._arrays: dict[int, DeviceArray] = {}
        self._modules: dict[str, Any] = {}

    def __call__(self, tape: Tape) -> bytes:
        """Do the steps that are new, and return what the last one reads."""
        for step in tape.steps[self._done : -1]:
            self._do(tape, step)
        self._done = len(tape.steps)
        last = tape.steps[-1]
        if last["do"] == "time":
            return bytes(tape.read_bytes[-1])
        return self._part(last).get().tobytes()

    def _part(self, step: Step) -> DeviceArray:
        return self._arrays[step["array"]][step["at"] : step["at"] + step["bytes"]]

    def _do(self, tape: Tape, step: Step) -> None:
        what = step["do"]
        if what == "allocate":
            self._arrays[step["array"]] = self._device.empty(step["bytes"], np.uint8)
        elif what == "write":
            data = np.frombuffer(tape.data[step["data"]], np.uint8)
            self._part({**step, "bytes": data.size}).set(data)
        elif what == "zero":
            self._part(step).set(np.zeros(step["bytes"], np.uint8))
        elif what == "load":
            self._modules[step["module"]] = self._device.load(tape.images[step["module"]])
        elif what == "launch":
            arguments = [self._argument(each) for each in step["arguments"]]
            sizes = step["grid"], step["block"]
            kernel = self._modules[step["module"]][step["entry"]]
            kernel(*sizes, arguments, step["shared_bytes"], step["cluster"])

    def _argument(self, argument: Step) -> ByValue:
        """Return an argument as bytes for the other device, which holds the arrays of them."""
        data, places = bytearray.fromhex(argument["value"]), []
        for patch in argument.get("patches", ()):
            pointer, at = self._arrays[patch["array"]].pointer(patch["byte"]), patch["into"]
            found = pointer.address.to_bytes(8, "little")
            if "map" in patch:
                parameters = TensorMapParameters(**{**patch["map"], "address": pointer.address})
                status, found = self._device.encode_tensor_map(parameters)
                if status != SUCCESS:
                    raise UserError(f"{self._device} encodes no such tensor map ({status})")
            data[at : at + len(found)] = found
            places.append((at, pointer.array, patch["byte"]))
        held = tuple(array for _, array, _ in places)
        own = ByValue(bytes(data), MAP_ALIGNMENT, held, places)
        return own.with_flipped(int(argument.get("flipped", "0x0"), 16))
