"""An NVIDIA GPU through ctypes: what a tape's steps need of the CUDA driver API (cuda.h)."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

#: Members of CUlaunchAttributeID.
COOPERATIVE, CLUSTER_DIMENSION, PROGRAMMATIC_SERIALIZATION = 2, 4, 6
#: Bytes of a CUtensorMap, and their alignment.
MAP_BYTES, MAP_ALIGNMENT = 128, 64
MAP_FUNCTIONS = {
    "tiled": "cuTensorMapEncodeTiled",
    "im2col": "cuTensorMapEncodeIm2col",
    "im2col_wide": "cuTensorMapEncodeIm2colWide",
}
#: Members that every array of an encoding function gets: the driver reads as many as the rank says.
_ROOM = 16
#: Dynamic shared memory that a launch has without asking for more.
PLAIN_SHARED_BYTES = 48 << 10
#: CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, .._NON_PORTABLE_CLUSTER_SIZE_ALLOWED.
_SHARED, _LARGE_CLUSTERS = 8, 14
_PORTABLE_CTAS = 8
#: Members of CUdevice_attribute.
_ATTRIBUTES = {
    "multiprocessors": 16, "clock_khz": 13, "memory_clock_khz": 36, "l2_bytes": 38,
}  # fmt: skip
_MAJOR, _MINOR = 75, 76
_VERSION_FILE = "/proc/driver/nvidia/version"


class LaunchAttribute(ctypes.Structure):
    """CUlaunchAttribute: a number, and 64 bytes at the eighth."""

    _fields_ = (("id", ctypes.c_uint32), ("gap", ctypes.c_uint32), ("value", ctypes.c_uint32 * 16))


class LaunchConfig(ctypes.Structure):
    """CUlaunchConfig."""

    _fields_ = (
        ("grid", ctypes.c_uint32 * 3),
        ("block", ctypes.c_uint32 * 3),
        ("shared_bytes", ctypes.c_uint32),
        ("stream", ctypes.c_void_p),
        ("attributes", ctypes.POINTER(LaunchAttribute)),
        ("count", ctypes.c_uint32),
    )


class Refused(Exception):
    """What a driver or a GPU does not do, as a sentence."""


def load_library() -> Any:
    """Return libcuda.

    Raises:
        Refused: it is not here.
    """
    try:
        return ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise Refused(f"the CUDA driver cannot be loaded: {error}") from error


def _array(kind: Any, values: Sequence[int]) -> Any:
    return (kind * _ROOM)(*values)


def encode_tensor_map(library: Any, p: Mapping[str, Any], address: int) -> tuple[int, bytes]:
    """Return the driver's status and the 128 bytes of a tensor map; a context must be current.

    `p` has the parameters by the names of `devices.tensor_maps.TensorMapParameters`.

    Raises:
        Refused: this driver lacks the function.
    """
    function = getattr(library, MAP_FUNCTIONS[p["mode"]], None)
    if function is None:
        raise Refused(f"this CUDA driver has no {MAP_FUNCTIONS[p['mode']]}; install a newer one")
    room = (ctypes.c_uint8 * (MAP_BYTES + MAP_ALIGNMENT))()
    start = -ctypes.addressof(room) % MAP_ALIGNMENT
    uint, u64, i32 = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int32
    arguments: list[Any] = [
        ctypes.c_void_p(ctypes.addressof(room) + start), uint(p["data_type"]), uint(p["rank"]),
        ctypes.c_void_p(address), _array(u64, p["dims"]), _array(u64, p["strides"]),
    ]  # fmt: skip
    lower, upper = p["lower"], p["upper"]
    channels, pixels = uint(p["channels"]), uint(p["pixels"])
    if p["mode"] == "tiled":
        arguments += [_array(uint, p["box"])]
    elif p["mode"] == "im2col":
        arguments += [_array(i32, lower), _array(i32, upper), channels, pixels]
    else:
        arguments += [i32(lower[0]), i32(upper[0]), channels, pixels]
    arguments += [_array(uint, p["element_strides"]), uint(p["interleave"])]
    if p["mode"] == "im2col_wide":
        arguments += [uint(p["wide_mode"])]
    arguments += [uint(p["swizzle"]), uint(p["l2_promotion"]), uint(p["oob_fill"])]
    return int(function(*arguments)), bytes(room[start : start + MAP_BYTES])


def error_name(library: Any, status: int) -> str:
    """Return the driver's name of a status."""
    text = ctypes.c_char_p()
    library.cuGetErrorName(ctypes.c_int(status), ctypes.byref(text))
    return text.value.decode() if text.value else f"CUDA error {status}"


def architecture_of(target: str) -> str:
    """Return the compute capability of a target: "10.0" of sm_100a."""
    digits = re.sub(r"\D", "", target)
    return f"{digits[:-1]}.{digits[-1]}"


class Gpu:
    """The first GPU of a target."""

    name = "cuda"

    def __init__(self, target: str, least_driver: int) -> None:
        """Find it and make its context current.

        Args:
            target: Such as sm_100a.
            least_driver: The oldest cuDriverGetVersion that loads the code.

        Raises:
            Refused: there is none, or its driver is too old.
        """
        self._cuda = load_library()
        self._call("cuInit", ctypes.c_uint(0))
        version = ctypes.c_int()
        self._call("cuDriverGetVersion", ctypes.byref(version))
        self._driver = version.value
        if self._driver < least_driver:
            raise Refused(
                f"the driver is of CUDA {_dotted(self._driver)}; this capsule needs one of CUDA "
                f"{_dotted(least_driver)} or newer"
            )
        self._device = self._find(target)
        context = ctypes.c_void_p()
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self._device)
        self._call("cuCtxSetCurrent", context)

    def _find(self, target: str) -> Any:
        count = ctypes.c_int()
        self._call("cuDeviceGetCount", ctypes.byref(count))
        found = []
        for number in range(count.value):
            device = ctypes.c_int()
            self._call("cuDeviceGet", ctypes.byref(device), ctypes.c_int(number))
            capability = self._capability(device)
            if capability == architecture_of(target):
                return device
            found.append(f"{self._name(device)} ({capability})")
        raise Refused(
            f"this capsule is for a GPU of {target}, compute capability "
            f"{architecture_of(target)}; here is {' and '.join(found) or 'none'}"
        )

    def _call(self, function: str, *arguments: Any) -> None:
        """Call a function of the driver.

        Raises:
            Refused: it returns an error.
        """
        status = int(getattr(self._cuda, function)(*arguments))
        if status:
            raise Refused(f"{function}: {error_name(self._cuda, status)}")

    def _about(self, device: Any, attribute: int) -> int:
        value = ctypes.c_int()
        self._call("cuDeviceGetAttribute", ctypes.byref(value), ctypes.c_int(attribute), device)
        return value.value

    def _capability(self, device: Any) -> str:
        return f"{self._about(device, _MAJOR)}.{self._about(device, _MINOR)}"

    def _name(self, device: Any) -> str:
        room = ctypes.create_string_buffer(256)
        self._call("cuDeviceGetName", room, ctypes.c_int(256), device)
        return room.value.decode("utf-8", "replace")

    def describe(self) -> dict[str, Any]:
        """Return what a result says of the GPU: nothing that tells one card from another."""
        size = ctypes.c_size_t()
        self._call("cuDeviceTotalMem_v2", ctypes.byref(size), self._device)
        return {
            "gpu": self._name(self._device),
            "compute_capability": self._capability(self._device),
            "memory_bytes": size.value,
            "cuda_driver": self._driver,
            "driver": _driver_version(),
            **{key: self._about(self._device, number) for key, number in _ATTRIBUTES.items()},
        }

    def allocate(self, size_bytes: int) -> int:
        """Return the address of fresh memory."""
        address = ctypes.c_uint64()
        self._call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size_bytes, 1)))
        return address.value

    def free(self, address: int) -> None:
        """Give memory back; a launch that broke the context has been reported already."""
        self._cuda.cuMemFree_v2(ctypes.c_uint64(address))

    def write(self, address: int, data: bytes) -> None:
        """Copy to the GPU."""
        if data:
            size = ctypes.c_size_t(len(data))
            self._call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), data, size)

    def zero(self, address: int, size_bytes: int) -> None:
        """Fill with zeros."""
        if size_bytes:
            size = ctypes.c_size_t(size_bytes)
            self._call("cuMemsetD8_v2", ctypes.c_uint64(address), ctypes.c_ubyte(0), size)

    def read(self, address: int, size_bytes: int) -> bytes:
        """Copy from the GPU."""
        room = ctypes.create_string_buffer(max(size_bytes, 1))
        if size_bytes:
            size = ctypes.c_size_t(size_bytes)
            self._call("cuMemcpyDtoH_v2", room, ctypes.c_uint64(address), size)
        return room.raw[:size_bytes]

    def load(self, image: bytes) -> Any:
        """Load a cubin."""
        module = ctypes.c_void_p()
        self._call("cuModuleLoadData", ctypes.byref(module), image)
        return module

    def launch(self, module: Any, step: Mapping[str, Any], values: Sequence[bytes]) -> None:
        """Launch a step's kernel and wait.

        Args:
            module: What `load` returned.
            step: The launch.
            values: The bytes of each argument.
        """
        self._ready(module, step, values)()
        self._call("cuCtxSynchronize")

    def _ready(
        self, module: Any, step: Mapping[str, Any], values: Sequence[bytes]
    ) -> Callable[[], None]:
        """Return a function that puts a launch on the stream and does not wait."""
        function = ctypes.c_void_p()
        entry = step["entry"].encode()
        self._call("cuModuleGetFunction", ctypes.byref(function), module, entry)
        shared, cluster = step["shared_bytes"], step["cluster"]
        if shared > PLAIN_SHARED_BYTES:
            self._call("cuFuncSetAttribute", function, ctypes.c_int(_SHARED), ctypes.c_int(shared))
        if cluster[0] * cluster[1] * cluster[2] > _PORTABLE_CTAS:
            number = ctypes.c_int(_LARGE_CLUSTERS)
            self._call("cuFuncSetAttribute", function, number, ctypes.c_int(1))
        attributes = (LaunchAttribute * 1)()
        attributes[0].id = CLUSTER_DIMENSION
        attributes[0].value[:3] = cluster
        three = ctypes.c_uint32 * 3
        config = LaunchConfig(three(*step["grid"]), three(*step["block"]), shared)
        config.attributes, config.count = attributes, int(tuple(cluster) != (1, 1, 1))
        rooms = [_aligned(each) for each in values]
        places = (ctypes.c_void_p * max(len(rooms), 1))(*[at for _, at in rooms])
        given = ctypes.byref(config), function, places, None
        kept = attributes, rooms, places

        def enqueue() -> None:
            assert kept  # they live as long as this function
            self._call("cuLaunchKernelEx", *given)

        return enqueue

    def encode(self, parameters: Mapping[str, Any], address: int) -> bytes:
        """Return the bytes of a tensor map.

        Raises:
            Refused: the driver does not encode it.
        """
        status, data = encode_tensor_map(self._cuda, parameters, address)
        if status:
            raise Refused(f"a tensor map: {error_name(self._cuda, status)}")
        return data

    def time(
        self, module: Any, step: Mapping[str, Any], values: Sequence[bytes], launches: int
    ) -> float:
        """Return microseconds of one of so many launches that follow each other."""
        begin, end = ctypes.c_void_p(), ctypes.c_void_p()
        for event in (begin, end):
            self._call("cuEventCreate", ctypes.byref(event), ctypes.c_uint(0))
        enqueue = self._ready(module, step, values)
        enqueue()
        self._call("cuEventRecord", begin, None)
        for _ in range(launches):
            enqueue()
        self._call("cuEventRecord", end, None)
        self._call("cuEventSynchronize", end)
        elapsed = ctypes.c_float()
        self._call("cuEventElapsedTime", ctypes.byref(elapsed), begin, end)
        for event in (begin, end):
            self._call("cuEventDestroy_v2", event)
        return 1000 * elapsed.value / launches


def _aligned(data: bytes) -> tuple[Any, int]:
    """Return memory of the host that holds bytes at a multiple of 64, and where they begin."""
    room = (ctypes.c_uint8 * (len(data) + MAP_ALIGNMENT))()
    at = ctypes.addressof(room) + -ctypes.addressof(room) % MAP_ALIGNMENT
    ctypes.memmove(at, data, len(data))
    return room, at


def _dotted(version: int) -> str:
    return f"{version // 1000}.{version % 1000 // 10}"


def _driver_version() -> str | None:
    """Return such as 580.95.05; None where the file that says so is not there."""
    try:
        with open(_VERSION_FILE, encoding="utf-8", errors="replace") as file:
            found = re.search(r"\b\d{3}\.\d+(?:\.\d+)?\b", file.readline())
    except OSError:
        return None
    return found.group() if found else None
