; Sums of tiles: each is copied to LDS directly, and a thread reads what another wave has copied.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.amdhsa_code_object_version 5
	.text
	.globl	reads_at_barrier
	.p2align	8
	.type	reads_at_barrier,@function
reads_at_barrier:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s8, s[0:1], 0x10
	v_lshlrev_b32_e32 v1, 2, v0
	v_xor_b32_e32 v2, 0x200, v1
	v_and_b32_e32 v6, 0x300, v1
	v_mov_b32_e32 v5, 0
	s_nop 0
	v_readfirstlane_b32 s9, v6
	s_mov_b32 m0, s9
	s_waitcnt lgkmcnt(0)
.Lnext:
	global_load_lds_dword v1, s[4:5]	; hazard
	s_waitcnt vmcnt(0)
	s_barrier
	ds_read_b32 v4, v2	; hazard
	s_barrier
	s_waitcnt lgkmcnt(0)
	v_add_u32_e32 v5, v5, v4
	s_add_u32 s4, s4, 0x400
	s_addc_u32 s5, s5, 0
	s_sub_u32 s8, s8, 1
	s_cmp_lg_u32 s8, 0
	s_cbranch_scc1 .Lnext
	global_store_dword v1, v5, s[6:7]
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel reads_at_barrier
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_kernarg_size 20
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
		.amdhsa_accum_offset 8
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .offset:         16
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 1024
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .max_flat_workgroup_size: 256
    .name:           reads_at_barrier
    .private_segment_fixed_size: 0
    .sgpr_count:     16
    .symbol:         reads_at_barrier.kd
    .vgpr_count:     8
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx950
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
