"""A suite of tests with the emulator as its GPU: what `pytest --lanemap` does.

A `Suite` is a plugin of each process that runs tests. Before anything of the suite is imported, it
puts the emulator in the place of the GPU, for as long as the session lasts. What a test's phases
(setup, call, teardown) find fails that phase, and travels with its report. A `Summary` is a plugin
of the process that the reports come to: the same one, or the one that pytest-xdist's workers report
to.
"""

from __future__ import annotations

import contextlib
import linecache
import os
import re
from collections import Counter
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import pytest

from lanemap.check import sarif
from lanemap.check.findings import Findings, Found, Stopped, totals
from lanemap.check.run import emulated_gpu, require_packages, target_to_check
from lanemap.devices import open_device
from lanemap.errors import LanemapError, plural

_EXPECT, _ALLOW = "lanemap_expect", "lanemap_allow"
_PHASE = pytest.StashKey["Phase"]()
_TEST = pytest.StashKey[list["Phase"]]()


class HazardError(Exception):
    """The hazards that a test met, in sentences, or an expected hazard that it did not meet."""

    __module__ = "lanemap"  # as pytest names it


def _matches(marker: pytest.Mark, found: Found) -> bool:
    """Whether a marker means a finding.

    Raises:
        UsageError: the marker's arguments are wrong.
    """
    given = {**dict(zip(("kind", "match"), marker.args, strict=False)), **marker.kwargs}
    if len(marker.args) > 2 or not set(given) <= {"kind", "match"}:
        raise pytest.UsageError(f"{marker.name} takes kind and match, not {marker}")
    kind, match = given.get("kind"), given.get("match")
    right_kind = kind is None or kind == found.kind
    return right_kind and (match is None or re.search(match, found.message(True)) is not None)


def _place(file: str | None, line: int | None) -> str:
    """`tests/test_norms.py:31`, relative to the folder that pytest was started in."""
    return f"{os.path.relpath(file)}:{line}" if file else ""


def told(found: Found) -> str:
    """Say what a finding is: kind, line, sentence; then the lines of source that it is about."""
    place = _place(*(found.place or found.where or (None, None)))
    lines = [f"{found.kind}: {place}: {found.kernel}: {found.brief}"]
    sides = (("here", found.place), ("other side", found.other), ("launched", found.launched))
    for title, at in sides:
        if at is not None:
            lines.append(f"    {title}: {_place(*at)}: {linecache.getline(*at).strip()}")
    if found.opcode:
        lines.append(f"    `{found.opcode}`, {found.ptx[0]}:{found.ptx[1]}")
    return "\n".join(lines)


class Phase:
    """What setup, call or teardown of a test found.

    Attributes:
        findings: All of it.
        wrong: The hazards that no marker expects or allows.
        meant: The others.
    """

    def __init__(self, findings: Findings, markers: Sequence[pytest.Mark]) -> None:
        """Sort findings by markers."""
        self.findings = findings
        self.meant = [
            found for found in findings.hazards if any(_matches(each, found) for each in markers)
        ]
        self.wrong = [found for found in findings.hazards if found not in self.meant]

    def sentences(self) -> list[str]:
        """Say all that is wrong."""
        refused = [f"not checked: {each}" for each in self.findings.refused]
        return [*map(told, self.wrong), *refused, *self.findings.failed]

    def to_json(self) -> dict[str, Any]:
        """Return what a report carries."""
        met = self.findings.hazards
        return {
            "launches": dict(self.findings.launches),
            "wrong": [{**each.to_json(), "met": met[each]} for each in self.wrong],
            "meant": [{**each.to_json(), "met": met[each]} for each in self.meant],
            "notes": [each.to_json() for each in self.findings.notes.values()],
            "refused": len(self.findings.refused),
        }


class Suite:
    """The hooks of a process that runs tests."""

    def __init__(self, target: str, strict: bool) -> None:
        """Put the emulator in the GPU's place.

        Raises:
            UserError: there are no checks for the target.
            MissingEnvironment: see `require_packages`.
        """
        named = target_to_check(target)
        versions = ", ".join(f"{name} {each}" for name, each in require_packages().items())
        self.title = f"{target} ({named.gpu.name}) on the emulator, {versions}"
        self._findings = Findings(quiet=True)
        self._context = contextlib.ExitStack()
        device = open_device(target, "emulator", "report", strict)
        self._context.enter_context(emulated_gpu(device, named, self._findings))

    def end(self) -> None:
        """Give the GPU its place back."""
        self._context.close()

    # -- before tests ------------------------------------------------------------------------------
    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Fail the collection of a file that meets a hazard while it is imported."""
        report = yield
        phase = Phase(self._findings.take(), ())
        sentences = phase.sentences()
        if sentences and report.outcome == "passed":
            report.outcome, report.result = "failed", []
            report.longrepr = "\n\n".join(sentences)
        report.lanemap = phase.to_json()  # type: ignore[attr-defined]  # pytest keeps it
        return report

    # -- tests -------------------------------------------------------------------------------------
    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Judge what fixtures do."""
        __tracebackhide__ = True
        item.stash[_TEST] = []
        return (yield from self._judged(item, "setup"))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Judge what a test does."""
        __tracebackhide__ = True
        return (yield from self._judged(item, "call"))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Judge what the ends of fixtures do."""
        __tracebackhide__ = True
        return (yield from self._judged(item, "teardown"))

    def _judged(self, item: pytest.Item, when: str) -> Generator[None, Any, Any]:
        """Run a phase; what it finds is an error of it, unless markers say otherwise.

        Raises:
            HazardError: it found what it should not, or not what it should.
        """
        __tracebackhide__ = True
        result, error = None, None
        try:
            result = yield
        except BaseException as raised:
            error = raised
        phase = self._noted(item, when)
        sentences = phase.sentences()
        stopped = isinstance(error, Stopped)
        if error is not None and not (stopped and not sentences):
            raise error
        if when == "call":
            sentences += self._not_met(item)
        if sentences:
            raise HazardError("\n\n".join(sentences)) from None
        return result

    def _noted(self, item: pytest.Item, when: str) -> Phase:
        """Take what a phase found; keep it for its report, and for that of the whole test."""
        markers = [*item.iter_markers(_EXPECT), *item.iter_markers(_ALLOW)]
        phase = Phase(self._findings.take(), markers)
        item.stash[_PHASE] = phase
        phases = item.stash[_TEST]
        phases.append(phase)
        if when == "teardown":
            item.user_properties += _properties(phases)
        return phase

    def _not_met(self, item: pytest.Item) -> list[str]:
        """Say which expected hazards were not met."""
        found = [each for phase in item.stash[_TEST] for each in phase.findings.hazards]
        return [
            f"expected a hazard, and did not meet it: {_arguments(marker)}"
            for marker in item.iter_markers(_EXPECT)
            if not any(_matches(marker, each) for each in found)
        ]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[Any]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Let the report of a phase carry what it found."""
        report = yield
        phase = item.stash.get(_PHASE, None)
        if phase is None:
            return report
        del item.stash[_PHASE]
        report.lanemap = phase.to_json()  # type: ignore[attr-defined]  # pytest keeps it
        sentences = phase.sentences()
        if call.excinfo is not None and isinstance(call.excinfo.value, HazardError):
            if report.failed:
                report.longrepr = call.excinfo.getrepr(style="value")
        elif sentences and report.failed:
            report.sections.append(("lanemap", "\n\n".join(sentences)))
        return report


def _arguments(marker: pytest.Mark) -> str:
    """Return a marker as it is written."""
    words = [*map(repr, marker.args), *(f"{key}={value!r}" for key, value in marker.kwargs.items())]
    return f"{marker.name}({', '.join(words)})"


def _properties(phases: Sequence[Phase]) -> list[tuple[str, object]]:
    """Return what pytest writes of a test with --junitxml."""
    launches: Counter[str] = sum((phase.findings.launches for phase in phases), Counter())
    hazards = [each for phase in phases for each in phase.findings.hazards]
    return [
        ("lanemap_launches", sum(launches.values())),
        ("lanemap_kernels", ", ".join(sorted(launches))),
        ("lanemap_hazards", len(hazards)),
        *(("lanemap_hazard", f"{each.kind}: {each}") for each in hazards),
    ]


class Summary:
    """The hooks of the process that all reports come to."""

    def __init__(self, title: str, root: Path, sarif_file: Path | None) -> None:
        """Sum up nothing so far."""
        self._title, self._root, self._file = title, root, sarif_file
        self._launches: Counter[str] = Counter()
        self._tests: dict[str, list[str]] = {}
        self._results: dict[str, dict[str, Any]] = {}
        self._meant = self._refused = 0
        self._failure = ""

    def pytest_report_header(self) -> str:
        """Say what the GPU is."""
        return f"lanemap: {self._title}"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add what a test found."""
        self._add(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Add what the import of a file found."""
        self._add(report)

    def _add(self, report: Any) -> None:
        found = getattr(report, "lanemap", None)
        if found is None:
            return
        self._launches.update(found["launches"])
        self._refused += found["refused"]
        if hasattr(report, "wasxfail"):
            found = {**found, "wrong": [], "meant": found["meant"] + found["wrong"]}
        self._meant += len(found["meant"])
        for hazard in found["wrong"]:
            place = _place(hazard["file"], hazard["line"]) or hazard["kernel"]
            title = f"{hazard['kind']}: {place}: {hazard['kernel']}: {hazard['cause']}"
            self._tests.setdefault(title, []).append(report.nodeid)
        for level, kind in (("error", "wrong"), ("error", "meant"), ("note", "notes")):
            for hazard in found[kind]:
                self._result(hazard, level, kind == "meant")

    def _result(self, hazard: dict[str, Any], level: str, meant: bool) -> None:
        """Keep a finding as a result of SARIF, once for each line."""
        if self._file is None:
            return
        one = sarif.result(hazard, self._root, level)
        if meant:  # 3.35: a marker in the source says so
            one["suppressions"] = [{"kind": "inSource"}]
        key = f"{level} {meant} {hazard['kind']} {hazard['kernel']} {one['locations']}"
        self._results.setdefault(key, one)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the file of SARIF."""
        if self._file is None:
            return
        try:
            sarif.write(self._file, [*self._results.values()], self._root, not self._refused)
        except LanemapError as error:
            self._failure = f"--lanemap-sarif: {error}"
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say how much was launched and found."""
        show = terminalreporter.write_line
        terminalreporter.section(f"lanemap: {self._title}")
        for title, tests in self._tests.items():
            more = f" and {len(tests) - 1} more" if len(tests) > 1 else ""
            show(f"{title} [{tests[0]}{more}]", red=True)
        if self._failure:
            show(self._failure, red=True)
        show(self._totals())

    def _totals(self) -> str:
        """`12 launches of 3 kernels, 1 hazard in 2 tests`."""
        if not self._launches:
            return "no kernel was launched: nothing was checked"
        met_by = {one for each in self._tests.values() for one in each}
        where = f" in {plural(len(met_by), 'test')}"
        parts = totals(self._launches, len(self._tests), where)
        if self._meant:
            parts.append(f"{plural(self._meant, 'hazard')} expected or allowed")
        return ", ".join(parts)
