"""What the ISA does not guarantee and hardware provides is noted once, and a hazard in strict mode.

The example is setmaxnreg with two counts in a warpgroup.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import lanemap
from lanemap.check.findings import Findings, Found
from lanemap.cli.main import run
from lanemap.devices.findings import Finding
from lanemap.emulator.host import run as host_run
from lanemap.emulator.host.hazards import Hazard
from tests import ptx

BODY = """\
.reg .pred %p; .reg .b32 %t, %c, %g; .reg .b64 %o;
mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; mad.lo.u32 %g, %c, 128, %t;
mad.wide.u32 %o, %g, 4, %out;
setp.lt.u32 %p, %c, 2; @%p bra SAME;
setp.lt.u32 %p, %t, 64; @%p bra LOW;
setmaxnreg.dec.sync.aligned.u32 72; // hazard
bra END;
LOW: setmaxnreg.dec.sync.aligned.u32 64;
bra END;
SAME: setmaxnreg.dec.sync.aligned.u32 64;
END: st.global.u32 [%o], %g;"""
CTAS = 12
#: That of the count of the upper warps, which meet that of the lower ones.
(LINE,) = ptx.marked(ptx.entry(BODY))


def launched(
    device: lanemap.devices.Device, names: tuple[str, ...] = ("kernel",)
) -> list[np.ndarray]:
    found = []
    for name in names:
        out = device.zeros(128 * CTAS, np.uint32)
        device.load(ptx.entry(BODY, name=name))[name](CTAS, 128, (out,))
        found.append(out.get())
    return found


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_note_is_no_hazard(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_run, "LEAST_SECONDS", 0)
    monkeypatch.setenv("LANEMAP_THREADS", str(threads))
    device = lanemap.open_device("sm_90a", "emulator")
    (result,) = launched(device)
    assert np.array_equal(result, np.arange(128 * CTAS))
    assert device.hazards == ()
    (note,) = device.notes
    assert (note.severity, note.kind, note.line, note.cta) == ("note", "rule", LINE, 2)
    assert note.count == 4 * (CTAS - 2), "two upper warps differ from two lower ones"
    assert "PTX does not guarantee this" in note.note and str(note).endswith(note.note)
    assert "\n" not in str(note)


def test_a_kernel_is_noted_once() -> None:
    device = lanemap.open_device("sm_90a", "emulator", hazards="report")
    launched(device, ("first", "second", "first"))
    assert [note.count for note in device.notes] == [80, 40]


def test_strict_makes_it_a_hazard() -> None:
    device = lanemap.open_device("sm_90a", "emulator", strict=True)
    with pytest.raises(Hazard, match="72 registers and warp") as caught:
        launched(device)
    assert (caught.value.severity, caught.value.note, caught.value.line) == ("hazard", "", LINE)
    assert device.notes == ()


def test_run_shows_notes_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "kernel.ptx"
    path.write_text(ptx.entry(BODY, name="kernel"))
    words = ["run", str(path), "--grid", str(CTAS), "--block", "128", "--arg", "zeros:u32:1536"]
    assert run(words) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[-2].startswith(f"note: {path}:{LINE}: ")
    assert out[-1] == "kernel ran on emulator: no hazards, 1 note"
    assert run([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    (noted,) = answer["notes"]
    assert answer["hazards"] == [] and noted["line"] == LINE
    assert f"`{noted['instruction'].split()[0]}`" in out[-2] and noted["instruction"] not in out[-2]
    assert run([*words, "--strict", "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["notes"] == [] and len(answer["hazards"]) == 1


def test_check_tells_a_note_once_for_each_kernel(capsys: pytest.CaptureFixture[str]) -> None:
    def met(kernel: str, line: int) -> Found:
        hazard = Hazard("rule", "differs", file="/tmp/k.ptx", line=line, note="ptxas does it")
        return Found.of(Finding((hazard,)), kernel, lambda _, at: [("/home/me/k.py", at)], None)

    findings = Findings()
    for kernel, line in (("k", 3), ("k", 4), ("other", 3)):
        findings.add_note(met(kernel, line), "ptxas does it")
    assert not findings.hazards
    assert capsys.readouterr().err.splitlines() == [
        "lanemap: note: k.py:3: k: differs; ptxas does it",
        "lanemap: note: k.py:3: other: differs; ptxas does it",
    ]
