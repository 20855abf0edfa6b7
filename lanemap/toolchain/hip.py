"""How clang compiles HIP without ROCm: our headers, ziglang's C and C++ libraries, options.

The headers in `headers/` declare HIP's language and define its device functions. Standard headers
are those of libc++ and musl in ziglang's wheel; a ROCm installation's clang finds the machine's.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path

from lanemap.errors import UserError

HEADERS = Path(__file__).with_name("headers")
#: The host whose side of a source clang parses: the same everywhere, so that the text is too.
HOST = "x86_64-unknown-linux-musl"
_LIBRARIES = (
    "libcxx/include", "libc/include/x86_64-linux-musl", "libc/include/generic-musl",
    "libc/include/x86-linux-any", "libc/include/any-linux-any",
)  # fmt: skip
#: What a text names whose device code prints, and the option that gives it that function.
ALLOCATES, PRINTS = "__printf_alloc@", ("-D__LANEMAP_PRINTS",)
#: ROCm's libraries, by the beginnings of their headers' names.
_LIBRARIES_OF_ROCM = {
    "hiprand": "hipRAND", "rocrand": "rocRAND", "hipcub": "hipCUB", "rocprim": "rocPRIM",
    "thrust": "rocThrust", "rocwmma": "rocWMMA", "hipblas": "hipBLAS", "rocblas": "rocBLAS",
    "hipfft": "hipFFT", "rocfft": "rocFFT", "hipsparse": "hipSPARSE", "rccl": "RCCL",
    "miopen": "MIOpen", "ck/": "Composable Kernel", "ck_tile/": "Composable Kernel",
}  # fmt: skip
#: Options whose next word belongs to them if nothing is attached.
_TAKES_VALUE = ("-D", "-U", "-I", "-isystem", "-iquote", "-include")
_FOLDERS = ("-I", "-isystem", "-iquote")
_PLAIN = ("-O", "-std=", "-f", "-m", "-W", "-w", "-g", "-pedantic")


def flags(origin: str, source: str) -> tuple[str, ...]:
    """Return the flags by which clang finds headers; `origin` is that of `amdgpu.find_tools`.

    A source that includes nothing gets HIP's language, as HIPRTC gives it (HIP documentation, "HIP
    runtime compiler"), if it uses the language's words.
    """
    # The attributes exist before the source includes anything, as with ROCm's clang.
    own: tuple[str, ...] = ("-isystem", str(HEADERS), "-include", "hip/host_defines.h")
    if "__global__" in source and "#include" not in source:
        own += ("-include", "hip/hip_runtime.h")
    spec = importlib.util.find_spec("ziglang") if origin == "ziglang" else None
    if spec is None or not spec.submodule_search_locations:
        return own
    library = Path(spec.submodule_search_locations[0]) / "lib"
    folders = [word for part in _LIBRARIES for word in ("-isystem", str(library / part))]
    config = ("-include", str(HEADERS / "libcxx_config.h"))
    # libc++'s configuration comes before anything that includes it.
    return (f"--target={HOST}", "-nostdlibinc", *config, *own, *folders)


def missing_header(header: str) -> str:
    """Return what to do about a header of ROCm's that no folder has; "" for another one."""
    library = next((of for start, of in _LIBRARIES_OF_ROCM.items() if header.startswith(start)), "")
    return library and (
        f"{header} is a header of ROCm's {library}, which lanemap does not bring; put the kernels "
        "that do without it into a file of their own"
    )


def checked_options(options: Sequence[str]) -> list[str]:
    """Return options for clang, their folders absolute.

    Raises:
        UserError: one is none of defines, include folders, optimization, language and warnings, or
            names a folder that is not there.
    """
    found: list[str] = []
    words = iter(options)
    for word in words:
        flag = next((each for each in _TAKES_VALUE if word.startswith(each)), None)
        if flag is None:
            if not word.startswith(_PLAIN):
                known = " ".join((*_TAKES_VALUE, *_PLAIN))
                raise UserError(f"option {word!r} is not one that lanemap passes to clang: {known}")
            found.append(word)
            continue
        value = word.removeprefix(flag) or next(words, "")
        if not value:
            raise UserError(f"option {flag} needs a value")
        if flag in _FOLDERS:
            if not Path(value).is_dir():
                raise UserError(f"include folder {value} does not exist")
            value = str(Path(value).resolve())
        found += [flag, value] if flag.startswith("-i") else [flag + value]
    return found
