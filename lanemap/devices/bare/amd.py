"""An AMD GPU through ctypes: what a tape's steps need of HIP (hip_runtime_api.h)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lanemap.devices.bare.nvidia import Refused

_LIBRARIES = (
    "libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "/opt/rocm/lib/libamdhip64.so",
)  # fmt: skip
#: Bytes of hipDeviceProp_tR0600, rounded up, and where its members lie.
_PROPERTIES_BYTES = 4096
_NAME, _MEMORY, _UNITS, _ARCHITECTURE = 0, 288, 388, 1160
_TO_DEVICE, _TO_HOST = 1, 2
#: HIP_LAUNCH_PARAM_BUFFER_POINTER, .._SIZE, .._END.
_POINTER, _SIZE, _END = 1, 2, 3


def load_library() -> Any:
    """Return HIP's library.

    Raises:
        Refused: it is not here.
    """
    for name in _LIBRARIES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise Refused("ROCm's libamdhip64.so cannot be loaded; is ROCm installed?")


class Gpu:
    """The first GPU of a target."""

    name = "hip"

    def __init__(self, target: str, least_driver: int) -> None:
        """Find it.

        Args:
            target: Such as gfx950.
            least_driver: The oldest hipDriverGetVersion that loads the code.

        Raises:
            Refused: there is none, or its driver is too old.
        """
        self._hip = load_library()
        self._hip.hipGetErrorString.restype = ctypes.c_char_p
        self._driver = self._number("hipDriverGetVersion")
        if self._driver < least_driver:
            raise Refused(
                f"HIP's driver is {self._driver}; this capsule needs {least_driver} or newer"
            )
        self._properties = self._find(target)

    def _find(self, target: str) -> bytes:
        found = []
        for number in range(self._number("hipGetDeviceCount")):
            room = ctypes.create_string_buffer(_PROPERTIES_BYTES)
            self._call("hipGetDevicePropertiesR0600", room, ctypes.c_int(number))
            architecture = _text(room.raw, _ARCHITECTURE).partition(":")[0]
            if architecture == target:
                self._call("hipSetDevice", ctypes.c_int(number))
                return room.raw
            found.append(f"{_text(room.raw, _NAME)} ({architecture})")
        here = " and ".join(found) or "none"
        raise Refused(f"this capsule is for a GPU of {target}; here is {here}")

    def _call(self, function: str, *arguments: Any) -> None:
        """Call a function of HIP.

        Raises:
            Refused: it returns an error.
        """
        status = int(getattr(self._hip, function)(*arguments))
        if status:
            words = self._hip.hipGetErrorString(ctypes.c_int(status)) or b""
            raise Refused(f"{function}: {words.decode('utf-8', 'replace')} ({status})")

    def _number(self, function: str) -> int:
        value = ctypes.c_int()
        self._call(function, ctypes.byref(value))
        return value.value

    def describe(self) -> dict[str, Any]:
        """Return what a result says of the GPU: nothing that tells one card from another."""
        return {
            "gpu": _text(self._properties, _NAME),
            "architecture": _text(self._properties, _ARCHITECTURE),
            "compute_units": _integer(self._properties, _UNITS, 4),
            "memory_bytes": _integer(self._properties, _MEMORY, 8),
            "driver_version": self._driver,
            "runtime_version": self._number("hipRuntimeGetVersion"),
        }

    def allocate(self, size_bytes: int) -> int:
        """Return the address of fresh memory."""
        address = ctypes.c_void_p()
        self._call("hipMalloc", ctypes.byref(address), ctypes.c_size_t(max(size_bytes, 1)))
        return int(address.value or 0)

    def free(self, address: int) -> None:
        """Give memory back; a launch that broke the context has been reported already."""
        self._hip.hipFree(ctypes.c_void_p(address))

    def write(self, address: int, data: bytes) -> None:
        """Copy to the GPU."""
        if data:
            self._copy(ctypes.c_void_p(address), data, len(data), _TO_DEVICE)

    def zero(self, address: int, size_bytes: int) -> None:
        """Fill with zeros."""
        if size_bytes:
            size = ctypes.c_size_t(size_bytes)
            self._call("hipMemset", ctypes.c_void_p(address), ctypes.c_int(0), size)

    def read(self, address: int, size_bytes: int) -> bytes:
        """Copy from the GPU."""
        room = ctypes.create_string_buffer(max(size_bytes, 1))
        if size_bytes:
            self._copy(room, ctypes.c_void_p(address), size_bytes, _TO_HOST)
        return room.raw[:size_bytes]

    def _copy(self, to: Any, source: Any, size_bytes: int, kind: int) -> None:
        self._call("hipMemcpy", to, source, ctypes.c_size_t(size_bytes), ctypes.c_int(kind))

    def load(self, image: bytes) -> Any:
        """Load a code object."""
        module = ctypes.c_void_p()
        self._call("hipModuleLoadData", ctypes.byref(module), image)
        return module

    def launch(self, module: Any, step: Mapping[str, Any], values: Sequence[bytes]) -> None:
        """Launch a step's kernel and wait; see `nvidia.Gpu.launch`."""
        self._ready(module, step, values)()
        self._call("hipDeviceSynchronize")

    def _ready(
        self, module: Any, step: Mapping[str, Any], values: Sequence[bytes]
    ) -> Callable[[], None]:
        """Return a function that puts a launch on the stream and does not wait."""
        function = ctypes.c_void_p()
        self._call("hipModuleGetFunction", ctypes.byref(function), module, step["entry"].encode())
        block = bytearray()
        for argument, value in zip(step["arguments"], values):
            block += bytes(argument["at"] - len(block)) + value
        room = ctypes.create_string_buffer(bytes(block), max(len(block), 1))
        size = ctypes.c_size_t(len(block))
        extra = (ctypes.c_void_p * 5)(
            _POINTER, ctypes.addressof(room), _SIZE, ctypes.addressof(size), _END
        )
        sizes = [ctypes.c_uint(each) for each in (*step["grid"], *step["block"])]
        shared = ctypes.c_uint(step["shared_bytes"])
        given = extra if block else None
        kept = room, size

        def enqueue() -> None:
            assert kept  # they live as long as this function
            self._call("hipModuleLaunchKernel", function, *sizes, shared, None, None, given)

        return enqueue

    def encode(self, parameters: Mapping[str, Any], address: int) -> bytes:
        """Refuse: AMD GPUs have no tensor maps."""
        raise Refused("AMD GPUs have no tensor maps")

    def time(
        self, module: Any, step: Mapping[str, Any], values: Sequence[bytes], launches: int
    ) -> float:
        """Return microseconds of one of so many launches that follow each other."""
        begin, end = ctypes.c_void_p(), ctypes.c_void_p()
        for event in (begin, end):
            self._call("hipEventCreate", ctypes.byref(event))
        enqueue = self._ready(module, step, values)
        enqueue()
        self._call("hipEventRecord", begin, None)
        for _ in range(launches):
            enqueue()
        self._call("hipEventRecord", end, None)
        self._call("hipEventSynchronize", end)
        elapsed = ctypes.c_float()
        self._call("hipEventElapsedTime", ctypes.byref(elapsed), begin, end)
        for event in (begin, end):
            self._call("hipEventDestroy", event)
        return 1000 * elapsed.value / launches


def _text(data: bytes, at: int) -> str:
    return data[at:].partition(b"\0")[0].decode("utf-8", "replace")


def _integer(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "little")
