; The same accumulator needs no wait; the store of its result does.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, 0x3c003c00
    v_mov_b32_e32 v3, v2
    s_nop 1
    v_mfma_f32_16x16x16_f16 v[4:7], v[2:3], v[2:3], 0
    v_mfma_f32_16x16x16_f16 v[4:7], v[2:3], v[2:3], v[4:7]
    s_waitcnt lgkmcnt(0)
.ifdef CORRECTED
    s_nop 6
.else
    s_nop 5
.endif
    global_store_dword v1, v4, s[6:7]               ; hazard
    s_endpgm
