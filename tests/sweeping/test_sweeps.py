"""Sweeps in this process and on this machine's cores; test_cluster.py has them on Ray."""

from __future__ import annotations

import json
import resource
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lanemap.cli.folders import module
from lanemap.errors import UserError
from lanemap.sweeping import sweep as sweeps
from lanemap.sweeping.executors import Cores, cores
from lanemap.sweeping.store import Store
from lanemap.sweeping.task import perform, tasks
from tests.cli.processes import here, refusal

SQUARES = Path(__file__).with_name("squares.py")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working directory, with a sweep of its own."""
    monkeypatch.chdir(tmp_path)
    Path("squares.py").write_text(SQUARES.read_text())
    sweeps.find.cache_clear()
    yield tmp_path
    sweeps.find.cache_clear()


def sweep(*words: str, on: str = "here") -> tuple[int, dict[str, Any]]:
    status, out, err = here("sweep", "squares.py", *words, "--on", on, "--json")
    assert err == ""
    return status, json.loads(out)


def test_counts_values_and_what_is_wrong() -> None:
    status, found = sweep("--count", "23")
    assert status == 1
    assert (found["tasks"], found["done"], found["items"], found["left"]) == (5, 5, 23, 0)
    assert found["counts"] == {"sum": 253}
    (wrong,) = found["wrong"]
    assert (wrong["item"], wrong["says"]) == ("13", "unlucky")
    kept = [json.loads(path.read_text()) for path in Path("sweeps/squares").glob("??/*.json")]
    values = {int(item): value for each in kept for item, value in each["values"].items()}
    assert values == {number: number**2 for number in range(23)}


def test_the_command_of_a_wrong_item_runs_it_alone_and_finds_it_again() -> None:
    command = sweep("--count", "23")[1]["wrong"][0]["command"]
    status, out, _ = here(*shlex.split(command)[1:])
    assert status == 1 and "1 item in 1 of 1 task, 1 wrong" in out and "unlucky" in out
    assert sweep("10", "12")[0] == 0


def test_the_same_command_goes_on_and_changed_code_begins_anew() -> None:
    first = sweep("--count", "20", "--minutes", "0")[1]
    assert (first["done"], first["left"]) == (0, 4)
    whole = sweep("--count", "20")[1]
    assert (whole["ran"], whole["left"]) == (4, 0)
    again = sweep("--count", "20")[1]
    assert again["ran"] == 0
    assert {name: again[name] for name in ("items", "wrong", "counts", "digest")} == {
        name: whole[name] for name in ("items", "wrong", "counts", "digest")
    }
    next(Path("sweeps/squares").glob("??/*.json")).unlink()
    assert sweep("--count", "20")[1]["ran"] == 1
    with open("squares.py", "a") as file:
        file.write("# another revision\n")
    assert sweep("--count", "20")[1]["ran"] == 4


def test_an_error_is_wrong_and_the_next_item_follows() -> None:
    Path("events.txt").write_text("2 raise\n")
    status, found = sweep("--count", "5")
    assert status == 1 and found["counts"] == {"sum": 8}
    assert [(each["item"], each["says"]) for each in found["wrong"]] == [
        ("2", "ZeroDivisionError: no number")
    ]


def test_an_interrupted_sweep_says_so_and_keeps_what_is_done() -> None:
    Path("events.txt").write_text("7 interrupt\n")
    status, out, err = here("sweep", "squares.py", "--count", "20", "--on", "here")
    assert (status, out) == (130, "")
    assert err == (
        "lanemap: interrupted; 1 of 4 tasks are kept in sweeps/squares, and the same command "
        "goes on\n"
    )
    Path("events.txt").unlink()
    assert sweep("--count", "20")[1]["ran"] == 3


def test_what_the_machine_lacks_ends_the_sweep_in_a_sentence() -> None:
    Path("events.txt").write_text("12 lacks\n")
    words = ("sweep", "squares.py", "--count", "20", "--on", "here")
    assert refusal(*words, by=here) == (3, "there is no abacus")
    Path("events.txt").unlink()
    assert sweep("--count", "20")[1]["ran"] == 2


def test_a_full_disk_ends_the_sweep_and_what_is_kept_stays() -> None:
    sweep("0:5")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, before[1]))
    try:
        status, said = refusal("sweep", "squares.py", "0:20", "--on", "here", by=here)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert status == 3 and said.startswith("cannot write sweeps/squares/") and "too large" in said
    assert sweep("0:20")[1]["ran"] == 3


def test_a_process_that_ends_takes_one_task_with_it() -> None:
    """The tasks that ran beside it are run again."""
    Path("events.txt").write_text("12 end\n")
    status, found = sweep("--count", "30", on="cores:2")
    assert status == 1 and (found["done"], found["left"]) == (5, 0)
    (failed,) = found["failed"]
    assert failed["items"] == "10:15" and "a process ended" in failed["says"]


def test_places_of_cores() -> None:
    assert Cores(3).places == 3
    assert Cores(6, ["0", "1"]).places == 6
    assert Cores(None, ["0"]).places == 1
    assert Cores(None, ["0"], 64).places == min(64, cores())
    seen = Cores(1, ["7"]).run(_card, [0])
    assert [each.value for each in seen] == ["7"]


def _card(_: int) -> str | None:
    import os

    return os.environ.get("CUDA_VISIBLE_DEVICES")


def test_results_of_two_machines_are_merged() -> None:
    sweep("0:10", "--out", "one")
    both = sweep("0:20", "--out", "two", "--add", "one/squares")[1]
    assert (both["taken"], both["ran"], both["items"]) == (2, 2, 20)
    assert both["digest"] == sweep("0:20", "--out", "three")[1]["digest"]


def test_results_that_differ_are_not_merged() -> None:
    sweep("0:5", "--out", "one")
    sweep("0:5", "--out", "two")
    name = next(Path("one/squares").glob("??/*.json"))
    told = json.loads(name.read_text()) | {"counts": {"sum": 11}}
    result = perform(next(tasks("squares.py", sweeps.find("squares.py"), list("01234"))))
    told["digest"] = type(result)(**(vars(result) | {"counts": {"sum": 11}})).digest
    name.write_text(json.dumps(told))
    with pytest.raises(UserError, match="differs from two/squares/.*: a machine is wrong"):
        Store(Path("two/squares")).take(Store(Path("one/squares")))
    found = sweep("0:5", "--out", "one", "--again")
    assert found[0] == 1 and found[1]["unstable"] == ["0:5"]


def test_a_damaged_result_is_a_sentence() -> None:
    sweep("0:5")
    path = next(Path("sweeps/squares").glob("??/*.json"))
    path.write_text(path.read_text().replace('"sum": 10', '"sum": 9'))
    status, said = refusal("sweep", "squares.py", "0:5", "--on", "here", by=here)
    assert status == 2 and said == f"{path} is damaged; remove it, and the task runs again"


def test_a_task_of_other_code_or_files_is_refused() -> None:
    (task,) = tasks("squares.py", sweeps.find("squares.py"), list("01234"))
    assert perform(task).counts == {"sum": 10}
    with pytest.raises(UserError, match="has another lanemap than the one that began"):
        perform(type(task)(task.sweep, task.items, "sha256:other"))
    with pytest.raises(UserError, match=r"squares.py on .* is not the file that the sweep is of"):
        perform(type(task)(task.sweep, task.items, task.code, (("squares.py", "0"),)))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("circles",), "there is no sweep 'circles'; the sweeps are "),
        (("none.py",), "none.py: there is no such file"),
        (("squares.py", "1:x"), "'1:x' is no item of the sweep squares.py; write a number, or"),
        (("squares.py", "5:3"), "'5:3' names no item of the sweep squares.py: END is the item"),
        (("museum", "nothing"), "'nothing' is no item of the sweep museum; `lanemap sweep museum"),
        (("squares.py", "--on", "cores:0"), "--on cores:0 is not understood; write here, cores"),
        (("squares.py", "--on", "moon"), "--on moon is not understood; write here, cores"),
        (
            ("squares.py", "--wheel", "a.whl"),
            "--wheel is for the workers of a cluster, as --on ray",
        ),
        (("suites",), "name files or folders of tests, as in lanemap sweep suites tests/ops"),
        (("suites", "nowhere"), "nowhere: there is no such file or folder of tests"),
        (("squares.py", "1", "--on", "here", "--out", "squares.py"), "cannot read squares.py/"),
    ],
)
def test_bad_usage_is_a_sentence(words: tuple[str, ...], said: str) -> None:
    status, sentence = refusal("sweep", *words, by=here)
    assert status == 2 and sentence.startswith(said), sentence


def test_every_sweep_says_what_it_tries_and_has_items() -> None:
    status, out, _ = here("sweep", "--json")
    listed = json.loads(out)
    assert status == 0 and set(listed) == set(sweeps.names()) and len(listed) >= 14
    for name in ("forms", "coverage", "museum", "dot-products", "probes", "timings"):
        items = sweeps.expanded(sweeps.find(name), [], 1, name)
        assert len(items) == len(set(items)) > 20, name


QUICK = [
    ("races", "0:4"), ("lane-races", "0:2"), ("divergence", "0"), ("copies", "0"),
    ("pipelines", "3"), ("museum", "state_store"),
]  # fmt: skip
SLOW = [
    ("races", "4:200"), ("programs", "7"), ("coverage", "sm_90a/video"), ("forms", "sm_90a/video"),
    ("probes", "tr8/gfx950"), ("probe-mutants", "tr8/gfx950"),
]  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [*QUICK, *(pytest.param(each, marks=pytest.mark.slow) for each in SLOW)],
    ids=lambda words: words[0],
)
def test_a_sweep_of_each_kind_finds_nothing_wrong(words: tuple[str, ...]) -> None:
    """On the local executor, the same tasks that a cluster runs."""
    status, out, err = here("sweep", *words, "--on", "here", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out)["wrong"] == []


def test_a_false_oracle_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A race that is called none, a wrong row of silicon, a fault that is not there."""
    from lanemap.conformance.sweeps import races

    sort, steps, ctas = races._program(1)
    assert sort == "racy"
    monkeypatch.setattr(races, "_program", lambda number: ("clean", steps, ctas))
    assert here("sweep", "races", "1", "--on", "here")[1].count("a false alarm") == 1


def test_items_of_suites_are_files_with_options() -> None:
    Path("ops").mkdir()
    for name in ("test_b.py", "a_test.py", "helper.py"):
        Path("ops", name).touch()
    found = sweeps.expanded(sweeps.find("suites"), ["ops", "-mslow", "-k a b"], 1, "suites")
    assert found == [f"ops/{name} --lanemap -mslow '-k a b'" for name in ("a_test.py", "test_b.py")]
    assert sweeps.expanded(sweeps.find("suites"), found[:1], 1, "suites") == found[:1]


@pytest.mark.slow
def test_a_suite_of_tests_is_run_file_by_file() -> None:
    Path("ops").mkdir()
    Path("ops/test_a.py").write_text("def test_right(): pass\ndef test_wrong(): assert 0\n")
    status, out, _ = here("sweep", "suites", "--on", "here", "--json", "--", "ops", "-kright")
    assert (status, json.loads(out)["counts"]) == (0, {"passed": 1, "deselected": 1})
    status, out, _ = here("sweep", "suites", "ops", "--on", "here", "--json")
    (wrong,) = json.loads(out)["wrong"]
    assert status == 1 and "FAILED ops/test_a.py::test_wrong" in wrong["says"]
    assert here(*shlex.split(wrong["command"])[1:])[0] == 1


def test_the_page_of_a_sweep_shows_the_command_of_what_is_wrong() -> None:
    sweep("--count", "15")
    page = Path("sweeps/squares/index.html").read_text()
    assert "<h1>Sweep squares.py</h1>" in page and "15 items in 3 of 3 tasks" in page
    assert "<code>lanemap sweep squares.py 13 --on here --again</code>" in page
    assert Path("sweeps/squares/style.css").is_file()


def test_the_report_takes_the_summaries_of_sweeps() -> None:
    sweep("--count", "15")
    summaries = module("analysis", "sweep_page").summaries
    assert summaries(Path("nowhere")) == {}
    assert summaries(Path("sweeps"))["squares"]["items"] == 15
    Path("sweeps/squares/summary.json").write_text("{}")
    with pytest.raises(UserError, match="is from an older lanemap"):
        summaries(Path("sweeps"))
