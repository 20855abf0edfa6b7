"""Executing the notebooks, which are kept as text (jupytext), and turning them into pages."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lanemap.errors import Disagreement
from lanemap.records.files import Roots, write_files

NOTEBOOKS = Path(__file__).resolve().parent / "notebooks"
SECONDS_PER_CELL = 120


def notebooks() -> list[Path]:
    """The notebooks, sorted by name."""
    return sorted(NOTEBOOKS.glob("*.py"))


def build(results: Roots, site: Path, paths: Sequence[Path] | None = None) -> list[Path]:
    """Execute notebooks on results/ and write each as a page under site/notebooks/.

    Args:
        results: the root of the records; notebooks find it as the list `RESULTS`.
        site: the folder to write.
        paths: the notebooks; all by default.

    Raises:
        Disagreement: a cell of a notebook fails; the sentence names notebook and error.
        UserError: a page cannot be written.
    """
    from jupyter_client.manager import KernelManager
    from nbconvert import HTMLExporter

    files: dict[Path, str | bytes] = {}
    transport = "ipc" if os.name == "posix" else "tcp"
    manager = KernelManager(kernel_name="python3", transport=transport)
    manager.start_kernel()
    try:
        client = manager.client()
        client.start_channels()
        client.wait_for_ready(timeout=SECONDS_PER_CELL)
        client.stop_channels()
        for path in notebooks() if paths is None else paths:
            page, _ = HTMLExporter().from_notebook_node(execute(path, results, manager))
            files[site / "notebooks" / f"{path.stem}.html"] = page
    finally:
        manager.shutdown_kernel(now=True)
    write_files(files)
    return list(files)


def execute(path: Path, results: Roots, manager: Any = None) -> Any:
    """Execute one notebook and return it with its outputs.

    Args:
        path: the notebook.
        results: the root of the records.
        manager: a kernel to execute it in, whose names of earlier notebooks are forgotten and whose
            packages stay imported; by default one of its own.

    Raises:
        Disagreement: a cell fails.
    """
    import jupytext
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError
    from nbformat.v4 import new_code_cell

    notebook = jupytext.read(path)
    roots = (results,) if isinstance(results, Path) else results
    told = f"%reset -f\nRESULTS = {[str(root.resolve()) for root in roots]!r}"
    notebook.cells.insert(0, new_code_cell(told))
    settings = {"timeout": SECONDS_PER_CELL, "kernel_name": "python3"}
    client = NotebookClient(notebook, km=manager, shutdown_kernel="immediate", **settings)
    try:
        if manager is None:
            client.execute()
        else:
            client.kc = manager.client()
            client.kc.start_channels()
            client.execute(reset_kc=False)
    except CellExecutionError as error:
        raise Disagreement(f"{path.name} fails: {error.ename}: {error.evalue}") from error
    del notebook.cells[0]
    return notebook
