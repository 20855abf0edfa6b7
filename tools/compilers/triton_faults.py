"""The museum's scripts in Triton, compiled by each release of Triton and run on the emulator.

A release compiles them in a process of its own, with the release on its path and nothing of the
environment's Triton. A faulty script is wrong with that release if the emulator reports the
exhibit's fault, or if it leaves a wrong result; what else the emulator reports is another fault.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from lanemap.conformance.museum.exhibit import WRONG_RESULT, Exhibit
from lanemap.devices import open_device
from lanemap.errors import LanemapError, MissingEnvironment, UserError
from lanemap.paths import find, import_file
from lanemap.toolchain import ptxas
from lanemap.toolchain.amdgpu import find_tools

ROOT = Path(__file__).resolve().parents[2]
#: A linker as Triton calls it, which says that it is GNU's; zig's knows that by its own name.
_LINKER = """#!/bin/sh
if [ "$1" = -flavor ]; then shift 2; fi
exec {} "$@"
"""
#: Pointers to scratch memory that Triton's kernels take besides their own arguments, by release.
_MORE = (2, 1, 0)


def scripts() -> list[Path]:
    """The museum's scripts in Triton's own language, which all releases have."""
    found = sorted((find("museum") / "scripts").glob("*.py"))
    return [each for each in found if "import triton.language" in each.read_text()
            and "gluon" not in each.read_text()]  # fmt: skip


def compiled(script: Path, version: str, folder: Path) -> dict[str, Any]:
    """What the release in a folder makes of a script.

    Raises:
        UserError: it refuses it.
    """
    words = [sys.executable, "-m", "tools.compilers.triton_child", str(script), version]
    with tempfile.TemporaryDirectory() as scratch:
        linker = Path(scratch, "ld.lld")  # Triton for AMD takes one program
        linker.write_text(_LINKER.format(shlex.join(find_tools().lld)))
        linker.chmod(0o755)
        own = {"PYTHONPATH": f"{folder}:{ROOT}", "TRITON_CACHE_DIR": scratch}
        own["TRITON_HIP_LLD_PATH"] = str(linker)
        done = subprocess.run(
            words, cwd=ROOT, env=os.environ | own, capture_output=True, text=True, timeout=300
        )
    if done.returncode:
        lines = [each.strip() for each in done.stderr.splitlines() if each.strip()]
        raise UserError((lines or [f"its compiler ended with status {done.returncode}"])[-1])
    made: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return made


def _launcher(made: dict[str, Any], more: int) -> Callable[..., None]:
    def launch(module: Any, grid: int, args: Sequence[Any]) -> None:
        (entry,) = module
        ctas, extra = made["cluster"], [np.uint64(0)] * more
        shape = (grid * ctas, made["threads"], [*args, *extra], made["shared_bytes"])
        module[entry](*shape, (ctas, 1, 1))

    return launch


def run(module: ModuleType, one: Exhibit, made: dict[str, Any]) -> dict[str, Any]:
    """What a launch of the kernel shows: as promised, the exhibit's error, or another."""
    text = made["text"]
    if not one.target.startswith("gfx"):
        text = ptxas.lowered(text)
    for more in _MORE:
        device = open_device(one.target, "emulator", hazards="report", strict=one.strict)
        module.kernel = _launcher(made, more)  # type: ignore[attr-defined]
        try:
            pairs = one.launch(device, device.load(text))
        except UserError as error:
            if "argument" in str(error) and more:
                continue
            raise
        own = [each for each in device.hazards if each.kind == one.kind and one.says in str(each)]
        if own or device.hazards:
            name = "error" if own else "other"
            return {name: str((own or device.hazards)[0]).partition("\n")[0]}
        right = all(np.array_equal(found, expected) for found, expected in pairs)
        return {"as promised": True} if right else {"error": WRONG_RESULT}
    raise AssertionError


def outcome(script: Path, version: str, folder: Path) -> dict[str, Any]:
    """Compile and run once: right, wrong and why, or a refusal."""
    try:
        made = compiled(script, version, folder)
    except UserError as refusal:
        return {"runs": 0, "the same": 0, "refused": str(refusal)[:160]}
    module = import_file(find("museum") / script.name)
    head = {"runs": 1, "the same": 1}
    try:
        return head | run(module, module.EXHIBIT, made)
    except MissingEnvironment:
        raise
    except LanemapError as error:
        return head | {"other": str(error).partition("\n")[0]}


def observe(releases: Sequence[tuple[str, Path]], say: Callable[[str], None]) -> dict[str, Any]:
    """By target, the findings of every script by every release.

    Args:
        releases: Names, "triton 3.6.0", and folders of unpacked wheels.
        say: Told what came out.
    """
    found: dict[str, Any] = {}
    for script in scripts():
        one = import_file(find("museum") / script.name).EXHIBIT
        programs = []
        for version, cure in (("faulty", ""), ("fixed", "mended as the exhibit says")):
            outcomes = []
            for name, folder in releases:
                told = {"compiler": name, "options": one.target} | outcome(script, version, folder)
                outcomes.append(told)
                say(f"{script.stem} {version}, {name}: {_word(told)}")
            text = script.read_text()
            row = {"name": f"{script.name}, {version}", "cure": cure, "text": text, "promise": []}
            programs.append(row | {"outcomes": outcomes})
        fault = {"name": script.stem, "promise": one.cause, "programs": programs}
        found.setdefault(one.target, []).append(fault)
    return {target: {"faults": faults} for target, faults in found.items()}


def _word(told: dict[str, Any]) -> str:
    if "refused" in told:
        return f"refused: {told['refused']}"
    return str(told.get("error") or told.get("other") or "right")
