"""Executing the notebooks, which are kept as text (jupytext), and turning them into pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

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
    from nbconvert import HTMLExporter

    files: dict[Path, str | bytes] = {}
    for path in notebooks() if paths is None else paths:
        page, _ = HTMLExporter().from_notebook_node(execute(path, results))
        files[site / "notebooks" / f"{path.stem}.html"] = page
    write_files(files)
    return list(files)


def execute(path: Path, results: Roots) -> object:
    """Execute one notebook and return it with its outputs.

    Raises:
        Disagreement: a cell fails.
    """
    import jupytext
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError
    from nbformat.v4 import new_code_cell

    notebook = jupytext.read(path)
    roots = (results,) if isinstance(results, Path) else results
    told = f"RESULTS = {[str(root.resolve()) for root in roots]!r}"
    notebook.cells.insert(0, new_code_cell(told))
    client = NotebookClient(notebook, timeout=SECONDS_PER_CELL, kernel_name="python3")
    try:
        client.execute()
    except CellExecutionError as error:
        raise Disagreement(f"{path.name} fails: {error.ename}: {error.evalue}") from error
    del notebook.cells[0]
    return notebook
