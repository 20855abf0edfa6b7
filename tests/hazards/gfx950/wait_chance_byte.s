; A byte that op_sel moved is used by the next instruction.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, 1.0
    v_mov_b32_e32 v3, 0
    v_mov_b32_e32 v8, 0
    v_cvt_sr_fp8_f32 v8, v2, v3 op_sel:[0,0,1,0]
.ifdef CORRECTED
    s_nop 0
.endif
    v_add_u32_e32 v8, v8, v0                ; hazard
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v8, s[6:7]
    s_endpgm
