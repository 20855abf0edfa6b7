"""Compiled kernels, kept in the process or in a folder for another machine.

`lanemap bench --compile-only DIR` writes such a folder where the compilers are. `lanemap bench
--compiled DIR` runs what is in it where the GPU is, and compiles nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lanemap.errors import UserError
from lanemap.records.hashes import source_hash

MANIFEST = "compiled.json"
_AGAIN = "compile it again with --compile-only"


@dataclass(frozen=True)
class Wanted:
    """Code that a kernel needs.

    Attributes:
        kind: "ptx" or "cubin".
        name: Name of the source, such as "ss_gemm.cu".
        target: An instruction set.
        options: Compiler options, which select the form of the kernel.
    """

    kind: str
    name: str
    target: str
    options: tuple[str, ...]

    @property
    def file(self) -> str:
        """Name of a file for this form of the kernel, whatever its source is at present."""
        fields = [self.name, self.target, *self.options]
        return f"{source_hash(json.dumps(fields)).removeprefix('sha256:')}.{self.kind}"


class Compiled:
    """Code of compilers, with the hash of the texts that each was made of."""

    def __init__(self) -> None:
        """Begin without code; compilers make what is missing."""
        self._made: dict[Wanted, tuple[str, bytes]] = {}
        self._folder: Path | None = None
        self._manifest: dict[str, Any] = {}

    def get(self, wanted: Wanted, texts: Sequence[str], make: Callable[[], bytes]) -> bytes:
        """Return code; unless a folder is in use, `make` makes of `texts` what is missing.

        Raises:
            UserError: the folder in use lacks the code, or has it damaged or of other texts.
        """
        made_of = source_hash(json.dumps(list(texts)))
        if self._folder is not None:
            return self._read(self._folder, wanted, made_of)
        found = self._made.get(wanted)
        if found is None or found[0] != made_of:
            found = self._made[wanted] = made_of, make()
        return found[1]

    @property
    def folder(self) -> Path | None:
        """The folder in use."""
        return self._folder

    @property
    def compiler(self) -> str:
        """The compilers that made the folder in use; "" where none is in use."""
        return str(self._manifest.get("compiler", ""))

    @contextmanager
    def using(self, folder: Path) -> Iterator[None]:
        """Within, take code from a folder that `write` wrote, and from nowhere else.

        Raises:
            UserError: there is no such folder.
        """
        try:
            manifest = json.loads((folder / MANIFEST).read_text())
            self._manifest = {"compiler": manifest["compiler"], "code": dict(manifest["code"])}
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise UserError(
                f"{folder} does not hold the output of --compile-only: {MANIFEST} is missing or "
                "damaged"
            ) from error
        self._folder = folder
        try:
            yield
        finally:
            self._folder, self._manifest = None, {}

    def write(self, folder: Path, compiler: str) -> int:
        """Write all code of this process and a manifest; return the number of files with code.

        Raises:
            UserError: a file cannot be written.
            MissingEnvironment: the disk is full, over its quota or read-only.
        """
        code, files = {}, dict[Path, str | bytes]()
        for wanted, (made_of, content) in self._made.items():
            files[folder / wanted.file] = content
            code[wanted.file] = {
                "hash": source_hash(content), "made_of": made_of, "name": wanted.name,
                "target": wanted.target, "options": list(wanted.options),
            }  # fmt: skip
        from lanemap.records.files import dumps, write_files

        write_files({**files, folder / MANIFEST: dumps({"compiler": compiler, "code": code})})
        return len(files)

    def _read(self, folder: Path, wanted: Wanted, made_of: str) -> bytes:
        targets = {each["target"] for each in self._manifest["code"].values()}
        if wanted.target not in targets:
            known = " and ".join(sorted(targets)) or "nothing"
            raise UserError(f"{folder} was compiled for {known}, not for {wanted.target}")
        entry = self._manifest["code"].get(wanted.file)
        if entry is None:
            raise UserError(
                f"{folder} lacks the {wanted.kind} of {wanted.name} for {wanted.target} with "
                f"{' '.join(wanted.options)}; {_AGAIN} for the same problems and tiles"
            )
        if entry["made_of"] != made_of:
            raise UserError(
                f"the {wanted.kind} of {wanted.name} in {folder} is stale: its sources, or the "
                f"layouts in its headers, have changed since; {_AGAIN}"
            )
        try:
            content = (folder / wanted.file).read_bytes()
        except OSError as error:
            raise UserError(f"cannot read {folder / wanted.file}: {error.strerror}") from error
        if source_hash(content) != entry["hash"]:
            raise UserError(f"{folder / wanted.file} is damaged; {_AGAIN}")
        return content


#: The code of this process.
COMPILED = Compiled()
