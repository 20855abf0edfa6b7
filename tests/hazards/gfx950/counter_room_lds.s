; A result of LDS is used after 14 younger reads; one more would have had to wait for it.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_add_u32_e32 v2, 5, v0
    ds_write_b32 v1, v2
    s_waitcnt lgkmcnt(0)
    ds_read_b32 v3, v1
.rept 14
    ds_read_b32 v4, v1
.endr
.ifdef CORRECTED
    ds_read_b32 v4, v1
.endif
    v_add_u32_e32 v5, 7, v3                 ; hazard
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v5, s[6:7]
    s_endpgm
