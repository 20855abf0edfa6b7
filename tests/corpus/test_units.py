"""The sweep of random functions: that it compares, and that a wrong output is found."""

from __future__ import annotations

import ctypes
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.corpus import random_functions as sweep
from tests.corpus import units
from tests.corpus.harness import HERE, HOST

pytest.importorskip("ziglang", reason="the host's side is compiled by ziglang's clang")
#: One that nests, one that is rich, a group, and one of most.
ITEMS = ("29", "30", "31", "32")


def test_functions_of_a_unit_are_equal_to_the_host() -> None:
    found = list(sweep.SWEEP.run(ITEMS))
    assert [(each.item, each.wrong) for each in found] == [(item, "") for item in ITEMS]
    assert [each.counts["groups"] for each in found] == [0, 0, 1, 0]


def test_a_number_is_always_the_same_function() -> None:
    assert units.case(7) == units.case(7) and units.case(7).source != units.case(8).source


def test_a_wrong_output_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    right = sweep.on_the_host

    def wrong(library: Any, case: Any, values: Any) -> Any:
        out = right(library, case, values)
        out[3 * case.outputs + 1] ^= 4
        return out

    monkeypatch.setattr(sweep, "on_the_host", wrong)
    (found,) = sweep.SWEEP.run(["32"])
    assert found.wrong.startswith("emulator: 1 outputs differ, as element 3 output 1: ")


@pytest.mark.skipif(not shutil.which("gcc"), reason="it asks gcc")
def test_the_hosts_flags_keep_gcc_from_a_wrong_zero(tmp_path: Path) -> None:
    made = tmp_path / "zero_minus.so"
    source = HERE / "found" / "zero_minus.c"
    subprocess.run(["gcc", "-w", "-shared", "-O2", *HOST, source, "-o", made], check=True)
    library = ctypes.CDLL(str(made))
    library.zero_minus_integer.restype = ctypes.c_float
    assert struct.pack("<f", library.zero_minus_integer(1, 0)) == bytes(4)
