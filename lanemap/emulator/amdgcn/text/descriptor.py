"""The `.amdhsa_kernel` block: what a launch sets up before the first instruction.

Keys, defaults and the order of registers: LLVM, AMDGPUUsage, "AMDHSA Kernel Assembler Directives"
and "Initial Kernel Execution State".
"""

from __future__ import annotations

from lanemap.emulator.amdgcn.text.errors import Place
from lanemap.emulator.amdgcn.text.module import Descriptor
from lanemap.targets import TARGETS

# Key without ".amdhsa_" -> (default, largest value); None as default: the key must be given.
_ONE = 1
_WORD = (1 << 32) - 1
KEYS: dict[str, tuple[int | None, int]] = {
    "group_segment_fixed_size": (0, _WORD),
    "private_segment_fixed_size": (0, _WORD),
    "kernarg_size": (0, _WORD),
    "user_sgpr_count": (-1, 16),
    "user_sgpr_dispatch_ptr": (0, _ONE),
    "user_sgpr_queue_ptr": (0, _ONE),
    "user_sgpr_kernarg_segment_ptr": (0, _ONE),
    "user_sgpr_dispatch_id": (0, _ONE),
    "user_sgpr_private_segment_size": (0, _ONE),
    "user_sgpr_kernarg_preload_length": (0, 16),
    "user_sgpr_kernarg_preload_offset": (0, 511),
    "user_sgpr_private_segment_buffer": (0, _ONE),
    "user_sgpr_flat_scratch_init": (0, _ONE),
    "system_sgpr_private_segment_wavefront_offset": (0, _ONE),
    "reserve_flat_scratch": (1, _ONE),
    "enable_private_segment": (0, _ONE),
    "system_sgpr_workgroup_id_x": (1, _ONE),
    "system_sgpr_workgroup_id_y": (0, _ONE),
    "system_sgpr_workgroup_id_z": (0, _ONE),
    "system_sgpr_workgroup_info": (0, _ONE),
    "system_vgpr_workitem_id": (0, 2),
    "next_free_vgpr": (None, 512),
    "next_free_sgpr": (None, 102),
    "accum_offset": (None, 256),
    "reserve_vcc": (1, _ONE),
    "reserve_xnack_mask": (1, _ONE),
    "float_round_mode_32": (0, 3),
    "float_round_mode_16_64": (0, 3),
    "float_denorm_mode_32": (0, 3),
    "float_denorm_mode_16_64": (3, 3),
    "dx10_clamp": (1, _ONE),
    "ieee_mode": (1, _ONE),
    "fp16_overflow": (0, _ONE),
    "tg_split": (0, _ONE),
    "uses_dynamic_stack": (0, _ONE),
    "exception_fp_ieee_invalid_op": (0, _ONE),
    "exception_fp_denorm_src": (0, _ONE),
    "exception_fp_ieee_div_zero": (0, _ONE),
    "exception_fp_ieee_overflow": (0, _ONE),
    "exception_fp_ieee_underflow": (0, _ONE),
    "exception_fp_ieee_inexact": (0, _ONE),
    "exception_int_div_zero": (0, _ONE),
}
# Keys of other processors, and why they are wrong here.
_OTHERS = {
    "wavefront_size32": "waves of {target} have 64 lanes; remove the line",
    "workgroup_processor_mode": "{target} has no such mode; remove the line",
    "memory_ordered": "{target} has no such mode; remove the line",
    "forward_progress": "{target} has no such mode; remove the line",
    "shared_vgpr_count": "{target} has no shared VGPRs; remove the line",
}
_FLAT = "flat scratch is architected on {target}; remove the line"
#: Keys of processors without architected flat scratch, such as gfx90a, and why they are wrong on
#: others; and the reverse.
_ABSOLUTE = {
    "reserve_flat_scratch": _FLAT,
    "user_sgpr_flat_scratch_init": _FLAT,
    "user_sgpr_private_segment_buffer": _FLAT,
    "system_sgpr_private_segment_wavefront_offset": "scratch is architected on {target}; write "
    ".amdhsa_enable_private_segment",
}
_ARCHITECTED = {
    "enable_private_segment": "scratch is not architected on {target}; write "
    ".amdhsa_system_sgpr_private_segment_wavefront_offset",
}
_USER_SGPRS = (
    ("private_segment_buffer", 4),
    ("dispatch_ptr", 2),
    ("queue_ptr", 2),
    ("kernarg_segment_ptr", 2),
    ("dispatch_id", 2),
    ("flat_scratch_init", 2),
    ("private_segment_size", 1),
)
_SYSTEM_SGPRS = (
    "workgroup_id_x", "workgroup_id_y", "workgroup_id_z", "workgroup_info",
    "private_segment_wavefront_offset",
)  # fmt: skip
_EXCEPTIONS = [key for key in KEYS if key.startswith("exception_")]


def check_key(key: str, value: int, place: Place, target: str) -> None:
    """Refuse a key that a target does not have, or a value that does not fit its field.

    Raises:
        AssemblyError: The key is unknown or belongs to another processor; the value is too large.
    """
    own = _ARCHITECTED if TARGETS[target].absolute_scratch else _ABSOLUTE
    if why := (_OTHERS | own).get(key):
        raise place.error(f".amdhsa_{key}: {why.format(target=target)}")
    if key not in KEYS:
        raise place.error(f".amdhsa_{key} is not a key of an .amdhsa_kernel block")
    most = KEYS[key][1]
    if not 0 <= value <= most:
        raise place.error(f".amdhsa_{key} takes 0 to {most}, not {value}")


def make_descriptor(kernel: str, given: dict[str, int], place: Place) -> Descriptor:
    """The descriptor of a kernel from the keys that its block gives.

    Raises:
        AssemblyError: A key that has no default is missing, the user SGPRs are fewer than what the
            block puts into them, or floating-point exceptions are enabled.
    """
    for key, (default, _) in KEYS.items():
        if default is None and key not in given:
            raise place.error(f"kernel {kernel} needs .amdhsa_{key}")
    values = {key: given.get(key, default or 0) for key, (default, _) in KEYS.items()}
    for key in _EXCEPTIONS:
        if values[key]:
            raise place.error(f".amdhsa_{key} 1 is not supported: floating-point traps are off")
    user = [(name, count) for name, count in _USER_SGPRS if values[f"user_sgpr_{name}"]]
    if values["user_sgpr_kernarg_preload_length"]:
        user.append(("kernarg_preload", values["user_sgpr_kernarg_preload_length"]))
    total = sum(count for _, count in user)
    count = given.get("user_sgpr_count", total)
    if total > 16 or count < total:
        raise place.error(
            f"kernel {kernel} puts {total} registers into {min(count, 16)} user SGPRs; raise "
            ".amdhsa_user_sgpr_count (16 at most) or enable fewer"
        )
    if values["accum_offset"] % 4 or not values["accum_offset"]:
        raise place.error(".amdhsa_accum_offset is a multiple of 4, from 4 to 256")
    return Descriptor(
        group_segment_bytes=values["group_segment_fixed_size"],
        private_segment_bytes=values["private_segment_fixed_size"],
        kernarg_bytes=values["kernarg_size"],
        user_sgprs=tuple(user),
        user_sgpr_count=count,
        kernarg_preload_offset=values["user_sgpr_kernarg_preload_offset"],
        system_sgprs=tuple(name for name in _SYSTEM_SGPRS if values[f"system_sgpr_{name}"]),
        workitem_id_dimensions=values["system_vgpr_workitem_id"] + 1,
        next_free_vgpr=values["next_free_vgpr"],
        next_free_sgpr=values["next_free_sgpr"],
        accum_offset=values["accum_offset"],
        float_round_mode_32=values["float_round_mode_32"],
        float_round_mode_16_64=values["float_round_mode_16_64"],
        float_denorm_mode_32=values["float_denorm_mode_32"],
        float_denorm_mode_16_64=values["float_denorm_mode_16_64"],
        dx10_clamp=bool(values["dx10_clamp"]),
        ieee_mode=bool(values["ieee_mode"]),
        fp16_overflow=bool(values["fp16_overflow"]),
        tg_split=bool(values["tg_split"]),
        enable_private_segment=bool(values["enable_private_segment"]),
        uses_dynamic_stack=bool(values["uses_dynamic_stack"]),
        values=values,
    )
