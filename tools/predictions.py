"""Predictions of `lanemap time`, committed before a GPU measures them, and what it measured.

    python -m tools.predictions predict [NAME..]    here: tests/timing/predictions.json
    python -m tools.predictions measure OUT.json [NAME..]  on a machine with an sm_90 GPU and ncu
    python -m tools.predictions row OUT.json ..     here: the row of results/, and docs/time.md
    python -m tools.predictions show                the row as Markdown, as the page has it

`predict` runs the launches of tests/timing (executed.py, earlier.py, held_out.py) through the
model, all or those whose names begin with NAME. Cycles are those between the clock reads of the
slowest warp where a kernel reads its clock, else sm__cycles_active of the SM that has most, with
caches as the same launch right before it left them.
"""

from __future__ import annotations

import contextlib
import json
import statistics
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
from typing import Any

import lanemap
from lanemap import paths
from lanemap.errors import LanemapError, MissingEnvironment, UserError
from lanemap.records.files import dumps, read_record, write_records
from lanemap.records.hashes import source_hash
from lanemap.records.schema import Record
from lanemap.timing.model.answer import Prediction, predicted
from lanemap.timing.model.chip import WHOLE, Without
from lanemap.timing.model.envelope import outside
from lanemap.timing.model.interval import ROW
from lanemap.timing.model.kinds import Sampler
from lanemap.timing.model.launched import Joined, joined
from lanemap.timing.model.recording import TraceRecorder
from lanemap.timing.model.simulate import Level
from tests.timing.earlier import EARLIER, WITH_CLOCKS
from tests.timing.executed import GRIDS, KERNELS, ONE_CTA, OWN, TARGET, Kernel, gpu
from tests.timing.held_out import (
    ALIGNED,
    ASKED,
    CLASSES,
    CLOCKS_BEFORE,
    DRAWN_BEFORE,
    GEMM,
    HELD_OUT,
    ONE,
    PAIR,
    PAIRS,
)
from tools.executed import code_hash, measured, read_by_warps

PREDICTIONS = Path(__file__).resolve().parents[1] / "tests/timing/predictions.json"
PAGE = PREDICTIONS.parents[2] / "docs/time.md"
#: Behind this the page is made by `row`.
MADE = "### Predicted and measured"
LAUNCHES: dict[str, Kernel] = {
    **ONE_CTA,
    **GRIDS,
    **OWN,
    **KERNELS,
    **EARLIER,
    **DRAWN_BEFORE,
    **HELD_OUT,
}
#: A read of the SM's clock; other CS2R write zeros.
_CLOCK = "SR_CLOCKLO"
_WINDOW = "clock reads of the slowest warp"
_ACTIVE = "sm__cycles_active.max"


def trace(kernel: Kernel) -> Joined:
    """What a launch does.

    Raises:
        UserError: the model refuses the launch, or the emulator the kernel.
    """
    device = lanemap.open_device(TARGET, "emulator")
    recorder = TraceRecorder()
    sampler = Sampler(kernel.text, recorder.count)
    # Where some CTAs are run, the result is not that of all.
    partial = contextlib.suppress(AssertionError)
    with device.only(sampler), device.observe(recorder), partial:
        kernel.launch(device)
    own = next(each for each in recorder.launches if each.kernel == kernel.kernel)
    return joined(own, kernel.text, kernel.cubin(), sampler.samples[own.kernel])


def window(found: Prediction) -> int | None:
    """The predicted cycles between the clock reads of the slowest warp; None if it reads none."""
    code, longest = found.trace.code, None
    for number, own in zip(found.members(), found.result.warps, strict=True):
        reads = [
            int(cycle)
            for place, cycle in zip(found.trace.warps[number].issued, own.cycles, strict=True)
            if code[place].opcode == "CS2R" and _CLOCK in code[place].operands
        ]
        if len(reads) > 1:
            longest = max(longest or 0, reads[-1] - reads[0])
    return longest


def cycles(
    made: Joined, of: str, behind: Level | None = None, without: Without = WHOLE
) -> tuple[int, Prediction]:
    """What is predicted of what is measured."""
    found = predicted(made, behind, changes=False, without=without)
    return (window(found) or 0) if of == _WINDOW else found.active, found


def without_control_words(made: Joined) -> Joined:
    """The same, where every instruction lets the next one issue in the next cycle."""
    code = tuple(
        replace(each, word=replace(each.control, stall=1, yields=1).put(each.word))
        for each in made.trace.code
    )
    return replace(made, trace=replace(made.trace, code=code))


def prediction(name: str, made: Joined) -> dict[str, Any]:
    """What is predicted of a launch, without parts of the model as well."""
    of = _WINDOW if _reads_clock(name) else _ACTIVE
    value, found = cycles(made, of)
    alone = replace(made.trace, grid=made.trace.grid[:1])
    other = Level.MEMORY if found.behind == Level.L2 else Level.L2
    return {
        "predicted": value,
        "of": of,
        "around": found.cycles - value if of == _WINDOW else None,
        "busy": found.cycles,
        "ctas": len(found.trace.grid),
        "outside": list(outside(found)),
        "resources": found.limited(),
        "ablations": {
            "no control words": cycles(without_control_words(made), of)[0],
            "no contention": cycles(made, of, without=Without(contention=True))[0],
            "no L2 map": cycles(made, of, without=Without(l2_map=True))[0],
            "one CTA of the grid": cycles(replace(made, trace=alone), of)[0],
            f"reads from {'memory' if other == Level.MEMORY else 'L2'}": cycles(made, of, other)[0],
            "roofline only": max(found.bounds().values()),
        },
        "executed": found.executed(),
        "reads": found.why_behind,
    }


def _reads_clock(name: str) -> bool:
    clocks = {*ONE_CTA, *WITH_CLOCKS, *CLOCKS_BEFORE}
    return name in clocks or CLASSES.get(name) == ONE


def predict(names: list[str]) -> None:
    """Write the predictions of launches whose names begin so, and keep the others."""
    kept: dict[str, Any] = json.loads(PREDICTIONS.read_text()) if PREDICTIONS.exists() else {}
    kept = {name: own for name, own in kept.items() if name in LAUNCHES}
    asked = [name for name in LAUNCHES if not names or name.startswith(tuple(names))]
    with ProcessPoolExecutor() as pool:
        for made in as_completed([pool.submit(_predicted, name) for name in asked]):
            name, seconds, own = made.result()
            kept[name] = own
            value = own.get("predicted", own.get("refused"))
            print(f"{name}: {value}, {seconds:.1f} s", flush=True)
            PREDICTIONS.write_text(dumps(kept))


def _predicted(name: str) -> tuple[str, float, dict[str, Any]]:
    """A launch, how long its prediction took, and it."""
    begin, kernel = time.monotonic(), LAUNCHES[name]
    try:
        own = prediction(name, trace(kernel))
    except LanemapError as error:
        own = {"refused": str(error)}
    return name, time.monotonic() - begin, {"code": code_hash(kernel.words()), **own}


def _launches(
    committed: Mapping[str, Any], found: Mapping[str, list[int]], active: Mapping[str, list[int]]
) -> Iterator[dict[str, Any]]:
    for name, own in sorted(committed.items()):
        taken = found.get(name, [])
        middle = statistics.median(taken) if taken else None
        value = own.get("predicted")
        yield {
            "name": name.removeprefix("held_out "),
            "set": "held out" if name in HELD_OUT else "development",
            "group": CLASSES.get(name, ""),
            "code": f"sha256:{own['code']}",
            "of": own.get("of", ""),
            "resources": own.get("resources", ""),
            "outside": own.get("outside", []),
            "predicted": value,
            "refused": own.get("refused", ""),
            "cycles": taken,
            "active": active.get(name, []),
            "around": own.get("around"),
            "busy": own.get("busy", 0),
            "ctas": own.get("ctas", 0),
            "error": value / middle - 1 if value and middle else None,
            "ablations": own.get("ablations", {}),
            "others": own.get("others", {}),
            "executed": own.get("executed", ""),
            "reads": own.get("reads", ""),
        }


def measure(file: Path, names: list[str]) -> None:
    """Measure launches that have a prediction, and write what came out, group by group."""
    committed = {
        name: own
        for name, own in json.loads(PREDICTIONS.read_text()).items()
        if not names or name.startswith(tuple(names))
    }
    with gpu() as device:
        found: dict[str, Any] = {
            "before": dict(device.environment()),
            "cycles": {},
            "active": {},
            "failed": {},
        }
    groups: dict[str, list[str]] = {}
    for name, own in committed.items():
        if name in LAUNCHES and own["code"] == code_hash(LAUNCHES[name].words()):
            group = CLASSES.get(name, name.split()[0])
            groups.setdefault(_WINDOW if _reads_clock(name) else group, []).append(name)
        else:
            found["failed"][name] = "ptxas makes other code here"
    # Those held out come first, should the time run out.
    order = sorted(groups, key=lambda group: (group != _WINDOW, group not in {*ASKED, PAIR}))
    for group in order:
        names = groups[group]
        try:
            if group == _WINDOW:
                for name, launches in read_by_warps(names).items():
                    found["cycles"][name] = [max(launch) for launch in launches]
            kept = found["active" if group == _WINDOW else "cycles"]
            for launch in measured(names, "behind itself"):
                kept.setdefault(launch["kernel"], []).append(int(launch[_ACTIVE]))
        except (MissingEnvironment, UserError) as error:
            found["failed"][group] = str(error)[:400]
        print(group, found["failed"].get(group, "measured"), flush=True)
        with gpu() as device:
            found["after"] = dict(device.environment())
        file.write_text(json.dumps(found) + "\n")


def _pairs(launches: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The responses of the model and of the GPU."""
    for what, starts in PAIRS.items():
        own = [each for each in launches if each["set"] == "held out"]
        if not all(any(start in each["name"] for each in own) for start in starts):
            continue
        first, second = (next(each for each in own if start in each["name"]) for start in starts)
        both = first["predicted"] and second["predicted"]
        taken = first["cycles"] and second["cycles"]
        yield {
            "what": what,
            "launches": (first["name"], second["name"]),
            "predicted": second["predicted"] / first["predicted"] if both else None,
            "measured": statistics.median(second["cycles"]) / statistics.median(first["cycles"])
            if taken
            else None,
        }


def _before(folder: Path) -> dict[str, float | None]:
    """Errors of launches that were held out in the row that is replaced, and those it kept."""
    path = folder / TARGET / "cuda" / f"{ROW}.json"
    if not path.exists():
        return {}
    findings = read_record(path).findings
    own = {each["name"]: each["error"] for each in findings["launches"]
           if each["set"] == "held out" and f"held_out {each['name']}" not in HELD_OUT}  # fmt: skip
    return {**findings.get("earlier", {}), **own}


def row(files: list[Path], folder: Path) -> None:
    """Write the row of what `measure` wrote; of a launch in several files, the first counts."""
    found = [json.loads(file.read_text()) for file in files]
    committed = PREDICTIONS.read_text()
    cycles, active = ({k: v for own in reversed(found) for k, v in own[name].items()}
                      for name in ("cycles", "active"))  # fmt: skip
    launches = list(_launches(json.loads(committed), cycles, active))
    findings = {
        "command": "python -m tools.predictions measure OUT.json",
        "committed": source_hash(committed),
        "launches": launches,
        "pairs": list(_pairs(launches)),
        "earlier": _before(folder),
        "failed": found[0]["failed"],
    }
    environment = {"before": found[0]["before"], "after": found[0]["after"]}
    own = Record(ROW, TARGET, "cuda", "silicon", (), findings, environment, kind=ROW)
    (folder / TARGET / "cuda" / f"{ROW}.json").unlink(missing_ok=True)
    write_records([own], folder)


def _sizes(launches: list[Any]) -> list[float]:
    return sorted(abs(each["error"]) for each in launches if each["error"] is not None)


def _class(group: str, launches: list[Any]) -> str:
    """The line of a class."""
    sizes = _sizes(launches)
    refused = sum(bool(each["refused"]) for each in launches)
    asked = " and ".join(f"{most:.0%}" for most in ASKED.get(group, ()))
    middle = f"{statistics.median(sizes):.1%} | {sizes[-1]:.1%}" if sizes else " | "
    inside = _sizes([each for each in launches if not each.get("outside")])
    within = (
        f"{len(inside)}: {statistics.median(inside):.1%} and {inside[-1]:.1%}" if inside else ""
    )
    return f"| {group} | {len(sizes)} | {refused} | {middle} | {within} | {asked} |"


def _without(launches: list[Any]) -> Iterator[str]:
    """The lines of predictions without a part of the model, and of those of other tools."""
    kinds = sorted({kind for each in launches for kind in (*each["ablations"], *each["others"])})
    for kind in kinds:
        sizes = sorted(
            abs({**each["ablations"], **each["others"]}[kind] / statistics.median(each["cycles"])
                - 1)
            for each in launches
            if each["cycles"] and kind in {**each["ablations"], **each["others"]}
        )  # fmt: skip
        if sizes:
            yield f"| {kind} | {len(sizes)} | {statistics.median(sizes):.1%} | {sizes[-1]:.1%} |"


def page(folder: Path) -> Iterator[str]:
    """The row as Markdown: what was held out, by class, without parts, in pairs, by launch."""
    row = read_record(folder / TARGET / "cuda" / f"{ROW}.json").findings
    groups: dict[str, list[Any]] = {}
    for each in row["launches"]:
        groups.setdefault(each["group"] or "development set", []).append(each)
    held_out = [each for each in row["launches"] if each["set"] == "held out"]
    sizes, refused = _sizes(held_out), sum(bool(each["refused"]) for each in held_out)
    if sizes:
        ninth = sizes[round(0.9 * (len(sizes) - 1))]
        yield (
            f"Of {len(held_out)} held-out launches {refused} were refused. The median of |error| "
            f"of the {len(sizes)} others is {statistics.median(sizes):.1%}, nine of ten are below "
            f"{ninth:.0%}, and the worst is {sizes[-1]:.0%}."
        )
    else:
        yield f"{len(held_out)} launches are held out, of which {refused} were refused."
    inside = [each for each in held_out if not each.get("outside")]
    yield (
        f"Before they were measured, {len(held_out) - len(inside)} were marked as outside of the "
        f"envelope of the tables. Of the others {sum(size > 0.2 for size in _sizes(inside))} are "
        "wrong by more than a fifth."
    )
    yield "\n| class | predictions | refused | median of errors | worst | inside | asked |"
    yield "|---|---|---|---|---|---|---|"
    aligned = [each for each in groups.get(GEMM, ()) if ", rows +" not in each["name"]]
    for group, launches in (*groups.items(), (ALIGNED, aligned)):
        yield _class(group, launches)
    yield "\n| instead | held-out launches | median of errors | worst |\n|---|---|---|---|"
    yield from _without(held_out)
    yield "\n| change | predicted | measured |\n|---|---|---|"
    for each in row["pairs"]:
        both = (
            f"{each[name] - 1:+.1%}" if each[name] else "" for name in ("predicted", "measured")
        )
        yield f"| {each['what']} | {' | '.join(both)} |"
    yield "\n| launch | predicted | measured | error | outside |\n|---|---|---|---|---|"
    for each in held_out:
        value = each["predicted"] or f"refused: {each['refused']}"
        taken = round(statistics.median(each["cycles"])) if each["cycles"] else ""
        error = f"{each['error']:+.1%}" if each["error"] is not None else ""
        marked = "yes" * bool(each.get("outside"))
        yield f"| {each['name']} | {value} | {taken} | {error} | {marked} |"


def publish(folder: Path) -> None:
    """Put the row's Markdown at the end of the page."""
    before = PAGE.read_text().partition(MADE)[0]
    PAGE.write_text(f"{before}{MADE}\n\n" + "\n".join(page(folder)) + "\n")


def main(words: list[str]) -> int:
    """Predict, measure or show."""
    what, *rest = words
    if what == "predict":
        predict(rest)
    elif what == "measure":
        measure(Path(rest[0]), rest[1:])
    elif what == "row":
        row([Path(each) for each in rest], paths.find("results"))
        publish(paths.find("results"))
    else:
        print("\n".join(page(paths.find("results"))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
