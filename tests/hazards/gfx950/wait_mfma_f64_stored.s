; The result of an f64 matrix instruction is stored too early.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, 0
    v_mov_b32_e32 v3, 0x3ff00000
    s_waitcnt lgkmcnt(0)
    s_nop 1
    v_mfma_f64_16x16x4_f64 v[4:11], v[2:3], v[2:3], 0
.ifdef CORRECTED
    s_nop 15
    s_nop 1
.else
    s_nop 15
    s_nop 0
.endif
    global_store_dword v1, v5, s[6:7]               ; hazard
    s_endpgm
