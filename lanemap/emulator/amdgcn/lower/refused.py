"""Why instructions that the assembler knows are not executed."""

from __future__ import annotations

import re

from lanemap.emulator.amdgcn.text.module import Instruction
from lanemap.targets import targets_with

_DEBUGGER = "because a debugger sets what it branches on"
_FORKS = "because it keeps branches on a stack in SGPRs, which no compiler asks for"
_TRAPS = "because only a trap handler executes it"
_UNDESCRIBED = "because the ISA does not describe it"
_LEGACY = "because no source says what is legacy about it"
_ROUNDING = "because no source says how it rounds"
_CHANCE = "because no source says which bits of the seed decide how it rounds"
#: A pattern of names, and the reason.
_REASONS = (
    (
        r"(tbuffer_store|buffer_load|buffer_store)_format_d16_xyz$",
        "because no format has three components of 16 bits",
    ),
    (r"buffer_store_lds_dword", "because no compiler asks for it"),
    (r"ds_gws_", "because the driver allots what all workgroups meet at"),
    (r"s_atc_probe|v_screen_partition_4se_b32", _UNDESCRIBED),
    (r"s_cbranch_cdbg", _DEBUGGER),
    (r"s_cbranch_([gi]_fork|join)", _FORKS),
    (r"s_dcache_discard", "because it leaves open which bytes that were stored reach memory"),
    (r"s_endpgm_ordered_ps_done", "because it ends a pixel shader"),
    (r"s_endpgm_saved|s_rfe_", _TRAPS),
    (r"s_sendmsg", "because no host answers the message"),
    (r"s_setkill", "because a command of the host acts on what it sets"),
    (r"s_setreg_b32", "because the float mode must be known beforehand; use s_setreg_imm32_b32"),
    (r"s_setvskip", "because which vector instructions are skipped must be known beforehand"),
    (r"v_cvt_(pk)?norm_", _ROUNDING),
    (r"v_cvt_sr_b?f16_f32", _CHANCE),
    (r"v_(exp|log)_legacy_f32", _LEGACY),
    (r"v_mfma_ld_scale_b32", "because no source says for how long the scales hold"),
)


def why_refused(mnemonic: str) -> str:
    """The reason as a clause that begins with "because"; "" of a name without one."""
    return next((why for names, why in _REASONS if re.match(names, mnemonic)), "")


def _names(instruction: Instruction) -> tuple[str, ...]:
    """The mnemonic; of a wide load into LDS from a buffer that from global memory too.

    Targets have both or none (LLVM, FeatureLDSLoadB96_B128).
    """
    name = instruction.mnemonic
    if instruction.modifiers.get("lds") and name.startswith("buffer_load_dwordx"):
        return name, name.replace("buffer_load_", "global_load_lds_")
    return (name,)


def of_other_targets(instruction: Instruction, target: str) -> str:
    """Which targets have what this one lacks, in a sentence; "" where it lacks nothing."""
    for name in _names(instruction):
        others = targets_with(name, modeled=False)
        if others and target not in others:
            return (
                f"{target} has no {name}, which is of {' and '.join(others)} (`{instruction.text}`)"
            )
    return ""
