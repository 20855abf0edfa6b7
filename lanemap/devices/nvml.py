"""The state of an NVIDIA card, read through NVML; nothing is set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def card_state() -> dict[str, Any]:
    """Clocks, throttle reasons, power, temperature, ECC and driver of the first card.

    Values that the driver does not report are left out; without nvidia-ml-py the dict says so.
    """
    try:
        import pynvml
    except ImportError:
        return {"missing": "nvidia-ml-py is not installed"}
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError as error:
        return {"missing": f"NVML: {error}"}
    try:
        return _read(pynvml)
    finally:
        pynvml.nvmlShutdown()


def _read(nvml: Any) -> dict[str, Any]:
    card = nvml.nvmlDeviceGetHandleByIndex(0)
    readings: dict[str, Callable[[], Any]] = {
        "driver": nvml.nvmlSystemGetDriverVersion,
        "vbios": lambda: nvml.nvmlDeviceGetVbiosVersion(card),
        "sm_clock_mhz": lambda: nvml.nvmlDeviceGetClockInfo(card, nvml.NVML_CLOCK_SM),
        "memory_clock_mhz": lambda: nvml.nvmlDeviceGetClockInfo(card, nvml.NVML_CLOCK_MEM),
        "max_sm_clock_mhz": lambda: nvml.nvmlDeviceGetMaxClockInfo(card, nvml.NVML_CLOCK_SM),
        "throttle_reasons": lambda: hex(nvml.nvmlDeviceGetCurrentClocksThrottleReasons(card)),
        "power_milliwatt": lambda: nvml.nvmlDeviceGetPowerUsage(card),
        "power_limit_milliwatt": lambda: nvml.nvmlDeviceGetPowerManagementLimit(card),
        "temperature_celsius": lambda: nvml.nvmlDeviceGetTemperature(
            card, nvml.NVML_TEMPERATURE_GPU
        ),
        "ecc": lambda: bool(nvml.nvmlDeviceGetEccMode(card)[0]),
        "mig": lambda: bool(nvml.nvmlDeviceGetMigMode(card)[0]),
    }
    state: dict[str, Any] = {}
    for name, read in readings.items():
        try:
            value = read()
        except nvml.NVMLError:
            continue  # this card does not tell
        state[name] = value.decode() if isinstance(value, bytes) else value
    return state
