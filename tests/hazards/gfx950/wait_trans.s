; The result of a transcendental instruction is used at once.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_exp_f32_e32 v2, 0
.ifdef CORRECTED
    s_nop 0
.endif
    v_add_f32_e32 v8, 1.0, v2                       ; hazard
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v8, s[6:7]
    s_endpgm
