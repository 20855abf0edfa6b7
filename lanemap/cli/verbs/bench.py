"""`lanemap bench`: check full kernels and count their work, or time them beside the library."""

from __future__ import annotations

import math
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from lanemap.cli.completion import kernels, targets
from lanemap.cli.output import JSON_OPTION, console, numbers, show_json
from lanemap.errors import Disagreement, MissingEnvironment, UserError

if TYPE_CHECKING:
    from lanemap.benching.benchmark import Benchmark, Problem
    from lanemap.benching.timing import Effort
    from lanemap.records.schema import Record


NAMES_HELP = "Names that `lanemap list kernels` shows."
TARGET_HELP = "Only this target, such as sm_90a; by default all."


def command(
    names: list[str] = typer.Argument(
        None, metavar="NAME", help=NAMES_HELP, autocompletion=kernels
    ),
    every: bool = typer.Option(False, "--all", help="Every kernel."),
    target: str = typer.Option("", help=TARGET_HELP, autocompletion=targets),
    device: str = typer.Option("auto", help="auto (hardware if any), emulator, cuda or hip."),
    problem: list[str] = typer.Option(
        [],
        help="Axes of a problem, such as m=4096,n=4096,k=4096; may repeat. Other axes "
        "have the kernel's default values.",
    ),
    rounds: int = typer.Option(12, min=1, help="On a GPU: turns of the kernel and of the library."),
    seconds: float = typer.Option(0.2, min=0.001, help="On a GPU: length of a turn."),
    limit: float = typer.Option(
        math.inf,
        min=1,
        help="On a GPU: seconds for each kernel; its row names the problems that are left.",
        show_default="none",
    ),
    profile: bool = typer.Option(
        False, help="On an NVIDIA GPU: also count a launch of each problem with Nsight Compute."
    ),
    tiles: bool = typer.Option(False, help="On a GPU: time other tiles too, and write no row."),
    out: Path | None = typer.Option(
        None, help="On a GPU: the folder that the row is written to, such as results."
    ),
    compile_to: Path | None = typer.Option(
        None,
        "--compile-only",
        metavar="DIR",
        help="Without a GPU, compile only: write the cubins that would be timed to this folder.",
    ),
    compiled: Path | None = typer.Option(
        None,
        metavar="DIR",
        help="On an NVIDIA GPU: run the cubins that --compile-only wrote to "
        "this folder, and compile nothing.",
    ),
    as_json: bool = JSON_OPTION,
) -> int:
    """Compute problems with a kernel, check them against float64, and say what they cost.

    On the emulator: work counted by warp role, and the bound that published rates imply. On a GPU:
    the times of the kernel and of the vendor's library, which take turns, with warm and with cold
    operands. The exit status is 1 if a result is wrong.
    """
    from lanemap.benching.compiled import COMPILED
    from lanemap.benching.timing import Effort
    from lanemap.devices import target_of_gpu

    chosen = _chosen(names, every, target_of_gpu(target) or target)
    if compile_to is not None:
        if compiled is not None or out is not None:
            raise UserError("--compile-only measures nothing; remove --compiled and --out")
        return _compile_only(chosen, problem, tiles, compile_to, as_json)
    ready = [
        (benchmark, opened, [_parsed(benchmark, text) for text in problem])
        for benchmark, opened in _opened(chosen, device)
    ]
    options = {"--tiles": tiles, "--out": out, "--compiled": compiled, "--profile": profile}
    for option, is_given in options.items():
        if is_given:
            _check_timed(ready, option, device)
    answers = []
    with COMPILED.using(compiled) if compiled is not None else nullcontext():
        for benchmark, opened, given in ready:
            if opened.evidence == "emulator":
                answers.append(_emulated(benchmark, opened, given, as_json))
            else:
                effort = Effort(rounds, seconds, limit, profile)
                answers.append(_timed(benchmark, opened, given, effort, tiles, out, as_json))
    if as_json:
        show_json(answers)
    return 0 if all(answer["right"] for answer in answers) else Disagreement.exit_code


def _chosen(names: list[str], every: bool, target: str) -> list[Benchmark]:
    """Return what was asked for; `every` is --all.

    Raises:
        UserError: there is no such kernel, or nothing to bench.
    """
    from lanemap.benching import find

    if every == bool(names):
        raise UserError("name kernels or give --all, not both; `lanemap list kernels` shows them")
    if not every:
        return [each for name in names for each in find.benchmarks(name, target)]
    chosen = find.all_benchmarks(target)
    if not chosen:
        raise UserError(f"no kernel has anything to bench on {target}")
    return chosen


def _compile_only(
    chosen: list[Benchmark], given: list[str], tiles: bool, folder: Path, as_json: bool
) -> int:
    """Compile what would be timed into a folder, for a GPU that the emulator stands for."""
    from lanemap.benching.compiled import COMPILED
    from lanemap.benching.launch import opened
    from lanemap.benching.timing import compile_only, compilers

    for each in chosen:
        problems = [_parsed(each, text) for text in given] or each.problems
        compile_only(each, opened(each.target, "emulator"), problems, tiles)
    files = COMPILED.write(folder, compilers())
    if as_json:
        show_json({"folder": str(folder), "files": files, "compiler": compilers()})
    else:
        console().print(f"wrote {files} files of code to {folder}", markup=False, soft_wrap=True)
    return 0


def _opened(chosen: list[Benchmark], device: str) -> list[tuple[Benchmark, Any]]:
    """Return each benchmark with its device; those left out whose hardware is not here.

    Raises:
        MissingEnvironment: nothing is left.
    """
    import lanemap

    devices: dict[str, Any] = {}
    missing: MissingEnvironment | None = None
    for target in dict.fromkeys(each.target for each in chosen):
        try:
            devices[target] = lanemap.open_device(target, device)
        except MissingEnvironment as error:
            missing = error
    if missing is not None and not devices:
        raise missing
    return [(each, devices[each.target]) for each in chosen if each.target in devices]


def _check_timed(
    ready: list[tuple[Benchmark, Any, list[Problem]]], option: str, device: str
) -> None:
    """Check that an option for times has something to time.

    Raises:
        UserError: the emulator was asked for, or `--tiles` of kernels without a choice of tiles.
        MissingEnvironment: no GPU is here.
    """
    timed = [(each, given) for each, opened, given in ready if opened.evidence != "emulator"]
    if not timed:
        lacking = UserError if device == "emulator" else MissingEnvironment
        raise lacking(f"{option} is for timing on a GPU, but only the emulator is available here")
    if any(opened.name == "hip" for _, opened, _ in ready):
        if option == "--compiled":
            raise UserError("--compiled is for cubins, which no AMD GPU runs; give --target")
        if option == "--profile":
            raise UserError("--profile is for NVIDIA's Nsight Compute; give --target")
    problems = ((each, problem) for each, given in timed for problem in given or each.problems)
    if option == "--tiles" and not any(each.tiles(problem) for each, problem in problems):
        kernels = ", ".join(dict.fromkeys(each.kernel for each, _ in timed))
        raise UserError(f"{kernels} can run with one tile size only; remove --tiles")


def _parsed(benchmark: Benchmark, text: str) -> Problem:
    from lanemap.benching.benchmark import parsed

    return parsed(benchmark.default, text)


def _answer(benchmark: Benchmark, rows: list[dict[str, Any]]) -> dict[str, Any]:
    right = all(not check["outside"] for row in rows for check in row["checks"])
    return {
        "kernel": benchmark.kernel,
        "target": benchmark.target,
        "right": right,
        "problems": rows,
    }


def _timed(
    benchmark: Benchmark,
    device: Any,
    given: list[Problem],
    effort: Effort,
    tiles: bool,
    out: Path | None,
    quiet: bool,
) -> dict[str, Any]:
    """Time on a GPU; return the problems' parts of the row."""
    from lanemap.benching.timing import observe, sweep
    from lanemap.records.files import partial_path, write_partial, write_records

    def keep(record: Record) -> None:
        if out is not None:
            write_partial(record, out)

    def tell(row: dict[str, Any]) -> None:
        if not quiet:
            console().print(_line(benchmark, row), markup=False, soft_wrap=True)

    if tiles:
        rows = [
            row
            for each in given or benchmark.problems
            for row in sweep(benchmark, device, each, effort, tell)
        ]
        return _answer(benchmark, rows)
    asked = f"lanemap bench {benchmark.kernel} --target {benchmark.target} --device {device.name}"
    asked += f" --rounds {effort.rounds} --seconds {effort.seconds}"
    asked += " --profile" if effort.profile else ""
    for each in given:
        asked += " --problem " + ",".join(f"{k}={v}" for k, v in vars(each).items())
    record = observe(benchmark, device, given or benchmark.problems, effort, tell, asked, keep)
    if out is not None:
        for path in write_records([record], out):
            partial_path(record, out).unlink(missing_ok=True)
            if not quiet:
                console().print(f"wrote {path}", markup=False)
    left = record.findings.get("left", [])
    if left and not quiet:
        console().print(f"no time was left for {len(left)} problems", markup=False)
    return _answer(benchmark, record.findings["problems"])


def _emulated(
    benchmark: Benchmark, device: Any, given: list[Problem], quiet: bool
) -> dict[str, Any]:
    """Compute on the emulator; return the checks, the counted work and the bounds."""
    from lanemap.benching.counting import observe

    rows = [observe(benchmark, device, each) for each in given or [benchmark.default]]
    for row in [] if quiet else rows:
        _show(benchmark, row)
    return _answer(benchmark, rows)


def _head(benchmark: Benchmark, row: dict[str, Any]) -> str:
    """Return a line on the problem, and whether the result is right."""
    columns = benchmark.columns(row["problem"], row["tile"]).items()
    said = ", ".join(f"{head} {cell}" for head, cell in columns)
    return f"{benchmark.kernel} ({benchmark.target}), {said}"


def _checked(row: dict[str, Any]) -> str:
    return "; ".join(
        f"{each['inputs']}: {each['outside']} of {each['elements']:,} elements outside the "
        f"tolerance, of which {100 * each['used']:.0f} % is used at most"
        for each in row["checks"]
    )


def _show(benchmark: Benchmark, row: dict[str, Any]) -> None:
    """Print what the emulator found of one problem."""
    from lanemap.benching.counting import EVERY_ROLE

    work, bound = row["work"], row["bounds"]
    print_line = console().print
    print_line(
        f"{_head(benchmark, row)}: {_checked(row)} (evidence: emulator)",
        markup=False,
        soft_wrap=True,
    )
    roles = work["instructions"]
    total = sum((Counter(counts) for counts in roles.values()), Counter[str]())
    columns: dict[str, dict[str, int]] = {"total": total}
    if len(roles) > 1:
        columns |= {"every role" if r == EVERY_ROLE else r: each for r, each in roles.items()}
    rows = [
        [kind, *(f"{each.get(kind, 0):,}" for each in columns.values())] for kind in sorted(total)
    ]
    who = "Instructions of waves" if benchmark.target.startswith("gfx") else "Warp instructions"
    print_line(numbers(["class", *columns], rows, f"{who} by role"))
    conflicts = {
        f"passes of bank conflicts, {opcode}": number
        for opcode, number in work["conflicts"].items()
    }
    counted = {**{f"bytes, {way}": number for way, number in work["bytes"].items()},
               "flops of tensor cores": work["flops"],
               **{f"waits for {what}": number for what, number in work["waits"].items()},
               **conflicts}  # fmt: skip
    shown = [[key, f"{number:,}"] for key, number in counted.items()]
    print_line(numbers(["counted", "number"], shown, "Work"))
    limits = ", ".join(f"{what} {us:.2f} us" for what, us in bound["microseconds"].items())
    print_line(
        f"bound (evidence: published, {bound['citation']}): {limits}; limited by "
        f"{bound['limiter']}, at most {bound['tflops']:.0f} TFLOP/s"
        + (f"; {bound['others_published']}\n" if bound["others_published"] else "\n"),
        markup=False,
        soft_wrap=True,
    )


def _line(benchmark: Benchmark, row: dict[str, Any]) -> str:
    """Say of one problem what was timed."""
    wrong = [each for each in row["checks"] if each["outside"]]
    said = [_head(benchmark, row), f"WRONG: {_checked(row)}" if wrong else "right"]
    for name in ("warm", "cold"):
        side = row[name]["kernel"]
        rate = row["flops"] / side["median"] / 1e6
        part = f"{name} {side['median']:.1f} us, {rate:.0f} TFLOP/s"
        part += f", {row['bytes'] / side['median'] / 1e3:.0f} GB/s"
        theirs = row[name]["library"]
        if theirs is not None:
            part += f", ratio {row[name]['ratio']:.4f} of {theirs['median']:.1f} us"
            if side["sm_clock_mhz"] is not None:
                part += f", clocks {side['sm_clock_mhz']} and {theirs['sm_clock_mhz']} MHz"
        for other, its in row[name].get("others", {}).items():
            ratio = its["median"] / side["median"]
            part += f", {ratio:.4f} of {its['median']:.1f} us by {other}"
        said.append(part)
    if row.get("no_library"):
        said.append(f"without a library: {row['no_library']}")
    return "; ".join(said)
