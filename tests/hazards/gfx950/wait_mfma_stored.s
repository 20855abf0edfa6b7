; The result of a matrix instruction of 8 passes is stored too early.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v4, 0x38383838
    v_mov_b32_e32 v5, 0x38383838
    v_mov_b32_e32 v6, 0x38383838
    v_mov_b32_e32 v7, 0x38383838
    v_mov_b32_e32 v8, 0x38383838
    v_mov_b32_e32 v9, 0x38383838
    v_mov_b32_e32 v10, 0x38383838
    v_mov_b32_e32 v11, 0x38383838
    s_waitcnt lgkmcnt(0)
    s_nop 0
    v_mfma_f32_16x16x128_f8f6f4 v[12:15], v[4:11], v[4:11], 0
.ifdef CORRECTED
    s_nop 11
.else
    s_nop 10
.endif
    global_store_dword v1, v12, s[6:7]              ; hazard
    s_endpgm
