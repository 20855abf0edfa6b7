"""Findings as SARIF 2.1.0, and as commands of a GitHub workflow."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from lanemap.check import sarif
from lanemap.cli import main

HERE = Path(__file__).parent / "scripts"
HAZARD: dict[str, Any] = {
    "kind": "order",
    "kernel": "scale",
    "sentence": "reads 50% of it, unordered",
    "file": "/work dir/ops/a b.py",
    "line": 7,
    "other": {"file": "/work dir/ops/a b.py", "line": 9},
    "launched": {"file": "/elsewhere/run.py", "line": 3},
}


def valid(document: dict[str, Any]) -> bool:
    """Whether classes that were generated from the published schema take it; they refuse more."""
    model = pytest.importorskip("pydantic_sarif.model")
    model.StaticAnalysisResultsFormatSarifVersion210JsonSchema.model_validate(document)
    return True


def test_a_file_is_named_relative_to_the_root() -> None:
    """Section 3.4.3: a relative URI has percent codes; 3.14.14: a base ends with a slash."""
    one = sarif.result(HAZARD, Path("/work dir"))
    document = sarif.log([one], Path("/work dir"), successful=True)
    assert valid(document)
    (run,) = document["runs"]
    assert run["originalUriBaseIds"] == {"%SRCROOT%": {"uri": "file:///work%20dir/"}}
    (location,) = run["results"][0]["locations"]
    artifact = location["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "ops/a%20b.py", "uriBaseId": "%SRCROOT%"}
    other, launched = run["results"][0]["relatedLocations"]
    assert other["physicalLocation"]["region"] == {"startLine": 9}
    assert launched["physicalLocation"]["artifactLocation"] == {"uri": "file:///elsewhere/run.py"}


def test_without_a_line_of_the_kernel_the_launch_stands_for_it() -> None:
    unknown = {**HAZARD, "file": None, "line": None, "other": None}
    (location,) = sarif.result(unknown, Path("/elsewhere"))["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "run.py"
    nowhere = sarif.result({**unknown, "launched": None}, Path("/elsewhere"))
    assert nowhere["locations"] == []
    assert valid(sarif.log([nowhere], Path("/"), successful=False))


def test_commands_of_a_workflow() -> None:
    """GitHub's own escapes: % and line ends everywhere, commas and colons in properties."""
    results = [
        sarif.result(HAZARD, Path("/work dir")),
        sarif.result({**HAZARD, "sentence": "a\nb"}, Path("/work dir"), "note"),
        {**sarif.result(HAZARD, Path("/")), "suppressions": [{"kind": "inSource"}]},
    ]
    document = sarif.log(results, Path("/work dir"), successful=True)
    about = "title=lanemap%3A order,file=ops/a b.py,line=7"
    assert list(sarif.commands(document)) == [
        f"::error {about}::scale: reads 50%25 of it, unordered",
        f"::notice {about}::scale: a%0Ab",
    ]


@pytest.mark.parametrize("text", ["[]", '{"version": "2.0.0"}', "no JSON", None])
def test_what_is_no_sarif_is_a_sentence(
    text: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.sarif"
    if text is not None:
        file.write_text(text)
    assert sarif.main([str(file)]) == 2
    assert capsys.readouterr().err.startswith(f"lanemap: {file}: ")


def test_a_script_s_hazards_stand_at_their_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("triton", minversion="3.8", reason="older ones leave out fences")
    monkeypatch.chdir(HERE)
    file = tmp_path / "found.sarif"
    assert main.run(["check", "--sarif", str(file), "strides.py"]) == 1
    document = json.loads(file.read_text())
    assert valid(document)
    first = document["runs"][0]["results"][0]
    physical = first["locations"][0]["physicalLocation"]
    marked = re.search(r"(?m)^.*# out-of-bounds$", (HERE / "strides.py").read_text())
    assert marked is not None
    line = (HERE / "strides.py").read_text()[: marked.start()].count("\n") + 1
    assert (first["ruleId"], first["level"]) == ("out-of-bounds", "error")
    assert physical["artifactLocation"]["uri"] == "strides.py"
    assert physical["region"] == {"startLine": line}
    assert "derived from b_ptr" in first["message"]["text"]
    # A file that cannot be written is said, after what was found.
    assert main.run(["check", "--sarif", "/dev/null/a.sarif", "strides.py"]) == 2
    assert "cannot write /dev/null/a.sarif" in capfd.readouterr().err
