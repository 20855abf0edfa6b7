"""Pages of the museum, of the kinds of hazards, and of kernels."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from lanemap.records.schema import Record

from . import kernel_sheets
from .pages import Found, Site, slug

MUSEUM, HAZARDS, KERNELS = "museum/index.html", "hazard/index.html", "kernel/index.html"
#: What is gathered outside results/: exhibits, kinds of hazards, kernels.
Told = Mapping[str, Sequence[Mapping[str, Any]]]


def build(site: Site, told: Told, found: Sequence[Record]) -> None:
    """Add the pages of everything that was told.

    Args:
        site: The site.
        told: `museum`, `hazards` and `kernels`, as `lanemap.cli.told` tells them.
        found: All records.
    """
    _museum(site, told.get("museum", ()), found)
    _hazards(site, told.get("hazards", ()), told.get("museum", ()), found)
    _kernels(site, told.get("kernels", ()), found)


def _findings(found: Sequence[Record], key: str) -> dict[str, Any]:
    """What rows of the museum hold under a key, of all targets together."""
    held: dict[str, Any] = {}
    for record in found:
        if record.kind == "museum":
            held |= record.findings.get(key, {})
    return held


def _museum(site: Site, exhibits: Sequence[Mapping[str, Any]], found: Sequence[Record]) -> None:
    reports, gpu, consan = (_findings(found, key) for key in ("reports", "exhibits", "consan"))
    launches = next((r.findings["launches"] for r in found if "launches" in r.findings), 0)
    rows = []
    for one in exhibits:
        name = one["name"]
        page = f"museum/{slug(name)}.html"
        on_gpu = _on_gpu(gpu.get(name), launches)
        shown = {
            **one,
            "report": reports.get(name),
            "gpu": on_gpu,
            "sanitizer": _sanitizer(gpu.get(name)),
            "consan": consan.get(name, {}).get("faulty", ""),
            "links": [(_short(each), each) for each in one["threads"]],
        }
        site.page(page, "exhibit.html", section=MUSEUM, about=one["title"], one=shown)
        site.found.append(Found("museum", name, f"{one['title']} {one['language']}", page))
        rows.append({**shown, "page": f"{slug(name)}.html"})
    if rows:
        site.page(MUSEUM, "museum.html", about="Faults from public issues, rebuilt.", rows=rows)


def _hazards(
    site: Site,
    kinds: Sequence[Mapping[str, Any]],
    exhibits: Sequence[Mapping[str, Any]],
    found: Sequence[Record],
) -> None:
    reports, examples = (_findings(found, key) for key in ("reports", "examples"))
    rows = []
    for one in kinds:
        kind = one["kind"]
        own = [each for each in exhibits if each["kind"] == kind]
        page = f"hazard/{slug(kind)}.html"
        first = min(own, key=lambda each: len(each["faulty"]), default=None)
        example = one["example"] and {**one["example"], "report": examples.get(kind)}
        if example is None and first is not None:
            example = {**first, "report": reports.get(first["name"])}
        site.page(page, "hazard.html", section=HAZARDS, about=one["sentence"], kind=kind,
                  sentence=one["sentence"], example=example,
                  exhibits=[(each, slug(each["name"])) for each in own])  # fmt: skip
        site.found.append(Found("hazard", kind, one["sentence"], page))
        rows.append({**one, "page": f"{slug(kind)}.html", "exhibits": len(own)})
    if rows:
        site.page(HAZARDS, "hazards.html", about="What the emulator reports.", rows=rows)


def _kernels(site: Site, kernels: Sequence[Mapping[str, Any]], found: Sequence[Record]) -> None:
    rows = []
    for one in kernels:
        page = f"kernel/{slug(one['name'])}.html"
        times = [
            _times(record)
            for record in found
            if record.kind == "kernel_times" and record.probe == one["name"]
        ]
        document = f"docs/kernels/{one['name']}/readme.html"
        site.page(page, "kernel.html", section=KERNELS, about=one["title"], one=one, times=times,
                  document=document if site.has(document) else "")  # fmt: skip
        words = f"{one['title']} {', '.join(one['targets'])}"
        site.found.append(Found("kernel", one["name"], words, page))
        rows.append({**one, "page": f"{slug(one['name'])}.html"})
    if rows:
        site.page(KERNELS, "kernels.html", about="Kernels built on observed maps.", rows=rows)


def _times(record: Record) -> dict[str, Any]:
    """A kernel's times on a GPU as a table."""
    rows = kernel_sheets.times(record)
    return {
        "target": record.target,
        "evidence": record.evidence,
        "columns": list(rows[0]),
        "rows": [list(row.values()) for row in rows],
        "libraries": kernel_sheets.libraries(record),
        "page": f"{record.target}/{record.device}/{record.probe}.html",
    }


def _on_gpu(found: Mapping[str, Any] | None, launches: int) -> str:
    """What a GPU made of the faulty kernel."""
    if found is None:
        return ""
    faulty = found["faulty"]
    if isinstance(faulty, int):
        return (
            f"wrong in {faulty} of {launches} launches"
            if faulty
            else f"right in {launches} launches, by luck"
        )
    error = re.search(r"CUDA_ERROR_\w+", faulty)
    return error[0] if error else "hung"


def _sanitizer(found: Mapping[str, Any] | None) -> str:
    """The tools of compute-sanitizer that report the faulty kernel."""
    if found is None:
        return ""
    tools = found["compute_sanitizer"].items()
    said = [tool for tool, each in tools if isinstance(each["faulty"], int) and each["faulty"]]
    return ", ".join(said) or "nothing"


def _short(address: str) -> str:
    """`repository#12` of an issue, else the repository and the file."""
    parts = address.removeprefix("https://github.com/").split("/")
    if len(parts) == 4 and parts[2] in ("issues", "pull"):
        return f"{parts[1]}#{parts[3]}"
    return f"{parts[1]}: {parts[-1]}" if len(parts) > 2 else parts[-1]
