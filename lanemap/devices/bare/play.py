"""Plays a tape of `devices.taped` on a GPU: its steps in order, and what its reads brought."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any


class Player:
    """One play of a tape; memory goes back when the tape names an array for the last time."""

    def __init__(
        self,
        gpu: Any,
        steps: Sequence[Mapping[str, Any]],
        data: Callable[[str], bytes],
        image: Callable[[str], bytes],
    ) -> None:
        """Prepare.

        Args:
            gpu: A `Gpu` of this folder, or what has its methods.
            steps: The tape's.
            data: Returns what is written to arrays, by hash.
            image: Returns code that the driver loads, by hash.
        """
        self._gpu, self._steps = gpu, steps
        self._data, self._image = data, image
        self._addresses: dict[int, int] = {}
        self._modules: dict[str, Any] = {}
        self._last = {array: at for at, step in enumerate(steps) for array in _arrays(step)}

    def reads(self) -> Iterator[bytes]:
        """Play the tape, and give what each read brought."""
        try:
            for at, step in enumerate(self._steps):
                yield from getattr(self, "_" + step["do"])(step)
                for array in _arrays(step):
                    if self._last[array] == at:
                        self._gpu.free(self._addresses.pop(array))
        finally:
            while self._addresses:
                self._gpu.free(self._addresses.popitem()[1])

    def _place(self, step: Mapping[str, Any], byte: str = "at") -> int:
        return self._addresses[step["array"]] + int(step[byte])

    def _allocate(self, step: Mapping[str, Any]) -> list[bytes]:
        self._addresses[step["array"]] = self._gpu.allocate(step["bytes"])
        return []

    def _write(self, step: Mapping[str, Any]) -> list[bytes]:
        self._gpu.write(self._place(step), self._data(step["data"]))
        return []

    def _zero(self, step: Mapping[str, Any]) -> list[bytes]:
        self._gpu.zero(self._place(step), step["bytes"])
        return []

    def _read(self, step: Mapping[str, Any]) -> list[bytes]:
        return [self._gpu.read(self._place(step), step["bytes"])]

    def _load(self, step: Mapping[str, Any]) -> list[bytes]:
        if step["module"] not in self._modules:
            self._modules[step["module"]] = self._gpu.load(self._image(step["module"]))
        return []

    def _launch(self, step: Mapping[str, Any]) -> list[bytes]:
        values = [self._value(each) for each in step["arguments"]]
        self._gpu.launch(self._modules[step["module"]], step, values)
        return []

    def _time(self, step: Mapping[str, Any]) -> list[bytes]:
        values = [self._value(each) for each in step["arguments"]]
        module, launches = self._modules[step["module"]], step["launches"]
        times = [self._gpu.time(module, step, values, launches) for _ in range(step["rounds"])]
        return [struct.pack(f"<{len(times)}d", *times)]

    def _value(self, argument: Mapping[str, Any]) -> bytes:
        """Return the bytes of an argument where the arrays lie now."""
        data = bytearray.fromhex(argument["value"])
        for patch in argument.get("patches", ()):
            address = self._place(patch, "byte")
            found = address.to_bytes(8, "little")
            if "map" in patch:
                found = self._gpu.encode(patch["map"], address)
            data[patch["into"] : patch["into"] + len(found)] = found
        changed = int.from_bytes(data, "little") ^ int(argument.get("flipped", "0x0"), 16)
        return changed.to_bytes(len(data), "little")


def _arrays(step: Mapping[str, Any]) -> list[int]:
    """Return the arrays that a step names."""
    named = [step] if "array" in step else []
    for argument in step.get("arguments", ()):
        named += argument.get("patches", ())
    return list(dict.fromkeys(each["array"] for each in named))
