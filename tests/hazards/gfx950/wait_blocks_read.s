; The results of sixteen products of 4x4 matrices are read too soon.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, 0x3c003c00
    v_mov_b32_e32 v3, v2
    s_nop 1
    v_mfma_f32_4x4x4_16b_f16 v[4:7], v[2:3], v[2:3], 2.0
.ifdef CORRECTED
    s_nop 4
.else
    s_nop 3
.endif
    v_mov_b32_e32 v8, v7                    ; hazard
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v8, s[6:7]
    s_endpgm
