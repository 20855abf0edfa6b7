"""The `.amdgpu_metadata` block, which describes each kernel's arguments to the runtime.

Keys: LLVM, AMDGPUUsage, "Code Object V3 Metadata" and its later versions.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from lanemap.emulator.amdgcn.text.errors import Place
from lanemap.emulator.amdgcn.text.module import Argument

_FORMAT = re.compile(r"0:0:([0-9a-f]{1,16}),")
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse_metadata(text: str, place: Place) -> tuple[dict[str, dict[str, Any]], dict[int, bytes]]:
    """The metadata of each kernel by the name of its descriptor symbol without ".kd".

    Beside it, the formats of printf by their hashes.

    Raises:
        AssemblyError: The text is not YAML, or has not the keys of kernel metadata.
    """
    try:
        document = yaml.load(text, Loader=_Loader)
    except yaml.YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", 0)
        here = Place(place.file, place.line + line + 1)
        problem = getattr(error, "problem", None) or "malformed"
        raise here.error(f"the metadata is not YAML: {problem}") from None
    if document is None:
        return {}, {}
    kernels = document.get("amdhsa.kernels", []) if isinstance(document, dict) else None
    if not isinstance(kernels, list):
        raise place.error("the metadata has no list under amdhsa.kernels")
    found: dict[str, dict[str, Any]] = {}
    for entry in kernels:
        if not isinstance(entry, dict) or not isinstance(entry.get(".name"), str):
            raise place.error("a kernel of the metadata has no .name")
        found[str(entry.get(".symbol", entry[".name"])).removesuffix(".kd")] = entry
    return found, _formats(document.get("amdhsa.printf") or [])


def _formats(entries: Any) -> dict[int, bytes]:
    """Formats by their hashes, of those that have one: "0:0:HASH,FORMAT".

    clang writes these with -mprintf-kind=buffered (LLVM, AMDGPUEmitPrintf.cpp).
    """
    found = {}
    for entry in entries if isinstance(entries, list) else []:
        match = _FORMAT.match(str(entry))
        if match:
            found[int(match[1], 16)] = str(entry)[match.end() :].encode()
    return found


def parse_arguments(kernel: str, entry: dict[str, Any], place: Place) -> tuple[Argument, ...]:
    """The arguments of one kernel, in order.

    Raises:
        AssemblyError: An argument lacks its offset, size or kind.
    """
    arguments = []
    for number, item in enumerate(entry.get(".args") or []):
        if not isinstance(item, dict) or not all(
            isinstance(item.get(key), kind)
            for key, kind in ((".offset", int), (".size", int), (".value_kind", str))
        ):
            raise place.error(f"argument {number} of {kernel} needs .offset, .size and .value_kind")
        arguments.append(
            Argument(
                name=str(item.get(".name", "")),
                offset=item[".offset"],
                size=item[".size"],
                value_kind=item[".value_kind"],
                address_space=str(item.get(".address_space", "")),
                alignment=_alignment(item, place),
            )
        )
    return tuple(arguments)


def _alignment(item: dict[str, Any], place: Place) -> int:
    alignment = item.get(".pointee_align", 0)
    if not isinstance(alignment, int):
        raise place.error(".pointee_align takes a number of bytes")
    return alignment


def workgroup_limits(
    entry: dict[str, Any], place: Place
) -> tuple[tuple[int, int, int] | None, int]:
    """The required work-group size, if any, and the largest number of work-items in a group.

    Raises:
        AssemblyError: The required size is not three positive integers, or the largest not one.
    """
    required = entry.get(".reqd_workgroup_size")
    most = entry.get(".max_flat_workgroup_size", 1024)
    if not isinstance(most, int) or most < 1:
        raise place.error(".max_flat_workgroup_size takes a number of work-items")
    if required is None:
        return None, most
    if (
        not isinstance(required, list)
        or len(required) != 3
        or not all(isinstance(size, int) and size > 0 for size in required)
    ):
        raise place.error(".reqd_workgroup_size takes three sizes")
    return (required[0], required[1], required[2]), most
