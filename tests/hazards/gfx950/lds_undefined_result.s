; A byte of LDS that nothing wrote becomes a result: ds_write_b8 defines one byte of four.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
.ifdef CORRECTED
    v_mov_b32_e32 v3, 0
    ds_write_b32 v1, v3
.endif
    ds_write_b8 v1, v0
    s_waitcnt lgkmcnt(0)
    ds_read_b32 v2, v1
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[6:7]       ; hazard
    s_endpgm
