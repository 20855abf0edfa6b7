"""CUDA C++ of a script to a module of the emulator: by NVRTC, at lines of the script."""

from __future__ import annotations

import ast
import functools
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lanemap import cache
from lanemap.check.cuda_api.texts import kept
from lanemap.check.cupy.state import active
from lanemap.check.findings import calling_line
from lanemap.check.launch import Function
from lanemap.devices import kernel_names
from lanemap.errors import MissingEnvironment, UserError
from lanemap.toolchain import nvcc, nvrtc

if TYPE_CHECKING:
    from lanemap.devices.emulator import EmulatorModule

_HEADERS = Path(__file__).with_name("headers")
#: What NVRTC is told of the target elsewhere.
_OF_TARGET = ("-arch", "--gpu-architecture", "-gencode", "--generate-code", "-code")


class CompileException(Exception):
    """CUDA C++ that its compiler refuses; CuPy's name for it."""

    __module__ = "cupy.cuda.compiler"


def installed() -> str:
    """Return NVRTC's version; "" where it is not installed."""
    try:
        return ".".join(map(str, nvrtc.version()))
    except MissingEnvironment:
        return ""


@functools.cache
def _headers() -> dict[str, str]:
    """Return the headers that CuPy brings, by the names that kernels include."""
    return {f"cupy/{path.name}": path.read_text() for path in sorted(_HEADERS.glob("*.cuh"))}


@functools.cache
def _strings(file: str) -> dict[str, list[int]]:
    """Return the lines at which the text of each long string of a Python file begins."""
    found: dict[str, list[int]] = {}
    try:
        tree = ast.parse(Path(file).read_text())
    except (OSError, ValueError, SyntaxError):
        return found
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) > 1:
            found.setdefault(node.value, []).append(node.lineno)
    return found


def at_line(text: str) -> str:
    """Return a text with a directive that names its line in the script, if a string there has it.

    Of equal strings it is the last one before the line that is being executed.
    """
    place = calling_line()
    lines = _strings(place[0]).get(text, []) if place else []
    if place is None or not lines:
        return text
    before = [line for line in lines if line <= place[1]] or lines
    return f"{directive(place[0], before[-1])}{text}"


def directive(file: str, line: int) -> str:
    """Return the line of C++ that says where the next one stands."""
    name = file.replace("\\", "\\\\").replace('"', '\\"')
    return f'#line {line} "{name}"\n'


def compile_text(
    source: str,
    name: str,
    options: Sequence[str] = (),
    instances: Sequence[str] = (),
    backend: str = "nvrtc",
) -> EmulatorModule:
    """Compile CUDA C++ and load it.

    Args:
        source: The text; it may include CuPy's headers.
        name: For messages.
        options: NVRTC's or nvcc's.
        instances: Templates to instantiate.
        backend: "nvrtc" or "nvcc".

    Raises:
        CompileException: the compiler refuses the source.
        MissingEnvironment: the compiler is not here.
        UserError: the emulator cannot read what it makes.
    """
    state = active()
    given = [each for each in options if not each.startswith(_OF_TARGET)]
    try:
        if backend == "nvcc":
            text = nvcc.compile_cuda(source, state.target.name, given, name, tuple(instances))
        else:
            text = _by_nvrtc(source, state.target.name, given, name, tuple(instances))
    except UserError as error:
        raise CompileException(str(error)) from None
    return state.emulated.load(kept(text))


def _by_nvrtc(
    source: str, target: str, options: Sequence[str], name: str, instances: Sequence[str]
) -> str:
    """Return NVRTC's PTX, from the cache if it has it."""
    words = ["-lineinfo", "-std=c++17", *options]
    if any(each.startswith(("-std", "--std")) for each in options):
        words.remove("-std=c++17")
    used = {key: text for key, text in _headers().items() if key in source}
    about = [nvrtc.identity(), source, target, name, *words, "", *instances, *used.values()]
    includes_files = any(each.startswith(("-I", "--include-path", "-include")) for each in options)

    def make() -> bytes:
        return nvrtc.compile_cuda(source, target, words, name, used, instances).encode()

    if includes_files:  # whose contents may change
        return make().decode()
    key = hashlib.sha256("\0".join(["cupy", *about]).encode()).hexdigest()
    return cache.cached(key, make).decode()


def function_of(module: EmulatorModule, name: str) -> Function:
    """Return a kernel of a module by its name in the source.

    Raises:
        UserError: there is none, or the emulator does not support all that it needs.
    """
    emulated = active().emulated
    with emulated.judging(name):
        function = Function(module, name)
    function.name = kernel_names.source_name(function.kernel.name)
    return function
