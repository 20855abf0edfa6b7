"""The tables in the READMEs of kernels: times from results/, faults from their list."""

from __future__ import annotations

import textwrap
from pathlib import Path

from lanemap.records.files import read_record
from tests.kernels import blackwell_faults, gemm_faults

RESULTS = Path(__file__).resolve().parents[2] / "results"


def times(kernel: str) -> str:
    """A kernel's times on a GPU beside the library's, as a table."""
    path = RESULTS / "sm_90a" / "cuda" / f"{kernel}.json"
    record = read_record(path)
    before = (record.environment or {})["before"]
    said = (
        f"{before['gpu']}, driver {before['card']['driver']}, {record.findings['compiler']}; "
        f"library: {record.findings['library']}. Evidence: silicon "
        f"(`{path.relative_to(RESULTS.parent)}`)."
    )
    rows = [
        "| M x N x K | A, B | C | sums | tile | TFLOP/s | us | cuBLASLt, us | ratio | MHz "
        "| cuBLASLt, MHz |",
        "|---" * 11 + "|",
    ]
    for one in record.findings["products"]:
        tile, ours, theirs = one["tile"], one["kernel"], one["library"]
        rows_of_tile = 64 * tile["blocks"] * tile["consumers"]
        rows.append(
            f"| {one['m']} x {one['n']} x {one['k']} | {one['element']} | {one['output']} | "
            f"{one['accumulation']} | {rows_of_tile} x {tile['columns']}, "
            f"cluster {tile['cluster_m'] * tile['cluster_n']} | {one['tflops']:.0f} | "
            f"{ours['median']:.1f} | {theirs['median']:.1f} | **{one['ratio']:.3f}** | "
            f"{ours['sm_clock_mhz']:.0f} | {theirs['sm_clock_mhz']:.0f} |"
        )
    return said + "\n\n" + "\n".join(rows) + "\n"


def faults(kernel: str, target: str = "sm_90a") -> str:
    """A kernel's faults and what notices each, as a table."""
    rows = ["| fault | caught by | message |", "|---|---|---|"]
    known = gemm_faults if target == "sm_90a" else blackwell_faults
    for each in known.of(kernel):
        by, words = ("hazard", f"`.. {each.caught.replace('`', '')} ..`") if each.caught else (
            "wrong result", "elements outside the tolerance")  # fmt: skip
        by += ", strict" if each.strict else ""
        rows.append(f"| {each.name} | {by} | {words} |")
    return "\n".join(rows) + "\n"


def products(target: str) -> str:
    """What kernels computed on a GPU, and how."""
    path = RESULTS / target / "cuda" / "kernel_products.json"
    record = read_record(path)
    found = record.findings
    gpu = (record.environment or {})["before"]["gpu"]
    kernels = sorted({each["kernel"] for each in found["products"]})
    elements = sorted({each["element"] for each in found["products"]})
    same = len(found["products"]) - len(found["differing"])
    said = (
        f"{len(found['products'])} products of {' and '.join(kernels)}, with A and B of "
        f"{', '.join(elements)}, ran {found['runs']} times each on an {gpu}. In {same} of them, "
        "every run gave the same bytes of C; tests hold the emulator to the same bytes "
        f"(`{path.relative_to(RESULTS.parent)}`)."
    )
    return textwrap.fill(said, 100, break_long_words=False, break_on_hyphens=False) + "\n"
