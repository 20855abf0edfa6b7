"""The page of a kernel's times: what its row says, by hand."""

from __future__ import annotations

from typing import Any

from analysis import kernel_sheets
from lanemap.records.schema import Record
from tests.records.rows import ENVIRONMENT


def side(microseconds: float) -> dict[str, Any]:
    return {
        "microseconds": [microseconds],
        "median": microseconds,
        "sm_clock_mhz": 1500.0,
        "watt": None,
        "throttle_reasons": [],
    }


def problem(m: int, kernel: float, library: float | None, outside: int = 0) -> dict[str, Any]:
    turns = {
        "operands": 1, "launches": 9, "kernel": side(kernel),
        "library": side(library) if library else None,
        "ratio": library / kernel if library else None,
    }  # fmt: skip
    return {
        "problem": {"m": m, "n": 1000, "lengths": ""},
        "tile": {"rows": 128, "columns": 256},
        "text": "sha256:0",
        "flops": 2_000_000_000,
        "bytes": 1_000_000,
        "library": "cuBLASLt 1" if library else None,
        "checks": [{"inputs": "N(0, 1)", "elements": 9, "outside": outside, "used": 0.5}],
        "warm": turns,
        "cold": None,
    }


def record(*problems: dict[str, Any]) -> Record:
    return Record(
        "ss_gemm",
        "sm_90a",
        "cuda",
        "silicon",
        kind="kernel_times",
        environment=ENVIRONMENT,
        findings={"command": "c", "inputs": "i", "compiler": "n", "problems": list(problems)},
    )


def test_a_row_by_hand() -> None:
    """2e9 operations in 10 us are 200 TFLOP/s, 1e6 bytes 100 GB/s."""
    shown = record(problem(64, 10.0, 12.0), problem(128, 10.0, None, outside=3))
    first, second = kernel_sheets.times(shown)
    assert first["problem"] == "m 64"
    assert (first["warm, us"], first["library"], first["ratio"]) == ("10.00", "12.00", "1.200")
    assert (first["TFLOP/s"], first["GB/s"], first["checked"]) == ("200.0", "100", "right")
    assert (first["cold, us"], second["library"], second["ratio"]) == ("-", "-", "-")
    assert second["checked"] == "3 elements wrong"
    assert kernel_sheets.common(shown) == "n 1000"
    assert kernel_sheets.libraries(shown) == ["cuBLASLt 1"]
