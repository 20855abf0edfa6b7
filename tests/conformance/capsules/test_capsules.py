"""Capsules from end to end on drivers whose GPU is the emulator, and results that are hostile."""

from __future__ import annotations

import base64
import io
import json
import os
import random
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lanemap import paths
from lanemap.cli.main import run as lanemap
from lanemap.conformance.capsules import adopt, branch, build, entries, result
from lanemap.conformance.capsules.entries import Entry, Verdict
from lanemap.conformance.capsules.player import start
from lanemap.conformance.capsules.player.main import own_hash
from lanemap.devices import open_device
from lanemap.devices.taped import Mirror, TapedDevice, zeros
from lanemap.errors import MissingEnvironment, UserError
from lanemap.records.files import read_record, record_path
from lanemap.records.schema import Record
from tests.cli.processes import here, refusal
from tests.stand_ins import STAND_INS

ENTRY = """
.version 8.0
.target sm_90a
.address_size 64
.visible .entry sums(.param .u64 p, .param .align 64 .b8 m[128], .param .u32 k) {
  .reg .b64 %p, %w, %m, %s; .reg .b32 %t, %k, %r, %ok; .reg .pred %q, %z;
  .shared .align 128 .b8 box[64]; .shared .align 8 .b64 bar;
  ld.param.u64 %p, [p]; ld.param.u32 %k, [k]; mov.b64 %m, m; mov.u32 %t, %tid.x;
  setp.eq.u32 %q, %t, 0;
  @%q mbarrier.init.shared.b64 [bar], 1;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  @%q mbarrier.arrive.expect_tx.shared.b64 %s, [bar], 64;
  @%q cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
    [box], [%m, {16}], [bar];
wait:
  mbarrier.try_wait.parity.shared.b64 %z, [bar], 0;
  @!%z bra wait;
  mov.u32 %r, box; mad.lo.u32 %r, %t, 4, %r; ld.shared.u32 %ok, [%r];
  add.u32 %ok, %ok, %k; mov.u32 %r, %cluster_ctarank; mad.lo.u32 %ok, %r, 1000, %ok;
  mov.u32 %r, %ctaid.x; mad.lo.u32 %r, %r, 16, %t; mul.wide.u32 %w, %r, 4; add.u64 %w, %p, %w;
  st.global.u32 [%w], %ok;
  ret;
}
.visible .entry faulty(.param .u64 p) {
  .reg .b64 %p; ld.param.u64 %p, [p]; st.global.u32 [%p + 1048576], 1; ret;
}
"""  # 16 words from the 16th on, each with k added, and 1000 in the cluster's second CTA
EXPECTED = np.concatenate([np.arange(16, 32) + 7, np.arange(16, 32) + 1007])


def _sums(found: list[Any], device: Any) -> Verdict:
    """A pointer into an array, a tensor map, a scalar, a cluster and times."""
    kernel = device.load(ENTRY)["sums"]
    words = device.array(np.arange(64, dtype=np.uint32))
    out = device.zeros(36, np.uint32)
    arguments = (out.pointer(16), device.tensor_map(words, (16,)), np.uint32(7))
    kernel(2, 16, arguments, cluster=(2, 1, 1))
    found.append(out.get())
    found.append(device.time(kernel.prepare(2, 16, arguments, cluster=(2, 1, 1)), 2, 3))
    return Verdict(True, ())


def _faulty(device: Any) -> Verdict:
    device.load(ENTRY)["faulty"](1, 1, (device.zeros(1, np.uint32),))
    return Verdict(True, ())


def made(target: str, held: list[Entry], folder: Path) -> Path:
    """A capsule in a folder, and the texts of its code where the stand-in looks for them."""
    path = folder / "capsule.pyz"
    path.write_bytes(build.build(held, target))
    images = json.loads(archive(path).read("manifest.json"))["images"]
    (folder / "texts").mkdir()
    for entry in held:
        for key, text in build.record(entry, target).images.items():
            (folder / "texts" / images[key]).write_text(str(text))
    return path


def archive(path: Path) -> zipfile.ZipFile:
    """The zip of a capsule."""
    return zipfile.ZipFile(io.BytesIO(build.archive(path.read_bytes())))


def play(path: Path, environment: dict[str, str], *more: str) -> subprocess.CompletedProcess[str]:
    """Run a capsule as a stranger does: no packages, another folder."""
    command = [sys.executable, "-I", "-S", str(path), *more]
    return subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, cwd=path.parent,
        check=False,
    )  # fmt: skip


@dataclass(frozen=True)
class Ran:
    """A capsule that ran on the stand-in of a driver."""

    path: Path
    environment: dict[str, str]
    done: subprocess.CompletedProcess[str]
    result: dict[str, Any]


@pytest.fixture(scope="module")
def nvidia(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ran]:
    folder = tmp_path_factory.mktemp("cuda")
    held = [
        Entry("sums", "Do all kinds of arguments arrive?", partial(_sums, []), again=False),
        Entry("faulty", "What does a fault do?", _faulty, again=False),
        Entry("slow", "What does an entry without an end do?", _faulty, again=False, limit_s=0),
        *entries.entries("sm_90a", ["movmatrix"]),
    ]
    path = made("sm_90a", held, folder)
    with STAND_INS["sm_90a"](folder) as environment:
        done = play(path, environment, "--out", "result.json")
        yield Ran(path, environment, done, json.loads((folder / "result.json").read_text()))


@pytest.fixture(scope="module")
def amd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ran]:
    folder = tmp_path_factory.mktemp("hip")
    path = made("gfx950", entries.entries("gfx950", ["tr8"]), folder)
    with STAND_INS["gfx950"](folder) as environment:
        done = play(path, environment, "--out", "result.json")
        yield Ran(path, environment, done, json.loads((folder / "result.json").read_text()))


def as_gpu(found: dict[str, Any], gpu: str, **more: Any) -> dict[str, Any]:
    """A result that says it is a GPU's; the emulator's own is refused."""
    changed = json.loads(json.dumps(found))
    changed["device"]["gpu"] = gpu
    changed["entries"] = {
        name: each for name, each in changed["entries"].items() if name in ("movmatrix", "tr8")
    }
    changed |= more
    return changed | {"hash": own_hash(changed)}


def written(data: Any, folder: Path) -> Path:
    path = folder / "told.json"
    path.write_text(json.dumps(data))
    return path


def test_a_capsule_runs_with_a_driver_alone(nvidia: Ran) -> None:
    done, found = nvidia.done, nvidia.result
    assert done.returncode == 1  # two of its entries fail, on purpose
    assert "sums: done" in done.stdout and "movmatrix: done" in done.stdout
    assert found["entries"]["faulty"]["error"] == "cuCtxSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS"
    assert found["entries"]["slow"]["error"] == "it did not end within 0 s"
    assert found["device"]["multiprocessors"] == 132 and found["entries"]["movmatrix"]["same_again"]
    answered: list[Any] = []
    _sums(answered, TapedDevice("sm_90a", result.answers(found["entries"]["sums"]["reads"])))
    assert answered[0].tolist() == [0] * 4 + EXPECTED.tolist()
    assert answered[1] == [1000.0, 1000.0]  # the stand-in's launches take a millisecond each


def test_a_result_names_nobody(nvidia: Ran, amd: Ran) -> None:
    for ran in (nvidia, amd):
        text = json.dumps(ran.result).lower()
        host = os.uname().nodename.lower()
        for word in (host, str(Path.home()).lower(), str(ran.path.parent).lower(), "uuid"):
            assert len(word) < 3 or word not in text


def test_the_hip_capsule_brings_the_models_map(amd: Ran, tmp_path: Path) -> None:
    assert amd.done.returncode == 0, amd.done.stderr
    path = written(as_gpu(amd.result, "AMD Instinct MI355X"), tmp_path)
    (judged,) = adopt.judge(result.read_result(path), "one", lambda row: None)
    assert judged.verdict is not None and judged.verdict.agrees and judged.row is not None
    stored = read_record(paths.find("results") / "gfx950" / "emulator" / "tr8.json")
    assert judged.row.observations[0].map == stored.observations[0].map
    assert judged.row.unconfirmed and "contributed from one card" in judged.row.reservation


REFUSALS = (
    ({"STAND_IN_ARCH": "100"}, "compute capability 9.0; here is lanemap emulator (10.0)"),
    ({"STAND_IN_DRIVER": "12080"}, "the driver is of CUDA 12.8; this capsule needs one of CUDA 13"),
    ({"LD_LIBRARY_PATH": "/"}, "the CUDA driver cannot be loaded"),
)


@pytest.mark.parametrize(("changed", "says"), REFUSALS)
def test_a_capsule_refuses_in_a_sentence(nvidia: Ran, changed: dict[str, str], says: str) -> None:
    done = play(nvidia.path, {**nvidia.environment, **changed}, "--out", "never.json")
    assert done.returncode == 3 and says in done.stderr and done.stderr.count("\n") == 1
    assert not (nvidia.path.parent / "never.json").exists()


def test_a_damaged_capsule_says_so(amd: Ran, tmp_path: Path) -> None:
    whole, path = amd.path.read_bytes(), tmp_path / "damaged.pyz"
    begin = whole.index(start.MARK)
    for at in np.linspace(begin + len(start.MARK), len(whole) - 9, 7, dtype=int):
        at += whole[at] in b"\n#"  # between its comments the file is Python's
        changed = bytearray(whole)
        changed[at] = ord("B" if changed[at] == ord("A") else "A")
        for data in (changed, whole[:at], whole[:at] + whole[at + 1 :]):
            path.write_bytes(data)
            done = play(path, amd.environment, "--out", "never.json")
            assert done.returncode == 3 and not done.stdout, at
            assert done.stderr == (
                "lanemap capsule: this file was damaged on its way; fetch it again\n"
            ), at
    assert not (tmp_path / "never.json").exists()


def test_bytes_become_comments_and_back() -> None:
    for data in (bytes(range(256)) * 40, b"", b"\1\n\r\0\1A\1\1", random.Random(1).randbytes(9999)):
        text = start.as_comments(data)
        assert start.of_comments(text) == data
        assert not {*text} & {0, 13} and all(len(line) <= 4001 for line in text.split(b"\n"))
        compile(b"# coding: latin-1\n#" + text[: len(text) // 2], "cut", "exec")


def test_a_place_for_no_capsule_is_refused_before_one_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "build", None)
    words = ("capsule", "--target", "gfx950", "--only", "tr8", "--out")
    status, said = refusal(*words, str(tmp_path), by=here)
    assert (status, said) == (2, f"cannot write {tmp_path}: it is a folder; name a file")
    (tmp_path / "file").touch()
    status, said = refusal(*words, str(tmp_path / "file" / "a.pyz"), by=here)
    assert status == 2 and said.startswith(f"cannot write {tmp_path}/file/a.pyz: ")


def test_the_sizes_in_docs_are_of_the_entries_of_today() -> None:
    lines = (Path(paths.__file__).parents[1] / "benchmarks" / "capsules.jsonl").read_text()
    last = {row["target"]: row for row in map(json.loads, lines.splitlines())}
    assert last.keys() >= {"gfx950"}
    for target, row in last.items():
        assert row["entries"] == sorted(each.name for each in entries.entries(target)), target


def test_any_python_can_read_a_capsules_first_file(nvidia: Ran) -> None:
    text = nvidia.path.read_bytes().partition(start.MARK)[0].decode()
    code = "".join(line for line in text.splitlines() if "# type:" not in line)
    assert not any(word in code for word in ('f"', "f'", ":=", "->", "annotations"))
    names = [each for each in archive(nvidia.path).namelist() if each.endswith(".py")]
    for name in names:
        source = archive(nvidia.path).read(name).decode()
        compile(source, name, "exec", _feature_version=8)  # type: ignore[call-overload]


def repository(folder: Path) -> Path:
    """A checkout with a file that is changed and one that nobody added."""
    git = partial(subprocess.run, cwd=folder, check=True, capture_output=True, text=True)
    git(["git", "init", "-q", "-b", "main"])
    (folder / "results").mkdir()
    (folder / "file").write_text("one\n")
    git(["git", "add", "."])
    git(["git", "-c", "user.name=a", "-c", "user.email=b", "commit", "-qm", "first"])
    git(["git", "config", "user.name", "a"])
    git(["git", "config", "user.email", "b"])
    (folder / "file").write_text("two\n")
    (folder / "new").write_text("three\n")
    return folder


def state(folder: Path) -> tuple[str, ...]:
    """All that a checkout's user sees."""
    told = [
        subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True)
        for words in (["status", "--porcelain=v2"], ["rev-parse", "HEAD"], ["diff"], ["branch"])
    ]
    return tuple(each.stdout for each in told)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "checkout"
    folder.mkdir()
    find = paths.find
    repository(folder)
    monkeypatch.setattr(
        paths, "find", lambda name: folder / "results" if name == "results" else find(name)
    )
    return folder


def adopted(path: Path, by: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, Any, str]:
    capsys.readouterr()
    status = lanemap(["adopt", str(path), "--from", by, "--json"])
    told = capsys.readouterr()
    return status, json.loads(told.out) if told.out else None, told.err


def row_of(checkout: Path, name: str) -> Record:
    place = "results/sm_90a/cuda/movmatrix.json"
    command = ["git", "-C", str(checkout), "show", f"{name}:{place}"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    (checkout / "row.json").write_text(text)
    row = read_record(checkout / "row.json")
    (checkout / "row.json").unlink()
    return row


def test_rows_go_to_a_branch_and_a_second_card_verifies_them(
    nvidia: Ran, checkout: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = state(checkout)
    path = written(as_gpu(nvidia.result, "NVIDIA H200"), tmp_path)
    status, told, _ = adopted(path, "one", capsys)
    assert status == 0 and told["entries"]["movmatrix"]["agrees"] is True
    after = state(checkout)
    assert after[:3] == before[:3] and told["branch"] in after[3]
    row = row_of(checkout, told["branch"])
    assert row.evidence == "silicon" and row.unconfirmed and row.reservation
    assert record_path(row, Path()) == Path("sm_90a/cuda/movmatrix.json")
    move = ["git", "-C", str(checkout), "update-ref", "refs/heads/main", told["commit"]]
    subprocess.run(move, check=True)
    status, told, _ = adopted(path, "one", capsys)
    assert (status, told["branch"]) == (0, None)  # the same sender verifies nothing
    another = written(as_gpu(nvidia.result, "NVIDIA H100"), tmp_path)
    status, told, _ = adopted(another, "two", capsys)
    assert status == 0 and "a second card verifies" in told["entries"]["movmatrix"]["row"]
    row = row_of(checkout, told["branch"])
    assert not row.unconfirmed and row.reservation == ""
    assert [each["by"] for each in (row.environment or {})["contributed"]] == ["one", "two"]


def flipped(found: dict[str, Any]) -> dict[str, Any]:
    """The same with bits of a read inverted, as another map would give them."""
    changed = json.loads(json.dumps(found))
    reads = changed["entries"]["movmatrix"]["reads"]
    data = bytes(each ^ 1 for each in zlib.decompress(base64.b64decode(reads[0])))
    reads[0] = base64.b64encode(zlib.compress(data)).decode()
    return changed


def test_other_bytes_refute_and_write_no_row(
    nvidia: Ran, checkout: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = state(checkout)
    path = written(as_gpu(flipped(nvidia.result), "NVIDIA H200"), tmp_path)
    status, told, _ = adopted(path, "one", capsys)
    assert status == 1 and told["entries"]["movmatrix"]["agrees"] is False
    assert told["branch"] is None and state(checkout) == before


def _edit(change: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, Any]], Any]:
    """A change with a right hash."""

    def edit(data: dict[str, Any]) -> Any:
        change(data)
        return data | {"hash": own_hash(data)}

    return edit


HOSTILE: tuple[tuple[str, Callable[[dict[str, Any]], Any], str], ...] = (
    ("a list", lambda data: [data], "no result of a capsule"),
    ("damage", lambda data: data | {"python": "3.9.0"}, "its hash does not match"),
    ("a name", _edit(lambda d: d["device"].update(serial="1")), "Extra inputs"),
    ("a script", _edit(lambda d: d["device"].update(gpu="<script>")), "should match pattern"),
    ("another GPU", _edit(lambda d: d["device"].update(compute_capability="8.0")), "is 9.0"),
    ("a wrong name", _edit(lambda d: d["device"].update(gpu="NVIDIA B200")), "executes sm_100a"),
    ("many SMs", _edit(lambda d: d["device"].update(multiprocessors=999)), "cannot have 999"),
    ("a clock", _edit(lambda d: d["device"].update(clock_khz=1)), "none of a GPU"),
    ("a year", _edit(lambda d: d.update(time="1999-01-01T00:00:00+00:00")), "cannot have been"),
    ("a month", _edit(lambda d: d.update(time="2026-13-01T00:00:00+00:00")), "is no time"),
    ("a target", _edit(lambda d: d["capsule"].update(target="../../etc")), "no target"),
    ("other ptxas", _edit(lambda d: d["capsule"].update(assembler="ptxas 9.9.9")), "install"),
    ("other code", _edit(
        lambda d: d["capsule"].update(images=dict.fromkeys(d["capsule"]["images"], "0" * 64))
    ), "other code"),
)  # fmt: skip


@pytest.mark.parametrize(("change", "says"), [each[1:] for each in HOSTILE], ids=lambda each: "")
def test_a_hostile_result_changes_nothing(
    nvidia: Ran,
    checkout: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[dict[str, Any]], Any],
    says: str,
) -> None:
    before = state(checkout)
    path = written(change(as_gpu(nvidia.result, "NVIDIA H200")), tmp_path)
    status, told, error = adopted(path, "one", capsys)
    assert (status, told, error.count("\n")) == (2, None, 1) and says in error
    assert state(checkout) == before


def test_bytes_from_anywhere_are_judged_in_sentences(nvidia: Ran, tmp_path: Path) -> None:
    """Many files with one byte changed; and reads that are damaged under a right hash."""
    good = json.dumps(as_gpu(nvidia.result, "NVIDIA H200")).encode()
    draw, path = random.Random(3), tmp_path / "fuzzed.json"
    for _ in range(200):
        data = bytearray(good)
        data[draw.randrange(len(data))] = draw.randrange(256)
        if draw.random() < 0.1:
            del data[draw.randrange(len(data)) :]
        if bytes(data) == good:
            continue
        path.write_bytes(data)
        with pytest.raises(UserError):
            result.read_result(path)
    reads = nvidia.result["entries"]["movmatrix"]["reads"]
    for bad in ([], [*reads, reads[0]], ["", ""], ["!", "!"], reads[::-1] * 2, ["eJw=", "eJw="]):
        changed = as_gpu(nvidia.result, "NVIDIA H200")
        changed["entries"]["movmatrix"]["reads"] = bad
        changed["hash"] = own_hash(changed)
        found = result.read_result(written(changed, tmp_path))
        (judged,) = adopt.judge(found, "one", lambda row: None)
        assert judged.row is None and judged.fault


def test_a_result_is_a_regular_file(tmp_path: Path) -> None:
    for path, said in ((Path("/dev/zero"), "pipe or a device"), (tmp_path, "it is a folder")):
        with pytest.raises(UserError, match=said):
            result.read_result(path)


def test_what_this_machine_lacks_is_said_of_no_result() -> None:
    def lacking(device: Any) -> Verdict:
        raise MissingEnvironment("there is no abacus")

    (entry,) = entries.entries("sm_90a", ["movmatrix"])
    played = result.Played(seconds=1.0, tape="0" * 64)
    with pytest.raises(MissingEnvironment, match="abacus"):
        adopt._judged(replace(entry, work=lacking), played, "sm_90a", {})


def test_one_description_runs_everywhere() -> None:
    """A probe's launches do not depend on who answers, and its tape does on the emulator what the
    probe itself does there."""
    (entry,) = entries.entries("sm_90a", ["movmatrix"])
    device = open_device("sm_90a", "emulator")
    taped = TapedDevice("sm_90a", Mirror(device), {"gpu": "none"})
    verdict = entry.work(taped)
    assert verdict.agrees
    assert taped.tape.digest == build.record(entry, "sm_90a").digest
    blind = TapedDevice("sm_90a", zeros)
    entry.launch(blind)
    assert blind.tape.digest == taped.tape.digest


def test_a_tape_holds_no_addresses() -> None:
    device = TapedDevice("sm_90a")
    x = device.zeros(4, np.uint64)
    with pytest.raises(UserError, match="address of another"):
        device.array(np.array([x.address + 8], np.uint64))
    device.array(np.array([x.address + 40], np.uint64))  # beyond it: a number like others


def test_what_git_does_not_do_is_a_sentence(tmp_path: Path, checkout: Path) -> None:
    with pytest.raises(UserError, match="git rev-parse: "):
        branch.Checkout(Path("/"))
    found = branch.Checkout(checkout)
    found.write("b", {"a": "x\n"}, "m")
    with pytest.raises(UserError, match="git update-ref"):
        found.write("b", {"a": "y\n"}, "m")
    assert found.text("file") == "one\n" and found.text("none") is None
