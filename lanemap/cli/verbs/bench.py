"""`lanemap bench`: check full kernels and count their work, or time them beside the library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from lanemap.cli.output import JSON_OPTION, console, numbers, show_json
from lanemap.errors import Disagreement, UserError

if TYPE_CHECKING:
    from types import ModuleType

    from lanemap.benching.gemm.measure import Effort
    from lanemap.benching.gemm.problem import Problem


def command(
    names: list[str] = typer.Argument(
        None, metavar="NAME..", help="Names that `lanemap list kernels` shows."
    ),
    every: bool = typer.Option(False, "--all", help="Every product of matrices."),
    target: str = typer.Option("sm_90a", help="sm_90a or sm_100a."),
    device: str = typer.Option("auto", help="auto (hardware if there is any), emulator or cuda."),
    shape: list[str] = typer.Option([], help="M x N x K, such as 4096x4096x4096; may repeat."),
    dtype: str = typer.Option("bfloat16", help="Type of A and B where --shape is given."),
    out_dtype: str = typer.Option("", help="Type of C where --shape is given."),
    accumulation: str = typer.Option("fast", help="fast or two_level (FP8), with --shape."),
    rounds: int = typer.Option(12, help="On a GPU: turns of the kernel and of the library."),
    seconds: float = typer.Option(0.2, help="On a GPU: length of a turn."),
    tiles: bool = typer.Option(False, help="On a GPU: time every tile, and write no row."),
    out: Path | None = typer.Option(
        None, help="On a GPU: the folder that the row is written to, such as results."
    ),
    as_json: bool = JSON_OPTION,
) -> int:
    """Compute products with a kernel, check them against float64, and say what they cost.

    On the emulator: work counted by warp role, and the bound that published rates imply. On a GPU:
    the times of the kernel and of cuBLASLt, which take turns. The exit status is 1 if a result is
    wrong.
    """
    import lanemap
    from lanemap.benching import find
    from lanemap.benching.gemm.measure import Effort
    from lanemap.benching.gemm.problem import OUTPUTS, Problem

    if every == bool(names):
        raise UserError("name the kernels, or give --all; `lanemap list kernels` shows them")
    if target not in find.TARGETS:
        raise UserError(f"--target {target} is not one of {', '.join(find.TARGETS)}")
    if dtype not in OUTPUTS:
        raise UserError(f"--dtype {dtype} is not one of {', '.join(OUTPUTS)}")
    output = out_dtype or OUTPUTS[dtype][0]
    given = [Problem(*_sizes(text), dtype, output, accumulation) for text in shape]
    opened = lanemap.open_device(target, device)
    if target != "sm_90a" and opened.evidence != "emulator":
        raise UserError(f"kernels for {target} are not timed on a GPU yet; use --device emulator")
    answers = []
    for host in _hosts(names):
        if opened.evidence == "emulator":
            answers.append(_emulated(host, opened, given, as_json))
        else:
            effort = Effort(rounds, seconds)
            answers.append(_timed(host, opened, given, effort, tiles, out, as_json))
    if as_json:
        show_json(answers)
    return 0 if all(answer["right"] for answer in answers) else Disagreement.exit_code


def _hosts(names: list[str]) -> list[ModuleType]:
    """Return the hosts of named kernels, or of all that compute products."""
    from lanemap.benching import find

    if not names:
        return [host for host in map(find.host, find.names()) if hasattr(host, "PRODUCTS")]
    hosts = [find.host(name) for name in names]
    for name, host in zip(names, hosts, strict=True):
        if not hasattr(host, "PRODUCTS"):
            raise UserError(f"{name} is no product of matrices, which is all that bench measures")
    return hosts


def _sizes(text: str) -> tuple[int, int, int]:
    parts = text.split("x")
    if len(parts) != 3 or not all(part.isdigit() for part in parts):
        raise UserError(f"--shape {text} is not understood; write it like 4096x4096x4096")
    m, n, k = (int(part) for part in parts)
    return m, n, k


def _kernel(host: ModuleType, target: str) -> Any:
    """Return a host side's kernel for a target.

    Raises:
        UserError: it has none.
    """
    for each in (host.KERNEL, getattr(host, "BLACKWELL", host.KERNEL)):
        if each.target == target:
            return each
    raise UserError(f"{host.KERNEL.name} has no source for {target}")


def _timed(
    host: ModuleType, device: Any, given: list[Problem], effort: Effort, tiles: bool,
    out: Path | None, quiet: bool,
) -> dict[str, Any]:  # fmt: skip
    """Time on a GPU; return the products' parts of the row."""
    from lanemap.benching.gemm.row import observe, sweep
    from lanemap.records.files import write_records

    def tell(row: dict[str, Any]) -> None:
        if not quiet:
            console().print(_line(row), markup=False, soft_wrap=True)

    if tiles:
        rows = [row for each in given for row in sweep(host.KERNEL, device, each, effort, tell)]
    else:
        asked = [f"lanemap bench {host.KERNEL.name} --device {device.name}"]
        asked += [f"--rounds {effort.rounds} --seconds {effort.seconds}"]
        asked += [f"--shape {each.m}x{each.n}x{each.k}" for each in given]
        record = observe(
            host.KERNEL, device, given or host.PRODUCTS, effort, tell, " ".join(asked)
        )
        rows = record.findings["products"]
        if out is not None:
            for path in write_records([record], out):
                if not quiet:
                    console().print(f"wrote {path}", markup=False)
    right = all(row["exact"] and not row["outside"] for row in rows)
    return {"kernel": host.KERNEL.name, "right": right, "products": rows}


def _emulated(
    host: ModuleType, device: Any, given: list[Problem], quiet: bool
) -> dict[str, Any]:
    """Compute on the emulator; return the checks, the counted work and the bounds."""
    from lanemap.benching.gemm.emulate import DEFAULT, observe

    kernel = _kernel(host, device.target)
    rows = [observe(kernel, device, each) for each in given or [DEFAULT]]
    for row in [] if quiet else rows:
        _show(host.KERNEL.name, row)
    right = all(row["exact"] and not row["outside"] for row in rows)
    return {"kernel": host.KERNEL.name, "right": right, "products": rows}


def _show(name: str, row: dict[str, Any]) -> None:
    """Print what the emulator found of one product."""
    given, tile, work, bound = row["problem"], row["tile"], row["work"], row["bounds"]
    print_line = console().print
    print_line(
        f"{name} {given['m']}x{given['n']}x{given['k']} {given['element']} to {given['output']}, "
        f"tile {64 * tile['blocks'] * tile['consumers']} x {tile['columns']}: "
        f"{row['outside']} elements outside the tolerance, of which {100 * row['used']:.0f} % is "
        f"used at most; integers {'exact' if row['exact'] else 'WRONG'} (evidence: emulator)",
        markup=False, soft_wrap=True,
    )  # fmt: skip
    roles = list(work["instructions"])
    kinds = sorted({kind for counts in work["instructions"].values() for kind in counts})
    rows = [[kind, *(f"{work['instructions'][role].get(kind, 0):,}" for role in roles)]
            for kind in kinds]  # fmt: skip
    print_line(numbers(["class", *roles], rows, "Warp instructions by warp role"))
    moved = {**work["bytes"], "flops of tensor cores": work["flops"], **work["waits"],
             "passes that bank conflicts cost": work["conflicts"]}  # fmt: skip
    counted = [[key, f"{number:,}"] for key, number in moved.items()]
    print_line(numbers(["counted", "number"], counted, "Work"))
    print_line(
        f"bound (evidence: published, {bound['citation']}): tensor cores "
        f"{bound['tensor_core_us']:.2f} us, memory {bound['memory_us']:.2f} us; the "
        f"{bound['limiter']} limit\n", markup=False, soft_wrap=True,
    )  # fmt: skip


def _line(row: dict[str, Any]) -> str:
    ours, theirs, tile = row["kernel"], row["library"], row["tile"]
    right = "right" if row["exact"] and not row["outside"] else "WRONG"
    return (
        f"{row['m']}x{row['n']}x{row['k']} {row['element']} to {row['output']} "
        f"{row['accumulation']}: {ours['median']:.1f} us, {row['tflops']:.0f} TFLOP/s, ratio "
        f"{row['ratio']:.4f} of cuBLASLt's {theirs['median']:.1f} us; clocks "
        f"{ours['sm_clock_mhz']} and {theirs['sm_clock_mhz']} MHz, {ours['watt']} and "
        f"{theirs['watt']} W; {right}; tile {tile['columns']} x {64 * tile['consumers']}, "
        f"cluster {tile['cluster_m']}x{tile['cluster_n']}"
    )
