"""What each release of ptxas makes of forms of PTX and of stored texts, as a row.

A form is accepted or refused. A text becomes SASS, of which the row has a hash and the number of
instructions, padding included: sections `.text` of the cubin, 16 bytes to an instruction (CUDA
Binary Utilities). Texts and forms name the newest version of PTX that the release knows.
"""

from __future__ import annotations

import hashlib
import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile

from lanemap.conformance.forms.judge import Assembler, judge
from lanemap.conformance.forms.judged import FAMILIES, all_forms
from lanemap.conformance.forms.packing import pack
from lanemap.errors import UserError
from lanemap.toolchain import ptxas

INSTRUCTION_BYTES = 16
#: One form in so many is asked: all of them take each release minutes.
ONE_IN = 16
Say = Callable[[str], None]


@dataclass(frozen=True)
class Asked:
    """A release of ptxas: its name, where it is, and the newest version of PTX that it knows."""

    name: str
    path: str
    newest: tuple[int, int]


def sass(cubin: bytes) -> bytes:
    """The instructions of a cubin: its sections `.text`, in order of their names."""
    sections = ELFFile(io.BytesIO(cubin)).iter_sections()
    found = {each.name: each.data() for each in sections if each.name.startswith(".text")}
    return b"".join(found[name] for name in sorted(found))


def forms(target: str, releases: Sequence[Asked], say: Say) -> dict[str, Any]:
    """Which of a sample of forms each release accepts: counts by family, and what changes."""
    known = {name: each for name, each in all_forms().items() if _is_asked(name)}
    before: set[str] = set()
    rows = []
    for each in releases:
        asked = [form for _, form in known.values()]
        refused = _refused(asked, target, each)
        now = set(known) - refused
        lost, gained = sorted(before - now), sorted(now - before)
        counts = Counter(known[name][0] for name in now)
        rows.append(
            {
                "compiler": each.name,
                "ptx": f"{each.newest[0]}.{each.newest[1]}",
                "accepted": len(now),
                "families": {family: counts[family] for family in FAMILIES},
                "gained": pack(gained),
                "lost": pack(lost),
            }
        )
        say(f"{each.name}: {len(now)} forms, +{len(gained)} -{len(lost)}")
        before = now
    return {"forms": len(known), "of": len(all_forms()), "releases": rows}


def _is_asked(name: str) -> bool:
    """Whether a form is one of the sample, which a hash of its name chooses."""
    return hashlib.sha256(name.encode()).digest()[0] % ONE_IN == 0


def _refused(asked: Sequence[Any], target: str, release: Asked) -> set[str]:
    """The forms that a release refuses; all if it does not know the target."""
    empty = f".version {release.newest[0]}.{release.newest[1]}\n.target {target}\n"
    made, _ = ptxas.judge(f"{empty}.address_size 64\n", target, ["-O0"], release.path)
    if made is None:
        return {form.name for form in asked}
    return set(judge(asked, target, Assembler(release.path, release.newest)))


def texts(
    target: str, found: Mapping[str, str], releases: Sequence[Asked], say: Say
) -> list[dict[str, Any]]:
    """What each release makes of each text."""
    rows = []
    for name, text in found.items():
        outcomes = [_outcome(text, target, each) for each in releases]
        digest = f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
        rows.append({"name": name, "ptx": digest, "outcomes": outcomes})
        say(f"{name}: {len({each.get('sass', '') for each in outcomes})} different")
    return rows


def _outcome(text: str, target: str, release: Asked) -> dict[str, Any]:
    head = {"compiler": release.name}
    try:
        own = ptxas.lowered(text, release.newest)
        cubin = ptxas.assemble(own, target, name="the text", program=release.path)
    except UserError as refusal:
        return head | {"refused": str(refusal)[:160]}
    code = sass(cubin)
    digest = hashlib.sha256(code).hexdigest()[:16]
    return head | {"sass": digest, "instructions": len(code) // INSTRUCTION_BYTES}


def stored(root: Path, target: str) -> Iterator[tuple[str, str]]:
    """The PTX of compilers and our own that the repository holds for a target."""
    for folder in ("museum", "tests/emulator/ptx", "analysis/hazards"):
        for path in sorted((root / folder).rglob("*.ptx")):
            text = path.read_text()
            if f".target {target}" in text:
                yield path.relative_to(root).as_posix(), text
