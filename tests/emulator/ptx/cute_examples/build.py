"""Store the PTX of examples/cute, and of faulty copies of them, with how each is launched.

    make cute
    .venv-cute/bin/python tests/emulator/ptx/cute_examples/build.py [NAME ..] [--out FOLDER]

Each script runs under `lanemap check`. Its first launch is stored: NAME.ptx, and in launches.json
the sizes, the arguments, and hashes of the text and of the script. Arguments that point into an
array name it: arrays are numbered by their addresses.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

from lanemap.check import launch
from lanemap.check.cuda_api import calls
from lanemap.check.run import Options, check

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
EXAMPLES = ROOT / "examples/cute"
PACKAGE = "nvidia-cutlass-dsl"
#: By name: the script, its target, and a change that makes it faulty.
TEXTS = {
    "elementwise": ("elementwise", "sm_100a", None),
    "elementwise.faulty": (
        "elementwise", "sm_100a", ("cute.elem_less(own_places[i], shape)", "True"),
    ),
    "rms_norm": ("rms_norm", "sm_100a", None),
    "rms_norm.faulty": ("rms_norm", "sm_100a", ("    cute.arch.barrier()\n", "    pass\n")),
    "gemm_ampere": ("gemm_ampere", "sm_100a", None),
    "gemm_ampere.faulty": (
        "gemm_ampere", "sm_100a", ("wait_group(STAGES - 2)", "wait_group(STAGES - 1)"),
    ),
    "gemm_hopper": ("gemm_hopper", "sm_90a", None),
    "gemm_hopper.faulty": (
        "gemm_hopper", "sm_90a",
        ("            cute.arch.fence_view_async_shared()\n", "            pass\n"),
    ),
    "dynamic_tiles": ("dynamic_tiles", "sm_100a", None),
    "dynamic_tiles.faulty": (
        "dynamic_tiles", "sm_100a",
        ("(pipeline.Agent.Thread, THREADS)", "(pipeline.Agent.Thread, THREADS - 32)"),
    ),
    "handoff": ("handoff", "sm_100a", None),
    "handoff.faulty": ("handoff", "sm_100a", ("read=False", "read=True")),
    "handoff.leader.faulty": (
        "handoff", "sm_100a", ("        cute.arch.sync_warp()\n", "        pass\n"),
    ),
}  # fmt: skip


def arrays_of(arguments: list[bytes], device: Any) -> list[Any]:
    """Replace each address by the number of its array and the distance to its start."""
    memory = device._machine._launcher.memory
    bases: list[int] = []
    found: list[Any] = []
    for data in arguments:
        parts: list[Any] = []
        for at in range(0, len(data), 8):
            word = data[at : at + 8]
            address = int.from_bytes(word, "little")
            held = memory.find(address) if len(word) == 8 and address >> 40 == 0x7F else None
            if held is None:
                parts.append(word.hex())
                continue
            if held.base not in bases:
                bases.append(held.base)
            parts.append([bases.index(held.base), address - held.base])
        found.append(parts)
    return found


def record(name: str) -> tuple[str, dict[str, Any]]:
    """Return the text and the first launch of a script."""
    stem, target, change = TEXTS[name]
    source = EXAMPLES / f"{stem}.py"
    text = source.read_text()
    if change:
        assert text.count(change[0]) == 1
        text = text.replace(*change)
    kept: list[str] = []
    launches: list[dict[str, Any]] = []

    def keep(ptx: str) -> Path:
        kept.append(ptx)
        return path_of(ptx)

    def run(
        self: Any, function: Any, grid: Any, block: Any, arguments: Any, shared: int, cluster: Any
    ) -> None:
        launches.append(
            {
                "target": target,
                "grid": grid,
                "block": block,
                "shared_bytes": shared,
                "cluster": cluster,
                "arguments": arrays_of(arguments, self.device),
            }
        )
        raise SystemExit  # the script need not go on

    path_of, launched = calls.kept, launch.Emulated.run
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / source.name
        script.write_text(text)
        calls.kept, launch.Emulated.run = keep, run  # type: ignore[assignment, method-assign]
        try:
            check(script, [], Options(target=target, quiet=True))
        finally:
            calls.kept, launch.Emulated.run = path_of, launched  # type: ignore[method-assign]
        ptx = kept[0].replace(str(script), source.relative_to(ROOT).as_posix())
    about = launches[0]
    about["text_sha256"] = hashlib.sha256(ptx.encode()).hexdigest()
    about["script_sha256"] = hashlib.sha256(source.read_bytes()).hexdigest()
    return ptx, about


def main() -> int:
    """Store the named texts, or all, a process each: CuTe DSL reads its settings once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, default=HERE)
    chosen = parser.parse_args()
    out: Path = chosen.out.resolve()
    index = out / "launches.json"
    for name in chosen.names or TEXTS:
        if not chosen.inside:
            command = [sys.executable, __file__, name, "--inside", "--out", str(out)]
            subprocess.run(command, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True)
            continue
        text, about = record(name)
        (out / f"{name}.ptx").write_text(text)
        stored = json.loads(index.read_text()) if index.exists() else {}
        stored |= {name: about, PACKAGE: version(PACKAGE)}
        index.write_text(json.dumps(stored, indent=1, sort_keys=True) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
