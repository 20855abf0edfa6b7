"""The figures in README and docs: made from results/ and the lists of forms, between markers.

`python -m tools.figures` writes them; a test fails where one is not what this makes. A block

    <!-- figures: NAME ARGUMENT -->
    ..
    <!-- end of figures -->

holds what `FIGURES[NAME](ARGUMENT)` gives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from lanemap.conformance.forms.summary import FamilyCount, Summary, summary
from lanemap.conformance.instructions import shares
from lanemap.conformance.tensor_cores.inputs import CHUNK
from lanemap.conformance.tensor_cores.kinds import KINDS, Kind
from lanemap.conformance.tensor_cores.lowering import is_split
from lanemap.emulator.api import executes
from lanemap.model import tensor_sums
from lanemap.records.files import read_record, read_records
from lanemap.targets import TARGETS
from tests.emulator.ptx.test_mmasim_tcgen05 import CASES
from tests.kernels import calls
from tests.probing.rivals.score import stored as stored_rivals
from tools.figures import amd as amd_pages
from tools.figures import capsules as capsule_pages
from tools.figures import doors as door_pages
from tools.figures import evidence as evidence_pages
from tools.figures import kernels as kernel_pages
from tools.figures import museum as museum_pages
from tools.figures import releases as release_pages
from tools.figures import sweeps as sweep_pages
from tools.figures import timing as timing_pages
from tools.figures.words import RESULTS, ROOT, count, filled, gpu
from tools.mutation.score import stored
from tools.mutation.sites import FRONT_ENDS

PAGES = (
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "kernels" / "README.md",
    ROOT / "museum" / "README.md",
    *sorted((ROOT / "kernels").glob("*/README.md")),
)
BLOCK = re.compile(
    r"(<!-- figures: (\w+) ?(\S*) -->\n)(.*?)(^<!-- end of figures -->$)", re.DOTALL | re.MULTILINE
)


@cache
def counted(target: str) -> Summary:
    """The forms of a target; several blocks tell of them."""
    return summary(target, RESULTS)


def families(target: str) -> str:
    """How much of each family of PTX the emulator executes, as a table."""
    counts = counted(target)
    compared = f" equal in programs on an {counts.gpu} |" if counts.gpu else ""
    rows = [f"| family of PTX, {target} | forms that ptxas accepts | executed |{compared} share |"]
    rows.append("|---" * (5 if counts.gpu else 4) + "|")
    for each in (*counts.families, counts.total):
        shared = "not in programs" if each.equal is None else f"{each.equal:,}"
        equal = f" {shared} |" if counts.gpu else ""
        rows.append(
            f"| {each.family} | {each.accepted:,} | {each.executed:,} |{equal} {each.share} |"
        )
    return "\n".join(rows) + "\n"


#: Families of PTX of which nothing is executed, of any target.
_GRAPHICS = ("multimem", "surface", "texture")


def _without_graphics(families: Sequence[FamilyCount]) -> str:
    """The share of forms that are executed, of all families but those."""
    rest = [each for each in families if each.family not in _GRAPHICS]
    accepted = sum(each.accepted for each in rest)
    return FamilyCount("", accepted, sum(each.executed for each in rest)).share


def targets(_: str) -> str:
    """How much the emulator executes of PTX for each target, as a table."""
    rows = [
        "| target | GPUs | forms that ptxas accepts | executed | share | "
        "without textures, surfaces and multimem |",
        "|---" * 6 + "|",
    ]
    for target in filter(lambda each: each.is_nvidia, TARGETS.values()):
        counts = counted(target.name)
        total = counts.total
        rows.append(
            f"| {target.name} | {', '.join(target.products)} | {total.accepted:,} | "
            f"{total.executed:,} | {total.share} | {_without_graphics(counts.families)} |"
        )
    return "\n".join(rows) + "\n"


def contents(page: str) -> str:
    """Links to the parts of a page, by GitHub's rule for anchors."""
    text = re.sub(r"```.*?```", "", (ROOT / page).read_text(), flags=re.DOTALL)
    links = []
    for title in re.findall(r"^## (.+)$", text, re.MULTILINE):
        anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        links.append(f"[{title.replace('`', '')}](#{anchor})")
    return f"On this page: {' · '.join(links)}\n"


def covered(_: str) -> str:
    """How much the emulator executes of each instruction set, in a paragraph."""
    said, missing = [], dict[str, None]()
    for target in ("sm_90a", "sm_100a"):
        counts = counted(target)
        total = counts.total
        what = " forms of PTX that ptxas accepts" if not said else ""
        plain = _without_graphics(counts.families)
        plain += "" if said else " without textures, surfaces and multimem"
        said.append(
            f"{total.executed:,} of {total.accepted:,}{what} for {target} ({total.share}; {plain})"
        )
        missing |= {each.family: None for each in counts.families if not each.executed}
    amd = {each.family: each for each in shares("gfx950", executes)}
    total = amd["all"]
    missing |= {f"{each.family} of gfx950": None for each in amd.values() if not each.executed}
    return filled(
        f"The emulator executes {', '.join(said)}, and {total.executed:,} of the "
        f"{total.accepted:,} instructions of gfx950 that clang accepts "
        f"({amd_pages.share(total)}). Nothing is "
        f"executed of these families: {', '.join(missing)}."
    )


def verified_in_brief(_: str) -> str:
    """What silicon has shown, in three lines."""
    stored = [each for each in read_records(RESULTS) if each.evidence == "silicon"]
    mapped = [each for each in stored if each.observations and not each.reservation]
    maps = sum(len(each.observations) for each in mapped)
    kinds = read_record(RESULTS / "sm_90a" / "cuda" / "tensor_cores.json").findings["kinds"]
    dots = sum(each["dots"] for each in kinds)
    gpus = ", ".join(dict.fromkeys(gpu(each) for each in mapped))
    unseen = [
        name for name in ("gfx950", "sm_100a") if name not in {each.target for each in stored}
    ]
    return filled(
        f"On an {gpus} (sm_90a): {maps} layout maps, bit by bit or element by element; "
        f"{counted('sm_90a').total.equal:,} forms of PTX whose results equal the emulator's; "
        f"{dots:,} dot products of {len(kinds)} kinds of matrix instructions, bit for bit. "
        f"Nothing has run on {' or '.join(unseen)} silicon yet: those rows say `emulator`, and "
        f"show that a probe finds what our model states, not that the model is right."
    )


def programs(target: str) -> str:
    """Return the results of the generated programs on a GPU."""
    record = read_record(RESULTS / target / "cuda" / "programs.json")
    counts = counted(target)
    found = record.findings
    further = sum(series["programs"] for series in found["further"])
    differing = len(found["disagreements"]) + sum(len(s["differing"]) for s in found["further"])
    return filled(
        f"{len(found['programs'])} generated programs, and {further:,} more in further series, ran "
        f"on an {counts.gpu}. The lists hold {counts.total.accepted:,} forms that ptxas accepts "
        f"for {target}, and the programs use all of these that the emulator does not refuse, "
        f"except matrix products of a warp and asynchronous copies. The "
        f"emulator executes {counts.total.executed:,} of them. For {counts.total.equal:,} forms, "
        f"its results equal the GPU's in every thread; for {counts.any_nan} of those, a NaN may "
        f"have different bits. {count(differing, 'compared form')} gave a different result. "
        f"The row lists the forms that are not compared, with reasons "
        f"(`results/{target}/cuda/programs.json`)."
    )


def mbarriers(target: str) -> str:
    """Return the results of the mbarrier programs on a GPU."""
    record = read_record(RESULTS / target / "cuda" / "mbarriers.json")
    found = record.findings
    both = [each["errors"] for each in found["programs"]]
    well = sum(not any(errors) for errors in both)
    alone = sum(not emulator and bool(gpu) for emulator, gpu in both)
    equal = sum(each["forms"] for each in found["forms"] if each["lanes"] == each["equal"] != 0)
    forms = sum(each["forms"] for each in found["forms"])
    text = (
        f"{len(both)} generated programs of mbarriers ran {found['runs']} times each. {well} of "
        f"them completed on both the emulator and the {gpu(record)}. {equal} of the {forms} forms "
        "in them gave equal results in every run. "
    )
    text += f"{count(alone, 'program')} faulted on the GPU but not on the emulator"
    return filled(f"{text} (`results/{target}/cuda/mbarriers.json`).")


def copies(target: str) -> str:
    """Return the results of the asynchronous-copy programs on a GPU."""
    record = read_record(RESULTS / target / "cuda" / "copies.json")
    found = record.findings
    well = sum(not any(each["errors"]) for each in found["programs"])
    return filled(
        f"{len(found['programs'])} generated programs of asynchronous copies ran {found['runs']} "
        f"times each on an {gpu(record)}, and once on the emulator. {well} of them completed on "
        f"both. {count(len(found['disagreements']), 'result')} differed from what NumPy "
        f"computed (`results/{target}/cuda/copies.json`)."
    )


def pipelines(target: str) -> str:
    """Return the results of the pipelines on a GPU."""
    record = read_record(RESULTS / target / "cuda" / "pipelines.json")
    found = record.findings
    differing = len(found["disagreements"])
    products = sum("wgmma" in each["name"] for each in found["programs"])
    return filled(
        f"{len(found['programs'])} generated pipelines, {products} of them with wgmma, ran "
        f"{found['runs']} times each on an {gpu(record)}, and once on the emulator. The emulator "
        f"wrote the same bytes as the GPU in every run of "
        f"{len(found['programs']) - differing} of them (`results/{target}/cuda/pipelines.json`)."
    )


def _way(kind: Kind, rule: dict[str, Any] | None) -> str:
    """How an instruction adds, in a few words."""
    if rule is None:
        fused = {"f64": "a fused multiply-add for each k, in order", "f16": "FFMA, then FADD of C"}
        return fused.get(kind.a, "exact integers")
    if is_split(kind):
        return "two operations on f16, then FADD or HADD2 of C"
    result = f"rounded to {rule['bits']} bits"
    if rule["rounding"] == "truncate":
        result = f"truncated to {rule['bits']} bits"
    return f"C and {rule['block']} products at once, {rule['fraction']} bits kept; {result}"


def sums(target: str) -> str:
    """How matrix instructions add on a GPU, by types and rule, as a table."""
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for each in read_record(RESULTS / target / "cuda" / "tensor_cores.json").findings["kinds"]:
        kind = KINDS[each["name"]]
        a = {
            "e5m2": "e4m3, e5m2",
            "e4m3": "e4m3, e5m2",
            "s8": "s8, u8",
            "u8": "s8, u8",
            "s4": "s4, u4",
            "u4": "s4, u4",
        }.get(kind.a, kind.a)
        groups.setdefault((kind.family, a, kind.d, _way(kind, each["rule"])), []).append(each)
    rows = ["| family | A, B | D | how it adds | kinds | dot products | chunks that differ |"]
    rows.append("|---" * 7 + "|")
    for key, found in groups.items():
        dots = sum(each["dots"] for each in found)
        differ = sum(each["unequal_chunks"] for each in found)
        rows.append(f"| {' | '.join(key)} | {len(found)} | {dots:,} | {differ} |")
    return "\n".join(rows) + "\n"


def published_sums(_: str) -> str:
    """How tcgen05.mma is published to add, by kind and D, as a table."""
    rows = ["| kind | D | added at once | bits kept | result |", "|---" * 5 + "|"]
    for kind in tensor_sums.TCGEN05_HOLDER_BITS:
        for result in tensor_sums.tcgen05_results(kind):
            unit = tensor_sums.tcgen05_unit(kind, result)
            what = f"{unit.block} products"
            if unit.group:
                what = f"{unit.block // unit.group} exact sums of {unit.group} products"
            rounding = f"{unit.bits} bits, {'to nearest even' if unit.nearest else 'toward zero'}"
            rows.append(f"| `{kind}` | {result} | C and {what} | {unit.fraction} | {rounding} |")
    rows.append("| `i8` | s32 | all, exactly | all | modulo 2^32, or clamped |")
    return "\n".join(rows) + "\n"


def mmasim_cases(_: str) -> str:
    """How many combinations of types of tcgen05.mma are compared with mmasim."""
    return filled(
        f"`tests/emulator/ptx/test_mmasim_tcgen05.py` runs the emulator's matrix engine beside "
        f"mmasim's models of {len(CASES)} combinations of kind, types and scales, and asks for the "
        f"same bits. It runs where mmasim is installed and finds a C++ compiler."
    )


def certificates(target: str) -> str:
    """Return a table of the rules that the designed dot products of each kind tell apart."""
    rows = ["| kind | rules | dot products | left | chosen | parts | of one rule |"]
    rows.append("|---" * 7 + "|")
    for each in read_record(RESULTS / target / "cuda" / "tensor_cores.json").findings["kinds"]:
        found = each["certificate"]
        if found:
            names = ("rules", "dots", "left", "chosen", "parts", "alone")
            counts = " | ".join(f"{found[name]:,}" for name in names)
            rows.append(f"| `{each['name']}` | {counts} |")
    return "\n".join(rows) + "\n"


def numerics(target: str) -> str:
    """How many dot products were compared on a GPU, and how many rules were fitted."""
    record = read_record(RESULTS / target / "cuda" / "tensor_cores.json")
    kinds = record.findings["kinds"]
    dots = sum(each["dots"] for each in kinds)
    differ = sum(each["unequal_chunks"] for each in kinds)
    fitted = [each["certificate"] for each in kinds if each["certificate"]]
    alone = sum(each["left"] == 1 for each in fitted)
    least = min(each["dots"] for each in kinds if not KINDS[each["name"]].form)
    return filled(
        f"The sums of {len(kinds)} kinds of `mma.sync` and `wgmma` were verified on an "
        f"{gpu(record)}: {dots:,} dot products, at least {least:,} of each kind in its plain "
        f"form. They ran in chunks of {CHUNK:,}. Each chunk was compared bit for bit with the rule "
        f"of its kind. {count(differ, 'chunk')} differed. For {alone} of {len(fitted)} kinds with "
        f"a certificate, designed dot products leave one rule of a stated class; for the others, "
        f"rules that no input tells apart (`results/{target}/cuda/tensor_cores.json`)."
    )


def scores(_: str) -> str:
    """How many mutants each probe noticed, as a table."""
    heads = "| probe | target | mutants | executed | noticed | stopped | survivors |"
    rows = [heads, "|---" * 7 + "|"]
    for path in sorted(RESULTS.glob("*/emulator/mutation_scores.json")):
        record = read_record(path)
        for probe, score in record.findings.items():
            counts = [score["mutants"], score["executed"], score["executed_noticed"],
                      len(score["stopped"]), len(score["survivors"])]  # fmt: skip
            told = " | ".join(f"{count:,}" for count in counts)
            rows.append(f"| `{probe}` | {record.target} | {told} |")
    return "\n".join(rows) + "\n"


def rivals(_: str) -> str:
    """Return a table of the rivals that probes met on planted devices."""
    heads = "| probe | variants | rivals | executed | found | refused | named by a certificate |"
    rows = [f"{heads} unnoticed or misread |", "|---" * 8 + "|"]
    for probe, score in stored_rivals().items():
        kinds = ("variants", "rivals", "executed", "found", "refused", "stated")
        told = " | ".join(f"{score[each]:,}" for each in kinds)
        rows.append(f"| `{probe}` | {told} | {score['misread'] + score['unnoticed']} |")
    return "\n".join(rows) + "\n"


def mutation(_: str) -> str:
    """Return a table of the outcomes of the mutants of the instruction functions."""
    heads = "| front end | files | mutants | judged | same code | cannot be built | noticed |"
    rows = [f"{heads} argued equal | not noticed | not reached | share |", "|---" * 11 + "|"]
    for front_end in FRONT_ENDS:
        score = stored(front_end)
        got = score.counts
        reached = sum(score.survivors[name] for name in score.unnoticed)
        counts = [len(score.files), score.mutants, got.total(), got["same_ir"] + got["same_code"],
                  got["refused"], got["noticed"], len(score.argued), reached,
                  len(score.unnoticed) - reached]  # fmt: skip
        told = " | ".join(f"{count:,}" for count in counts)
        rows.append(f"| `{front_end}` | {told} | {100 * score.share:.1f} % |")
    return "\n".join(rows) + "\n"


FIGURES: dict[str, Callable[[str], str]] = {
    "contents": contents,
    "covered": covered,
    "instructions": amd_pages.instructions,
    "processors": amd_pages.processors,
    "doors": door_pages.doors,
    "doors_in_ci": door_pages.in_ci,
    "driver_calls": door_pages.driver_calls,
    "environment_sizes": door_pages.environment_sizes,
    "refused": amd_pages.refused,
    "families": families,
    "targets": targets,
    "matrix": evidence_pages.matrix,
    "tr8_sources": evidence_pages.tr8_sources,
    "verified": evidence_pages.verified,
    "verified_in_brief": verified_in_brief,
    "programs": programs,
    "mbarriers": mbarriers,
    "copies": copies,
    "pipelines": pipelines,
    "scores": scores,
    "mutation": mutation,
    "sweeps": sweep_pages.measured,
    "sweep_plan": sweep_pages.plan,
    "rivals": rivals,
    "sums": sums,
    "published_sums": published_sums,
    "mmasim_cases": mmasim_cases,
    "certificates": certificates,
    "numerics": numerics,
    "timing": timing_pages.timing,
    "consistency": timing_pages.consistency,
    "kernels": kernel_pages.kernels,
    "kernel_times": kernel_pages.times,
    "kernel_faults": kernel_pages.faults,
    "kernel_calls": lambda _: calls.table(),
    "attention_gradients": kernel_pages.gradients,
    "host_calls": kernel_pages.host_calls,
    "gemm_ratios": kernel_pages.ratios,
    "tile_regret": kernel_pages.regret,
    "kernel_products": kernel_pages.products,
    "lds_paths": kernel_pages.lds_paths,
    "kernel_attentions": kernel_pages.attentions,
    "museum": museum_pages.museum,
    "hoisted_load": museum_pages.hoisted,
    "capsule_sizes": capsule_pages.sizes,
    "open_by_gpu": capsule_pages.open_by_gpu,
    "questions": capsule_pages.questions,
    "releases": release_pages.releases,
    "ptx_releases": release_pages.ptx_releases,
    "clang_releases": release_pages.clang_releases,
}


def renewed(text: str) -> str:
    """A page with its blocks made anew.

    Raises:
        KeyError: a block asks for figures that there are not.
    """
    return BLOCK.sub(lambda m: f"{m[1]}{FIGURES[m[2]](m[3])}{m[5]}", text)


def pictures() -> dict[Path, str]:
    """The pictures of docs that are drawn from rows, by place."""
    drawn = timing_pages.pictures("sm_90a")
    return {ROOT / "docs" / "images" / name: text for name, text in drawn.items()}


def main() -> int:
    """Write the figures and pictures of every page; return how many files changed."""
    made = {page: renewed(page.read_text()) for page in PAGES} | pictures()
    changed = {
        path: text for path, text in made.items() if not path.exists() or path.read_text() != text
    }
    for path, text in changed.items():
        path.write_text(text)
        print(f"wrote {path.relative_to(ROOT)}")
    return len(changed)
