"""Assembly text for AMD's targets: the directives and metadata around a kernel's instructions.

The directives are those of the LLVM AMDGPU back end's code object V3 and later
(https://llvm.org/docs/AMDGPUUsage.html, "Assembler" and "Code Object Metadata"). The
result is a complete file: `clang -target amdgcn-amd-amdhsa -mcpu=gfx950 -c` assembles that of
gfx950.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WAVE_LANES = 64
_TARGET = """\
    .amdgcn_target "amdgcn-amd-amdhsa--{target}"
"""
_HEAD = """\
    .text
    .globl {name}
    .p2align 8
    .type {name},@function
{name}:
"""
_TAIL = """\
.L{name}_end:
    .size {name}, .L{name}_end-{name}

    .rodata
    .p2align 6
    .amdhsa_kernel {name}
        .amdhsa_group_segment_fixed_size {lds_bytes}
        .amdhsa_private_segment_fixed_size {scratch_bytes}
        .amdhsa_kernarg_size {kernarg_bytes}
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_system_sgpr_workgroup_id_y 0
        .amdhsa_system_sgpr_workgroup_id_z 0
        .amdhsa_system_vgpr_workitem_id 0
        .amdhsa_next_free_vgpr {vgprs}
        .amdhsa_next_free_sgpr {sgprs}
        .amdhsa_accum_offset {accum_offset}
        .amdhsa_reserve_vcc 1
{directives}    .end_amdhsa_kernel

"""
_METADATA = """\
    .amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--{target}
amdhsa.kernels:
"""
_ENTRY = """\
  - .name: {name}
    .symbol: {name}.kd
    .kernarg_segment_size: {kernarg_bytes}
    .kernarg_segment_align: 8
    .group_segment_fixed_size: {lds_bytes}
    .private_segment_fixed_size: {scratch_bytes}
    .wavefront_size: 64
    .sgpr_count: {sgpr_count}
    .vgpr_count: {vgprs}
    .agpr_count: 0
    .max_flat_workgroup_size: {threads}
    .args:
{args}
"""
_END = """\
...
    .end_amdgpu_metadata
"""
_POINTER = """\
      - {{ .name: {name}, .offset: {offset}, .size: 8, .value_kind: global_buffer, \
.address_space: global }}"""
_WORD = "      - {{ .name: {name}, .offset: {offset}, .size: 4, .value_kind: by_value }}"


@dataclass(frozen=True)
class Kernel:
    """The resources of a kernel.

    Attributes:
        name: its symbol.
        pointers: names of its arguments that are pointers, from kernarg offset 0 on.
        words: names of its 32-bit arguments, after the pointers.
        lds_bytes: static LDS.
        vgprs: number of vector registers used.
        sgprs: number of scalar registers used, VCC not counted.
        threads: most work items of a workgroup.
        behind: names of its arguments that are pointers, after the words, which are an even number.
        scratch_bytes: scratch memory of a work item.
        directives: more lines of the kernel's descriptor.
    """

    name: str
    pointers: Sequence[str]
    words: Sequence[str]
    lds_bytes: int
    vgprs: int
    sgprs: int
    threads: int
    behind: Sequence[str] = ()
    scratch_bytes: int = 0
    directives: Sequence[str] = ()

    def text(self, body: str, target: str = "gfx950") -> str:
        """The complete assembly file for a kernel with these instructions.

        On entry s[0:1] holds the kernarg pointer, s2 the workgroup's x, v0 the work item's x in
        bits 0 to 9 (the work item ids are packed on gfx90a and later).
        """
        return file(((self, body),), target)

    def parts(self, body: str) -> tuple[str, str]:
        """The code with its descriptor, and the metadata; arguments as of `text`."""
        arguments = [
            _POINTER.format(name=name, offset=8 * i) for i, name in enumerate(self.pointers)
        ] + [
            _WORD.format(name=name, offset=8 * len(self.pointers) + 4 * i)
            for i, name in enumerate(self.words)
        ]
        behind = 8 * len(self.pointers) + 4 * len(self.words)
        arguments += [
            _POINTER.format(name=name, offset=behind + 8 * i) for i, name in enumerate(self.behind)
        ]
        values = {
            "name": self.name,
            "lds_bytes": self.lds_bytes,
            "scratch_bytes": self.scratch_bytes,
            "directives": "".join(f"        {line}\n" for line in self.directives),
            "kernarg_bytes": behind + 8 * len(self.behind),
            "vgprs": self.vgprs,
            "sgprs": self.sgprs,
            # VCC takes two scalar registers besides.
            "sgpr_count": self.sgprs + 2,
            # The boundary between VGPRs and AGPRs is a multiple of 4, from 4 to 256.
            "accum_offset": min(-(-self.vgprs // 4) * 4, 256),
            "threads": self.threads,
            "args": "\n".join(arguments),
        }
        code = _HEAD.format(**values) + body.strip("\n") + "\n" + _TAIL.format(**values)
        return code, _ENTRY.format(**values)


def file(kernels: Sequence[tuple[Kernel, str]], target: str = "gfx950") -> str:
    """The complete assembly file of several kernels with their instructions; see `Kernel.text`."""
    codes, entries = zip(*(kernel.parts(body) for kernel, body in kernels), strict=True)
    head, metadata = (each.format(target=target) for each in (_TARGET, _METADATA))
    return head + "".join(codes) + metadata + "".join(entries) + _END
