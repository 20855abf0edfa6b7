; The count that ds_append returns is used before lgkmcnt(0).
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, 0
    s_mov_b32 m0, 0
    ds_write_b32 v2, v2
    s_waitcnt lgkmcnt(0)
    ds_append v3
    ds_append v4
.ifdef CORRECTED
    s_waitcnt lgkmcnt(0)
.else
    s_waitcnt lgkmcnt(1)
.endif
    v_add_u32_e32 v3, v3, v4                ; hazard
    global_store_dword v1, v3, s[6:7]
    s_endpgm
