"""Judges a capsule's result with this checkout's own probes, and says what becomes of its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from lanemap.conformance.agreement import agree
from lanemap.conformance.capsules.build import assembled, assembler
from lanemap.conformance.capsules.entries import Entry, Verdict, entries
from lanemap.conformance.capsules.result import Played, Result, answers, image_hashes
from lanemap.devices.taped import TapedDevice
from lanemap.errors import MissingEnvironment, UserError
from lanemap.records.schema import Record

Stored = Callable[[Record], Record | None]


@dataclass(frozen=True)
class Judged:
    """An entry after it has been judged.

    Attributes:
        name: Its name.
        verdict: What its readings say; None where they cannot be used.
        fault: Why they cannot; "" if they can.
        row: The row to write; None for none.
        told: What becomes of the row, in words; "" for none.
        conflicts: Whether it contradicts a stored row.
    """

    name: str
    verdict: Verdict | None = None
    fault: str = ""
    row: Record | None = None
    told: str = ""
    conflicts: bool = False

    def lines(self) -> list[str]:
        """Return the report of the entry."""
        if self.verdict is None:
            return [f"{self.name}: not used: {self.fault}"]
        state = "confirms" if self.verdict.agrees else "REFUTES"
        head = f"{self.name}: {state} what lanemap says" + (f"; {self.told}" if self.told else "")
        return [head, *(f"  {each}" for each in self.verdict.sentences)]


def judge(result: Result, by: str, stored: Stored) -> list[Judged]:
    """Judge every entry of a result.

    Args:
        result: From `read_result`.
        by: Who sent it.
        stored: Returns the row that stands where another would be written.

    Raises:
        UserError: the capsule was made with another assembler, or holds other code than this
            checkout makes of its texts.
        MissingEnvironment: the assembler is not here, or what judges an entry.
    """
    about = result.capsule
    here = assembler(about.target)
    if about.assembler != here:
        raise UserError(
            f"the capsule's code is of {about.assembler}, and here is {here}: install that one, so "
            "that the code can be made again and compared"
        )
    known = {each.name: each for each in entries(about.target)}
    environment = result.environment(by)
    found, images = [], dict[str, str | bytes]()
    for name, played in result.entries.items():
        entry = known.get(name)
        if entry is None:
            found.append(Judged(name, fault=f"this checkout has no such entry of {about.target}"))
            continue
        judged, own = _judged(entry, played, about.target, environment)
        images |= own
        found.append(judged)
    _require_code(images, about.images, about.target)
    return [_placed(each, by, result, stored) for each in found]


def _judged(
    entry: Entry, played: Played, target: str, environment: Mapping[str, Any]
) -> tuple[Judged, dict[str, str | bytes]]:
    """Do an entry's work with the answers of a GPU; return also what it loads."""
    if played.error is not None or played.tape is None:
        why = played.error or "it has neither reads nor an error"
        return Judged(entry.name, fault=f"on that machine: {why}"), {}
    device = TapedDevice(target, answers(played.reads), environment)
    try:
        verdict = entry.work(device)
    except MissingEnvironment:
        raise  # nothing is known of the entry
    except Exception as error:  # the bytes are a stranger's: an analysis may raise anything
        kind = "" if isinstance(error, UserError) else f"{type(error).__name__}: "
        return Judged(entry.name, fault=f"its readings cannot be judged: {kind}{error}"), {}
    tape = device.tape
    if tape.digest != played.tape:
        why = "that capsule did other work than this checkout's: adopt it where it was made"
        return Judged(entry.name, fault=why), {}
    if len(tape.read_bytes) != len(played.reads):
        return Judged(entry.name, fault="it has more reads than the work has"), {}
    if entry.again and not played.same_again:
        return Judged(entry.name, fault="a second run on that machine brought other bytes"), {}
    return Judged(entry.name, verdict, row=verdict.record), tape.images


def _require_code(images: Mapping[str, str | bytes], told: Mapping[str, str], target: str) -> None:
    """Make the code again, and compare.

    Raises:
        UserError: the capsule's is another.
    """
    with ThreadPoolExecutor() as pool:
        made = pool.map(lambda each: assembled(each, target), images.values())
        code = dict(zip(images, made, strict=True))
    for key, own in image_hashes(code).items():
        if told.get(key) != own:
            raise UserError(
                f"the capsule ran other code than {assembler(target)} makes of text {key[:12]}"
            )


def _placed(judged: Judged, by: str, result: Result, stored: Stored) -> Judged:
    """Decide what becomes of a row."""
    if judged.row is None:
        return judged
    if judged.verdict is None or not _explained(judged.row):
        return replace(judged, row=None, told="it makes no row, since not all is explained")
    there = stored(judged.row)
    if there is None:
        return replace(judged, told="a new row, contributed; a second card would verify it")
    if not agree(there, judged.row):
        told = "its row CONTRADICTS the stored one, which stays"
        return replace(judged, row=None, told=told, conflicts=True)
    before = there.contributions
    if not before:
        return replace(judged, row=None, told="it agrees with the stored row, which stays")
    if any(each["by"] == by for each in before):
        return replace(judged, row=None, told=f"it agrees with the row that {by} sent before")
    told = f"it agrees with the row of {before[0]['by']}, which a second card verifies now"
    return replace(judged, row=there.contributed_again(result.contribution(by)), told=told)


def _explained(row: Record) -> bool:
    """Whether a row says what its probe saw; of timings, each figure says that of itself."""
    return row.kind == "timing" or row.findings.get("explained") is True
