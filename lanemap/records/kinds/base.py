"""Common to the schemas of all kinds: strictness, names, hashes, the environment of silicon."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator

from lanemap.records.environment import STAND_IN

SCHEMA = 2
EVIDENCE = ("silicon", "emulator", "published", "documented")

Word: TypeAlias = Annotated[str, Field(min_length=1)]
Count: TypeAlias = Annotated[int, Field(ge=0)]
Positive: TypeAlias = Annotated[int, Field(gt=0)]
Hash: TypeAlias = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]


class Strict(BaseModel):
    """A schema that converts no values and accepts only the named keys."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, defer_build=True)


class Open(BaseModel):
    """A schema that converts no values; keys besides the named ones may hold any JSON."""

    model_config = ConfigDict(strict=True, extra="allow", allow_inf_nan=False, defer_build=True)


class Host(Open):
    """The host's part of an environment, as `records.environment.host_environment` gives it."""

    time: Word
    system: Word
    python: Word
    lanemap: Word
    revision: str | None
    source: Hash
    packages: dict[str, str | None]


class Contribution(Strict):
    """What a capsule brought: who sent which result, of which GPU, and when it ran there."""

    by: Word
    gpu: Word
    time: Word
    result: Hash


class Environment(Open):
    """A device's description of itself and of its host.

    `contributed` says of a row that others' capsules brought who sent it, and who the same again.
    """

    gpu: Word
    host: Host
    contributed: Annotated[list[Contribution], Field(min_length=1)] = []

    @field_validator("gpu")
    @classmethod
    def _is_a_gpu(cls, name: str) -> str:
        if name == STAND_IN:
            raise ValueError(f"{name!r} is not a GPU, so its results cannot have evidence silicon")
        return name


class BeforeAndAfter(Strict):
    """The environment before and after a long run."""

    before: Environment
    after: Environment


class File(Strict):
    """The fields of every file of results/; each kind adds `kind` and `findings`.

    `hash` is of all other lines of the file: see `records.hashes.check_own_hash`.
    """

    version: Annotated[Literal[2], Field(alias="schema")]
    hash: Hash
    probe: Word
    target: Word
    device: Word
    evidence: Literal["silicon", "emulator", "published", "documented"]
    environment: Environment | BeforeAndAfter | None = None


class TableFile(File):
    """A file whose findings are everything: it has no map."""

    observations: Annotated[list[JsonValue], Field(max_length=0)]
