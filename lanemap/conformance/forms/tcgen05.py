"""Which forms of tcgen05's data movement NVIDIA's assembler accepts.

    python -m lanemap.conformance.forms.tcgen05        needs the extra nvidia; a few seconds

Writes results/sm_100a/ptxas/tcgen05_forms.json: the machine instruction of
every accepted load and store, and the reason for every refusal (another xN, a wrong modifier or
operand). An assembler states what its vendor considers legal, so its evidence is `documented`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lanemap.conformance.forms import single
from lanemap.errors import LanemapError
from lanemap.probing.lds.chunk_rules import spans
from lanemap.probing.tmem.copies import COPIES
from lanemap.probing.tmem.forms import (
    HALVES,
    MOST_REGISTERS,
    SHAPES,
    Form,
)
from lanemap.probing.tmem.kernel import (
    listed,
)
from lanemap.records.files import write_records
from lanemap.records.schema import Record

TARGET = "sm_100a"
# Every xN up to one more than the largest, and the next power of two.
REPETITIONS = (*range(130), 256)
MACHINE = ("LDTM", "STTM", "UTC")


@dataclass(frozen=True)
class Asked:
    """One instruction.

    Attributes:
        group: The form that it belongs to, with N in place of a number.
        number: That number.
        line: The instruction.
    """

    group: str
    number: int
    line: str


def moves() -> Iterator[Asked]:
    """Loads and stores: every xN, with and without each modifier."""
    for op in ("ld", "st"):
        for shape in SHAPES:
            for modifier in ("", *HALVES.values()):
                group = f"tcgen05.{op}.{shape}.xN{modifier}"
                for repeat in REPETITIONS:
                    yield Asked(group, repeat, line_of(op, shape, f".x{repeat}", modifier))
            for group, line in _wrong_operands(op, shape):
                yield Asked(group, 1, line)
    for kind in ("min.f32", "max.u32", "max.s32"):
        for shape in ("32x32b", "16x32bx2"):
            imm = ", 1" if shape == "16x32bx2" else ""
            form = f"tcgen05.ld.red.sync.aligned.{shape}.x2.{kind}"
            yield Asked(f"tcgen05.ld.red.{shape}.xN.{kind}", 2, f"{form} {{v0, v1}}, v2, [t]{imm};")


def line_of(op: str, shape: str, times: str, modifier: str) -> str:
    """A load or store with as many registers as its xN asks for, 1 to 128."""
    repeat = int(times[2:]) if times else 1
    form = Form(op, shape, max(repeat, 1))
    count = min(form.registers, MOST_REGISTERS)
    imm = ", 1" if form.parts == 2 else ""
    name = f"tcgen05.{op}.sync.aligned.{shape}{times}{modifier}.b32"
    if op == "st":
        return f"{name} [t]{imm}, {listed(count)};"
    # ptxas would remove a load whose registers are never used.
    return f"{name} {listed(count)}, [t]{imm}; st.shared.b32 [s], v0;"


def _wrong_operands(op: str, shape: str) -> Iterator[tuple[str, str]]:
    """Without xN, with a wrong immediate, without .sync, with another type or register count."""
    plain = line_of(op, shape, ".x1", "")
    split = shape == "16x32bx2"
    yield f"tcgen05.{op}.{shape} without .num", line_of(op, shape, "", "")
    other = plain.replace("[t], 1", "[t]") if split else plain.replace("[t]", "[t], 1")
    name = "without its immediate" if split else "with an immediate"
    yield f"tcgen05.{op}.{shape}.xN {name}", other
    yield f"tcgen05.{op}.{shape}.xN without .sync", plain.replace(".sync", "")
    yield f"tcgen05.{op}.{shape}.xN of .b64", plain.replace(".b32", ".b64")
    registers = listed(Form(op, shape, 1).registers)
    short = plain.replace(registers, listed(Form(op, shape, 1).registers + 1))
    yield f"tcgen05.{op}.{shape}.xN with a register too many", short


def others() -> Iterator[Asked]:
    """Copies, the shift, and allocation."""
    shapes = sorted({form.partition(".")[0] for form in COPIES})
    for shape in shapes:
        for spread in ("", ".warpx2::02_13", ".warpx2::01_23", ".warpx4"):
            line = f"tcgen05.cp.cta_group::1.{shape}{spread} [t], d;"
            yield Asked(f"tcgen05.cp.{shape}{spread}", 1, line)
    for way in ("down", "up"):
        yield Asked(f"tcgen05.shift.{way}", 1, f"tcgen05.shift.cta_group::1.{way} [t];")
    for columns in (0, 16, 31, 32, 33, 48, 64, 96, 128, 256, 384, 512, 1024):
        line = f"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], {columns};"
        yield Asked("tcgen05.alloc of N columns", columns, line)


def record() -> Record:
    """The row.

    Raises:
        MissingEnvironment: ptxas or nvdisasm is not here.
    """
    asked = [*moves(), *others()]
    found = single.judged([each.line for each in asked], TARGET)
    findings: dict[str, Any] = {"assembler": f"ptxas {single.version()}"}
    for group in dict.fromkeys(each.group for each in asked):
        own = [(a.number, j) for a, j in zip(asked, found, strict=True) if a.group == group]
        findings[group] = _row(own)
    return Record(
        "tcgen05_forms", TARGET, "ptxas", "documented", findings=findings, kind="assembler_forms"
    )


def _row(own: Sequence[tuple[int, single.Judgement]]) -> dict[str, Any]:
    """The accepted and refused N of one group, with machine instructions and reasons."""
    taken = [number for number, said in own if not said.reason]
    machine = (
        ", ".join(dict.fromkeys(code for code in said.opcodes if code.startswith(MACHINE)))
        for _, said in own
        if not said.reason
    )
    reasons: dict[str, list[int]] = {}
    for number, said in own:
        if said.reason:
            # ptxas repeats the number, which would make every reason different.
            general = re.sub(rf"\b(x|'){number}\b", r"\1N", said.reason)
            reasons.setdefault(general, []).append(number)
    return {
        "accepted": len(taken),
        "accepted_n": spans(np.array(taken)) if taken else "",
        "machine": "; ".join(machine),
        "refused": len(own) - len(taken),
        "refused_n": "; ".join(f"{spans(np.array(n))}: {why}" for why, n in reasons.items()),
    }


def main() -> int:
    """Run as a program; the exit status of the command line."""
    parser = argparse.ArgumentParser(prog="lanemap.conformance.forms.tcgen05", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("results"))
    try:
        row = record()
        for path in write_records([row], parser.parse_args().out):
            print(f"wrote {path}")
    except LanemapError as error:
        print(f"lanemap: {error}", file=sys.stderr)
        return error.exit_code
    rows = [each for each in row.findings.values() if isinstance(each, dict)]
    accepted, refused = (sum(each[what] for each in rows) for what in ("accepted", "refused"))
    print(f"{accepted} forms accepted, {refused} refused")
    return 0


if __name__ == "__main__":
    sys.exit(main())
