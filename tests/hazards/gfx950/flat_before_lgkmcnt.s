; The result of a flat load is used after vmcnt alone; LDS might have had to answer it.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    v_mov_b32_e32 v3, s5
    v_add_co_u32_e32 v2, vcc, s4, v1
    v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
    flat_load_dword v4, v[2:3]
.ifdef CORRECTED
    s_waitcnt vmcnt(0) lgkmcnt(0)
.else
    s_waitcnt vmcnt(0)
.endif
    v_add_u32_e32 v4, 3, v4                 ; hazard
    global_store_dword v1, v4, s[6:7]
    s_endpgm
