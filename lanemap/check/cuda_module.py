"""Answers of `torch.cuda` for the GPU that the emulator stands for.

Launches end before they return, so there is nothing to wait for: streams and events are shells, and
an event has no time. What needs a GPU and has no counterpart here is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import torch

from lanemap.check.findings import calling_line, named
from lanemap.check.script_threads import NOT_REDIRECTED, is_redirected
from lanemap.errors import UserError

if TYPE_CHECKING:
    from lanemap.check.findings import Findings
    from lanemap.check.tensors import Tensors
    from lanemap.devices.emulator import EmulatorDevice
    from lanemap.targets import Target

#: Its value 1 lets `torch.compile` make Triton kernels (inductor.py), which takes seconds.
INDUCTOR = "LANEMAP_INDUCTOR"

#: Who has an attribute, its name, and its value for now.
Patch = tuple[Any, str, Any]
#: What `torch.version.hip` says for a GPU of AMD: scripts ask whether it is None.
_HIP = "7.0"
_NO_TIME = (
    "torch.cuda.Event.elapsed_time returned NaN: the emulator has no clock, and its own speed says "
    "nothing about a GPU's"
)
_NOT_COMPILED = (
    "torch.compile compiles nothing: functions run as they are written, and kernels that it would "
    f"generate are not checked; {INDUCTOR}=1 lets it make Triton kernels"
)
#: Parts of torch.cuda that have no counterpart on the emulator.
_REFUSED = (
    "CUDAGraph", "graph", "make_graphed_callables", "graph_pool_handle", "cudart", "MemPool",
    "ExternalStream", "get_stream_from_external", "memory_snapshot", "current_blas_handle",
)  # fmt: skip


def _place() -> str:
    """Return the script's line that is being executed, to stand before a sentence."""
    place = calling_line()
    return f"{named(place)}: " if place else ""


def _nothing(*_: Any, **__: Any) -> None:
    """Do what takes no doing on the emulator."""


def _refused(name: str) -> Any:
    """Return what refuses in place of a part of torch.cuda: a class in place of a class.

    Libraries name such a class as a base or ask `isinstance`; making an object is refused.
    """

    def refuse(*_: Any, **__: Any) -> Any:
        raise UserError(f"{_place()}torch.cuda.{name} has no counterpart on the emulator")

    if isinstance(getattr(torch.cuda, name, None), type):
        return type(name, (), {"__module__": "torch.cuda", "__new__": refuse})
    return refuse


def _uninitialized(findings: Findings) -> Callable[[], None]:
    """Return what refuses where PyTorch would use a GPU all the same."""

    def refuse() -> None:
        if is_redirected():
            why = "PyTorch asks for a GPU in a way that lanemap does not redirect"
            raise UserError(_place() + why)
        refused = UserError(_place() + NOT_REDIRECTED)
        findings.refuse(refused)  # Python ignores what such a thread raises
        raise refused

    return refuse


class Stream:
    """A stream: every launch has ended before the next begins."""

    def __init__(self, device: Any = None, priority: int = 0, **_: Any) -> None:
        """Take the arguments of `torch.cuda.Stream`."""
        self.device, self.priority = torch.device("cuda", 0), priority
        self.cuda_stream = self.stream_id = self.device_index = 0

    def query(self) -> bool:
        """Return that nothing is left to do."""
        return True

    def is_capturing(self) -> bool:
        """Return that nothing is captured into a graph."""
        return False

    def record_event(self, event: Any = None) -> Any:
        """Return the event, or a new one."""
        return event if event is not None else Event()

    synchronize = wait_event = wait_stream = _nothing

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: Any) -> None:
        """Leave nothing behind."""

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Stream)

    def __hash__(self) -> int:
        return hash(Stream)


class Event:
    """An event, which has no time."""

    say_once: Callable[[str], None] = _nothing

    def __init__(self, *_: Any, **__: Any) -> None:
        """Take the arguments of `torch.cuda.Event`."""

    def query(self) -> bool:
        """Return that all before it has happened."""
        return True

    def elapsed_time(self, end_event: Any) -> float:
        """Return NaN: the emulator has no clock."""
        type(self).say_once(_NO_TIME)
        return math.nan

    record = wait = synchronize = _nothing


class Generator(torch._C.Generator):  # type: ignore[misc]  # without torch it is Any
    """A generator of random numbers, whatever its device: those for the GPU come from the host."""

    def __new__(cls, device: Any = "cpu") -> Generator:
        """Return a generator on the host."""
        made: Generator = super().__new__(cls, "cpu")
        return made


def device_properties(target: Target) -> SimpleNamespace:
    """Return what `torch.cuda.get_device_properties` does, as far as it is known."""
    gpu, limits, (major, minor) = target.gpu, target.limits, target.capability
    known = SimpleNamespace(
        name=gpu.name,
        major=major,
        minor=minor,
        total_memory=gpu.memory_bytes,
        multi_processor_count=gpu.multiprocessors,
        L2_cache_size=gpu.last_level_cache_bytes,
        warp_size=limits.lanes,
        is_integrated=0,
        is_multi_gpu_board=0,
        max_threads_per_multi_processor=limits.threads_of_sm,
        max_threads_per_block=limits.threads,
        regs_per_multiprocessor=limits.registers,
        shared_memory_per_block=limits.default_shared_bytes,
        shared_memory_per_block_optin=limits.shared_bytes,
        shared_memory_per_multiprocessor=limits.shared_bytes_of_sm,
        memory_clock_rate=gpu.memory_clock_khz,
        memory_bus_width=gpu.memory_bus_bits,
    )
    if gpu.clock_khz is not None:
        known.clock_rate = gpu.clock_khz
    if not target.is_nvidia:
        known.gcnArchName = f"{target.name}:sramecc+:xnack-"
    return known


def _only_gpu(device: Any = None) -> int:
    """Return the number of the only GPU; a RuntimeError for any other."""
    index = device if isinstance(device, int) else torch.device(device or "cuda").index or 0
    if index != 0:
        raise RuntimeError(f"GPU {index} does not exist: the emulator is one GPU, number 0")
    return 0


class Within:
    """A context that changes nothing: there is one GPU and one stream."""

    def __init__(self, *_: Any) -> None:
        """Take a device, a stream or a name."""

    def __enter__(self) -> None:
        """Change nothing."""

    def __exit__(self, *_: Any) -> None:
        """Change nothing back."""


class Selected(Within):
    """`torch.cuda.device`: there is one GPU to select."""

    def __init__(self, device: Any) -> None:
        """Take a GPU; -1 stands for the one that is selected already."""
        if device != -1:
            _only_gpu(device)


def _uncompiled(findings: Findings) -> Callable[..., Any]:
    """Return what stands for `torch.compile`: Inductor's kernels are not the script's."""

    def compile_nothing(model: Any = None, **_: Any) -> Any:
        findings.say_once(_NOT_COMPILED)
        return compile_nothing if model is None else model

    return compile_nothing


def _autocast(original: Callable[..., None]) -> Callable[..., None]:
    """Return what begins `torch.autocast`: that for the GPU acts on the host's operations."""

    def begin(
        self: Any,
        device_type: str,
        dtype: Any = None,
        enabled: bool = True,
        cache_enabled: bool | None = None,
    ) -> None:
        if device_type == "cuda":
            device_type, dtype = "cpu", dtype or torch.get_autocast_dtype("cuda")
        original(self, device_type, dtype, enabled, cache_enabled)

    return begin


def _answers(target: Target) -> dict[str, Any]:
    """Return the functions of torch.cuda that say what the GPU is."""

    def about(answer: Callable[[], Any]) -> Callable[..., Any]:
        def ask(device: Any = None) -> Any:
            _only_gpu(device)
            return answer()

        return ask

    major, minor = target.capability
    return {
        "is_available": lambda: True,
        "device_count": lambda: 1,
        "current_device": lambda: 0,
        "is_initialized": lambda: True,
        "set_device": _only_gpu,
        "get_device_name": about(lambda: target.gpu.name),
        "get_device_capability": about(lambda: target.capability),
        "get_device_properties": about(lambda: device_properties(target)),
        "get_arch_list": lambda: [f"sm_{major}{minor}" if target.is_nvidia else target.name],
        "is_bf16_supported": lambda *_, **__: True,
        "is_tf32_supported": lambda: True,
        "can_device_access_peer": lambda *_: False,
        "is_current_stream_capturing": lambda: False,
    }


def _memory(device: EmulatorDevice, target: Target, tensors: Tensors) -> dict[str, Any]:
    """Return the functions of torch.cuda about memory: what tensors on the GPU hold."""

    def held(*_: Any) -> int:
        return device.adopted_bytes

    def peak(*_: Any) -> int:
        return max(tensors.peak_bytes, held())

    def reset(*_: Any) -> None:
        tensors.peak_bytes = held()

    def stats(*_: Any) -> dict[str, int]:
        return {"allocated_bytes.all.current": held(), "allocated_bytes.all.peak": peak()}

    return {
        "memory_allocated": held,
        "memory_reserved": held,
        "memory_cached": held,
        "max_memory_allocated": peak,
        "max_memory_reserved": peak,
        "max_memory_cached": peak,
        "reset_peak_memory_stats": reset,
        "reset_max_memory_allocated": reset,
        "reset_max_memory_cached": reset,
        "reset_accumulated_memory_stats": _nothing,
        "memory_stats": stats,
        "mem_get_info": lambda *_: (target.gpu.memory_bytes - held(), target.gpu.memory_bytes),
        "memory_summary": lambda *_, **__: f"{held()} bytes in tensors, {peak()} at most",
        "empty_cache": _nothing,
        "ipc_collect": _nothing,
        "set_per_process_memory_fraction": _nothing,
    }


def _chance() -> dict[str, Any]:
    """Return the functions of torch.cuda about random numbers: the host's generator has them."""
    generator = torch.default_generator
    return {
        "manual_seed": lambda seed: generator.manual_seed(int(seed)),
        "manual_seed_all": lambda seed: generator.manual_seed(int(seed)),
        "seed": lambda: generator.seed(),
        "seed_all": lambda: generator.seed(),
        "initial_seed": lambda: generator.initial_seed(),
        "get_rng_state": lambda *_: generator.get_state(),
        "get_rng_state_all": lambda: [generator.get_state()],
        "set_rng_state": lambda state, *_: generator.set_state(state.cpu()),
        "set_rng_state_all": lambda states: generator.set_state(states[0].cpu()),
        "default_generators": (generator,),
    }


def _order(findings: Findings) -> dict[str, Any]:
    """Return what torch.cuda has for streams and events."""
    stream = Stream()
    event = type("Event", (Event,), {"say_once": staticmethod(findings.say_once)})
    return {
        "Stream": Stream,
        "Event": event,
        "synchronize": _nothing,
        "stream": Within,
        "StreamContext": Within,
        "set_stream": _nothing,
        "current_stream": lambda *_: stream,
        "default_stream": lambda *_: stream,
        "device": Selected,
        "device_of": Within,
        "_DeviceGuard": Selected,
        "init": _nothing,
        "_lazy_init": _uninitialized(findings),
    }


def patches(
    device: EmulatorDevice, target: Target, findings: Findings, tensors: Tensors
) -> list[Patch]:
    """Return what of PyTorch is something else while a script is checked."""
    cuda = torch.cuda
    answers = _answers(target) | _memory(device, target, tensors) | _chance() | _order(findings)
    answers |= {name: _refused(name) for name in _REFUSED}
    new: list[Patch] = [(cuda, name, value) for name, value in answers.items()]
    for holder in (cuda.memory, cuda.random, cuda.streams, cuda.graphs):
        new += [(holder, name, value) for name, value in answers.items() if hasattr(holder, name)]
    names = ("range_push", "range_pop", "range_start", "range_end", "mark")
    new += [(cuda.nvtx, name, _nothing) for name in names]
    new.append((cuda.nvtx, "range", Within))
    accelerator = {
        "is_available": lambda: True, "device_count": lambda: 1,
        "current_accelerator": lambda *_, **__: torch.device("cuda"),
        "current_device_index": lambda: 0, "current_device_idx": lambda: 0,
        "set_device_index": _only_gpu, "set_device_idx": _only_gpu, "synchronize": _nothing,
        "current_stream": answers["current_stream"], "set_stream": _nothing,
    }  # fmt: skip
    new += [(torch.accelerator, name, value) for name, value in accelerator.items()]
    set_default, get_default = torch.set_default_device, torch.get_default_device

    def set_default_device(place: Any) -> None:
        on_gpu = place is not None and torch.device(place).type == "cuda"
        tensors.default = torch.device("cuda", _only_gpu(place)) if on_gpu else None
        set_default(None if on_gpu else place)

    return [
        *((holder, name, value) for holder, name, value in new if hasattr(holder, name)),
        (torch, "Generator", Generator),
        (torch, "compile", _uncompiled(findings)),
        (torch.autocast, "__init__", _autocast(torch.autocast.__init__)),
        (torch, "set_default_device", set_default_device),
        (torch, "get_default_device", lambda: tensors.default or get_default()),
        *([] if target.is_nvidia else [(torch.version, "hip", _HIP)]),
    ]
