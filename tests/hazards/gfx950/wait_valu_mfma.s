; A matrix instruction reads what a VALU instruction has just written.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, 0x3c003c00
    v_mov_b32_e32 v3, v2
.ifdef CORRECTED
    s_nop 1
.else
    s_nop 0
.endif
    v_mfma_f32_16x16x16_f16 v[4:7], v[2:3], v[2:3], 0; hazard
    s_nop 7
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v4, s[6:7]
    s_endpgm
