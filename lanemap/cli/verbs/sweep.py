"""`lanemap sweep`: many independent items, on this machine's cores or on a Ray cluster."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from lanemap.cli.output import JSON_OPTION, console, show_json, table
from lanemap.errors import Disagreement, UserError, plural

if TYPE_CHECKING:
    from lanemap.sweeping.course import Tally
    from lanemap.sweeping.executors import Executor
    from lanemap.sweeping.sweep import Sweep

#: Wrong items that are shown; the summary names all.
_SHOWN = 20


def command(
    what: str = typer.Argument("", metavar="[WHAT]", help="A sweep, or a file that defines one."),
    items: list[str] = typer.Argument(
        None, metavar="[ITEM]..", help="Items alone, such as 17 or 200:300; --list shows others."
    ),
    count: int = typer.Option(1000, min=1, help="How many items, of a sweep of numbers."),
    on: str = typer.Option(
        "cores",
        metavar="WHERE",
        help="here (this process), cores (of this machine; cores:4 for so many processes), ray "
        "(started here), or a Ray cluster's address as in ray://head:10001.",
    ),
    out: Path = typer.Option(Path("sweeps"), help="The folder that results are kept in."),
    again: bool = typer.Option(
        False, "--again", help="Run what is done too, and compare with the results that are kept."
    ),
    add: list[Path] = typer.Option(
        [], help="Take the results of another machine's folder first; repeat it."
    ),
    minutes: float | None = typer.Option(None, min=0, help="Begin no task after so long."),
    wheel: Path | None = typer.Option(
        None,
        help="lanemap's wheel for the workers of a cluster at an address; built from the checkout "
        "if not given.",
    ),
    listed: bool = typer.Option(False, "--list", help="List the items instead."),
    as_json: bool = JSON_OPTION,
) -> int:
    """Try many independent items, and keep what each showed.

    A sweep is divided into tasks. The result of a task is kept as soon as there is one, under the
    hash of its items, of lanemap's code and of the files that it depends on; the same command goes
    on where it was stopped. Without WHAT, the sweeps are listed. The exit status is 1 if something
    is wrong or failed.
    """
    from lanemap.sweeping import sweep as sweeps
    from lanemap.sweeping.course import Tally, go
    from lanemap.sweeping.store import Store
    from lanemap.sweeping.task import tasks

    if not what:
        return _sweeps(as_json)
    sweep = sweeps.find(what)
    chosen = sweeps.expanded(sweep, items or [], count, what)
    if listed:
        return _items(sweep, chosen, as_json)
    every = list(tasks(what, sweep, chosen))
    store = Store(out / Path(what).stem)
    taken = sum(store.take(Store(each)) for each in add)
    tally = Tally(what, len(every))
    ships = sweep.ships or what.endswith(".py")
    with _executor(on, sweep.per_gpu, wheel, ships) as executor, _progress(tally, as_json) as told:
        try:
            seconds = None if minutes is None else 60 * minutes
            go(tally, every, executor, store, again, seconds, told)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(
                f"interrupted; {tally.done} of {plural(tally.tasks, 'task')} are kept in "
                f"{store.folder}, and the same command goes on"
            ) from None
    where = {"where": executor.name, "places": executor.places}
    summary = tally.to_json() | where | {"taken": taken, "about": sweep.about}
    pages = _write(store.folder, summary)
    if as_json:
        show_json(summary)
    else:
        _show(summary, sweep, pages)
    bad = tally.wrong or tally.failed or tally.unstable
    return Disagreement.exit_code if bad else 0


@contextlib.contextmanager
def _executor(on: str, per_gpu: int, wheel: Path | None, ships: bool) -> Iterator[Executor]:
    """Where tasks run.

    Raises:
        UserError: there is no such place, or its processes take no wheel.
        MissingEnvironment: Ray is not here, or nothing answers.
    """
    from lanemap.sweeping.executors import Cores, Here, cards

    kind, colon, rest = on.partition(":")
    if wheel is not None and not (kind == "ray" and rest):
        raise UserError(
            "--wheel is for the workers of a cluster, as --on ray://head:10001 names one; --on "
            f"{on} runs the lanemap that is installed here"
        )
    if on == "here":
        yield Here()
    elif kind == "cores" and (not colon or (rest.isdecimal() and int(rest))):
        yield Cores(int(rest) if rest else None, cards() if per_gpu else (), per_gpu)
    elif kind == "ray" and (not colon or rest):
        from lanemap.sweeping.cluster import Cluster

        address = "" if not colon else on if rest.startswith("//") else rest
        with Cluster(address, per_gpu, wheel, ships) as cluster:
            yield cluster
    else:
        raise UserError(
            f"--on {on} is not understood; write here, cores, cores:4, ray or ray://head:10001"
        )


@contextlib.contextmanager
def _progress(tally: Tally, quiet: bool) -> Iterator[Any]:
    """Tell on a terminal how far the sweep is, twice a second at most."""
    if quiet or not sys.stderr.isatty():
        yield lambda tally: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed} of {task.total} tasks"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[more]}"),
    )
    with Progress(*columns, console=Console(stderr=True), refresh_per_second=2) as bar:
        own = bar.add_task(tally.sweep, total=tally.tasks, more="")
        began = time.monotonic()

        def told(tally: Tally) -> None:
            rate = tally.items / max(time.monotonic() - began, 1e-9)
            wrong = len(tally.wrong) + len(tally.failed) + len(tally.unstable)
            more = f"{rate:.1f} items/s, {wrong} wrong"
            bar.update(own, completed=tally.done + len(tally.failed), more=more)

        yield told


def _sweeps(as_json: bool) -> int:
    from lanemap.sweeping import sweep as sweeps

    found = {name: sweeps.find(name) for name in sweeps.names()}
    if as_json:
        show_json(
            {name: {"about": each.about, "gpu": each.per_gpu > 0} for name, each in found.items()}
        )
        return 0
    rows = [(name, "GPU" if each.per_gpu else "", each.about) for name, each in found.items()]
    console().print(table(("sweep", "needs", "what it tries"), rows))
    return 0


def _items(sweep: Sweep, chosen: list[str], as_json: bool) -> int:
    if as_json:
        show_json(chosen)
        return 0
    for each in [f"0:{len(chosen)}"] if sweep.items is None else chosen:
        console().print(each, markup=False)
    return 0


def _write(folder: Path, summary: dict[str, Any]) -> list[Path]:
    """Write the summary and, where the site's packages are here, its page; return their places."""
    from lanemap.cli.folders import module
    from lanemap.records.files import dumps, write_files

    files: dict[Path, str | bytes] = {folder / "summary.json": dumps(summary)}
    with contextlib.suppress(ImportError):  # jinja2 comes with the extra `analysis`
        files |= module("analysis", "sweep_page").page(summary, folder)
    write_files(files)
    return [path for path in files if path.name in ("summary.json", "index.html")]


def _show(summary: dict[str, Any], sweep: Sweep, pages: list[Path]) -> None:
    told = console()
    told.print(sentence(summary), markup=False)
    for name, number in summary["counts"].items():
        told.print(f"  {name}: {number}", markup=False)
    for each in summary["wrong"][:_SHOWN]:
        told.print(f"wrong: {each['item']}: {each['says']}\n  {each['command']}", markup=False)
    if len(summary["wrong"]) > _SHOWN:
        told.print(f"and {len(summary['wrong']) - _SHOWN} more, see {pages[0]}", markup=False)
    for each in summary["failed"]:
        told.print(f"failed: {each['items']}: {each['says']}", markup=False)
    for items in summary["unstable"]:
        told.print(f"unstable: {items}: found something else than before", markup=False)
    told.print(f"wrote {' and '.join(str(page) for page in pages)}", markup=False)


def sentence(summary: dict[str, Any]) -> str:
    """Say what a sweep has found, in a line."""
    text = f"{summary['sweep']}: {plural(summary['items'], 'item')} in {summary['done']} of "
    text += f"{plural(summary['tasks'], 'task')}, {len(summary['wrong'])} wrong"
    if summary["failed"]:
        text += f", {plural(len(summary['failed']), 'task')} failed"
    if summary["unstable"]:
        text += f", {len(summary['unstable'])} unstable"
    text += f"; {summary['ran']} ran now in {summary['seconds']:.0f} s on {summary['where']}"
    if summary["left"]:
        text += f"; {plural(summary['left'], 'task')} left, the same command goes on"
    return text
