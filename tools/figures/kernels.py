"""The tables in the READMEs of kernels: times from results/, faults from their list."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from analysis import lds_sheets
from lanemap.benching import find
from lanemap.benching.build import SUFFIXES
from lanemap.benching.gemm.choice import product_of
from lanemap.records.files import read_record
from lanemap.targets import TARGETS
from tests.kernels.faults import suites

RESULTS = Path(__file__).resolve().parents[2] / "results"
KERNELS = RESULTS.parent / "kernels"


def kernels(_: str) -> str:
    """Return a table of kernels: README titles, and targets by their sources."""
    rows = ["| kernel | what it computes | targets |", "|---|---|---|"]
    for name in find.names():
        title = (KERNELS / name / "README.md").read_text().splitlines()[0]
        files = sorted((KERNELS / name).iterdir(), reverse=True)
        sources = [each.stem for each in files if each.suffix in SUFFIXES]
        targets = ", ".join(each for each in sources if each in TARGETS)
        rows.append(f"| [{name}]({name}/README.md) | {title.partition(': ')[2]} | {targets} |")
    return "\n".join(rows) + "\n"


def times(kernel: str) -> str:
    """A kernel's times on an NVIDIA GPU beside the library's, as a table for each target."""
    paths = sorted(RESULTS.glob(f"*/cuda/{kernel}.json"))
    return "\n".join(_times(kernel, path) for path in paths)


def _times(kernel: str, path: Path) -> str:
    record = read_record(path)
    (benchmark,) = find.benchmarks(kernel, record.target)
    before = (record.environment or {})["before"]
    found = record.findings["problems"]
    libraries = "; ".join(dict.fromkeys(each["library"] for each in found if each["library"]))
    said = (
        f"{before['gpu']}, driver {before['card']['driver']}, {record.findings['compiler']}; "
        f"library: {libraries or 'none'}. Evidence: silicon (`{path.relative_to(RESULTS.parent)}`)."
    )
    left = record.findings.get("left", [])
    profilers = dict.fromkeys(each["profile"]["by"] for each in found if each.get("profile"))
    said += f" Busiest: {', '.join(profilers)}, one launch, cold caches." if profilers else ""
    said += f" There was no time for {len(left)} more problems." if left else ""
    rows = [{**benchmark.columns(one["problem"], one["tile"]), **_rates(one)} for one in found]
    return said + "\n\n" + _table(rows)


def _rates(one: dict[str, Any]) -> dict[str, str]:
    """The columns of rates, times, clocks and ratios."""
    warm, cold = one["warm"], one["cold"]
    ours, theirs = warm["kernel"], warm["library"]
    rate = one["flops"] / ours["median"] / 1e6
    found = {
        "TFLOP/s": f"{rate:.{0 if rate >= 100 else 1}f}",
        "TB/s": f"{one['bytes'] / ours['median'] / 1e6:.2f}",
        "us": f"{ours['median']:.1f}",
        "MHz": f"{ours['sm_clock_mhz']:.0f}",
    }
    if theirs:
        found["library, us"] = f"{theirs['median']:.1f}"
        found["library, MHz"] = f"{theirs['sm_clock_mhz']:.0f}"
        found["ratio"] = f"**{warm['ratio']:.3f}**"
    if cold:
        found["cold L2, us"] = f"{cold['kernel']['median']:.1f}"
        if cold["library"]:
            found["ratio, cold L2"] = f"{cold['ratio']:.3f}"
        if cold.get("device_copy"):
            found |= _beside_copy(one, cold)
    if one.get("profile"):
        first, second = sorted(one["profile"]["percent"].items(), key=lambda each: -each[1])[:2]
        found["busiest"] = ", ".join(f"{what} {part:.0f}%" for what, part in (first, second))
    return found


def _beside_copy(one: dict[str, Any], cold: dict[str, Any]) -> dict[str, str]:
    """The columns of a kernel that memory limits: rates with a cold L2 cache."""
    alone, copy = one["alone"], cold["device_copy"]
    copied = copy["bytes"] / copy["side"]["median"]
    found = {
        "TB/s, cold L2": f"{one['bytes'] / cold['kernel']['median'] / 1e6:.2f}",
        "copy, TB/s": f"{copied / 1e6:.2f}",
        "part of the copy": f"{one['bytes'] / cold['kernel']['median'] / copied:.1%}",
        "kernel alone, us": f"{alone['kernel']:.1f}",
        "part of the copy, alone": f"{one['bytes'] / alone['kernel'] / copied:.1%}",
    }
    if alone["library"]:
        found["library alone, us"] = f"{alone['library']:.1f}"
    return found


def _table(rows: list[dict[str, str]]) -> str:
    heads = list(dict.fromkeys(head for row in rows for head in row))
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    lines += [f"| {' | '.join(row.get(head, '') for head in heads)} |" for row in rows]
    return "\n".join(lines) + "\n"


def gradients(_: str) -> str:
    """Rates of fmha's backward pass beside those of libraries; a line has several lengths."""
    path = RESULTS / "sm_90a" / "cuda" / "attention_gradients.json"
    record = read_record(path)
    kinds: dict[tuple[int, bool], list[dict[str, Any]]] = {}
    for one in record.findings["problems"]:
        kinds.setdefault((one["head_dim"], one["causal"]), []).append(one)

    def each(found: Sequence[dict[str, Any]], name: str) -> str:
        return ", ".join(f"{one['flops'] / one['milliseconds'][name] / 1e9:.0f}" for one in found)

    def ratio(found: Sequence[dict[str, Any]], name: str) -> str:
        times = [one["milliseconds"] for one in found]
        return ", ".join(f"{one['cudnn'] / one[name]:.2f}" for one in times)

    rows = [
        {
            "D": str(head_dim), "mask": "causal" if causal else "none",
            "queries": ", ".join(str(one["length"]) for one in found),
            "TFLOP/s": each(found, "lanemap"), "cuDNN": each(found, "cudnn"),
            "flash": each(found, "flash"), "ratio to cuDNN": ratio(found, "lanemap"),
            "deterministic, TFLOP/s": each(found, "deterministic"),
            "ratio, deterministic": ratio(found, "deterministic"),
        }
        for (head_dim, causal), found in kinds.items()
    ]  # fmt: skip
    before = (record.environment or {})["before"]
    said = (
        f"{before['gpu']}, driver {before['card']['driver']}, {record.findings['compiler']}, "
        f"{record.findings['library']}. Evidence: silicon (`{path.relative_to(RESULTS.parent)}`)."
    )
    return said + "\n\n" + _table(rows)


def host_calls(_: str) -> str:
    """What calls cost the host: plain ones and those through torch.library, and PyTorch's own."""
    path = RESULTS / "sm_90a" / "cuda" / "host_calls.json"
    record = read_record(path)
    before, found = (record.environment or {})["before"], record.findings
    rows = [{"call": name, "us": f"{us:.1f}"} for name, us in found["microseconds"].items()]
    said = (
        f"{before['gpu']}, host {found['processor']}, Python {before['host']['python']}, "
        f"{found['library']}. Evidence: silicon (`{path.relative_to(RESULTS.parent)}`)."
    )
    return said + "\n\n" + _table(rows)


def ratios(what: str) -> str:
    """Ratios of ss_gemm to libraries, of products with names, or what all of them say."""
    findings = read_record(RESULTS / "sm_90a" / "cuda" / "gemm_ratios.json").findings
    products, drawn = findings["products"], findings["drawn"]
    named = products[: len(products) - drawn]

    def ratio(one: dict[str, Any], name: str, side: int = 1) -> float:
        return float(one[name][side] / one[name][0])

    def tried(one: dict[str, Any], name: str) -> float:
        return float(one[name][1] / one[name][3])

    if what == "named":
        return _table([
            {
                "M x N x K": f"{one['m']} x {one['n']} x {one['k']}",
                "tile": _tile(one["tile"]),
                **{name: f"{ratio(one, name):.3f}" for name in ("warm", "cold")},
                **({"sustained": f"{ratio(one, 'sustained'):.3f}"} if one.get("sustained") else {}),
                "PyTorch, warm": f"{ratio(one, 'warm', 2):.3f}",
                **(
                    {f"tried, {name}": f"{tried(one, name):.3f}" for name in ("warm", "cold")}
                    if one.get("tried")
                    else {}
                ),
            }
            for one in named
        ])  # fmt: skip
    both = [[ratio(one, name) for one in products] for name in ("warm", "cold")]
    means = [geometric_mean(each) for each in both]
    torch = [geometric_mean(ratio(one, name, 2) for one in products) for name in ("warm", "cold")]
    least = [min(products, key=lambda one, n=name: ratio(one, n)) for name in ("warm", "cold")]
    below = sum(min(ratio(one, "warm"), ratio(one, "cold")) < 0.97 for one in products)
    size = " and ".join(f"{one['m']} x {one['n']} x {one['k']}" for one in least)
    return (
        f"\nOver these {len(named)} products and {drawn} that seeds draw the geometric mean is "
        f"{means[0]:.3f} warm and {means[1]:.3f} cold ({torch[0]:.3f} and {torch[1]:.3f} of "
        f"PyTorch's own choice). The least is {min(both[0]):.2f} warm and {min(both[1]):.2f} cold, "
        f"of {size}; {below} of the {len(products)} are below 0.97, warm or cold. "
        + _unseen(products, both)
        + (_tried(findings["tries"], [[tried(one, name) for name in ("warm", "cold")]
                                      for one in products]) if findings.get("tries") else "")
    )  # fmt: skip


def _unseen(products: Sequence[dict[str, Any]], both: Sequence[Sequence[float]]) -> str:
    """What is so of products of which no tile was timed before."""
    times = read_record(RESULTS / "sm_90a" / "cuda" / "tile_times.json").findings["products"]
    seen = set(map(product_of, times))
    ratios = [
        pair for one, *pair in zip(products, *both, strict=True) if product_of(one) not in seen
    ]
    if not ratios:
        return "Tiles of all of them had been timed.\n"
    warm, cold = (geometric_mean(each) for each in zip(*ratios, strict=True))
    below = sum(min(each) < 0.97 for each in ratios)
    return (
        f"Of {len(ratios)} of them no tile had been timed: their mean is {warm:.3f} warm and "
        f"{cold:.3f} cold, the least {min(map(min, ratios)):.2f}, and {below} are below 0.97.\n"
    )


def _tried(tries: int, ratios: list[list[float]]) -> str:
    """What the fastest of several tiles gives, beside the fastest of several algorithms."""
    warm, cold = (geometric_mean(each) for each in zip(*ratios, strict=True))
    below = sum(min(each) < 0.97 for each in ratios)
    return (
        f"With the fastest of {tries} tiles, as cuBLASLt has that of its algorithms, it is "
        f"{warm:.3f} warm and {cold:.3f} cold; {below} are below 0.97, the least "
        f"{min(map(min, ratios)):.2f}.\n"
    )


def regret(_: str) -> str:
    """How well the estimate chooses tiles of ss_gemm."""
    folder = RESULTS / "sm_90a" / "cuda"
    products = read_record(folder / "tile_times.json").findings["products"]
    fitted = read_record(folder / "tile_estimate.json").findings
    held, latency = fitted["held_out"], fitted["parameters"]["latency"]
    times = sum(len(each["tiles"]) for each in products)
    best = geometric_mean(
        each["library"][0] / min(tile[-2] for tile in each["tiles"]) for each in products
    )
    said = (
        f"The row has {times:,} times of {len(products)} products. Of products that a fit has not "
        f"seen, the chosen tile takes {held['mean']:.3f} times as long as the best one timed "
        f"(geometric mean, at most {held['most']:.2f}). The best one has {best:.2f} of cuBLASLt's "
        f"best of ten, warm. By the fit a stage takes {latency:,.0f} cycles to be full again, "
        "besides its lines."
    )
    return textwrap.fill(said, 120) + "\n"


def _tile(tile: dict[str, int]) -> str:
    """A tile in words, in rows and columns of D."""
    said = f"{64 * tile['blocks'] * tile['consumers']} x {tile['columns']}"
    cluster = tile["cluster_m"], tile["cluster_n"]
    said += f", cluster {cluster[0]} x {cluster[1]}" if cluster != (1, 1) else ""
    said += f", k in {tile['cluster_k']}" if tile["cluster_k"] > 1 else ""
    shared = ("", ", shared", ", shared, waits")[tile["shared"]]
    return said + ", transposed" * tile["swapped"] + shared


def lds_paths(what: str) -> str:
    """The comparison of lds_attention's paths: "said", "fills", "calls" or "ways"."""
    record = read_record(RESULTS / "gfx950" / "emulator" / "lds_paths.json")
    if what == "said":
        return "".join(
            f"{textwrap.fill('* ' + line, 120, subsequent_indent='  ')}\n"
            for line in lds_sheets.said(record)
        )
    return _table(
        {"fills": lds_sheets.fills, "calls": lds_sheets.calls, "ways": lds_sheets.ways}[what](
            record
        )
    )


def faults(suite: str) -> str:
    """The faults of a suite and what notices each, as a table; see tests/kernels/faults."""
    words = {
        "hazard": "hazard", "strict": "hazard, strict", "wrong": "wrong result",
        "refused": "refused by the compiler",
    }  # fmt: skip
    return _table(
        [
            {
                "fault": each.name,
                "kind": each.kind,
                "caught by": words[each.caught],
                "message": f"`.. {each.message.replace('`', '')} ..`"
                if each.message
                else "elements outside the tolerance",
            }
            for each in suites()[suite].faults
        ]
    )


def products(target: str) -> str:
    """Return a paragraph on the products that kernels computed on a GPU."""
    path = RESULTS / target / "cuda" / "kernel_products.json"
    record = read_record(path)
    found = record.findings
    gpu = (record.environment or {})["before"]["gpu"]
    *others, last = sorted({each["kernel"] for each in found["products"]})
    elements = sorted({each["element"] for each in found["products"]})
    same = len(found["products"]) - len(found["differing"])
    said = (
        f"{len(found['products'])} products of {', '.join(others)} and {last}, with A and B of "
        f"{', '.join(elements)}, ran {found['runs']} times each on an {gpu}. In {same} of them, "
        "every run gave the same bytes of C; tests hold the emulator to the same bytes "
        f"(`{path.relative_to(RESULTS.parent)}`)."
    )
    return textwrap.fill(said, 100, break_long_words=False, break_on_hyphens=False) + "\n"


def attentions(target: str) -> str:
    """Return a paragraph on the attention that fmha computed on a GPU."""
    path = RESULTS / target / "cuda" / "kernel_attentions.json"
    record = read_record(path)
    found = record.findings
    gpu = (record.environment or {})["before"]["gpu"]
    elements = sorted({each["problem"]["element"] for each in found["problems"]})
    same = len(found["problems"]) - len(found["differing"])
    said = (
        f"{len(found['problems'])} problems of {', '.join(elements)} ran {found['runs']} times "
        f"each on an {gpu}. In {same} of them, every run gave the same bytes of O; tests hold the "
        f"emulator to the same bytes (`{path.relative_to(RESULTS.parent)}`)."
    )
    return textwrap.fill(said, 100, break_on_hyphens=False) + "\n"
