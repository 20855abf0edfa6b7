"""`lanemap doctor`: what can run here, and what is missing for the rest."""

from __future__ import annotations

import importlib.util
import platform
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version

from lanemap import __version__, paths
from lanemap.cli.output import JSON_OPTION, console, show_json, table
from lanemap.errors import LanemapError, MissingEnvironment, UserError, extra

ANALYSIS = ("pandas", "pyarrow", "jupytext", "nbclient", "nbconvert", "ipykernel")


@dataclass(frozen=True)
class Check:
    """One thing that may be here: `detail` says what was found, or what to do.

    `device` and `target` are those that were opened, "" where the thing is not a device.
    """

    name: str
    here: bool
    needed_for: str
    detail: str
    device: str = ""
    target: str = ""


def command(as_json: bool = JSON_OPTION) -> int:
    """Show what can run on this machine, and what is missing for the rest.

    The exit status is 3 if not even the emulator can run.
    """
    checks = [
        _check("lanemap", "everything", _installation),
        *_devices(),
        _check("clang for AMD GPUs", "code objects; HIP and C sources", _clang),
        _check("NVRTC", "CUDA C++ sources to PTX", _nvrtc),
        _check("nvcc", "CUDA C++ with host code to PTX", _nvcc),
        _check("ptxas", "PTX to cubin; its judgement of PTX", _ptxas),
        _check("nvdisasm", "the SASS of a cubin", _nvdisasm),
        _check("Triton and PyTorch", "lanemap check", _triton),
        _check("CuTe DSL and PyTorch", "lanemap check of its scripts", _cute_dsl),
        _check("analysis", "report and notebooks", _analysis),
    ]
    if as_json:
        show_json([asdict(check) for check in checks])
    else:
        rows = [
            [name, "here" if check.here else "missing", check.needed_for, check.detail]
            for name, check in _alike(checks)
        ]
        console().print(table(("what", "", "needed for", "what was found, or what to do"), rows))
    emulators = [check.here for check in checks if check.device == "emulator"]
    return 0 if checks[0].here and all(emulators) else MissingEnvironment.exit_code


def _alike(checks: list[Check]) -> list[tuple[str, Check]]:
    """Return one check for each device and what was found of it, named with all its targets."""
    found: dict[tuple[str, bool, str], list[Check]] = {}
    for check in checks:
        found.setdefault((check.device or check.name, check.here, check.detail), []).append(check)
    return [
        (" ".join([what, ", ".join(each.target for each in alike)]).strip(), alike[0])
        for (what, *_), alike in found.items()
    ]


def _check(name: str, needed_for: str, look: Callable[[], str]) -> Check:
    try:
        return Check(name, True, needed_for, look())
    except LanemapError as error:
        return Check(name, False, needed_for, str(error))


def _versions(packages: Sequence[str]) -> str:
    found = []
    for package in packages:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError as error:
            raise MissingEnvironment(f"package {package} is not installed") from error
    return ", ".join(found)


def _installation() -> str:
    places = ", ".join(str(paths.find(folder)) for folder in paths.FOLDERS)
    return f"{__version__} on Python {platform.python_version()}; {places}"


def _devices() -> list[Check]:
    """Open every device of every target."""
    from lanemap.targets import TARGETS

    pairs = [(device, target) for target, each in TARGETS.items() for device in each.devices]
    return [
        replace(
            _check(f"{device} {target}", _purpose(device), partial(_open, device, target)),
            device=device,
            target=target,
        )
        for device, target in sorted(pairs, key=lambda pair: pair[0] != "emulator")
    ]


def _purpose(device: str) -> str:
    where = "without a GPU" if device == "emulator" else "on silicon"
    return f"probes and kernels {where}"


def _open(device: str, target: str) -> str:
    from lanemap.devices import open_device

    environment = open_device(target, device).environment()
    if device == "emulator":
        return f"{_versions(('llvmlite', 'numpy'))} on {platform.machine()}"
    return str(environment["gpu"])


def _clang() -> str:
    from lanemap.toolchain.amdgpu import find_tools

    return find_tools().origin


def _nvrtc() -> str:
    from lanemap.toolchain import nvrtc

    major, minor = nvrtc.version()
    return f"{major}.{minor}"


def _nvcc() -> str:
    from lanemap.toolchain import nvcc

    return nvcc.version()


def _ptxas() -> str:
    from lanemap.toolchain import ptxas

    return ptxas.version()


def _nvdisasm() -> str:
    from lanemap.toolchain import sass
    from lanemap.toolchain.places import find_program

    return find_program("nvdisasm", sass.PACKAGE)


def _triton() -> str:
    from lanemap.check.run import require_packages, require_triton

    require_packages()
    version = require_triton()
    if not version:
        raise MissingEnvironment(f"Triton is not installed: run {extra('check')}")
    return f"Triton {version}, {_versions(('torch',))}"


def _cute_dsl() -> str:
    from lanemap.check.cute.session import require
    from lanemap.devices.emulator import driver_library

    driver_library("cute_dsl_runtime")
    return f"CuTe DSL {require()}, {_versions(('torch',))}"


def _analysis() -> str:
    missing = [package for package in ANALYSIS if importlib.util.find_spec(package) is None]
    if missing:
        raise UserError(f"{', '.join(missing)} not installed: run {extra('analysis')}")
    return _versions(("pandas", "pyarrow", "jupytext"))
