"""The table of museum/README.md: every exhibit, and what its row says of the GPU."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from lanemap import paths
from lanemap.conformance.museum.exhibit import Exhibit, exhibits
from lanemap.records.files import read_record
from tools.figures.kernels import RESULTS

ROW = RESULTS / "sm_90a" / "cuda" / "museum.json"
CONSAN = RESULTS / "sm_90a" / "emulator" / "museum.json"


def museum(_: str) -> str:
    """All exhibits as a table, after how many the GPU showed."""
    row = read_record(ROW)
    found, launches = row.findings["exhibits"], row.findings["launches"]
    consan = read_record(CONSAN).findings["consan"]
    lines = [
        "| exhibit | in | met in | what is wrong | lanemap | faulty on the H200 | "
        "compute-sanitizer | ConSan | triton-viz |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [_line(one, found.get(name), launches, consan) for name, one in exhibits().items()]
    return "\n".join([_languages(), _summary(found, launches), "", *lines, ""])


def hoisted(_: str) -> str:
    """The GPU's row of the exhibit `hoisted_load`, in words, for docs/found.md."""
    row = read_record(ROW)
    found, launches = row.findings["exhibits"].get("hoisted_load"), row.findings["launches"]
    if found is None:
        return "It has not run on a GPU for a row yet.\n"
    text = f"On an NVIDIA H200 the stored text of Triton 3.9 was wrong in {found['faulty']} of "
    text += f"{launches} launches"
    if each := found.get("elements"):
        text += f", in {each['fewest']} to {each['most']} of {each['of']} numbers"
    if own := found.get("own_compiler"):
        text += f".\nCompiled there by Triton {own['triton']}, two stages gave {own['faulty']}, "
        text += f"and one stage {own['fixed']}"
    return f"{text}.\n"


def _languages() -> str:
    count = Counter(one.language for one in exhibits().values())
    each = ", ".join(f"{number} in {language}" for language, number in count.most_common())
    return f"There are {count.total()} exhibits: {each}.\n"


def _summary(found: dict[str, Any], launches: int) -> str:
    faulty = [each["faulty"] for each in found.values()]
    right, always = faulty.count(0), faulty.count(launches)
    ended = sum(isinstance(each, str) for each in faulty)
    sometimes = len(faulty) - right - always - ended
    mended = sum(each["fixed"] == 0 for each in found.values())
    reported = sum(bool(_reports(each, "faulty")) for each in found.values())
    falsely = [name for name, each in found.items() if _reports(each, "fixed")]
    alarms = f"and of the mended ones {', '.join(falsely)}" if falsely else "and no mended one"
    return (
        f"Of {len(found)} faulty kernels, an NVIDIA H200 ran {right} without a wrong result in "
        f"{launches} launches each:\nthey were right by luck. {always} were always wrong, "
        f"{sometimes} sometimes; {ended} hung or ended with an error.\nThe mended kernels were "
        f"right in every launch in {mended} of {len(found)} cases. compute-sanitizer reported "
        f"{reported} of the\nfaulty kernels, {alarms}; lanemap reports all faulty ones and no "
        "mended one."
    )


def _line(one: Exhibit, found: dict[str, Any] | None, launches: int, consan: dict[str, Any]) -> str:
    threads = ", ".join(f"[{_short(each)}]({each})" for each in one.threads)
    mode = "strict: " if one.strict else ""
    path = one.source.relative_to(paths.find("museum"))
    exhibit = f"[{one.name}]({path.as_posix()})"
    cells = [exhibit, one.language, threads, one.title, f"{mode}{one.kind}"]
    cells += [_shown(found, launches), _sanitizer(one, found), _consan(one, consan)]
    return f"| {' | '.join([*cells, _triton_viz(one)])} |"


def _short(address: str) -> str:
    """`owner/name#12` of an issue, else the repository and the file."""
    parts = address.removeprefix("https://github.com/").split("/")
    if len(parts) == 4 and parts[2] in ("issues", "pull"):
        return f"{parts[1]}#{parts[3]}"
    return f"{parts[1]}: {parts[-1]}" if len(parts) > 2 else parts[1]


def _shown(found: dict[str, Any] | None, launches: int) -> str:
    if found is None:
        return ""
    faulty = found["faulty"]
    if isinstance(faulty, int):
        return f"wrong in {faulty} of {launches}" if faulty else "right"
    error = re.search(r"CUDA_ERROR_\w+", faulty)
    return error[0] if error else "hung"


def _sanitizer(one: Exhibit, found: dict[str, Any] | None) -> str:
    if found is not None:
        return ", ".join(_reports(found, "faulty")) or "nothing"
    return {"gfx950": "*not for AMD*", "sm_100a": "*not run*"}.get(one.target, "")


def _consan(one: Exhibit, consan: dict[str, Any]) -> str:
    if one.name in consan:
        said: str = consan[one.name]["faulty"]
        return said if said == "nothing" else f'"{said}"'
    if one.language not in ("Triton", "Gluon"):
        return "*Triton only*"
    return "*not global memory*" if one.has_versions else "*comes after its pass*"


def _triton_viz(one: Exhibit) -> str:
    return "*bounds only*" if one.language == "Triton" else "*Triton only*"


def _reports(found: dict[str, Any], version: str) -> list[str]:
    """The tools that report a version of the kernel."""
    tools = found["compute_sanitizer"].items()
    return [tool for tool, said in tools if isinstance(said[version], int) and said[version]]
