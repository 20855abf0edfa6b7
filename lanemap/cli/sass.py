"""The SASS of a launched kernel: what ptxas makes of it, and what its warps execute of that."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lanemap.cli.output import console, table
from lanemap.errors import UserError, plural

if TYPE_CHECKING:
    from lanemap.devices import Device, Module
    from lanemap.timing.execution import Along, Recorder

_COLUMNS = ("executed", "address", "control word", "SASS", "line", "PTX")
#: Characters of an instruction of PTX that a table shows.
_PTX = 48


@contextlib.contextmanager
def recorded(device: Device, wanted: bool) -> Iterator[Recorder | None]:
    """Record what warps execute while the context lasts, if that is wanted.

    Raises:
        UserError: the device is not the emulator of an NVIDIA target.
    """
    if not wanted:
        yield None
        return
    from lanemap.devices.emulator import EmulatorDevice
    from lanemap.timing.execution import Recorder

    if not device.target.startswith("sm_"):
        raise UserError(
            f"--sass shows what ptxas makes of PTX, but the target is {device.target}, whose text "
            "is machine code already; give --count"
        )
    if not isinstance(device, EmulatorDevice):
        raise UserError(
            f"--sass needs the emulator, but the device is {device.name}; give --device emulator"
        )
    recorder = Recorder()
    with device.observe(recorder):
        yield recorder


def listing_of(recorder: Recorder, module: Module, file: Path, target: str) -> Listing | None:
    """Return the listing of the launch that was recorded; None if it did not end.

    Raises:
        UserError: ptxas refuses the text, or nothing but a binary is there.
        MissingEnvironment: ptxas or nvdisasm is not here.
    """
    from lanemap.timing.execution import along

    if not recorder.launches:
        return None
    try:
        text = module.text or file.read_text()
    except UnicodeDecodeError:
        raise UserError(f"{file} is no text, so ptxas cannot assemble it; give its PTX") from None
    kernel, walks = recorder.launches[-1]
    return Listing(along(text, target, kernel, walks, file.name), text.splitlines())


@dataclass(frozen=True)
class Listing:
    """A kernel's SASS beside the PTX that it was made of.

    Attributes:
        launch: The launch along the SASS.
        text: The lines of the PTX.
    """

    launch: Along
    text: list[str]

    def _ptx(self, line: int) -> str:
        return " ".join(self.text[line - 1].split()) if 0 < line <= len(self.text) else ""

    def show(self) -> None:
        """Print it as a table, without the padding, with what is not known below it."""
        out, launch = console(), self.launch
        rows, last = [], 0
        length = max((n for n, each in enumerate(launch.code) if each.opcode != "NOP"), default=0)
        for each, times in zip(launch.code[:length], launch.executions, strict=False):
            line, ptx = ("", "") if each.line == last else (str(each.line), self._ptx(each.line))
            ptx = ptx if len(ptx) <= _PTX else ptx[: _PTX - 3] + "..."
            rows.append(
                [f"{times:,}", f"{each.address:04x}", str(each.control), each.text, line, ptx]
            )
            last = each.line
        shown = table(_COLUMNS, rows)
        shown.columns[0].justify = "right"
        out.print(shown)
        out.print()
        for sentence in self.sentences():
            out.print(sentence, markup=False)
        out.print()

    def sentences(self) -> list[str]:
        """What the launch says as a whole."""
        launch = self.launch
        total = launch.warps + sum(launch.missing.values())
        found = [
            f"{launch.warps} of {plural(total, 'warp')} have a path; they execute "
            f"{sum(launch.executions):,} instructions of SASS"
        ]
        if launch.least_cycles:
            found.append(
                "stall counts alone keep the longest path at its issue for "
                f"{launch.least_cycles:,} cycles; waits for barriers come on top"
            )
        found += [
            f"{plural(count, 'warp')} without a path: {reason}"
            for reason, count in launch.missing.items()
        ]
        if launch.unmatched:
            lines = ", ".join(map(str, launch.unmatched))
            found.append(f"ptxas made no such instruction of its own of PTX line {lines}")
        return found

    def to_json(self) -> dict[str, Any]:
        """Return it for programs."""
        return {
            "warps": self.launch.warps,
            "without_path": dict(self.launch.missing),
            "unmatched_lines": list(self.launch.unmatched),
            "least_cycles": self.launch.least_cycles,
            "instructions": [
                {
                    "address": each.address,
                    "guard": each.guard,
                    "opcode": each.opcode,
                    "operands": each.operands,
                    "control": str(each.control),
                    "ptx_line": each.line,
                    "executed": times,
                }
                for each, times in zip(self.launch.code, self.launch.executions, strict=True)
            ],
        }
