"""What each release of clang makes of the C programs of docs/found.md, run on the emulator."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import lanemap
from lanemap.emulator.api import Hazard
from lanemap.errors import LanemapError, UserError
from tests.corpus.harness import AMD, FLAGS, HERE, Case, input_values, run_device, run_host

LEVELS = (0, 1, 2, 3)
#: gfx950 where a release knows it; programs without its instructions run for an earlier one too.
TARGETS = ("gfx950", "gfx942", "gfx90a")


@dataclass(frozen=True)
class ClangFault:
    """One fault of clang: its anchor in docs/found.md, what C promises, and its program.

    Attributes:
        name: The anchor.
        promise: What the language or the manual says.
        file: Its source below tests/corpus/found.
        inputs: Words of an element.
        outputs: Words of an element.
        cure: What avoids it, as an option of clang.
    """

    name: str
    promise: str
    file: str
    inputs: int
    outputs: int

    @property
    def case(self) -> Case:
        """The program as a case of the corpus."""
        source = (HERE / "found" / self.file).read_text()
        name = "packed_one" if self.name == "packed-one" else "random_case"
        return Case(name, "", False, "u32", "u32", self.inputs, self.outputs, source)


FAULTS = (
    ClangFault(
        "switch-in-if",
        "A variable keeps its value where no case of a switch assigns it (C11, 6.8.4.2).",
        "switch_in_if.c", 4, 10,
    ),
    ClangFault(
        "switch-default",
        "The statements of a default are executed where no case matches (C11, 6.8.4.2).",
        "switch_default.c", 4, 2,
    ),
    ClangFault(
        "udiv24",
        "The quotient of unsigned numbers is the algebraic one without its fraction (C11, 6.5.5).",
        "udiv24.c", 2, 2,
    ),
    ClangFault(
        "packed-one",
        "v_cvt_scalef32_pk_fp8_f16 and _bf16 convert both halves of their source (CDNA4 ISA).",
        "packed_one.c", 1, 4,
    ),
)  # fmt: skip


def _header() -> str:
    """corpus.h for releases before 20: without what they lack, and no program here uses."""
    text = (HERE / "corpus.h").read_text()
    text = text.replace(", amdgpu_flat_work_group_size(LANES, 4 * LANES)", "")
    return re.sub(r"^BODY u32 lanemap_cas\(.*?^}\n", "", text, flags=re.MULTILINE | re.DOTALL)


def compile_with(zig: str, source: str, target: str, level: int) -> str:
    """The assembly that a zig's clang makes.

    Raises:
        UserError: it refuses the source or the target.
    """
    with tempfile.TemporaryDirectory() as folder:
        unit, made = Path(folder, "unit.c"), Path(folder, "unit.s")
        unit.write_text(source.replace('#include "corpus.h"', _header()))
        words = [zig, "clang", "-x", "c", *AMD, f"-mcpu={target}", f"-O{level}", "-S", *FLAGS]
        done = subprocess.run([*words, unit, "-o", made], capture_output=True, text=True)
        if done.returncode or not made.is_file():
            lines = [each for each in done.stderr.splitlines() if "error" in each]
            reason = (lines or done.stderr.splitlines() or ["no reason given"])[0]
            raise UserError(reason.rpartition("error: ")[2])
        return made.read_text()


def known_target(zig: str) -> str:
    """The first of TARGETS that a zig's clang compiles for.

    Raises:
        UserError: it knows none.
    """
    for target in TARGETS:
        try:
            compile_with(zig, "void none(void) {}", target, 0)
        except UserError:
            continue
        return target
    raise UserError(f"{zig} knows none of {', '.join(TARGETS)}")


def _promised(fault: ClangFault) -> list[int]:
    if fault.name == "packed-one":
        return [0x3838, 0x38] * 2  # 1.0 in e4m3 is 0x38
    case = fault.case
    return [int(each) for each in run_host(case, input_values(case), 0)]


def _got(fault: ClangFault, text: str, device: Any) -> list[int]:
    case = fault.case
    if fault.name == "packed-one":
        out = device.zeros(4, np.uint32)
        device.load(text)["packed_one"](1, 1, (out, np.float32(1)))
        return [int(each) & 0xFFFF for each in out.get()]
    return [int(each) for each in run_device(case, input_values(case), device, text)]


def outcome(fault: ClangFault, zig: str, target: str, level: int) -> dict[str, Any]:
    """Compile and run once: the words promised, other words, an error, or a refusal.

    Where a store is lost the host reads what nobody wrote, which is the program's error. What else
    the emulator reports is another fault.
    """
    try:
        text = compile_with(zig, fault.case.source, target, level)
    except UserError as refusal:
        return {"runs": 0, "the same": 0, "refused": str(refusal)}
    head = {"runs": 1, "the same": 1}
    device = lanemap.open_device(target, device="emulator")
    try:
        got = _got(fault, text, device)
    except LanemapError as error:
        lost = isinstance(error, Hazard) and error.kind == "undefined"
        return head | {"error" if lost else "other": str(error).partition("\n")[0]}
    promised = _promised(fault)
    if got == promised:
        return head | {"as promised": True}
    return head | {"as promised": False, "words": got}


def observe(compilers: Sequence[tuple[str, str]], say: Callable[[str], None]) -> dict[str, Any]:
    """The findings of every program, by every compiler at every level.

    Args:
        compilers: Names, "clang 22.1 of ziglang 0.17.1", and paths of zig.
        say: Told what came out.
    """
    rows = []
    targets = {name: known_target(zig) for name, zig in compilers}
    for fault in FAULTS:
        outcomes = []
        for name, zig in compilers:
            for level in LEVELS:
                head = {"compiler": name, "options": f"-O{level} -mcpu={targets[name]}"}
                outcomes.append(head | outcome(fault, zig, targets[name], level))
            say(f"{fault.name}, {name}: {[_word(each) for each in outcomes[-len(LEVELS) :]]}")
        program = {
            "name": fault.file,
            "cure": "",
            "text": fault.case.source,
            "promise": _promised(fault),
            "outcomes": outcomes,
        }
        rows.append({"name": fault.name, "promise": fault.promise, "programs": [program]})
    return {"faults": rows}


def _word(outcome: dict[str, Any]) -> str:
    if "refused" in outcome:
        return f"refused: {outcome['refused']}"
    return (
        outcome.get("error")
        or outcome.get("other")
        or ("right" if outcome["as promised"] else "wrong")
    )
