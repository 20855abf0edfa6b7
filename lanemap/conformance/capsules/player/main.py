"""A capsule's own program: plays each entry in a process of its own, and writes one result file."""

from __future__ import annotations

import argparse
import base64
import contextlib
import hashlib
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

from lanemap.devices.bare import amd, nvidia
from lanemap.devices.bare.nvidia import Refused
from lanemap.devices.bare.play import Player

FORMAT = "lanemap capsule result 1"
#: Seconds in which the driver must have answered.
_DESCRIBE_S = 60
#: Exit statuses, as lanemap has them.
DONE, WRONG, USAGE, MISSING = 0, 1, 2, 3


class Capsule:
    """The zip that this program lies in."""

    def __init__(self, path: str) -> None:
        """Open it."""
        self.path = path
        self._zip = zipfile.ZipFile(path)
        self.manifest: dict[str, Any] = json.loads(self._zip.read("manifest.json"))

    def steps(self, name: str) -> list[Any]:
        """Return an entry's tape."""
        found: list[Any] = json.loads(self._zip.read(f"tapes/{name}.json"))
        return found

    def data(self, key: str) -> bytes:
        """Return what a tape writes."""
        return self._zip.read("data/" + key)

    def image(self, key: str) -> bytes:
        """Return code for the driver."""
        return self._zip.read("images/" + self.manifest["images"][key])

    def gpu(self) -> Any:
        """Open the GPU; raises Refused where it is not the capsule's."""
        kind = amd if self.manifest["device"] == "hip" else nvidia
        return kind.Gpu(self.manifest["target"], self.manifest["least_driver"])


def packed(data: bytes) -> str:
    """Return bytes as text of JSON."""
    return base64.b64encode(zlib.compress(data, 6)).decode()


def digest(data: bytes) -> str:
    """Return the hash of bytes."""
    return hashlib.sha256(data).hexdigest()


def own_hash(result: Mapping[str, Any]) -> str:
    """Return the hash of a result without the line that holds it."""
    rest = {key: value for key, value in result.items() if key != "hash"}
    return digest(json.dumps(rest, sort_keys=True).encode())


def play(capsule: Capsule, name: str) -> dict[str, Any]:
    """Play an entry, twice where the second play must bring the same; see `manifest.entries`."""
    entry = capsule.manifest["entries"][name]
    gpu = capsule.gpu()
    player = Player(gpu, capsule.steps(name), capsule.data, capsule.image)
    reads, hashes = [], []
    for read in player.reads():
        reads.append(packed(read))
        hashes.append(digest(read))
    found: dict[str, Any] = {"tape": entry["tape"], "reads": reads}
    if entry["again"]:
        again = Player(gpu, capsule.steps(name), capsule.data, capsule.image).reads()
        found["same_again"] = [digest(read) for read in again] == hashes
    return found


def _child(capsule: Capsule, what: str, seconds: float) -> dict[str, Any]:
    """Return what a process of its own answers, or {"error": why} after so many seconds."""
    with tempfile.TemporaryDirectory() as folder:
        answer = os.path.join(folder, "answer.json")
        command = [sys.executable, capsule.path, "--child", what, "--answer", answer]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            _, said = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):  # a driver may hold it for ever
                process.wait(10)
            return {"error": f"it did not end within {seconds:g} s"}
        if os.path.exists(answer):
            with open(answer, encoding="utf-8") as file:
                found: dict[str, Any] = json.load(file)
                return found
        # What a process says as it dies may name files of its user; a result names none.
        sys.stderr.write(said.decode("utf-8", "replace"))
        return {"error": f"its process ended with status {process.returncode}"}


def _answer(capsule: Capsule, what: str, path: str) -> int:
    """Answer as a child: write what was found, or why not."""
    found: dict[str, Any]
    try:
        found = play(capsule, what) if what else capsule.gpu().describe()
    except Refused as error:
        found = {"error": str(error)}
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(found, file)
    os.replace(path + ".part", path)
    return DONE


def _about(capsule: Capsule) -> dict[str, Any]:
    manifest = capsule.manifest
    keys = ("target", "device", "lanemap", "revision", "source", "assembler", "images")
    with open(capsule.path, "rb") as file:
        return {**{key: manifest[key] for key in keys}, "file": digest(file.read())}


def run(capsule: Capsule, names: list[str], out: str | None, seconds: int | None) -> int:
    """Play entries, print how each went, and write the result.

    `seconds` is what each entry may take, if not what the capsule says.
    """
    device = _child(capsule, "", _DESCRIBE_S)
    if "error" in device:
        return _refuse(device["error"], MISSING)
    target, began = capsule.manifest["target"], time.time()
    print("{}, {}".format(device["gpu"], target), flush=True)
    entries: dict[str, Any] = {}
    for name in names:
        started = time.time()
        limit = capsule.manifest["entries"][name]["limit_s"] if seconds is None else seconds
        found = _child(capsule, name, limit)
        found["seconds"] = round(time.time() - started, 1)
        entries[name] = found
        said = found.get("error") or "done"
        if found.get("same_again") is False:
            said = "done, but a second play brought other bytes"
        print("{}: {} ({:.1f} s)".format(name, said, found["seconds"]), flush=True)
    result: dict[str, Any] = {
        "format": FORMAT,
        "capsule": _about(capsule),
        "device": device,
        "time": time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(began)),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "entries": entries,
    }
    result["hash"] = own_hash(result)
    path = out or "lanemap-{}-{}.json".format(target, time.strftime("%Y%m%d-%H%M%S"))
    try:
        with open(path + ".part", "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1, sort_keys=True)
        os.replace(path + ".part", path)
    except OSError as error:
        return _refuse(f"cannot write {path}: {error.strerror}; give --out", MISSING)
    failed = sum("error" in each for each in entries.values())
    print(f"wrote {path}: {len(entries) - failed} of {len(entries)} entries")
    print(capsule.manifest["send"])
    return WRONG if failed else DONE


def _refuse(sentence: str, status: int) -> int:
    sys.stderr.write(f"lanemap capsule: {sentence}\n")
    return status


def main(path: str, arguments: list[str] | None = None) -> int:
    """Run the program that lies in a zip; returns the exit status."""
    capsule = Capsule(os.path.abspath(path))
    manifest = capsule.manifest
    known = list(manifest["entries"])
    parser = argparse.ArgumentParser(
        prog=os.path.basename(sys.argv[0]),
        description=f"Runs lanemap's probes, checks and timings of {manifest['target']} on the GPU "
        "of this machine, and writes one JSON file. It uses no network, and writes nothing that "
        "names this machine, its user or its card.",
    )
    parser.add_argument("--out", help="the result file")
    parser.add_argument("--only", action="append", metavar="ENTRY", help="may repeat")
    parser.add_argument("--seconds", type=int, help="what an entry may take on a slow machine")
    parser.add_argument("--list", action="store_true", help="say what there is, and run nothing")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--answer", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.child is not None:
        return _answer(capsule, given.child, given.answer)
    if given.list:
        for name in known:
            print("{}: {}".format(name, manifest["entries"][name]["asks"]))
        return DONE
    unknown = [name for name in given.only or () if name not in known]
    if unknown:
        return _refuse(f"there is no entry {unknown[0]}; --list shows all", USAGE)
    return run(capsule, given.only or known, given.out, given.seconds)
