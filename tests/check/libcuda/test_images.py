"""The PTX in images that CUDA's own tools write, and in images that were damaged."""

from __future__ import annotations

import contextlib
import importlib.util
import random
import subprocess
from pathlib import Path

import pytest

from lanemap.check.libcuda.images import carrying, joined, ptx_in
from lanemap.errors import LanemapError, UserError
from lanemap.targets import TARGETS
from lanemap.toolchain.places import find_program

TARGET = TARGETS["sm_90a"]
#: Long enough, and alike enough, that every compression finds something.
TEXT = ".version 8.0\n.target sm_90a\n.address_size 64\n" + "".join(
    f".visible .entry kernel_{n}()\n{{\nret;\n}}\n" for n in range(100)
)


@pytest.fixture(scope="module")
def fatbins(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What NVIDIA's fatbinary makes of the text, by its mode of compression."""
    try:
        program = find_program("fatbinary", "nvidia-cuda-nvcc")
    except LanemapError:
        pytest.skip("fatbinary comes with nvidia-cuda-nvcc")
    folder = tmp_path_factory.mktemp("fatbins")
    (folder / "text.ptx").write_text(TEXT)
    found = {}
    for mode in ("none", "speed", "size", "balance"):
        path = folder / mode
        image = f"--image3=kind=ptx,sm=90a,file={folder / 'text.ptx'}"
        words = [program, "--64", f"--create={path}", f"--compress-mode={mode}", image]
        subprocess.run(words, check=True)
        found[mode] = path.read_bytes()
    return found


def test_a_fat_binary_has_its_text_back(fatbins: dict[str, bytes]) -> None:
    """Raw and by LZ4; by Zstandard where a module has it, else a sentence."""
    raw = ptx_in(fatbins["none"], TARGET)
    assert raw.split() == TEXT.split()
    assert len(fatbins["speed"]) < len(fatbins["none"])
    assert ptx_in(fatbins["speed"], TARGET) == raw
    known = [importlib.util.find_spec(name) for name in ("compression", "backports")]
    for mode in ("size", "balance"):
        if any(known):
            assert ptx_in(fatbins[mode], TARGET) == raw
        else:
            with pytest.raises(UserError, match="run `pip install backports.zstd`, or compile"):
                ptx_in(fatbins[mode], TARGET)


def test_damage_ends_in_a_sentence(fatbins: dict[str, bytes]) -> None:
    """Images cut off anywhere, and images with bytes changed: text, or a UserError."""
    chance = random.Random(5)
    images = [fatbins["none"], fatbins["speed"], carrying(TEXT)]
    for image in images:
        assert ptx_in(image, TARGET)
        for _ in range(300):
            damaged = bytearray(image[: chance.randrange(1, len(image))])
            if chance.random() < 0.7:
                damaged = bytearray(image)
                for _ in range(chance.randrange(1, 6)):
                    damaged[chance.randrange(min(len(image), 200))] = chance.randrange(256)
            with contextlib.suppress(UserError):
                ptx_in(bytes(damaged), TARGET)


def test_machine_code_is_refused_with_what_to_do(tmp_path: Path) -> None:
    """An ELF file without the section."""
    image = carrying(TEXT).replace(b".lanemap.source", b".another.source")
    with pytest.raises(UserError, match="machine code, and the emulator runs PTX: compile to PTX"):
        ptx_in(image, TARGET)


def test_names_that_two_texts_define_are_refused() -> None:
    """A linker would refuse them too."""
    assert joined([TEXT]) == TEXT
    with pytest.raises(UserError, match="two inputs of the linker define kernel_0"):
        joined([TEXT, TEXT])
