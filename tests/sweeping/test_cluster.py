"""Sweeps on Ray. `make ray` runs them in an environment of their own, which has Ray."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from lanemap.errors import MissingEnvironment, UserError
from lanemap.sweeping.cluster import Cluster
from lanemap.sweeping.course import Tally, go
from lanemap.sweeping.executors import Executor, Here
from lanemap.sweeping.store import Store
from lanemap.sweeping.sweep import find
from lanemap.sweeping.task import Task, perform, tasks
from tests.cli.processes import here, refusal

ray = pytest.importorskip("ray", reason="`make ray` installs it")
# Workers are as urgent as this process, and no other user of this machine joins them.
os.environ |= {"RAY_worker_niceness": "0", "RAY_AUTH_MODE": "disabled"}
SQUARES = Path(__file__).with_name("squares.py")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Ray on this machine, started once: it takes seconds."""
    with Cluster() as found:
        yield found


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A sweep whose events lie beside it, where workers find them too."""
    path = tmp_path / "squares.py"
    path.write_text(SQUARES.read_text())
    return path


def every(path: Path, count: int) -> list[Task]:
    return list(tasks(str(path), find(str(path)), [str(number) for number in range(count)]))


def swept(path: Path, count: int, executor: Executor, out: str) -> Tally:
    work = every(path, count)
    return go(Tally("squares", len(work)), work, executor, Store(path.parent / out))


def test_a_cluster_finds_what_one_process_finds(cluster: Cluster, own: Path) -> None:
    theirs, mine = swept(own, 52, cluster, "ray"), swept(own, 52, Here(), "here")
    assert (theirs.done, theirs.items, theirs.wrong) == (11, 52, {"13": "unlucky"})
    assert theirs.digest == mine.digest and theirs.counts == mine.counts
    assert swept(own, 52, cluster, "ray").ran == 0


def test_lanemaps_own_tasks_run_there(cluster: Cluster) -> None:
    (task,) = tasks("races", find("races"), ["0", "1", "2", "3"])
    (ended,) = cluster.run(perform, [task])
    assert ended.error is None and ended.value is not None
    assert ended.value.wrong == {} and ended.value.counts["racy, reported"] == 1


def test_what_goes_wrong_there_is_a_sentence(cluster: Cluster, own: Path) -> None:
    own.with_name("events.txt").write_text("2 raise\n7 end\n")
    tally = swept(own, 15, cluster, "ray")
    assert tally.wrong == {"2": "ZeroDivisionError: no number", "13": "unlucky"}
    assert tally.failed == {"5:10": "its process ended, 4 times; is there enough memory?"}
    own.with_name("events.txt").write_text("7 lacks\n")
    with pytest.raises(MissingEnvironment, match=r"^there is no abacus$"):
        swept(own, 15, cluster, "ray")
    (other,) = (Task(each.sweep, each.items, "sha256:other") for each in every(own, 5))
    (ended,) = cluster.run(perform, [other])
    assert isinstance(ended.error, UserError) and "has another lanemap" in str(ended.error)
    (ended,) = cluster.run(_needs_a_package, ["x"])
    assert isinstance(ended.error, MissingEnvironment) and "--wheel" in str(ended.error)


def _needs_a_package(_: str) -> str:
    raise ModuleNotFoundError("No module named 'lanemap'")


@pytest.mark.parametrize("on", ["ray://127.0.0.1:9", "ray:127.0.0.1:9"])
def test_an_address_that_does_not_answer_is_a_sentence(on: str) -> None:
    status, said = refusal("sweep", "races", "--on", on, by=here)
    address = on if "//" in on else on.removeprefix("ray:")
    assert status == 3 and said.startswith(f"no Ray cluster answers at {address}: ")


def test_what_is_no_address_is_a_sentence() -> None:
    status, said = refusal("sweep", "races", "--on", "ray://head", by=here)
    assert (status, said) == (
        2, "ray://head is no address of a Ray cluster; write ray://head:10001"
    )  # fmt: skip


@pytest.mark.slow
def test_a_node_that_ends_in_the_middle_costs_nothing(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two nodes, which install the wheel; one is killed when a fifth of the tasks is done."""
    from ray.cluster_utils import Cluster as Nodes

    nodes = Nodes(initialize_head=True, head_node_args={"num_cpus": 1})
    second = nodes.add_node(num_cpus=1)
    nodes.wait_for_nodes()
    own.with_name("events.txt").write_text("".join(f"{n} slow\n" for n in range(0, 200, 5)))
    try:
        with monkeypatch.context() as other:
            other.setattr(ray, "__version__", "2.1.0")
            with pytest.raises(MissingEnvironment, match=r"has another version of Ray or Python"):
                Cluster(nodes.address)
        work = every(own, 200)
        store = Store(own.with_name("ray"))
        with Cluster(nodes.address) as cluster:
            assert cluster.places == 2
            tally = Tally("squares", len(work))

            def told(tally: Tally) -> None:
                if tally.done == len(work) // 5:
                    nodes.remove_node(second, allow_graceful=False)

            go(tally, work, cluster, store, told=told)
            assert sum(bool(each["Alive"]) for each in ray.nodes()) == 1
    finally:
        nodes.shutdown()
    assert (tally.done, tally.failed, tally.unstable) == (len(work), {}, [])
    assert tally.digest == swept(own, 200, Here(), "here").digest
