"""Findings as SARIF 2.1.0, the format of static analysis results that code hosts show at lines.

OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0"; sections are those of
that document. `python -m lanemap.check.sarif FILE` prints a file's results as commands of a GitHub
workflow (GitHub Docs, "Workflow commands for GitHub Actions"), which become annotations.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from lanemap.errors import UserError
from lanemap.version import __version__

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"
#: What each kind of hazard is, in a sentence.
RULES = {
    "out-of-bounds": "An access lies outside the array that its address is derived from.",
    "misaligned": "An address is not a multiple of what the instruction requires.",
    "undefined": "A value that nothing has written decides a result, an address or a branch.",
    "pending": "An operand of an asynchronous operation is used before that has completed.",
    "order": "Two accesses to the same bytes are not ordered by the memory model.",
    "rule": "The instruction set forbids what an instruction does.",
    "read-only": "A write goes to memory that the host may not write.",
    "too-many-outstanding": "More operations are outstanding than the hardware can track.",
    "ended-cta": "An access goes to the shared memory of a CTA that has ended.",
    "deadlock": "Threads wait for each other, and none of them can go on.",
    "endless-loop": "A kernel does not end within the limit of instructions.",
}


def result(hazard: dict[str, Any], root: Path, level: str = "error") -> dict[str, Any]:
    """Return a finding as a result (3.27).

    Args:
        hazard: What `Found.to_json` gives.
        root: Files below it are named relative to it.
        level: "error" for hazards, "note" for what is only noted.
    """
    other, launched = hazard["other"] or {}, hazard["launched"] or {}
    place = hazard if hazard["file"] else launched
    found: dict[str, Any] = {
        "ruleId": hazard["kind"],
        "level": level,
        "message": {"text": f"{hazard['kernel']}: {hazard['sentence']}"},
        "locations": [_location(place, root)] if place.get("file") else [],
        "properties": {"kernel": hazard["kernel"]},
    }
    related = [("the other side", other), ("launched here", launched)]
    places = [_location(at, root, text) for text, at in related if at.get("file")]
    if places:
        found["relatedLocations"] = [{"id": n, **at} for n, at in enumerate(places)]
    return found


def _location(at: dict[str, Any], root: Path, text: str = "") -> dict[str, Any]:
    """Return a line of a file as a location (3.28)."""
    region = {"region": {"startLine": at["line"]}} if at["line"] else {}
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": _artifact(Path(at["file"]), root), **region}
    }
    if text:
        location["message"] = {"text": text}
    return location


def _artifact(path: Path, root: Path) -> dict[str, str]:
    """Return a file as an artifact location (3.4), relative to the root where it lies below it."""
    absolute = Path(os.path.abspath(path))
    if absolute.is_relative_to(root):
        relative = absolute.relative_to(root).as_posix()
        return {"uri": quote(relative), "uriBaseId": _ROOT}
    return {"uri": absolute.as_uri()}


def log(results: Sequence[dict[str, Any]], root: Path, successful: bool) -> dict[str, Any]:
    """Return results as a log file (3.13) of one run (3.14).

    Args:
        results: What `result` returned.
        root: That of the results.
        successful: Whether all was checked that there was to check.
    """
    kinds = list(dict.fromkeys(each["ruleId"] for each in results))
    rules = [{"id": kind, "shortDescription": {"text": RULES.get(kind, kind)}} for kind in kinds]
    driver = {"name": "lanemap", "version": __version__, "rules": rules}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {_ROOT: {"uri": f"{root.as_uri().rstrip('/')}/"}},
                "invocations": [{"executionSuccessful": successful}],
                "results": [{**each, "ruleIndex": kinds.index(each["ruleId"])} for each in results],
            }
        ],
    }


def write(path: Path, results: Sequence[dict[str, Any]], root: Path, successful: bool) -> None:
    """Write a log file, whole or not at all.

    Raises:
        UserError: it cannot be written.
        MissingEnvironment: the disk is full or read-only.
    """
    from lanemap.records.whole import whole_file

    with whole_file(path) as stream:
        json.dump(log(results, root, successful), stream, indent=2)
        stream.write("\n")


# -- annotations -----------------------------------------------------------------------------------
def commands(document: Any) -> Iterable[str]:
    """Yield a log file's results as commands of a GitHub workflow, those that are not suppressed.

    Raises:
        UserError: it is no log file of SARIF 2.1.0.
    """
    if not isinstance(document, dict) or document.get("version") != "2.1.0":
        raise UserError("this is not a SARIF 2.1.0 log file")
    for run in document.get("runs", ()):
        for each in run.get("results", ()):
            if not each.get("suppressions"):
                yield _annotation(each)


def _annotation(found: dict[str, Any]) -> str:
    level = {"error": "error", "note": "notice"}.get(found.get("level", ""), "warning")
    about = {"title": f"lanemap: {found['ruleId']}"}
    for location in found.get("locations", ())[:1]:
        physical = location["physicalLocation"]
        about["file"] = unquote(physical["artifactLocation"]["uri"]).removeprefix("file://")
        if "region" in physical:
            about["line"] = str(physical["region"]["startLine"])
    properties = ",".join(f"{name}={_escaped(value, ',:')}" for name, value in about.items())
    return f"::{level} {properties}::{_escaped(found['message']['text'])}"


def _escaped(text: str, more: str = "") -> str:
    """Return a text as it stands in a command: `%`, line ends and `more` as percent codes."""
    return "".join(f"%{ord(c):02X}" if c in "%\r\n" + more else c for c in text)


def main(arguments: Sequence[str]) -> int:
    """Print annotations of the files named; return the exit status."""
    try:
        for name in arguments:
            with open(name, encoding="utf-8") as file:
                print(*commands(json.load(file)), sep="\n")
    except (OSError, ValueError, UserError) as error:
        print(f"lanemap: {name}: {error}", file=sys.stderr)
        return UserError.exit_code
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
