"""What a capsule wrote: read with suspicion. Nothing of it is used before all of it is checked."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lanemap.conformance.capsules.player.main import FORMAT, own_hash
from lanemap.devices import target_of_gpu
from lanemap.devices.bare.nvidia import architecture_of
from lanemap.devices.sources import regular_bytes
from lanemap.devices.taped import Tape
from lanemap.errors import UserError
from lanemap.records.environment import STAND_IN
from lanemap.records.hashes import source_hash
from lanemap.targets import TARGETS

#: Bytes of a result file at most.
MOST_BYTES = 256 << 20
#: Multiprocessors that a GPU may have more than the target's best known one, and kHz of a clock.
_MORE_UNITS, _CLOCKS_KHZ = 1.3, (200_000, 4_500_000)
#: When the first capsule was made, and how far another machine's clock may be ahead.
_FIRST, _AHEAD = datetime(2026, 11, 1, tzinfo=timezone.utc), timedelta(days=2)

Hash: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Text: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z0-9 ._:+,()/-]{1,100}$")]
Number: TypeAlias = Annotated[int, Field(ge=0, lt=1 << 63)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


class About(_Strict):
    """The capsule that wrote the result."""

    target: Text
    device: Literal["cuda", "hip"]
    lanemap: Text
    revision: Text | None
    source: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
    assembler: Text
    images: dict[Hash, Hash]
    file: Hash


class Nvidia(_Strict):
    """A GPU by the CUDA driver."""

    gpu: Text
    compute_capability: Annotated[str, Field(pattern=r"^\d{1,2}\.\d$")]
    memory_bytes: Number
    cuda_driver: Number
    driver: Text | None
    multiprocessors: Number
    clock_khz: Number
    memory_clock_khz: Number
    l2_bytes: Number

    @property
    def units(self) -> int:
        """Multiprocessors."""
        return self.multiprocessors

    @property
    def architecture_told(self) -> str:
        """What says which code it executes."""
        return self.compute_capability


class Amd(_Strict):
    """A GPU by HIP."""

    gpu: Text
    architecture: Text
    compute_units: Number
    memory_bytes: Number
    driver_version: Number
    runtime_version: Number

    @property
    def units(self) -> int:
        """Compute units."""
        return self.compute_units

    @property
    def architecture_told(self) -> str:
        """What says which code it executes."""
        return self.architecture.partition(":")[0]


class Played(_Strict):
    """One entry: what its reads brought, or why there is nothing."""

    seconds: Annotated[float, Field(ge=0)]
    tape: Hash | None = None
    reads: list[str] = []
    same_again: bool | None = None
    error: Annotated[str, Field(max_length=2000)] | None = None


class Result(_Strict):
    """The whole file."""

    format: Literal["lanemap capsule result 1"]
    hash: Hash
    capsule: About
    device: Nvidia | Amd
    time: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$")]
    python: Text
    system: Text
    entries: dict[Text, Played]

    def environment(self, by: str) -> dict[str, Any]:
        """Return the environment of rows that come from it; `by` says who sent it."""
        return {
            **self.device.model_dump(exclude_none=True),
            "host": {
                "time": self.time,
                "system": self.system,
                "python": self.python,
                "lanemap": self.capsule.lanemap,
                "revision": self.capsule.revision,
                "source": self.capsule.source,
                "packages": {},
            },
            "assembler": self.capsule.assembler,
            "contributed": [self.contribution(by)],
        }

    def contribution(self, by: str) -> dict[str, Any]:
        """Return what a row says of one contribution: who sent what, of which GPU."""
        return {
            "by": by,
            "gpu": self.device.gpu,
            "time": self.time,
            "result": f"sha256:{self.hash}",
        }


def read_result(path: Path) -> Result:
    """Read a result file and check all that can be checked without running anything.

    Raises:
        UserError: it is too large, damaged, no result, or not plausible; one sentence says why.
    """
    try:
        size = regular_bytes(path)
        if size > MOST_BYTES:
            raise UserError(f"{path} has {size} bytes; a result has {MOST_BYTES} at most")
        data = json.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: byte {error.start} is not UTF-8; it was damaged") from error
    except RecursionError as error:
        raise UserError(f"{path}: its JSON is nested too deeply to be a result") from error
    except ValueError as error:
        raise UserError(f"{path} is not valid JSON ({error}); it was damaged") from error
    try:
        return _checked(data)
    except UserError as error:
        raise UserError(f"{path}: {error}") from error


def _checked(data: Any) -> Result:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UserError(f"this is no result of a capsule: its format is not {FORMAT!r}")
    if data.get("hash") != own_hash(data):
        raise UserError("its hash does not match its contents: it was damaged or edited")
    try:
        result = Result.model_validate_json(json.dumps(data))
    except (ValidationError, ValueError) as error:
        first = error.errors()[0] if isinstance(error, ValidationError) else None
        where = ".".join(map(str, first["loc"])) if first else "it as a whole"
        raise UserError(f"{where}: {first['msg'] if first else error}") from error
    fault = implausible(result)
    if fault:
        raise UserError(fault)
    return result


def implausible(result: Result) -> str:
    """Say why a result cannot come from a GPU of its capsule's target; "" if it may."""
    name, device = result.capsule.target, result.device
    target = TARGETS.get(name)
    if target is None or result.capsule.device not in target.devices:
        return f"no target of lanemap is {name!r} on {result.capsule.device}"
    if device.gpu == STAND_IN:
        return f"{device.gpu!r} is not a GPU: this result shows that the capsule works, no more"
    own = name if name.startswith("gfx") else architecture_of(name)
    if device.architecture_told != own:
        return f"{device.gpu} says that it is {device.architecture_told}, and {name} is {own}"
    named = target_of_gpu(device.gpu)
    if named not in (None, name):
        return f"{device.gpu} executes {named}, not {name}"
    most = int(_MORE_UNITS * target.gpu.multiprocessors)
    if not 1 <= device.units <= most:
        return f"{device.gpu} cannot have {device.units} multiprocessors; {most} would be many"
    clock = getattr(device, "clock_khz", None)
    if clock is not None and not _CLOCKS_KHZ[0] <= clock <= _CLOCKS_KHZ[1]:
        return f"a clock of {clock} kHz is none of a GPU"
    try:
        when = datetime.fromisoformat(result.time)
    except ValueError:
        return f"{result.time} is no time"
    if not _FIRST <= when <= datetime.now(timezone.utc) + _AHEAD:
        return f"it cannot have been made at {result.time}"
    return ""


def answers(reads: list[str]) -> Callable[[Tape], bytes]:
    """Return what answers the reads of a tape with those of an entry."""

    def answer(tape: Tape) -> bytes:
        number, wanted = len(tape.read_bytes) - 1, tape.read_bytes[-1]
        if number >= len(reads):
            raise UserError(f"it has {len(reads)} reads, and the work reads more often")
        inflate = zlib.decompressobj()
        try:
            data = inflate.decompress(base64.b64decode(reads[number], validate=True), wanted + 1)
        except (zlib.error, binascii.Error, ValueError) as error:
            raise UserError(f"read {number} is damaged: {error}") from error
        if len(data) != wanted:
            raise UserError(f"read {number} does not have the {wanted} bytes that the work reads")
        return data

    return answer


def image_hashes(images: Mapping[str, bytes]) -> dict[str, str]:
    """Return the hash of code by the hash of what it was made from."""
    return {key: source_hash(code).partition(":")[2] for key, code in images.items()}
