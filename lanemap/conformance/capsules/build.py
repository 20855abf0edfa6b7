"""Builds capsules: a program that has a zip with the tapes of entries and code for the GPU."""

from __future__ import annotations

import hashlib
import io
import json
import random
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import lanemap
from lanemap import paths
from lanemap.conformance.capsules.entries import Entry
from lanemap.conformance.capsules.player import start
from lanemap.devices.taped import Mirror, Tape, TapedDevice, zeros
from lanemap.errors import LanemapError, UserError
from lanemap.records.environment import own_revision, package_hash
from lanemap.records.hashes import source_hash
from lanemap.targets import TARGETS
from lanemap.toolchain import amdgpu, ptxas
from lanemap.toolchain.codeobject import read_code_object

#: What a capsule's player is made of, by module; nothing in them imports more than Python has.
_PLAYER = (
    "lanemap.devices.bare", "lanemap.devices.bare.nvidia", "lanemap.devices.bare.amd",
    "lanemap.devices.bare.play", "lanemap.conformance.capsules.player",
    "lanemap.conformance.capsules.player.main",
)  # fmt: skip
#: `__main__.py` of the zip, which an entry's own process runs.
_CHILD = b"""import sys
from lanemap.conformance.capsules.player.main import main
sys.exit(main(sys.argv[0]))
"""
SEND = 'Send it as an issue or a pull request; README.md of lanemap, "Send a capsule\'s result".'
#: So that the same checkout makes the same bytes.
_DATE = (2020, 1, 1, 0, 0, 0)
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Recorded:
    """An entry with its tape."""

    entry: Entry
    tape: Tape


def record(entry: Entry, target: str) -> Tape:
    """Return the tape of an entry.

    Where the launches depend on what was read, they are those that follow from the emulator's
    answers: a GPU that gives others has refuted the emulator before they matter.

    Raises:
        LanemapError: what the entry's own code says.
    """
    if entry.launches is None:
        device = TapedDevice(target)
        entry.launch(device)
        return device.tape
    try:
        with np.errstate(all="ignore"):  # noise has numbers that are none
            tapes = [_with(entry, target, answers) for answers in (zeros, _noise)]
    except Exception:  # of answers that are none, an analysis may make anything
        tapes = []
    if len(tapes) == 2 and tapes[0].digest == tapes[1].digest:
        return tapes[0]
    emulator = lanemap.open_device(target, "emulator", hazards="report")
    return _with(entry, target, Mirror(emulator))


def _with(entry: Entry, target: str, answers: Callable[[Tape], bytes]) -> Tape:
    device = TapedDevice(target, answers)
    entry.launch(device)
    return device.tape


def _noise(tape: Tape) -> bytes:
    """Answer a read with random bytes."""
    return random.Random(len(tape.steps)).randbytes(tape.read_bytes[-1])


def assembled(image: str | bytes, target: str) -> bytes:
    """Return what the driver loads of a text or of code.

    Raises:
        UserError: the assembler refuses the text.
        MissingEnvironment: there is no assembler.
    """
    if isinstance(image, bytes):
        return image
    if target.startswith("gfx"):
        return amdgpu.assemble(image, target)
    return ptxas.assemble(image, target)


def assembler(target: str) -> str:
    """Return the assembler of a target and its version."""
    if target.startswith("gfx"):
        return amdgpu.find_tools().origin
    return f"ptxas {ptxas.version()}"


def build(entries: Sequence[Entry], target: str, tell: Tell = lambda text: None) -> bytes:
    """Return a capsule's file.

    Args:
        entries: What it holds.
        target: The instruction set.
        tell: Called with a line for each entry.

    Raises:
        UserError: an entry cannot be recorded, or the assembler refuses a text; it names the entry.
        MissingEnvironment: there is no assembler.
    """
    recorded = []
    for entry in entries:
        try:
            recorded.append(Recorded(entry, record(entry, target)))
        except LanemapError as error:
            raise type(error)(f"entry {entry.name}: {error}") from error
        tape = recorded[-1].tape
        tell(f"{entry.name}: {len(tape.steps)} steps, {sum(tape.read_bytes)} bytes to read")
    return _file(recorded, target)


def _file(recorded: Sequence[Recorded], target: str) -> bytes:
    texts = {key: each for one in recorded for key, each in one.tape.images.items()}
    images = {key: assembled(each, target) for key, each in texts.items()}
    if target.startswith("gfx"):
        _require_places(recorded, images)
    named = {key: source_hash(code).partition(":")[2] for key, code in images.items()}
    files = {"__main__.py": _CHILD}
    files |= _player()
    files["manifest.json"] = _json(_manifest(recorded, target, named))
    for one in recorded:
        files[f"tapes/{one.entry.name}.json"] = _json(one.tape.steps)
        files |= {f"data/{key}": data for key, data in one.tape.data.items()}
    files |= {f"images/{named[key]}": code for key, code in images.items()}
    room = io.BytesIO()
    with zipfile.ZipFile(room, "w") as packed:
        for name, data in files.items():
            packed.writestr(zipfile.ZipInfo(name, _DATE), data, zipfile.ZIP_DEFLATED, 9)
    return _program(room.getvalue())


def _program(packed: bytes) -> bytes:
    """Return the program that checks a zip and runs what is in it, with the zip."""
    begin = Path(start.__file__).read_text()
    begin = begin.replace('HASH = ""', f'HASH = "{hashlib.sha256(packed).hexdigest()}"')
    return begin.encode() + start.MARK + start.as_comments(packed)


def archive(capsule: bytes) -> bytes:
    """Return the zip of a capsule's file."""
    return start.of_comments(capsule.partition(start.MARK)[2])


def _root() -> Path:
    return Path(paths.__file__).parent.parent


def _player() -> dict[str, bytes]:
    """Return the modules of the player by their places, and empty packages above them."""
    found: dict[str, bytes] = {}
    for module in _PLAYER:
        parts = module.split(".")
        for depth in range(1, len(parts)):
            found.setdefault("/".join(parts[:depth]) + "/__init__.py", b"")
        own = _root() / "/".join(parts)
        package = own.is_dir()
        place = own / "__init__.py" if package else own.with_suffix(".py")
        found[place.relative_to(_root()).as_posix()] = place.read_bytes()
    return found


def _manifest(recorded: Sequence[Recorded], target: str, named: Mapping[str, str]) -> Any:
    return {
        "target": target,
        "device": TARGETS[target].devices[0],
        "lanemap": lanemap.__version__,
        "revision": own_revision(),
        "source": package_hash(),
        "assembler": assembler(target),
        "least_driver": least_driver(target),
        "send": SEND,
        "images": dict(named),
        "entries": {
            one.entry.name: {
                "asks": one.entry.asks,
                "tape": one.tape.digest,
                "again": one.entry.again,
                "limit_s": one.entry.limit_s,
            }
            for one in recorded
        },
    }


def least_driver(target: str) -> int:
    """Return the oldest version of the driver that loads what the assembler makes.

    A driver loads cubins of its own major version of CUDA (CUDA Compatibility, "Minor Version
    Compatibility"). Code objects of version 5 need ROCm 5 (LLVM, AMDGPU User Guide).
    """
    if target.startswith("gfx"):
        return 50_000_000
    return 1000 * int(ptxas.version().partition(".")[0])


def _require_places(recorded: Sequence[Recorded], images: Mapping[str, bytes]) -> None:
    """Check that arguments lie where the code objects have them.

    Raises:
        UserError: they do not.
    """
    places = {
        (key, kernel.name): [argument.offset for argument in kernel.arguments]
        for key, code in images.items()
        for kernel in read_code_object(code).kernels
    }
    for one in recorded:
        for step in one.tape.steps:
            if "entry" in step:
                ours = [argument["at"] for argument in step["arguments"]]
                theirs = places.get((step["module"], step["entry"]))
                if ours != theirs:
                    raise UserError(
                        f"entry {one.entry.name}: {step['entry']} has its arguments at {theirs}, "
                        f"not at {ours}"
                    )


def _json(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True).encode()
