	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.amdhsa_code_object_version 6
	.text
	.protected	random_case             ; -- Begin function random_case
	.globl	random_case
	.p2align	8
	.type	random_case,@function
random_case:                            ; @random_case
; %bb.0:
	s_mov_b32 s33, 0
	s_load_dwordx2 s[12:13], s[4:5], 0x0
	s_load_dwordx2 s[6:7], s[4:5], 0x8
	s_nop 0
	s_load_dword s4, s[4:5], 0x10
	s_mov_b64 s[2:3], 0
	s_mov_b32 s9, s3
	s_mov_b32 s16, -1
	s_add_i32 s0, s33, 24
	s_mov_b32 s1, s0
	s_cmp_lg_u32 s1, s16
	s_mov_b64 s[10:11], src_private_base
	s_mov_b32 s5, s11
	s_cselect_b32 s0, s5, s9
	s_mov_b32 s3, s2
	s_cselect_b32 s14, s1, s3
                                        ; kill: def $sgpr14 killed $sgpr14 def $sgpr14_sgpr15
	s_mov_b32 s15, s0
	s_mov_b64 s[0:1], s[14:15]
                                        ; implicit-def: $vgpr10 : SGPR spill to VGPR lane
	v_writelane_b32 v10, s0, 0
	s_nop 1
	v_writelane_b32 v10, s1, 1
	s_add_i32 s0, s33, 32
	s_mov_b32 s1, s0
	s_cmp_lg_u32 s1, s16
	s_cselect_b32 s0, s5, s9
	s_cselect_b32 s10, s1, s3
                                        ; kill: def $sgpr10 killed $sgpr10 def $sgpr10_sgpr11
	s_mov_b32 s11, s0
	s_mov_b64 s[0:1], s[10:11]
	v_writelane_b32 v10, s0, 2
	s_nop 1
	v_writelane_b32 v10, s1, 3
	s_add_i32 s1, s33, 40
	s_mov_b32 s0, s1
	s_cmp_lg_u32 s0, s16
	s_cselect_b32 s2, s5, s9
	s_cselect_b32 s0, s0, s3
                                        ; kill: def $sgpr0 killed $sgpr0 def $sgpr0_sgpr1
	s_mov_b32 s1, s2
	s_add_i32 s17, s33, 44
	s_mov_b32 s2, s17
	s_cmp_lg_u32 s2, s16
	s_cselect_b32 s5, s5, s9
	s_cselect_b32 s2, s2, s3
                                        ; kill: def $sgpr2 killed $sgpr2 def $sgpr2_sgpr3
	s_mov_b32 s3, s5
	s_mov_b64 s[16:17], s[2:3]
	v_writelane_b32 v10, s16, 4
	s_nop 1
	v_writelane_b32 v10, s17, 5
	v_mov_b64_e32 v[2:3], s[14:15]
	s_waitcnt lgkmcnt(0)
	v_mov_b64_e32 v[4:5], s[12:13]
	flat_store_dwordx2 v[2:3], v[4:5]
	v_mov_b64_e32 v[2:3], s[10:11]
	v_mov_b64_e32 v[4:5], s[6:7]
	flat_store_dwordx2 v[2:3], v[4:5]
	v_mov_b64_e32 v[2:3], s[0:1]
	v_mov_b32_e32 v1, s4
	flat_store_dword v[2:3], v1
	s_mov_b32 s4, 0x3ff
	v_and_b32_e64 v1, v0, s4
	s_mov_b32 s4, 6
	v_mov_b32_e32 v0, s4
	v_lshl_add_u32 v2, s8, v0, v1
	v_mov_b64_e32 v[0:1], s[2:3]
	flat_store_dword v[0:1], v2
	v_mov_b64_e32 v[0:1], s[2:3]
	flat_load_dword v0, v[0:1]
	v_mov_b64_e32 v[2:3], s[0:1]
	flat_load_dword v1, v[2:3]
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_cmp_lt_i32_e64 s[2:3], v0, v1
	s_mov_b64 s[0:1], exec
	v_writelane_b32 v10, s0, 6
	s_nop 1
	v_writelane_b32 v10, s1, 7
	s_or_saveexec_b64 s[18:19], -1
	v_accvgpr_write_b32 a0, v10             ;  Reload Reuse
	s_mov_b64 exec, s[18:19]
	s_and_b64 s[0:1], s[0:1], s[2:3]
	s_mov_b64 exec, s[0:1]
	s_cbranch_execz .LBB0_2
; %bb.1:
	s_or_saveexec_b64 s[18:19], -1
	v_accvgpr_read_b32 v10, a0              ;  Reload Reuse
	s_mov_b64 exec, s[18:19]
	v_readlane_b32 s0, v10, 2
	v_readlane_b32 s1, v10, 3
	v_readlane_b32 s2, v10, 4
	v_readlane_b32 s3, v10, 5
	v_readlane_b32 s4, v10, 0
	v_readlane_b32 s5, v10, 1
	s_nop 1
	v_mov_b64_e32 v[0:1], s[4:5]
	flat_load_dwordx2 v[0:1], v[0:1]
	v_mov_b64_e32 v[2:3], s[2:3]
	flat_load_dword v2, v[2:3]
	s_mov_b32 s3, 1
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_lshlrev_b32_e64 v4, s3, v2
	v_ashrrev_i32_e64 v3, 31, v4
                                        ; kill: def $vgpr4 killed $vgpr4 def $vgpr4_vgpr5 killed $exec
	v_mov_b32_e32 v5, v3
	s_mov_b32 s2, 2
	v_lshlrev_b64 v[4:5], s2, v[4:5]
	v_lshl_add_u64 v[8:9], v[0:1], 0, v[4:5]
	v_mov_b64_e32 v[0:1], s[0:1]
	flat_load_dwordx2 v[0:1], v[0:1]
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_lshl_add_u64 v[6:7], v[0:1], 0, v[4:5]
	s_mov_b64 s[4:5], 0
	s_mov_b32 s6, s5
	s_mov_b32 s7, -1
	s_mov_b32 s1, s33
	s_cmp_lg_u32 s1, s7
	s_mov_b64 s[8:9], src_private_base
	s_mov_b32 s2, s9
	s_cselect_b32 s0, s2, s6
	s_mov_b32 s5, s4
	s_cselect_b32 s8, s1, s5
                                        ; kill: def $sgpr8 killed $sgpr8 def $sgpr8_sgpr9
	s_mov_b32 s9, s0
	s_add_i32 s1, s33, 8
	s_mov_b32 s0, s1
	s_cmp_lg_u32 s0, s7
	s_cselect_b32 s4, s2, s6
	s_cselect_b32 s0, s0, s5
                                        ; kill: def $sgpr0 killed $sgpr0 def $sgpr0_sgpr1
	s_mov_b32 s1, s4
	s_add_i32 s10, s33, 16
	s_mov_b32 s4, s10
	s_cmp_lg_u32 s4, s7
	s_cselect_b32 s2, s2, s6
	s_cselect_b32 s4, s4, s5
	v_mov_b32_e32 v0, s4
	v_mov_b32_e32 v3, s2
                                        ; kill: def $vgpr0 killed $vgpr0 def $vgpr0_vgpr1 killed $exec
	v_mov_b32_e32 v1, v3
	v_mov_b64_e32 v[4:5], s[8:9]
	flat_store_dwordx2 v[4:5], v[8:9]
	v_mov_b64_e32 v[4:5], s[0:1]
	flat_store_dwordx2 v[4:5], v[6:7]
	flat_store_dword v[0:1], v2
	v_mov_b64_e32 v[0:1], s[8:9]
	flat_load_dwordx2 v[2:3], v[0:1]
	s_waitcnt vmcnt(0) lgkmcnt(0)
	flat_load_dword v0, v[2:3]
	s_mov_b32 s4, 19
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_ashrrev_i32_e64 v1, s4, v0
	flat_load_dword v0, v[2:3] offset:4
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_bcnt_u32_b32 v0, v0, 0
	v_or_b32_e64 v0, v0, s3
	v_cvt_f32_u32_e64 v1, v1
	v_cvt_f32_u32_e64 v2, v0
	v_rcp_f32_e64 v0, v2
	s_nop 0
	v_mul_f32_e64 v0, v1, v0
	v_trunc_f32_e64 v0, v0
	v_fma_f32 v1, -v0, v2, v1
	v_cmp_ge_f32_e64 s[10:11], |v1|, v2
	s_mov_b32 s6, 0
	v_mov_b32_e32 v1, s6
	v_mov_b32_e32 v2, s3
	v_cndmask_b32_e64 v1, v1, v2, s[10:11]
	v_cvt_u32_f32_e64 v0, v0
	v_add_u32_e64 v0, v0, v1
	s_mov_b32 s2, 0xfff
	v_and_b32_e64 v2, v0, s2
	v_mov_b64_e32 v[0:1], s[0:1]
	flat_load_dwordx2 v[0:1], v[0:1]
	s_waitcnt vmcnt(0) lgkmcnt(0)
	flat_store_dword v[0:1], v2
	v_mov_b64_e32 v[0:1], s[8:9]
	flat_load_dwordx2 v[2:3], v[0:1]
	s_waitcnt vmcnt(0) lgkmcnt(0)
	flat_load_dword v0, v[2:3]
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_ashrrev_i32_e64 v0, s4, v0
	flat_load_dword v1, v[2:3] offset:4
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_bcnt_u32_b32 v1, v1, 0
	v_or_b32_e64 v2, v1, s3
	v_cvt_f32_u32_e64 v3, v0
	v_cvt_f32_u32_e64 v4, v2
	v_rcp_f32_e64 v1, v4
	s_nop 0
	v_mul_f32_e64 v1, v3, v1
	v_trunc_f32_e64 v1, v1
	v_fma_f32 v3, -v1, v4, v3
	v_cmp_ge_f32_e64 s[4:5], |v3|, v4
	v_mov_b32_e32 v3, s6
	v_mov_b32_e32 v4, s3
	v_cndmask_b32_e64 v3, v3, v4, s[4:5]
	v_cvt_u32_f32_e64 v1, v1
	v_add_u32_e64 v1, v1, v3
	v_mul_lo_u32 v1, v1, v2
	v_sub_u32_e64 v0, v0, v1
	v_and_b32_e64 v2, v0, s2
	v_mov_b64_e32 v[0:1], s[0:1]
	flat_load_dwordx2 v[0:1], v[0:1]
	s_waitcnt vmcnt(0) lgkmcnt(0)
	flat_store_dword v[0:1], v2 offset:4
.LBB0_2:
	s_or_saveexec_b64 s[18:19], -1
	v_accvgpr_read_b32 v10, a0              ;  Reload Reuse
	s_mov_b64 exec, s[18:19]
	v_readlane_b32 s0, v10, 6
	v_readlane_b32 s1, v10, 7
	s_or_b64 exec, exec, s[0:1]
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel random_case
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 56
		.amdhsa_kernarg_size 280
		.amdhsa_user_sgpr_count 8
		.amdhsa_user_sgpr_dispatch_ptr 1
		.amdhsa_user_sgpr_queue_ptr 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 1
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 1
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 2
		.amdhsa_next_free_vgpr 13
		.amdhsa_next_free_sgpr 34
		.amdhsa_accum_offset 12
		.amdhsa_reserve_vcc 0
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
.Lfunc_end0:
	.size	random_case, .Lfunc_end0-random_case
                                        ; -- End function
	.set random_case.num_vgpr, 11
	.set random_case.num_agpr, 1
	.set random_case.numbered_sgpr, 34
	.set random_case.num_named_barrier, 0
	.set random_case.private_seg_size, 56
	.set random_case.uses_vcc, 0
	.set random_case.uses_flat_scratch, 0
	.set random_case.has_dyn_sized_stack, 0
	.set random_case.has_recursion, 0
	.set random_case.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 1152
; TotalNumSgprs: 40
; NumVgprs: 11
; NumAgprs: 1
; TotalNumVgprs: 13
; ScratchSize: 56
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 4
; VGPRBlocks: 1
; NumSGPRsForWavesPerEU: 40
; NumVGPRsForWavesPerEU: 13
; AccumOffset: 12
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 1
; COMPUTE_PGM_RSRC2:USER_SGPR: 8
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 1
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 2
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
	.ident	"clang version 22.1.8"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     1
    .args:
      - .address_space:  generic
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  generic
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .offset:         16
        .size:           4
        .value_kind:     by_value
      - .offset:         24
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         28
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         32
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         36
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         38
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         40
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         42
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         44
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         46
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         64
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         72
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         80
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         88
        .size:           2
        .value_kind:     hidden_grid_dims
      - .offset:         104
        .size:           8
        .value_kind:     hidden_hostcall_buffer
      - .offset:         112
        .size:           8
        .value_kind:     hidden_multigrid_sync_arg
      - .offset:         120
        .size:           8
        .value_kind:     hidden_heap_v1
      - .offset:         128
        .size:           8
        .value_kind:     hidden_default_queue
      - .offset:         136
        .size:           8
        .value_kind:     hidden_completion_action
      - .offset:         224
        .size:           8
        .value_kind:     hidden_queue_ptr
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 280
    .max_flat_workgroup_size: 256
    .name:           random_case
    .private_segment_fixed_size: 56
    .sgpr_count:     40
    .sgpr_spill_count: 8
    .symbol:         random_case.kd
    .uses_dynamic_stack: false
    .vgpr_count:     13
    .vgpr_spill_count: 1
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx950
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
