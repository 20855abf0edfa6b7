"""Assembles PTX to a cubin with ptxas, or with nvJitLink if only that is installed."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lanemap import cache
from lanemap.errors import MissingEnvironment, UserError, writing
from lanemap.toolchain.places import check_target, find_library, find_program, identity
from lanemap.toolchain.scratch import scratch_folder

PACKAGE = "nvidia-cuda-nvcc"
#: The newest version that texts for silicon may name: that of CUDA 13.0. Compilers name their own,
#: whatever a text needs; what needs more than this is refused by ptxas or the driver, by name.
PTX_VERSION = (9, 0)
_VERSION = re.compile(r"^(\s*\.version\s+)(\d+)\.(\d+)", re.MULTILINE)
_DIAGNOSTIC = re.compile(
    r"^(?:ptxas|error\s*:)?.*?line (\d+); (error|fatal|warning|info)\s*: (.*)$", re.MULTILINE
)

_REMARK = re.compile(r"\(C\d{4}\)")


@dataclass(frozen=True)
class Diagnostic:
    """One message of ptxas; line 0 where it names none."""

    line: int
    severity: str
    message: str


def version(program: str | None = None) -> str:
    """Return the version of ptxas, "13.0.88"; of the one at a path, if `program` names it.

    Raises:
        MissingEnvironment: ptxas is not here.
    """
    match = re.search(r"V(\d+\.\d+\.\d+)", identity(program or find_program("ptxas", PACKAGE)))
    return match[1] if match else "unknown"


def assemble(
    ptx: str,
    target: str,
    options: Sequence[str] = (),
    name: str = "the source",
    program: str | None = None,
) -> bytes:
    """Return the cubin of PTX text; `program` is the path of another ptxas.

    Raises:
        UserError: ptxas refuses the text; the message has its line and the reason.
        MissingEnvironment: neither ptxas nor nvJitLink is here.
    """
    cubin, found = judge(ptx, target, options, program)
    if cubin is not None:
        return cubin
    first = next((item for item in found if item.severity in ("error", "fatal")), None)
    if first is None:
        raise UserError(f"{name} cannot be assembled, and ptxas gives no reason")
    where = f"{name}:{first.line}" if first.line else name
    raise UserError(f"{where}: {first.message}")


def lowered(ptx: str, newest: tuple[int, int] = PTX_VERSION) -> str:
    """Return a text whose `.version` is no newer than `newest`."""
    match = _VERSION.search(ptx)
    if match is None or (int(match[2]), int(match[3])) <= newest:
        return ptx
    return f"{ptx[: match.start()]}{match[1]}{newest[0]}.{newest[1]}{ptx[match.end() :]}"


def judge(
    ptx: str, target: str, options: Sequence[str] = (), program: str | None = None
) -> tuple[bytes | None, list[Diagnostic]]:
    """Return the cubin, or None where the text is refused, and every message.

    `program` is the path of another ptxas than the one that lanemap finds.

    Raises:
        MissingEnvironment: neither ptxas nor nvJitLink is here.
    """
    check_target(target)
    try:
        program = program or find_program("ptxas", PACKAGE)
    except MissingEnvironment:
        return _judge_by_library(ptx, target)
    asked = "\0".join((identity(program), target, *options, ptx))
    key = hashlib.sha256(asked.encode()).hexdigest()
    kept = cache.lookup(key)
    if kept is not None:
        return kept, []
    with scratch_folder() as folder:
        source, cubin = folder / "source.ptx", folder / "out.cubin"
        with writing(source):
            source.write_text(ptx)
        done = _run((program, f"-arch={target}", *options, str(source), "-o", str(cubin)))
        found = _diagnostics(done.stderr + done.stdout)
        if done.returncode == 0:
            made = cubin.read_bytes()
            if not found:
                cache.keep(key, made)
            return made, found
    return None, found or [Diagnostic(0, "fatal", (done.stderr.strip() or "no reason given"))]


def remarks(ptx: str, target: str) -> list[str]:
    """Return what ptxas says of code that will be slow, such as serialized wgmma (C7510).

    Raises:
        UserError: ptxas refuses the text.
        MissingEnvironment: ptxas is not here.
    """
    with scratch_folder() as folder:
        source = folder / "source.ptx"
        with writing(source):
            source.write_text(ptx)
        program = find_program("ptxas", PACKAGE)
        done = _run((program, f"-arch={target}", str(source), "-o", str(folder / "out.cubin")))
    text = done.stderr + done.stdout
    if done.returncode:
        raise UserError(f"ptxas refuses the text: {text.strip().splitlines()[0]}")
    return [line.strip() for line in text.splitlines() if _REMARK.search(line)]


def _run(command: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingEnvironment(f"{command[0]} cannot be run: {error}") from error


def _diagnostics(text: str) -> list[Diagnostic]:
    return [Diagnostic(int(m[1]), m[2], m[3].strip()) for m in _DIAGNOSTIC.finditer(text)]


@functools.cache
def _link_library() -> dict[str, Any]:
    library = ctypes.CDLL(find_library("libnvJitLink.so.13", "nvidia-nvjitlink"))
    return {
        name: getattr(library, f"__{name}_13_0")
        for name in (
            "nvJitLinkCreate",
            "nvJitLinkDestroy",
            "nvJitLinkAddData",
            "nvJitLinkComplete",
            "nvJitLinkGetLinkedCubinSize",
            "nvJitLinkGetLinkedCubin",
            "nvJitLinkGetErrorLogSize",
            "nvJitLinkGetErrorLog",
        )
    }


def _judge_by_library(ptx: str, target: str) -> tuple[bytes | None, list[Diagnostic]]:
    """Do what `judge` does through nvJitLink (NVIDIA nvJitLink documentation, C API)."""
    call = _link_library()
    handle = ctypes.c_void_p()
    options = (ctypes.c_char_p * 1)(f"-arch={target}".encode())
    if call["nvJitLinkCreate"](ctypes.byref(handle), 1, options):
        return None, [Diagnostic(0, "fatal", f"nvJitLink knows no target {target}")]
    try:
        data = ptx.encode() + b"\0"
        input_ptx = 2
        failed = call["nvJitLinkAddData"](handle, input_ptx, data, len(data), b"source")
        failed = failed or call["nvJitLinkComplete"](handle)
        if not failed:
            return _fetch(call, handle, "LinkedCubin"), []
        log = _fetch(call, handle, "ErrorLog").rstrip(b"\0").decode()
        return None, _diagnostics(log) or [Diagnostic(0, "fatal", log.strip())]
    finally:
        call["nvJitLinkDestroy"](ctypes.byref(handle))


def _fetch(call: dict[str, Any], handle: ctypes.c_void_p, what: str) -> bytes:
    size = ctypes.c_size_t()
    call[f"nvJitLinkGet{what}Size"](handle, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    call[f"nvJitLinkGet{what}"](handle, buffer)
    return buffer.raw
