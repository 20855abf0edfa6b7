; Syntax of operands and modifiers; clang must read each line as the parser does.
s_waitcnt vmcnt(0)
s_waitcnt vmcnt(0) & lgkmcnt(1)
s_waitcnt vmcnt(0), expcnt(0),lgkmcnt(1)
s_waitcnt 0x70
s_waitcnt vmcnt_sat(64)
s_waitcnt lgkmcnt(15)
s_getreg_b32 s0, hwreg(HW_REG_MODE)
s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 4)
s_getreg_b32 s0, hwreg(1, 0, 4)
s_getreg_b32 s0, 0x1801
s_getreg_b32 s0, hwreg(HW_REG_XCC_ID)
s_getreg_b32 s0, hwreg(HW_REG_HW_ID)
s_getreg_b32 s0, hwreg(HW_REG_LDS_ALLOC)
s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 3
s_sendmsg sendmsg(MSG_INTERRUPT)
ds_swizzle_b32 v0, v1 offset:swizzle(QUAD_PERM, 0,1,2,3)
ds_swizzle_b32 v0, v1 offset:swizzle(BITMASK_PERM, "01pip")
ds_swizzle_b32 v0, v1 offset:swizzle(BROADCAST,8,3)
ds_swizzle_b32 v0, v1 offset:swizzle(SWAP,16)
ds_swizzle_b32 v0, v1 offset:swizzle(REVERSE,8)
ds_swizzle_b32 v0, v1 offset:swizzle(FFT,8)
ds_swizzle_b32 v0, v1 offset:0x8000
v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf bound_ctrl:0
v_mov_b32_dpp v0, v1 row_shl:1 bound_ctrl:1
v_mov_b32_dpp v0, v1 row_shl:1
v_mov_b32_dpp v0, v1 wave_shl:1
v_mov_b32_dpp v0, v1 wave_ror:1
v_mov_b32_dpp v0, v1 row_newbcast:1
v_mov_b64_dpp v[0:1], v[2:3] row_newbcast:1
v_mov_b32_dpp v0, v1 row_bcast:31
v_add_f32_dpp v0, -|v1|, v2 row_mirror
v_add_f32 v0, v1, v2 row_half_mirror
v_add_f32_sdwa v0, s1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:BYTE_3
v_add_u32_sdwa v0, sext(v1), v2 dst_sel:BYTE_1 src0_sel:WORD_1
v_add_f32 v0, v1, v2 mul:4
v_add_f32 v0, v1, v2 div:2
v_pk_fma_f16 v0, v1, v2, v3 op_sel:[0,1,0] op_sel_hi:[1,0,1] neg_lo:[1,0,0] neg_hi:[0,0,1] clamp
v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[0:5], v[8:13], v[0:15] cbsz:2 blgp:3
v_mfma_f32_32x32x64_f8f6f4 a[0:15], v[0:3], v[8:11], a[0:15] cbsz:4 blgp:4
v_mfma_scale_f32_32x32x64_f8f6f4 a[0:15], v[0:3], v[8:11], a[0:15], v1, v2 op_sel:[0,1] op_sel_hi:[0,1] cbsz:4 blgp:4
v_mfma_ld_scale_b32 v1, v2
v_mfma_f64_16x16x4_f64 v[0:7], v[8:9], v[10:11], v[0:7] neg:[1,0,0]
v_bitop3_b32 v0, v1, v2, v3 bitop3:0x55
buffer_load_dwordx4 v1, s[4:7], s0 offen offset:16 lds
buffer_load_dwordx4 off, s[4:7], s0 offset:16 lds
buffer_load_dword v0, off, s[4:7], 0 offset:16
buffer_load_dword v0, v[2:3], s[4:7], 0 idxen offen offset:16 sc0 nt sc1
global_load_lds_dwordx4 v[2:3], off offset:-16
global_load_lds_dword v2, s[2:3]
scratch_load_dword v0, off, s0 offset:4
scratch_load_dword v0, off, off offset:4
scratch_load_dword v0, v1, off offset:4
scratch_load_dword v0, v1, s1 offset:4
scratch_store_dword off, v0, s32 offset:4
flat_load_dword v0, v[2:3] offset:4
s_load_dword s0, s[2:3], s4 offset:0x10
s_load_dword s0, s[2:3], s4
s_load_dword s0, s[2:3], 0x10 glc
s_load_dword s0, s[2:3], -4
s_scratch_load_dword s0, s[2:3], 4
s_buffer_load_dword s0, s[4:7], s4
s_memtime s[0:1]
s_memrealtime s[0:1]
s_dcache_wb
buffer_wbl2 sc1
buffer_inv sc0 sc1
s_icache_inv
s_setprio 3
s_sethalt 1
s_trap 2
s_set_gpr_idx_on s0, gpr_idx(SRC0,DST)
s_set_gpr_idx_off
s_set_gpr_idx_idx s0
s_movrels_b32 s0, s1
s_setvskip s0, 1
s_cbranch_g_fork s[0:1], s[2:3]
s_call_b64 s[0:1], foo
s_branch foo
s_branch 4
s_cbranch_scc0 -1
foo:
v_cndmask_b32 v0, v1, v2, vcc
v_cndmask_b32 v0, v1, v2, s[2:3]
v_cmp_eq_u32 vcc, v1, v2
v_cmp_eq_u32 s[2:3], v1, v2
v_cmp_eq_u32_e32 v1, v2
v_add_co_u32 v0, vcc, v1, v2
v_add_co_u32_e32 v0, vcc, v1, v2
v_addc_co_u32 v0, vcc, v1, v2, vcc
v_add_co_u32 v0, s[0:1], v1, v2
v_div_scale_f32 v0, vcc, v1, v2, v3
v_mad_u64_u32 v[0:1], vcc, v1, v2, v[4:5]
v_fma_mix_f32 v0, v1, v2, v3 op_sel:[0,0,1] op_sel_hi:[1,0,1]
v_cvt_pk_fp8_f32 v0, v1, v2 op_sel:[0,0,1]
v_cvt_f32_fp8_sdwa v0, v1 src0_sel:BYTE_1
v_cvt_pk_f32_fp8_e32 v[0:1], v1
v_cvt_pk_f32_fp8_sdwa v[0:1], v1 src0_sel:WORD_1
v_cvt_sr_fp8_f32 v0, v1, v2 op_sel:[0,0,1,1]
v_cvt_scalef32_pk_fp8_f32 v0, v1, v2, v3 op_sel:[0,0,0,1]
v_prng_b32 v0, v1
v_ashr_pk_i8_i32 v0, v1, v2, v3
v_permlane16_swap_b32 v0, v1
v_permlane16_swap_b32_e64 v0, v1 bound_ctrl:1 fi:1
v_accvgpr_read_b32 v0, a1
v_accvgpr_write_b32 a1, v0
v_accvgpr_write_b32 a1, 1.0
v_accvgpr_mov_b32 a1, a2
v_accvgpr_read v0, a1
v_dot2_f32_f16 v0, v1, v2, v3
v_dot2c_f32_bf16 v0, v1, v2
v_smfmac_f32_16x16x64_f16 v[0:3], v[4:7], v[8:15], v1 cbsz:1 abid:1
s_barrier
s_wakeup
s_sleep 1
s_endpgm
s_nop 3
v_cmp_class_f32 vcc, |v1|, v2
v_cmp_lt_f32_e64 s[2:3], -v1, |s2|
v_fma_f64 v[0:1], v[2:3], s[2:3], -v[4:5]
s_mov_b64 exec, -1
s_and_saveexec_b64 s[0:1], vcc
ds_write2_b32 v0, v1, v2 offset0:1 offset1:255
ds_read2st64_b64 v[0:3], v4 offset1:3
ds_add_rtn_u32 v0, v1, v2 offset:65535
global_atomic_add v0, v1, v2, s[0:1] offset:-4096 sc0 sc1
global_atomic_cmpswap_x2 v[0:1], v[2:3], v[4:7], off offset:4095 sc0
global_store_dwordx3 v[0:1], v[2:4], off nt
flat_atomic_add v[0:1], v2
buffer_store_dwordx4 v[0:3], v4, s[8:11], s12 offen offset:4095
ds_read_b64_tr_b8 v[0:1], v2 offset:16
ds_read_b96_tr_b6 v[0:2], v3
v_cvt_scalef32_pk_f32_fp8 v[0:1], v2, v3 op_sel:[1,0]
v_pk_mul_f32 v[0:1], v[2:3], s[4:5] op_sel_hi:[1,0]
v_pk_mov_b32 v[0:1], v[2:3], v[4:5] op_sel:[1,0]
v_readlane_b32 s0, v1, m0
v_writelane_b32 v0, s1, 3
s_bfe_u32 s2, s0, 0x20006
v_fmamk_f32 v0, v1, 0x40000000, v2
v_fmaak_f32 v0, v1, v2, 0x3f800000
v_alignbit_b32 v0, v1, v2, 7
s_cselect_b64 s[0:1], -1, 0
s_cmpk_lt_i32 s0, -5
s_addk_i32 s0, 0x7fff
