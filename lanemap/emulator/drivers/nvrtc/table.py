"""The functions that are NVIDIA's; the build runs this file by itself."""

from __future__ import annotations

#: What programs load, and the version of its symbols that they ask for.
NAME = VERSION = "libnvrtc.so.13"
#: The library that it is linked with.
NEEDS = "libcuda.so.1"
ORDER = ("compiler",)
#: None has more than six parameters, all of them numbers or pointers.
PASSED_ON = (
    "nvrtcAddNameExpression", "nvrtcCompileProgram", "nvrtcCreateProgram", "nvrtcDestroyProgram",
    "nvrtcGetErrorString", "nvrtcGetLTOIR", "nvrtcGetLTOIRSize", "nvrtcGetLoweredName",
    "nvrtcGetNumSupportedArchs", "nvrtcGetOptiXIR", "nvrtcGetOptiXIRSize",
    "nvrtcGetPCHCreateStatus", "nvrtcGetPCHHeapSize", "nvrtcGetPCHHeapSizeRequired", "nvrtcGetPTX",
    "nvrtcGetPTXSize", "nvrtcGetProgramLog", "nvrtcGetProgramLogSize", "nvrtcGetSupportedArchs",
    "nvrtcSetFlowCallback", "nvrtcSetPCHHeapSize", "nvrtcVersion",
)  # fmt: skip


def source() -> str:
    """Return the end of the library's source: what passes calls on."""
    return "\n".join(f"PASS_ON({name})" for name in PASSED_ON) + "\n"
