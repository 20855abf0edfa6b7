	.amdgcn_target "amdgpu9.50-amd-amdhsa-unknown-gfx950"
	.amdhsa_code_object_version 5
	.text
	.globl	stale_across_waves              ; -- Begin function stale_across_waves
	.p2align	8
	.type	stale_across_waves,@function
stale_across_waves:                     ; @stale_across_waves
.Lfunc_begin0:
	.cfi_sections .debug_frame
	.cfi_startproc
; %bb.1:
	.file	1 "stale_across_waves.py"
	.loc	1 11 0 prologue_end
	s_load_dwordx2 s[2:3], s[0:1], 0x0
	s_load_dwordx8 s[4:11], s[0:1], 0x8
	s_waitcnt lgkmcnt(0)
	s_branch .LBB0_0
	.loc	1 0 0 is_stmt 0
.Ltmp0:
	.p2align	8
; %bb.2:
.LBB0_0:
	.cfi_escape 0x0f, 0x04, 0x30, 0x36, 0xe9, 0x02 ; CFA is 0 in private_wave aspace
	.cfi_undefined 16
.Ltmp1:
	.loc	1 14 14 is_stmt 1
	v_readfirstlane_b32 s0, v0
	.loc	1 19 5
	s_and_b32 s1, s0, 0xc0
	.loc	1 13 11
	s_lshl_b32 s0, s12, 10
	.loc	1 14 14
	v_and_or_b32 v4, v0, 63, s1
	.loc	1 15 14
	s_ashr_i32 s1, s0, 31
	s_lshl_b64 s[8:9], s[0:1], 2
	s_add_u32 s4, s4, s8
	s_addc_u32 s5, s5, s9
	.loc	1 15 46 is_stmt 0
	s_add_u32 s0, s2, s8
	s_addc_u32 s1, s3, s9
	.loc	1 15 38
	s_and_b32 s1, s1, 0xffff
	s_mov_b32 s3, 0x27000
	s_mov_b32 s2, 0x7ffffffe
	v_lshlrev_b32_e32 v8, 4, v4
	buffer_load_dwordx4 v[0:3], v8, s[0:3], 0 offen
	.loc	1 14 14 is_stmt 1
	v_lshlrev_b32_e32 v5, 2, v4
	.loc	1 18 20
	v_not_b32_e32 v6, v5
	v_sub_u32_e32 v4, 0, v5
	v_ashrrev_i32_e32 v7, 31, v6
	v_ashrrev_i32_e32 v5, 31, v4
	v_lshl_add_u64 v[6:7], v[6:7], 2, s[4:5]
	.loc	1 15 5
	s_and_b32 s1, s5, 0xffff
	s_mov_b32 s0, s4
	.loc	1 18 20
	v_lshl_add_u64 v[4:5], v[4:5], 2, s[4:5]
	.loc	1 15 38
	s_waitcnt vmcnt(0)
	v_lshlrev_b32_e32 v0, 1, v0
	v_lshlrev_b32_e32 v1, 1, v1
	v_lshlrev_b32_e32 v2, 1, v2
	v_lshlrev_b32_e32 v3, 1, v3
	.loc	1 15 5 is_stmt 0
	buffer_store_dwordx4 v[0:3], v8, s[0:3], 0 offen
	.loc	1 17 9 is_stmt 1
	s_barrier
	.loc	1 18 12
	global_load_dword v1, v[6:7], off offset:4092
	global_load_dwordx2 v[10:11], v[4:5], off offset:4080
	global_load_dword v0, v[4:5], off offset:4092
	.loc	1 19 14
	s_add_u32 s0, s6, s8
	s_addc_u32 s1, s7, s9
	.loc	1 19 5 is_stmt 0
	s_and_b32 s1, s1, 0xffff
	s_waitcnt vmcnt(1)
	v_mov_b32_e32 v2, v11
	v_mov_b32_e32 v3, v10
	s_waitcnt vmcnt(0)
	buffer_store_dwordx4 v[0:3], v8, s[0:3], 0 offen
	.loc	1 11 1 is_stmt 1
	s_endpgm
.Ltmp2:
.Lfunc_end0:
	.size	stale_across_waves, .Lfunc_end0-stale_across_waves
	.cfi_endproc
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel stale_across_waves
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 40
		.amdhsa_user_sgpr_count 12
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_kernarg_preload_length 10
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 12
		.amdhsa_next_free_sgpr 13
		.amdhsa_accum_offset 12
		.amdhsa_reserve_vcc 0
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
	.end_amdhsa_kernel
	.text
                                        ; -- End function
	.set .Lstale_across_waves.num_vgpr, 12
	.set .Lstale_across_waves.num_agpr, 0
	.set .Lstale_across_waves.numbered_sgpr, 13
	.set .Lstale_across_waves.num_named_barrier, 0
	.set .Lstale_across_waves.private_seg_size, 0
	.set .Lstale_across_waves.uses_vcc, 0
	.set .Lstale_across_waves.uses_flat_scratch, 0
	.set .Lstale_across_waves.has_dyn_sized_stack, 0
	.set .Lstale_across_waves.has_recursion, 0
	.set .Lstale_across_waves.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 488
; TotalNumSgprs: 19
; NumVgprs: 12
; NumAgprs: 0
; TotalNumVgprs: 12
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 2
; VGPRBlocks: 1
; NumSGPRsForWavesPerEU: 19
; NumVGPRsForWavesPerEU: 12
; AccumOffset: 12
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 12
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 2
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.text
	.p2alignl 6, 3212836864
	.fill 256, 4, 3212836864
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 0
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 0
	.set amdgpu.max_num_named_barrier, 0
	.text
	.section	".note.GNU-stack","",@progbits
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         16
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         24
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         32
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 40
    .max_flat_workgroup_size: 256
    .name:           stale_across_waves
    .private_segment_fixed_size: 0
    .sgpr_count:     19
    .sgpr_spill_count: 0
    .symbol:         stale_across_waves.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     12
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgpu9.50-amd-amdhsa-unknown-gfx950
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
