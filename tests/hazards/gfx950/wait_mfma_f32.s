; An f32 matrix instruction has 8 passes, and a VALU instruction waits 10.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, 1.0
    s_nop 1
    v_mfma_f32_16x16x4_f32 v[4:7], v2, v2, 0
.ifdef CORRECTED
    s_nop 9
.else
    s_nop 8
.endif
    v_mov_b32_e32 v8, v7                            ; hazard
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v8, s[6:7]
    s_endpgm
