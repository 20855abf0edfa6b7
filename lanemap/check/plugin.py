"""`pytest --lanemap`: the options and markers; with the option, `suite` does the rest.

pytest imports this file in every session where lanemap is installed, so it imports nothing heavy.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any

import pytest

DEFAULT_TARGET = "sm_100a"
_MARKERS = (
    "lanemap_expect(kind, match): with --lanemap, the test must meet a hazard of this kind; match "
    "is a regular expression, searched for in the hazard's message.",
    "lanemap_allow(kind, match): with --lanemap, such a hazard does not fail the test.",
)
_NAMED = "lanemap-suite"


def _targets() -> list[str]:
    """Return the names of NVIDIA's and AMD's targets: the files that define them."""
    names = os.listdir(Path(__file__).parents[1] / "targets")
    return sorted(name[:-3] for name in names if re.fullmatch(r"(sm_|gfx)\w+\.py", name))


class _AsWritten:
    """Finds lanemap's modules before pytest does, which would rewrite all of their assertions."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return a module of lanemap, None for all others."""
        return PathFinder.find_spec(name, path, target) if name.startswith("lanemap.") else None


class _Target(argparse.Action):
    """Takes `--lanemap` and `--lanemap=TARGET`; never the word behind it, which may be a path."""

    def __call__(
        self, parser: Any, namespace: Any, values: Any, option_string: str | None = None
    ) -> None:
        target = (option_string or "").partition("=")[2]
        setattr(namespace, self.dest, target or DEFAULT_TARGET)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("lanemap", "lanemap (tests of GPU kernels without a GPU)")
    group.addoption(
        "--lanemap",
        *(f"--lanemap={name}" for name in _targets()),
        action=_Target,
        nargs=0,
        dest="lanemap",
        default=None,
        help=f"Run tests on lanemap's emulator of a target ({DEFAULT_TARGET} unless named) as if "
        "it were the GPU.",
    )
    group.addoption(
        "--lanemap-strict",
        action="store_true",
        help="Also report what some sources forbid and others allow.",
    )
    group.addoption(
        "--lanemap-sarif",
        metavar="FILE",
        default=None,
        help="Write hazards as SARIF 2.1.0.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers, which mean nothing without the option, and what sums up."""
    for marker in _MARKERS:
        config.addinivalue_line("markers", marker)
    suite = config.pluginmanager.get_plugin(_NAMED)
    if suite is not None and not hasattr(config, "workerinput"):  # of a worker of pytest-xdist
        from lanemap.check.suite import Summary

        sarif = config.option.lanemap_sarif and Path(config.option.lanemap_sarif).absolute()
        summary = Summary(suite.title, config.rootpath, sarif)
        config.pluginmanager.register(summary, f"{_NAMED}-summary")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Put the emulator in place before any file of the suite is imported.

    Raises:
        UsageError: the options make no sense, or Triton or PyTorch is missing.
    """
    known = early_config.known_args_namespace
    if known.lanemap is None:
        for name in ("strict", "sarif"):
            if getattr(known, f"lanemap_{name}"):
                raise pytest.UsageError(f"--lanemap-{name} has no effect without --lanemap; add it")
        return
    sys.meta_path.insert(0, _AsWritten)
    early_config.add_cleanup(lambda: sys.meta_path.remove(_AsWritten))
    from lanemap.errors import LanemapError

    try:
        from lanemap.check.suite import Suite

        suite = Suite(known.lanemap, known.lanemap_strict)
    except LanemapError as error:
        raise pytest.UsageError(f"--lanemap: {error}") from None
    early_config.add_cleanup(suite.end)
    early_config.pluginmanager.register(suite, _NAMED)
