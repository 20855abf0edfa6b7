"""README as a package index shows it, away from the repository."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from lanemap.version import __version__

hatch_build = pytest.importorskip("hatch_build", reason="hatchling builds lanemap, and is not here")
ROOT = Path(__file__).resolve().parents[2]


def test_links_and_pictures_are_absolute_and_lead_to_files_of_the_revision() -> None:
    text = (ROOT / "README.md").read_text()
    shown = hatch_build.absolute(text, ("me/lanemap", "abc"))
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]*)\)", shown)
    assert pictures == ["https://raw.githubusercontent.com/me/lanemap/abc/docs/images/mma_a.png"]
    links = re.findall(r"(?<!!)\[[^\]]*\]\(([^) ]*)\)", shown)
    page = "https://github.com/me/lanemap/blob/abc/"
    assert len(links) > 20 and all(each.startswith(page) for each in links)
    assert all((ROOT / each.removeprefix(page).partition("#")[0]).exists() for each in links)
    assert hatch_build.absolute(text, None) == text


@pytest.mark.parametrize(
    "origin",
    ["https://github.com/me/lanemap.git", "git@github.com:me/lanemap.git", "/somewhere/else", ""],
)
def test_the_repository_is_gits_origin(tmp_path: Path, origin: str) -> None:
    def git(*words: str) -> str:
        own = ("-c", "user.name=a", "-c", "user.email=a@b")
        done = subprocess.run(
            ["git", *own, *words], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    assert hatch_build.published(tmp_path) is None
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "first")
    if origin:
        git("remote", "add", "origin", origin)
    expected = ("me/lanemap", git("rev-parse", "HEAD")) if "github" in origin else None
    assert hatch_build.published(tmp_path) == expected


def test_the_citation_names_this_version_and_every_issue_form_asks_something() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert (cited["cff-version"], cited["version"]) == ("1.2.0", __version__)
    forms = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))
    assert len(forms) > 2
    for form in forms:
        asked = yaml.safe_load(form.read_text())
        assert {"name", "description", "body"} <= set(asked), form
        ids = [each["id"] for each in asked["body"]]
        assert len(set(ids)) == len(ids) > 2, form
