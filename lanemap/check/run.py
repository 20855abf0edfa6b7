"""Running a script as `python script.py` does, with the emulator in place of the GPU."""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import os
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lanemap.check.autotuning import Benchmarks, without_clock
from lanemap.check.cupy.session import cupy_on_emulator
from lanemap.check.cupy.sources import installed as nvrtc_version
from lanemap.check.cute import session
from lanemap.check.driver import EmulatorDriver, in_place_of_tritons
from lanemap.check.driver_api import driver_on_emulator
from lanemap.check.findings import Findings, Stopped, named, show_traceback
from lanemap.check.gpu_libraries import libraries_on_host
from lanemap.check.hip_driver import HipDriver
from lanemap.check.inline_assembly import refused_by_assembler
from lanemap.check.journal import Journal
from lanemap.check.launch import Emulated, Timer
from lanemap.check.tilelang import tilelang_on_emulator
from lanemap.devices import open_device, target_named
from lanemap.devices.emulator import EmulatorDevice
from lanemap.devices.sources import read_file
from lanemap.errors import MissingEnvironment, UserError, extra
from lanemap.targets import TARGETS, Target

if TYPE_CHECKING:
    from lanemap.devices import HazardMode
    from lanemap.devices.emulator import Counts

#: Versions of Triton that are known to work. Older ones leave out constant bits of the descriptors
#: that tcgen05.mma takes, which is a hazard.
OLDEST, NEWEST = (3, 6), (3, 9)
#: What scripts import, by the extra that brings it.
_BROUGHT_BY = {"triton": "check", "torch": "check", "cutlass": "cute", "cuda": "cute"}


@dataclass(frozen=True)
class Options:
    """How a script is checked; see `lanemap check --help`."""

    target: str = "sm_100a"
    strict: bool = False
    hazards: HazardMode = "report"
    count: bool = False
    quiet: bool = False
    verbose: bool = False
    timer: Timer | None = None


@dataclass
class Outcome:
    """What came of a script.

    Attributes:
        findings: What was found on the way.
        ended: Why it did not end as it should, in a sentence; "" if it did.
        gpu: The GPU that it ran on, as it was told.
        versions: Those of Triton and of CuTe DSL, as far as they are installed, by their names.
        counts: What launches did, if they were counted.
    """

    findings: Findings
    ended: str
    gpu: str
    versions: Mapping[str, str]
    counts: Counts | None

    @property
    def faultless(self) -> bool:
        """Whether the script and its threads ended well, and no kernel met a hazard."""
        return not self.ended and not self.findings.hazards

    @property
    def launched(self) -> bool:
        """Whether there was anything to check."""
        return bool(self.findings.launches)


def require_packages() -> dict[str, str]:
    """Return the versions of Triton and of CuTe DSL, as far as they are installed, by their names.

    Without both, there must be NVRTC, which compiles kernels of CuPy.

    Raises:
        MissingEnvironment: none of them is here, or Triton's version is not known.
    """
    known = {"Triton": require_triton(), "CuTe DSL": session.installed()}
    versions = {name: version for name, version in known.items() if version}
    if not versions:
        versions["NVRTC"] = nvrtc_version()
    if not any(versions.values()):
        raise MissingEnvironment(
            f"checking a script needs Triton, CuTe DSL or NVRTC: run {extra('check')} for "
            f"Triton, {extra('cute')} for CuTe DSL, or {extra('cupy')} for CuPy"
        )
    return versions


def require_triton() -> str:
    """Return Triton's version; "" where it is not installed.

    Raises:
        MissingEnvironment: the version is not known here.
    """
    if importlib.util.find_spec("triton") is None:
        return ""
    version = importlib.metadata.version("triton")
    numbers = tuple(int(part) for part in version.split(".")[:2])
    if not OLDEST <= numbers <= NEWEST:
        raise MissingEnvironment(
            f"lanemap checks scripts with Triton {'.'.join(map(str, OLDEST))} to "
            f"{'.'.join(map(str, NEWEST))}; this is {version}"
        )
    return version


def check(
    script: Path,
    arguments: Sequence[str],
    options: Options,
    journal: Journal | None = None,
    leave: Callable[[], object] = lambda: None,
) -> Outcome:
    """Run a script with the emulator as its GPU, in this process.

    Args:
        script: A file of Python.
        arguments: Its `sys.argv[1:]`.
        options: How it is checked.
        journal: Keeps what is found, if there is one.
        leave: Does what Python does at the end of a process, as a part of the script. Without
            it, threads of the script may go on.

    Raises:
        MissingEnvironment: see `require_packages`.
        UserError: the script cannot be read, or needs what the emulator does not support.
        KeyboardInterrupt: Ctrl-C; it says where that was and how much was found.
    """
    target = target_to_check(options.target)
    code = _compiled(script)
    versions = require_packages()
    device = open_device(options.target, "emulator", options.hazards, options.strict)
    findings = Findings(options.quiet, journal, verbose=options.verbose)
    if journal is not None:
        journal.write("begun", target.gpu.name, versions)
    with contextlib.ExitStack() as context:
        context.enter_context(findings.keeping_stderr())
        counts = context.enter_context(device.count()) if options.count else None
        context.enter_context(emulated_gpu(device, target, findings, options.timer))
        context.callback(leave)
        try:
            ended = _run(code, script, arguments)
        except KeyboardInterrupt as stop:
            said = str(stop) or "interrupted"
            raise KeyboardInterrupt(f"{said}; {findings.so_far()}") from None
        findings.tell_withheld(bool(ended))
    if findings.refused:  # and the script caught it
        raise findings.refused[0]
    failed = ended or next(iter(findings.failed), "")
    return Outcome(findings, failed, target.gpu.name, versions, counts)


@contextlib.contextmanager
def emulated_gpu(
    device: EmulatorDevice, target: Target, findings: Findings, timer: Timer | None = None
) -> Iterator[None]:
    """Let what is installed have the emulator as its GPU while the context lasts."""
    emulated = Emulated(device, findings, timer)
    benchmarks = Benchmarks(emulated, target)
    with contextlib.ExitStack() as context:
        if require_triton():
            driver = EmulatorDriver if target.is_nvidia else HipDriver
            context.enter_context(in_place_of_tritons(driver(emulated, target, benchmarks)))
            context.enter_context(without_clock(benchmarks))
            context.enter_context(libraries_on_host(findings))
            if not target.is_nvidia:
                context.enter_context(refused_by_assembler(target.name))
        context.enter_context(session.cute_dsl_on_emulator(emulated, target, benchmarks))
        context.enter_context(cupy_on_emulator(emulated, target))
        context.enter_context(driver_on_emulator(emulated, target))
        context.enter_context(tilelang_on_emulator(target))
        if importlib.util.find_spec("torch") is not None:
            from lanemap.check.torch_cuda import cuda_on_host

            context.enter_context(cuda_on_host(device, target, findings))
        yield


def target_to_check(name: str) -> Target:
    """Return a target by its name or a GPU's: "sm_80", "A100".

    Raises:
        UserError: there is none of that name.
    """
    return TARGETS[target_named(name)]


def _compiled(script: Path) -> types.CodeType:
    """Read and compile a script.

    Raises:
        UserError: there is none, or it is no Python.
    """
    source = read_file(script)
    try:
        return compile(source, os.path.abspath(script), "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line = error.lineno if isinstance(error, SyntaxError) else None
        place = script.name if line is None else f"{script.name}:{line}"
        why = error.msg if isinstance(error, SyntaxError) else error
        raise UserError(f"{place}: this is not valid Python: {why}") from error


@contextlib.contextmanager
def _as_main(script: Path, arguments: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Give a script its module, arguments and path, as `python script.py` does."""
    path = os.path.abspath(script)
    main = types.ModuleType("__main__")
    main.__dict__.update(
        __file__=path, __builtins__=__builtins__, __loader__=SourceFileLoader("__main__", path)
    )
    before = sys.modules["__main__"], sys.argv, sys.path
    sys.modules["__main__"] = main
    sys.argv = [str(script), *arguments]
    sys.path = [os.path.dirname(os.path.realpath(path)), *sys.path[1:]]
    try:
        yield main.__dict__
    finally:
        sys.modules["__main__"], sys.argv, sys.path = before


def _run(code: types.CodeType, script: Path, arguments: Sequence[str]) -> str:
    """Execute a script; return why it did not end as it should, "" if it did.

    Raises:
        MissingEnvironment: it imports what one of lanemap's extras would bring.
        SystemExit: in a process that the script forked, which has a status of its own.
    """
    own = os.getpid()
    with _as_main(script, arguments) as names:
        try:
            exec(code, names)
        except Stopped:
            return "it stopped at a hazard"
        except (UserError, MissingEnvironment, BrokenPipeError):  # the last: nobody reads on
            raise
        except SystemExit as error:
            if os.getpid() != own:
                raise
            return _left(error.code)
        except Exception as error:
            if isinstance(error, ModuleNotFoundError) and error.name in _BROUGHT_BY:
                raise MissingEnvironment(
                    f"{script.name} imports {error.name}, which is not installed: "
                    + extra(_BROUGHT_BY[error.name])
                ) from None
            place = named(show_traceback(error))
            return f"it raised {type(error).__name__}" + (f" at {place}" if place else "")
    return ""


def _left(code: Any) -> str:
    """Say why a script left early with sys.exit."""
    if code is None or code == 0:
        return ""
    if isinstance(code, int):
        return f"it ended with status {code}"
    sys.stdout.flush()
    print(code, file=sys.stderr)
    return "it ended with a message"
