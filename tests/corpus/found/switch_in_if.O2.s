	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.amdhsa_code_object_version 6
	.text
	.protected	random_case             ; -- Begin function random_case
	.globl	random_case
	.p2align	8
	.type	random_case,@function
random_case:                            ; @random_case
; %bb.0:
	s_load_dword s3, s[0:1], 0x10
	v_lshl_add_u32 v8, s2, 6, v0
	s_waitcnt lgkmcnt(0)
	v_cmp_gt_i32_e32 vcc, s3, v8
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .LBB0_24
; %bb.1:
	s_load_dwordx4 s[0:3], s[0:1], 0x0
	v_lshlrev_b32_e32 v2, 2, v8
	v_ashrrev_i32_e32 v3, 31, v2
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v4, s0
	v_mov_b32_e32 v5, s1
	v_lshl_add_u64 v[2:3], v[2:3], 2, v[4:5]
	global_load_dwordx4 v[2:5], v[2:3], off
	s_waitcnt vmcnt(0)
	v_cvt_f32_i32_e32 v13, v2
	v_sub_u32_e32 v1, v4, v3
	v_and_b32_e32 v1, 7, v1
	v_cmp_ne_u32_e32 vcc, 0, v1
	v_mov_b32_e32 v10, v5
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB0_5
; %bb.2:
	s_mov_b64 s[4:5], 0
	v_mov_b32_e32 v10, v5
.LBB0_3:                                ; =>This Inner Loop Header: Depth=1
	v_cvt_f32_u32_e32 v9, v10
	v_mad_u64_u32 v[6:7], s[6:7], v10, v8, 0
	v_lshrrev_b64 v[6:7], v10, v[6:7]
	v_cmp_lt_f32_e32 vcc, v13, v9
	v_add_u32_e32 v1, -1, v1
	s_nop 0
	v_cndmask_b32_e64 v7, 0, 1, vcc
	v_sub_u32_sdwa v7, v7, sext(v10) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_0
	v_cmp_eq_u32_e32 vcc, 0, v1
	s_or_b64 s[4:5], vcc, s[4:5]
	v_or_b32_e32 v10, v7, v6
	s_andn2_b64 exec, exec, s[4:5]
	s_cbranch_execnz .LBB0_3
; %bb.4:
	s_or_b64 exec, exec, s[4:5]
.LBB0_5:
	s_or_b64 exec, exec, s[0:1]
	v_ashrrev_i32_e32 v1, v10, v4
	v_and_b32_e32 v9, 3, v1
	v_cvt_f32_u32_sdwa v1, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0
	v_mad_u64_u32 v[14:15], s[0:1], v5, v4, 0
	v_mov_b32_e32 v11, 0
	v_mul_f32_e32 v18, 0x3e000000, v1
	v_cmp_lt_i32_e32 vcc, 1, v9
	s_mov_b64 s[0:1], 0
	s_mov_b64 s[6:7], 0
                                        ; implicit-def: $vgpr1
                                        ; implicit-def: $vgpr12
                                        ; implicit-def: $vgpr6_vgpr7
                                        ; implicit-def: $vgpr16_vgpr17
	s_and_saveexec_b64 s[4:5], vcc
	s_xor_b64 s[4:5], exec, s[4:5]
	s_cbranch_execz .LBB0_9
; %bb.6:
	v_cmp_eq_u32_e32 vcc, 2, v9
	s_mov_b64 s[8:9], -1
                                        ; implicit-def: $vgpr1
                                        ; implicit-def: $vgpr12
                                        ; implicit-def: $vgpr6_vgpr7
                                        ; implicit-def: $vgpr16_vgpr17
	s_and_saveexec_b64 s[6:7], vcc
	s_cbranch_execz .LBB0_8
; %bb.7:
	v_or_b32_e32 v1, 1, v3
	v_cvt_f32_u32_e32 v5, v1
	v_sub_u32_e32 v7, 0, v1
	v_bcnt_u32_b32 v6, v10, 0
	v_lshlrev_b32_e32 v0, v0, v3
	v_rcp_iflag_f32_e32 v5, v5
	s_mov_b32 s10, 0xc0400000
	v_mov_b32_e32 v9, 0
	v_mul_f32_e32 v5, 0x4f7ffffe, v5
	v_cvt_u32_f32_e32 v5, v5
	v_mul_lo_u32 v7, v7, v5
	v_mul_hi_u32 v7, v5, v7
	v_add_u32_e32 v5, v5, v7
	v_mul_hi_u32 v5, v8, v5
	v_mul_lo_u32 v5, v5, v1
	v_sub_u32_e32 v5, v8, v5
	v_sub_u32_e32 v7, v5, v1
	v_cmp_ge_u32_e32 vcc, v5, v1
	s_nop 1
	v_cndmask_b32_e32 v5, v5, v7, vcc
	v_sub_u32_e32 v7, v5, v1
	v_cmp_ge_u32_e32 vcc, v5, v1
	s_nop 1
	v_cndmask_b32_e32 v1, v5, v7, vcc
	v_cmp_eq_u32_e32 vcc, v1, v4
	s_nop 1
	v_cndmask_b32_e32 v1, v4, v6, vcc
	v_sub_u32_sdwa v0, v1, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_0
	v_div_scale_f32 v1, s[8:9], v18, v18, s10
	v_rcp_f32_e32 v5, v1
	v_and_b32_e32 v12, v14, v0
	v_lshlrev_b64 v[6:7], 31, v[8:9]
	v_or_b32_e32 v6, v12, v6
	v_fma_f32 v12, -v1, v5, 1.0
	v_fmac_f32_e32 v5, v12, v5
	v_div_scale_f32 v12, vcc, s10, v18, s10
	v_mul_f32_e32 v16, v12, v5
	v_fma_f32 v17, -v1, v16, v12
	v_fmac_f32_e32 v16, v17, v5
	v_fma_f32 v1, -v1, v16, v12
	v_div_fmas_f32 v1, v1, v5, v16
	v_div_fixup_f32 v1, v1, v18, s10
	v_add_f32_e32 v12, v13, v1
	v_bcnt_u32_b32 v1, v0, 0
	v_xnor_b32_e32 v1, v1, v4
	v_lshlrev_b32_e32 v1, v1, v0
	v_mov_b32_e32 v16, v10
	v_mov_b32_e32 v17, v9
	s_xor_b64 s[8:9], exec, -1
.LBB0_8:
	s_or_b64 exec, exec, s[6:7]
	s_and_b64 s[6:7], s[8:9], exec
                                        ; implicit-def: $vgpr9
.LBB0_9:
	s_andn2_saveexec_b64 s[4:5], s[4:5]
; %bb.10:
	v_cmp_ne_u32_e32 vcc, 0, v9
	s_andn2_b64 s[6:7], s[6:7], exec
	s_and_b64 s[8:9], vcc, exec
	s_mov_b64 s[0:1], exec
	s_or_b64 s[6:7], s[6:7], s[8:9]
	v_mov_b64_e32 v[16:17], v[10:11]
; %bb.11:
	s_or_b64 exec, exec, s[4:5]
	v_mov_b32_e32 v5, v11
	s_and_saveexec_b64 s[4:5], s[6:7]
	s_xor_b64 s[4:5], exec, s[4:5]
	s_cbranch_execz .LBB0_13
; %bb.12:
	v_mov_b32_e32 v9, 0
	v_lshl_add_u64 v[0:1], v[4:5], 0, v[8:9]
	v_mad_u64_u32 v[6:7], s[6:7], v0, v4, 0
	v_mov_b32_e32 v0, v7
	v_mad_u64_u32 v[0:1], s[6:7], v1, v4, v[0:1]
	v_or_b32_e32 v1, v0, v15
	v_or_b32_e32 v0, v6, v14
	v_mad_u64_u32 v[6:7], s[6:7], v10, v10, v[0:1]
	s_andn2_b64 s[0:1], s[0:1], exec
	v_mov_b32_e32 v1, v4
	v_mov_b32_e32 v0, v4
	v_mov_b32_e32 v12, v13
.LBB0_13:
	s_or_b64 exec, exec, s[4:5]
	s_and_saveexec_b64 s[4:5], s[0:1]
	s_cbranch_execz .LBB0_23
; %bb.14:
	v_lshrrev_b64 v[0:1], v10, v[4:5]
	v_mul_lo_u32 v1, v10, v4
	v_min_u32_e32 v5, v4, v10
	v_bcnt_u32_b32 v6, v8, 0
	v_cmp_eq_u32_e32 vcc, v1, v5
	v_add_u32_e32 v0, v10, v0
	s_nop 0
	v_cndmask_b32_e32 v1, v6, v4, vcc
	v_cmp_ge_u32_e32 vcc, v0, v1
                                        ; implicit-def: $vgpr1
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
	s_cbranch_execz .LBB0_20
; %bb.15:
	v_and_b32_e32 v0, 0x7ff, v4
	v_add_u32_e32 v5, 1, v0
	v_cvt_f32_u32_e32 v0, v5
	s_movk_i32 s6, 0x7ff
	v_bitop3_b32 v7, v4, s6, v4 bitop3:0x3f
	v_sub_u32_e32 v6, 0, v3
	v_rcp_iflag_f32_e32 v0, v0
	v_max_i32_e32 v6, v6, v3
	v_ashrrev_i32_e32 v1, 31, v3
	s_movk_i32 s6, 0x7f7
	v_mul_f32_e32 v0, 0x4f7ffffe, v0
	v_cvt_u32_f32_e32 v0, v0
	v_mul_lo_u32 v7, v7, v0
	v_mul_hi_u32 v7, v0, v7
	v_add_u32_e32 v0, v0, v7
	v_mul_hi_u32 v7, v6, v0
	v_mul_lo_u32 v9, v7, v5
	v_sub_u32_e32 v6, v6, v9
	v_add_u32_e32 v11, 1, v7
	v_cmp_ge_u32_e32 vcc, v6, v5
	v_sub_u32_e32 v9, v6, v5
	s_nop 0
	v_cndmask_b32_e32 v7, v7, v11, vcc
	v_cndmask_b32_e32 v6, v6, v9, vcc
	v_add_u32_e32 v9, 1, v7
	v_cmp_ge_u32_e32 vcc, v6, v5
	s_nop 1
	v_cndmask_b32_e32 v6, v7, v9, vcc
	v_xor_b32_e32 v6, v6, v1
	v_cmp_lt_i32_e32 vcc, s6, v2
	v_sub_u32_e32 v1, v6, v1
	s_nop 0
	v_cndmask_b32_e64 v2, 0, 1, vcc
	v_cmp_ne_u32_e32 vcc, v1, v2
                                        ; implicit-def: $vgpr1
	s_and_saveexec_b64 s[6:7], vcc
	s_xor_b64 s[6:7], exec, s[6:7]
; %bb.16:
	v_lshlrev_b32_e32 v1, v3, v3
                                        ; implicit-def: $vgpr0
                                        ; implicit-def: $vgpr5
; %bb.17:
	s_andn2_saveexec_b64 s[6:7], s[6:7]
	s_cbranch_execz .LBB0_19
; %bb.18:
	v_sub_u32_e32 v2, 0, v4
	v_max_i32_e32 v2, v2, v4
	v_mul_hi_u32 v0, v2, v0
	v_mul_lo_u32 v0, v0, v5
	v_sub_u32_e32 v0, v2, v0
	v_sub_u32_e32 v2, v0, v5
	v_cmp_ge_u32_e32 vcc, v0, v5
	v_ashrrev_i32_e32 v1, 31, v4
	s_nop 0
	v_cndmask_b32_e32 v0, v0, v2, vcc
	v_sub_u32_e32 v2, v0, v5
	v_cmp_ge_u32_e32 vcc, v0, v5
	s_nop 1
	v_cndmask_b32_e32 v0, v0, v2, vcc
	v_xor_b32_e32 v0, v0, v1
	v_sub_u32_e32 v1, v0, v1
.LBB0_19:
	s_or_b64 exec, exec, s[6:7]
.LBB0_20:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.21:
	v_or_b32_e32 v0, v4, v3
	v_cvt_f32_u32_e32 v0, v0
	v_cmp_eq_f32_e32 vcc, v18, v0
	s_nop 1
	v_cndmask_b32_e64 v1, 0, 1, vcc
; %bb.22:
	s_or_b64 exec, exec, s[0:1]
	v_cvt_f32_u32_e32 v2, v4
	v_mov_b32_e32 v11, 0
	v_bfe_i32 v0, v4, 0, 8
	v_mov_b32_e32 v7, v11
	v_cmp_ge_f32_e32 vcc, v13, v2
	v_mov_b32_e32 v12, v13
	v_mov_b64_e32 v[16:17], v[10:11]
	v_cndmask_b32_e32 v6, 0, v10, vcc
.LBB0_23:
	s_or_b64 exec, exec, s[4:5]
	s_mov_b32 s0, 0xf800000
	v_mul_f32_e32 v3, 0x4f800000, v12
	v_cmp_gt_f32_e32 vcc, s0, v12
	v_mul_lo_u32 v8, v8, 10
	v_mov_b32_e32 v14, s2
	v_cndmask_b32_e32 v3, v12, v3, vcc
	v_sqrt_f32_e32 v5, v3
	v_mov_b32_e32 v15, s3
	v_ashrrev_i32_e32 v9, 31, v8
	v_lshl_add_u64 v[14:15], v[8:9], 2, v[14:15]
	v_add_u32_e32 v8, -1, v5
	v_fma_f32 v9, -v8, v5, v3
	v_cmp_ge_f32_e64 s[0:1], 0, v9
	v_add_u32_e32 v9, 1, v5
	v_and_b32_e32 v2, 31, v10
	v_cndmask_b32_e64 v8, v5, v8, s[0:1]
	v_fma_f32 v5, -v9, v5, v3
	v_cmp_lt_f32_e64 s[0:1], 0, v5
	s_nop 1
	v_cndmask_b32_e64 v5, v8, v9, s[0:1]
	v_mul_f32_e32 v8, 0x37800000, v5
	v_cndmask_b32_e32 v5, v5, v8, vcc
	v_mov_b32_e32 v8, 0x260
	v_cmp_class_f32_e32 vcc, v3, v8
	s_mov_b32 s0, 0x146c4
	s_nop 0
	v_cndmask_b32_e32 v3, v5, v3, vcc
	v_mul_f32_e32 v5, v18, v12
	v_add_f32_e32 v5, v3, v5
	v_lshrrev_b32_e64 v3, v2, s0
	v_mad_u64_u32 v[8:9], s[0:1], v16, v3, 0
	v_mov_b32_e32 v2, v9
	v_mad_u64_u32 v[16:17], s[0:1], v17, v3, v[2:3]
	v_mov_b32_e32 v2, v4
	v_mov_b32_e32 v3, v10
	global_store_dwordx4 v[14:15], v[0:3], off
	v_cmp_o_f32_e32 vcc, v5, v5
	v_mov_b32_e32 v9, v16
	v_mov_b32_e32 v0, 0x7fc00000
	v_cndmask_b32_e32 v13, v0, v5, vcc
	global_store_dwordx4 v[14:15], v[6:9], off offset:16
	global_store_dwordx2 v[14:15], v[12:13], off offset:32
.LBB0_24:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel random_case
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 20
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 19
		.amdhsa_next_free_sgpr 11
		.amdhsa_accum_offset 20
		.amdhsa_reserve_vcc 1
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
	.set random_case.num_vgpr, 19
	.set random_case.num_agpr, 0
	.set random_case.numbered_sgpr, 11
	.set random_case.num_named_barrier, 0
	.set random_case.private_seg_size, 0
	.set random_case.uses_vcc, 1
	.set random_case.uses_flat_scratch, 0
	.set random_case.has_dyn_sized_stack, 0
	.set random_case.has_recursion, 0
	.set random_case.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 1312
; TotalNumSgprs: 17
; NumVgprs: 19
; NumAgprs: 0
; TotalNumVgprs: 19
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 2
; VGPRBlocks: 2
; NumSGPRsForWavesPerEU: 17
; NumVGPRsForWavesPerEU: 19
; AccumOffset: 20
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 4
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
	.addrsig
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
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
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .max_flat_workgroup_size: 256
    .name:           random_case
    .private_segment_fixed_size: 0
    .sgpr_count:     17
    .sgpr_spill_count: 0
    .symbol:         random_case.kd
    .uses_dynamic_stack: false
    .vgpr_count:     19
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx950
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
