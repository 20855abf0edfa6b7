; A sparse matrix instruction reads its index, which a VALU instruction has just written.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, 0x3c003c00
    v_mov_b32_e32 v3, v2
    v_mov_b32_e32 v4, v2
    v_mov_b32_e32 v5, v2
    v_mov_b32_e32 v8, 1.0
    v_mov_b32_e32 v9, 1.0
    v_mov_b32_e32 v10, 1.0
    v_mov_b32_e32 v11, 1.0
    v_mov_b32_e32 v6, 0x4444
.ifdef CORRECTED
    s_nop 1
.else
    s_nop 0
.endif
    v_smfmac_f32_16x16x32_f16 v[8:11], v[2:3], v[2:5], v6      ; hazard
    s_nop 7
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v8, s[6:7]
    s_endpgm
