"""The object cache: what it loads, what it refuses, and that it never stops a run."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lanemap import cache
from lanemap.errors import UserError

KEY = "ab" + "0" * 62
SCRIPT = """
import numpy as np, lanemap
device = lanemap.open_device("sm_90a", device="emulator")
out = device.zeros(32, np.uint32)
device.load('''
.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<3>; .reg .b64 %w<4>;
    ld.param.u64 %w1, [out];
    mov.u32 %r1, %tid.x;
    mul.lo.u32 %r2, %r1, 5;
    mul.wide.u32 %w2, %r1, 4;
    add.u64 %w3, %w1, %w2;
    st.global.u32 [%w3], %r2;
    ret;
}
''')["k"](1, 32, (out,))
assert out.get().tolist() == [5 * lane for lane in range(32)]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "cache"
    monkeypatch.setenv("LANEMAP_CACHE", str(place))
    cache._private_folder.cache_clear()
    return place


def run(**environment: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("LANEMAP_CACHE", "XDG_CACHE_HOME")}
    return subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=kept | environment,
        check=True,
        capture_output=True,
        text=True,
    )


def objects(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("??/*")}


def test_what_is_kept_is_found(folder: Path) -> None:
    assert cache.lookup(KEY) is None
    cache.keep(KEY, b"code")
    assert cache.lookup(KEY) == b"code"
    assert cache.cached(KEY, lambda: pytest.fail("made again")) == b"code"
    assert [folder.stat().st_mode & 0o777, (folder / "ab").stat().st_mode & 0o777] == [0o700] * 2


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data[:10],
        lambda data: b"",
        lambda data: data[:40] + bytes([data[40] ^ 1]) + data[41:],
        lambda data: bytes([data[0] ^ 1]) + data[1:],
    ],
)
def test_a_damaged_entry_is_made_again(folder: Path, damage: object) -> None:
    cache.keep(KEY, bytes(range(100)))
    path = folder / "ab" / KEY
    path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
    assert cache.lookup(KEY) is None
    assert cache.cached(KEY, lambda: b"new") == b"new"
    assert cache.lookup(KEY) == b"new"


def test_an_entry_under_another_key_is_damaged(folder: Path) -> None:
    cache.keep(KEY, b"code")
    other = KEY[:-1] + "1"
    (folder / "ab" / KEY).rename(folder / "ab" / other)
    assert cache.lookup(other) is None


@pytest.mark.parametrize("which", [".", "ab"])
def test_a_folder_that_others_can_write_is_not_used(folder: Path, which: str) -> None:
    cache.keep(KEY, b"planted")
    (folder / which).chmod(0o777)
    with pytest.warns(RuntimeWarning, match="can be written by other users") as warned:
        assert cache.lookup(KEY) is None
        cache.keep(KEY, b"mine")
        assert cache.lookup(KEY) == b"mine"
    assert len(warned) == 1
    (folder / which).chmod(0o700)
    assert cache.lookup(KEY) == b"planted"


def test_a_folder_of_another_user_is_not_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.keep(KEY, b"planted")
    mine = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    with pytest.warns(RuntimeWarning, match="belongs to another user"):
        assert cache.lookup(KEY) is None


def test_a_file_that_others_can_write_or_a_link_is_not_loaded(folder: Path, tmp_path: Path) -> None:
    cache.keep(KEY, b"code")
    path = folder / "ab" / KEY
    path.chmod(0o666)
    assert cache.lookup(KEY) is None
    path.chmod(0o600)
    assert cache.lookup(KEY) == b"code"
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert cache.lookup(KEY) is None


@pytest.mark.parametrize("where", ["write", "replace"])
def test_a_full_disk_leaves_nothing_behind(
    folder: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    class Full:
        def __init__(self, descriptor: int) -> None:
            self._descriptor = descriptor

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None:
            os.close(self._descriptor)

        def write(self, data: bytes) -> None:
            os.write(self._descriptor, data[:5])
            raise OSError(errno.ENOSPC, "No space left on device")

    def replace(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        if where == "write":
            patch.setattr(os, "fdopen", lambda descriptor, mode: Full(descriptor))
        else:
            patch.setattr(os, "replace", replace)
        cache.keep(KEY, b"code")
    assert objects(folder) == {}
    assert cache.cached(KEY, lambda: b"code") == b"code"


def key_of(number: int) -> str:
    return f"{number % 256:02x}{number:062x}"


def test_objects_beyond_the_bound_go_least_recently_used_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANEMAP_CACHE_BYTES", str(64 * 4096))
    for number in range(40):
        cache.keep(key_of(number), bytes(4000))
        path = folder / f"{number:02x}" / key_of(number)
        os.utime(path, (1000 + number, 1000 + number))
    assert cache.lookup(key_of(3)) is not None  # used again, now
    for number in range(40, 90):
        cache.keep(key_of(number), bytes(4000))
        assert len(list(folder.glob("??/*"))) <= 64  # reading them would be a use
    left = {path.name for path in folder.glob("??/*")}
    assert key_of(3) in left and key_of(89) in left and key_of(4) not in left
    ages = [number for number in range(40) if key_of(number) in left and number != 3]
    assert ages == list(range(40 - len(ages), 40))


def test_an_object_that_is_no_small_part_of_the_bound_is_not_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANEMAP_CACHE_BYTES", "80000")
    cache.keep(KEY, bytes(10001))
    assert objects(folder) == {}
    monkeypatch.setenv("LANEMAP_CACHE_BYTES", "0")
    cache.keep(KEY, b"code")
    assert cache.lookup(KEY) is None and objects(folder) == {}


def test_a_bound_that_is_no_number_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANEMAP_CACHE_BYTES", "2G")
    with pytest.raises(UserError, match="LANEMAP_CACHE_BYTES is '2G'; give a number of bytes"):
        cache.lookup(KEY)


WRITER = """
import random, sys
from lanemap import cache
rng = random.Random(int(sys.argv[1]))
for _ in range(1500):
    number = rng.randrange(200)
    key = f"{number % 256:02x}{number:062x}"
    data = random.Random(number).randbytes(1000 + 100 * number)
    found = cache.lookup(key)
    assert found in (None, data), key
    if found is None:
        cache.keep(key, data)
"""


def test_processes_that_write_at_the_same_time_keep_the_bound(folder: Path) -> None:
    bound = 1 << 20  # a third of what they write again and again
    environment = os.environ | {"LANEMAP_CACHE_BYTES": str(bound)}
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(seed)], env=environment)
        for seed in range(3)
    ]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    kept = objects(folder)
    # whoever writes while another trims may exceed it by what it then writes
    assert 0 < sum(map(len, kept.values())) <= bound + 3 * 21_000
    assert not any(name.startswith("tmp") for name in kept)


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    place = tmp_path / "cache"
    run(LANEMAP_CACHE=str(place))
    before = {path: path.stat().st_mtime_ns for path in place.rglob("*") if path.is_file()}
    assert before
    run(LANEMAP_CACHE=str(place))
    after = {path: path.stat().st_mtime_ns for path in place.rglob("*") if path.is_file()}
    assert before == after


def test_damaged_objects_do_not_harm_a_run(tmp_path: Path) -> None:
    place = tmp_path / "cache"
    run(LANEMAP_CACHE=str(place))
    names = set(objects(place))
    for path in place.glob("??/*"):
        path.write_bytes(path.read_bytes()[:-3] + b"bad")
    assert run(LANEMAP_CACHE=str(place)).stderr == ""
    made = objects(place)
    assert set(made) == names and not any(data.endswith(b"bad") for data in made.values())


@pytest.mark.parametrize("home", ["/proc/nothing/here", "/dev/null"])
def test_a_home_that_cannot_be_used_costs_only_time(home: str) -> None:
    assert run(HOME=home).stderr == ""


def test_one_warning_names_an_unsafe_folder(tmp_path: Path) -> None:
    place = tmp_path / "cache"
    place.mkdir()
    place.chmod(0o777)
    errors = run(LANEMAP_CACHE=str(place), TMPDIR=str(tmp_path)).stderr
    assert errors.count("is not used, since it can be written by other users") == 1
    assert str(place) in errors
    assert list(tmp_path.iterdir()) == [place] and not list(place.iterdir())
