"""Reading and writing results/: canonical text, whole files or nothing."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from lanemap.errors import UserError, cannot_write
from lanemap.records.hashes import check_own_hash, source_hash
from lanemap.records.kinds import SCHEMA, hold_to_schema
from lanemap.records.names import file_name
from lanemap.records.schema import Record
from lanemap.records.whole import umask

# A root of results/, or several, the first before the others.
Roots: TypeAlias = Path | tuple[Path, ...]


def dumps(value: Any) -> str:
    """Return canonical JSON text: keys sorted, lists of plain values on one line, a final newline.

    Raises:
        ValueError: a number is not finite.
    """
    return _lines(value, "") + "\n"


def _lines(value: Any, indent: str) -> str:
    inner = indent + "  "
    if isinstance(value, Mapping) and value:
        items = (f"{json.dumps(key)}: {_lines(value[key], inner)}" for key in sorted(value))
        return "{\n" + ",\n".join(inner + item for item in items) + f"\n{indent}}}"
    if isinstance(value, (list, tuple)) and any(_is_long(item) for item in value):
        return "[\n" + ",\n".join(inner + _lines(item, inner) for item in value) + f"\n{indent}]"
    return json.dumps(value, allow_nan=False, ensure_ascii=False)


def _is_long(value: Any) -> bool:
    """Say whether an item of a list deserves a line of its own."""
    return isinstance(value, (Mapping, str)) or (
        isinstance(value, (list, tuple)) and any(_is_long(item) for item in value)
    )


def write_files(files: Mapping[Path, str | bytes]) -> None:
    """Write several files so that each is whole or absent, and none is there unless all are ready.

    Each is written beside its place under another name first; only when all have been written are
    they renamed. Folders are made as needed.

    Raises:
        UserError: a folder or file cannot be written.
        MissingEnvironment: the disk is full, over its quota or read-only.
    """
    ready: list[tuple[str, Path]] = []
    path = Path()
    try:
        for path, content in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            data = content.encode() if isinstance(content, str) else content
            handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
            ready.append((name, path))
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            os.chmod(name, 0o666 & ~umask())
        while ready:
            name, path = ready[-1]
            os.replace(name, path)
            ready.pop()
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        for name, _ in ready:
            Path(name).unlink(missing_ok=True)


def require_writable(path: Path) -> None:
    """See that `write_files` can write a file, before the work whose result it is to hold.

    Raises:
        UserError, MissingEnvironment: as `write_files`.
    """
    folder = next(each for each in path.absolute().parents if each.exists())
    try:
        if path.is_dir():
            raise IsADirectoryError
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise cannot_write(path, error) from error


def record_path(record: Record, out: Path) -> Path:
    """Return where a record lies under `out`: `<target>/<device>/<probe>.json`, as file names."""
    return row_path(out, record.target, record.device, record.probe)


def row_path(out: Path, target: str, device: str, probe: str) -> Path:
    """Return where the record of a probe on a device lies under `out`; see `record_path`."""
    return out / file_name(target) / file_name(device) / f"{file_name(probe)}.json"


def beside(path: Path, suffix: str) -> Path:
    """Return the place of something made from the record at `path`, such as a figure: "png"."""
    return path.with_name(f"{path.name.removesuffix('.json')}.{file_name(suffix)}")


def row_text(record: Record) -> str:
    """Return the text of a record's file: its canonical JSON, with the hash of all other lines.

    Raises:
        ValueError: a number is not finite.
    """
    data = record.to_json()
    return dumps({**data, "hash": source_hash(dumps(data))})


def record_files(records: Iterable[Record], out: Path) -> dict[Path, str | bytes]:
    """Return what is to be written for records, ready for `write_files`.

    Raises:
        UserError: a record does not follow the schema of its kind, or a different row of silicon
            stands there already.
    """
    files: dict[Path, str | bytes] = {}
    for record in records:
        path = record_path(record, out)
        text = row_text(record)
        try:
            hold_to_schema(text, record.kind)
        except UserError as error:
            raise UserError(f"{path} is not written: {error}") from error
        if record.evidence == "silicon" and path.exists() and path.read_text() != text:
            raise UserError(
                f"{path} holds what silicon showed before and is never overwritten; "
                "move it away or choose another --out"
            )
        files[path] = text
    return files


def write_records(records: Iterable[Record], out: Path) -> list[Path]:
    """Write records under `out`, all or none, and return their paths.

    Raises:
        UserError: a file cannot be written, or a different row of silicon stands there already.
    """
    files = record_files(records, out)
    write_files(files)
    return list(files)


def partial_path(record: Record, out: Path) -> Path:
    """Return where a record is kept while it is measured."""
    path = record_path(record, out)
    return path.with_name(f"{path.name}.partial")


def write_partial(record: Record, out: Path) -> None:
    """Write what there is of a record that is still being measured, over what there was.

    Raises:
        UserError: the file cannot be written.
    """
    write_files({partial_path(record, out): row_text(record)})


def read_record(path: Path, variants: Collection[str] | None = None) -> Record:
    """Read one record, and check it against its hash, its schema and its evidence.

    Args:
        path: The file.
        variants: Leave out the observations of all others: to unpack a map takes longer than all
            else.

    Raises:
        UserError: the file is missing or truncated, was changed after it was written, does not
            follow the schema of its kind, claims evidence that it cannot have; one sentence that
            names the file.
    """
    try:
        return parse_record(path.read_text(), path, variants)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UserError(
            f"{path}: byte {error.start} is not UTF-8, so this is not a record"
        ) from error


def parse_record(text: str, place: Path | str, variants: Collection[str] | None = None) -> Record:
    """Return the record of a text; `place` is for messages, the rest is as in `read_record`."""
    try:
        return _record(text, variants)
    except RecursionError as error:
        raise UserError(
            f"{place}: its JSON is nested too deeply, so this is not a record"
        ) from error
    except json.JSONDecodeError as error:
        raise UserError(f"{place}:{error.lineno}: not valid JSON ({error.msg})") from error
    except UserError as error:
        raise UserError(f"{place}: {error}") from error


def _record(text: str, variants: Collection[str] | None) -> Record:
    data = json.loads(text)
    if not isinstance(data, dict) or "schema" not in data:
        raise UserError("this is not a record of results/: it names no schema")
    if data["schema"] != SCHEMA:
        raise UserError(f"schema {data['schema']!r} is not {SCHEMA}, which lanemap reads")
    check_own_hash(text)
    hold_to_schema(text, data.get("kind"))
    return Record.from_json(data, variants)


#: A string of JSON.
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
#: So many names are searched for one by one in less time than all strings of a file are listed.
_FEW = 20


def _mentions(path: Path, names: Collection[str]) -> bool:
    """Whether a file has one of these JSON strings; decoding it takes a hundred times longer."""
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError):
        return True  # read_record says why it cannot be read
    if not text.rstrip().endswith("}"):
        return True  # what the end of a truncated file would mention nobody knows
    if len(names) > _FEW:
        return not set(names).isdisjoint(_STRING.findall(text))
    return any(name in text for name in names)


def record_places(roots: Roots, target: str = "*") -> dict[Path, Path]:
    """Return the file of every record by its place, as `read_records` reads them."""
    places: dict[Path, Path] = {}
    for root in (roots,) if isinstance(roots, Path) else roots:
        for path in root.glob(f"{target}/*/*.json"):
            places.setdefault(path.relative_to(root), path)
    return dict(sorted(places.items()))


def read_records(
    roots: Roots, target: str = "*", variants: Collection[str] | None = None
) -> list[Record]:
    """Read every record, sorted by its place: files `<target>/<device>/<probe>.json`.

    Args:
        roots: A root of results/, or several, of which an earlier one's file hides a later one's
            at the same place.
        target: Read only the records of this target.
        variants: Read only the records that name one of these variants or kinds, with the
            observations of these variants alone.

    Raises:
        UserError: a file is not a record, or lies where its record does not belong.
    """
    found = []
    names = None if variants is None else [json.dumps(each) for each in variants]
    for place, path in record_places(roots, target).items():
        if names is not None and not _mentions(path, names):
            continue
        record = read_record(path, variants)
        belongs = record_path(record, Path())
        if belongs != place:
            raise UserError(f"{path} holds a record that belongs at {belongs}; move or remove it")
        found.append(record)
    return found
