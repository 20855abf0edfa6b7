"""CUDA C++ to PTX with NVRTC, which needs no GPU, driver or host compiler.

NVRTC 13.0 writes PTX 9.0, which a driver of CUDA 13.0 loads; newer ones write newer text
(NVIDIA NVRTC documentation, "PTX ISA version").
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from lanemap.errors import MissingEnvironment, UserError
from lanemap.toolchain.places import check_target, find_library, include_folders

PACKAGE = "nvidia-cuda-nvrtc"
_SUCCESS, _COMPILATION = 0, 6
#: What to do, by words of NVRTC's error; __CUDACC_RTC__ is its macro (NVRTC, Predefined Macros).
_HINTS = {
    "cannot open source file": "; NVRTC has CUDA's headers (cuda_fp16.h, cuda/std/cstdint, ..) and "
    "none of the host's: name a folder with -I, or put host code into #ifndef __CUDACC_RTC__",
    "host functions are not allowed": "; put host code into #ifndef __CUDACC_RTC__",
}
_ERROR = re.compile(r"^(.*)\((\d+)\): (?:catastrophic )?error(?: #\S+)?: (.*)$", re.MULTILINE)


class HostCode(UserError):
    """The source has code for the host, or includes headers of it, which NVRTC does not take."""


@cache
def _library() -> Any:
    path = find_library("libnvrtc.so.13", PACKAGE)
    try:
        # NVRTC opens its builtins by their bare name, which finds what is loaded already.
        for builtins in sorted(Path(path).parent.glob("libnvrtc-builtins.so.13.*")):
            ctypes.CDLL(str(builtins))
        library = ctypes.CDLL(path)
    except OSError as error:
        raise MissingEnvironment(f"{path} cannot be loaded: {error}") from error
    library.nvrtcGetErrorString.restype = ctypes.c_char_p
    library.nvrtcGetErrorString.argtypes = (ctypes.c_int,)
    program = ctypes.c_void_p
    library.nvrtcCreateProgram.argtypes = (
        ctypes.POINTER(program), ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int,
        ctypes.c_void_p, ctypes.c_void_p,
    )  # fmt: skip
    library.nvrtcCompileProgram.argtypes = (program, ctypes.c_int, ctypes.c_void_p)
    library.nvrtcAddNameExpression.argtypes = (program, ctypes.c_char_p)
    library.nvrtcDestroyProgram.argtypes = (ctypes.POINTER(program),)
    for what in ("PTX", "CUBIN", "ProgramLog"):
        getattr(library, f"nvrtcGet{what}Size").argtypes = (
            program,
            ctypes.POINTER(ctypes.c_size_t),
        )
        getattr(library, f"nvrtcGet{what}").argtypes = (program, ctypes.c_char_p)
    return library


def version() -> tuple[int, int]:
    """Return NVRTC's version, (13, 0).

    Raises:
        MissingEnvironment: NVRTC is not here.
    """
    major, minor = ctypes.c_int(), ctypes.c_int()
    _check(_library().nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)), "nvrtcVersion")
    return major.value, minor.value


def identity() -> str:
    """Return what changes when another NVRTC takes the place of this one.

    Raises:
        MissingEnvironment: NVRTC is not here.
    """
    path = Path(find_library("libnvrtc.so.13", PACKAGE)).resolve()
    status = path.stat()
    return f"{path} {status.st_size} {status.st_mtime_ns}"


def compile_cuda(
    source: str,
    target: str,
    options: Sequence[str] = (),
    name: str = "the source",
    headers: Mapping[str, str] | None = None,
    instances: Sequence[str] = (),
) -> str:
    """Return the PTX that NVRTC makes of CUDA C++.

    Args:
        source: The text; headers such as cuda_fp16.h are found where they are installed.
        target: "sm_90a", "sm_100a", ..
        options: Further options of NVRTC, such as "-lineinfo" or "-fmad=false".
        name: For messages and line information.
        headers: Texts that `#include` finds under these names, besides the installed ones.
        instances: Templates to instantiate, with their arguments, such as "scale<float>".

    Raises:
        HostCode: NVRTC refuses the source because of code for the host; nvcc may take it.
        UserError: NVRTC refuses the source; the message has its line and NVRTC's reason.
        MissingEnvironment: NVRTC is not here.
    """
    check_target(target)
    library = _library()
    program = ctypes.c_void_p()
    # A name without blanks: NVRTC writes it into `.file` and its messages.
    file = name if " " not in name else "source.cu"
    given = headers or {}
    texts = (ctypes.c_char_p * len(given))(*[text.encode() for text in given.values()])
    names = (ctypes.c_char_p * len(given))(*[header.encode() for header in given])
    created = library.nvrtcCreateProgram(
        ctypes.byref(program), source.encode(), file.encode(), len(given), texts, names
    )
    _check(created, "nvrtcCreateProgram")
    try:
        words = [f"--gpu-architecture=compute_{target.removeprefix('sm_')}", *options]
        words += [f"--include-path={folder}" for folder in include_folders()]
        for each in instances:
            _check(library.nvrtcAddNameExpression(program, each.encode()), each)
        array = (ctypes.c_char_p * len(words))(*[word.encode() for word in words])
        status = library.nvrtcCompileProgram(program, len(words), array)
        if status == _COMPILATION:
            raise _refusal(_text(library, program, "ProgramLog").decode(), file, name)
        _check(status, f"options {' '.join(words)}")
        return _text(library, program, "PTX").rstrip(b"\0").decode()
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))


def _text(library: Any, program: ctypes.c_void_p, what: str) -> bytes:
    size = ctypes.c_size_t()
    _check(getattr(library, f"nvrtcGet{what}Size")(program, ctypes.byref(size)), what)
    buffer = ctypes.create_string_buffer(size.value)
    _check(getattr(library, f"nvrtcGet{what}")(program, buffer), what)
    return buffer.raw


def _refusal(log: str, file: str, name: str) -> UserError:
    match = _ERROR.search(log)
    if match is None:
        first = (log.strip().splitlines() or ["no reason given"])[0]
        return UserError(f"{name} cannot be compiled: {first}")
    where = name if match[1] == file else match[1]
    hint = next((hint for words, hint in _HINTS.items() if words in match[3]), "")
    # The hint takes the place of advice on options that lanemap does not have.
    said = match[3].partition(" Consider using")[0].rstrip(".") if hint else match[3]
    return (HostCode if hint else UserError)(f"{where}:{match[2]}: {said}{hint}")


def _check(status: int, what: str) -> None:
    if status != _SUCCESS:
        words = _library().nvrtcGetErrorString(status).decode()
        raise UserError(f"NVRTC failed with {words} ({what})")
